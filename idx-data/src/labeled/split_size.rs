use crate::ErrorKind;
use crate::chance::invalid_fraction;

/// The size of a part of a set; see [`Labeled::split`](crate::Labeled::split).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SplitSize {
    /// A number of records.
    Count(usize),
    /// A fraction of all records, from 0 to 1.
    Fraction(f64),
}

impl From<usize> for SplitSize {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for SplitSize {
    fn from(fraction: f64) -> Self {
        Self::Fraction(fraction)
    }
}

/// The end of a part. Fractions are added before they are rounded, so that the parts fit together.
#[derive(Default)]
pub(super) struct End {
    counts: usize,
    fractions: f64,
    /// The sum of all fractions.
    rounded: usize,
}

impl End {
    pub(super) fn index(&self) -> usize {
        self.counts.saturating_add(self.rounded)
    }

    /// Advances by a part of `len` records.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "numbers of records have 32 bits, and fractions are not negative"
    )]
    pub(super) fn advance(&mut self, size: SplitSize, len: usize) -> Result<(), ErrorKind> {
        match size {
            SplitSize::Count(count) => self.counts = self.counts.saturating_add(count),
            SplitSize::Fraction(fraction) => {
                if !(0.0..=1.0).contains(&fraction) {
                    return Err(invalid_fraction(fraction));
                }
                self.fractions += fraction;
                self.rounded = (self.fractions * len as f64).round() as usize;
            }
        }
        Ok(())
    }
}
