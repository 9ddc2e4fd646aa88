use std::ffi::OsString;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use idx_data::{Drawing, Format, RecordSelection, Sheet};
use idx_std::AtomicFile;

use crate::args::{InfoArguments, ShowArguments, usage};
use crate::commands::info::Info;
use crate::draw::picture::draw;
use crate::draw::table::Table;
use crate::records::selection::{Selection, Survey};
use crate::term::console::{Console, is_standard_output, refuse_terminal};
use crate::term::failure::Failure;
use crate::term::report::report;
use crate::term::signals;
use crate::term::text::{PathText, printable};

/// How many records are shown by default, in the terminal and on a sheet.
const FIRST: u64 = 10;
const FIRST_OF_SHEET: u64 = 100;

/// A sheet of more pictures could not be looked at.
const MAX_PICTURES: u64 = 100_000;

/// A picture with more rows than this is drawn in half as many lines.
const MAX_HEIGHT: usize = 200;

/// Columns between two pictures.
const GAP: usize = 2;

pub(crate) fn run(arguments: &ShowArguments, console: &mut Console) -> Result<(), Failure> {
    let files = &arguments.files;
    if files.len() > 1 && (!arguments.labels.files.is_empty() || arguments.output.is_some()) {
        let text = "--labels and -o belong to one FILE; give only one";
        return Err(usage("show", text));
    }
    let file = files.first().map(PathBuf::as_path);
    if let Some(output) = &arguments.output {
        return write_sheet(file, arguments, output);
    }
    // A list of records may be a pipe, which can be read only once.
    let records = arguments.range.selection()?;
    let records = &records.unwrap_or(RecordSelection::first(FIRST));
    if files.len() < 2 {
        return show(file, arguments, records, console);
    }
    for file in files {
        writeln!(console, "{}", PathText::from(file))?;
        let shown = show(Some(file), arguments, records, console);
        shown.or_else(|failure| console.print_failure(failure))?;
    }
    Ok(())
}

fn show(
    file: Option<&Path>,
    arguments: &ShowArguments,
    records: &RecordSelection,
    console: &mut Console,
) -> Result<(), Failure> {
    let selection = Selection::open(file, arguments, records)?;
    let (mut row, mut table) = (Row::default(), Table::default());
    let shown = show_records(selection, &mut row, &mut table, console);
    // Also the records before an error.
    row.print(console)?;
    table.print(console)?;
    shown
}

fn show_records(
    mut selection: Selection,
    row: &mut Row,
    table: &mut Table,
    console: &mut Console,
) -> Result<(), Failure> {
    let element_type = selection.element_type();
    let image = selection.image_layout();
    let names = selection.take_names();
    while let Some(record) = selection.next()? {
        let caption = match record.label {
            Some(label) => match names.as_ref().and_then(|names| names.name(label)) {
                Some(name) => format!("{}: {label} {}", record.index, printable(name)),
                None => format!("{}: label {label}", record.index),
            },
            None => format!("{}:", record.index),
        };
        if let Some(image) = image {
            let max = [MAX_HEIGHT, console.width];
            let drawing = Drawing::new(element_type, image, record.bytes, max);
            let drawn = draw(&drawing, console.style, console.width);
            row.push(caption, drawn, console)?;
        } else {
            table.push(caption, element_type, record.bytes, console)?;
        }
    }
    Ok(())
}

/// Writes the records as a sheet of pictures.
fn write_sheet(
    file: Option<&Path>,
    arguments: &ShowArguments,
    output: &Path,
) -> Result<(), Failure> {
    let extension = output.extension().unwrap_or("png".as_ref());
    if !extension.eq_ignore_ascii_case("png") || Format::from_path(output) == Some(Format::Idx) {
        let text = "a sheet is a PNG file; name it like sheet.png";
        return Err(usage("show", text));
    }
    let records = arguments.range.selection()?;
    let records = records.unwrap_or(RecordSelection::first(FIRST_OF_SHEET));
    let (selection, survey) = Selection::survey(file, arguments, &records)?;
    let count = survey.count;
    if count == 0 || count > MAX_PICTURES {
        return Err(selection.fail(format!(
            "a sheet has 1 to {MAX_PICTURES} pictures, not {count}; choose the records with --records"
        )));
    }
    if is_standard_output(output) {
        refuse_terminal()?;
        // Not through the console, which changes bytes that look like colours.
        return draw_sheet(selection, survey, io::stdout().lock(), Failure::output).map(drop);
    }
    signals::leave_nothing();
    let file = match arguments.overwrite.force {
        true => AtomicFile::create(output)?,
        false => AtomicFile::create_new(output)?,
    };
    let file = draw_sheet(selection, survey, file, |error| Failure::io(output, error))?;
    Ok(file.finish()?)
}

fn draw_sheet<W: Write + 'static>(
    mut selection: Selection,
    survey: Survey,
    output: W,
    failed: impl Fn(io::Error) -> Failure,
) -> Result<W, Failure> {
    let names = selection.take_names();
    let (layout, count, labels) = (selection.layout(), survey.count, survey.labels);
    let sheet = Sheet::new(output, layout, count, survey.last, &labels, names.as_ref());
    let mut sheet =
        sheet.map_err(|kind| selection.fail(format!("{kind}; show them without -o")))?;
    let mut labels = labels.into_iter();
    let mut drawn = 0;
    while let Some(record) = selection.next()? {
        let pushed = sheet.push(record.index, labels.next(), record.bytes);
        pushed.map_err(&failed)?;
        drawn += 1;
    }
    // Of csv the number of records is known only now.
    if drawn != count {
        return Err(
            selection.fail(format!("{count} labels but {drawn} records; give their label file"))
        );
    }
    sheet.finish().map_err(failed)
}

/// Reports and first pictures of files, when `idx` gets only their names.
pub(crate) fn overviews(files: &[OsString], console: &mut Console) -> Result<(), Failure> {
    for file in files {
        overview(file.as_ref(), console).or_else(|failure| console.print_failure(failure))?;
    }
    Ok(())
}

fn overview(path: &Path, console: &mut Console) -> Result<(), Failure> {
    let (info, checked) = Info::read(path, &InfoArguments::default())?;
    report(Ok(info), false, console)?;
    writeln!(console)?;
    // An error that occurs in both is printed once.
    let records = RecordSelection::first(FIRST);
    show(Some(path), &ShowArguments::default(), &records, console).and(checked)
}

/// The built-in sample, when `idx` gets no arguments.
pub(crate) fn sample(console: &mut Console) -> Result<(), Failure> {
    run(&ShowArguments::default(), console)?;
    writeln!(console, "This is the built-in sample; for the rest see `idx -h`.")
}

/// Pictures side by side, as many as fit.
#[derive(Default)]
struct Row {
    pictures: Vec<Cell>,
}

struct Cell {
    /// The columns that it takes.
    width: usize,
    /// The caption and the picture, with the columns that each line takes.
    lines: Vec<(String, usize)>,
}

impl Row {
    fn push(
        &mut self,
        caption: String,
        (picture_width, lines): (usize, Vec<String>),
        console: &mut Console,
    ) -> Result<(), Failure> {
        let caption_width = caption.chars().count();
        let lines = lines.into_iter().map(|line| (line, picture_width));
        let cell = Cell {
            width: picture_width.max(caption_width),
            lines: iter::once((caption, caption_width)).chain(lines).collect(),
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
        for index in 0..height {
            let mut line = String::new();
            for cell in &self.pictures {
                let (text, columns) =
                    cell.lines.get(index).map_or(("", 0), |(text, columns)| (text, *columns));
                line.push_str(text);
                line.extend(iter::repeat_n(' ', cell.width - columns + GAP));
            }
            // Paper without ink at the end of a line need not be printed.
            writeln!(console, "{}", line.trim_end())?;
        }
        writeln!(console)?;
        self.pictures.clear();
        Ok(())
    }
}
