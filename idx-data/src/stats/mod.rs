//! Mean, deviation, extremes and distribution of elements, in one pass and constant memory.

use std::fmt;
use std::io::Read;

use idx_std::ElementType;

use crate::error::Error;
use crate::stats::moments::{ExactSums, Moments, biased_exponent};
use histogram::Grid;
pub use histogram::Histogram;
use idx_std::Reader;

mod histogram;
mod moments;

/// Computes statistics of elements, in one pass and constant memory.
///
/// It takes elements as big-endian bytes, any number of whole elements at a time, such as the records of
/// a [`Reader`]. [`summary`](Self::summary) returns the result.
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

/// How often each byte occurred, in several tables: in one table, equal bytes in a row would wait for each
/// other.
type ByteCounts = [[u64; 256]; 4];

/// Statistics of elements.
///
/// Infinities and NaNs are counted, and excluded from everything else.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of elements, including those that are not finite.
    pub count: u64,
    /// The number of NaNs.
    pub nan: u64,
    /// The number of infinities, of either sign.
    pub infinite: u64,
    /// The smallest element; this and the next three are `None` without finite elements.
    pub min: Option<f64>,
    /// The largest element.
    pub max: Option<f64>,
    /// The mean. For integers it is exact except for one or two roundings; no sum overflows.
    pub mean: Option<f64>,
    /// The population standard deviation: the root of the mean square of the distance to the mean.
    pub standard_deviation: Option<f64>,
    /// How the elements are distributed.
    pub histogram: Histogram,
}

/// Reads all further records of a reader, and summarizes their elements; also passes the records to `on_records`,
/// several at a time as [`Reader::next_records`] returns them.
///
/// Large files are read while another thread summarizes what was read before, if there is a second core.
///
/// ```
/// use idx_data::{Reader, stats};
///
/// let file = [0, 0, 0x08, 1, 0, 0, 0, 3, 1, 1, 4];
/// let summary = stats::summarize_reader(Reader::new(&file[..])?, |_| ())?;
/// assert_eq!((summary.count, summary.mean), (3, Some(2.0)));
/// # Ok::<(), idx_data::Error>(())
/// ```
///
/// # Errors
///
/// As [`Reader::next_records`].
pub fn summarize_reader<R: Read>(
    mut reader: Reader<R>,
    on_records: impl FnMut(&[u8]),
) -> Result<Summary, Error> {
    let mut stats = Stats::new(reader.header().element_type());
    reader.read_beside(&mut |elements| stats.push_bytes(elements), on_records)?;
    Ok(stats.summary())
}

impl Stats {
    /// Starts without elements.
    #[must_use]
    pub fn new(element_type: ElementType) -> Self {
        Self {
            element_type,
            seen: match element_type {
                ElementType::U8 | ElementType::I8 => Seen::Bytes(Box::new([[0; 256]; 4])),
                ElementType::I16 | ElementType::I32 => Seen::Integers(Integers::new()),
                ElementType::F32 => Seen::Floats(Floats::new(f32::MANTISSA_DIGITS)),
                ElementType::F64 => Seen::Floats(Floats::new(f64::MANTISSA_DIGITS)),
            },
        }
    }

    /// Adds elements, given as their big-endian bytes; an incomplete element at the end is ignored.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        match (&mut self.seen, self.element_type) {
            (Seen::Bytes(counts), _) => count_bytes(counts, bytes),
            (Seen::Integers(integers), ElementType::I16) => {
                let (elements, _) = bytes.as_chunks();
                integers.push(elements.iter().map(|bytes| i16::from_be_bytes(*bytes).into()));
            }
            (Seen::Integers(integers), _) => {
                let (elements, _) = bytes.as_chunks();
                integers.push(elements.iter().map(|bytes| i32::from_be_bytes(*bytes).into()));
            }
            (Seen::Floats(floats), ElementType::F32) => {
                let (elements, _) = bytes.as_chunks();
                floats.push(elements.iter().map(|bytes| f32::from_be_bytes(*bytes).into()));
            }
            (Seen::Floats(floats), _) => {
                let (elements, _) = bytes.as_chunks();
                floats.push(elements.iter().map(|bytes| f64::from_be_bytes(*bytes)));
            }
        }
    }

    /// The statistics of the elements so far.
    #[must_use]
    pub fn summary(&self) -> Summary {
        match &self.seen {
            Seen::Bytes(counts) => {
                let mut integers = Integers::new();
                for byte in 0..=u8::MAX {
                    let count = counts.iter().filter_map(|table| table.get(usize::from(byte)));
                    let value = match self.element_type {
                        ElementType::I8 => byte.cast_signed().into(),
                        _ => byte.into(),
                    };
                    integers.push_many(value, count.sum());
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

fn count_bytes(counts: &mut ByteCounts, bytes: &[u8]) {
    let [a, b, c, d] = counts;
    let count = |table: &mut [u64; 256], byte: u8| {
        if let Some(count) = table.get_mut(usize::from(byte)) {
            *count += 1;
        }
    };
    let (fours, rest) = bytes.as_chunks();
    for [first, second, third, fourth] in fours {
        count(a, *first);
        count(b, *second);
        count(c, *third);
        count(d, *fourth);
    }
    for byte in rest {
        count(a, *byte);
    }
}

/// Integers of at most 32 bits.
#[derive(Clone)]
struct Integers {
    min: i64,
    max: i64,
    sums: ExactSums,
    grid: Grid,
}

impl Integers {
    fn new() -> Self {
        Self { min: i64::MAX, max: i64::MIN, sums: ExactSums::default(), grid: Grid::of_integers() }
    }

    fn push(&mut self, values: impl Iterator<Item = i64>) {
        for value in values {
            self.push_many(value, 1);
        }
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
        let is_some = self.sums.count() > 0;
        let (mean, standard_deviation) = self.sums.mean_and_deviation().unzip();
        Summary {
            count: self.sums.count(),
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
}

impl Floats {
    fn new(mantissa_digits: u32) -> Self {
        Self {
            nan: 0,
            infinite: 0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            moments: Moments::default(),
            grid: Grid::of_floats(mantissa_digits),
        }
    }

    fn push(&mut self, values: impl Iterator<Item = f64>) {
        for value in values {
            if value.is_nan() {
                self.nan += 1;
            } else if value.is_infinite() {
                self.infinite += 1;
            } else {
                self.min = self.min.min(value);
                self.max = self.max.max(value);
                self.moments.push(value);
                let (mantissa, exponent) = parts(value);
                self.grid.push(mantissa, exponent, 1);
            }
        }
    }

    fn summary(&self) -> Summary {
        let (mean, standard_deviation) = self.moments.mean_and_deviation().unzip();
        Summary {
            count: self.moments.count() + self.nan + self.infinite,
            nan: self.nan,
            infinite: self.infinite,
            min: mean.map(|_| self.min),
            max: mean.map(|_| self.max),
            // Rounding must not move the mean out of the range of the elements.
            mean: mean.map(|mean| mean.clamp(self.min, self.max)),
            standard_deviation,
            histogram: self.grid.histogram(),
        }
    }
}

/// A finite value as an integer times a power of two (IEEE 754).
fn parts(value: f64) -> (i64, i32) {
    let bits = value.to_bits().cast_signed();
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = match biased_exponent(value) {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, exponent - 1075),
    };
    (if bits < 0 { -mantissa } else { mantissa }, exponent)
}
