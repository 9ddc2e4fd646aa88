use crate::ErrorKind;

/// How large a part of a set is; see [`Labeled::split`](crate::Labeled::split).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// So many records.
    Count(usize),
    /// Such a part of all, from 0 to 1.
    Fraction(f64),
}

impl From<usize> for Share {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Share {
    fn from(fraction: f64) -> Self {
        Self::Fraction(fraction)
    }
}

/// Where a part ends: fractions are added before they are rounded, so that parts fit together.
#[derive(Default)]
pub(super) struct End {
    counts: usize,
    fractions: f64,
    /// Of all fractions together.
    rounded: usize,
}

impl End {
    pub(super) fn index(&self) -> usize {
        self.counts.saturating_add(self.rounded)
    }

    /// Goes on by a share of `len` records.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "numbers of records have 32 bits, and fractions are not negative"
    )]
    pub(super) fn advance(&mut self, share: Share, len: usize) -> Result<(), ErrorKind> {
        match share {
            Share::Count(count) => self.counts = self.counts.saturating_add(count),
            Share::Fraction(fraction) => {
                if !(0.0..=1.0).contains(&fraction) {
                    return Err(ErrorKind::NoFraction { fraction });
                }
                self.fractions += fraction;
                self.rounded = (self.fractions * len as f64).round() as usize;
            }
        }
        Ok(())
    }
}
