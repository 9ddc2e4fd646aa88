//! The parts of an f64 (IEEE 754).

/// Splits a finite value into an integer and the exponent of the power of two to multiply it by.
pub(super) fn parts(value: f64) -> (i64, i32) {
    let bits = value.to_bits().cast_signed();
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = match biased_exponent(value) {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, exponent - 1075),
    };
    (if bits < 0 { -mantissa } else { mantissa }, exponent)
}

/// Returns a power of two from 2^-1022 to 2^1023.
pub(super) fn power_of_two(exponent: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&exponent), "a normal number");
    let biased = u64::try_from(exponent + 1023).unwrap_or(0);
    f64::from_bits(biased << 52)
}

pub(super) fn biased_exponent(value: f64) -> i32 {
    // Eleven bits.
    i32::try_from(value.to_bits() >> 52 & 0x7FF).unwrap_or(0)
}
