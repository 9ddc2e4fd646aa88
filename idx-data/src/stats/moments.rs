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

/// The mean of floats and the sum of the squared distances to it. Both are those of the distances to the first value, so
/// that values close together lose no digits, and divided by a power of two, so that no square overflows.
///
/// Blocks are summed separately and then combined (Chan and others, "Updating Formulae and a Pairwise
/// Algorithm for Computing Sample Variances", 1979).
#[derive(Clone, Default)]
pub(super) struct Moments {
    first: f64,
    exponent: i32,
    mean: f64,
    squares: f64,
    count: u64,
    /// Values that are not in the sums yet.
    block: Vec<f64>,
}

/// Large enough that the cost per block does not matter.
const BLOCK: usize = 1024;

impl Moments {
    /// Adds a finite value.
    pub(super) fn push(&mut self, value: f64) {
        if self.count == 0 && self.block.is_empty() {
            self.first = value;
        }
        self.block.push(value);
        if self.block.len() == BLOCK {
            self.add_block();
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 values")]
    fn add_block(&mut self) {
        let largest = self.block.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        self.scale_to((biased_exponent(largest) - 1023).clamp(-1022, 1022));
        let scale = power_of_two(-self.exponent);
        let first = self.first * scale;
        let distances = || self.block.iter().map(|value| value * scale - first);
        let count = self.block.len() as f64;
        let mean = distances().sum::<f64>() / count;
        // What rounding left of the distances to the mean.
        let rest: f64 = distances().map(|distance| distance - mean).sum();
        let squares: f64 = distances().map(|distance| (distance - mean).powi(2)).sum();
        let squares = (squares - rest * rest / count).max(0.0);
        let mean = mean + rest / count;

        let before = self.count as f64;
        let distance = mean - self.mean;
        let part = count / (before + count);
        self.mean += distance * part;
        self.squares += squares + distance * distance * before * part;
        self.count += self.block.len() as u64;
        self.block.clear();
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
        self.count + self.block.len() as u64
    }

    #[expect(clippy::cast_precision_loss, reason = "fewer than 2^53 values")]
    pub(super) fn mean_and_deviation(&self) -> Option<(f64, f64)> {
        let mut all = self.clone();
        if !all.block.is_empty() {
            all.add_block();
        }
        let scale = power_of_two(all.exponent);
        let variance = all.squares / all.count as f64;
        // The first value and the distance may have opposite signs, and a sum that does not overflow.
        let mean = (self.first * power_of_two(-all.exponent) + all.mean) * scale;
        (all.count > 0).then(|| (mean, variance.sqrt() * scale))
    }
}

/// A power of two from 2^-1022 to 2^1023.
fn power_of_two(exponent: i32) -> f64 {
    debug_assert!((-1022..=1023).contains(&exponent), "a normal number");
    let biased = u64::try_from(exponent + 1023).unwrap_or(0);
    f64::from_bits(biased << 52)
}

pub(super) fn biased_exponent(value: f64) -> i32 {
    // Eleven bits.
    i32::try_from(value.to_bits() >> 52 & 0x7FF).unwrap_or(0)
}
