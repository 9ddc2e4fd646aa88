use anstyle::{Color, Reset, RgbColor, Style as Escape};
use idx_std::{ElementType, ImageLayout};

use crate::term::console::Style;

/// Ink from none to full.
const RAMP: &[u8] = b" .:-=+*#%@";

/// Pictures up to this height get two characters for a pixel, others one for two pixels.
const SMALL: usize = 16;

/// The pixels of a record: white where there is no ink.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    width: usize,
    /// Row by row; `None` is a pixel that is not a number.
    pixels: Vec<Option<RgbColor>>,
}

impl Picture {
    /// The picture of a record that is an image, smaller by a whole number where it has more than so many
    /// pixels in a column or a row.
    pub(crate) fn of(
        element_type: ElementType,
        image: ImageLayout,
        record: &[u8],
        (max_height, max_width): (usize, usize),
    ) -> Self {
        let value = |index: usize| {
            let start = index.checked_mul(element_type.size())?;
            element_type.value(record.get(start..start + element_type.size())?)
        };
        let (min, max) = match element_type {
            // A mask of 0 and 1 would be blank otherwise.
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
            // Halves first, as the difference of two values may be beyond all values. A record of
            // one value everywhere is blank.
            let part = (value / 2.0 - min / 2.0) / (max / 2.0 - min / 2.0);
            let part = if part.is_nan() { 0.0 } else { part };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped"
            )]
            Some((part.clamp(0.0, 1.0) * 255.0).round() as u8)
        };
        let pixel = |pixel: usize| {
            if image.is_color() {
                let [red, green, blue] =
                    [0, 1, 2].map(|channel| level(image.index(pixel, channel)));
                Some(RgbColor(red?, green?, blue?))
            } else {
                level(pixel).map(|ink| RgbColor(255 - ink, 255 - ink, 255 - ink))
            }
        };
        let (height, width) = (image.height(), image.width());
        let factor = shrink(height, max_height).max(shrink(width, max_width));
        let part = |start: usize, size: usize| start..(start + factor).min(size);
        let pixels = (0..height)
            .step_by(factor)
            .flat_map(|top| (0..width).step_by(factor).map(move |left| (top, left)));
        let pixels = pixels.map(|(top, left)| match factor {
            1 => pixel(top * width + left),
            _ => mean(
                part(top, height)
                    .flat_map(|y| part(left, width).map(move |x| pixel(y * width + x))),
            ),
        });
        Self {
            width: width.div_ceil(factor),
            pixels: pixels.collect(),
        }
    }

    /// The rows of pixels; `None` is one that is not a number.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[Option<RgbColor>]> {
        self.pixels.chunks(self.width)
    }

    /// The lines to print, and how many columns they take, of those there are.
    pub(crate) fn draw(&self, style: Style, columns: usize) -> (usize, Vec<String>) {
        let rows: Vec<&[Option<RgbColor>]> = self.rows().collect();
        match style {
            Style::Characters if rows.len() <= SMALL && 2 * self.width <= columns => {
                let line = |row: &&[Option<RgbColor>]| {
                    row.iter()
                        .flat_map(|pixel| [character(*pixel); 2])
                        .collect()
                };
                (2 * self.width, rows.iter().map(line).collect())
            }
            Style::Characters => {
                let line = |rows: &[&[Option<RgbColor>]]| {
                    (0..self.width)
                        .map(|column| {
                            character(mean(rows.iter().filter_map(|row| row.get(column).copied())))
                        })
                        .collect()
                };
                (self.width, rows.chunks(2).map(line).collect())
            }
            Style::Blocks | Style::ExactBlocks => {
                let line = |rows: &[&[Option<RgbColor>]]| blocks(rows, style);
                (self.width, rows.chunks(2).map(line).collect())
            }
        }
    }
}

/// By which number a size is to be divided to have at most `max`.
pub(crate) fn shrink(size: usize, max: usize) -> usize {
    size.div_ceil(max.max(1)).max(1)
}

/// The minimum and the maximum of the finite values.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = values.filter(|value| value.is_finite());
    finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
        (min.min(value), max.max(value))
    })
}

/// The mean colour of some pixels, of which one that is not a number stays visible.
fn mean(pixels: impl Iterator<Item = Option<RgbColor>>) -> Option<RgbColor> {
    let mut sums = [0u64; 3];
    let mut count = 0;
    for pixel in pixels {
        let RgbColor(red, green, blue) = pixel?;
        for (sum, channel) in sums.iter_mut().zip([red, green, blue]) {
            *sum += u64::from(channel);
        }
        count += 1;
    }
    let [red, green, blue] =
        sums.map(|sum| u8::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(u8::MAX));
    Some(RgbColor(red, green, blue))
}

/// The character with as much ink as the pixel.
fn character(pixel: Option<RgbColor>) -> char {
    let Some(RgbColor(red, green, blue)) = pixel else {
        return '?';
    };
    // How bright a colour is to the eye (ITU-R BT.601).
    let brightness =
        (299 * usize::from(red) + 587 * usize::from(green) + 114 * usize::from(blue)) / 1000;
    let step = (255 - brightness) * (RAMP.len() - 1);
    RAMP.get((step + 127) / 255)
        .map_or('?', |byte| char::from(*byte))
}

/// One line of half blocks: the upper row in the colour of the letter, the lower in that behind it.
fn blocks(rows: &[&[Option<RgbColor>]], style: Style) -> String {
    let colour = |colour: RgbColor| match style {
        Style::ExactBlocks => Color::Rgb(colour),
        _ => Color::Ansi256(anstyle_lossy::rgb_to_xterm(colour)),
    };
    let mut line = String::new();
    let mut before = None;
    let (upper, lower) = (
        rows.first().copied().unwrap_or_default(),
        rows.get(1).copied(),
    );
    for (column, upper) in upper.iter().enumerate() {
        let lower = lower.map(|row| row.get(column).copied().flatten());
        let (escape, character) = match (*upper, lower) {
            (None, _) | (_, Some(None)) => (Escape::new(), '?'),
            (Some(upper), Some(Some(lower))) => {
                let escape = Escape::new()
                    .fg_color(Some(colour(upper)))
                    .bg_color(Some(colour(lower)));
                (escape, '▀')
            }
            // The last row of an odd number.
            (Some(upper), None) => (Escape::new().fg_color(Some(colour(upper))), '▀'),
        };
        if before != Some(escape) {
            line += &format!("{Reset}{escape}");
            before = Some(escape);
        }
        line.push(character);
    }
    line += &Reset.to_string();
    line
}
