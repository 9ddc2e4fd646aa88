//! Converts elements to text and back.

use std::array;
use std::fmt::Debug;
use std::io::Write;

use idx_core::ElementType;

use crate::formats::error::{ErrorKind, Setting};
use crate::npy::Value;

/// Writes elements as the shortest decimals that read back as the same numbers, each followed by a comma.
pub(super) struct Formatter {
    element_type: ElementType,
    /// The text of each byte, with its comma, and the length of both.
    bytes: [([u8; 4], usize); 256],
}

impl Formatter {
    pub(super) fn new(element_type: ElementType) -> Self {
        let text_of = |byte: usize| {
            let mut text = [0; 4];
            let mut rest = text.as_mut_slice();
            let written = write!(rest, "{byte},");
            debug_assert!(written.is_ok(), "three digits and a comma");
            let unused = rest.len();
            (text, text.len() - unused)
        };
        Self {
            element_type,
            bytes: array::from_fn(text_of),
        }
    }

    /// Appends the text of these elements.
    pub(super) fn append(&self, elements: &[u8], text: &mut Vec<u8>) {
        match self.element_type {
            ElementType::U8 => self.append_bytes(elements, text),
            ElementType::F32 => {
                for element in elements.as_chunks().0 {
                    append_float(text, f32::from_be_bytes(*element));
                }
            }
            ElementType::F64 => {
                for element in elements.as_chunks().0 {
                    append_float(text, f64::from_be_bytes(*element));
                }
            }
            ElementType::I8 => append_integers(elements, text, i8::from_be_bytes),
            ElementType::I16 => append_integers(elements, text, i16::from_be_bytes),
            ElementType::I32 => append_integers(elements, text, i32::from_be_bytes),
        }
    }

    /// Writes four bytes for each element, and overwrites the excess with the next one: a copy of known
    /// length takes one instruction.
    fn append_bytes(&self, elements: &[u8], text: &mut Vec<u8>) {
        let start = text.len();
        text.resize(start + 4 * elements.len(), 0);
        let mut rest = text.get_mut(start..).unwrap_or_default();
        for element in elements {
            let Some((element_text, length)) = self.bytes.get(usize::from(*element)) else {
                continue; // there is one for each byte
            };
            if let Some(place) = rest.first_chunk_mut() {
                *place = *element_text;
            }
            rest = rest.get_mut(*length..).unwrap_or_default();
        }
        let unused = rest.len();
        text.truncate(text.len() - unused);
    }
}

fn append_integers<I: itoa::Integer, const N: usize>(
    elements: &[u8],
    text: &mut Vec<u8>,
    from_be_bytes: fn([u8; N]) -> I,
) {
    let mut buffer = itoa::Buffer::new();
    for element in elements.as_chunks().0 {
        text.extend_from_slice(buffer.format(from_be_bytes(*element)).as_bytes());
        text.push(b',');
    }
}

fn append_float<F: zmij::Float + Debug + Into<f64>>(text: &mut Vec<u8>, value: F) {
    let wide = value.into();
    // Outside this range zmij and the standard library write exponents differently.
    if wide == 0.0 || (1e-4..1e12).contains(&wide.abs()) {
        let mut buffer = zmij::Buffer::new();
        let decimal = buffer.format_finite(value).as_bytes();
        let places = decimal.iter().rev().position(|byte| *byte == b'.');
        // Halfway between two shortest decimals zmij takes the even one, the standard library the larger
        // one. Such a number has one binary place more than decimal ones.
        if places.map(|places| places as u64 + 1) != Some(binary_places(wide)) {
            text.extend_from_slice(decimal);
            text.push(b',');
            return;
        }
    }
    let written = write!(text, "{value:?},");
    debug_assert!(written.is_ok(), "a vector takes all");
}

/// The number of binary digits after the point of a normal number.
fn binary_places(value: f64) -> u64 {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let fraction = value.to_bits() | 1 << FRACTION;
    let exponent = value.to_bits() >> FRACTION & 0x7FF;
    let places = u64::from(FRACTION - fraction.trailing_zeros()) + 0x3FF;
    places.saturating_sub(exponent)
}

/// A line of numbers in the usual form.
pub(super) struct PlainLine {
    pub(super) label: Option<i128>,
    /// With the line feed.
    pub(super) size: usize,
}

/// Appends the elements of the first line of `text`. Returns `None`, and appends nothing, if the line has
/// anything but numbers and commas, such as quotes or white space.
///
/// The numbers are those of [`append_parsed`], in less time.
pub(super) fn append_plain_line(
    text: &[u8],
    separator: u8,
    columns: usize,
    label_column: Option<usize>,
    element_type: ElementType,
    elements: &mut Vec<u8>,
) -> Option<PlainLine> {
    let start = elements.len();
    let count = columns.saturating_sub(label_column.iter().len());
    elements.resize(start + count * element_type.size(), 0);
    let places = elements.get_mut(start..)?;
    let line = match element_type {
        ElementType::U8 => plain_line(text, separator, columns, label_column, places, plain_byte),
        ElementType::I8 => plain_line(text, separator, columns, label_column, places, |text| {
            plain_integer(text, i8::to_be_bytes)
        }),
        ElementType::I16 => plain_line(text, separator, columns, label_column, places, |text| {
            plain_integer(text, i16::to_be_bytes)
        }),
        ElementType::I32 => plain_line(text, separator, columns, label_column, places, |text| {
            plain_integer(text, i32::to_be_bytes)
        }),
        ElementType::F32 => plain_line(text, separator, columns, label_column, places, |text| {
            let (number, rest) = plain_float::<f32>(text, separator)?;
            number.is_finite().then(|| (number.to_be_bytes(), rest))
        }),
        ElementType::F64 => plain_line(text, separator, columns, label_column, places, |text| {
            let (number, rest) = plain_float::<f64>(text, separator)?;
            number.is_finite().then(|| (number.to_be_bytes(), rest))
        }),
    };
    if line.is_none() {
        elements.truncate(start);
    }
    line
}

/// Fills `places` with `element`, which returns the first element of a text and the text after it.
#[inline(always)]
fn plain_line<const N: usize>(
    text: &[u8],
    separator: u8,
    columns: usize,
    label_column: Option<usize>,
    places: &mut [u8],
    element: impl Fn(&[u8]) -> Option<([u8; N], &[u8])>,
) -> Option<PlainLine> {
    let mut places = places.as_chunks_mut().0.iter_mut();
    let mut label = None;
    let mut rest = text;
    for column in 0..columns {
        if column > 0 {
            rest = rest.strip_prefix(&[separator])?;
        }
        if Some(column) == label_column {
            let integer;
            (integer, rest) = integer_at_start(rest)?;
            label = Some(integer.into());
        } else {
            (*places.next()?, rest) = element(rest)?;
        }
    }
    let rest = rest
        .strip_prefix(b"\r")
        .unwrap_or(rest)
        .strip_prefix(b"\n")?;
    let size = text.len() - rest.len();
    Some(PlainLine { label, size })
}

/// The integer at the start of a text, of at most 18 digits, and the text after it.
#[inline(always)]
fn integer_at_start(text: &[u8]) -> Option<(i64, &[u8])> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let mut value = 0i64;
    let mut rest = digits;
    while let [digit @ b'0'..=b'9', behind @ ..] = rest {
        value = value.wrapping_mul(10).wrapping_add((digit - b'0').into());
        rest = behind;
    }
    let is_negative = digits.len() < text.len();
    let count = digits.len() - rest.len();
    let value = if is_negative { -value } else { value };
    (1..=18).contains(&count).then_some((value, rest))
}

/// As [`plain_integer`], for the type that images have.
#[inline(always)]
fn plain_byte(text: &[u8]) -> Option<([u8; 1], &[u8])> {
    let [first @ b'0'..=b'9', rest @ ..] = text else {
        return None;
    };
    let first = first - b'0';
    let [second @ b'0'..=b'9', rest @ ..] = rest else {
        return Some(([first], rest));
    };
    let two = 10 * first + (second - b'0');
    let [third @ b'0'..=b'9', rest @ ..] = rest else {
        return Some(([two], rest));
    };
    let three = 10 * u16::from(two) + u16::from(third - b'0');
    Some(([u8::try_from(three).ok()?], rest))
}

#[inline(always)]
fn plain_integer<I: TryFrom<i64>, const N: usize>(
    text: &[u8],
    to_be_bytes: fn(I) -> [u8; N],
) -> Option<([u8; N], &[u8])> {
    let (integer, rest) = integer_at_start(text)?;
    Some((to_be_bytes(I::try_from(integer).ok()?), rest))
}

#[inline(always)]
fn plain_float<F: std::str::FromStr>(text: &[u8], separator: u8) -> Option<(F, &[u8])> {
    let is_end = |byte: &u8| [separator, b'\r', b'\n'].contains(byte);
    let (number, rest) = text.split_at_checked(text.iter().position(is_end)?)?;
    Some((str::from_utf8(number).ok()?.parse().ok()?, rest))
}

pub(super) fn parse_label(text: &str, hint: Option<Setting>) -> Result<i128, ErrorKind> {
    let label = match text.parse() {
        Ok(integer) => Value::Integer(integer),
        // NumPy writes whole numbers as 5.000000000000000000e+00.
        Err(_) => Value::Float(text.parse().unwrap_or(f64::NAN)),
    };
    label.to_integer().ok_or_else(|| {
        let message = format!("{} is not a label, a whole number", quoted(text));
        ErrorKind::malformed(message).advise(hint)
    })
}

/// The start of a text, in quotes, because a field may be as long as the file.
fn quoted(text: &str) -> String {
    const MAX: usize = 60;
    let start: String = text.chars().take(MAX).collect();
    let more = if start.len() < text.len() { "..." } else { "" };
    format!("{start:?}{more}")
}

/// Appends the number to `elements`.
pub(super) fn append_parsed(
    text: &str,
    element_type: ElementType,
    hint: Option<Setting>,
    elements: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    let not_a_number = || {
        let message = format!("{} is not a number", quoted(text));
        ErrorKind::malformed(message).advise(hint)
    };
    let check = |is_infinite: bool, advice: Option<Setting>| {
        // A number that becomes infinite, without being named so, is out of range.
        match is_infinite && text.contains(|digit: char| digit.is_ascii_digit()) {
            true => Err(ErrorKind::malformed(format!(
                "{} does not fit {element_type}",
                quoted(text)
            ))
            .advise(advice)),
            false => Ok(()),
        }
    };
    match element_type {
        ElementType::F32 => {
            let number: f32 = text.parse().map_err(|_| not_a_number())?;
            check(number.is_infinite(), Some(Setting::ElementType))?;
            elements.extend(number.to_be_bytes());
        }
        ElementType::F64 => {
            let number: f64 = text.parse().map_err(|_| not_a_number())?;
            check(number.is_infinite(), None)?;
            elements.extend(number.to_be_bytes());
        }
        _ => {
            let number = match text.parse() {
                Ok(integer) => Value::Integer(integer),
                // NumPy writes whole numbers as 5.000000000000000000e+00.
                Err(_) => Value::Float(text.parse().map_err(|_| not_a_number())?),
            };
            number.append_to(elements, element_type)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<F: zmij::Float + Debug + Into<f64>>(text: &mut Vec<u8>, value: F) {
        text.clear();
        append_float(text, value);
        assert_eq!(str::from_utf8(text).unwrap(), format!("{value:?},"));
    }

    #[test]
    fn floats_are_written_as_the_standard_library_writes_them() {
        let mut text = Vec::new();
        // In the middle between two decimals, at powers of ten, and special ones.
        for value in [
            1.644_531_3,
            -0.400_390_63,
            1e13,
            1e-4,
            -0.0,
            f32::NAN,
            f32::INFINITY,
        ] {
            check(&mut text, value);
        }
        for bits in (0..=u32::MAX).step_by(9973) {
            check(&mut text, f32::from_bits(bits));
            check(
                &mut text,
                f64::from_bits(u64::from(bits) << 32 | u64::from(bits)),
            );
            check(&mut text, f64::from(bits) / 4096.0);
        }
    }
}
