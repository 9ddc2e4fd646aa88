use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ::csv::{ByteRecord, Reader, ReaderBuilder, Trim, Writer};
use idx_core::ElementType;

use super::error::{At, Error, ErrorKind, Position, Setting};
use super::options::{Labels, SinkOptions, SourceOptions};
use super::record::{Record, RecordLayout, RecordSink, RecordSource};
use crate::io::{AtomicFile, Staged};
use crate::npy::{DType, Value};

/// The name of a column of labels.
const LABEL: &str = "label";

/// Lines of numbers.
pub(super) struct CsvSource {
    reader: Reader<Box<dyn Read>>,
    path: PathBuf,
    layout: RecordLayout,
    element_type: ElementType,
    /// The column of the labels, if there is one.
    label_column: Option<usize>,
    columns: usize,
    /// The current line, and whether it is still to be returned.
    line: ByteRecord,
    is_pending: bool,
    next: u64,
}

impl CsvSource {
    pub(super) fn open(
        path: &Path,
        read: Box<dyn Read>,
        options: &SourceOptions,
    ) -> Result<Self, Error> {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .from_reader(read);
        let mut csv = Self {
            reader,
            path: path.to_path_buf(),
            layout: RecordLayout::of_records(options.element_type, None, &[]),
            element_type: options.element_type,
            label_column: (options.labels == Labels::Expected).then_some(0),
            columns: 0,
            line: ByteRecord::new(),
            is_pending: false,
            next: 0,
        };
        if options.header && csv.read_line()? {
            let mut names = csv.line.iter();
            let named = names.position(|name| name.eq_ignore_ascii_case(LABEL.as_bytes()));
            csv.label_column = named.or(csv.label_column);
        }
        csv.columns = csv.line.len();
        csv.is_pending = csv.read_line()?;
        if csv.is_pending {
            csv.columns = csv.line.len();
        }
        let shape = csv.shape(options).at(path)?;
        csv.layout.dims.extend(shape);
        Ok(csv)
    }

    /// The shape of a record, by the first line.
    fn shape(&self, options: &SourceOptions) -> Result<Vec<u32>, ErrorKind> {
        let columns = self.columns.saturating_sub(self.label_column.iter().len());
        match (u32::try_from(columns), &options.shape) {
            // A file without lines has records of any shape.
            (Ok(0), Some(shape)) if !self.is_pending => Ok(shape.clone()),
            (Ok(0), _) => Err(ErrorKind::malformed("there are no numbers").advise(Setting::Shape)),
            (Ok(1), _) => Ok(Vec::new()),
            (Ok(columns), _) => Ok(vec![columns]),
            (Err(_), _) => Err(ErrorKind::unsupported("there are too many columns")),
        }
    }

    fn read_line(&mut self) -> Result<bool, Error> {
        self.reader.read_byte_record(&mut self.line).at(&self.path)
    }

    fn parse_line(&self, record: &mut Record) -> Result<(), ErrorKind> {
        let line = self.line.position().map(csv::Position::line);
        let position = |column| Position {
            record: self.next,
            line,
            column,
        };
        let (found, expected) = (self.line.len(), self.columns);
        if found != expected {
            let message =
                format!("the line has {found} columns, the first has {expected}; correct the line");
            return Err(ErrorKind::malformed(message).at_position(position(None)));
        }
        // The names of columns are not numbers.
        let hint = (self.next == 0).then_some(Setting::Header);
        record.bytes.clear();
        for (column, field) in self.line.iter().enumerate() {
            let text = String::from_utf8_lossy(field);
            let parsed = if self.label_column == Some(column) {
                parse_label(&text, hint).map(|label| record.label = Some(label))
            } else {
                parse(&text, self.element_type, hint, &mut record.bytes)
            };
            parsed.map_err(|error| error.at_position(position(Some(column))))?;
        }
        Ok(())
    }
}

impl RecordSource for CsvSource {
    fn layout(&self) -> &RecordLayout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        None
    }

    fn has_labels(&self) -> bool {
        self.label_column.is_some()
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        if !std::mem::take(&mut self.is_pending) && !self.read_line()? {
            return Ok(false);
        }
        self.parse_line(record).at(&self.path)?;
        self.next += 1;
        Ok(true)
    }
}

fn parse_label(text: &str, hint: Option<Setting>) -> Result<i128, ErrorKind> {
    text.parse().map_err(|_| {
        ErrorKind::malformed(format!("{text:?} is not a label, a whole number")).advise(hint)
    })
}

/// Appends the number to `target` as an element.
fn parse(
    text: &str,
    element_type: ElementType,
    hint: Option<Setting>,
    target: &mut Vec<u8>,
) -> Result<(), ErrorKind> {
    let not_a_number = || ErrorKind::malformed(format!("{text:?} is not a number")).advise(hint);
    let check = |is_infinite: bool, advice: Option<Setting>| {
        // A number that becomes infinite, without being named so, is out of range.
        match is_infinite && text.contains(|digit: char| digit.is_ascii_digit()) {
            true => Err(
                ErrorKind::malformed(format!("{text} does not fit {element_type}")).advise(advice),
            ),
            false => Ok(()),
        }
    };
    match element_type {
        ElementType::F32 => {
            let number: f32 = text.parse().map_err(|_| not_a_number())?;
            check(number.is_infinite(), Some(Setting::ElementType))?;
            target.extend(number.to_be_bytes());
        }
        ElementType::F64 => {
            let number: f64 = text.parse().map_err(|_| not_a_number())?;
            check(number.is_infinite(), None)?;
            target.extend(number.to_be_bytes());
        }
        _ => {
            let number = match text.parse() {
                Ok(integer) => Value::Integer(integer),
                // NumPy writes whole numbers as 5.000000000000000000e+00.
                Err(_) => Value::Float(text.parse().map_err(|_| not_a_number())?),
            };
            number.append_to(target, element_type)?;
        }
    }
    Ok(())
}

/// Writes a line of numbers for each record.
pub(super) struct CsvSink {
    writer: Writer<Target>,
    path: PathBuf,
    element_type: ElementType,
    field: String,
}

enum Target {
    File(AtomicFile),
    Stream(Box<dyn Write>),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stream(stream) => stream.flush(),
        }
    }
}

impl CsvSink {
    /// Starts a file at this path, or a stream of this name.
    pub(super) fn create(
        path: &Path,
        stream: Option<Box<dyn Write>>,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Self, Error> {
        let Some(columns @ 1..) = layout.record_length() else {
            let message = format!(
                "records of {} have no numbers, which csv cannot hold; write npy",
                layout.shape_text()
            );
            return Err(ErrorKind::unsupported(message)).at(path);
        };
        let target = match stream {
            Some(stream) => Target::Stream(stream),
            None if options.create_new => Target::File(AtomicFile::create_new(path)?),
            None => Target::File(AtomicFile::create(path)?),
        };
        let mut sink = Self {
            writer: Writer::from_writer(target),
            path: path.to_path_buf(),
            element_type,
            field: String::new(),
        };
        if options.header {
            let label = options.label_type.map(|_| LABEL.to_string());
            let names = label
                .into_iter()
                .chain((0..columns).map(|column| column.to_string()));
            let written = sink.writer.write_record(names);
            written.map_err(|error| sink.error(io_error(error)))?;
        }
        Ok(sink)
    }

    fn error(&self, error: io::Error) -> Error {
        let kind: ErrorKind = match self.writer.get_ref() {
            Target::File(_) => error.into(),
            Target::Stream(_) => ErrorKind::Output(error),
        };
        Error::from(kind).with_path(&self.path)
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

/// The error of the system, whose kind identifies a closed pipe.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Writes the shortest decimal that reads back as the same number.
fn write_number(field: &mut String, element_type: ElementType, bytes: &[u8]) {
    let written = match (element_type, bytes) {
        // An f64 would show digits that the f32 does not have.
        (ElementType::F32, &[a, b, c, d]) => {
            write!(field, "{:?}", f32::from_be_bytes([a, b, c, d]))
        }
        _ => DType::from(element_type)
            .value(bytes)
            .map_or(Ok(()), |number| write!(field, "{number}")),
    };
    debug_assert!(written.is_ok(), "a String takes all");
}

impl RecordSink for CsvSink {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        self.write(record)
            .map_err(|error| self.error(io_error(error)))
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        self.writer.flush().map_err(|error| self.error(error))?;
        let Self { writer, path, .. } = *self;
        match writer.into_inner() {
            Ok(Target::File(file)) => Ok(Some(file.stage())),
            Ok(Target::Stream(_)) => Ok(None),
            Err(error) => Err(error.into_error()).at(&path),
        }
    }
}
