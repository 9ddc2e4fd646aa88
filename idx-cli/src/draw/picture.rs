use anstyle::{Color, Reset, RgbColor, Style as Escape};
use idx_data::Drawing;

use crate::term::console::Style;

/// Ink from none to full.
const RAMP: &[u8] = b" .:-=+*#%@";

/// Pictures up to this height get two characters for a pixel, others one for two pixels.
const SMALL: usize = 16;

/// Red, green and blue; `None` is not a number.
type Pixel = Option<[u8; 3]>;

/// The lines to print, and the number of columns that they take, at most those available.
pub(crate) fn draw(drawing: &Drawing, style: Style, columns: usize) -> (usize, Vec<String>) {
    let rows: Vec<&[Pixel]> = drawing.rows().collect();
    let width = drawing.width();
    match style {
        Style::Characters if rows.len() <= SMALL && 2 * width <= columns => {
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
/// The character with as much ink as the pixel.
fn character(pixel: Pixel) -> char {
    let Some([red, green, blue]) = pixel else {
        return '?';
    };
    // The brightness of a colour to the eye (ITU-R BT.601).
    let brightness =
        (299 * usize::from(red) + 587 * usize::from(green) + 114 * usize::from(blue)) / 1000;
    let step = (255 - brightness) * (RAMP.len() - 1);
    RAMP.get((step + 127) / 255).map_or('?', |byte| char::from(*byte))
}

/// One line of half blocks: the upper row in the foreground colour, the lower in the background colour.
fn blocks(rows: &[&[Pixel]], style: Style) -> String {
    let colour = |[red, green, blue]: [u8; 3]| match style {
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
                    Escape::new().fg_color(Some(colour(upper))).bg_color(Some(colour(lower)));
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
