//! Computes the mean, deviation, extremes and distribution of elements, in one pass and constant memory.

use std::fmt;

use idx_std::ElementType;

use crate::stats::block::{BLOCK, fold_in_parts, range};
use crate::stats::byte_counts::ByteCounts;
use crate::stats::histogram::Grid;
use crate::stats::moments::{ExactSums, Moments};
pub use histogram::Histogram;
use idx_std::__private::wide;

mod block;
mod byte_counts;
mod float;
mod histogram;
mod moments;

/// Computes statistics of elements, in one pass and constant memory.
///
/// Elements are pushed as big-endian bytes, any number of whole elements at a time, such as the records of a
/// [`Reader`](crate::Reader). [`summary`](Self::summary) returns the result.
///
/// ```
/// use idx_std::ElementType;
/// use idx_data::stats::Stats;
///
/// let mut stats = Stats::new(ElementType::U8);
/// stats.push_bytes(&[1, 1]);
/// stats.push_bytes(&[4]);
/// let summary = stats.summary();
/// assert_eq!((summary.count, summary.min, summary.max), (3, Some(1.0), Some(4.0)));
/// assert_eq!((summary.mean, summary.standard_deviation), (Some(2.0), Some(2f64.sqrt())));
/// assert!(summary.histogram.bins().eq([(1.0..2.0, 2), (2.0..3.0, 0), (3.0..4.0, 0), (4.0..5.0, 1)]));
/// ```
#[derive(Clone)]
pub struct Stats {
    element_type: ElementType,
    seen: Seen,
}

#[derive(Clone)]
enum Seen {
    Bytes(Box<ByteCounts>),
    Integers(Integers),
    Floats(Floats),
}

/// Statistics of elements.
///
/// Infinities and NaNs are counted, but excluded from everything else.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of elements, including those that are not finite.
    pub count: u64,
    /// The number of NaNs.
    pub nan: u64,
    /// The number of infinities, of either sign.
    pub infinite: u64,
    /// The smallest element. This and the next three fields are `None` if there are no finite elements.
    pub min: Option<f64>,
    /// The largest element.
    pub max: Option<f64>,
    /// The mean. For integers it is exact except for one or two roundings; no sum overflows.
    pub mean: Option<f64>,
    /// The population standard deviation: the square root of the mean squared distance to the mean.
    pub standard_deviation: Option<f64>,
    /// The distribution of the elements.
    pub histogram: Histogram,
}

impl Stats {
    /// Creates statistics for elements of this type, with no elements yet.
    #[must_use]
    pub fn new(element_type: ElementType) -> Self {
        Self {
            element_type,
            seen: match element_type {
                ElementType::U8 | ElementType::I8 => Seen::Bytes(Box::new(ByteCounts::new())),
                ElementType::I16 | ElementType::I32 => Seen::Integers(Integers::new()),
                ElementType::F32 => Seen::Floats(Floats::new(f32::MANTISSA_DIGITS)),
                ElementType::F64 => Seen::Floats(Floats::new(f64::MANTISSA_DIGITS)),
            },
        }
    }

    /// Adds elements, given as their big-endian bytes. An incomplete element at the end is ignored.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        match (&mut self.seen, self.element_type) {
            (Seen::Bytes(counts), _) => counts.push(bytes),
            (Seen::Integers(integers), ElementType::I16) => {
                integers.push(bytes.as_chunks().0, |bytes| i16::from_be_bytes(bytes).into());
            }
            (Seen::Integers(integers), _) => {
                integers.push(bytes.as_chunks().0, i32::from_be_bytes);
            }
            (Seen::Floats(floats), ElementType::F32) => {
                floats.push(bytes.as_chunks().0, |bytes| f32::from_be_bytes(bytes).into());
            }
            (Seen::Floats(floats), _) => floats.push(bytes.as_chunks().0, f64::from_be_bytes),
        }
    }

    /// Returns the statistics of the elements so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        match &self.seen {
            Seen::Bytes(counts) => {
                let mut integers = Integers::new();
                for (byte, count) in (0..=u8::MAX).zip(counts.totals()) {
                    let value = match self.element_type {
                        ElementType::I8 => byte.cast_signed().into(),
                        _ => byte.into(),
                    };
                    integers.push_many(value, count);
                }
                integers.summary()
            }
            Seen::Integers(integers) => integers.summary(),
            Seen::Floats(floats) => floats.summary(),
        }
    }
}

impl fmt::Debug for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Stats");
        shown.field("element_type", &self.element_type);
        shown.field("summary", &self.summary()).finish()
    }
}

/// Integers of at most 32 bits.
#[derive(Clone)]
struct Integers {
    min: i64,
    max: i64,
    sums: ExactSums,
    grid: Grid,
    /// The elements of a block.
    block: Vec<i32>,
}

impl Integers {
    fn new() -> Self {
        Self {
            min: i64::MAX,
            max: i64::MIN,
            sums: ExactSums::default(),
            grid: Grid::new(0, 1 << 32),
            block: Vec::new(),
        }
    }

    fn push<const N: usize>(&mut self, elements: &[[u8; N]], value: impl Fn([u8; N]) -> i32) {
        for elements in elements.chunks(BLOCK) {
            self.block.clear();
            wide::map(elements, &value, &mut self.block);
            self.add_block();
        }
    }

    fn add_block(&mut self) {
        let [min, max] = range(&self.block, [i32::MAX, i32::MIN]);
        self.min = self.min.min(min.into());
        self.max = self.max.max(max.into());
        self.sums.push_block(&self.block, [min, max]);
        self.grid.push_integers(&self.block, [min, max]);
    }

    /// Adds the same value `count` times.
    fn push_many(&mut self, value: i64, count: u64) {
        if count == 0 {
            return;
        }
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.sums.push(value, count);
        self.grid.push(value, 0, count);
    }

    #[expect(clippy::cast_precision_loss, reason = "they have at most 32 bits")]
    fn summary(&self) -> Summary {
        let is_some = self.sums.count > 0;
        let (mean, standard_deviation) = self.sums.mean_and_deviation().unzip();
        Summary {
            count: self.sums.count,
            nan: 0,
            infinite: 0,
            min: is_some.then_some(self.min as f64),
            max: is_some.then_some(self.max as f64),
            mean,
            standard_deviation,
            histogram: self.grid.histogram(),
        }
    }
}

#[derive(Clone)]
struct Floats {
    nan: u64,
    infinite: u64,
    min: f64,
    max: f64,
    moments: Moments,
    grid: Grid,
    /// The last elements, not yet in the other fields.
    block: Vec<f64>,
}

impl Floats {
    fn new(mantissa_digits: u32) -> Self {
        Self {
            nan: 0,
            infinite: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            moments: Moments::default(),
            // The minimum exponent is that of the smallest positive value.
            grid: Grid::new(-1074, 1 << mantissa_digits),
            block: Vec::new(),
        }
    }

    fn push<const N: usize>(&mut self, mut elements: &[[u8; N]], value: impl Fn([u8; N]) -> f64) {
        while !elements.is_empty() {
            let size = elements.len().min(BLOCK - self.block.len());
            let (first, rest) = elements.split_at(size);
            wide::map(first, &value, &mut self.block);
            elements = rest;
            if self.block.len() == BLOCK {
                self.add_block();
            }
        }
    }

    fn add_block(&mut self) {
        // This product is 0, or NaN if the value is not finite.
        let zeros = fold_in_parts(&self.block, 0.0, |sum, value| sum + value * 0.0);
        if zeros.sum::<f64>().is_nan() {
            let is_nan = |value: &&f64| value.is_nan();
            self.nan += self.block.iter().filter(is_nan).count() as u64;
            self.infinite += self.block.iter().filter(|value| value.is_infinite()).count() as u64;
            self.block.retain(|value| value.is_finite());
        }
        if !self.block.is_empty() {
            let [min, max] = range(&self.block, [f64::INFINITY, f64::NEG_INFINITY]);
            self.min = self.min.min(min);
            self.max = self.max.max(max);
            self.moments.push(&self.block, min.abs().max(max.abs()));
            self.grid.push_floats(&self.block, [min, max]);
            self.block.clear();
        }
    }

    fn summary(&self) -> Summary {
        let mut all = self.clone();
        all.add_block();
        let (mean, standard_deviation) = all.moments.mean_and_deviation().unzip();
        Summary {
            count: all.moments.count + all.nan + all.infinite,
            nan: all.nan,
            infinite: all.infinite,
            min: mean.map(|_| all.min),
            max: mean.map(|_| all.max),
            // Rounding must not move the mean out of the range of the elements.
            mean: mean.map(|mean| mean.clamp(all.min, all.max)),
            standard_deviation,
            histogram: all.grid.histogram(),
        }
    }
}
