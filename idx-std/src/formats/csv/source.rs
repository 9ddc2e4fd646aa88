use std::io::Read;
use std::path::{Path, PathBuf};

use idx_core::ElementType;

use super::LABELS;
use super::element::{append_parsed, append_plain_line, parse_label};
use super::lines::Lines;
use crate::formats::error::{At, Error, ErrorKind, Position, Setting};
use crate::formats::folder::has_extension;
use crate::formats::options::{Labels, SourceOptions};
use crate::formats::record::{Record, RecordFacts, RecordLayout, RecordSource};

/// Lines of numbers, with commas, tabs or semicolons between them.
pub(in crate::formats) struct CsvSource {
    lines: Lines,
    path: PathBuf,
    facts: RecordFacts,
    element_type: ElementType,
    /// The column of the labels, if there is one.
    label_column: Option<usize>,
    columns: usize,
    separator: u8,
    /// Whether the other columns are read.
    has_elements: bool,
    /// Whether the line that was split is still to be returned.
    is_pending: bool,
    ahead: Ahead,
    next: u64,
}

/// The records of plain lines, which are read many at a time.
#[derive(Default)]
struct Ahead {
    elements: Vec<u8>,
    labels: Vec<i128>,
    count: usize,
    next: usize,
}

impl CsvSource {
    pub(in crate::formats) fn open(
        path: &Path,
        read: Box<dyn Read>,
        options: &SourceOptions,
    ) -> Result<Self, Error> {
        let mut csv = Self {
            lines: Lines::new(read, options.record_limit),
            path: path.to_path_buf(),
            facts: RecordFacts::new(
                RecordLayout::of_records(options.element_type, None, &[]),
                None,
            ),
            element_type: options.element_type,
            label_column: match (options.label_column, options.labels) {
                (_, Labels::Ignored) | (None, Labels::Marked) => None,
                (column, _) => Some(column.unwrap_or(0)),
            },
            has_elements: options.labels != Labels::Alone,
            columns: 0,
            separator: b',',
            is_pending: false,
            ahead: Ahead::default(),
            next: 0,
        };
        csv.separator = csv.lines.find_separator().at(path)?;
        if options.header && csv.divide_line()? {
            let names: Vec<&[u8]> = csv.lines.fields().collect();
            let mut named = LABELS.iter().filter_map(|label| {
                let label = label.as_bytes();
                names
                    .iter()
                    .position(|name| name.eq_ignore_ascii_case(label))
            });
            csv.label_column = options.label_column.or(named.next()).or(csv.label_column);
        }
        csv.columns = csv.lines.fields().len();
        csv.is_pending = csv.divide_line()?;
        if csv.is_pending {
            csv.columns = csv.lines.fields().len();
        }
        csv.check_columns(options).at(path)?;
        let shape = csv.shape(options).at(path)?;
        csv.facts.layout.dims.extend(shape);
        csv.facts.has_labels = csv.label_column.is_some();
        Ok(csv)
    }

    /// Checks that the first line can be numbers.
    fn check_columns(&self, options: &SourceOptions) -> Result<(), ErrorKind> {
        let columns = self.columns;
        let is_named = has_extension(&self.path, "csv");
        if options.header && !self.is_pending && !is_named && columns > 0 {
            let message = "there is only a line of names, and no record; this may not be csv";
            return Err(ErrorKind::malformed(message));
        }
        match self.label_column {
            Some(column) if columns > 0 && column >= columns => {
                let message = format!(
                    "there is no column {column} for the labels; the lines have {columns}, counted from 0"
                );
                Err(ErrorKind::malformed(message).advise(Setting::LabelColumn))
            }
            _ => Ok(()),
        }
    }

    /// The shape of a record, by the first line.
    fn shape(&self, options: &SourceOptions) -> Result<Vec<u32>, ErrorKind> {
        if !self.has_elements {
            return Ok(vec![0]);
        }
        let columns = self.columns.saturating_sub(self.label_column.iter().len());
        match (u32::try_from(columns), &options.shape) {
            // A file without lines fits any shape.
            (Ok(0), Some(shape)) if !self.is_pending => Ok(shape.clone()),
            (Ok(0), _) => Err(ErrorKind::malformed("there are no numbers").advise(Setting::Shape)),
            (Ok(1), _) => Ok(Vec::new()),
            (Ok(columns), _) => Ok(vec![columns]),
            (Err(_), _) => Err(ErrorKind::unsupported("there are too many columns")),
        }
    }

    fn divide_line(&mut self) -> Result<bool, Error> {
        self.lines.divide().at(&self.path)
    }

    /// Reads the next lines, as long as they are plain.
    fn read_ahead(&mut self) -> Result<(), Error> {
        let ahead = &mut self.ahead;
        ahead.elements.clear();
        ahead.labels.clear();
        (ahead.count, ahead.next) = (0, 0);
        let text = self.lines.text().at(&self.path)?;
        let mut rest = text;
        while let Some(line) = append_plain_line(
            rest,
            self.separator,
            self.columns,
            self.label_column,
            self.element_type,
            &mut ahead.elements,
        ) {
            ahead.labels.extend(line.label);
            ahead.count += 1;
            rest = rest.get(line.size..).unwrap_or_default();
        }
        let size = text.len() - rest.len();
        self.lines.pass(ahead.count as u64, size);
        Ok(())
    }

    fn parse_line(&self, record: &mut Record) -> Result<(), ErrorKind> {
        let position = |column| Position {
            record: self.next,
            line: Some(self.lines.line()),
            column,
        };
        let fields = self.lines.fields();
        let (found, expected) = (fields.len(), self.columns);
        if found != expected {
            let message =
                format!("the line has {found} columns, the first has {expected}; correct the line");
            return Err(ErrorKind::malformed(message).at_position(position(None)));
        }
        // The names of columns are not numbers.
        let hint = (self.next == 0).then_some(Setting::Header);
        record.bytes.clear();
        for (column, field) in fields.enumerate() {
            let text = String::from_utf8_lossy(field);
            let parsed = if self.label_column == Some(column) {
                parse_label(&text, hint).map(|label| record.label = Some(label))
            } else if self.has_elements {
                append_parsed(&text, self.element_type, hint, &mut record.bytes)
            } else {
                Ok(())
            };
            parsed.map_err(|error| error.at_position(position(Some(column))))?;
        }
        Ok(())
    }
}

impl Ahead {
    fn is_empty(&self) -> bool {
        self.next == self.count
    }

    /// Takes the next record, if there is one.
    fn take(&mut self, record: &mut Record) -> bool {
        if self.is_empty() {
            return false;
        }
        let size = self.elements.len() / self.count;
        let start = self.next * size;
        let elements = self.elements.get(start..start + size);
        record.bytes.clear();
        record.bytes.extend_from_slice(elements.unwrap_or_default());
        record.label = self.labels.get(self.next).copied();
        self.next += 1;
        true
    }
}

impl RecordSource for CsvSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let is_pending = std::mem::take(&mut self.is_pending);
        if !is_pending && self.ahead.is_empty() && self.has_elements {
            self.read_ahead()?;
        }
        if is_pending || !self.ahead.take(record) {
            if !is_pending && !self.divide_line()? {
                return Ok(false);
            }
            self.parse_line(record).at(&self.path)?;
        }
        self.next += 1;
        Ok(true)
    }
}
