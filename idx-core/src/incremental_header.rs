use crate::element_type::ElementType;
use crate::error::Error;
use crate::header::start;
use crate::mismatch;
use crate::record::IdxRecord;

/// Decodes a header that comes in pieces, and keeps no more of it than the result needs.
///
/// It reads nothing itself: the caller fills [`space`](Self::space), then calls
/// [`advance`](Self::advance). Streams and storage, blocking and async, share it, and so do all
/// record types: it takes their element type and shape as data, so that a second type is cheap.
pub(crate) struct HeaderDecoder {
    /// Those of the record.
    expected: (ElementType, &'static [u32]),
    word: [u8; 4],
    /// The number of bytes taken so far, at most 4 + 4 x 255.
    taken: u16,
    element_type: ElementType,
    rank: u8,
    record_count: u32,
    /// Computed as if no size were 0, up to the first one that is too large.
    payload_size: u64,
    has_zero: bool,
    /// The first size with which the payload is too large, and its dimension.
    too_large: Option<(u8, u32)>,
    /// The first size that differs from the record's, and its dimension.
    other_size: Option<(u8, u32)>,
}

impl HeaderDecoder {
    pub(crate) const fn new<T: IdxRecord>() -> Self {
        Self {
            expected: (T::ELEMENT, T::SHAPE),
            word: [0; 4],
            taken: 0,
            element_type: T::ELEMENT,
            rank: 0,
            record_count: 1, // as it is for rank 0
            payload_size: 0,
            has_zero: false,
            too_large: None,
            other_size: None,
        }
    }

    /// The number of bytes taken so far; the size of the header once it is complete.
    pub(crate) fn taken(&self) -> u16 {
        self.taken
    }

    /// Where the next bytes go: 1 to 4 of them, never more than the header has.
    pub(crate) fn space(&mut self) -> &mut [u8] {
        let filled = usize::from(self.taken % 4);
        let space = self.word.get_mut(filled..).unwrap_or_default();
        debug_assert!(!space.is_empty(), "less than 4 bytes are filled");
        space
    }

    /// Takes the first `count` bytes of the space, and returns whether the header is complete.
    ///
    /// Do not call it again after that, or after an error.
    pub(crate) fn advance(&mut self, count: usize) -> Result<bool, Error> {
        #[expect(clippy::cast_possible_truncation, reason = "at most 4")]
        let count = count.min(self.space().len()) as u16;
        self.taken += count;
        if count == 0 || !self.taken.is_multiple_of(4) {
            return Ok(false);
        }
        if self.taken == 4 {
            (self.element_type, self.rank, _) = start(&self.word)?;
            self.payload_size = self.element_type.size() as u64;
        } else {
            self.take_size(u32::from_be_bytes(self.word));
        }
        if usize::from(self.taken) < self.size() {
            return Ok(false);
        }
        if self.has_zero {
            self.payload_size = 0;
        } else if let Some((dimension, size)) = self.too_large {
            return Err(Error::TooLarge {
                dimension: usize::from(dimension),
                size,
            });
        }
        Ok(true)
    }

    /// The number of records, once the header is complete.
    pub(crate) fn record_count(&self) -> u32 {
        self.record_count
    }

    /// The size of all elements in bytes, once the header is complete.
    pub(crate) fn payload_size(&self) -> u64 {
        self.payload_size
    }

    fn take_size(&mut self, size: u32) {
        #[expect(clippy::cast_possible_truncation, reason = "less than the rank")]
        let dimension = (self.taken / 4 - 2) as u8;
        self.has_zero |= size == 0;
        if self.too_large.is_none() {
            match self.payload_size.checked_mul(u64::from(size)) {
                Some(bytes) => self.payload_size = bytes,
                None => self.too_large = Some((dimension, size)),
            }
        }
        if dimension == 0 {
            self.record_count = size;
        } else if self.other_size.is_none() && self.expected_size(dimension) != Some(size) {
            self.other_size = Some((dimension, size));
        }
    }

    /// The size that a dimension of the file must have.
    fn expected_size(&self, dimension: u8) -> Option<u32> {
        let dimension_of_record = usize::from(dimension).checked_sub(1)?;
        self.expected.1.get(dimension_of_record).copied()
    }

    /// Why the file does not hold such records, if it does not, once the header is complete.
    ///
    /// Where the length of the file is known, a truncated payload is reported first.
    pub(crate) fn mismatch(&self) -> Option<Error> {
        let (element_type, shape) = self.expected;
        if let Some(error) = mismatch::of_element(element_type, self.element_type) {
            return Some(error);
        }
        if let Some(error) = mismatch::of_rank(shape.len(), self.rank) {
            return Some(error);
        }
        let (dimension, found) = self.other_size?;
        Some(Error::ShapeMismatch {
            dimension: usize::from(dimension),
            expected: self.expected_size(dimension)?,
            found,
        })
    }

    /// What is wrong if no more bytes come.
    pub(crate) fn truncated(&self) -> Error {
        let found = usize::from(self.taken);
        if let Some(bytes) = self.word.get(..found)
            && found < 4
            && let Err(error) = start(bytes)
        {
            return error;
        }
        Error::HeaderTruncated {
            needed: self.size(),
            found,
        }
    }

    /// The size of the header in bytes, as far as it is known.
    fn size(&self) -> usize {
        4 + 4 * usize::from(self.rank)
    }
}
