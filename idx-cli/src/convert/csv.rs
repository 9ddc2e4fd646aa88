use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use csv::{ByteRecord, Reader, ReaderBuilder, Trim, Writer};
use idx_std::{ElementType, NewFile, Number, NumberType};

use super::layout::{Layout, count};
use super::sink::{Sink, WriteOptions};
use super::source::{ReadOptions, Record, Source, stop};
use crate::term::failure::Failure as Stop;

/// The name of a first column of labels.
const LABEL: &str = "label";

pub(crate) struct Csv {
    reader: Reader<Box<dyn Read>>,
    path: PathBuf,
    layout: Layout,
    element_type: ElementType,
    /// Whether the first column is labels.
    labels: bool,
    columns: usize,
    /// The line that was read last, and whether it is still to be given.
    line: ByteRecord,
    pending: bool,
    next: u64,
}

impl Csv {
    pub(crate) fn open(
        path: &Path,
        read: Box<dyn Read>,
        options: &ReadOptions<'_>,
    ) -> Result<Self, Stop> {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .from_reader(read);
        let mut csv = Self {
            reader,
            path: path.to_path_buf(),
            layout: Layout {
                number_type: options.element_type.into(),
                record_shape: None,
            },
            element_type: options.element_type,
            labels: options.first_column,
            columns: 0,
            line: ByteRecord::new(),
            pending: false,
            next: 0,
        };
        if options.header && csv.read_line()? {
            csv.labels |= csv
                .line
                .get(0)
                .is_some_and(|name| name.eq_ignore_ascii_case(LABEL.as_bytes()));
        }
        csv.columns = csv.line.len();
        csv.pending = csv.read_line()?;
        if csv.pending {
            csv.columns = csv.line.len();
        }
        let columns = csv.columns.saturating_sub(csv.labels.into());
        let columns = u32::try_from(columns).map_err(|_| csv.stop("there are too many columns"))?;
        let sizes = match (columns, options.shape) {
            // A file without lines has records of any shape.
            (0, Some(shape)) if !csv.pending => shape.0.clone(),
            (0, _) => {
                return Err(csv.stop(
                    "there are no numbers; say the sizes with --shape if there is no record",
                ));
            }
            (1, _) => Vec::new(),
            _ => vec![columns],
        };
        csv.layout.record_shape = Some(sizes);
        Ok(csv)
    }

    fn stop(&self, message: impl Into<String>) -> Stop {
        Stop::file(&self.path, message)
    }

    fn read_line(&mut self) -> Result<bool, Stop> {
        let read = self.reader.read_byte_record(&mut self.line);
        read.map_err(|error| self.stop(error.to_string()))
    }
}

impl Source for Csv {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        None
    }

    fn has_labels(&self) -> bool {
        self.labels
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Stop> {
        if !std::mem::take(&mut self.pending) && !self.read_line()? {
            return Ok(false);
        }
        let place = || {
            let line = self.line.position().map_or(0, csv::Position::line);
            format!("record {} (line {line})", self.next)
        };
        if self.line.len() != self.columns {
            return Err(self.stop(format!(
                "{} has {} columns, the first has {}; correct the line",
                place(),
                self.line.len(),
                self.columns
            )));
        }
        record.bytes.clear();
        for (column, field) in self.line.iter().enumerate() {
            let text = String::from_utf8_lossy(field);
            let parsed = if self.labels && column == 0 {
                parse_integer(&text).map(|label| record.label = Some(label))
            } else {
                parse(&text, self.element_type, &mut record.bytes)
            };
            parsed.map_err(|message| {
                let hint = if self.next == 0 {
                    "; if the first line names the columns, say --header"
                } else {
                    ""
                };
                self.stop(format!("{}, column {column}: {message}{hint}", place()))
            })?;
        }
        self.next += 1;
        Ok(true)
    }
}

fn parse_integer(text: &str) -> Result<i128, String> {
    text.parse()
        .map_err(|_| format!("{text:?} is no label; labels are whole numbers"))
}

/// Appends the number to `target` as an element.
fn parse(text: &str, element_type: ElementType, target: &mut Vec<u8>) -> Result<(), String> {
    let no_number = || format!("{text:?} is no number");
    // What is infinite by its digits, and not by its name, is beyond the type.
    let beyond = |infinite: bool| infinite && text.contains(|digit: char| digit.is_ascii_digit());
    let hint = |message: String| format!("{message}; choose another type with `--as`");
    match element_type {
        ElementType::F32 => {
            let number: f32 = text.parse().map_err(|_| no_number())?;
            if beyond(number.is_infinite()) {
                return Err(hint(format!("{text} does not fit f32")));
            }
            target.extend(number.to_be_bytes());
        }
        ElementType::F64 => {
            let number: f64 = text.parse().map_err(|_| no_number())?;
            if beyond(number.is_infinite()) {
                return Err(format!("{text} does not fit f64"));
            }
            target.extend(number.to_be_bytes());
        }
        _ => {
            let number = match text.parse() {
                Ok(integer) => Number::Integer(integer),
                // NumPy writes whole numbers as 5.000000000000000000e+00.
                Err(_) => Number::Float(text.parse().map_err(|_| no_number())?),
            };
            number
                .append_to(target, element_type)
                .map_err(|error| hint(error.to_string()))?;
        }
    }
    Ok(())
}

pub(crate) struct CsvSink {
    writer: Writer<Target>,
    path: PathBuf,
    element_type: ElementType,
    field: String,
}

enum Target {
    File(NewFile),
    StandardOutput(io::Stdout),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::StandardOutput(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::StandardOutput(output) => output.flush(),
        }
    }
}

impl CsvSink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &Layout,
        options: WriteOptions,
    ) -> Result<Self, Stop> {
        let Some(columns @ 1..) = count(layout.sizes()) else {
            return Err(Stop::file(
                path,
                format!(
                    "records of {} have no numbers, which csv cannot hold; write npy",
                    layout.shape()
                ),
            ));
        };
        let target = if path.as_os_str() == "-" {
            Target::StandardOutput(io::stdout())
        } else {
            Target::File(NewFile::create(path).map_err(|error| Stop::file(path, error.message()))?)
        };
        let mut sink = Self {
            writer: Writer::from_writer(target),
            path: path.to_path_buf(),
            element_type,
            field: String::new(),
        };
        if options.header {
            let label = options.labels.map(|_| LABEL.to_string());
            let names = label
                .into_iter()
                .chain((0..columns).map(|column| column.to_string()));
            let written = sink.writer.write_record(names);
            written.map_err(|error| sink.stop(io_error(error)))?;
        }
        Ok(sink)
    }

    fn stop(&self, error: io::Error) -> Stop {
        if self.path.as_os_str() == "-" {
            Stop::Output(error)
        } else {
            stop(&self.path, error)
        }
    }

    fn write(&mut self, record: &Record) -> csv::Result<()> {
        if let Some(label) = record.label {
            self.writer.write_field(label.to_string())?;
        }
        for bytes in record.bytes.chunks_exact(self.element_type.size()) {
            self.field.clear();
            write_number(&mut self.field, self.element_type, bytes);
            self.writer.write_field(&self.field)?;
        }
        self.writer.write_record(None::<&[u8]>)
    }
}

/// The error of the system that a csv error is; its kind tells a closed pipe.
pub(crate) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Writes the shortest decimal that is read as the same number.
fn write_number(field: &mut String, element_type: ElementType, bytes: &[u8]) {
    let written = match (element_type, bytes) {
        // An f64 would show digits that the f32 does not have.
        (ElementType::F32, &[a, b, c, d]) => {
            write!(field, "{:?}", f32::from_be_bytes([a, b, c, d]))
        }
        _ => NumberType::from(element_type)
            .value(bytes)
            .map_or(Ok(()), |number| write!(field, "{number}")),
    };
    debug_assert!(written.is_ok(), "a String takes all");
}

impl Sink for CsvSink {
    fn push(&mut self, record: &Record) -> Result<(), Stop> {
        self.write(record)
            .map_err(|error| self.stop(io_error(error)))
    }

    fn finish(mut self: Box<Self>) -> Result<(), Stop> {
        self.writer.flush().map_err(|error| self.stop(error))?;
        let Self { writer, path, .. } = *self;
        match writer.into_inner() {
            Ok(Target::File(file)) => file
                .finish()
                .map_err(|error| Stop::file(&path, error.message())),
            Ok(Target::StandardOutput(_)) => Ok(()),
            Err(error) => Err(stop(&path, error.into_error())),
        }
    }
}
