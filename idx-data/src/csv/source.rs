use std::borrow::Cow;
use std::io::Read;
use std::mem::take;
use std::path::{Path, PathBuf};

use idx_std::ElementType;

use super::LABELS;
use super::lines::Lines;
use super::number::{append_number, parse_label};
use crate::error::{At, Error, ErrorKind, Position, Setting};
use crate::format::is_table;
use crate::options::{Labels, SourceOptions};
use crate::record::{Record, RecordFacts, RecordLayout, RecordSource};
use idx_std::__private::counted;

/// Lines of numbers, with commas, tabs or semicolons between them.
pub(crate) struct CsvSource {
    lines: Lines,
    path: PathBuf,
    facts: RecordFacts,
    element_type: ElementType,
    /// What each column is.
    columns: Vec<Column>,
    /// Whether the line that was split is still to be returned.
    is_pending: bool,
    next: u64,
    /// What to advise if the first line is not of numbers.
    hint: Option<Setting>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Element,
    Label,
    /// Is not read.
    Ignored,
}

impl CsvSource {
    pub(crate) fn open(
        path: &Path,
        read: Box<dyn Read + Send>,
        options: &SourceOptions,
    ) -> Result<Self, Error> {
        let element_type = options.element_type;
        let mut csv = Self {
            lines: Lines::new(read, options.record_limit).at(path)?,
            path: path.to_path_buf(),
            facts: RecordFacts::new(RecordLayout::of_records(element_type, None, &[]), None),
            element_type,
            columns: Vec::new(),
            is_pending: false,
            next: 0,
            hint: (!options.header).then_some(Setting::Header),
        };
        csv.open_columns(options).at(path)?;
        Ok(csv)
    }

    /// Reads the names of the columns, if they have any, and the first line of numbers.
    fn open_columns(&mut self, options: &SourceOptions) -> Result<(), ErrorKind> {
        let names = (options.header && self.lines.next()?).then(|| Names::new(&self.lines));
        self.is_pending = self.lines.next()?;
        let count = match &names {
            Some(names) if !self.is_pending => names.count,
            _ => self.lines.fields().len(),
        };
        if let Some(names) = &names {
            self.check_names(names, count)?;
        }
        let label_column = label_column(names.as_ref(), options);
        self.columns = match options.labels {
            Labels::Alone => vec![Column::Ignored; count],
            _ => vec![Column::Element; count],
        };
        if let Some(label_column) = label_column
            && count > 0
        {
            let column = self.columns.get_mut(label_column).ok_or_else(|| {
                let message = format!(
                    "there is no column {label_column} for the labels; the lines have {count}, counted from 0"
                );
                ErrorKind::malformed(message).advise(Setting::LabelColumn)
            })?;
            *column = Column::Label;
        }
        let is_read = self.columns.first() != Some(&Column::Ignored);
        if is_read
            && options.label_column != Some(0)
            && names.is_some_and(|names| names.starts_without)
        {
            let message = "the first column has no name, as the row numbers that pandas and R write; write the table \
                           without them (`index=False`, `row.names=FALSE`)";
            return Err(ErrorKind::malformed(message));
        }
        let shape = self.shape(options)?;
        self.facts.layout.dims.extend(shape);
        self.facts.has_labels = label_column.is_some();
        Ok(())
    }

    /// Checks that there is a name for each column of the first record.
    fn check_names(&self, names: &Names, columns: usize) -> Result<(), ErrorKind> {
        if names.count != columns {
            let message = format!(
                "the line has {}, the header has {}; correct the header, or write the table without names of its rows",
                counted(columns as u64, "column"),
                counted(names.count as u64, "name"),
            );
            return Err(ErrorKind::malformed(message).at_position(self.position(None)));
        }
        if !self.is_pending && !is_table(&self.path) {
            let message = "there is only a line of names, and no record; this may not be csv";
            return Err(ErrorKind::malformed(message));
        }
        Ok(())
    }

    /// The shape of a record, by the first line.
    fn shape(&self, options: &SourceOptions) -> Result<Vec<u32>, ErrorKind> {
        if options.labels == Labels::Alone {
            return Ok(vec![0]);
        }
        let elements = self.columns.iter().filter(|column| **column == Column::Element).count();
        match (u32::try_from(elements), &options.shape) {
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
            (Ok(elements), _) => Ok(vec![elements]),
            (Err(_), _) => Err(ErrorKind::unsupported("there are too many columns")),
        }
    }

    fn position(&self, column: Option<usize>) -> Position {
        Position { record: self.next, line: Some(self.lines.line()), column }
    }

    fn parse_line(&self, record: &mut Record) -> Result<(), ErrorKind> {
        let fields = self.lines.fields();
        let (found, expected) = (fields.len(), self.columns.len());
        if found != expected {
            let found = counted(found as u64, "column");
            let message =
                format!("the line has {found}, the first has {expected}; correct the line");
            return Err(ErrorKind::malformed(message).at_position(self.position(None)));
        }
        // The names of columns are not numbers.
        let hint = self.hint.filter(|_| self.next == 0);
        record.bytes.clear();
        for (index, (field, column)) in fields.zip(&self.columns).enumerate() {
            let lossy = |_| String::from_utf8_lossy(field);
            let text = str::from_utf8(field).map_or_else(lossy, Cow::Borrowed);
            let parsed = match column {
                Column::Element => append_number(&text, self.element_type, hint, &mut record.bytes),
                Column::Label => parse_label(&text, hint).map(|label| record.label = Some(label)),
                Column::Ignored => Ok(()),
            };
            parsed.map_err(|error| error.at_position(self.position(Some(index))))?;
        }
        Ok(())
    }
}

/// What the first line says.
struct Names {
    count: usize,
    /// The column named as labels are.
    label: Option<usize>,
    starts_without: bool,
}

impl Names {
    fn new(line: &Lines) -> Self {
        let mut labels = LABELS.iter().filter_map(|label| {
            line.fields().position(|name| name.eq_ignore_ascii_case(label.as_bytes()))
        });
        Self {
            count: line.fields().len(),
            label: labels.next(),
            starts_without: line.fields().next().is_some_and(<[u8]>::is_empty),
        }
    }
}

/// The column of the labels, if there is one.
fn label_column(names: Option<&Names>, options: &SourceOptions) -> Option<usize> {
    let is_asked_for = names.is_some() || options.labels != Labels::Ignored;
    let is_expected = matches!(options.labels, Labels::Expected | Labels::Alone);
    let given = options.label_column.filter(|_| is_asked_for);
    given.or(names.and_then(|names| names.label)).or(is_expected.then_some(0))
}

impl RecordSource for CsvSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        if !take(&mut self.is_pending) && !self.lines.next().at(&self.path)? {
            return Ok(false);
        }
        self.parse_line(record).at(&self.path)?;
        self.next += 1;
        Ok(true)
    }
}
