use idx_std::ElementType;

use crate::ImageLayout;

/// A record as pixels: dark on white, if each pixel has one value.
///
/// Bytes go from 0, white, to 255, black, or to 1 if all are 0 or 1, as in a mask. Values of other types are scaled from
/// the minimum to the maximum of the record.
///
/// ```
/// use idx_data::Drawing;
/// use idx_data::{ElementType, ImageLayout};
///
/// let image = ImageLayout::from_shape(&[1, 2]).unwrap();
/// let drawing = Drawing::new(ElementType::U8, image, &[0, 255], [100, 100]);
/// let row = drawing.rows().next().unwrap();
/// assert_eq!(row, [Some([255, 255, 255]), Some([0, 0, 0])]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    width: usize,
    /// Row by row.
    pixels: Vec<Option<[u8; 3]>>,
}

impl Drawing {
    /// Draws a record that is an image, smaller by a whole number where it has more rows or columns than `max`.
    #[must_use]
    pub fn new(
        element_type: ElementType,
        image: ImageLayout,
        record: &[u8],
        max: [usize; 2],
    ) -> Self {
        let value = |index: usize| {
            let start = index.checked_mul(element_type.size())?;
            element_type.value(record.get(start..start + element_type.size())?)
        };
        let (min, max_value) = match element_type {
            // Otherwise a mask of 0 and 1 would be blank.
            ElementType::U8 if record.iter().all(|byte| *byte <= 1) => (0.0, 1.0),
            ElementType::U8 => (0.0, 255.0),
            _ => bounds(
                record
                    .chunks_exact(element_type.size())
                    .filter_map(|bytes| element_type.value(bytes)),
            ),
        };
        let level = |index: usize| {
            let value = value(index)?;
            if value.is_nan() {
                return None;
            }
            // Halves first, because the difference of two values may exceed the largest value. A constant
            // record is blank.
            let part = (value / 2.0 - min / 2.0) / (max_value / 2.0 - min / 2.0);
            let part = if part.is_nan() { 0.0 } else { part };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            Some((part.clamp(0.0, 1.0) * 255.0).round() as u8)
        };
        let pixel = |pixel: usize| {
            if image.is_color() {
                let [red, green, blue] =
                    [0, 1, 2].map(|channel| level(image.index(pixel, channel)));
                Some([red?, green?, blue?])
            } else {
                level(pixel).map(|ink| [255 - ink; 3])
            }
        };
        let (height, width) = (image.height(), image.width());
        let factor = shrink(height, max[0]).max(shrink(width, max[1]));
        let part = |start: usize, size: usize| start..(start + factor).min(size);
        let pixels = (0..height)
            .step_by(factor)
            .flat_map(|top| (0..width).step_by(factor).map(move |left| (top, left)));
        let pixels = pixels.map(|(top, left)| match factor {
            1 => pixel(top * width + left),
            _ => Self::mean(
                part(top, height)
                    .flat_map(|y| part(left, width).map(move |x| pixel(y * width + x))),
            ),
        });
        Self { width: width.div_ceil(factor), pixels: pixels.collect() }
    }

    /// The number of pixels in a row.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The rows of pixels, each red, green and blue; `None` is one that is not a number.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<[u8; 3]>]> {
        self.pixels.chunks(self.width.max(1))
    }

    /// The mean color of some pixels; one that is not a number stays visible.
    pub fn mean(pixels: impl Iterator<Item = Option<[u8; 3]>>) -> Option<[u8; 3]> {
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

/// The divisor that makes a size at most `max`.
pub(super) fn shrink(size: usize, max: usize) -> usize {
    size.div_ceil(max.max(1)).max(1)
}

/// The minimum and the maximum of the finite values.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
        (min.min(value), max.max(value))
    })
}
