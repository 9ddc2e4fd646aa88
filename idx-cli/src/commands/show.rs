use std::ffi::OsString;
use std::path::PathBuf;

use crate::args::ShowArguments;
use crate::commands::info::Info;
use crate::draw::picture::Picture;
use crate::draw::sheet;
use crate::draw::table::Table;
use crate::records::selection::Selection;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::report::report;

/// How many records are shown by default, in the terminal and on a sheet.
const FIRST: u64 = 10;
const FIRST_OF_SHEET: u64 = 100;

/// A picture of more pixels in a column is drawn smaller, in half as many lines.
const MAX_HEIGHT: usize = 200;

/// Columns between two pictures.
const GAP: usize = 2;

pub(crate) fn run(arguments: &ShowArguments, console: &mut Console) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        let selection = Selection::open(arguments, FIRST_OF_SHEET)?;
        return sheet::write(selection, path, &arguments.overwrite);
    }
    let selection = Selection::open(arguments, FIRST)?;
    let (mut row, mut table) = (Row::default(), Table::default());
    let shown = show(selection, &mut row, &mut table, console);
    // The records before an error, too.
    row.print(console)?;
    table.print(console)?;
    shown
}

fn show(
    mut selection: Selection,
    row: &mut Row,
    table: &mut Table,
    console: &mut Console,
) -> Result<(), Failure> {
    let element_type = selection.images.header().element_type();
    let image = selection.images.image_layout();
    while let Some(record) = selection.next()? {
        let caption = match record.label {
            Some(label) => format!("{}: label {label}", record.index),
            None => format!("{}:", record.index),
        };
        if let Some(image) = image {
            let max = (MAX_HEIGHT, console.width);
            let picture = Picture::of(element_type, image, record.bytes, max);
            row.push(caption, picture.draw(console.style, console.width), console)?;
        } else {
            table.push(caption, element_type, record.bytes, console)?;
        }
    }
    Ok(())
}

/// What files are, and their first pictures, for those who give only their names.
pub(crate) fn overviews(files: &[OsString], console: &mut Console) -> Result<(), Failure> {
    for file in files {
        overview(file.into(), console).or_else(|failure| console.print_failure(failure))?;
    }
    Ok(())
}

fn overview(path: PathBuf, console: &mut Console) -> Result<(), Failure> {
    let (info, checked) = Info::read(&path, false)?;
    report(Ok(info), false, console)?;
    writeln!(console)?;
    let arguments = ShowArguments {
        file: Some(path),
        ..ShowArguments::default()
    };
    // Of what is wrong twice, only the first is printed.
    run(&arguments, console).and(checked)
}

/// The built-in sample, for those who called `idx` to see what it is.
pub(crate) fn sample(console: &mut Console) -> Result<(), Failure> {
    run(&ShowArguments::default(), console)?;
    writeln!(
        console,
        "This is the built-in sample; for the rest see `idx -h`."
    )
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
    ) -> Result<(), Failure> {
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

    fn print(&mut self, console: &mut Console) -> Result<(), Failure> {
        let height = self.pictures.iter().map(|cell| cell.lines.len()).max();
        let Some(height) = height else {
            return Ok(());
        };
        let captions = self
            .pictures
            .iter()
            .map(|cell| (cell.caption.as_str(), cell.caption.len(), cell.width));
        print_line(console, captions)?;
        for index in 0..height {
            let lines = self.pictures.iter().map(|cell| {
                let line = cell.lines.get(index).map_or("", String::as_str);
                (line, cell.picture_width, cell.width)
            });
            print_line(console, lines)?;
        }
        writeln!(console)?;
        self.pictures.clear();
        Ok(())
    }
}

/// One line of several cells: the text, the columns that it takes, and the width of the cell.
fn print_line<'a>(
    console: &mut Console,
    cells: impl Iterator<Item = (&'a str, usize, usize)>,
) -> Result<(), Failure> {
    let mut line = String::new();
    for (text, columns, width) in cells {
        line.push_str(text);
        line.extend(std::iter::repeat_n(' ', width - columns + GAP));
    }
    // Paper without ink at the end of a line need not be printed.
    writeln!(console, "{}", line.trim_end())
}
