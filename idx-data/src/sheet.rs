use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::rc::Rc;

use idx_std::ElementType;
use png::{BitDepth, ColorType, Encoder, StreamWriter};

use super::class_names::ClassNames;
use super::drawing::{Drawing, shrink};
use super::error::ErrorKind;
use super::font::{GLYPH_HEIGHT, GLYPH_WIDTH, glyph, has_glyphs, text_width};
use super::record::RecordLayout;
use crate::ImageLayout;

/// Pictures and captions are enlarged by a whole number, up to this size of a picture and of the sheet.
const ENLARGED_PICTURE: usize = 64;
const ENLARGED_SHEET: usize = 4096;

/// Larger pictures are drawn smaller, by a whole number.
const MAX_PICTURE: usize = 4096;

/// Pixels between two pictures, and between a picture and its caption.
const GAP: usize = 4;
const CAPTION_GAP: usize = 1;

/// The maximum number of characters of a class name.
const MAX_NAME: usize = 16;

const PAPER: [u8; 3] = [255; 3];
const INDEX: [u8; 3] = [144; 3];
const LABEL: [u8; 3] = [0; 3];
const NOT_A_NUMBER: [u8; 3] = [255, 0, 0];

/// A contact sheet: records as pictures side by side in one PNG, with the index and the label above each, or the
/// name of its class.
///
/// One row of pictures is in memory at a time.
///
/// ```
/// use idx_std::ElementType;
/// use idx_data::{RecordLayout, Sheet};
///
/// let layout = RecordLayout::new(ElementType::U8, &[2, 28, 28]);
/// let mut sheet = Sheet::new(Vec::new(), &layout, 2, 1, &[7, 3], None)?;
/// sheet.push(0, Some(7), &[0; 784])?;
/// sheet.push(1, Some(3), &[255; 784])?;
/// let png = sheet.finish()?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Sheet<W: Write + 'static> {
    element_type: ElementType,
    image: ImageLayout,
    grid: Grid,
    names: Option<ClassNames>,
    color: ColorType,
    size: (u32, u32),
    row: Option<Canvas>,
    /// The number of pictures in the row.
    cells: usize,
    output: Kept<W>,
    stream: Option<StreamWriter<'static, BufWriter<Kept<W>>>>,
}

/// Keeps the output, which the encoder does not return, and the error of the system, of which the encoder
/// passes on only the text: a closed pipe is recognised by the kind of the error.
struct Kept<W>(Rc<RefCell<(W, Option<io::Error>)>>);

impl<W> Clone for Kept<W> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<W: Write> Write for Kept<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (output, kept) = &mut *self.0.borrow_mut();
        output.write(bytes).map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                *kept = Some(error);
            }
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().0.flush()
    }
}

impl<W: Write> fmt::Debug for Sheet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet").field("size", &self.size).finish_non_exhaustive()
    }
}

impl<W: Write + 'static> Sheet<W> {
    /// A sheet for `count` records of this layout, with their labels, if any; `last` is the highest index.
    /// Nothing is written before the first row is full.
    ///
    /// A name is cut after 16 characters. A name with letters other than A to Z is not drawn, but the label.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Unsupported`] for records that are not images, and for a sheet that is too large for PNG.
    pub fn new(
        output: W,
        layout: &RecordLayout,
        count: u64,
        last: u64,
        labels: &[i128],
        names: Option<&ClassNames>,
    ) -> Result<Self, ErrorKind> {
        let image = ImageLayout::from_shape(layout.record_shape());
        let (Some(image), Some(element_type)) = (image, layout.dtype.element_type()) else {
            return Err(ErrorKind::unsupported(
                "its records are not images, so there is nothing to draw",
            ));
        };
        let classes: BTreeSet<i128> = labels.iter().copied().collect();
        let widths = classes.into_iter().map(|label| text_width(&class_text(names, label)));
        let grid = Grid::new(image, last, count, widths.max());
        let is_float = element_type.is_float();
        Ok(Self {
            element_type,
            image,
            size: grid.size()?,
            grid,
            names: names.cloned(),
            color: match image.is_color() || is_float {
                true => ColorType::Rgb,
                false => ColorType::Grayscale,
            },
            row: None,
            cells: 0,
            output: Kept(Rc::new(RefCell::new((output, None)))),
            stream: None,
        })
    }

    /// Draws the next record.
    ///
    /// # Errors
    ///
    /// If the sheet cannot be written.
    pub fn push(&mut self, index: u64, label: Option<i128>, record: &[u8]) -> io::Result<()> {
        if self.cells == self.grid.columns {
            self.write_row()?;
        }
        let max = [MAX_PICTURE; 2];
        let drawing = Drawing::new(self.element_type, self.image, record, max);
        let left = GAP + self.cells * self.grid.cell_width;
        let canvas =
            self.row.get_or_insert_with(|| Canvas::new(self.grid.width(), self.grid.cell_height));
        let index = index.to_string();
        canvas.text(left, &index, INDEX);
        if let Some(label) = label {
            let class = class_text(self.names.as_ref(), label);
            canvas.text(left + text_width(&index) + GAP, &class, LABEL);
        }
        for (y, pixels) in drawing.rows().enumerate() {
            for (x, pixel) in pixels.iter().enumerate() {
                let top = GLYPH_HEIGHT + CAPTION_GAP;
                canvas.dot(left + x, top + y, pixel.unwrap_or(NOT_A_NUMBER));
            }
        }
        self.cells += 1;
        Ok(())
    }

    /// Completes the sheet, and returns the output.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn finish(mut self) -> io::Result<W> {
        self.write_row()?;
        let finished = self.stream.take().map_or(Ok(()), StreamWriter::finish);
        self.result(finished.map_err(io::Error::from))?;
        let kept = Rc::into_inner(self.output.0);
        debug_assert!(kept.is_some(), "the encoder is gone");
        // Also an error while the encoder was dropped.
        match kept.map(RefCell::into_inner) {
            Some((mut output, None)) => output.flush().map(|()| output),
            Some((_, Some(error))) => Err(error),
            None => Err(io::ErrorKind::Other.into()),
        }
    }

    /// Writes the pictures that lie side by side.
    fn write_row(&mut self) -> io::Result<()> {
        let Some(canvas) = self.row.take() else {
            return Ok(());
        };
        self.cells = 0;
        let mut bytes = Vec::new();
        if self.stream.is_none() {
            bytes = self.grid.bytes(&vec![PAPER; self.grid.width() * GAP], self.color);
            let mut encoder =
                Encoder::new(BufWriter::new(self.output.clone()), self.size.0, self.size.1);
            encoder.set_color(self.color);
            encoder.set_depth(BitDepth::Eight);
            let stream = encoder.write_header().and_then(png::Writer::into_stream_writer);
            self.stream = Some(self.result(stream.map_err(io::Error::from))?);
        }
        bytes.extend(self.grid.bytes(&canvas.pixels, self.color));
        let written = match &mut self.stream {
            Some(stream) => stream.write_all(&bytes),
            None => Ok(()),
        };
        self.result(written)
    }

    /// The result, with the error of the system in place of that of the encoder.
    fn result<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| self.output.0.borrow_mut().1.take().unwrap_or(error))
    }
}

/// The name of the class, or else its label.
fn class_text(names: Option<&ClassNames>, label: i128) -> String {
    let name = names.and_then(|names| names.name(label));
    match name.filter(|name| has_glyphs(name)) {
        Some(name) => name.chars().take(MAX_NAME).collect(),
        None => label.to_string(),
    }
}

/// The layout of the sheet, in pixels of the pictures.
struct Grid {
    columns: usize,
    rows: usize,
    /// Of a picture with its caption and the gap to the next one.
    cell_width: usize,
    cell_height: usize,
    /// Pixels of the sheet per pixel of a picture, in either direction.
    factor: usize,
}

impl Grid {
    /// With the width of the widest label, if there are labels.
    fn new(image: ImageLayout, last: u64, count: u64, label: Option<usize>) -> Self {
        let (height, width) = (image.height(), image.width());
        let smaller = shrink(height.max(width), MAX_PICTURE);
        let (height, width) = (height.div_ceil(smaller), width.div_ceil(smaller));
        let index = text_width(&last.to_string());
        let label = label.map_or(0, |label| GAP + label);
        let cell_width = width.max(index + label) + GAP;
        let cell_height = GLYPH_HEIGHT + CAPTION_GAP + height + GAP;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        // About a square.
        let columns = (1..=count)
            .min_by_key(|columns| {
                let height = count.div_ceil(*columns).saturating_mul(cell_height);
                columns.saturating_mul(cell_width).max(height)
            })
            .unwrap_or(1);
        let one =
            Self { columns, rows: count.div_ceil(columns), cell_width, cell_height, factor: 1 };
        let fits = |factor: usize| {
            let picture = height.max(width).saturating_mul(factor);
            let sheet = one.width().max(one.height()).saturating_mul(factor);
            picture <= ENLARGED_PICTURE && sheet <= ENLARGED_SHEET
        };
        let factor = (1..=ENLARGED_PICTURE).rev().find(|factor| fits(*factor)).unwrap_or(1);
        Self { factor, ..one }
    }

    fn width(&self) -> usize {
        self.columns.saturating_mul(self.cell_width).saturating_add(GAP)
    }

    fn height(&self) -> usize {
        self.rows.saturating_mul(self.cell_height).saturating_add(GAP)
    }

    /// The sizes of the file.
    fn size(&self) -> Result<(u32, u32), ErrorKind> {
        let pixels = |size: usize| size.checked_mul(self.factor).map(i32::try_from);
        let (width, height) = (self.width(), self.height());
        match (pixels(width), pixels(height)) {
            (Some(Ok(width)), Some(Ok(height))) => {
                Ok((width.unsigned_abs(), height.unsigned_abs()))
            }
            _ => Err(ErrorKind::unsupported(format!(
                "the sheet has {width} x {height} pixels, more than a PNG file can have; choose fewer records"
            ))),
        }
    }

    /// Rows of pixels as the file has them.
    fn bytes(&self, pixels: &[[u8; 3]], color: ColorType) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in pixels.chunks(self.width()) {
            let start = bytes.len();
            for [red, green, blue] in row {
                for _ in 0..self.factor {
                    match color {
                        ColorType::Grayscale => bytes.push(*red),
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

    /// Writes a text at the top.
    fn text(&mut self, left: usize, text: &str, color: [u8; 3]) {
        for (position, character) in text.chars().enumerate() {
            for (y, row) in glyph(character).unwrap_or_default().into_iter().enumerate() {
                for x in 0..GLYPH_WIDTH {
                    if row >> (GLYPH_WIDTH - 1 - x) & 1 == 1 {
                        self.dot(left + position * (GLYPH_WIDTH + 1) + x, y, color);
                    }
                }
            }
        }
    }
}
