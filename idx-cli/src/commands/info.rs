//! `idx info`: the facts of a file before its records are read.

use std::fmt;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

use idx_data::{Format, Reading, RecordLayout, Source};
use idx_std::__private::Source as FileBytes;
use idx_std::{Error, Shape};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::{InfoArguments, LabelArguments, Opening};
use crate::records::input::{IdxFile, Input, found, not_idx, parts};
use crate::term::console::{Console, is_standard_input, standard_input};
use crate::term::failure::Failure;
use crate::term::reading::ReadingReport;
use crate::term::report::{grouped, grouped_count, known_text, report};
use crate::term::text::PathText;

mod hex;

/// The report of `info` on a file; its fields are the keys of `--json`.
#[derive(Default, Serialize)]
pub(crate) struct Info {
    #[serde(flatten)]
    path: PathText,
    format: &'static str,
    element_type: String,
    /// True if this type is assumed, because csv states none and no option does.
    #[serde(skip)]
    is_type_assumed: bool,
    /// The first size is unknown if the records are not counted.
    shape: Vec<Option<u64>>,
    records: Option<u64>,
    /// `None` for an empty file whose records would be too large to exist.
    record_bytes: Option<u64>,
    payload_bytes: Option<u64>,
    /// Only for IDX, which firmware reads without compression.
    decompressed_bytes: Option<u64>,
    /// `None` for standard input, and for anything else that is not a regular file.
    file_bytes: Option<u64>,
    compression: Option<&'static str>,
    /// One for each of the joined files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reading: Vec<ReadingReport>,
    /// The well-known file that it is, or null; only with `--identify`.
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Value>,
}

pub(crate) fn run(arguments: &InfoArguments, console: &mut Console) -> Result<(), Failure> {
    console.is_json = arguments.input.json;
    let files = &arguments.input.files;
    if arguments.hex {
        return print_dumps(files, console);
    }
    let opening = opening(arguments)?;
    let mut readings = Vec::new();
    for path in files {
        let parts = match Info::read(path, arguments, &opening) {
            Ok((reading, parts)) => {
                readings.push(reading);
                parts
            }
            Err(failure) => {
                console.print_failure(failure)?;
                continue;
            }
        };
        for (info, checked) in parts {
            // The facts are those of the header, even if the size of the file is wrong. JSON has one object per file:
            // facts or error.
            if checked.is_ok() || !console.is_json {
                report(&info, console)?;
            }
            checked.or_else(|failure| console.print_failure(failure))?;
        }
    }
    // A file that could not be opened might have used the options.
    match readings.len() == files.len() {
        true => arguments.reading.expect_effect("info", &opening, &readings, None),
        false => Ok(()),
    }
}

/// Returns the options for reading, without the files next to a file.
pub(crate) fn opening(arguments: &InfoArguments) -> Result<Opening, Failure> {
    let opening = arguments.reading.opening(&LabelArguments::default())?;
    Ok(Opening { records: opening.records.beside(false), ..opening })
}

/// Prints the first bytes of files, each under its name if there are several.
fn print_dumps(files: &[PathBuf], console: &mut Console) -> Result<(), Failure> {
    for path in files {
        if files.len() > 1 {
            writeln!(console, "{}", PathText::from(path))?;
        }
        let dumped = dump(path).and_then(|dump| write!(console, "{dump}"));
        dumped.or_else(|failure| console.print_failure(failure))?;
    }
    Ok(())
}

fn dump(path: &Path) -> Result<String, Failure> {
    let dump = match is_standard_input(path) {
        true => FileBytes::new(standard_input()?).and_then(hex::explain),
        false => FileBytes::open(path).and_then(hex::explain),
    };
    dump.map_err(|kind| Error::from(kind).with_path(path).into())
}

/// The facts of a part, and any error after its header.
type PartInfo = (Info, Result<(), Failure>);

impl Info {
    /// Returns the reading of an input, and the facts of its header or of each part.
    pub(crate) fn read(
        path: &Path,
        arguments: &InfoArguments,
        opening: &Opening,
    ) -> Result<(Reading, Vec<PartInfo>), Failure> {
        match Input::open(path, &opening.records, arguments.reading.has_changes())? {
            Input::Idx(file) => {
                Ok((Reading::default(), vec![Self::of_idx(path, *file, arguments)?]))
            }
            Input::Other(set) => {
                let understood = set.reading();
                let parts = parts(Some(path), set).into_iter();
                let parts = parts.map(|(path, source)| {
                    Self::of_part(&path, &arguments.reading.change(source)?, arguments)
                });
                Ok((understood, parts.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Returns the facts of a part before its records are read.
    pub(crate) fn of_part(
        path: &Path,
        source: &Source,
        arguments: &InfoArguments,
    ) -> Result<PartInfo, Failure> {
        let format = source.formats().first().copied().unwrap_or(Format::Idx);
        let size = found(path)?.filter(Metadata::is_file).map(|file| file.len());
        let facts = source.facts();
        let mut info = Self::new(path, format, &facts.layout, facts.count, size);
        info.is_type_assumed = format == Format::Csv && !arguments.reading.has_changes();
        info.reading = source.reading().inputs().iter().map(ReadingReport::from).collect();
        let checked = match arguments.identify {
            true => Err(not_idx(path, format)),
            false => Ok(()),
        };
        Ok((info, checked))
    }

    fn of_idx(
        path: &Path,
        mut file: IdxFile,
        arguments: &InfoArguments,
    ) -> Result<PartInfo, Failure> {
        let header = file.reader.header();
        let layout = RecordLayout::new(header.element_type(), header.dims());
        let count = Some(header.record_count().into());
        let mut info = Self {
            payload_bytes: Some(header.payload_size()),
            decompressed_bytes: Some(header.file_size()),
            compression: file.reader.is_gzip().then_some("gzip"),
            ..Self::new(path, Format::Idx, &layout, count, file.size)
        };
        let checked = match arguments.identify {
            true => file
                .limited(arguments.reading.limit.record_limit)
                .and_then(IdxFile::checked)
                .map(|file| info.known = Some(json!(file.known.map(|known| known.to_string())))),
            false => file.check_end(),
        };
        Ok((info, checked))
    }

    /// Returns the facts that records of any format have.
    fn new(
        path: &Path,
        format: Format,
        layout: &RecordLayout,
        count: Option<u64>,
        file_bytes: Option<u64>,
    ) -> Self {
        let sizes = layout.dims.iter().copied().map(u64::from);
        let mut shape: Vec<_> = sizes.map(Some).collect();
        if let Some(first) = shape.first_mut() {
            *first = count;
        }
        let size = layout.record_size();
        Self {
            path: path.into(),
            format: format.name(),
            element_type: layout.dtype.to_string(),
            shape,
            records: count,
            record_bytes: size,
            payload_bytes: count.zip(size).and_then(|(count, size)| count.checked_mul(size)),
            file_bytes,
            ..Self::default()
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = |size| grouped_count(size, "byte");
        let record_bytes = match self.record_bytes {
            Some(size) => bytes(size),
            None => "more bytes than 64 bits can count".to_string(),
        };
        let known = |size: Option<u64>| size.map_or("?".to_string(), |size| size.to_string());
        let shape: Vec<String> = self.shape.iter().copied().map(known).collect();
        writeln!(f, "{}", self.path)?;
        if self.format != Format::Idx.name() {
            writeln!(f, "  format        {}", self.format)?;
        }
        let assumed = match self.is_type_assumed {
            true => " by default; for other numbers, use `--as`",
            false => "",
        };
        writeln!(f, "  element type  {}{assumed}", self.element_type)?;
        writeln!(f, "  shape         {}", Shape(&shape))?;
        let records = self.records.map_or("?".to_string(), grouped);
        writeln!(f, "  records       {records} of {record_bytes}")?;
        let file = self.file_bytes.map_or("a stream".to_string(), bytes);
        match (self.compression, self.decompressed_bytes) {
            (Some(compression), Some(size)) => {
                writeln!(f, "  file          {file}, {compression} of {}", bytes(size))?;
            }
            (None, None) if self.file_bytes.is_none() => {}
            _ => writeln!(f, "  file          {file}")?,
        }
        for input in &self.reading {
            writeln!(f, "  reading       {input}")?;
        }
        match &self.known {
            Some(known) => writeln!(f, "  identity      {}", known_text(known.as_str())),
            None => Ok(()),
        }
    }
}
