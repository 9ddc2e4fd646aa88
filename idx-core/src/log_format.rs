//! How a log lies in flash. `idx-std` reads a copy of it by the same rules.

/// What a log starts with. The size of a word of the flash follows, in one byte, then the header of a file with
/// FFFFFFFF for the number of records, then zeros up to a multiple of that word.
pub const START: [u8; 7] = *b"\x89IDXLOG";

/// The bytes of the word behind a record that is whole. Erased flash holds FF, and a card often 00.
pub const MARK: u8 = 0x5A;

/// The size of what comes before the header of a file.
pub const START_SIZE: usize = START.len() + 1;

/// The size of that many bytes in whole words; `None` if a `usize` cannot hold it, and for words of no bytes.
#[must_use]
pub const fn in_words(size: usize, word: usize) -> Option<usize> {
    size.checked_next_multiple_of(word)
}
