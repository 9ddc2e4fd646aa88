//! A place for a record, and the check that the record in it is whole.

use core::mem;

use crate::log::words::front_mut;
use crate::log_format::{MARK_SIZE, Mark, checksum, parts, seed};

/// The content of a place.
pub(super) struct Found {
    /// The index of the record, if it is whole.
    pub(super) index: Option<u32>,
    pub(super) mark: Option<Mark>,
    /// The index of the record in the next place, according to its mark, which is not checked.
    pub(super) following: Option<u32>,
}

/// A place whose bytes arrive in blocks.
pub(super) struct Place<'a> {
    /// The number of the place, counted from 0.
    number: u32,
    mark: Option<Mark>,
    sum: u16,
    following: Option<Mark>,
    /// The memory for the bytes of the record that are still to come.
    rest: &'a mut [u8],
}

impl<'a> Place<'a> {
    /// Creates a place; a known mark is not read again.
    pub(super) fn new(number: u32, mark: Option<Mark>, bytes: &'a mut [u8]) -> Self {
        Self { number, mark, sum: sum(number, mark), following: None, rest: bytes }
    }

    /// Takes the block at offset `at` in the place. The record has `record` bytes from `first` on, and the next place
    /// starts at `end`.
    #[expect(clippy::cast_possible_truncation, reason = "at most the size of a block")]
    pub(super) fn take(&mut self, block: &[u8], at: u32, first: u32, record: usize, end: u32) {
        if at == 0 {
            self.mark = mark_at(block, 0);
            self.sum = sum(self.number, self.mark);
        }
        let from = to_usize(first.saturating_sub(at));
        let skipped = to_usize(at.saturating_sub(first));
        let to = from.saturating_add(record.saturating_sub(skipped)).min(block.len());
        let bytes = block.get(from..to).unwrap_or_default();
        self.sum = checksum(self.sum, bytes);
        let mut rest = mem::take(&mut self.rest);
        for (byte, found) in front_mut(rest, bytes.len() as u32).iter_mut().zip(bytes) {
            *byte = *found;
        }
        rest = rest.get_mut(bytes.len()..).unwrap_or_default();
        self.rest = rest;
        if let Some(at) = end.checked_sub(at) {
            self.following = mark_at(block, to_usize(at));
        }
    }

    pub(super) fn found(&self) -> Found {
        let whole = self.mark.filter(|(_, sum)| *sum == self.sum);
        let index = |place: u32, mark: Option<Mark>| place.checked_sub(mark?.0.into());
        Found {
            index: index(self.number, whole),
            mark: self.mark,
            following: index(self.number.wrapping_add(1), self.following),
        }
    }
}

/// Returns the checksum before the first byte of a record.
fn sum(number: u32, mark: Option<Mark>) -> u16 {
    mark.map_or(0, |(torn, _)| seed(number, torn))
}

/// Converts a number of bytes, saturating at the largest `usize`.
fn to_usize(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// Returns the mark at this position of a block, if it is complete and not erased.
fn mark_at(block: &[u8], at: usize) -> Option<Mark> {
    block.get(at..)?.first_chunk::<MARK_SIZE>().copied().and_then(parts)
}
