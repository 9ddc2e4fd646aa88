//! Sums, means and deviations without overflow or lost digits.

use std::iter::Sum;
use std::ops::Add;

use crate::stats::block::fold_in_parts;
use crate::stats::float::{biased_exponent, power_of_two};

/// The exact sums of integers of at most 32 bits, and of their squares.
#[derive(Clone, Copy, Default)]
pub(super) struct ExactSums {
    pub(super) count: u64,
    sum: i128,
    squares: i128,
}

impl ExactSums {
    pub(super) fn push(&mut self, value: i64, count: u64) {
        self.count += count;
        self.sum += i128::from(value) * i128::from(count);
        self.squares += i128::from(value * value) * i128::from(count);
    }

    /// Adds a block of values, given the smallest and largest.
    pub(super) fn push_block(&mut self, values: &[i32], [min, max]: [i32; 2]) {
        let square = |value: i32| u64::from(value.unsigned_abs()) * u64::from(value.unsigned_abs());
        let largest = square(min).max(square(max));
        self.squares += match largest.checked_mul(values.len() as u64) {
            Some(_) => sum(values, square).into(),
            // In halves, so that no sum overflows.
            None => {
                let low = sum(values, |value| square(value) & u64::from(u32::MAX));
                let high = sum(values, |value| square(value) >> 32);
                i128::from(low) + (i128::from(high) << 32)
            }
        };
        self.sum += i128::from(sum(values, i64::from));
        self.count += values.len() as u64;
    }

    #[expect(clippy::cast_precision_loss, reason = "rounded at the end, and only then")]
    pub(super) fn mean_and_deviation(&self) -> Option<(f64, f64)> {
        let count = i128::from(self.count);
        // The integer nearest to the mean, and the remainder, which is at most half the count, so that the difference
        // below loses at most one bit.
        let nearest = (2 * self.sum + count).checked_div_euclid(2 * count)?;
        let rest = self.sum - nearest * count;
        let squares = self.squares - nearest * (nearest * count + 2 * rest);
        let (count, rest) = (count as f64, rest as f64 / count as f64);
        let variance = squares as f64 / count - rest * rest;
        Some((nearest as f64 + rest, variance.sqrt()))
    }
}

/// The mean of floats, and the sum of the squared distances to it. Both are computed from the distances to the first
/// value, so that values close together lose no digits. The distances are divided by a power of two, so that no square
/// overflows.
///
/// Blocks are summed separately and then combined (Chan and others, "Updating Formulae and a Pairwise
/// Algorithm for Computing Sample Variances", 1979).
#[derive(Clone, Copy, Default)]
pub(super) struct Moments {
    first: f64,
    exponent: i32,
    mean: f64,
    squares: f64,
    pub(super) count: u64,
}

impl Moments {
    /// Adds a block of finite values, given their largest magnitude.
    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 values")]
    pub(super) fn push(&mut self, values: &[f64], largest: f64) {
        if self.count == 0 {
            self.first = values.first().copied().unwrap_or_default();
        }
        self.scale_to((biased_exponent(largest) - 1023).clamp(-1022, 1022));
        let scale = power_of_two(-self.exponent);
        let first = self.first * scale;
        let distance = |value: f64| value * scale - first;
        let count = values.len() as f64;
        let mean = sum(values, distance) / count;
        // What rounding has left of the distances to the mean.
        let rest = sum(values, |value| distance(value) - mean);
        let squares = sum(values, |value| (distance(value) - mean).powi(2));
        let squares = (squares - rest * rest / count).max(0.0);
        let mean = mean + rest / count;

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

    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 values")]
    pub(super) fn mean_and_deviation(&self) -> Option<(f64, f64)> {
        let scale = power_of_two(self.exponent);
        let variance = self.squares / self.count as f64;
        // Added before scaling up: the distance alone may overflow where the sum does not.
        let mean = (self.first * power_of_two(-self.exponent) + self.mean) * scale;
        (self.count > 0).then(|| (mean, variance.sqrt() * scale))
    }
}

/// Returns the sum of the results of `of` for the values.
fn sum<T: Copy, S: Copy + Default + Add<Output = S> + Sum>(values: &[T], of: impl Fn(T) -> S) -> S {
    fold_in_parts(values, S::default(), |sum, value| sum + of(value)).sum()
}
