//! Sizes of parts: a number of records, or a fraction.

use crate::ErrorKind;
use crate::chain::{expect_fraction, share_of};

/// The size of a part of a set: a number of records, or a fraction of all, from 0 to 1; see
/// [`Labeled::split`](crate::Labeled::split).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SplitSize {
    count: usize,
    fraction: f64,
}

impl From<usize> for SplitSize {
    fn from(count: usize) -> Self {
        Self { count, fraction: 0.0 }
    }
}

impl From<f64> for SplitSize {
    fn from(fraction: f64) -> Self {
        Self { count: 0, fraction }
    }
}

impl SplitSize {
    /// Adds two sizes. Fractions are added before they are rounded, so that adjacent parts fit together.
    pub(super) fn plus(self, other: Self) -> Result<Self, ErrorKind> {
        expect_fraction(other.fraction)?;
        let count = self.count.saturating_add(other.count);
        Ok(Self { count, fraction: self.fraction + other.fraction })
    }

    /// Returns this size as a number of records, out of `len`.
    pub(super) fn of(self, len: usize) -> usize {
        self.count.saturating_add(share_of(self.fraction, len))
    }
}
