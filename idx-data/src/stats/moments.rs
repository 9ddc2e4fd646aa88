use std::ops::Add;

use super::biased_exponent;

/// The exact sums of integers of at most 32 bits, and of their squares.
#[derive(Clone, Copy, Default)]
pub(super) struct ExactSums {
    count: u64,
    sum: i128,
    squares: i128,
}

impl ExactSums {
    pub(super) fn push(&mut self, value: i64, count: u64) {
        self.count += count;
        self.sum += i128::from(value) * i128::from(count);
        self.squares += i128::from(value * value) * i128::from(count);
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    #[expect(clippy::cast_precision_loss, reason = "rounded at the end, and only then")]
    pub(super) fn mean_and_deviation(&self) -> Option<(f64, f64)> {
        let count = i128::from(self.count);
        // The integer nearest to the mean, and the remainder, at most half of the count: then the
        // difference below loses at most one bit.
        let nearest = (2 * self.sum + count).checked_div_euclid(2 * count)?;
        let rest = self.sum - nearest * count;
        let squares = self.squares - nearest * (nearest * count + 2 * rest);
        let (count, rest) = (count as f64, rest as f64 / count as f64);
        let variance = squares as f64 / count - rest * rest;
        Some((nearest as f64 + rest, variance.sqrt()))
    }
}

/// The mean of floats and the sum of the squared distances to it, each divided by a power of two so that
/// no square overflows.
///
/// Blocks are summed separately and then combined (Chan and others, "Updating Formulae and a Pairwise
/// Algorithm for Computing Sample Variances", 1979).
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    count: u64,
    exponent: i32,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds finite values.
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 values")]
    pub(super) fn push(&mut self, values: &[f64]) {
        if values.is_empty() {
            return;
        }
        let largest = combine(values, 0.0, f64::abs, f64::max);
        self.scale_to((biased_exponent(largest) - 1023).clamp(-1022, 1022));
        let scale = power_of_two(-self.exponent);
        let count = values.len() as f64;
        let mean = combine(values, 0.0, |value| value * scale, f64::add) / count;
        let squares = combine(values, 0.0, |value| (value * scale - mean).powi(2), f64::add);

        let before = self.count as f64;
        let distance = mean - self.mean;
        let part = count / (before + count);
        self.mean += distance * part;
        self.squares += squares + distance * distance * before * part;
        self.count += values.len() as u64;
    }

    /// Divides by this power of two, if it is larger than the current one.
    fn scale_to(&mut self, exponent: i32) {
        if self.count == 0 {
            self.exponent = exponent;
        }
        // In parts, because the power itself may be too small for an f64.
        while self.exponent < exponent {
            let step = (exponent - self.exponent).min(500);
            self.mean *= power_of_two(-step);
            self.squares *= power_of_two(-2 * step);
            self.exponent += step;
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }

    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 values")]
    pub(super) fn mean_and_deviation(&self) -> Option<(f64, f64)> {
        let scale = power_of_two(self.exponent);
        let variance = self.squares / self.count as f64;
        (self.count > 0).then(|| (self.mean * scale, variance.sqrt() * scale))
    }
}

/// Joins `start`, which may be joined several times, and the terms of all values.
///
/// There are four chains, as in one each step would wait for the result of the step before it.
pub(super) fn combine(
    values: &[f64],
    start: f64,
    term: impl Fn(f64) -> f64,
    join: impl Fn(f64, f64) -> f64,
) -> f64 {
    let (fours, rest) = values.as_chunks::<4>();
    let mut chains = [start; 4];
    for four in fours {
        for (chain, value) in chains.iter_mut().zip(four) {
            *chain = join(*chain, term(*value));
        }
    }
    let rest = rest.iter().map(|value| term(*value));
    chains.into_iter().chain(rest).fold(start, join)
}

/// A power of two from 2^-1022 to 2^1023.
fn power_of_two(exponent: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&exponent), "a normal number");
    let biased = u64::try_from(exponent + 1023).unwrap_or(0);
    f64::from_bits(biased << 52)
}
