//! The layout of a log: the header and the records in whole words of the flash.

use crate::error::Error;
use crate::expected::write_header;
use crate::incremental_header::HeaderDecoder;
use crate::log_format::{MARK_SIZE, START, START_SIZE, count, is_log};
use crate::record::IdxRecord;

/// The size of the largest word.
pub(super) const MAX_WORD: usize = 32;

/// The size of the longest header: 8 dimensions of a record, in words of 32 bytes.
pub(super) const MAX_HEADER: usize = 64;

/// The sizes of the parts of a log, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// The header.
    pub(super) header: u32,
    /// A word, such as the one after the header, which says that `clear` has begun.
    pub(super) word: u32,
    /// A mark in whole words; the record follows it.
    pub(super) mark: u32,
    /// A place: a mark and a record.
    pub(super) place: u32,
    /// The sectors that hold the header, which are erased last.
    pub(super) first: u32,
    /// A sector.
    pub(super) sector: u32,
}

impl Layout {
    #[expect(clippy::cast_possible_truncation, reason = "compared just before")]
    pub(super) const fn of<T: IdxRecord>(word: usize, sector: usize) -> Self {
        assert!(
            word > 0 && word <= MAX_WORD,
            "a log needs a flash whose WRITE_SIZE is 1 to 32: collect larger words in a driver of your own"
        );
        assert!(
            T::SIZE as u64 <= u32::MAX as u64 - MAX_HEADER as u64,
            "a record of a log has less than 4 GB"
        );
        let header = (START_SIZE + T::HEADER_SIZE).next_multiple_of(word);
        let mark = MARK_SIZE.next_multiple_of(word) as u32;
        Self {
            header: header as u32,
            word: word as u32,
            mark,
            place: mark + T::SIZE.next_multiple_of(word) as u32,
            first: (header + word).next_multiple_of(sector) as u32,
            sector: sector as u32,
        }
    }

    /// Rounds a size down to whole sectors.
    pub(super) const fn whole_sectors(self, size: u32) -> u32 {
        match size.checked_rem(self.sector) {
            Some(over) => size.wrapping_sub(over),
            None => size,
        }
    }
}

/// Returns the header of a log of records of type `T`, followed by zeros.
#[expect(clippy::cast_possible_truncation, reason = "`Layout::of` has checked it")]
pub(super) const fn header<T: IdxRecord>(word: usize) -> [u8; MAX_HEADER] {
    let mut bytes = [0; MAX_HEADER];
    let (start, rest) = bytes.split_at_mut(START_SIZE);
    let (name, size) = start.split_at_mut(START.len());
    name.copy_from_slice(&START);
    if let [size] = size {
        *size = word as u8;
    }
    let (header, _) = rest.split_at_mut(T::HEADER_SIZE);
    write_header::<T>(u32::MAX, header);
    if let Some((start, rest)) = header.split_first_chunk_mut()
        && let Some((number, sizes)) = rest.split_first_chunk_mut()
    {
        *number = count(*start, sizes);
    }
    bytes
}

/// Returns the first difference between a log of `T` and the one that starts with `found`; `None` if that is not a log
/// in words of this size.
pub(super) fn other_type<T: IdxRecord>(found: &[u8], expected: &[u8]) -> Option<Error> {
    let words = found.strip_prefix(expected.get(..START_SIZE)?).filter(|_| is_log(found))?;
    let mut header = HeaderDecoder::new::<T>();
    for word in words.as_chunks::<4>().0 {
        for (byte, found) in header.space().iter_mut().zip(word) {
            *byte = *found;
        }
        if let end @ (Ok(true) | Err(_)) = header.advance(word.len(), u64::MAX) {
            return end.err();
        }
    }
    None
}
