use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstyle::RgbColor;
use idx_std::io::AtomicFile;
use idx_std::{ElementType, ImageLayout};

use crate::args::OverwriteArguments;
use crate::draw::picture::{Picture, shrink};
use crate::records::selection::Selection;
use crate::term::console::{is_standard_output, refuse_terminal};
use crate::term::failure::Failure;
use crate::term::signals;

/// A sheet of more pictures could not be looked at.
const MAX_PICTURES: u64 = 100_000;

/// Pictures and captions are enlarged by a whole number, up to this size of a picture and of the sheet.
const ENLARGED_PICTURE: usize = 64;
const ENLARGED_SHEET: usize = 4096;

/// Larger pictures are drawn smaller, by a whole number.
const MAX_PICTURE: usize = 4096;

/// Pixels between two pictures, and between a picture and its caption.
const GAP: usize = 4;
const CAPTION_GAP: usize = 1;

const PAPER: RgbColor = RgbColor(255, 255, 255);
const INDEX: RgbColor = RgbColor(144, 144, 144);
const LABEL: RgbColor = RgbColor(0, 0, 0);
const NOT_A_NUMBER: RgbColor = RgbColor(255, 0, 0);

/// Writes the records as a sheet of pictures, with the index and the label above each.
pub(crate) fn write(
    mut selection: Selection,
    path: &Path,
    overwrite: &OverwriteArguments,
) -> Result<(), Failure> {
    let header = selection.images.header();
    let element_type = header.element_type();
    let Some(image) = selection.images.image_layout() else {
        let text = "its records are not images, so there is nothing to draw; show them without -o";
        return Err(selection.images.fail(text));
    };
    let count = selection.count();
    if count == 0 || count > MAX_PICTURES {
        return Err(selection.images.fail(format!(
            "a sheet has 1 to {MAX_PICTURES} pictures, not {count}; choose the records with --records"
        )));
    }
    let labels = selection.take_labels()?;
    let layout = Layout::new(image, selection.last(), count, &labels);
    selection.images = selection.images.with_progress();
    let sheet = Sheet {
        selection,
        labels: labels.into(),
        element_type,
        image,
        layout,
    };
    if is_standard_output(path) {
        refuse_terminal()?;
        // Not through the console, which changes bytes that look like colours.
        return sheet.write(io::stdout().lock(), Failure::output);
    }
    signals::leave_nothing();
    let mut file = match overwrite.force {
        true => AtomicFile::create(path)?,
        false => AtomicFile::create_new(path)?,
    };
    sheet.write(&mut file, |error| Failure::io(path, error))?;
    Ok(file.finish()?)
}

struct Sheet {
    selection: Selection,
    /// The labels of the pictures that are not drawn yet.
    labels: VecDeque<i128>,
    element_type: ElementType,
    image: ImageLayout,
    layout: Layout,
}

/// Keeps the error of the system: the encoder passes on only its text, and a closed pipe is known by
/// its kind.
struct Output<W> {
    output: W,
    error: Option<io::Error>,
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.error = Some(error);
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Sheet {
    fn write(
        self,
        output: impl Write,
        failed: impl Fn(io::Error) -> Failure,
    ) -> Result<(), Failure> {
        let mut output = Output {
            output,
            error: None,
        };
        let drawn = self.draw(&mut output, |error| failed(error.into()));
        output.error.map_or(drawn, |error| Err(failed(error)))
    }

    fn draw(
        mut self,
        output: impl Write,
        failed: impl Fn(png::EncodingError) -> Failure + Copy,
    ) -> Result<(), Failure> {
        let is_float = matches!(self.element_type, ElementType::F32 | ElementType::F64);
        let color = match self.image.is_color() || is_float {
            true => png::ColorType::Rgb,
            false => png::ColorType::Grayscale,
        };
        // Before anything is written, and before memory is taken for the rows of the sheet: the records
        // that the header promises may be missing.
        let mut row = self.next_row()?;
        let (width, height) = self.size()?;
        let mut encoder = png::Encoder::new(BufWriter::new(output), width, height);
        encoder.set_color(color);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header().map_err(failed)?;
        let mut stream = writer.stream_writer().map_err(failed)?;
        let mut top = vec![PAPER; self.layout.width() * GAP];
        loop {
            let bytes = self.layout.bytes(&top, color);
            stream
                .write_all(&bytes)
                .map_err(|error| failed(error.into()))?;
            let Some(canvas) = row else { break };
            top = canvas;
            row = self.next_row()?;
        }
        stream.finish().map_err(failed)?;
        writer.finish().map_err(failed)
    }

    fn size(&self) -> Result<(u32, u32), Failure> {
        let pixels = |size: usize| size.checked_mul(self.layout.factor).map(i32::try_from);
        let (width, height) = (self.layout.width(), self.layout.height());
        match (pixels(width), pixels(height)) {
            (Some(Ok(width)), Some(Ok(height))) => Ok((width.unsigned_abs(), height.unsigned_abs())),
            _ => Err(self.selection.images.fail(format!(
                "the sheet has {width} x {height} pixels, more than a PNG file can have; choose fewer \
                 records with --records"
            ))),
        }
    }

    /// The next pictures that lie side by side, drawn; `None` after the last.
    fn next_row(&mut self) -> Result<Option<Vec<RgbColor>>, Failure> {
        let mut cells = Vec::new();
        while cells.len() < self.layout.columns {
            let Some(record) = self.selection.next()? else {
                break;
            };
            let max = (MAX_PICTURE, MAX_PICTURE);
            let picture = Picture::of(self.element_type, self.image, record.bytes, max);
            cells.push((record.index, self.labels.pop_front(), picture));
        }
        if cells.is_empty() {
            return Ok(None);
        }
        let mut canvas = Canvas::new(self.layout.width(), self.layout.cell_height);
        for (cell, (index, label, picture)) in cells.iter().enumerate() {
            let left = GAP + cell * self.layout.cell_width;
            let index = index.to_string();
            canvas.text(left, &index, INDEX);
            if let Some(label) = label {
                canvas.text(left + text_width(&index) + GAP, &label.to_string(), LABEL);
            }
            for (y, pixels) in picture.rows().enumerate() {
                for (x, pixel) in pixels.iter().enumerate() {
                    let top = GLYPH_HEIGHT + CAPTION_GAP;
                    canvas.dot(left + x, top + y, pixel.unwrap_or(NOT_A_NUMBER));
                }
            }
        }
        Ok(Some(canvas.pixels))
    }
}

/// Where the pictures are, in pixels of the pictures.
struct Layout {
    columns: usize,
    rows: usize,
    /// Of a picture with its caption, and what is between it and the next.
    cell_width: usize,
    cell_height: usize,
    /// Pixels of the sheet for a pixel of a picture, in either direction.
    factor: usize,
}

impl Layout {
    fn new(image: ImageLayout, last: u64, count: u64, labels: &[i128]) -> Self {
        let (height, width) = (image.height(), image.width());
        let smaller = shrink(height.max(width), MAX_PICTURE);
        let (height, width) = (height.div_ceil(smaller), width.div_ceil(smaller));
        let index = text_width(&last.to_string());
        let label = labels
            .iter()
            .map(|label| GAP + text_width(&label.to_string()))
            .max();
        let cell_width = width.max(index + label.unwrap_or(0)) + GAP;
        let cell_height = GLYPH_HEIGHT + CAPTION_GAP + height + GAP;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        // About a square.
        let columns = (1..=count)
            .min_by_key(|columns| {
                let height = count.div_ceil(*columns).saturating_mul(cell_height);
                columns.saturating_mul(cell_width).max(height)
            })
            .unwrap_or(1);
        let one = Self {
            columns,
            rows: count.div_ceil(columns),
            cell_width,
            cell_height,
            factor: 1,
        };
        let fits = |factor: usize| {
            let picture = height.max(width).saturating_mul(factor);
            let sheet = one.width().max(one.height()).saturating_mul(factor);
            picture <= ENLARGED_PICTURE && sheet <= ENLARGED_SHEET
        };
        let factor = (1..=ENLARGED_PICTURE)
            .rev()
            .find(|factor| fits(*factor))
            .unwrap_or(1);
        Self { factor, ..one }
    }

    fn width(&self) -> usize {
        self.columns
            .saturating_mul(self.cell_width)
            .saturating_add(GAP)
    }

    fn height(&self) -> usize {
        self.rows
            .saturating_mul(self.cell_height)
            .saturating_add(GAP)
    }

    /// Rows of pixels as the file has them.
    fn bytes(&self, pixels: &[RgbColor], color: png::ColorType) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in pixels.chunks(self.width()) {
            let start = bytes.len();
            for RgbColor(red, green, blue) in row {
                for _ in 0..self.factor {
                    match color {
                        png::ColorType::Grayscale => bytes.push(*red),
                        _ => bytes.extend([*red, *green, *blue]),
                    }
                }
            }
            let end = bytes.len();
            for _ in 1..self.factor {
                bytes.extend_from_within(start..end);
            }
        }
        bytes
    }
}

/// One row of pictures.
struct Canvas {
    width: usize,
    pixels: Vec<RgbColor>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            pixels: vec![PAPER; width * height],
        }
    }

    fn dot(&mut self, x: usize, y: usize, colour: RgbColor) {
        if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
            *pixel = colour;
        }
    }

    /// Writes a number at the top.
    fn text(&mut self, left: usize, number: &str, colour: RgbColor) {
        for (position, character) in number.bytes().enumerate() {
            for (y, row) in glyph(character).into_iter().enumerate() {
                for x in 0..GLYPH_WIDTH {
                    if row >> (GLYPH_WIDTH - 1 - x) & 1 == 1 {
                        self.dot(left + position * (GLYPH_WIDTH + 1) + x, y, colour);
                    }
                }
            }
        }
    }
}

const GLYPH_WIDTH: usize = 3;
const GLYPH_HEIGHT: usize = 5;

fn text_width(number: &str) -> usize {
    number.len() * (GLYPH_WIDTH + 1) - 1
}

/// The rows of a digit or of the minus, a bit for each dot.
const fn glyph(character: u8) -> [u8; GLYPH_HEIGHT] {
    match character {
        b'0' => [0b111, 0b101, 0b101, 0b101, 0b111],
        b'1' => [0b010, 0b110, 0b010, 0b010, 0b111],
        b'2' => [0b111, 0b001, 0b111, 0b100, 0b111],
        b'3' => [0b111, 0b001, 0b011, 0b001, 0b111],
        b'4' => [0b101, 0b101, 0b111, 0b001, 0b001],
        b'5' => [0b111, 0b100, 0b111, 0b001, 0b111],
        b'6' => [0b111, 0b100, 0b111, 0b101, 0b111],
        b'7' => [0b111, 0b001, 0b010, 0b010, 0b010],
        b'8' => [0b111, 0b101, 0b111, 0b101, 0b111],
        b'9' => [0b111, 0b101, 0b111, 0b001, 0b111],
        _ => [0b000, 0b000, 0b111, 0b000, 0b000],
    }
}
