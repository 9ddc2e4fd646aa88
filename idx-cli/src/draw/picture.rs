//! Pictures in the terminal, side by side, in color or in plain characters.

use anstyle::{Color, Reset, RgbColor, Style as Escape};
use idx_data::ImageLayout;

use crate::draw::drawing::{Drawing, Pixel, shrink};
use crate::term::console::{Console, Style};

/// Characters from black to white: on a dark terminal, brighter is denser.
const RAMP: &[u8] = b" .:-=+*#%@";

/// Drawn in characters, a picture up to this height gets two characters for each pixel, others one for two pixels.
const SMALL: usize = 16;

/// A picture with more rows than this is drawn in half the lines.
const MAX_HEIGHT: usize = 200;

/// The smallest side of a picture that is shrunk so that all pictures fit.
const MIN_SIDE: usize = 10;

/// Columns between two pictures.
pub(crate) const GAP: usize = 2;

/// Returns the least divisor with which all pictures, each below a caption of this width, fit the columns and the
/// remaining lines of a terminal, or else the largest with which they stay recognizable.
pub(crate) fn fitting_divisor(
    image: ImageLayout,
    console: &Console,
    lines_left: Option<usize>,
    count: u64,
    caption: usize,
) -> usize {
    let (height, width) = (image.height(), image.width());
    let least = shrink(height, MAX_HEIGHT).max(shrink(width, console.width));
    let is_small = console.style == Style::Characters && is_small(image, console.width);
    let fits = |divisor: &usize| {
        let (height, width) = (height.div_ceil(*divisor), width.div_ceil(*divisor));
        let (columns, lines) = match is_small {
            true => (2 * width, height),
            false => (width, height.div_ceil(2)),
        };
        let in_row = ((console.width + GAP) / (columns.max(caption) + GAP)).max(1);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        // Each row has a caption, and a gap above it except for the first.
        let all = count.div_ceil(in_row).saturating_mul(lines + 2).saturating_sub(1);
        lines_left.is_none_or(|left| all <= left)
    };
    let recognizable = |divisor: &usize| height.min(width).div_ceil(*divisor) >= MIN_SIDE;
    let divisors = || (least..).take_while(recognizable);
    divisors().find(fits).or_else(|| divisors().last()).unwrap_or(least)
}

/// Returns whether a picture drawn with characters gets two for a pixel.
pub(crate) fn is_small(image: ImageLayout, columns: usize) -> bool {
    image.height() <= SMALL && 2 * image.width() <= columns
}

/// Returns the width in columns and the lines to print.
pub(crate) fn draw(drawing: &Drawing, style: Style, is_small: bool) -> (usize, Vec<String>) {
    let rows: Vec<&[Pixel]> = drawing.rows().collect();
    let width = drawing.width;
    match style {
        Style::Characters if is_small => {
            let line =
                |row: &&[Pixel]| row.iter().flat_map(|pixel| [character(*pixel); 2]).collect();
            (2 * width, rows.iter().map(line).collect())
        }
        Style::Characters => {
            let line = |rows: &[&[Pixel]]| {
                (0..width)
                    .map(|column| {
                        character(Drawing::mean(
                            rows.iter().filter_map(|row| row.get(column).copied()),
                        ))
                    })
                    .collect()
            };
            (width, rows.chunks(2).map(line).collect())
        }
        Style::Blocks | Style::ExactBlocks => {
            let line = |rows: &[&[Pixel]]| blocks(rows, style);
            (width, rows.chunks(2).map(line).collect())
        }
    }
}

/// Returns the character as bright as the pixel.
fn character(pixel: Pixel) -> char {
    let Some([red, green, blue]) = pixel else {
        return '?';
    };
    // The brightness of a color to the eye (ITU-R BT.601).
    let brightness =
        (299 * usize::from(red) + 587 * usize::from(green) + 114 * usize::from(blue)) / 1000;
    let step = brightness * (RAMP.len() - 1);
    RAMP.get((step + 127) / 255).map_or('?', |byte| char::from(*byte))
}

/// Returns one line of half blocks: the upper row in the foreground color, the lower in the background color.
fn blocks(rows: &[&[Pixel]], style: Style) -> String {
    let color = |[red, green, blue]: [u8; 3]| match style {
        Style::ExactBlocks => Color::Rgb(RgbColor(red, green, blue)),
        _ => Color::Ansi256(anstyle_lossy::rgb_to_xterm(RgbColor(red, green, blue))),
    };
    let mut line = String::new();
    let mut before = None;
    let (upper, lower) = (rows.first().copied().unwrap_or_default(), rows.get(1).copied());
    for (column, upper) in upper.iter().enumerate() {
        let lower = lower.map(|row| row.get(column).copied().flatten());
        let (escape, character) = match (*upper, lower) {
            (None, _) | (_, Some(None)) => (Escape::new(), '?'),
            (Some(upper), Some(Some(lower))) => {
                let escape =
                    Escape::new().fg_color(Some(color(upper))).bg_color(Some(color(lower)));
                (escape, '▀')
            }
            // The last row of an odd number of rows.
            (Some(upper), None) => (Escape::new().fg_color(Some(color(upper))), '▀'),
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
