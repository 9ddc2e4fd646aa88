//! An error that stores what the parser saw, and works out the meaning only when asked.
//!
//! A plain enum would take less code here but more in firmware, where each record type that is parsed would build it.
//! Bytes of flash on a Cortex-M3 and a Cortex-M0, as measured by tests/firmware/size:
//!
//! | use | as it is | [`ErrorKind`] | `ErrorKind`, deferred only for a comparison |
//! | --- | ---: | ---: | ---: |
//! | open, error handed on | 164, 232 | 372, 532 | 172, 248 |
//! | open two record types, errors handed on | 352, 500 | 816, 1028 | 376, 516 |
//! | header of any file | 140, 300 | 152, 324 | 156, 312 |
//! | stream, pushed | 612, 624 | 1444, 1272 | 1444, 1272 |
//!
//! The difference in the last row is `memcpy`, which the compiler calls for 24 bytes but not for 16.

use core::{fmt, hash};

use crate::element_type::ElementType;
use crate::error_kind::ErrorKind;

/// The reason why bytes are not a file, or not a file of the expected record type.
///
/// It stores what the parser saw where it stopped: 16 bytes on a 32-bit machine. [`kind`](Self::kind) works out what
/// that means, with all numbers, so firmware pays only for what it asks for.
///
/// [`Display`](fmt::Display) prints the message with the numbers and what to do next; [`message`](Self::message) is the
/// part without numbers, for firmware that does not link `core::fmt`.
///
/// ```
/// use idx_core::{ErrorKind, Records};
///
/// let truncated = [0, 0, 0x08, 1, 0, 0, 0, 4, 1, 2, 3];
/// let error = Records::<u8>::parse(&truncated).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated { needed: 4, found: 3 });
/// assert_eq!(error.message(), "the payload is truncated");
/// assert_eq!(
///     error.to_string(),
///     "the payload is truncated: expected 4 bytes, found 3 (1 missing); download or copy the file again"
/// );
/// ```
#[derive(Clone, Copy)]
pub struct Error(Seen);

const _: () = assert!(size_of::<Error>() <= if size_of::<usize>() > 4 { 24 } else { 16 });

/// The findings of the parser where it stopped.
#[derive(Clone, Copy)]
enum Seen {
    /// The position where a comparison with a record type ended, and the word there; without a record type, a wrong
    /// header. `len` is the number of bytes found: in the payload if the header ended there, else in the file.
    Comparison { at: At, word: u32, len: Count, expected: Option<&'static Expected> },
    /// The product of the sizes overflows at this one.
    TooLarge { dimension: u8, size: u32 },
    /// A number of bytes or records that does not fit a `usize`.
    Unaddressable { size: u64 },
    /// The number of payload bytes found.
    Truncated { found: Count, needed: u64 },
    /// The number of bytes after a payload.
    TrailingBytes { count: Count, offset: u64 },
    /// A record contains this value.
    ValueNotAllowed { value: i32, record: Count },
}

/// A number of bytes or records found; memory of a 32-bit machine holds no more than a `u32` can count.
#[cfg(target_pointer_width = "64")]
type Count = u64;
#[cfg(not(target_pointer_width = "64"))]
type Count = u32;

/// The header expected of a file, given its record type.
pub(crate) struct Expected {
    pub(crate) element_type: ElementType,
    pub(crate) shape: &'static [u32],
    /// The size of a record in bytes.
    pub(crate) size: usize,
}

impl Expected {
    /// Returns the first word of the file.
    #[expect(clippy::cast_possible_truncation, reason = "at most 9")]
    #[inline(always)]
    pub(crate) const fn start(&self) -> u32 {
        self.start_of_rank_0() | (self.shape.len() as u32).wrapping_add(1)
    }

    /// Returns the first word of a file of rank 0, which holds one record of one element.
    #[inline(always)]
    pub(crate) const fn start_of_rank_0(&self) -> u32 {
        (self.element_type.code() as u32) << 8
    }

    /// Returns the size of the header in bytes.
    pub(crate) const fn header_size(&self) -> usize {
        self.shape.len().wrapping_mul(4).wrapping_add(8)
    }

    /// Returns the error for `count` records whose size in bytes overflows a `u64`.
    const fn too_large(&self, count: u32) -> ErrorKind {
        let mut size = (count as u64).wrapping_mul(self.element_type.size() as u64);
        let mut rest = self.shape;
        while let [next, after @ ..] = rest {
            size = match size.checked_mul(*next as u64) {
                Some(size) => size,
                None => {
                    return ErrorKind::TooLarge {
                        dimension: self.shape.len().wrapping_sub(after.len()),
                        size: *next,
                    };
                }
            };
            rest = after;
        }
        debug_assert!(false, "the product overflows with one of the sizes");
        ErrorKind::Unaddressable { size }
    }
}

/// The position where a comparison with a record type ended, in one byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct At(u8);

impl At {
    /// The first word; also used for a header that ends too early, even within that word.
    pub(crate) const START: Self = Self(u8::MAX);
    /// The end of a header that matches the record type; the word is the number of records.
    pub(crate) const END: Self = Self(u8::MAX - 1);
    /// Like `END`, in a file of rank 0.
    pub(crate) const END_OF_RANK_0: Self = Self(u8::MAX - 2);
    /// Like `END`, in a stream or storage, whose payload need not fit this machine's memory.
    pub(crate) const END_OUTSIDE: Self = Self(u8::MAX - 3);
    /// Like `END_OUTSIDE`, in a file of rank 0.
    pub(crate) const END_OUTSIDE_OF_RANK_0: Self = Self(u8::MAX - 4);

    const fn is_outside(self) -> bool {
        self.0 <= Self::END_OUTSIDE.0
    }

    /// Returns the position of the size of this dimension of the record, 0 to 7.
    #[expect(clippy::cast_possible_truncation, reason = "at most 7")]
    pub(crate) const fn size(dimension: usize) -> Self {
        Self(dimension as u8)
    }
}

impl Error {
    /// Returns the kind of the error, with the numbers.
    #[must_use]
    #[inline]
    pub const fn kind(&self) -> ErrorKind {
        match self.0 {
            Seen::Comparison { at, word, len, expected } => match expected {
                Some(expected) if at.0 != At::START.0 => of_comparison(at, word, len, expected),
                _ => of_start(word, len, expected),
            },
            Seen::TooLarge { dimension, size } => {
                ErrorKind::TooLarge { dimension: dimension as usize, size }
            }
            Seen::Unaddressable { size } => ErrorKind::Unaddressable { size },
            Seen::Truncated { found, needed } => {
                ErrorKind::Truncated { needed, found: wide(found) }
            }
            Seen::TrailingBytes { count, offset } => {
                ErrorKind::TrailingBytes { offset, count: wide(count) }
            }
            Seen::ValueNotAllowed { value, record } => {
                ErrorKind::ValueNotAllowed { record: wide(record), value: value as i64 }
            }
        }
    }

    /// Returns the message, without the numbers.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        self.kind().message()
    }

    /// Returns the number of the kind, from 1 to 13; see [`ErrorKind::number`].
    ///
    /// ```
    /// # use idx_core::Records;
    /// let error = Records::<u8>::parse(&[0, 0, 0x08, 1, 0, 0, 0, 4, 1, 2, 3]).unwrap_err();
    /// assert_eq!(error.number(), 8);
    /// ```
    #[must_use]
    pub const fn number(&self) -> u8 {
        self.kind().number()
    }

    /// Returns the error for bytes that do not start a file, or for an incomplete header.
    #[inline]
    pub(crate) const fn header(bytes: &[u8]) -> Self {
        let start = match *bytes {
            [] => [0; 4],
            [a] => [a, 0, 0, 0],
            [a, b] => [a, b, 0, 0],
            [a, b, c] => [a, b, c, 0],
            [a, b, c, d, ..] => [a, b, c, d],
        };
        let (word, len) = (u32::from_be_bytes(start), count(bytes.len() as u64));
        Self(Seen::Comparison { at: At::START, word, len, expected: None })
    }

    /// Returns the error for a payload whose size overflows at this dimension.
    #[expect(clippy::cast_possible_truncation, reason = "a rank is at most 255")]
    #[inline(always)]
    pub(crate) const fn too_large(dimension: usize, size: u32) -> Self {
        Self(Seen::TooLarge { dimension: dimension as u8, size })
    }

    /// Returns the error for a number of bytes or records that does not fit a `usize`.
    #[inline(always)]
    pub(crate) const fn unaddressable(size: u64) -> Self {
        Self(Seen::Unaddressable { size })
    }

    /// Returns the error for bytes that end before the payload does.
    #[inline(always)]
    pub(crate) const fn truncated(needed: u64, found: usize) -> Self {
        Self(Seen::Truncated { found: count(found as u64), needed })
    }

    /// Returns the error for `rest`, the bytes after the payload in `bytes`.
    #[inline(always)]
    pub(crate) const fn trailing_bytes(bytes: &[u8], rest: &[u8]) -> Self {
        let offset = bytes.len().wrapping_sub(rest.len()) as u64;
        Self(Seen::TrailingBytes { count: count(rest.len() as u64), offset })
    }

    /// Returns the error for a record with a value that its type does not allow.
    #[expect(clippy::cast_possible_truncation, reason = "a restricted element has at most 32 bits")]
    #[inline(always)]
    pub(crate) const fn value_not_allowed(record: u64, value: i64) -> Self {
        Self(Seen::ValueNotAllowed { value: value as i32, record: count(record) })
    }

    /// Returns the error for a comparison with a record type that ended at this position. `len` is the length of the
    /// payload if that is the end of the header; else the length of the file, or `u64::MAX` if it is not known.
    #[inline(always)]
    pub(crate) const fn comparison(
        expected: &'static Expected,
        at: At,
        word: u32,
        len: u64,
    ) -> Self {
        Self(Seen::Comparison { at, word, len: count(len), expected: Some(expected) })
    }
}

/// Converts a number, saturating at the largest `Count`.
#[allow(clippy::cast_possible_truncation, reason = "compared just after")]
#[inline(always)]
const fn count(number: u64) -> Count {
    let count = number as Count;
    if wide(count) == number { count } else { Count::MAX }
}

#[allow(clippy::unnecessary_cast, reason = "only on a machine of 64 bits")]
#[inline(always)]
const fn wide(count: Count) -> u64 {
    count as u64
}

/// Finds the error in the first four bytes of a file of `len` bytes, or in a header that ends too early.
#[inline]
const fn of_start(word: u32, len: Count, expected: Option<&Expected>) -> ErrorKind {
    let start = word.to_be_bytes();
    let [_, _, code, rank] = start;
    match word >> 16 {
        _ if len == 0 => return ErrorKind::Empty,
        0x1F8B => return ErrorKind::Gzip,
        0 => {}
        _ => return ErrorKind::NotIdx { start },
    }
    let mut needed = 4;
    if len > 2 {
        let Some(found) = ElementType::from_code(code) else {
            return ErrorKind::UnknownElementType { code };
        };
        if let Some(expected) = expected {
            if found.code() != expected.element_type.code() {
                return ErrorKind::ElementMismatch { expected: expected.element_type, found };
            }
            if (rank as usize).saturating_sub(1) != expected.shape.len() {
                let expected = expected.shape.len().wrapping_add(1);
                return ErrorKind::RankMismatch { expected, found: rank as usize };
            }
        }
        if len > 3 {
            needed = (rank as usize).wrapping_mul(4).wrapping_add(4);
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "less than `needed`")]
    ErrorKind::HeaderTruncated { needed, found: len as usize }
}

/// Finds the kind of an error if the comparison with a record type ended after the first word.
#[inline]
const fn of_comparison(at: At, word: u32, len: Count, expected: &Expected) -> ErrorKind {
    // The numbers that stand for an end are larger than the rank of any record.
    if let Some((before, [size, ..])) = expected.shape.split_at_checked(at.0 as usize) {
        return ErrorKind::ShapeMismatch {
            dimension: before.len().wrapping_add(1),
            expected: *size,
            found: word,
        };
    }
    let Some(needed) = (word as u64).checked_mul(expected.size as u64) else {
        return expected.too_large(word);
    };
    let max = if at.is_outside() { u64::MAX } else { usize::MAX as u64 };
    let found = wide(len);
    if needed > max || word as u64 > max {
        let size = if needed > max { needed } else { word as u64 };
        ErrorKind::Unaddressable { size }
    } else if needed > found {
        ErrorKind::Truncated { needed, found }
    } else {
        let header_size = match at {
            At::END_OF_RANK_0 | At::END_OUTSIDE_OF_RANK_0 => 4,
            _ => expected.header_size(),
        };
        ErrorKind::TrailingBytes {
            offset: needed.wrapping_add(header_size as u64),
            count: found.wrapping_sub(needed),
        }
    }
}

impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.kind() == other.kind()
    }
}

impl Eq for Error {}

impl PartialEq<ErrorKind> for Error {
    fn eq(&self, kind: &ErrorKind) -> bool {
        self.kind() == *kind
    }
}

impl hash::Hash for Error {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
    }
}

impl From<Error> for ErrorKind {
    fn from(error: Error) -> Self {
        error.kind()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.kind(), f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.kind(), f)
    }
}

#[cfg(feature = "defmt")]
impl defmt::Format for Error {
    fn format(&self, f: defmt::Formatter<'_>) {
        // Not by calling `format`: a derived one panics, and only `write!` knows what to call instead.
        defmt::write!(f, "{}", self.kind());
    }
}

impl core::error::Error for Error {}
