//! Numbers of any type, from and to bytes and text.

use std::fmt;

use idx_std::ElementType;

use crate::error::{ErrorKind, Hint};

/// The storage type of a number: one of the six element types, or an integer type that only other formats have.
///
/// This crate returns the bytes of all of them in big-endian order.
///
/// ```
/// use idx_std::ElementType;
/// use idx_data::DType;
///
/// assert_eq!(DType::U16.text(&[1, 2]).as_deref(), Some("258"));
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
    /// All types.
    pub const ALL: [Self; 11] = [
        Self::Element(ElementType::U8),
        Self::Element(ElementType::I8),
        Self::Element(ElementType::I16),
        Self::Element(ElementType::I32),
        Self::Element(ElementType::F32),
        Self::Element(ElementType::F64),
        Self::F16,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::I64,
    ];

    /// Returns the size of one number in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Element(element_type) => element_type.size(),
            Self::F16 | Self::U16 => 2,
            Self::U32 => 4,
            Self::U64 | Self::I64 => 8,
        }
    }

    /// Returns the name of the type in Rust, such as `u16`.
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

    /// Returns the element type, if this is one of IDX.
    #[must_use]
    pub const fn element_type(self) -> Option<ElementType> {
        match self {
            Self::Element(element_type) => Some(element_type),
            _ => None,
        }
    }

    /// Returns the number with these big-endian bytes in decimal; `None` if their count differs from its size.
    #[must_use]
    pub fn text(self, bytes: &[u8]) -> Option<String> {
        self.value(bytes).map(|number| number.to_string())
    }

    /// Returns the nearest `f64` of the number with these big-endian bytes; `None` if their count differs from its
    /// size.
    ///
    /// ```
    /// # use idx_data::{DType, ElementType};
    /// assert_eq!(DType::from(ElementType::I16).to_f64(&[0xFF, 0xFF]), Some(-1.0));
    /// ```
    #[must_use]
    pub fn to_f64(self, bytes: &[u8]) -> Option<f64> {
        self.value(bytes).map(Value::nearest_f64)
    }

    /// Returns the type that numbers of this type are read as: `f32` for `f16`, otherwise the same.
    pub(crate) const fn read_as(self) -> Self {
        match self {
            Self::F16 => Self::Element(ElementType::F32),
            other => other,
        }
    }

    /// Converts these big-endian numbers to the type that they are read as.
    pub(crate) fn read(self, numbers: Vec<u8>) -> Vec<u8> {
        if self != Self::F16 {
            return numbers;
        }
        let (halves, _) = numbers.as_chunks();
        let floats = halves.iter().map(|bits| half(u16::from_be_bytes(*bits)).to_be_bytes());
        floats.collect::<Vec<_>>().into_flattened()
    }

    /// Returns the number with these big-endian bytes; `None` if their count differs from its size.
    pub(crate) fn value(self, bytes: &[u8]) -> Option<Value> {
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

/// Returns the `f16` with these bits: a sign, 5 bits of exponent and 10 of fraction.
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

/// The exact value of a number of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number of an integer type.
    Integer(i128),
    /// A number of a float type.
    Float(f64),
}

impl Value {
    /// Returns the same value as an integer, if it is one.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "compared")]
    pub(crate) fn to_integer(self) -> Option<i128> {
        match self {
            Self::Integer(integer) => Some(integer),
            Self::Float(float) => match float as i64 {
                // Floats out of range become these two as well.
                i64::MIN | i64::MAX => {
                    let integer = float as i128;
                    (integer as f64 == float && integer != i128::MAX).then_some(integer)
                }
                integer => (integer as f64 == float).then_some(integer.into()),
            },
        }
    }

    /// Appends the number to `target` as a big-endian element, or returns `None` if the type cannot hold it. A NaN
    /// stays a NaN, but not with the same bits; a negative zero becomes the integer 0.
    pub(crate) fn append_to(self, target: &mut Vec<u8>, element_type: ElementType) -> Option<()> {
        match element_type {
            ElementType::U8 => target.extend(self.narrow::<u8>()?.to_be_bytes()),
            ElementType::I8 => target.extend(self.narrow::<i8>()?.to_be_bytes()),
            ElementType::I16 => target.extend(self.narrow::<i16>()?.to_be_bytes()),
            ElementType::I32 => target.extend(self.narrow::<i32>()?.to_be_bytes()),
            ElementType::F32 => target.extend(self.to_f32()?.to_be_bytes()),
            ElementType::F64 => target.extend(self.to_f64()?.to_be_bytes()),
        }
        Some(())
    }

    /// Returns the error for a number that the element type cannot hold.
    pub(crate) fn out_of_range(self, element_type: ElementType) -> ErrorKind {
        let number = self.to_string();
        match self.to_f64() {
            None => ErrorKind::beyond(format!(
                "{number} does not fit {element_type}; IDX has no type for it, so round it first"
            )),
            Some(_) => ErrorKind::out_of_range(&number, element_type),
        }
    }

    /// Returns the nearest `f64`.
    pub(crate) fn nearest_f64(self) -> f64 {
        match self {
            Self::Integer(integer) => nearest(integer),
            Self::Float(float) => float,
        }
    }

    fn narrow<I: TryFrom<i128>>(self) -> Option<I> {
        I::try_from(self.to_integer()?).ok()
    }

    /// Returns the same value as an `f64`, if an `f64` can represent it.
    fn to_f64(self) -> Option<f64> {
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

/// Returns the smallest label type that holds the numbers of both.
pub(crate) fn wider(one: ElementType, other: ElementType) -> ElementType {
    use ElementType::{I16, I32};
    match (one, other) {
        _ if one == other => one,
        (I32, _) | (_, I32) => I32,
        _ => I16,
    }
}

/// Returns a label type that also holds this number.
pub(crate) fn with_number(label_type: ElementType, number: i128) -> ElementType {
    let has_number = |label_type: &ElementType| {
        Value::Integer(number).append_to(&mut Vec::new(), *label_type).is_some()
    };
    let mut types = [label_type, ElementType::I16, ElementType::I32].into_iter();
    types.find(has_number).unwrap_or(label_type)
}

/// Appends a label as an element of this type.
pub(crate) fn append_label(
    label: i128,
    element_type: ElementType,
    target: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    Value::Integer(label).append_to(target, element_type).ok_or_else(|| {
        let (advice, hint) = match i32::try_from(label) {
            Ok(_) => ("; choose another label type", Some(Hint::LabelType)),
            Err(_) => (", and no other type of IDX; write smaller labels", None),
        };
        let sentence = format!("label {label} does not fit {element_type}{advice}");
        ErrorKind::OutOfRange { sentence, hint }
    })
}

/// Returns the nearest float. 64 bits take one instruction, 128 bits a call into the compiler's library.
#[expect(clippy::cast_precision_loss, reason = "the nearest is wanted")]
fn nearest(integer: i128) -> f64 {
    match i64::try_from(integer) {
        Ok(integer) => integer as f64,
        Err(_) => integer as f64,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use ElementType::{F32, F64, I8, I16, I32, U8};

    fn fits(number: Value, element_type: ElementType) -> bool {
        let mut bytes = Vec::new();
        let fits = number.append_to(&mut bytes, element_type).is_some();
        assert_eq!(bytes.len(), if fits { element_type.size() } else { 0 });
        if fits && number != Value::Float(-0.0) {
            let read = DType::Element(element_type).value(&bytes).unwrap();
            assert_eq!(read.to_f64(), number.to_f64());
        }
        fits
    }

    #[test]
    fn each_type_has_its_own_extremes_and_none_beyond() {
        let extremes = [
            (U8, 0, 255),
            (I8, -128, 127),
            (I16, -32_768, 32_767),
            (I32, -2_147_483_648, 2_147_483_647),
            (F32, -(1 << 24), 1 << 24),
            (F64, -(1 << 53), 1 << 53),
        ];
        for (element_type, least, greatest) in extremes {
            for inside in [least, least + 1, greatest - 1, greatest] {
                assert!(fits(Value::Integer(inside), element_type));
            }
            for outside in [least - 1, greatest + 1] {
                assert!(!fits(Value::Integer(outside), element_type));
            }
        }
        assert!(fits(Value::Integer(1 << 63), F32));
        for beyond in [i128::from(u64::MAX), i128::from(i64::MAX), i128::MAX] {
            assert!(!fits(Value::Integer(beyond), F64));
        }
    }

    #[test]
    fn floats_keep_their_value_or_do_not_fit() {
        for whole in [0.0, -0.0, 7.0, 255.0] {
            for element_type in ElementType::ALL {
                // i8 has no 255.
                assert_eq!(
                    fits(Value::Float(whole), element_type),
                    element_type != I8 || whole < 128.0
                );
            }
        }
        for other in [0.5, 1e10 + 0.5, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            for integer in [U8, I8, I16, I32] {
                assert!(!fits(Value::Float(other), integer), "{other}");
            }
        }
        assert_eq!(Value::Float(f64::NAN).to_integer(), None);
        assert_eq!(Value::Float(2f64.powi(127)).to_integer(), None);
        assert_eq!(Value::Float(-2f64.powi(127)).to_integer(), Some(i128::MIN));
        assert!(fits(Value::Float(f64::INFINITY), F32));
        assert!(!fits(Value::Float(0.1), F32));
        assert!(!fits(Value::Float(f64::MAX), F32));
        let mut bytes = Vec::new();
        Value::Float(f64::NAN).append_to(&mut bytes, F32).unwrap();
        assert!(f32::from_be_bytes(bytes.try_into().unwrap()).is_nan());
    }

    #[test]
    fn the_integers_that_idx_lacks() {
        let values = [
            (DType::U16, &[255; 2][..], i128::from(u16::MAX)),
            (DType::U32, &[255; 4], i128::from(u32::MAX)),
            (DType::U64, &[255; 8], i128::from(u64::MAX)),
            (DType::I64, &[255; 8], -1),
        ];
        for (number_type, bytes, value) in values {
            assert_eq!(number_type.size(), bytes.len());
            assert_eq!(number_type.value(bytes), Some(Value::Integer(value)));
            assert_eq!(number_type.value(&bytes[1..]), None);
            assert_eq!(number_type.element_type(), None);
        }
    }

    /// All numbers of two bytes, and the extremes of the other types, are read as Rust reads them.
    #[test]
    fn numbers_of_the_element_types() {
        let integer = |element_type, bytes: &[u8], value: i128| {
            let number = DType::from(element_type).value(bytes);
            assert_eq!(number, Some(Value::Integer(value)), "{element_type}");
        };
        for (high, low) in (0..=u8::MAX).flat_map(|high| (0..=u8::MAX).map(move |low| (high, low)))
        {
            integer(U8, &[low], low.into());
            integer(I8, &[low], low.cast_signed().into());
            integer(I16, &[high, low], i16::from_be_bytes([high, low]).into());
        }
        for value in [i32::MIN, -1, 0, 1, i32::MAX] {
            integer(I32, &value.to_be_bytes(), value.into());
        }
        for value in [0.0, -0.1, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY] {
            let number = DType::from(F32).value(&value.to_be_bytes());
            assert_eq!(number, Some(Value::Float(value.into())));
            let number = DType::from(F64).value(&f64::from(value).to_be_bytes());
            assert_eq!(number, Some(Value::Float(value.into())));
        }
        for element_type in ElementType::ALL {
            let number_type = DType::from(element_type);
            assert_eq!(number_type.size(), element_type.size());
            assert_eq!(number_type.to_string(), element_type.name());
            assert_eq!(number_type.element_type(), Some(element_type));
            for size in (0..10).filter(|size| *size != element_type.size()) {
                assert_eq!(number_type.value(&vec![0; size]), None, "{element_type}");
            }
        }
    }

    #[test]
    fn floats_and_integers_become_each_other_only_exactly() {
        for (integer, float) in [
            (0, Some(0.0)),
            (-5, Some(-5.0)),
            ((1 << 53) + 1, None),
            (1 << 53, Some(2f64.powi(53))),
            (i64::MAX.into(), None),
            (i64::MIN.into(), Some(-2f64.powi(63))),
            (1 << 63, Some(2f64.powi(63))),
            ((1 << 63) + (1 << 10), None),
            (-(1 << 63) - (1 << 11), Some(-2f64.powi(63) - 2f64.powi(11))),
            ((1 << 100) + (1 << 48), Some(2f64.powi(100) + 2f64.powi(48))),
            ((1 << 100) + (1 << 47), None),
            (i128::MIN, Some(-2f64.powi(127))),
            (i128::MAX, None),
        ] {
            assert_eq!(Value::Integer(integer).to_f64(), float);
            assert_eq!(Value::Integer(integer).to_integer(), Some(integer));
            if let Some(float) = float {
                assert_eq!(Value::Float(float).to_integer(), Some(integer));
            }
        }
        for float in [0.5, -0.1, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
            assert_eq!(Value::Float(float).to_integer(), None, "{float}");
            assert_eq!(Value::Float(float).to_f64(), Some(float));
        }
    }

    /// Integers of any length, with any number of trailing zero bits.
    #[test]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "to see what is lost"
    )]
    fn integers_and_floats_become_each_other() {
        let mut random = 1_u128;
        for shifts in 0..100_000 {
            random = random.wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645).wrapping_add(1);
            let integer = (random.cast_signed() >> (shifts % 128)) >> (shifts / 128 % 128);
            let integer = integer << (shifts / 128 % 128);
            let float = integer as f64;
            let is_exact = float as i128 == integer && integer != i128::MAX;
            assert_eq!(Value::Integer(integer).to_f64(), is_exact.then_some(float));
            for float in [float, float / 3.0, float * 4.0] {
                let integer = float as i128;
                let is_exact = integer as f64 == float && integer != i128::MAX;
                assert_eq!(Value::Float(float).to_integer(), is_exact.then_some(integer));
            }
        }
    }

    #[test]
    fn errors_advise_what_helps() {
        let text = |number: Value, element_type| number.out_of_range(element_type).to_string();
        for (number, element_type, expected) in [
            (Value::Integer(256), U8, "256 does not fit u8; choose another element type"),
            (
                Value::Float(0.5),
                U8,
                "0.5 is not a whole number, as u8 needs; change the type, or give the range to scale from",
            ),
            (Value::Float(1e300), F32, "1e300 does not fit f32; choose another element type"),
            (
                Value::Integer(u64::MAX.into()),
                F64,
                "18446744073709551615 does not fit f64; IDX has no type for it, so round it first",
            ),
        ] {
            assert_eq!(text(number, element_type), expected);
        }
    }
}
