use core::fmt;

use crate::text::Text;
use crate::{ElementType, Header, IdxRecord};

/// What is wrong with a file, with the numbers that a person needs to see it.
///
/// [`Display`](fmt::Display) gives a sentence with the numbers and what to do next;
/// [`Error::message`] the part without numbers, for firmware that must not link `core::fmt`.
///
/// ```
/// use idx_core::{Error, Idx};
///
/// let cut = [0, 0, 0x08, 1, 0, 0, 0, 4, 1, 2, 3];
/// let error = Idx::parse(&cut).unwrap_err();
/// assert_eq!(error, Error::Truncated { needed: 4, found: 3 });
/// assert_eq!(error.message(), "the payload is cut");
/// assert_eq!(
///     error.to_string(),
///     "the payload is cut: 4 bytes are needed, 3 are there, 1 missing; copy or download the file again"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
// A word of its own tells the variants apart: only then does the compiler see that a refusal is never
// `Ok`, and leave it out of firmware that asks no more than `is_ok` (tests/firmware/size).
#[repr(u32)]
pub enum Error {
    /// There are no bytes.
    Empty,
    /// The bytes are gzip data (they start with 1F 8B), which has to be decompressed first.
    ///
    /// gzip's third byte is always 08, the code of `u8`, so that a reader which skips the first two
    /// bytes takes gzip for IDX.
    Gzip,
    /// One of the first two bytes is not zero.
    NotIdx {
        /// The first four bytes; zeros stand for those that are not there.
        start: [u8; 4],
    },
    /// The third byte is not the code of an element type.
    UnknownElementType {
        /// The byte at offset 2.
        code: u8,
    },
    /// The bytes end before the header does.
    HeaderTruncated {
        /// The size of the header in bytes: at least 4, and once the rank is known all of it.
        needed: usize,
        /// The number of bytes that are there.
        found: usize,
    },
    /// The payload has more than 2^64 - 1 bytes.
    TooLarge {
        /// The first dimension, counted from 0, with which the product of the sizes overflows.
        dimension: usize,
        /// The size of that dimension.
        size: u32,
    },
    /// The payload in bytes, or the number of records, is more than this machine's `usize` holds.
    Unaddressable {
        /// That number of bytes or records.
        size: u64,
    },
    /// The bytes end before the payload does.
    Truncated {
        /// The size of the payload in bytes, as the header gives it.
        needed: u64,
        /// The bytes of the payload that are there.
        found: u64,
    },
    /// Bytes follow the payload.
    TrailingBytes {
        /// Where the payload ends, in bytes from the start of the file.
        offset: u64,
        /// The number of bytes after that.
        count: u64,
    },
    /// The file's elements are not of the record's type.
    ElementMismatch {
        /// The element type of the record.
        expected: ElementType,
        /// The element type of the file.
        found: ElementType,
    },
    /// The file does not have one dimension more than the record.
    RankMismatch {
        /// The rank of the record, and 1 for the number of records.
        expected: usize,
        /// The rank of the file.
        found: usize,
    },
    /// One of the file's sizes is not that of the record.
    ShapeMismatch {
        /// The dimension of the file, counted from 0; the record's is one less.
        dimension: usize,
        /// The size of that dimension in the record.
        expected: u32,
        /// The size of that dimension in the file.
        found: u32,
    },
    /// A record holds a value that its type does not allow.
    ValueNotAllowed {
        /// The record, counted from 0.
        record: u64,
        /// The value.
        value: i64,
    },
}

impl Error {
    /// What is wrong, without the numbers.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        match self {
            Self::Empty => "the file is empty",
            Self::Gzip => "this is gzip data",
            Self::NotIdx { .. } => "this is not an IDX file",
            Self::UnknownElementType { .. } => "the element type is not assigned",
            Self::HeaderTruncated { .. } => "the header is cut",
            Self::TooLarge { .. } => "the sizes multiply to 2^64 bytes or more",
            Self::Unaddressable { .. } => "the file is too large for this machine",
            Self::Truncated { .. } => "the payload is cut",
            Self::TrailingBytes { .. } => "bytes follow the payload",
            Self::ElementMismatch { .. } => "the elements are not of the record's type",
            Self::RankMismatch { .. } => "the number of dimensions is not the record's",
            Self::ShapeMismatch { .. } => "a size is not the record's",
            Self::ValueNotAllowed { .. } => "a value is not allowed by the record's type",
        }
    }

    /// Adds the sentence with the numbers, without `core::fmt` so that the compiler can say it too.
    pub(crate) const fn describe(&self, text: &mut Text) {
        text.string(self.message());
        match *self {
            Self::Empty => text.string("; copy or download it again"),
            Self::Gzip => {
                text.string("; decompress it first (gunzip), or read it with the crate idx-std")
            }
            Self::NotIdx { start } => text
                .string(": it starts with ")
                .hex(&start)
                .string(" (decimal ")
                .number(u32::from_be_bytes(start) as u64)
                .string("), an IDX file with 00 00; check where it comes from"),
            Self::UnknownElementType { code } => text
                .string(": byte 2 is ")
                .hex(&[code])
                .string(", and IDX has 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64")
                .string("; check the program that wrote it"),
            Self::HeaderTruncated { needed, found } => text
                .string(": ")
                .cut(needed as u64, found as u64)
                .string("; copy or download the file again"),
            Self::TooLarge { dimension, size } => text
                .string(" at dimension ")
                .number(dimension as u64)
                .string(" of size ")
                .number(size as u64)
                .string("; the header is damaged"),
            Self::Unaddressable { size } => text
                .string(": ")
                .number(size)
                .string(" bytes or records, at most ")
                .number(usize::MAX as u64)
                .string(" fit; read it on a 64-bit machine, or as a stream"),
            Self::Truncated { needed, found } => text
                .string(": ")
                .cut(needed, found)
                .string("; copy or download the file again"),
            Self::TrailingBytes { offset, count } => text
                .string(": ")
                .number(count)
                .string(" from offset ")
                .number(offset)
                .string(" on; remove them, or parse a prefix where they are meant to be there"),
            Self::ElementMismatch { expected, found } => text
                .string(": the file has ")
                .string(found.name())
                .string(", the record ")
                .string(expected.name())
                .string("; use a record of ")
                .string(found.name()),
            Self::RankMismatch { expected, found } => text
                .string(": the file has ")
                .number(found as u64)
                .string(", for these records it needs ")
                .number(expected as u64)
                .string("; use a record of the file's shape"),
            Self::ShapeMismatch {
                dimension,
                expected,
                found,
            } => text
                .string(": dimension ")
                .number(dimension as u64)
                .string(" of the file is ")
                .number(found as u64)
                .string(", the record's is ")
                .number(expected as u64)
                .string("; use a record of the file's shape"),
            Self::ValueNotAllowed { record, value } => text
                .string(": record ")
                .number(record)
                .string(" holds ")
                .signed_number(value)
                .string("; correct the file, or allow the value"),
        };
    }

    /// The error for a file whose first two bytes are wrong.
    #[inline(always)]
    pub(crate) const fn not_idx(bytes: &[u8]) -> Self {
        let start = match *bytes {
            [a, b, c, d, ..] => [a, b, c, d],
            [a, b, c] => [a, b, c, 0],
            [a, b] => [a, b, 0, 0],
            [a] => [a, 0, 0, 0],
            [] => [0; 4],
        };
        Self::NotIdx { start }
    }

    /// The error for a file that ends before `rest`, which it should not have.
    #[inline(always)]
    pub(crate) const fn trailing_bytes(bytes: &[u8], rest: &[u8]) -> Self {
        Self::TrailingBytes {
            offset: bytes.len() as u64 - rest.len() as u64,
            count: rest.len() as u64,
        }
    }

    /// Why a file of these elements does not hold those of a record, if it does not.
    #[inline(always)]
    pub(crate) const fn element_mismatch(
        expected: ElementType,
        found: ElementType,
    ) -> Option<Self> {
        if expected.code() == found.code() {
            None
        } else {
            Some(Self::ElementMismatch { expected, found })
        }
    }

    /// Why a file of this rank does not hold records of this rank, if it does not.
    #[inline(always)]
    pub(crate) const fn rank_mismatch(record_rank: usize, rank: u8) -> Option<Self> {
        // A file of rank 0 is one record of one element, as far as the type can tell.
        if (rank as usize).saturating_sub(1) == record_rank {
            None
        } else {
            Some(Self::RankMismatch {
                expected: record_rank + 1,
                found: rank as usize,
            })
        }
    }

    /// Why a file with this header does not hold records of type `T`, if it does not.
    #[inline(always)]
    pub(crate) const fn mismatch<T: IdxRecord>(header: &Header<'_>) -> Option<Self> {
        if let Some(error) = Self::element_mismatch(T::ELEMENT, header.element_type()) {
            return Some(error);
        }
        if let Some(error) = Self::rank_mismatch(T::SHAPE.len(), header.rank()) {
            return Some(error);
        }
        let record_dims = header.record_dims();
        let mut shape = T::SHAPE;
        while let [expected, rest @ ..] = shape {
            let dimension = T::SHAPE.len() - shape.len();
            if let Some(found) = record_dims.get(dimension)
                && found != *expected
            {
                return Some(Self::ShapeMismatch {
                    dimension: dimension + 1,
                    expected: *expected,
                    found,
                });
            }
            shape = rest;
        }
        None
    }

    /// The error for a record that was read alone and holds a value that is not allowed, if it does.
    #[cfg(any(
        feature = "heapless-v0.9",
        feature = "embedded-storage-v0.3",
        feature = "embedded-storage-async-v0.4"
    ))]
    pub(crate) fn not_allowed<T: IdxRecord>(record: u32, bytes: &[u8]) -> Option<Self> {
        let (_, value) = T::RULE.first_refused(T::ELEMENT, bytes)?;
        Some(Self::ValueNotAllowed {
            record: u64::from(record),
            value,
        })
    }

    /// The error for a record that was read alone and was not decoded.
    #[cfg(any(
        feature = "heapless-v0.9",
        feature = "embedded-storage-v0.3",
        feature = "embedded-storage-async-v0.4"
    ))]
    pub(crate) fn refused<T: IdxRecord>(record: u32, bytes: &[u8]) -> Self {
        // The rule says what decoding refuses, so it is never the alternative.
        Self::not_allowed::<T>(record, bytes).unwrap_or(Self::ValueNotAllowed {
            record: u64::from(record),
            value: 0,
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::new();
        self.describe(&mut text);
        f.write_str(text.as_str())
    }
}

impl core::error::Error for Error {}
