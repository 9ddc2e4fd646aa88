use std::fmt;

use idx_std::ElementType;

/// How a number is stored: as one of the six element types, or as an integer type that only other
/// formats have.
///
/// This crate returns the bytes of all of them in big-endian order.
///
/// ```
/// use idx_std::ElementType;
/// use idx_data::{DType, Value};
///
/// assert_eq!(DType::U16.value(&[1, 2]), Some(Value::Integer(258)));
/// assert_eq!(DType::from(ElementType::F64).to_string(), "f64");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DType {
    /// One of the element types of IDX.
    Element(ElementType),
    /// IEEE 754 float of 16 bits, which is read as `f32`.
    F16,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
    /// Signed 64-bit integer.
    I64,
}

impl DType {
    /// The size of one number in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Element(element_type) => element_type.size(),
            Self::F16 | Self::U16 => 2,
            Self::U32 => 4,
            Self::U64 | Self::I64 => 8,
        }
    }

    /// The name of the Rust type with the same values.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Element(element_type) => element_type.name(),
            Self::F16 => "f16",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I64 => "i64",
        }
    }

    /// The element type, if this is one of IDX.
    #[must_use]
    pub const fn element_type(self) -> Option<ElementType> {
        match self {
            Self::Element(element_type) => Some(element_type),
            _ => None,
        }
    }

    /// The type that records of this type are read as: that of IDX for `f16`, and else the same.
    pub(crate) const fn read_as(self) -> Self {
        match self {
            Self::F16 => Self::Element(ElementType::F32),
            other => other,
        }
    }

    /// These big-endian numbers as those of the type that they are read as.
    pub(crate) fn read(self, numbers: Vec<u8>) -> Vec<u8> {
        if self != Self::F16 {
            return numbers;
        }
        let (halves, _) = numbers.as_chunks();
        halves.iter().flat_map(|bits| half(u16::from_be_bytes(*bits)).to_be_bytes()).collect()
    }

    /// The number with these big-endian bytes; `None` if their count differs from its size.
    #[must_use]
    pub fn value(self, bytes: &[u8]) -> Option<Value> {
        use ElementType::{F32, F64, I8, I16, I32, U8};
        use Value::{Float, Integer};
        Some(match (self, bytes) {
            (Self::Element(U8), &[a]) => Integer(a.into()),
            (Self::Element(I8), &[a]) => Integer(i8::from_be_bytes([a]).into()),
            (Self::Element(I16), &[a, b]) => Integer(i16::from_be_bytes([a, b]).into()),
            (Self::Element(I32), &[a, b, c, d]) => Integer(i32::from_be_bytes([a, b, c, d]).into()),
            (Self::Element(F32 | F64), _) => Float(self.element_type()?.value(bytes)?),
            (Self::F16, &[a, b]) => Float(half(u16::from_be_bytes([a, b])).into()),
            (Self::U16, &[a, b]) => Integer(u16::from_be_bytes([a, b]).into()),
            (Self::U32, &[a, b, c, d]) => Integer(u32::from_be_bytes([a, b, c, d]).into()),
            (Self::U64, _) => Integer(u64::from_be_bytes(bytes.try_into().ok()?).into()),
            (Self::I64, _) => Integer(i64::from_be_bytes(bytes.try_into().ok()?).into()),
            _ => return None,
        })
    }

    /// Appends numbers of this type to `target` as elements of another type, if each keeps its value.
    ///
    /// A NaN stays a NaN, but not with the same bits; a negative zero becomes the integer 0.
    ///
    /// ```
    /// use idx_std::ElementType;
    /// use idx_data::DType;
    ///
    /// let mut elements = Vec::new();
    /// DType::U16.convert(&[0, 7, 0, 255], ElementType::U8, &mut elements)?;
    /// assert_eq!(elements, [7, 255]);
    ///
    /// let error = DType::U16.convert(&[0, 7, 1, 0], ElementType::U8, &mut elements).unwrap_err();
    /// assert_eq!(error.to_string(), "256 does not fit u8");
    /// # Ok::<(), idx_data::OutOfRange>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first number that the element type cannot represent; those before it were appended.
    pub fn convert(
        self,
        numbers: &[u8],
        element_type: ElementType,
        target: &mut Vec<u8>,
    ) -> Result<(), OutOfRange> {
        if self == Self::Element(element_type) {
            target.extend_from_slice(numbers); // to the bit
            return Ok(());
        }
        for bytes in numbers.chunks_exact(self.size()) {
            if let Some(number) = self.value(bytes) {
                number.append_to(target, element_type)?;
            }
        }
        Ok(())
    }
}

impl From<ElementType> for DType {
    fn from(element_type: ElementType) -> Self {
        Self::Element(element_type)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The number with these bits of an `f16`: a sign, 5 bits of an exponent, and 10 of a fraction.
fn half(bits: u16) -> f32 {
    let fraction = f32::from(bits & 0x3FF);
    let magnitude = match i32::from(bits >> 10 & 0x1F) {
        0 => fraction * 2f32.powi(-24),
        0x1F if fraction > 0.0 => f32::NAN,
        0x1F => f32::INFINITY,
        exponent => (fraction + 1024.0) * 2f32.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// A number of any type, exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of an integer type.
    Integer(i128),
    /// Of a float type.
    Float(f64),
}

impl Value {
    /// The same value as an integer, if it is one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "compared")]
    pub fn to_integer(self) -> Option<i128> {
        match self {
            Self::Integer(integer) => Some(integer),
            Self::Float(float) => match float as i64 {
                // Those are the nearest of all that are out of range, too.
                i64::MIN | i64::MAX => {
                    let integer = float as i128;
                    (integer as f64 == float && integer != i128::MAX).then_some(integer)
                }
                integer => (integer as f64 == float).then_some(integer.into()),
            },
        }
    }

    /// Appends the number to `target` as an element in big-endian order, if it keeps its value.
    ///
    /// # Errors
    ///
    /// If the element type cannot represent this value; then nothing is appended.
    pub fn append_to(
        self,
        target: &mut Vec<u8>,
        element_type: ElementType,
    ) -> Result<(), OutOfRange> {
        let appended = match element_type {
            ElementType::U8 => append(target, self.narrow().map(u8::to_be_bytes)),
            ElementType::I8 => append(target, self.narrow().map(i8::to_be_bytes)),
            ElementType::I16 => append(target, self.narrow().map(i16::to_be_bytes)),
            ElementType::I32 => append(target, self.narrow().map(i32::to_be_bytes)),
            ElementType::F32 => append(target, self.to_f32().map(f32::to_be_bytes)),
            ElementType::F64 => append(target, self.to_f64().map(f64::to_be_bytes)),
        };
        appended.ok_or(OutOfRange::new(self, element_type))
    }

    /// The nearest `f64`.
    pub(crate) fn nearest_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => nearest(integer),
            Self::Float(float) => float,
        }
    }

    fn is_finite(self) -> bool {
        self.nearest_f64().is_finite()
    }

    fn narrow<I: TryFrom<i128>>(self) -> Option<I> {
        I::try_from(self.to_integer()?).ok()
    }

    /// The same value as an `f64`, if an `f64` can represent it.
    #[must_use]
    pub fn to_f64(self) -> Option<f64> {
        match self {
            Self::Integer(integer) => {
                let magnitude = integer.unsigned_abs();
                let digits = u128::BITS - magnitude.leading_zeros();
                let is_exact = digits <= f64::MANTISSA_DIGITS + magnitude.trailing_zeros();
                is_exact.then(|| nearest(integer))
            }
            Self::Float(float) => Some(float),
        }
    }

    fn to_f32(self) -> Option<f32> {
        let wide = self.to_f64()?;
        #[expect(clippy::cast_possible_truncation, reason = "compared")]
        let narrow = wide as f32;
        (f64::from(narrow) == wide || wide.is_nan()).then_some(narrow)
    }
}

/// The nearest float. 64 bits take one instruction, 128 bits a function of the compiler's library.
#[expect(clippy::cast_precision_loss, reason = "the nearest is wanted")]
fn nearest(integer: i128) -> f64 {
    match i64::try_from(integer) {
        Ok(integer) => integer as f64,
        Err(_) => integer as f64,
    }
}

fn append<const N: usize>(target: &mut Vec<u8>, bytes: Option<[u8; N]>) -> Option<()> {
    target.extend(bytes?);
    Some(())
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(integer) => integer.fmt(f),
            // `Display` would write all 309 digits of the largest.
            Self::Float(float) => fmt::Debug::fmt(float, f),
        }
    }
}

/// A number that an element type cannot represent: too large, too small, or not whole.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OutOfRange {
    /// The number.
    pub number: Value,
    /// The element type that cannot represent it.
    pub element_type: ElementType,
    /// What the number was before it was scaled or normalized, if it was.
    pub origin: Option<Value>,
}

impl OutOfRange {
    pub(crate) fn new(number: Value, element_type: ElementType) -> Self {
        Self { number, element_type, origin: None }
    }

    /// Whether scaling and rounding may help: the number is a fraction, and not scaled yet.
    #[must_use]
    pub fn can_be_scaled(&self) -> bool {
        self.origin.is_none() && self.number.nearest_f64().fract().abs() > 0.0
    }

    /// Whether `f64` has the number, which has those of all other element types.
    pub(crate) fn fits_f64(&self) -> bool {
        match self.origin {
            Some(origin) => !origin.is_finite() || self.number.is_finite(),
            None => self.number.to_f64().is_some(),
        }
    }
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, element_type, origin } = self;
        match origin {
            Some(origin) if !self.fits_f64() => {
                write!(f, "{origin} becomes too large for {element_type}")
            }
            Some(origin) if origin.is_finite() && origin != number => {
                write!(f, "{origin} becomes {number}, which does not fit {element_type}")
            }
            _ => write!(f, "{number} does not fit {element_type}"),
        }
    }
}

impl std::error::Error for OutOfRange {}
