//! An error keeps what the parser saw, and works out what that means when it is asked.
//!
//! A plain enum would be less code here and more in firmware, where each record type that is parsed builds it.
//! Measured with tests/firmware/size, bytes of flash on a Cortex-M3 and a Cortex-M0:
//!
//! | use | as it is | [`ErrorKind`] | `ErrorKind`, and late only for a comparison |
//! | --- | ---: | ---: | ---: |
//! | open, error handed on | 176, 248 | 372, 532 | 172, 248 |
//! | open two record types, errors handed on | 356, 508 | 816, 1028 | 376, 516 |
//! | header of any file | 140, 300 | 152, 324 | 156, 312 |
//! | stream, pushed | 612, 624 | 1444, 1272 | 1444, 1272 |
//!
//! The last row is `memcpy`, which the compiler calls for 24 bytes but not for 16.

use core::{fmt, hash};

use crate::element_type::ElementType;
use crate::error_kind::ErrorKind;

/// Why bytes are not a file, or not a file of some record type.
///
/// It keeps what the parser saw where it stopped: 16 bytes on a 32-bit machine. [`kind`](Self::kind) works
/// out what that means, with all numbers, so that firmware pays only for what it asks.
///
/// [`Display`](fmt::Display) prints the message with the numbers, and what to do next;
/// [`message`](Self::message) is the part without numbers, for firmware that does not link `core::fmt`.
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

/// What a parser saw where it stopped.
///
/// `low` and `high` are a number of bytes or records in 48 bits: of [`split`] and [`join`].
#[derive(Clone, Copy)]
enum Seen {
    /// A wrong start; missing bytes are zeros.
    Start { len: u8, bytes: [u8; 4] },
    /// A header of this size in bytes, and the bytes found.
    HeaderTruncated { needed: u16, found: u16 },
    /// The sizes up to this one are too large.
    TooLarge { dimension: u8, size: u32 },
    /// A number of bytes or records that does not fit a `usize`.
    Unaddressable { size: u64 },
    /// The number of payload bytes that were found.
    Truncated { high: u16, low: u32, needed: u64 },
    /// The number of bytes after a payload.
    TrailingBytes { high: u16, low: u32, offset: u64 },
    /// A record contains this value.
    ValueNotAllowed { high: u16, low: u32, value: i32 },
    /// Where a comparison with a record type ended: at this word, in a file of this length.
    Comparison { at: At, high: u16, low: u32, word: u32, expected: &'static Expected },
}

/// The header that files of a record type have.
pub(crate) struct Expected {
    pub(crate) element_type: ElementType,
    pub(crate) shape: &'static [u32],
    /// The size of a record in bytes.
    pub(crate) size: usize,
}

impl Expected {
    /// The first word of the file.
    #[expect(clippy::cast_possible_truncation, reason = "at most 9")]
    #[inline(always)]
    pub(crate) const fn start(&self) -> u32 {
        self.start_of_rank_0() | (self.shape.len() as u32).wrapping_add(1)
    }

    /// The first word of a file of rank 0, which holds one record of one element.
    #[inline(always)]
    pub(crate) const fn start_of_rank_0(&self) -> u32 {
        (self.element_type.code() as u32) << 8
    }

    /// The size of the header in bytes.
    const fn header_size(&self) -> usize {
        self.shape.len().wrapping_mul(4).wrapping_add(8)
    }

    /// The error for a number of records whose bytes a `u64` cannot count.
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

/// Where a comparison with a record type ended, in one byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct At(u8);

impl At {
    /// At the first word; or the header ends too early, and this is its first word.
    pub(crate) const START: Self = Self(u8::MAX);
    /// At the end of a header that is that of the record type; the word is the number of records.
    pub(crate) const END: Self = Self(u8::MAX - 1);
    /// As `END`, of a file of rank 0.
    pub(crate) const END_OF_RANK_0: Self = Self(u8::MAX - 2);
    /// As `END`, of a stream or a storage, whose payload need not fit this machine's memory.
    pub(crate) const END_OUTSIDE: Self = Self(u8::MAX - 3);
    /// As `END_OUTSIDE`, of a file of rank 0.
    pub(crate) const END_OUTSIDE_OF_RANK_0: Self = Self(u8::MAX - 4);

    /// At the size of this dimension of the record, 0 to 7.
    #[expect(clippy::cast_possible_truncation, reason = "at most 7")]
    pub(crate) const fn size(dimension: usize) -> Self {
        Self(dimension as u8)
    }
}

impl Error {
    /// What is wrong, with the numbers.
    #[must_use]
    #[inline]
    pub const fn kind(&self) -> ErrorKind {
        // One call of each function, so that optimizing for size takes one copy of it.
        let (len, start, expected) = match self.0 {
            Seen::Start { len, bytes } => (len as u64, bytes, None),
            Seen::HeaderTruncated { needed, found } => {
                return ErrorKind::HeaderTruncated {
                    needed: needed as usize,
                    found: found as usize,
                };
            }
            Seen::TooLarge { dimension, size } => {
                return ErrorKind::TooLarge { dimension: dimension as usize, size };
            }
            Seen::Unaddressable { size } => return ErrorKind::Unaddressable { size },
            Seen::Truncated { high, low, needed } => {
                return ErrorKind::Truncated { needed, found: join(high, low) };
            }
            Seen::TrailingBytes { high, low, offset } => {
                return ErrorKind::TrailingBytes { offset, count: join(high, low) };
            }
            Seen::ValueNotAllowed { high, low, value } => {
                return ErrorKind::ValueNotAllowed { record: join(high, low), value: value as i64 };
            }
            Seen::Comparison { at: At::START, high, low, word, expected } => {
                (join(high, low), word.to_be_bytes(), Some(expected))
            }
            Seen::Comparison { at, high, low, word, expected } => {
                return of_comparison(at, join(high, low), word, expected);
            }
        };
        of_start(len, start, expected)
    }

    /// What is wrong, without the numbers.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        self.kind().message()
    }

    /// What is wrong, as a number from 1 to 13; see [`ErrorKind::number`].
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

    /// The first four bytes are not those of a file.
    #[inline(always)]
    pub(crate) const fn start(bytes: [u8; 4]) -> Self {
        Self(Seen::Start { len: 4, bytes })
    }

    /// There are fewer than four bytes.
    #[inline(always)]
    pub(crate) const fn short_start(bytes: &[u8]) -> Self {
        let (len, bytes) = match *bytes {
            [] => (0, [0; 4]),
            [a] => (1, [a, 0, 0, 0]),
            [a, b] => (2, [a, b, 0, 0]),
            [a, b, c, ..] => (3, [a, b, c, 0]),
        };
        Self(Seen::Start { len, bytes })
    }

    /// The bytes end in a header of this size.
    #[expect(clippy::cast_possible_truncation, reason = "at most 4 + 4 x 255")]
    #[inline(always)]
    pub(crate) const fn header_truncated(needed: usize, found: usize) -> Self {
        Self(Seen::HeaderTruncated { needed: needed as u16, found: found as u16 })
    }

    /// The payload is too large from this dimension on.
    #[expect(clippy::cast_possible_truncation, reason = "a rank is at most 255")]
    #[inline(always)]
    pub(crate) const fn too_large(dimension: usize, size: u32) -> Self {
        Self(Seen::TooLarge { dimension: dimension as u8, size })
    }

    /// A number of bytes or records that does not fit a `usize`.
    #[inline(always)]
    pub(crate) const fn unaddressable(size: u64) -> Self {
        Self(Seen::Unaddressable { size })
    }

    /// The bytes end before the payload does.
    #[inline(always)]
    pub(crate) const fn truncated(needed: u64, found: usize) -> Self {
        let (high, low) = split(found as u64);
        Self(Seen::Truncated { high, low, needed })
    }

    /// `rest` follows the payload in `bytes`.
    #[inline(always)]
    pub(crate) const fn trailing_bytes(bytes: &[u8], rest: &[u8]) -> Self {
        let (high, low) = split(rest.len() as u64);
        let offset = bytes.len().wrapping_sub(rest.len()) as u64;
        Self(Seen::TrailingBytes { high, low, offset })
    }

    /// A record contains a value that its type does not allow.
    #[expect(clippy::cast_possible_truncation, reason = "a restricted element has at most 32 bits")]
    #[inline(always)]
    pub(crate) const fn value_not_allowed(record: u64, value: i64) -> Self {
        let (high, low) = split(record);
        let value = value as i32;
        Self(Seen::ValueNotAllowed { high, low, value })
    }

    /// The error if a comparison with a record type ended there, in a file of at least `len` bytes.
    #[inline(always)]
    pub(crate) const fn comparison(
        expected: &'static Expected,
        at: At,
        word: u32,
        len: u64,
    ) -> Self {
        let (high, low) = split(len);
        Self(Seen::Comparison { at, high, low, word, expected })
    }
}

/// 48 bits of a number; no file has more bytes than these can count.
#[expect(clippy::cast_possible_truncation, reason = "compared just before")]
#[inline(always)]
const fn split(number: u64) -> (u16, u32) {
    match number >> 48 {
        0 => ((number >> 32) as u16, number as u32),
        _ => (u16::MAX, u32::MAX),
    }
}

const fn join(high: u16, low: u32) -> u64 {
    (high as u64) << 32 | low as u64
}

/// What is wrong with the first four bytes (only `len` exist), or with the end of the header.
#[inline]
const fn of_start(len: u64, start: [u8; 4], expected: Option<&Expected>) -> ErrorKind {
    let [_, _, code, rank] = start;
    let found = ElementType::from_code(code);
    match (start, found, expected) {
        _ if len == 0 => ErrorKind::Empty,
        // A comparison takes the first four bytes at once.
        (_, _, Some(_)) if len < 4 => header_truncated(4, len),
        ([0x1F, 0x8B, ..], ..) => ErrorKind::Gzip,
        ([0, 0, ..], None, _) if len > 2 => ErrorKind::UnknownElementType { code },
        ([0, 0, ..], Some(found), Some(expected)) => {
            let needed = expected.shape.len().wrapping_add(1);
            if found.code() != expected.element_type.code() {
                ErrorKind::ElementMismatch { expected: expected.element_type, found }
            } else if (rank as usize).saturating_sub(1) != expected.shape.len() {
                ErrorKind::RankMismatch { expected: needed, found: rank as usize }
            } else {
                header_truncated(expected.header_size(), len)
            }
        }
        ([0, 0, ..], ..) => header_truncated(4, len),
        _ => ErrorKind::NotIdx { start },
    }
}

/// The kind of the error if a comparison with a record type ended there, in a file of `len` bytes.
#[inline]
const fn of_comparison(at: At, len: u64, word: u32, expected: &Expected) -> ErrorKind {
    let header_size = match at {
        At::END_OF_RANK_0 | At::END_OUTSIDE_OF_RANK_0 => 4,
        _ => expected.header_size(),
    };
    let Some(found) = len.checked_sub(header_size as u64) else {
        return header_truncated(header_size, len);
    };
    // The number that stands for an end is larger than the rank of any record.
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
    let max = match at {
        At::END_OUTSIDE | At::END_OUTSIDE_OF_RANK_0 => u64::MAX,
        _ => usize::MAX as u64,
    };
    if needed > max || word as u64 > max {
        let size = if needed > max { needed } else { word as u64 };
        ErrorKind::Unaddressable { size }
    } else if needed > found {
        ErrorKind::Truncated { needed, found }
    } else {
        ErrorKind::TrailingBytes {
            offset: needed.wrapping_add(header_size as u64),
            count: found.wrapping_sub(needed),
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "less than `needed`")]
#[inline]
const fn header_truncated(needed: usize, found: u64) -> ErrorKind {
    let found = found as usize;
    ErrorKind::HeaderTruncated { needed, found }
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
        // Not by its `format`: that of a derive panics, and only `write!` knows what to call instead.
        defmt::write!(f, "{}", self.kind());
    }
}

impl core::error::Error for Error {}
