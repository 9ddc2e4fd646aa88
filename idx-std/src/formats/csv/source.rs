use std::io::Read;
use std::mem::take;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use idx_core::ElementType;

use super::LABELS;
use super::element::{append_parsed, append_plain_line, parse_label};
use super::lines::Lines;
use crate::formats::error::{At, Error, ErrorKind, Position, Setting};
use crate::formats::format::is_table;
use crate::formats::options::{Labels, SourceOptions};
use crate::formats::ordered::Ordered;
use crate::formats::record::{Record, RecordFacts, RecordLayout, RecordSource};
use crate::threads;
use crate::words::counted;

/// The maximum number of pieces of text of a thread, which have 256 KiB each.
const DEPTH: usize = 4;

/// Lines of numbers, with commas, tabs or semicolons between them.
pub(in crate::formats) struct CsvSource {
    lines: Lines,
    path: PathBuf,
    facts: RecordFacts,
    form: LineForm,
    /// Whether the other columns are read.
    has_elements: bool,
    /// Whether the line that was split is still to be returned.
    is_pending: bool,
    ahead: Ahead,
    /// The number of threads that parse, as long as all lines are plain.
    threads: NonZeroUsize,
    /// Started when there is more than one piece of text, which it returns with its records.
    parser: Option<Ordered<Ahead, Ahead>>,
    next: u64,
    /// What to advise if the first line is not of numbers.
    hint: Option<Setting>,
}

/// What all lines share.
#[derive(Clone, Copy)]
struct LineForm {
    element_type: ElementType,
    separator: u8,
    columns: usize,
    /// The column of the labels, if there is one.
    label_column: Option<usize>,
}

/// The records of plain lines, which are read many at a time.
///
/// They are used again: new memory for each would have to be cleared.
#[derive(Default)]
struct Ahead {
    /// The text of the lines and of those behind them, if another thread parses it.
    text: Vec<u8>,
    elements: Vec<u8>,
    labels: Vec<i128>,
    count: usize,
    next: usize,
    /// The number of bytes of the lines.
    size: usize,
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
            form: LineForm {
                element_type: options.element_type,
                separator: b',',
                columns: 0,
                label_column: match (options.label_column, options.labels) {
                    (_, Labels::Ignored) | (None, Labels::Marked) => None,
                    (column, _) => Some(column.unwrap_or(0)),
                },
            },
            has_elements: options.labels != Labels::Alone,
            is_pending: false,
            ahead: Ahead::default(),
            threads: threads::count(options.threads),
            parser: None,
            next: 0,
            hint: (!options.header).then_some(Setting::Header),
        };
        csv.form.separator = csv.lines.find_separator().at(path)?;
        if options.header && csv.divide_line()? {
            let names: Vec<&[u8]> = csv.lines.fields().collect();
            let mut named = LABELS.iter().filter_map(|label| {
                let label = label.as_bytes();
                names.iter().position(|name| name.eq_ignore_ascii_case(label))
            });
            csv.form.label_column = options.label_column.or(named.next()).or(csv.form.label_column);
        }
        csv.form.columns = csv.lines.fields().len();
        csv.is_pending = csv.divide_line()?;
        if csv.is_pending {
            csv.form.columns = csv.lines.fields().len();
        }
        csv.check_columns(options).at(path)?;
        let shape = csv.shape(options).at(path)?;
        csv.facts.layout.dims.extend(shape);
        csv.facts.has_labels = csv.form.label_column.is_some();
        Ok(csv)
    }

    /// Checks that the first line can be numbers.
    fn check_columns(&self, options: &SourceOptions) -> Result<(), ErrorKind> {
        let columns = self.form.columns;
        let is_named = is_table(&self.path);
        if options.header && !self.is_pending && !is_named {
            let message = "there is only a line of names, and no record; this may not be csv";
            return Err(ErrorKind::malformed(message));
        }
        match self.form.label_column {
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
        let columns = self.form.columns.saturating_sub(self.form.label_column.iter().len());
        match (u32::try_from(columns), &options.shape) {
            // A file without lines fits any shape.
            (Ok(0), Some(shape)) if !self.is_pending => Ok(shape.clone()),
            (Ok(0), None) if !self.is_pending => {
                Err(ErrorKind::malformed("there are no numbers").advise(Setting::Shape))
            }
            (Ok(0), _) => {
                let message =
                    "the only column is that of the labels; give a file with numbers beside them";
                Err(ErrorKind::malformed(message))
            }
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
        if self.threads > NonZeroUsize::MIN && self.ahead.count > 0 {
            return self.parse_ahead();
        }
        let text = self.lines.text().at(&self.path)?;
        self.ahead.parse(text, self.form);
        if text.get(self.ahead.size..).unwrap_or_default().contains(&b'\n') {
            self.threads = NonZeroUsize::MIN;
        }
        self.lines.pass(self.ahead.count as u64, self.ahead.size);
        Ok(())
    }

    /// The same on several threads, after the first lines.
    fn parse_ahead(&mut self) -> Result<(), Error> {
        let form = self.form;
        let mut parsed = None;
        while parsed.is_none() {
            let mut ahead = take(&mut self.ahead);
            if !self.lines.take_lines(&mut ahead.text) {
                break;
            }
            let parser = self.parser.get_or_insert_with(|| {
                let parser = Ordered::new(Some(self.threads), move |mut ahead: Ahead| {
                    let text = take(&mut ahead.text);
                    ahead.parse(&text, form);
                    Ahead { text, ..ahead }
                });
                parser.with_depth(DEPTH)
            });
            parsed = parser.give(ahead).at(&self.path)?;
        }
        let Some(parser) = &mut self.parser else {
            return Ok(());
        };
        if parsed.is_none() {
            parsed = parser.take().at(&self.path)?;
        }
        let Some(ahead) = parsed else {
            self.parser = None;
            return Ok(());
        };
        self.lines.pass(ahead.count as u64, 0);
        let rest = ahead.text.get(ahead.size..).unwrap_or_default();
        if !rest.is_empty() {
            // The first line of the rest may have quotes, and the others may be within them.
            let mut rest = rest.to_vec();
            while let Some(later) = parser.take().at(&self.path)? {
                rest.extend(later.text);
            }
            self.lines.put_back(rest);
            self.parser = None;
            self.threads = NonZeroUsize::MIN;
        }
        self.ahead = ahead;
        Ok(())
    }

    fn parse_line(&self, record: &mut Record) -> Result<(), ErrorKind> {
        let position =
            |column| Position { record: self.next, line: Some(self.lines.line()), column };
        let fields = self.lines.fields();
        let (found, expected) = (fields.len(), self.form.columns);
        if found != expected {
            let found = counted(found as u64, "column");
            let message =
                format!("the line has {found}, the first has {expected}; correct the line");
            return Err(ErrorKind::malformed(message).at_position(position(None)));
        }
        // The names of columns are not numbers.
        let hint = self.hint.filter(|_| self.next == 0);
        record.bytes.clear();
        for (column, field) in fields.enumerate() {
            let text = String::from_utf8_lossy(field);
            let parsed = if self.form.label_column == Some(column) {
                parse_label(&text, hint).map(|label| record.label = Some(label))
            } else if self.has_elements {
                append_parsed(&text, self.form.element_type, hint, &mut record.bytes)
            } else {
                Ok(())
            };
            parsed.map_err(|error| error.at_position(position(Some(column))))?;
        }
        Ok(())
    }
}

impl Ahead {
    /// Replaces the records by those of the first lines of a text, as long as they are plain.
    fn parse(&mut self, text: &[u8], form: LineForm) {
        self.elements.clear();
        self.labels.clear();
        (self.count, self.next) = (0, 0);
        let mut rest = text;
        while let Some(line) = append_plain_line(
            rest,
            form.separator,
            form.columns,
            form.label_column,
            form.element_type,
            &mut self.elements,
        ) {
            self.labels.extend(line.label);
            self.count += 1;
            rest = rest.get(line.size..).unwrap_or_default();
        }
        self.size = text.len() - rest.len();
    }

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
        let is_pending = take(&mut self.is_pending);
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
