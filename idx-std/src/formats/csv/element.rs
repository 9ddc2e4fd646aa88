//! Converts elements to text and back.

use std::array;
use std::fmt::Debug;
use std::io::Write;

use idx_core::ElementType;

use crate::formats::error::{ErrorKind, Setting};
use crate::npy::{OutOfRange, Value};

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
        Self { element_type, bytes: array::from_fn(text_of) }
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
    let count = columns.checked_sub(label_column.iter().len())?;
    elements.resize(start + count * element_type.size(), 0);
    let places = elements.get_mut(start..)?;
    let line = match element_type {
        ElementType::U8 => plain_line(text, separator, label_column, places, plain_byte),
        ElementType::I8 => plain_line(text, separator, label_column, places, |text| {
            plain_integer(text, i8::to_be_bytes)
        }),
        ElementType::I16 => plain_line(text, separator, label_column, places, |text| {
            plain_integer(text, i16::to_be_bytes)
        }),
        ElementType::I32 => plain_line(text, separator, label_column, places, |text| {
            plain_integer(text, i32::to_be_bytes)
        }),
        ElementType::F32 => plain_line(text, separator, label_column, places, |text| {
            let (text, rest) = plain_field(text, separator)?;
            let number: f32 = text.parse().ok()?;
            let keeps = keeps_number(text, number.into(), f32::EPSILON.into());
            keeps.then(|| (number.to_be_bytes(), rest))
        }),
        ElementType::F64 => plain_line(text, separator, label_column, places, |text| {
            let (text, rest) = plain_field(text, separator)?;
            let number: f64 = text.parse().ok()?;
            let keeps = keeps_number(text, number, f64::EPSILON);
            keeps.then(|| (number.to_be_bytes(), rest))
        }),
    };
    if line.is_none() {
        elements.truncate(start);
    }
    line
}

/// Fills `places` with the elements of a line; `element` returns the first one of a text and the text after it.
#[inline(always)]
fn plain_line<const N: usize>(
    text: &[u8],
    separator: u8,
    label_column: Option<usize>,
    places: &mut [u8],
    element: impl Fn(&[u8]) -> Option<([u8; N], &[u8])>,
) -> Option<PlainLine> {
    let (places, _) = places.as_chunks_mut();
    let mut label = None;
    let mut rest = text;
    if let Some(column) = label_column {
        let (before, after) = places.split_at_mut_checked(column)?;
        rest = plain_elements(rest, separator, before, &element)?;
        if !before.is_empty() {
            rest = rest.strip_prefix(&[separator])?;
        }
        let integer;
        (integer, rest) = integer_at_start(rest)?;
        label = Some(integer.into());
        if !after.is_empty() {
            rest = rest.strip_prefix(&[separator])?;
        }
        rest = plain_elements(rest, separator, after, &element)?;
    } else {
        rest = plain_elements(rest, separator, places, &element)?;
    }
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest).strip_prefix(b"\n")?;
    let size = text.len() - rest.len();
    Some(PlainLine { label, size })
}

/// Fills `places`, which are zero, with the first elements of a text, and returns the text after them.
#[inline(always)]
fn plain_elements<'a, const N: usize>(
    text: &'a [u8],
    separator: u8,
    places: &mut [[u8; N]],
    element: impl Fn(&'a [u8]) -> Option<([u8; N], &'a [u8])>,
) -> Option<&'a [u8]> {
    let zeros = [[b'0', separator]; 4];
    let mut places = places.iter_mut();
    let mut rest = text;
    loop {
        // Most pixels of many images are 0.
        while places.len() > zeros.len()
            && let Some(behind) = rest.strip_prefix(zeros.as_flattened())
        {
            places.nth(zeros.len() - 1);
            rest = behind;
        }
        let Some(place) = places.next() else {
            return Some(rest);
        };
        (*place, rest) = element(rest)?;
        if places.len() > 0 {
            rest = rest.strip_prefix(&[separator])?;
        }
    }
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
fn plain_field(text: &[u8], separator: u8) -> Option<(&str, &[u8])> {
    let is_end = |byte: &u8| [separator, b'\r', b'\n'].contains(byte);
    let (field, rest) = text.split_at_checked(text.iter().position(is_end)?)?;
    Some((str::from_utf8(field).ok()?, rest))
}

/// Whether the float is what its text says: fractions may be rounded, but not to 0, and integers not at all, as
/// those of the other formats.
#[inline(always)]
fn keeps_number(text: &str, number: f64, epsilon: f64) -> bool {
    match number.abs() {
        0.0 => {
            let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
            !mantissa.contains(|digit| matches!(digit, '1'..='9'))
        }
        // The type has all integers below, to which no larger one is rounded.
        size if size < 2.0 / epsilon => true,
        size => is_large_number(text, size),
    }
}

/// The same for the absolute value of a large number.
fn is_large_number(text: &str, size: f64) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{size:.0}") == digits.trim_start_matches('0');
    }
    // A number that becomes infinite, without being named so, is too large.
    size.is_finite() || !digits.contains(|digit: char| digit.is_ascii_digit())
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
    match element_type {
        ElementType::F32 => {
            let number: f32 = text.parse().map_err(|_| not_a_number())?;
            if !keeps_number(text, number.into(), f32::EPSILON.into()) {
                return Err(does_not_fit(text, element_type));
            }
            elements.extend(number.to_be_bytes());
        }
        ElementType::F64 => {
            let number: f64 = text.parse().map_err(|_| not_a_number())?;
            if !keeps_number(text, number, f64::EPSILON) {
                return Err(does_not_fit(text, element_type));
            }
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

/// The error for a number that a float type does not have.
fn does_not_fit(text: &str, element_type: ElementType) -> ErrorKind {
    if let Ok(integer) = text.parse() {
        let number = Value::Integer(integer);
        return OutOfRange::new(number, element_type).into();
    }
    let message = format!("{} does not fit {element_type}", quoted(text));
    let wide = text.parse().unwrap_or(f64::INFINITY);
    let advice = keeps_number(text, wide, f64::EPSILON).then_some(Setting::ElementType);
    ErrorKind::malformed(message).advise(advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<F: zmij::Float + Debug + Into<f64>>(text: &mut Vec<u8>, value: F) {
        text.clear();
        append_float(text, value);
        assert_eq!(str::from_utf8(text).unwrap(), format!("{value:?},"));
    }

    /// Runs of zeros, of any length and at any place, with a column of labels and without.
    #[test]
    fn plain_lines_are_those_of_the_careful_way() {
        for columns in 1..=11usize {
            for which in 0..1 << columns {
                let numbers = (0..columns).map(|column| match which >> column & 1 {
                    0 => "0".to_string(),
                    _ => (column * 12).to_string(),
                });
                let numbers: Vec<String> = numbers.collect();
                let text = numbers.join(";") + "\n0;0;0;0;0;0;0;0\n";
                let element_type = ElementType::ALL[which % 6];
                let label_column = Some(which % (columns + 1)).filter(|column| *column < columns);
                let mut expected = vec![9];
                for (column, number) in numbers.iter().enumerate() {
                    if Some(column) != label_column {
                        append_parsed(number, element_type, None, &mut expected).unwrap();
                    }
                }
                let mut found = vec![9];
                let line = append_plain_line(
                    text.as_bytes(),
                    b';',
                    columns,
                    label_column,
                    element_type,
                    &mut found,
                );
                let line = line.unwrap();
                assert_eq!(found, expected, "{text}");
                assert_eq!(line.size, text.find('\n').unwrap() + 1);
                let label = label_column.map(|column| numbers[column].parse().unwrap());
                assert_eq!(line.label, label);
                // One column more or less than the line has.
                for wrong in [columns - 1, columns + 1] {
                    let line = append_plain_line(
                        text.as_bytes(),
                        b';',
                        wrong,
                        label_column,
                        element_type,
                        &mut found,
                    );
                    assert!(line.is_none());
                    assert_eq!(found, expected);
                }
            }
        }
    }

    /// Failed before: integers were rounded, and small numbers became 0.
    #[test]
    fn floats_keep_integers_and_what_is_not_0() {
        let found = |text: &str, element_type| {
            let mut parsed = Vec::new();
            let careful = append_parsed(text, element_type, None, &mut parsed);
            let line = text.to_string() + "\n";
            let mut plain = Vec::new();
            let found = append_plain_line(line.as_bytes(), b',', 1, None, element_type, &mut plain);
            assert_eq!(found.is_some(), careful.is_ok(), "{text}");
            assert_eq!(plain, parsed, "{text}");
            careful
                .map(|()| element_type.value(&parsed).unwrap())
                .map_err(|error| error.to_string())
        };
        let largest = format!("{:.0}", f32::MAX);
        for (text, expected) in [
            ("16777215", 16_777_215.0),
            ("-16777216", -16_777_216.0),
            ("+0016777218", 16_777_218.0),
            (&largest, f32::MAX.into()),
            ("16777217.0", 16_777_216.0),
            ("0.1", 0.1f32.into()),
            ("1e-45", f32::from_bits(1).into()),
            ("0e5", 0.0),
            ("-00", 0.0),
            ("-0.00E9", 0.0),
            ("-inf", f64::NEG_INFINITY),
        ] {
            assert_eq!(found(text, ElementType::F32), Ok(expected), "{text}");
        }
        assert!(found("nan", ElementType::F32).unwrap().is_nan());
        let large = "9007199254740994";
        assert_eq!(found(large, ElementType::F64), large.parse().map_err(|_| String::new()));
        let long = "1".repeat(40);
        let choose = "; choose another element type";
        for (text, element_type, expected) in [
            ("16777217", ElementType::F32, format!("16777217 does not fit f32{choose}")),
            ("-33554433", ElementType::F32, format!("-33554433 does not fit f32{choose}")),
            ("1e-60", ElementType::F32, format!("\"1e-60\" does not fit f32{choose}")),
            ("-0.1E-999", ElementType::F32, "\"-0.1E-999\" does not fit f32".to_string()),
            (&long, ElementType::F64, format!("\"{long}\" does not fit f64")),
            (
                "9007199254740993",
                ElementType::F64,
                "9007199254740993 does not fit f64; IDX has no type for it, so round it first"
                    .to_string(),
            ),
        ] {
            assert_eq!(found(text, element_type), Err(expected));
        }
    }

    #[test]
    fn floats_are_written_as_the_standard_library_writes_them() {
        let mut text = Vec::new();
        // In the middle between two decimals, at powers of ten, and special ones.
        for value in [1.644_531_3, -0.400_390_63, 1e13, 1e-4, -0.0, f32::NAN, f32::INFINITY] {
            check(&mut text, value);
        }
        for bits in (0..=u32::MAX).step_by(9973) {
            check(&mut text, f32::from_bits(bits));
            check(&mut text, f64::from_bits(u64::from(bits) << 32 | u64::from(bits)));
            check(&mut text, f64::from(bits) / 4096.0);
        }
    }
}
