//! The contact sheet: a PNG of many pictures, each with its label above it.

use std::cell::Cell;
use std::cmp::Reverse;
use std::io::{self, BufWriter, Write};
use std::ops::Range;

use font8x8::legacy::{BASIC_LEGACY, LATIN_LEGACY};
use idx_data::{ClassNames, ImageLayout, Record};
use png::{BitDepth, ColorType, Encoder, EncodingError};

use crate::draw::drawing::{Drawing, shrink};
use crate::records::selection::Selection;
use crate::term::failure::Failure;

/// Pictures are enlarged by a whole number, up to these sizes of a picture and of the sheet.
const ENLARGED_PICTURE: usize = 64;
const ENLARGED_SHEET: usize = 4096;

/// The size above which pictures are shrunk, by a whole number.
const MAX_PICTURE: usize = 4096;

/// The largest ratio of the sheet's sides with rows of equal length.
const MAX_RATIO: usize = 3;

/// Pixels between two pictures, and between a picture and its caption.
const GAP: usize = 8;
const CAPTION_GAP: usize = 4;

/// The height of a character, which is as wide as its dots; a space is half as wide as high.
const GLYPH: usize = 8;

/// The longest label that always has room; a longer one is cut where its cell ends.
const LONGEST_LABEL: i128 = 100;

/// The maximum number of characters of a class name.
const MAX_NAME: usize = 16;

/// A gray on which the edges of white and of black pictures are visible.
const PAPER: [u8; 3] = [216; 3];
const NUMBER: [u8; 3] = [112; 3];
const LABEL: [u8; 3] = [0; 3];
const NOT_A_NUMBER: [u8; 3] = [255, 0, 0];

/// Keeps the error of the system, because the encoder passes on only its text: a closed pipe is recognized by the
/// kind of the error.
struct KeepError<'a, W>(&'a mut W, &'a Cell<Option<io::Error>>);

impl<W: Write> Write for KeepError<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.1.set(Some(error));
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Draws `count` records side by side in one PNG, each with its label or the name of its class above it. Records are
/// numbered if the number of the last one is given. One row of pictures is in memory at a time.
pub(crate) fn draw_sheet(
    mut selection: Selection,
    count: u64,
    last: Option<u64>,
    output: &mut impl Write,
    failed: impl Fn(io::Error) -> Failure,
) -> Result<(), Failure> {
    let Some(look) = selection.look() else {
        let text = "the records are not images, so there is nothing to draw; show them without -o";
        return Err(selection.fail(text));
    };
    let captions = Captions::new(&selection, last);
    let grid = Grid::new(look.image, count, &captions);
    let Some((width, height)) = grid.size() else {
        return Err(selection.fail(format!(
            "the sheet has {} x {} pixels, more than a PNG file can have; choose fewer records",
            grid.width(),
            grid.height()
        )));
    };
    let color = match look.image.is_color() || look.element_type.is_float() {
        true => ColorType::Rgb,
        false => ColorType::Grayscale,
    };
    let kept = Cell::new(None);
    let system = |error: io::Error| failed(kept.take().unwrap_or(error));
    let encoding = |error: EncodingError| system(error.into());
    let mut encoder = Encoder::new(BufWriter::new(KeepError(output, &kept)), width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(encoding)?;
    let mut stream = writer.stream_writer().map_err(encoding)?;
    let mut bytes = Canvas::new(grid.width(), GAP).bytes(color);
    let mut left = count;
    while left > 0 {
        let mut canvas = Canvas::new(grid.width(), grid.cell_height);
        for column in (0..grid.columns).take(usize::try_from(left).unwrap_or(usize::MAX)) {
            let Some(record) = selection.next()? else {
                return Err(selection.fail("the file changed while it was read; draw it again"));
            };
            let drawing = Drawing::new(look, &record.bytes, grid.divisor);
            let caption = captions.of(&record);
            canvas.cell(GAP + column * grid.cell_width, &caption, &drawing, &grid);
            left -= 1;
        }
        bytes.extend(canvas.bytes(color));
        stream.write_all(&bytes).map_err(system)?;
        bytes.clear();
    }
    // This also checks the end of the file.
    if selection.next()?.is_some() {
        return Err(selection.fail("the file changed while it was read; draw it again"));
    }
    stream.finish().map_err(encoding)?;
    writer.finish().map_err(encoding)
}

/// The texts above the pictures.
struct Captions {
    are_numbered: bool,
    names: Option<ClassNames>,
    /// The width of the widest text, at most.
    width: usize,
}

impl Captions {
    fn new(selection: &Selection, last: Option<u64>) -> Self {
        let names = selection.names().cloned();
        let all = Self { are_numbered: last.is_some(), names, width: 0 };
        let named = all.names.iter().flat_map(|names| names.iter().map(|(label, _)| label));
        // Room for any label of up to three digits, if its class has no name.
        let longest = selection.has_labels().then_some(LONGEST_LABEL);
        let labels = named.chain(longest).map(|label| text_width(&all.class(label)));
        let number = last.map_or(0, |last| text_width(&last.to_string()) + GLYPH);
        Self { width: number + labels.max().unwrap_or(0), ..all }
    }

    /// Returns the number and the label of a record, as far as they exist.
    fn of(&self, record: &Record) -> [String; 2] {
        let number = self.are_numbered.then(|| record.index.to_string());
        [number, record.label.map(|label| self.class(label))].map(Option::unwrap_or_default)
    }

    /// Returns the name of the class, or else its label.
    fn class(&self, label: i128) -> String {
        let name = self.names.as_ref().and_then(|names| names.name(label));
        match name.filter(|name| name.chars().all(|letter| glyph(letter).is_some())) {
            Some(name) => name.chars().take(MAX_NAME).collect(),
            None => label.to_string(),
        }
    }
}

/// The layout of the sheet, in pixels.
struct Grid {
    columns: usize,
    rows: usize,
    /// The width of a picture with its caption and the gap to the next one.
    cell_width: usize,
    cell_height: usize,
    caption_height: usize,
    picture_width: usize,
    /// Pixels of a picture per pixel of the sheet, or the other way round.
    divisor: usize,
    factor: usize,
}

impl Grid {
    fn new(image: ImageLayout, count: u64, captions: &Captions) -> Self {
        let (height, width) = (image.height(), image.width());
        let divisor = shrink(height.max(width), MAX_PICTURE);
        let (height, width) = (height.div_ceil(divisor), width.div_ceil(divisor));
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let caption_height = if captions.width > 0 { GLYPH + CAPTION_GAP } else { 0 };
        let enlarged = |factor: usize| {
            let cell_width = (width * factor).max(captions.width) + GAP;
            let cell_height = caption_height + height * factor + GAP;
            let sides = |columns: usize| {
                let height = count.div_ceil(columns).saturating_mul(cell_height);
                [columns.saturating_mul(cell_width), height]
            };
            let cost = |columns: &usize| {
                let [width, height] = sides(*columns);
                let (longer, shorter) = (width.max(height), width.min(height));
                let missing = columns.saturating_sub(count % columns) % columns;
                let is_long = longer / shorter.max(1) >= MAX_RATIO;
                (is_long, if is_long { 0 } else { missing }, longer, Reverse(width))
            };
            let columns = (1..=count).min_by_key(cost).unwrap_or(1);
            Self {
                columns,
                rows: count.div_ceil(columns),
                cell_width,
                cell_height,
                caption_height,
                picture_width: width * factor,
                divisor,
                factor,
            }
        };
        let largest = (ENLARGED_PICTURE / height.max(width)).max(1);
        let mut grids = (2..=largest).rev().map(enlarged);
        let fits = |grid: &Self| grid.width().max(grid.height()) <= ENLARGED_SHEET;
        grids.find(fits).unwrap_or_else(|| enlarged(1))
    }

    fn width(&self) -> usize {
        self.columns.saturating_mul(self.cell_width).saturating_add(GAP)
    }

    fn height(&self) -> usize {
        self.rows.saturating_mul(self.cell_height).saturating_add(GAP)
    }

    /// Returns the size of the file, if PNG can have it.
    fn size(&self) -> Option<(u32, u32)> {
        let pixels = |size: usize| i32::try_from(size).ok().map(i32::unsigned_abs);
        pixels(self.width()).zip(pixels(self.height()))
    }
}

/// One row of pictures.
struct Canvas {
    width: usize,
    pixels: Vec<[u8; 3]>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { width, pixels: vec![PAPER; width * height] }
    }

    fn dot(&mut self, x: usize, y: usize, color: [u8; 3]) {
        if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
            *pixel = color;
        }
    }

    fn rectangle(&mut self, [left, top]: [usize; 2], [width, height]: [usize; 2], color: [u8; 3]) {
        for y in top..top + height {
            for x in left..left + width {
                self.dot(x, y, color);
            }
        }
    }

    /// Draws a picture and its caption in the middle of a cell.
    fn cell(&mut self, left: usize, [number, label]: &[String; 2], drawing: &Drawing, grid: &Grid) {
        let middle = |width: usize| left + (grid.cell_width - GAP).saturating_sub(width) / 2;
        let gap = if number.is_empty() { 0 } else { GLYPH / 2 };
        let number_width = text_width(number) + gap;
        let start = middle(number_width + text_width(label));
        let end = left + grid.cell_width;
        self.text(start..end, number, NUMBER);
        self.text(start + number_width..end, label, LABEL);
        let (left, top) = (middle(grid.picture_width), grid.caption_height);
        for (y, pixels) in drawing.rows().enumerate() {
            for (x, pixel) in pixels.iter().enumerate() {
                let corner = [left + x * grid.factor, top + y * grid.factor];
                self.rectangle(corner, [grid.factor; 2], pixel.unwrap_or(NOT_A_NUMBER));
            }
        }
    }

    /// Writes a text at the top, as far as there is room.
    fn text(&mut self, columns: Range<usize>, text: &str, color: [u8; 3]) {
        let mut left = columns.start;
        for (glyph, width) in text.chars().filter_map(glyph) {
            if left + width > columns.end {
                break;
            }
            for (y, row) in glyph.into_iter().enumerate() {
                for x in (0..width).filter(|x| row >> x & 1 == 1) {
                    self.dot(left + x, y, color);
                }
            }
            left += width + 1;
        }
    }

    /// Returns the rows as bytes of the file.
    fn bytes(&self, color: ColorType) -> Vec<u8> {
        match color {
            ColorType::Grayscale => self.pixels.iter().map(|[gray, ..]| *gray).collect(),
            _ => self.pixels.as_flattened().to_vec(),
        }
    }
}

/// Returns the width of a text, with a gap of one pixel between two characters.
fn text_width(text: &str) -> usize {
    let widths = text.chars().filter_map(glyph).map(|(_, width)| width + 1);
    widths.sum::<usize>().saturating_sub(1)
}

/// Returns the rows of a character, a bit for each pixel from left to right, and its width; `None` if the font lacks
/// it.
fn glyph(character: char) -> Option<([u8; GLYPH], usize)> {
    let code = u32::from(character) as usize;
    let rows = match character {
        ' ' => return Some(([0; GLYPH], GLYPH / 2)),
        '!'..='~' => BASIC_LEGACY.get(code)?,
        '\u{A1}'..='\u{FF}' => LATIN_LEGACY.get(code - 0xA0)?,
        _ => return None,
    };
    let used = rows.iter().fold(0, |used, row| used | row);
    let first = used.trailing_zeros();
    Some((rows.map(|row| row >> first), (8 - first - used.leading_zeros()) as usize))
}
