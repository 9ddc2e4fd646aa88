use core::fmt;

/// The type of a file's elements, named by the third byte of the file.
///
/// All six are big-endian in the file. The MNIST page says so for the sizes only; the author of the
/// format says it for the elements too, "classical big-endian, and IEEE" (Pascal Vincent, 1996, in
/// `lsh/libidx/idx-io.lsh` of Lush).
///
/// ```
/// use idx_core::ElementType;
///
/// assert_eq!(ElementType::from_code(0x0B), Some(ElementType::I16));
/// assert_eq!(ElementType::from_code(0x0A), None); // 07, 0A and 0F are not assigned
/// assert_eq!(ElementType::F64.size(), 8);
/// assert_eq!(ElementType::U8.to_string(), "u8");
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
    pub const ALL: [Self; 6] = [
        Self::U8,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::F32,
        Self::F64,
    ];

    /// The element type of a code, or `None` for a code that is not assigned.
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

    /// The code of this element type, as it stands in the file.
    #[must_use]
    #[inline]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The size of one element in bytes: 1, 2, 4 or 8.
    #[must_use]
    #[inline]
    pub const fn size(self) -> usize {
        // Bits 1 and 2 of the code count the doublings; a table would cost firmware ten times as much.
        1 << (self.code() >> 1 & 3)
    }

    /// The value of one element, given its big-endian bytes; exact, as `f64` holds all six types.
    ///
    /// `None` if there are more or fewer than [`size`](Self::size) bytes.
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

    /// The name of the Rust type with the same values, such as `"u8"`.
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
