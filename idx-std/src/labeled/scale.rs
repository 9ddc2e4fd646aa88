use std::ops::RangeInclusive;

use idx_core::{ElementType, IdxRecord};

use super::Labeled;
use crate::{Error, ErrorKind, Summary, memory};

/// How pixels of one byte become numbers to learn from.
///
/// ```
/// use idx_std::Scale;
///
/// assert_eq!([0, 51, 255].map(|pixel| Scale::UNIT.apply(pixel)), [0.0, 0.2, 1.0]);
/// // The mean and the deviation of MNIST's training images.
/// assert_eq!(Scale::standard(0.1307, 0.3081).apply(0), -0.1307 / 0.3081);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    mean: f32,
    deviation: f32,
}

impl Scale {
    /// From 0 to 1: divided by 255.
    pub const UNIT: Self = Self {
        mean: 0.0,
        deviation: 1.0,
    };

    /// Standardised: divided by 255, less the mean, and divided by the deviation, both of which are of
    /// pixels from 0 to 1. A deviation of 0, that of pixels which are all equal, counts as 1.
    #[must_use]
    pub const fn standard(mean: f32, deviation: f32) -> Self {
        Self {
            mean,
            deviation: if deviation == 0.0 { 1.0 } else { deviation },
        }
    }

    /// The number for a pixel.
    #[must_use]
    #[inline]
    pub fn apply(self, pixel: u8) -> f32 {
        (f32::from(pixel) / 255.0 - self.mean) / self.deviation
    }
}

/// Standardised with what was computed of the images: [`Labeled::summary`] of the training set, and
/// the same for the test.
impl From<&Summary> for Scale {
    #[expect(clippy::cast_possible_truncation, reason = "rounded to what is used")]
    fn from(summary: &Summary) -> Self {
        let mean = summary.mean.unwrap_or(0.0) / 255.0;
        let deviation = summary.standard_deviation.unwrap_or(0.0) / 255.0;
        Self::standard(mean as f32, deviation as f32)
    }
}

impl<I: IdxRecord, L: IdxRecord> Labeled<I, L> {
    /// The pixels of all images one after the other, as numbers: a matrix of [`len`](Self::len) rows.
    ///
    /// For images of `u8`; of others this does not compile.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if there is not enough memory.
    pub fn pixels(&self, scale: Scale) -> Result<Vec<f32>, Error> {
        const {
            assert!(
                matches!(I::ELEMENT, ElementType::U8),
                "pixels from 0 to 255 are scaled; take the elements of other images as they are"
            );
        }
        let mut pixels = Vec::new();
        memory::reserve(&mut pixels, self.len().saturating_mul(I::SIZE))?;
        for record in self.order.iter() {
            let bytes = self.images.bytes(record).iter();
            pixels.extend(bytes.map(|pixel| scale.apply(*pixel)));
        }
        Ok(pixels)
    }

    /// The labels as rows of zeros with a one at the class: a matrix of [`len`](Self::len) rows, with
    /// a column for each of `classes`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::OtherClass`] if an image is of none of them, and [`ErrorKind::Io`] if there is not
    /// enough memory.
    pub fn one_hot(&self, classes: RangeInclusive<i32>) -> Result<Vec<f32>, Error> {
        let (first, last) = (i64::from(*classes.start()), i64::from(*classes.end()));
        let columns = usize::try_from(last - first + 1).unwrap_or(0);
        let mut rows = Vec::new();
        memory::reserve(&mut rows, self.len().saturating_mul(columns))?;
        for record in self.order.iter() {
            let class = self.class_of(record);
            if !classes.contains(&class) {
                let kind = ErrorKind::OtherClass {
                    record,
                    class,
                    classes,
                };
                return Err(Error::from(kind).with_path(self.labels.file.path()));
            }
            rows.extend((first..=last).map(|column| f32::from(column == i64::from(class))));
        }
        Ok(rows)
    }
}
