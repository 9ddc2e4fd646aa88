//! A log of `idx_core::log` that was copied from flash: its whole records, in order.

use std::io::Read;

use idx_core::__private::log::{MARK, START, START_SIZE, in_words};

use crate::error::ErrorKind;
use crate::header::HeaderBuf;
use crate::io::source::Source;
use crate::io::to_usize;

#[derive(Debug)]
pub(super) struct Log<R> {
    source: Source<R>,
    /// That of a file of its records, which counts none of them.
    header: HeaderBuf,
    /// The size of a record in bytes, and with what fills up its last word, and with its mark.
    size: usize,
    marked_from: usize,
    place_size: usize,
    /// The bytes of one place, with its mark.
    place: Vec<u8>,
    /// The number of torn records so far.
    torn: u64,
}

impl<R: Read> Log<R> {
    /// `None` if the file is something else.
    pub(super) fn open(mut source: Source<R>) -> Result<Option<Self>, ErrorKind> {
        let mut place = Vec::new();
        // Whoever reads another file comes upon the same error.
        let _ = source.append(&mut place, START_SIZE as u64);
        let Some(&[word @ (1..)]) = place.strip_prefix(&START) else {
            return Ok(None);
        };
        let word = usize::from(word);
        let (header, _) = source.read_any_header()?;
        let record_size = header.record_size().unwrap_or(u64::MAX);
        let size = to_usize(record_size)?;
        let too_large = || idx_core::ErrorKind::Unaddressable { size: record_size };
        let marked_from = in_words(size, word).ok_or_else(too_large)?;
        let place_size = marked_from.checked_add(word).ok_or_else(too_large)?;
        let filled = START_SIZE + header.header_size();
        let rest = in_words(filled, word).map_or(0, |end| end - filled);
        source.append(&mut place, rest as u64)?;
        Ok(Some(Self { source, header, size, marked_from, place_size, place, torn: 0 }))
    }

    /// The header of a file of all whole records, and the number of torn ones.
    pub(super) fn count(mut self) -> Result<(HeaderBuf, u64), ErrorKind> {
        let mut found = 0_u32;
        while self.next_record()?.is_some() {
            found = found.saturating_add(1);
        }
        Ok((self.header.with_record_count(found), self.torn))
    }

    /// The bytes of the next whole record.
    pub(super) fn next_record(&mut self) -> Result<Option<&[u8]>, ErrorKind> {
        loop {
            self.place.clear();
            self.source.append(&mut self.place, self.place_size as u64)?;
            if self.place.len() < self.place_size {
                return Ok(None);
            }
            let mark = self.place.get(self.marked_from..).unwrap_or_default();
            if mark.iter().all(|byte| *byte == MARK) {
                return Ok(self.place.get(..self.size));
            }
            self.torn += u64::from(self.place.iter().any(|byte| *byte != 0xFF));
        }
    }
}
