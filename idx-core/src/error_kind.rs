//! All errors of this crate, with their numbers and messages.

use core::fmt::{self, Write};

use crate::const_text::{ConstText, Template};
use crate::element_type::ElementType;

/// The kind of an error in a file, with the numbers that locate it; returned by [`Error::kind`].
///
/// [`Display`](fmt::Display) prints the message with the numbers and what to do next, which `{:#}` leaves out;
/// [`message`](Self::message) is the part without numbers, for firmware that does not link `core::fmt`.
///
/// [`Error::kind`]: crate::Error::kind
///
/// ```
/// use idx_core::{ErrorKind, Idx};
///
/// let truncated = [0, 0, 0x08, 1, 0, 0, 0, 4, 1, 2, 3];
/// let kind = Idx::parse(&truncated).unwrap_err().kind();
/// assert_eq!(kind, ErrorKind::Truncated { needed: 4, found: 3 });
/// assert_eq!(kind.message(), "the payload is truncated");
/// assert_eq!(
///     kind.to_string(),
///     "the payload is truncated: expected 4 bytes, found 3 (1 missing); download or copy the file again"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// There are no bytes.
    Empty,
    /// The bytes are gzip data (they start with 1F 8B), which must be decompressed first.
    ///
    /// gzip's third byte is always 08, the code of `u8`, so a reader that skips the first two bytes
    /// mistakes gzip for IDX.
    Gzip,
    /// One of the first two bytes is not zero.
    NotIdx {
        /// The first four bytes, padded with zeros.
        start: [u8; 4],
    },
    /// The third byte is not the code of an element type.
    UnknownElementType {
        /// The byte at offset 2.
        code: u8,
    },
    /// The bytes end before the header does.
    HeaderTruncated {
        /// The size of the header in bytes; 4 while the rank is unknown.
        needed: usize,
        /// The number of bytes found.
        found: usize,
    },
    /// The payload has more than 2^64 - 1 bytes.
    TooLarge {
        /// The first dimension, counted from 0, at which the product of the sizes overflows.
        dimension: usize,
        /// The size of that dimension.
        size: u32,
    },
    /// The payload size in bytes or the number of records does not fit this machine's `usize`.
    Unaddressable {
        /// The number of bytes or records.
        size: u64,
    },
    /// The bytes end before the payload does.
    Truncated {
        /// The size of the payload in bytes, according to the header.
        needed: u64,
        /// The number of payload bytes found.
        found: u64,
    },
    /// Bytes follow the payload.
    TrailingBytes {
        /// The end of the payload, in bytes from the start of the file.
        offset: u64,
        /// The number of bytes after the payload.
        count: u64,
    },
    /// The element type of the file differs from that of the record type.
    ElementMismatch {
        /// The element type of the record type.
        expected: ElementType,
        /// The element type of the file.
        found: ElementType,
    },
    /// The rank of the file is not one more than that of the record type.
    RankMismatch {
        /// The rank of the record type, plus 1 for the number of records.
        expected: usize,
        /// The rank of the file.
        found: usize,
    },
    /// A dimension of the file differs in size from that of the record type.
    ShapeMismatch {
        /// The dimension of the file, counted from 0; one more than that of the record.
        dimension: usize,
        /// The size of that dimension in the record type.
        expected: u32,
        /// The size of that dimension in the file.
        found: u32,
    },
    /// A record contains a value that its type does not allow.
    ValueNotAllowed {
        /// The record, counted from 0.
        record: u64,
        /// The value.
        value: i64,
    },
}

/// Generates the functions from one list: for each kind its number, its message, the [`Template`] of the text after the
/// message, and its advice, which is empty if the message already says what to do.
macro_rules! kinds {
    ($(
        $kind:ident $({ $($field:ident),+ })? $number:literal $message:literal
        $details:literal $numbers:tt $advice:literal,
    )*) => {
        impl ErrorKind {
            /// Returns a number, for devices that cannot show text: blinks of an LED, a byte in a CAN frame, a
            /// register.
            ///
            /// The numbers never change. None of them is 0, so 0 can stand for success.
            ///
            /// | number | kind |
            /// | --- | --- |
            $(#[doc = concat!("| ", $number, " | [`", stringify!($kind), "`](Self::", stringify!($kind), ") |")])*
            #[must_use]
            pub const fn number(&self) -> u8 {
                match self {
                    $(Self::$kind { .. } => $number,)*
                }
            }

            /// Returns the message, without the numbers.
            #[must_use]
            pub const fn message(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $message,)*
                }
            }

            /// Returns advice on what to do next, unless the message already says it.
            #[must_use]
            pub const fn advice(&self) -> Option<&'static str> {
                let advice = match self {
                    // The start that idx-std writes until it knows the number of records (see its `header.rs`).
                    Self::NotIdx { start: [0xFF, 0xFF, 0x80..=0x8F, _] } => "its writer may not have finished it",
                    $(Self::$kind { .. } => $advice,)*
                };
                if advice.is_empty() { None } else { Some(advice) }
            }

            /// Returns the text after the message.
            const fn details(&self) -> Template {
                let (text, numbers) = match *self {
                    $(Self::$kind $({ $($field),+ })? => ($details, $numbers),)*
                };
                let text = match self {
                    Self::ValueNotAllowed { value: ..=-1, .. } => ": record # contains -#",
                    _ => text,
                };
                Template::new(text, numbers)
            }
        }
    };
}

kinds! {
    Empty 1 "the file is empty" "" [0; 3] "download or copy it again",
    Gzip 2 "this is gzip data" "" [0; 3] "decompress it first (gunzip), or read it with the crate idx-std",
    NotIdx { start } 3 "this is not an IDX file"
        ": it starts with & (decimal #), but IDX files start with 00 00" {
            let start = u32::from_be_bytes(start) as u64;
            [start, start, 0]
        }
        "check the source of the file",
    UnknownElementType { code } 4 "unknown element type"
        " $ (byte 2); valid codes are 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64" [code as u64, 0, 0] "",
    HeaderTruncated { needed, found } 5 "the header is truncated"
        ": expected # byte%, found # (# missing)"
        [needed as u64, found as u64, needed.saturating_sub(found) as u64] "download or copy the file again",
    TooLarge { dimension, size } 6 "the payload size overflows 64 bits"
        " at dimension # of size #" [dimension as u64, size as u64, 0]
        "the header is corrupt, download or copy the file again",
    Unaddressable { size } 7 "the file is too large for this machine"
        ": # bytes or records, at most # fit" [size, usize::MAX as u64, 0]
        "read it on a 64-bit machine, or as a stream",
    Truncated { needed, found } 8 "the payload is truncated"
        ": expected # byte%, found # (# missing)" [needed, found, needed.saturating_sub(found)]
        "download or copy the file again",
    TrailingBytes { offset, count } 9 "extra bytes after the payload"
        ": # byte% from offset #" [count, offset, 0] "remove them, or parse a prefix if they belong there",
    ElementMismatch { expected, found } 10 "element type mismatch"
        ": @ in the file but @ in the record type" [found.code() as u64, expected.code() as u64, 0]
        "change the record type",
    RankMismatch { expected, found } 11 "rank mismatch"
        ": the file has # dimension% but the record type needs #" [found as u64, expected as u64, 0]
        "change the record type",
    ShapeMismatch { dimension, expected, found } 12 "shape mismatch"
        ": dimension # is # in the file but # in the record type" [dimension as u64, found as u64, expected as u64]
        "change the record type",
    ValueNotAllowed { record, value } 13 "the record type does not allow a value"
        ": record # contains #" [record, value.unsigned_abs(), 0] "correct the file, or allow the value",
}

impl ErrorKind {
    /// Appends the message and the advice, for a compile error.
    pub(crate) const fn describe(&self, text: &mut ConstText<240>) {
        text.string(self.message()).fill(self.details());
        if let Some(advice) = self.advice() {
            text.string("; ").string(advice);
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())?;
        let mut details = self.details();
        while let Some(byte) = details.next() {
            f.write_char(char::from(byte))?;
        }
        match self.advice() {
            Some(advice) if !f.alternate() => {
                f.write_str("; ")?;
                f.write_str(advice)
            }
            _ => Ok(()),
        }
    }
}

impl core::error::Error for ErrorKind {}
