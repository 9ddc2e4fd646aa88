//! Parses numbers: a whole number is read exactly or refused, a fraction becomes the nearest number of a float type,
//! and only 0 becomes 0.

use idx_std::ElementType;

use crate::error::ErrorKind;
use crate::record::value::Value;

/// Appends the number to `elements`; `not_number` is the error for a text that is not a number.
pub(super) fn append_number(
    text: &str,
    element_type: ElementType,
    not_number: impl Fn(String) -> ErrorKind,
    elements: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    let number = match element_type {
        ElementType::F32 => {
            let number = text.parse::<f32>().ok();
            let number = number.filter(|number| {
                is_kept(text, f64::from(*number), f32::EPSILON.into(), || format!("{number:?}"))
            });
            number.map(|number| Value::Float(number.into()))
        }
        ElementType::F64 => kept_f64(text).map(Value::Float),
        _ => whole(text).map(Value::Integer),
    };
    if let Some(number) = number {
        let appended = number.append_to(elements, element_type);
        return appended.ok_or_else(|| number.out_of_range(element_type));
    }
    if text.parse::<f64>().is_err() {
        return Err(not_number(format!("{} is not a number", quoted(text))));
    }
    let number = match whole(text) {
        Some(integer) => Some(Value::Integer(integer)),
        None => kept_f64(text).filter(|_| !element_type.is_float()).map(Value::Float),
    };
    // A fraction may have been rounded to a number that fits the type.
    let fits = |number: &Value| number.append_to(&mut Vec::new(), element_type).is_some();
    if let Some(number) = number.filter(|number| !fits(number)) {
        return Err(number.out_of_range(element_type));
    }
    let number = quoted(text);
    Err(match kept_f64(text) {
        Some(_) => ErrorKind::does_not_fit(&number, element_type),
        None => ErrorKind::malformed(format!(
            "{number} does not fit {element_type}; IDX has no type for it, so round it first"
        )),
    })
}

pub(crate) fn parse_label(
    text: &str,
    not_number: impl Fn(String) -> ErrorKind,
) -> Result<i128, ErrorKind> {
    whole(text)
        .ok_or_else(|| not_number(format!("{} is not a label, a whole number", quoted(text))))
}

fn kept_f64(text: &str) -> Option<f64> {
    let number = text.parse().ok();
    number.filter(|number: &f64| is_kept(text, *number, f64::EPSILON, || format!("{number:?}")))
}

/// Returns whether a float may stand for the text that it was rounded from: the text has its digits, or is its shortest
/// form.
fn is_kept(text: &str, number: f64, epsilon: f64, shortest: impl Fn() -> String) -> bool {
    match number.abs() {
        0.0 => decimal(text).is_some_and(|(digits, _)| digits.is_empty()),
        // The type has all whole numbers below this, and no larger number rounds to them.
        size if size < 2.0 / epsilon || size.is_nan() => true,
        f64::INFINITY => !text.contains(|digit: char| digit.is_ascii_digit()),
        size => decimal(text).is_some_and(|(digits, exponent)| {
            // A whole number has no more digits than the largest float.
            let rounded = || format!("{size:.*e}", digits.len().saturating_sub(1)).replace('.', "");
            // Just below a power of two, floats are so close that the shortest text may have other digits.
            exponent < 0
                || rounded().split('e').next() == Some(&digits)
                || decimal(&shortest()) == Some(without_zeros(&digits, exponent))
        }),
    }
}

/// Returns the whole number in a text, in any notation: `5`, `+5`, `5.0`, or, as NumPy writes it,
/// `5.000000000000000000e+00`.
fn whole(text: &str) -> Option<i128> {
    if let Ok(integer) = text.parse::<i64>() {
        return Some(integer.into());
    }
    text.parse::<f64>().ok()?;
    let (digits, exponent) = decimal(text)?;
    if digits.is_empty() {
        return Some(0);
    }
    const MAX_DIGITS: usize = 39; // those of `i128`
    let zeros = usize::try_from(exponent).ok().filter(|zeros| *zeros <= MAX_DIGITS)?;
    let sign = if text.starts_with('-') { "-" } else { "" };
    format!("{sign}{digits}{}", "0".repeat(zeros)).parse().ok()
}

/// Returns the digits of a number, without its sign and leading zeros, and the power of ten of the last digit.
///
/// In a text with a point or an exponent, trailing zeros do not count, because the `f32` 123456792 is written as
/// `123456790.0`, and the largest `f32` as `3.4028235e38`.
fn decimal(text: &str) -> Option<(String, i64)> {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [integer, fraction].concat();
    let mut digits = all.trim_start_matches('0');
    if integer.len() < text.len() {
        digits = digits.trim_end_matches('0');
    }
    if digits.is_empty() {
        return Some((String::new(), 0));
    }
    let zeros = all.len() - all.trim_start_matches('0').len() + digits.len();
    let places = i64::try_from(zeros).ok()? - i64::try_from(integer.len()).ok()?;
    Some((digits.to_string(), i64::from(exponent.parse::<i32>().ok()?) - places))
}

/// Returns the same number with no trailing zeros.
fn without_zeros(digits: &str, exponent: i64) -> (String, i64) {
    let short = digits.trim_end_matches('0');
    let zeros = i64::try_from(digits.len() - short.len()).unwrap_or(i64::MAX);
    (short.to_string(), exponent.saturating_add(zeros))
}

/// Quotes a text, but only its start, because a field may be as long as the file.
fn quoted(text: &str) -> String {
    const MAX: usize = 60;
    let start: String = text.chars().take(MAX).collect();
    let more = if start.len() < text.len() { "..." } else { "" };
    format!("{start:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, element_type: ElementType) -> Result<f64, String> {
        let mut elements = vec![];
        match append_number(text, element_type, ErrorKind::malformed, &mut elements) {
            Ok(()) => Ok(element_type.value(&elements).unwrap()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn whole_numbers_in_any_notation_are_exact() {
        for (text, expected) in [
            ("7", 7),
            ("+7", 7),
            ("-0", 0),
            ("007.", 7),
            ("1e2", 100),
            ("0.5E+1", 5),
            ("1200e-2", 12),
            ("0.00012e6", 120),
            ("5.000000000000000000e+00", 5),
            ("0e99999999999", 0),
        ] {
            for element_type in ElementType::ALL {
                assert_eq!(number(text, element_type), Ok(expected.into()), "{text}");
            }
            assert_eq!(
                parse_label(text, ErrorKind::malformed).unwrap(),
                i128::from(expected),
                "{text}"
            );
        }
        assert_eq!(
            parse_label("9007199254740993.0", ErrorKind::malformed).unwrap(),
            9_007_199_254_740_993
        );
        assert_eq!(parse_label("-1e38", ErrorKind::malformed).unwrap(), -(10i128.pow(38)));
        for text in
            ["", "+", ".", "-.", "e5", "1e", "+-5", "1.2.3", "0x5", "inf", "1e39", "3.5", "1e-400"]
        {
            assert!(parse_label(text, ErrorKind::malformed).is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_that_a_type_does_not_have_are_refused() {
        for (text, element_type) in [
            ("1e-400", ElementType::U8),
            ("0.99999999999999999999", ElementType::U8),
            ("2147483647.00000001", ElementType::I32),
            ("16777217.0", ElementType::F32),
            ("1.6777217e7", ElementType::F32),
            ("9007199254740993.0", ElementType::F64),
            ("16777217", ElementType::F32),
            ("-33554433", ElementType::F32),
            ("9007199254740993", ElementType::F64),
            (&"1".repeat(40), ElementType::F64),
            (&"1".repeat(400), ElementType::F64),
            ("256", ElementType::U8),
            ("2.56e2", ElementType::U8),
            ("-1", ElementType::U8),
            ("nan", ElementType::U8),
            ("1e39", ElementType::F32),
            ("1e309", ElementType::F64),
            ("1e-46", ElementType::F32),
            ("-0.1E-999", ElementType::F64),
            ("1e-99999999999", ElementType::F64),
        ] {
            let error = number(text, element_type).unwrap_err();
            assert!(error.contains(&format!("does not fit {element_type}")), "{text}: {error}");
        }
        // It is not infinite, although no float is that large.
        let error = number(&"9".repeat(70_000), ElementType::U8).unwrap_err();
        assert!(error.starts_with("\"9999") && error.contains("does not fit u8; IDX has no type"));
        let error = number("1.5", ElementType::I16).unwrap_err();
        assert!(error.starts_with("1.5 is not a whole number, as i16 needs"), "{error}");
    }

    #[test]
    fn the_shortest_text_of_a_value_is_that_value() {
        for power in 0..1023 {
            for near in [-1, 0, 1] {
                let found =
                    f64::from_bits(2f64.powi(power).to_bits().wrapping_add_signed(near.into()));
                assert_eq!(kept_f64(&format!("{found:?}")), Some(found), "2^{power}");
                assert_eq!(kept_f64(&format!("{found}")), Some(found), "2^{power}");
                if power < 127 {
                    let bits = 2f32.powi(power).to_bits().wrapping_add_signed(near);
                    let value = f32::from_bits(bits);
                    for text in [format!("{value:?}"), format!("{value}")] {
                        assert_eq!(number(&text, ElementType::F32), Ok(value.into()), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn floats_are_those_nearest_to_fractions_and_those_that_were_written() {
        let largest = format!("{:.0}", f32::MAX);
        for (text, expected) in [
            ("16777216", 16_777_216.0),
            ("+0016777218", 16_777_218.0),
            ("16777217.5", 16_777_218.0),
            (&largest, f32::MAX),
            ("3.4028235e38", f32::MAX),
            ("3.402823466385288598e+38", f32::MAX),
            ("123456790.0", 123_456_792.0),
            ("0.1", 0.1),
            ("1e-45", f32::from_bits(1)),
            ("-0.00E9", 0.0),
            ("-inf", f32::NEG_INFINITY),
        ] {
            assert_eq!(number(text, ElementType::F32), Ok(expected.into()), "{text}");
        }
        let long = format!("1{}.{}", "0".repeat(20), "1".repeat(100_000));
        assert_eq!(number(&long, ElementType::F64), Ok(1e20));
        assert!(number("NaN", ElementType::F32).unwrap().is_nan());
        // Whatever this library or NumPy writes can be read.
        for bits in (0..=u32::MAX).step_by(99_991) {
            let narrow = f32::from_bits(bits);
            let wide = f64::from_bits(u64::from(bits) << 32 | u64::from(!bits));
            for text in [format!("{narrow:?}"), format!("{narrow:.18e}")] {
                let found = number(&text, ElementType::F32).map(f64::to_bits);
                assert!(found == Ok(f64::from(narrow).to_bits()) || narrow.is_nan(), "{text}");
            }
            for text in [format!("{wide:?}"), format!("{wide:.18e}")] {
                let found = number(&text, ElementType::F64).map(f64::to_bits);
                assert!(found == Ok(wide.to_bits()) || wide.is_nan(), "{text}");
            }
        }
    }
}
