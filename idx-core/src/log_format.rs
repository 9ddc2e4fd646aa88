//! The format of a log in flash. `idx-std` reads a copy of it by the same rules.

use crate::element_type::ElementType;

/// The first bytes of a log. The word size of the flash follows, in one byte, then the header of a file with [`count`]
/// for the number of records, then zeros up to a whole word.
pub const START: [u8; 7] = *b"\x89IDXLOG";

/// The number of bytes before the header of a file.
pub const START_SIZE: usize = START.len() + 1;

/// The size of a mark, without the zeros that pad its last word.
pub const MARK_SIZE: usize = 4;

/// Returns the four bytes that a log has in place of the number of records, given the other words of its header.
#[must_use]
pub const fn count(start: [u8; 4], sizes: &[u8]) -> [u8; 4] {
    let [high, low] = checksum(checksum(u16::MAX, &start), sizes).to_be_bytes();
    [0xFF, 0xFF, high, low]
}

/// Returns whether these bytes start with the header of a log.
#[must_use]
pub fn is_log(bytes: &[u8]) -> bool {
    if let Some([1..=32, 0, 0, code, rank @ 1..=255, rest @ ..]) = bytes.strip_prefix(&START)
        && ElementType::from_code(*code).is_some()
        && let Some((number, rest)) = rest.split_first_chunk()
        && let Some(sizes) = rest.get(..usize::from(*rank).wrapping_sub(1).wrapping_mul(4))
    {
        return *number == count([0, 0, *code, *rank], sizes);
    }
    false
}

/// Returns the mark of a record in place `place`, counted from 0. Of the places up to this one, `torn` added no record,
/// so the record has the index `place - torn`.
#[must_use]
pub fn mark(record: &[u8], place: u32, torn: u16) -> [u8; MARK_SIZE] {
    let [a, b] = torn.to_be_bytes();
    let [c, d] = checksum(seed(place, torn), record).to_be_bytes();
    [a, b, c, d]
}

/// Returns the initial checksum of a mark, before the first byte of the record.
#[must_use]
pub fn seed(place: u32, torn: u16) -> u16 {
    let [a, b, c, d] = place.to_be_bytes();
    let [e, f] = torn.to_be_bytes();
    checksum(u16::MAX, &[a, b, c, d, e, f])
}

/// The number of torn places counted by a mark, and its checksum.
pub type Mark = (u16, u16);

/// Splits a mark into its parts; `None` for erased flash.
#[must_use]
pub fn parts(mark: [u8; MARK_SIZE]) -> Option<Mark> {
    let [a, b, c, d] = mark;
    let torn = u16::from_be_bytes([a, b]);
    (torn != u16::MAX).then_some((torn, u16::from_be_bytes([c, d])))
}

/// Continues a CRC-16/CCITT over more bytes, byte by byte and without a table.
#[must_use]
pub const fn checksum(before: u16, bytes: &[u8]) -> u16 {
    let (mut sum, mut rest) = (before, bytes);
    while let [byte, after @ ..] = rest {
        sum = sum.rotate_left(8) ^ *byte as u16;
        sum ^= (sum & 0xFF) >> 4;
        sum ^= sum << 12;
        sum ^= (sum & 0xFF) << 5;
        rest = after;
    }
    sum
}
