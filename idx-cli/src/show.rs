use std::io::{self, Write};
use std::path::Path;

use idx_std::ElementType;

use crate::arguments::{RecordRange, ShowArguments};
use crate::console::Console;
use crate::input::{Input, SAMPLE_IMAGES, SAMPLE_LABELS};
use crate::labels::Labels;
use crate::picture::{Picture, Shape};

/// How many records are shown unless told.
const FIRST: u64 = 10;

/// Columns between two pictures.
const GAP: usize = 2;

pub(crate) fn run(arguments: &ShowArguments, console: &mut Console) -> io::Result<()> {
    let name = arguments.file.as_deref().unwrap_or(Path::new("sample"));
    let images = match &arguments.file {
        Some(path) => Input::open(path),
        None => Input::from_static(SAMPLE_IMAGES),
    };
    let mut images = match images {
        Ok(images) => images,
        Err(error) => return console.fail(name, error.message()),
    };
    let count = images.header().record_count();
    let range = match records(arguments.records, count) {
        Ok(range) => range,
        Err(message) => return console.fail(name, message),
    };
    let labels = match (&arguments.labels, &arguments.file) {
        (Some(path), _) => Some((
            path.as_path(),
            Labels::open(path, arguments.label_column, count, range.start),
        )),
        (None, None) => Some((
            name,
            Input::from_static(SAMPLE_LABELS)
                .map_err(|error| error.message())
                .and_then(|labels| Labels::new(labels, 0, count, range.start)),
        )),
        (None, Some(_)) => None,
    };
    let mut labels = match labels {
        Some((path, Ok(labels))) => Some((path, labels)),
        Some((path, Err(message))) => return console.fail(path, message),
        None => None,
    };
    if let Err(error) = images.skip_to(range.start) {
        return console.fail(name, error.message());
    }

    let header = images.header();
    let element_type = header.element_type();
    let shape = Shape::of(header.record_dims());
    let to_the_end = range.end == u64::from(count);
    let mut row = Row::default();
    for index in range {
        let label = match labels
            .as_mut()
            .and_then(|(path, labels)| Some((path, labels.next()?)))
        {
            Some((_, Ok(label))) => Some(label),
            Some((path, Err(error))) => {
                row.print(console)?;
                return console.fail(path, error.message());
            }
            None => None,
        };
        let record = match images.next_record() {
            Some(Ok(record)) => record,
            Some(Err(error)) => {
                row.print(console)?;
                return console.fail(name, error.message());
            }
            None => break,
        };
        let caption = match label {
            Some(label) => format!("{index}: label {label}"),
            None => format!("{index}:"),
        };
        match shape {
            Some(shape) => {
                let picture = Picture::of(element_type, shape, record).fit(console.width);
                row.push(caption, picture.draw(console.style), console)?;
            }
            None => writeln!(
                console.output,
                "{caption} {}",
                numbers(element_type, record)
            )?,
        }
    }
    row.print(console)
}

/// The built-in sample, for those who called `idx` to see what it is.
pub(crate) fn sample(console: &mut Console) -> io::Result<()> {
    run(&ShowArguments::default(), console)?;
    writeln!(
        console.output,
        "This is the built-in sample. `idx -h` tells what else there is."
    )
}

/// The records that are shown, or why they cannot be.
fn records(range: Option<RecordRange>, count: u32) -> Result<std::ops::Range<u64>, String> {
    let count = u64::from(count);
    let Some(range) = range else {
        return Ok(0..count.min(FIRST));
    };
    let end = range.end.unwrap_or(count);
    if range.start > count || end > count {
        let records = if count == 1 {
            "1 record"
        } else {
            &format!("{count} records")
        };
        return Err(format!(
            "the range goes beyond the last record; the file has {records}, counted from 0"
        ));
    }
    Ok(range.start..end)
}

/// The elements of a record that is no image.
fn numbers(element_type: ElementType, record: &[u8]) -> String {
    let numbers: Vec<String> = record
        .chunks_exact(element_type.size())
        .filter_map(|bytes| match (element_type, bytes) {
            // An f64 would show digits that the f32 does not have.
            (ElementType::F32, &[a, b, c, d]) => Some(f32::from_be_bytes([a, b, c, d]).to_string()),
            _ => element_type.value(bytes).map(|value| value.to_string()),
        })
        .collect();
    numbers.join(" ")
}

/// Pictures side by side, as many as there is room for.
#[derive(Default)]
struct Row {
    pictures: Vec<Cell>,
}

struct Cell {
    caption: String,
    /// The width of the picture and of the caption in columns.
    width: usize,
    picture_width: usize,
    lines: Vec<String>,
}

impl Row {
    fn push(
        &mut self,
        caption: String,
        (picture_width, lines): (usize, Vec<String>),
        console: &mut Console,
    ) -> io::Result<()> {
        let cell = Cell {
            width: picture_width.max(caption.len()),
            caption,
            picture_width,
            lines,
        };
        let taken: usize = self.pictures.iter().map(|cell| cell.width + GAP).sum();
        if taken + cell.width > console.width {
            self.print(console)?;
        }
        self.pictures.push(cell);
        Ok(())
    }

    fn print(&mut self, console: &mut Console) -> io::Result<()> {
        let output = &mut console.output;
        let height = self.pictures.iter().map(|cell| cell.lines.len()).max();
        let Some(height) = height else {
            return Ok(());
        };
        let captions = self
            .pictures
            .iter()
            .map(|cell| (cell.caption.as_str(), cell.caption.len(), cell.width));
        print_line(output, captions)?;
        for index in 0..height {
            let lines = self.pictures.iter().map(|cell| {
                let line = cell.lines.get(index).map_or("", String::as_str);
                (line, cell.picture_width, cell.width)
            });
            print_line(output, lines)?;
        }
        writeln!(output)?;
        self.pictures.clear();
        Ok(())
    }
}

/// One line of several cells: the text, the columns it takes, and those that the cell has.
fn print_line<'a>(
    output: &mut impl Write,
    cells: impl Iterator<Item = (&'a str, usize, usize)>,
) -> io::Result<()> {
    let mut spaces = 0;
    for (text, columns, width) in cells {
        // No spaces at the end of a line: they are written before the next cell.
        write!(output, "{:spaces$}{text}", "")?;
        spaces = width - columns + GAP;
    }
    writeln!(output)
}
