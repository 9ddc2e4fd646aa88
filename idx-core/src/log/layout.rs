//! Where the header and the entries of a log lie, in words of the flash.

use crate::header::write_header;
use crate::log_format::{START, START_SIZE, in_words};
use crate::record::IdxRecord;

/// The size of the largest word.
pub(super) const MAX_WORD: usize = 32;

/// The size of the longest header: of 8 dimensions of a record, in words of 32 bytes.
pub(super) const MAX_HEADER: usize = 64;

/// The sizes of the parts of a log.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) header: u32,
    /// That of a record in whole words, which the mark follows.
    pub(super) record: u32,
    /// That of both.
    pub(super) slot: u32,
}

impl Layout {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::panic,
        reason = "compared just before; the panic is a compile error"
    )]
    pub(super) const fn of<T: IdxRecord>(word: usize) -> Self {
        assert!(
            word > 0 && word <= MAX_WORD,
            "a log needs a flash whose WRITE_SIZE is 1 to 32: collect larger words in a driver of your own"
        );
        let Some(header) = in_words(START_SIZE + T::HEADER_SIZE, word) else {
            panic!("a header has at most 64 bytes");
        };
        match in_words(T::SIZE, word) {
            Some(record) if record as u64 + word as u64 <= u32::MAX as u64 => Self {
                header: header as u32,
                record: record as u32,
                slot: record as u32 + word as u32,
            },
            _ => panic!("a record of a log has less than 4 GB"),
        }
    }
}

/// The header of a log of records of type `T`, followed by zeros.
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
    bytes
}
