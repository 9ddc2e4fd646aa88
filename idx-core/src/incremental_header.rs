//! Checks a header that arrives in pieces, for streams and external flash.

use crate::error::{At, Error, Expected};
use crate::expected::expected;
use crate::record::IdxRecord;

/// Memory aligned to 4 bytes, as drivers with DMA require.
#[derive(Clone, Copy)]
#[repr(align(4))]
pub(crate) struct Word<B: ?Sized>(pub(crate) B);

/// Compares a header that arrives in pieces with that of a record type, word by word.
///
/// It reads nothing itself: the caller fills [`space`](Self::space), then calls [`advance`](Self::advance). Streams and
/// storage, blocking and async, and all record types share this code: it takes the element type and shape as data, so a
/// second record type is cheap.
#[derive(Clone, Copy)]
pub(crate) struct HeaderDecoder {
    expected: &'static Expected,
    word: Word<[u8; 4]>,
    /// The number of bytes taken so far, at most 40.
    taken: u8,
    is_rank_0: bool,
    record_count: u32,
}

impl HeaderDecoder {
    pub(crate) const fn new<T: IdxRecord>() -> Self {
        Self {
            expected: expected::<T>(),
            word: Word([0; 4]),
            taken: 0,
            is_rank_0: false,
            record_count: 1, // right for rank 0
        }
    }

    /// Returns the number of bytes taken so far; the size of the header once it is complete.
    pub(crate) fn taken(&self) -> u8 {
        self.taken
    }

    /// Returns the space for the next 1 to 4 bytes, never more than the header still has.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        let filled = usize::from(self.taken % 4);
        let space = self.word.0.get_mut(filled..).unwrap_or_default();
        debug_assert!(!space.is_empty(), "less than 4 bytes are filled");
        space
    }

    /// Takes the first `count` bytes of the space, and returns whether the header is complete.
    ///
    /// `len` is the length of the file, or `u64::MAX` if it is not known yet. Do not call this again after the end of
    /// the header or after an error.
    pub(crate) fn advance(&mut self, count: usize, len: u64) -> Result<bool, Error> {
        #[expect(clippy::cast_possible_truncation, reason = "at most 4")]
        let count = count.min(self.space().len()) as u8;
        self.taken = self.taken.wrapping_add(count);
        if count == 0 || !self.taken.is_multiple_of(4) {
            return Ok(false);
        }
        let word = u32::from_be_bytes(self.word.0);
        let shape = self.expected.shape;
        // Word 0 is the start, word 1 the number of records.
        match usize::from(self.taken / 4).checked_sub(3) {
            None if self.taken == 4 => {
                self.is_rank_0 = shape.is_empty() && word == self.expected.start_of_rank_0();
                if !self.is_rank_0 && word != self.expected.start() {
                    return Err(Error::comparison(self.expected, At::START, word, len));
                }
                Ok(self.is_rank_0)
            }
            None => {
                self.record_count = word;
                Ok(shape.is_empty())
            }
            Some(dimension) => {
                if shape.get(dimension) != Some(&word) {
                    if len < self.expected.header_size() as u64 {
                        return Err(self.header_truncated(len));
                    }
                    let at = At::size(dimension);
                    return Err(Error::comparison(self.expected, at, word, len));
                }
                Ok(dimension.wrapping_add(1) == shape.len())
            }
        }
    }

    /// Returns the number of records, once the header is complete.
    pub(crate) const fn record_count(&self) -> u32 {
        self.record_count
    }

    /// Returns the size of all elements in bytes, once the header is complete; at most 2^64 - 1.
    pub(crate) fn payload_size(&self) -> u64 {
        u64::from(self.record_count).saturating_mul(self.expected.size as u64)
    }

    /// Returns the error for bytes that end before the header does.
    pub(crate) fn truncated(&self) -> Error {
        self.header_truncated(self.taken.into())
    }

    fn header_truncated(&self, len: u64) -> Error {
        Error::comparison(self.expected, At::START, self.expected.start(), len)
    }

    /// Returns the error for a payload of `len` bytes when the complete header gives another length.
    pub(crate) fn other_length(&self, len: u64) -> Error {
        let at = if self.is_rank_0 { At::END_OUTSIDE_OF_RANK_0 } else { At::END_OUTSIDE };
        Error::comparison(self.expected, at, self.record_count, len)
    }
}
