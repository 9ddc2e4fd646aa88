//! `idx show`, and a file without a command: pictures or numbers in the terminal, or a sheet.

use std::ffi::OsString;
use std::fs::Metadata;
use std::path::{Path, PathBuf, absolute};
use std::{io, iter};

use idx_data::{Format, OpenOptions, Record, RecordSelection, Source};

use crate::args::{InfoArguments, ShowArguments, usage};
use crate::commands::check::check_data_sets;
use crate::commands::convert::is_picture;
use crate::commands::info::{self, Info};
use crate::draw::drawing::Drawing;
use crate::draw::picture::{GAP, draw, fitting_divisor, is_small};
use crate::draw::sheet::draw_sheet;
use crate::draw::table::Table;
use crate::records::input::{found, parts};
use crate::records::selection::{Selection, open};
use crate::term::console::{
    Console, is_standard_input, is_standard_output, place_of_output, refuse_terminal,
};
use crate::term::failure::{Failure, note, print_note};
use crate::term::reading::print_reading;
use crate::term::report::report;
use crate::term::signals;
use crate::term::text::{PathText, columns, fitted, printable};

/// The number of records that are shown by default, in the terminal and on a sheet.
const FIRST: u64 = 10;
const FIRST_OF_SHEET: u64 = 100;

/// The minimum width of a caption in columns: three fit in 40. A longer one is cut where its picture ends.
const CAPTION: usize = 12;

/// The maximum number of pictures on a sheet: nobody could look at a larger one.
const MAX_PICTURES: u64 = 100_000;

pub(crate) fn run(arguments: &ShowArguments, console: &mut Console) -> Result<(), Failure> {
    let files = &arguments.files;
    if files.len() > 1 && (!arguments.labels.files().is_empty() || arguments.output.is_some()) {
        let text = "--labels and -o need exactly one FILE";
        return Err(usage("show", text));
    }
    let file = files.first().map(PathBuf::as_path);
    if let Some(output) = &arguments.output {
        return write_sheet(file, arguments, output);
    }
    // A list of records may be a pipe, which can be read only once.
    let records = arguments.range.selection()?;
    let records = records.as_ref();
    let show = |file: Option<&Path>, above, console: &mut Console| {
        let set = open(file, arguments)?;
        print_reading(&set.reading());
        show(parts(file, set), arguments, records, console.lines_below(above), console)
    };
    if files.len() < 2 {
        return show(file, 0, console);
    }
    for (index, file) in files.iter().enumerate() {
        if index > 0 {
            writeln!(console)?;
        }
        writeln!(console, "{}", PathText::from(file))?;
        let shown = show(Some(file), 1, console);
        shown.or_else(|failure| console.print_failure(failure))?;
    }
    Ok(())
}

fn show(
    parts: Vec<(PathBuf, Source)>,
    arguments: &ShowArguments,
    records: Option<&RecordSelection>,
    lines: Option<usize>,
    console: &mut Console,
) -> Result<(), Failure> {
    let are_named = parts.len() > 1;
    let lines = lines.map(|lines| lines.saturating_sub(usize::from(are_named)));
    for (index, (path, source)) in parts.into_iter().enumerate() {
        if index > 0 {
            writeln!(console)?;
        }
        if are_named {
            writeln!(console, "{}", PathText::from(&path))?;
        }
        let selection = Selection::new(source, arguments, records, FIRST)?;
        show_part(selection, lines, console)?;
    }
    Ok(())
}

fn show_part(
    mut selection: Selection,
    lines: Option<usize>,
    console: &mut Console,
) -> Result<(), Failure> {
    let (mut row, mut table) = (Row::default(), Table::default());
    let look = selection.look();
    let caption_width = if selection.has_labels() { CAPTION } else { 0 };
    let divisor = look
        .map(|look| fitting_divisor(look.image, console, lines, selection.most(), caption_width));
    let mut shown: u64 = 0;
    let end = loop {
        let record = match selection.next() {
            Ok(Some(record)) => record,
            end => break end,
        };
        shown += 1;
        if let Some((look, divisor)) = look.zip(divisor) {
            let drawing = Drawing::new(look, &record.bytes, divisor);
            let is_small = is_small(look.image, console.width);
            let drawn = draw(&drawing, console.style, is_small);
            let most = lines.map_or(usize::MAX, |_| drawn.0.max(CAPTION));
            // In a terminal, the pictures of all rows line up.
            let least = lines.map_or(0, |_| caption_width);
            row.push(&caption(&selection, &record, most), least, drawn, console)?;
        } else {
            let label = label(&selection, &record);
            table.push(&record, label, selection.element_type(), console)?;
        }
    };
    // Records before an error are also printed.
    row.print(console)?;
    table.print(console)?;
    end?;
    selection.note_after(shown).iter().for_each(print_note);
    if shown == 0 {
        print_note(note(selection.path(), "no records to show"));
    }
    Ok(())
}

/// Returns the label of a record, if it has one, with the name of its class.
fn label(selection: &Selection, record: &Record) -> Option<String> {
    let label = record.label?;
    let name = selection.names().and_then(|names| names.name(label));
    Some(match name {
        Some(name) => format!("{label} {}", printable(name)),
        None => format!("label {label}"),
    })
}

/// Returns the number of a record and its label, shortened to fit.
fn caption(selection: &Selection, record: &Record, most: usize) -> String {
    let index = record.index;
    let Some(label) = label(selection, record) else {
        return fitted(&index.to_string(), most);
    };
    let text = format!("{index}: {label}");
    match columns(&text) > most && selection.names().is_none() {
        true => fitted(&text.replacen("label ", "", 1), most),
        false => fitted(&text, most),
    }
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
    let select = |set| match <[_; 1]>::try_from(parts(file, set)) {
        Ok([(_, source)]) => Selection::new(source, arguments, records.as_ref(), FIRST_OF_SHEET),
        Err(parts) => {
            let names = parts.iter().map(|(path, _)| PathText::from(path).to_string());
            let names = names.collect::<Vec<_>>().join(" or ");
            Err(usage("show", &format!("a sheet shows one part; give {names}")))
        }
    };
    let set = open(file, arguments)?;
    print_reading(&set.reading());
    if let Some(place) = place_of_output(output) {
        set.expect_outside(place)?;
    }
    let selection = select(set)?;
    // For csv and for chosen classes, the number is known only at the end.
    let is_file = |path: &Path| !is_standard_input(path) && (path.is_file() || !path.exists());
    let mut inputs = file.into_iter().chain(arguments.labels.files().iter().map(PathBuf::as_path));
    let (count, last) = match selection.size {
        Some(size) => size,
        None if inputs.all(|path| path.is_dir() || is_file(path)) => {
            select(open(file, arguments)?)?.counted()?
        }
        None => {
            let text = "the number of these pictures is not known before they are read, and a pipe is read only once; \
                        give a file";
            return Err(selection.fail(text));
        }
    };
    selection.note_after(count).iter().for_each(print_note);
    if count == 0 || count > MAX_PICTURES {
        return Err(selection.fail(format!(
            "a sheet has 1 to {MAX_PICTURES} pictures, not {count}; choose the records with --records"
        )));
    }
    let last = arguments.numbers.then_some(last);
    if is_standard_output(output) {
        refuse_terminal()?;
        // Not through the console, which changes bytes that look like colors.
        return draw_sheet(selection, count, last, &mut io::stdout().lock(), Failure::output);
    }
    signals::leave_nothing();
    // Before the file is created, so that an error leaves nothing.
    let is_of_a_class = !output.exists() && is_of_a_class(output).unwrap_or_default();
    let mut file = arguments.overwrite.create(output)?;
    draw_sheet(selection, count, last, &mut file, |error| Failure::io(output, error))?;
    file.finish()?;
    if is_of_a_class {
        let name = output.file_name().unwrap_or_default().display();
        let text = format!(
            "this folder has the pictures of a class, and the sheet is read as one of them, unless `--skip {name}` \
             leaves it out"
        );
        print_note(note(output, text));
    }
    Ok(())
}

/// Returns whether the folder of a picture has other pictures, and so do all folders next to it, as for classes.
fn is_of_a_class(picture: &Path) -> io::Result<bool> {
    let picture = absolute(picture)?;
    let has_others = |folder: &Path| {
        let entries = folder.read_dir().into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).any(|path| is_picture(&path) && path != picture)
    };
    let folder = picture.parent().filter(|folder| is_picture(&picture) && has_others(folder));
    let Some((folder, above)) = folder.and_then(|folder| Some((folder, folder.parent()?))) else {
        return Ok(false);
    };
    let entries = above.read_dir()?.flatten().map(|entry| entry.path());
    let mut others = entries.filter(|path| path != folder && path.is_dir()).peekable();
    Ok(others.peek().is_some() && others.all(|other| has_others(&other)))
}

/// Prints reports and first pictures of files, when `idx` gets only their names.
pub(crate) fn overviews(files: &[OsString], console: &mut Console) -> Result<(), Failure> {
    for (index, file) in files.iter().enumerate() {
        if index > 0 {
            writeln!(console)?;
        }
        overview(file.as_ref(), console).or_else(|failure| console.print_failure(failure))?;
    }
    Ok(())
}

fn overview(path: &Path, console: &mut Console) -> Result<(), Failure> {
    let found = found(path)?;
    if found.as_ref().is_some_and(Metadata::is_dir)
        && check_data_sets(path, &OpenOptions::new(), console)?
    {
        return Ok(());
    }
    let (arguments, of_info) = (ShowArguments::default(), InfoArguments::default());
    let open = || Ok::<_, Failure>(parts(Some(path), open(Some(path), &arguments)?));
    let is_stream =
        found.map_or(is_standard_input(path), |found| !found.is_file() && !found.is_dir());
    // It is read once, for its report and its records.
    let stream = is_stream.then(open).transpose()?;
    let infos = match &stream {
        Some(parts) => {
            let infos = parts.iter().map(|(path, source)| Info::of_part(path, source, &of_info));
            infos.collect::<Result<Vec<_>, _>>()?
        }
        None => Info::read(path, &of_info, &info::opening(&of_info)?)?.1,
    };
    let (mut lines, mut all_checked) = (1, Ok(()));
    for (info, checked) in infos {
        lines += info.to_string().lines().count();
        report(&info, console)?;
        all_checked = all_checked.and(checked);
    }
    writeln!(console)?;
    // An error that occurs in both is printed once. The report has the reading.
    let parts = stream.map_or_else(open, Ok)?;
    show(parts, &arguments, None, console.lines_below(lines), console).and(all_checked)
}

/// Prints the built-in sample, when `idx` gets no arguments.
pub(crate) fn sample(console: &mut Console) -> Result<(), Failure> {
    let arguments = ShowArguments::default();
    let parts = parts(None, open(None, &arguments)?);
    show(parts, &arguments, None, console.lines_below(2), console)?;
    writeln!(console, "\nThis is the built-in sample; for the rest see `idx -h`.")
}

/// Pictures side by side, until the line is full.
#[derive(Default)]
struct Row {
    pictures: Vec<Cell>,
    /// True if other rows are above.
    is_next: bool,
}

struct Cell {
    /// The number of columns that it takes.
    width: usize,
    /// The caption and the picture, each line as wide as the cell.
    lines: Vec<String>,
}

impl Row {
    /// Adds a picture of at least this width.
    fn push(
        &mut self,
        caption: &str,
        least: usize,
        (picture_width, picture): (usize, Vec<String>),
        console: &mut Console,
    ) -> Result<(), Failure> {
        let caption_width = columns(caption);
        let width = picture_width.max(caption_width).max(least);
        let taken: usize = self.pictures.iter().map(|cell| cell.width + GAP).sum();
        if taken + width > console.width {
            self.print(console)?;
        }
        let filled = |line: String, taken: usize| line + &" ".repeat(width - taken);
        let caption = filled(console.styled(caption), caption_width);
        let picture = picture.into_iter().map(|line| filled(line, picture_width));
        self.pictures.push(Cell { width, lines: iter::once(caption).chain(picture).collect() });
        Ok(())
    }

    fn print(&mut self, console: &mut Console) -> Result<(), Failure> {
        // All pictures are of one height.
        let height = self.pictures.first().map_or(0, |cell| cell.lines.len());
        if height > 0 && std::mem::replace(&mut self.is_next, true) {
            writeln!(console)?;
        }
        for index in 0..height {
            let cells = self.pictures.iter().filter_map(|cell| cell.lines.get(index));
            let line = cells.map(String::as_str).collect::<Vec<_>>().join(&" ".repeat(GAP));
            // Spaces at the end of a line need not be printed.
            writeln!(console, "{}", line.trim_end())?;
        }
        self.pictures.clear();
        Ok(())
    }
}
