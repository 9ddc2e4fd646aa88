//! Pixels as numbers for training.

use std::ops::RangeInclusive;

use idx_std::{ElementType, IdxRecord};

use crate::labeled::{Labeled, bytes};
use crate::stats::Summary;
use crate::{Error, ErrorKind};
use idx_std::__private::{alloc, wide};

/// Small images are copied to blocks of this size, and then converted: while only copying, a CPU fetches several
/// scattered images at a time, and the conversion then finds them in the L1 cache.
const GATHERED: usize = 16 << 10;

/// The conversion of one-byte pixels to numbers for training: divides by 255, subtracts the mean and divides by the
/// deviation.
///
/// ```
/// use idx_data::Normalize;
///
/// assert_eq!([0, 51, 255].map(|pixel| Normalize::UNIT.apply(pixel)), [0.0, 0.2, 1.0]);
/// // The mean and the deviation of MNIST's training images.
/// assert_eq!(Normalize { mean: 0.1307, deviation: 0.3081 }.apply(0), -0.1307 / 0.3081);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normalize {
    /// The mean of pixels from 0 to 1.
    pub mean: f32,
    /// The standard deviation of pixels from 0 to 1. A deviation of 0, as of equal pixels, counts as 1.
    pub deviation: f32,
}

impl Normalize {
    /// The conversion to numbers from 0 to 1: only divides by 255.
    pub const UNIT: Self = Self { mean: 0.0, deviation: 1.0 };

    /// Returns the number for a pixel.
    #[must_use]
    #[inline]
    pub fn apply(self, pixel: u8) -> f32 {
        let deviation = if self.deviation == 0.0 { 1.0 } else { self.deviation };
        (unit(pixel) - self.mean) / deviation
    }
}

/// Returns the pixel divided by 255, with exactly the result of a division, but faster. Multiplies by the reciprocal in
/// two parts, the first with so few digits that its product is exact.
#[inline]
fn unit(pixel: u8) -> f32 {
    const HIGH: f32 = f32::from_bits((1.0f32 / 255.0).to_bits() & 0xFFFF_8000);
    #[expect(clippy::cast_possible_truncation, reason = "rounded")]
    const LOW: f32 = (1.0 / 255.0 - HIGH as f64) as f32;

    let pixel = f32::from(pixel);
    pixel * HIGH + pixel * LOW
}

/// Normalizes by the mean and deviation of images. Use [`Labeled::summary`] of the training set for both the training
/// and the test set.
impl From<&Summary> for Normalize {
    #[expect(clippy::cast_possible_truncation, reason = "rounded to what is used")]
    fn from(summary: &Summary) -> Self {
        let unit = |number: Option<f64>| (number.unwrap_or(0.0) / 255.0) as f32;
        Self { mean: unit(summary.mean), deviation: unit(summary.standard_deviation) }
    }
}

impl<I: IdxRecord, L: IdxRecord> Labeled<I, L> {
    /// Returns the pixels of all images as numbers: a matrix of [`len`](Self::len) rows, one for each image.
    ///
    /// The images must have `u8` elements; for others this does not compile.
    ///
    /// # Errors
    ///
    /// Not enough memory ([`ErrorKind::File`]).
    pub fn pixels(&self, normalize: Normalize) -> Result<Vec<f32>, Error> {
        let mut pixels = Vec::new();
        self.pixels_into(normalize, &mut pixels)?;
        Ok(pixels)
    }

    /// Replaces the content of a vector with the [`pixels`](Self::pixels), so that each batch can reuse the same
    /// memory.
    ///
    /// # Errors
    ///
    /// Not enough memory ([`ErrorKind::File`]). The vector is then empty.
    pub fn pixels_into(&self, normalize: Normalize, pixels: &mut Vec<f32>) -> Result<(), Error> {
        const {
            assert!(
                matches!(I::ELEMENT, ElementType::U8),
                "pixels from 0 to 255 are scaled; take the elements of other images as they are"
            );
        }
        pixels.clear();
        alloc::reserve(pixels, self.len().saturating_mul(I::SIZE))?;
        let mut convert = |gathered: &[u8]| match normalize {
            // Skips a division by 1.
            Normalize::UNIT => wide::map(gathered, unit, pixels),
            _ => wide::map(gathered, |pixel| normalize.apply(pixel), pixels),
        };
        if I::SIZE > GATHERED {
            for record in self.order.iter() {
                convert(bytes(&self.images, record));
            }
            return Ok(());
        }
        let mut gathered = Vec::with_capacity(GATHERED);
        for record in self.order.iter() {
            if gathered.len() + I::SIZE > GATHERED {
                convert(&gathered);
                gathered.clear();
            }
            gathered.extend_from_slice(bytes(&self.images, record));
        }
        convert(&gathered);
        Ok(())
    }

    /// Returns the labels as rows of zeros with a one at the class: a matrix of [`len`](Self::len) rows, with a column
    /// for each of `classes`.
    ///
    /// # Errors
    ///
    /// An image of another class ([`out_of_range`](ErrorKind::code)); not enough memory ([`ErrorKind::File`]).
    #[doc(alias = "to_categorical")]
    pub fn one_hot(&self, classes: RangeInclusive<i32>) -> Result<Vec<f32>, Error> {
        let (first, last) = (i64::from(*classes.start()), i64::from(*classes.end()));
        let columns = usize::try_from(last - first + 1).unwrap_or(0);
        let mut rows = Vec::new();
        alloc::reserve(&mut rows, self.len().saturating_mul(columns))?;
        for record in self.order.iter() {
            let class = self.class_of(record);
            if !classes.contains(&class) {
                let message = format!(
                    "record {record} is of class {class}, but the classes are {} to {}; specify all classes, or leave this \
                     one out",
                    classes.start(),
                    classes.end()
                );
                return Err(Error::from(ErrorKind::beyond(message)).at(self.labels.path()));
            }
            rows.extend((first..=last).map(|column| f32::from(column == i64::from(class))));
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reciprocal_divides_exactly() {
        for pixel in 0..=u8::MAX {
            assert_eq!(unit(pixel).to_bits(), (f32::from(pixel) / 255.0).to_bits());
        }
    }
}
