use std::io::{self, Write};
use std::ops::Range;

use idx_std::formats::LabelColumn;

use crate::arguments::{RecordRange, ShowArguments};
use crate::console::{Console, Stop};
use crate::input::{self, Input};
use crate::picture::Picture;
use crate::sheet;
use crate::table::Table;

/// How many records are shown unless told, in the terminal and on a sheet.
const FIRST: u64 = 10;
const FIRST_OF_SHEET: u64 = 100;

/// Columns between two pictures.
const GAP: usize = 2;

pub(crate) fn run(arguments: &ShowArguments, console: &mut Console) -> io::Result<()> {
    if let Some(path) = &arguments.output {
        let sheet = Shown::open(arguments, FIRST_OF_SHEET)
            .and_then(|shown| sheet::write(shown, path, arguments.force));
        return console.report(sheet);
    }
    let (mut row, mut table) = (Row::default(), Table::default());
    let done =
        Shown::open(arguments, FIRST).and_then(|shown| show(shown, &mut row, &mut table, console));
    row.print(console)?;
    table.print(console)?;
    console.report(done)
}

fn show(
    mut shown: Shown,
    row: &mut Row,
    table: &mut Table,
    console: &mut Console,
) -> Result<(), Stop> {
    let element_type = shown.images.header().element_type();
    let image = shown.images.image_layout();
    while let Some(record) = shown.next()? {
        let caption = match record.label {
            Some(label) => format!("{}: label {label}", record.index),
            None => format!("{}:", record.index),
        };
        if let Some(image) = image {
            let picture = Picture::of(element_type, image, record.bytes).fit(console.width);
            row.push(caption, picture.draw(console.style), console)?;
        } else {
            table.push(caption, element_type, record.bytes, console)?;
        }
    }
    Ok(())
}

/// The records that are asked for, and their labels.
pub(crate) struct Shown {
    pub(crate) images: Input,
    labels: Option<LabelColumn>,
    pub(crate) range: Range<u64>,
    to_the_end: bool,
}

pub(crate) struct ShownRecord<'a> {
    pub(crate) index: u64,
    pub(crate) label: Option<i128>,
    pub(crate) bytes: &'a [u8],
}

impl Shown {
    /// Opens the files; the first records unless the arguments tell which.
    fn open(arguments: &ShowArguments, first: u64) -> Result<Self, Stop> {
        let (mut images, mut labels) = match &arguments.file {
            Some(path) => {
                let labels = arguments.labels.as_deref();
                let labels = labels.map(|path| input::open_labels(path, arguments.label_column));
                (Input::open(path)?, labels.transpose()?)
            }
            None => (Input::sample_images()?, Some(input::sample_labels()?)),
        };
        let count = images.header().record_count();
        let range = records(arguments.records, count, first);
        let range = range.map_err(|message| images.stop(message))?;
        images.skip_to(range.start)?;
        if let Some(labels) = &mut labels {
            labels.expect_count(count.into())?;
            labels.skip(range.start)?;
        }
        Ok(Self {
            images,
            labels,
            to_the_end: range.end == u64::from(count),
            range,
        })
    }

    /// The next record; at the end it is checked that the files end there.
    pub(crate) fn next(&mut self) -> Result<Option<ShownRecord<'_>>, Stop> {
        let Some(index) = self.range.next() else {
            // Whoever sees the last record is told if the file is not right after it.
            if self.to_the_end {
                self.images.expect_end()?;
                if let Some(labels) = &mut self.labels {
                    labels.next_label()?;
                }
            }
            return Ok(None);
        };
        let label = match &mut self.labels {
            Some(labels) => labels.next_label()?,
            None => None,
        };
        let record = self.images.next_record().transpose()?;
        Ok(record.map(|bytes| ShownRecord {
            index,
            label,
            bytes,
        }))
    }

    /// Reads the labels in advance, if there are some; then `next` gives none.
    pub(crate) fn take_labels(&mut self) -> Result<Vec<i128>, Stop> {
        let Some(mut labels) = self.labels.take() else {
            return Ok(Vec::new());
        };
        let mut taken = Vec::new();
        for _ in self.range.clone() {
            taken.extend(labels.next_label()?);
        }
        if self.to_the_end {
            labels.next_label()?;
        }
        Ok(taken)
    }
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
fn records(range: Option<RecordRange>, count: u32, first: u64) -> Result<Range<u64>, String> {
    let count = u64::from(count);
    let Some(range) = range else {
        return Ok(0..count.min(first));
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
