use std::io::{self, Write};

use idx_std::ElementType;

use crate::arguments::{RecordRange, ShowArguments};
use crate::console::{Console, Stop};
use crate::input::Input;
use crate::labels::Labels;
use crate::picture::{Picture, Shape};

/// How many records are shown unless told.
const FIRST: u64 = 10;

/// Columns between two pictures.
const GAP: usize = 2;

pub(crate) fn run(arguments: &ShowArguments, console: &mut Console) -> io::Result<()> {
    let mut row = Row::default();
    let done = show(arguments, &mut row, console);
    row.print(console)?;
    console.report(done)
}

fn show(arguments: &ShowArguments, row: &mut Row, console: &mut Console) -> Result<(), Stop> {
    let (mut images, labels) = match &arguments.file {
        Some(path) => {
            let labels = arguments.labels.as_deref().map(Input::open);
            (Input::open(path)?, labels.transpose()?)
        }
        None => (Input::sample_images()?, Some(Input::sample_labels()?)),
    };
    let count = images.header().record_count();
    let range = records(arguments.records, count).map_err(|message| images.stop(message))?;
    let to_the_end = range.end == u64::from(count);
    let labels = labels.map(|labels| Labels::new(labels, arguments.label_column, count));
    let mut labels = labels.transpose()?;
    images.skip_to(range.start)?;
    if let Some(labels) = &mut labels {
        labels.skip_to(range.start)?;
    }

    let element_type = images.header().element_type();
    let shape = Shape::of(images.header().record_dims());
    for index in range {
        let label = match &mut labels {
            Some(labels) => labels.next_label()?,
            None => None,
        };
        let caption = match label {
            Some(label) => format!("{index}: label {label}"),
            None => format!("{index}:"),
        };
        let Some(record) = images.next_record().transpose()? else {
            break;
        };
        if let Some(shape) = shape {
            let picture = Picture::of(element_type, shape, record).fit(console.width);
            row.push(caption, picture.draw(console.style), console)?;
        } else {
            let line = format!("{caption} {}", numbers(element_type, record));
            writeln!(console.output, "{}", line.trim_end())?;
        }
    }
    // Whoever sees the last record is told if the file is not right after it.
    if to_the_end {
        images.expect_end()?;
        if let Some(labels) = &mut labels {
            labels.expect_end()?;
        }
    }
    Ok(())
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
    let mut line = String::new();
    for (text, columns, width) in cells {
        line.push_str(text);
        line.extend(std::iter::repeat_n(' ', width - columns + GAP));
    }
    // Paper without ink at the end of a line need not be printed.
    writeln!(output, "{}", line.trim_end())
}
