//! Reads the whole records of a log of `idx_core::log` that was copied from flash, in order.

use std::io::Read;
use std::mem::swap;
use std::ops::Range;

use idx_core::__private::log::{MARK_SIZE, START, START_SIZE, is_log, mark, parts};

use crate::error::ErrorKind;
use crate::header::HeaderBuf;
use crate::io::source::Source;
use crate::io::to_usize;

#[derive(Debug)]
pub(super) struct Log<R> {
    source: Source<R>,
    /// The header of a file of such records, with none of them.
    header: HeaderBuf,
    /// The position of a record in its place, after its mark, and the size of a place in whole words.
    record: Range<usize>,
    place_size: usize,
    /// The bytes of the current place, and the number of the next one.
    place: Vec<u8>,
    number: u32,
    /// The place and the index of the next record, until it is certain that no later place has the same record.
    pending: Vec<u8>,
    pending_index: Option<u32>,
    /// The number of records that are certain so far.
    certain: u32,
    /// The number of torn records so far.
    torn: u64,
}

impl<R: Read> Log<R> {
    /// Opens a log; `None` if the file is something else.
    pub(super) fn open(mut source: Source<R>) -> Result<Option<Self>, ErrorKind> {
        let mut place = Vec::new();
        // If the file is something else, its reader finds the same error.
        let _ = source.append(&mut place, START_SIZE as u64);
        let word = match place.strip_prefix(&START) {
            Some(&[word @ 1..=32]) => word,
            // No flash has words of such a size.
            Some(&[_]) => return Err(ErrorKind::LogDamaged { torn: 0 }),
            _ => return Ok(None),
        };
        let word = usize::from(word);
        let (header, _) = source.read_any_header()?;
        place.extend_from_slice(&header.to_bytes());
        if !is_log(&place) {
            return Err(ErrorKind::LogDamaged { torn: 0 });
        }
        let record_size = header.record_size().unwrap_or(u64::MAX);
        let size = to_usize(record_size)?;
        let too_large = || idx_core::ErrorKind::Unaddressable { size: record_size };
        let mark_size = MARK_SIZE.next_multiple_of(word);
        let words = size.checked_next_multiple_of(word).ok_or_else(too_large)?;
        let place_size = words.checked_add(mark_size).ok_or_else(too_large)?;
        let filled = START_SIZE + header.header_size();
        // And the word after them, which says that the log is being erased.
        let zeros = filled.next_multiple_of(word) - filled;
        place.clear();
        source.append(&mut place, (zeros + word) as u64)?;
        if !is_between_header_and_records(&place, zeros) {
            return Err(ErrorKind::LogDamaged { torn: 0 });
        }
        Ok(Some(Self {
            source,
            header,
            record: mark_size..mark_size + size,
            place_size,
            place,
            number: 0,
            pending: Vec::new(),
            pending_index: None,
            certain: 0,
            torn: 0,
        }))
    }

    /// Counts the records: returns the header of a file of all whole ones, and the number of torn ones. It is an error
    /// if all are torn: the words may have another size, and nothing else would show that.
    pub(super) fn count(mut self) -> Result<(HeaderBuf, u64), ErrorKind> {
        let mut found = 0_u32;
        while self.next_record()?.is_some() {
            found = found.saturating_add(1);
        }
        if found == 0 && self.torn > 0 {
            return Err(ErrorKind::LogDamaged { torn: self.torn });
        }
        Ok((self.header.with_record_count(found), self.torn))
    }

    /// Returns the bytes of the next whole record. If several have the same index, the last one counts.
    pub(super) fn next_record(&mut self) -> Result<Option<&[u8]>, ErrorKind> {
        loop {
            self.place.clear();
            self.source.append(&mut self.place, self.place_size as u64)?;
            if self.place.len() < self.place_size {
                // No later place can have it.
                let is_there = self.pending_index.take().is_some();
                let record = self.pending.get(self.record.clone()).unwrap_or_default();
                return Ok(is_there.then_some(record));
            }
            let number = self.number;
            self.number = number.saturating_add(1);
            let Some(index) = self.whole(number) else {
                self.torn += u64::from(self.place.iter().any(|byte| *byte != 0xFF));
                continue;
            };
            if index < self.certain {
                // A copy of one that is certain: the one that seemed to follow was torn.
                self.torn += u64::from(self.pending_index.take().is_some());
                continue;
            }
            // This record is pending now, and `place` has the one that was.
            let before = self.pending_index.replace(index);
            swap(&mut self.pending, &mut self.place);
            if before.is_some_and(|before| before < index) {
                self.certain = index;
                return Ok(Some(self.place.get(self.record.clone()).unwrap_or_default()));
            }
        }
    }

    /// Returns the index of the record in the current place, which has this number, if the record is whole.
    fn whole(&self, number: u32) -> Option<u32> {
        let found = self.place.first_chunk::<MARK_SIZE>()?;
        let (torn, _) = parts(*found)?;
        let is_whole = mark(self.place.get(self.record.clone())?, number, torn) == *found;
        number.checked_sub(torn.into()).filter(|_| is_whole)
    }
}

/// Finds the first log after the first byte of a file, if there is one, and returns its offset.
pub(super) fn find_within<R: Read>(mut source: Source<R>) -> Result<Option<u64>, ErrorKind> {
    const CHUNK: usize = 1 << 16;
    const LONGEST_HEADER: usize = 64;
    let (mut bytes, mut offset) = (Vec::new(), 0);
    loop {
        let full = bytes.len() + CHUNK;
        source.append(&mut bytes, CHUNK as u64)?;
        let is_end = bytes.len() < full;
        let mut rest = bytes.as_slice();
        while let [_, after @ ..] = rest
            && (is_end || after.len() >= LONGEST_HEADER)
        {
            (rest, offset) = (after, offset + 1);
            if is_log(rest) {
                return Ok(Some(offset));
            }
        }
        if is_end {
            return Ok(None);
        }
        bytes = rest.to_vec();
    }
}

/// Returns whether these bytes are the zeros that fill up the header, followed by a word that is erased or written. If
/// the words had another size, there would be more or fewer zeros.
fn is_between_header_and_records(bytes: &[u8], zeros: usize) -> bool {
    let (zeros, word) = bytes.split_at_checked(zeros).unwrap_or((bytes, &[]));
    let is_zero = |byte: &u8| *byte == 0;
    zeros.iter().all(is_zero) && (word.iter().all(is_zero) || !word.first().is_some_and(is_zero))
}
