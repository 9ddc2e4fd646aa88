//! Turns the numbers of a record into pixels, for the terminal and for a sheet.

use idx_data::ImageLayout;
use idx_std::ElementType;

/// Red, green and blue; `None` for what is not a number.
pub(crate) type Pixel = Option<[u8; 3]>;

/// A record as pixels.
pub(crate) struct Drawing {
    /// The number of pixels in a row.
    pub(crate) width: usize,
    /// The pixels, row by row.
    pixels: Vec<Pixel>,
}

/// The way in which the numbers of a record become pixels.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) element_type: ElementType,
    pub(crate) image: ImageLayout,
    /// True if the lowest value is white and the highest black.
    pub(crate) is_inverted: bool,
}

impl Look {
    fn value(self, record: &[u8], index: usize) -> Option<f64> {
        let size = self.element_type.size();
        let start = index.checked_mul(size)?;
        self.element_type.value(record.get(start..start.checked_add(size)?)?)
    }

    /// Returns the values of the darkest and the brightest pixel. For bytes they are 0 and 255, or 1 if all are 0 or 1:
    /// a mask would be blank otherwise. For other types they are the extremes of the record.
    fn bounds(self, record: &[u8]) -> (f64, f64) {
        match self.element_type {
            ElementType::U8 if record.iter().all(|byte| *byte <= 1) => (0.0, 1.0),
            ElementType::U8 => (0.0, 255.0),
            _ => {
                let values = record.chunks_exact(self.element_type.size());
                let values = values.filter_map(|bytes| self.element_type.value(bytes));
                let finite = values.filter(|value| value.is_finite());
                finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
                    (min.min(value), max.max(value))
                })
            }
        }
    }
}

impl Drawing {
    /// Draws a record that is an image, reduced by this divisor.
    pub(crate) fn new(look: Look, record: &[u8], divisor: usize) -> Self {
        let image = look.image;
        let (min, max) = look.bounds(record);
        let level = |index: usize| {
            let value = look.value(record, index).filter(|value| !value.is_nan())?;
            // Halved first, because the difference of two values may exceed the largest value. A constant record is
            // blank.
            let part = (value / 2.0 - min / 2.0) / (max / 2.0 - min / 2.0);
            let part = if part.is_nan() { 0.0 } else { part };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            let level = (part.clamp(0.0, 1.0) * 255.0).round() as u8;
            Some(if look.is_inverted { 255 - level } else { level })
        };
        let pixel = |pixel: usize| {
            if image.is_color() {
                let [red, green, blue] =
                    [0, 1, 2].map(|channel| level(image.index(pixel, channel)));
                Some([red?, green?, blue?])
            } else {
                level(pixel).map(|level| [level; 3])
            }
        };
        let (height, width) = (image.height(), image.width());
        let part = |start: usize, size: usize| start..(start + divisor).min(size);
        let pixels = (0..height)
            .step_by(divisor)
            .flat_map(|top| (0..width).step_by(divisor).map(move |left| (top, left)));
        let pixels = pixels.map(|(top, left)| match divisor {
            1 => pixel(top * width + left),
            _ => Self::mean(
                part(top, height)
                    .flat_map(|y| part(left, width).map(move |x| pixel(y * width + x))),
            ),
        });
        Self { width: width.div_ceil(divisor), pixels: pixels.collect() }
    }

    /// Returns the rows of pixels.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Pixel]> {
        self.pixels.chunks(self.width.max(1))
    }

    /// Returns the mean color of some pixels; a pixel that is not a number stays visible.
    pub(crate) fn mean(pixels: impl Iterator<Item = Pixel>) -> Pixel {
        let mut sums = [0u64; 3];
        let mut count = 0;
        for pixel in pixels {
            for (sum, channel) in sums.iter_mut().zip(pixel?) {
                *sum += u64::from(channel);
            }
            count += 1;
        }
        let mean = |sum: u64| u8::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX);
        Some(sums.map(mean))
    }
}

/// Returns the divisor that makes a size at most `max`.
pub(crate) fn shrink(size: usize, max: usize) -> usize {
    size.div_ceil(max.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_number_stays_visible() {
        let mean = |pixels: &[Pixel]| Drawing::mean(pixels.iter().copied());
        assert_eq!(mean(&[Some([1, 2, 3]), Some([3, 2, 1])]), Some([2; 3]));
        assert_eq!(mean(&[Some([1; 3]), None, Some([1; 3])]), None);
    }
}
