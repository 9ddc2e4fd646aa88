//! A histogram that widens its bins as values arrive.

use std::ops::Range;

use crate::stats::byte_counts::ByteCounts;
use crate::stats::float::{parts, power_of_two};
use idx_std::__private::wide;

/// The distribution of elements: counts in bins of equal width.
///
/// The width is the smallest power of two with which at most 256 bins cover all elements, and every bin starts at a
/// multiple of the width. So a histogram does not depend on the order of the elements, its counts are exact, and 8-bit
/// elements are counted value by value. The minimum width is 1 for integers and, for floats, the resolution of the
/// largest one.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The width is 2 to this power.
    exponent: i32,
    /// The first bin starts at this multiple of the width.
    first: i64,
    counts: Vec<u64>,
}

impl Histogram {
    /// Returns the width of each bin.
    #[must_use]
    pub fn width(&self) -> f64 {
        value(1, self.exponent)
    }

    /// Returns the bins, as half-open ranges, with the number of elements in each. The first and last bin have at least
    /// one.
    ///
    /// A bound out of range of `f64` becomes the nearest finite value.
    pub fn bins(&self) -> impl Iterator<Item = (Range<f64>, u64)> + '_ {
        self.counts.iter().zip(self.first..).map(|(count, index)| {
            let start = value(index, self.exponent);
            (start..value(index + 1, self.exponent), *count)
        })
    }

    /// Merges bins until at most `max` remain, but never fewer than two: the two sides of 0 are kept
    /// apart.
    #[must_use]
    pub fn coarser(mut self, max: usize) -> Self {
        while self.counts.len() > max.max(2) {
            self.widen();
        }
        self
    }

    /// Merges neighboring bins in pairs. Each pair starts at a multiple of twice the width.
    fn widen(&mut self) {
        let from_even = usize::from(self.first % 2 != 0);
        let bins = self.counts.len() + from_even;
        let joined = (0..bins.div_ceil(2)).map(|bin| {
            let count = |index: usize| {
                let index = index.checked_sub(from_even)?;
                self.counts.get(index).copied()
            };
            count(2 * bin).unwrap_or(0) + count(2 * bin + 1).unwrap_or(0)
        });
        self.counts = joined.collect();
        self.first = self.first.div_euclid(2);
        self.exponent += 1;
    }
}

/// Returns `index` times 2 to the power of `exponent`, or the nearest finite `f64`.
#[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
fn value(index: i64, exponent: i32) -> f64 {
    // In parts, because the power itself may be too small or too large for an f64.
    let half = exponent / 2;
    let value = index as f64 * 2f64.powi(half) * 2f64.powi(exponent - half);
    value.clamp(f64::MIN, f64::MAX)
}

/// A histogram whose range is not known before the last element.
#[derive(Clone)]
pub(super) struct Grid {
    histogram: Histogram,
    /// The largest absolute index of a bin.
    max: i64,
    /// The values that the histogram does not count yet, by the lowest byte of the index of their bin.
    pending: Box<ByteCounts>,
    /// The lowest byte of each index in a block.
    bytes: Vec<u8>,
}

impl Grid {
    /// The maximum number of bins.
    const BINS: i64 = 256;

    /// Starts with bins of width 2 to this power. `max` is the largest absolute index of a bin.
    pub(super) fn new(exponent: i32, max: i64) -> Self {
        let histogram = Histogram { exponent, first: 0, counts: Vec::new() };
        Self { histogram, max, pending: Box::new(ByteCounts::new()), bytes: Vec::new() }
    }

    pub(super) fn histogram(&self) -> Histogram {
        let mut all = self.clone();
        all.count_pending();
        all.histogram
    }

    /// Counts the value `mantissa` times 2 to the power of `exponent`, `count` times.
    pub(super) fn push(&mut self, mantissa: i64, exponent: i32, count: u64) {
        let bin = self.widened_bin(mantissa, exponent);
        if let Some(bin) = self.histogram.counts.get_mut(bin) {
            *bin += count;
        }
    }

    /// Counts integers, given the smallest and largest.
    pub(super) fn push_integers(&mut self, integers: &[i32], [min, max]: [i32; 2]) {
        self.widened_bin(min.into(), 0);
        self.widened_bin(max.into(), 0);
        let exponent = self.histogram.exponent.min(31);
        self.count(integers, |integer| (integer >> exponent).to_le_bytes()[0]);
    }

    /// Counts finite floats, given the smallest and largest.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "the indices of bins are integers of at most 53 bits"
    )]
    pub(super) fn push_floats(&mut self, floats: &[f64], [min, max]: [f64; 2]) {
        for value in [min, max] {
            let (mantissa, exponent) = parts(value);
            self.widened_bin(mantissa, exponent);
        }
        let exponent = self.histogram.exponent;
        if min == max || exponent < -1022 {
            // For equal values, or a bin width near that of the smallest floats.
            for value in floats {
                let (mantissa, exponent) = parts(*value);
                self.push(mantissa, exponent, 1);
            }
            return;
        }
        let (width, inverse) = (power_of_two(exponent), power_of_two(-exponent));
        // Adding this rounds to a whole number, and puts its lowest byte into the lowest byte of the sum.
        const ROUND: f64 = 1.5 * (1_u64 << 52) as f64;
        let first = self.histogram.first as f64;
        // Large values lose no digits with this base, and small ones none without.
        let base = if first.abs() > ROUND / 8.0 { first } else { 0.0 };
        let [last_of_base, ..] = (base as i64).to_le_bytes();
        self.count(floats, |float| {
            let rounded = float * inverse - base + ROUND;
            // Exact, even if the product is too small for an f64.
            let is_above = float < (rounded - ROUND + base) * width;
            let [last, ..] = rounded.to_bits().to_le_bytes();
            last.wrapping_add(last_of_base).wrapping_sub(is_above.into())
        });
    }

    /// Counts values that all have a bin. `last_byte` returns the lowest byte of its index.
    fn count<T: Copy>(&mut self, values: &[T], last_byte: impl Fn(T) -> u8) {
        self.bytes.clear();
        wide::map(values, last_byte, &mut self.bytes);
        self.pending.push(&self.bytes);
    }

    /// Counts the pending values in their bins. This takes as long as a block, so it is put off until the bins become
    /// wider.
    fn count_pending(&mut self) {
        let new: Vec<u64> = self.pending.totals().collect();
        for (bin, count) in (self.histogram.first..).zip(&mut self.histogram.counts) {
            *count += new.get(usize::from(bin.to_le_bytes()[0])).copied().unwrap_or_default();
        }
        *self.pending = ByteCounts::new();
    }

    /// Returns the bin of a value. Adds or widens bins until it has one.
    fn widened_bin(&mut self, mantissa: i64, exponent: i32) -> usize {
        loop {
            if let Some(bin) = self.bin(mantissa, exponent) {
                return bin;
            }
            self.count_pending();
            self.histogram.widen();
        }
    }

    /// Returns the bin of a value, and adds bins up to it. Returns `None` if the bins must be wider for that.
    fn bin(&mut self, mantissa: i64, exponent: i32) -> Option<usize> {
        let Histogram { exponent: width, first, counts } = &mut self.histogram;
        let index = index(mantissa, exponent - *width)?;
        if index.abs() > self.max {
            return None;
        }
        if counts.is_empty() {
            *first = index;
        }
        let bins = i64::try_from(counts.len()).ok()?;
        if (*first..*first + bins).contains(&index) {
            return usize::try_from(index - *first).ok();
        }
        let new_first = index.min(*first);
        let new_bins = (index + 1).max(*first + bins) - new_first;
        if new_bins > Self::BINS {
            return None;
        }
        let before = usize::try_from(*first - new_first).ok()?;
        counts.splice(0..0, std::iter::repeat_n(0, before));
        counts.resize(usize::try_from(new_bins).ok()?, 0);
        *first = new_first;
        usize::try_from(index - new_first).ok()
    }
}

/// Returns `mantissa` times 2 to the power of `exponent`, rounded down; `None` if it is too large.
fn index(mantissa: i64, exponent: i32) -> Option<i64> {
    match u32::try_from(exponent) {
        Ok(left) if mantissa == 0 || left < mantissa.abs().leading_zeros() => {
            Some(mantissa.checked_shl(left).unwrap_or(0))
        }
        Ok(_) => None,
        Err(_) => Some(mantissa >> exponent.unsigned_abs().min(63)),
    }
}
