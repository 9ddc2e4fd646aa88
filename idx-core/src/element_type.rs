//! The six element types: their codes, sizes and names.

use core::fmt;
use core::str::FromStr;

/// The type of a file's elements, given by the third byte of the file.
///
/// All six are big-endian in the file. The MNIST page says so only for the sizes; the author of the format says it for
/// the elements, too: "classical big-endian, and IEEE" (Pascal Vincent, 1996, in `lsh/libidx/idx-io.lsh` of Lush).
///
/// ```
/// use idx_core::ElementType;
///
/// assert_eq!(ElementType::from_code(0x0B), Some(ElementType::I16));
/// assert_eq!(ElementType::from_code(0x0A), None);
/// assert_eq!(ElementType::F64.size(), 8);
/// assert_eq!(ElementType::U8.to_string(), "u8");
/// assert_eq!("i16".parse(), Ok(ElementType::I16));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(u8)]
pub enum ElementType {
    /// Unsigned byte, code 08.
    U8 = 0x08,
    /// Signed byte, code 09.
    I8 = 0x09,
    /// Signed 16-bit integer, code 0B.
    I16 = 0x0B,
    /// Signed 32-bit integer, code 0C.
    I32 = 0x0C,
    /// IEEE 754 single precision, code 0D.
    F32 = 0x0D,
    /// IEEE 754 double precision, code 0E.
    F64 = 0x0E,
}

impl ElementType {
    /// All element types, in the order of their codes.
    pub const ALL: [Self; 6] = [Self::U8, Self::I8, Self::I16, Self::I32, Self::F32, Self::F64];

    /// Returns the element type with this code, or `None` if the code is unknown.
    #[must_use]
    #[inline]
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0x08 => Some(Self::U8),
            0x09 => Some(Self::I8),
            0x0B => Some(Self::I16),
            0x0C => Some(Self::I32),
            0x0D => Some(Self::F32),
            0x0E => Some(Self::F64),
            _ => None,
        }
    }

    /// Returns the code of this element type in the file.
    #[must_use]
    #[inline]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the size of one element in bytes: 1, 2, 4 or 8.
    #[must_use]
    #[inline]
    pub const fn size(self) -> usize {
        // Bits 1 and 2 of the code count the doublings; a table would cost firmware ten times as much.
        1 << (self.code() >> 1 & 3)
    }

    /// Returns whether the elements are floating-point numbers: `f32` or `f64`.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Decodes one element from its big-endian bytes; exact, since `f64` can hold every value of all six types.
    ///
    /// Returns `None` unless there are exactly [`size`](Self::size) bytes.
    ///
    /// ```
    /// # use idx_core::ElementType;
    /// assert_eq!(ElementType::I16.value(&[0xFF, 0xFE]), Some(-2.0));
    /// assert_eq!(ElementType::I16.value(&[0xFF]), None);
    /// ```
    #[must_use]
    pub const fn value(self, bytes: &[u8]) -> Option<f64> {
        Some(match (self, bytes) {
            (Self::U8, &[a]) => a as f64,
            (Self::I8, &[a]) => i8::from_be_bytes([a]) as f64,
            (Self::I16, &[a, b]) => i16::from_be_bytes([a, b]) as f64,
            (Self::I32, &[a, b, c, d]) => i32::from_be_bytes([a, b, c, d]) as f64,
            (Self::F32, &[a, b, c, d]) => f32::from_be_bytes([a, b, c, d]) as f64,
            (Self::F64, &[a, b, c, d, e, f, g, h]) => f64::from_be_bytes([a, b, c, d, e, f, g, h]),
            _ => return None,
        })
    }

    /// Returns the name of the Rust type with the same values, such as `"u8"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the [`name`](ElementType::name) of an element type.
impl FromStr for ElementType {
    type Err = ParseElementTypeError;

    fn from_str(name: &str) -> Result<Self, ParseElementTypeError> {
        Self::ALL
            .into_iter()
            .find(|element_type| element_type.name() == name)
            .ok_or_else(|| ParseElementTypeError::new(name))
    }
}

/// The error for a string that is not the name of an element type.
///
/// ```
/// use idx_core::ElementType;
///
/// let error = "u16".parse::<ElementType>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "unknown element type \"u16\"; use u8, i8, i16, i32, f32 or f64"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ParseElementTypeError {
    /// The start of the string, followed by NUL; there may be no allocator to keep all of it.
    start: [char; 16],
    is_longer: bool,
}

impl ParseElementTypeError {
    fn new(name: &str) -> Self {
        let mut start = ['\0'; 16];
        let mut characters = name.chars();
        for (target, character) in start.iter_mut().zip(&mut characters) {
            *target = character;
        }
        Self { start, is_longer: characters.next().is_some() }
    }
}

impl fmt::Display for ParseElementTypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown element type \"")?;
        for character in self.start.iter().take_while(|character| **character != '\0') {
            // Not `escape_debug`, which links a panic into firmware.
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                ' '..='~' => write!(f, "{character}")?,
                other => write!(f, "\\u{{{:x}}}", u32::from(*other))?,
            }
        }
        f.write_str(if self.is_longer { "...\"" } else { "\"" })?;
        f.write_str("; use u8, i8, i16, i32, f32 or f64")
    }
}

impl core::error::Error for ParseElementTypeError {}
