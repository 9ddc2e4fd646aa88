use std::fmt;
use std::ops::Range;
use std::path::Path;

use idx_std::ElementType;

use super::error::{Error, ErrorKind};
use super::options::Column;
use super::record::{Record, RecordFacts, RecordLayout, RecordSource, Skipped};
use super::selection::RecordSelection;
use super::source::{Input, Source};
use crate::value::{DType, Value};
use idx_std::__private::counted;

/// Labels: an integer for each record of another file.
pub struct LabelColumn {
    source: Box<Source>,
    /// The bytes of the label within its record, if it is one of the record's elements.
    column: Option<Range<usize>>,
    record: Record,
}

impl fmt::Debug for LabelColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LabelColumn")
            .field("source", &self.source)
            .field("column", &self.column)
            .finish_non_exhaustive()
    }
}

impl LabelColumn {
    /// The labels in this column of a source; a source of single integers has only the column 0. If its
    /// records have labels and no elements, as with [`Labels::Alone`](super::Labels::Alone), these are taken.
    ///
    /// # Errors
    ///
    /// If they are not integers, or the column does not exist.
    pub fn new(source: Source, column: &Column) -> Result<Self, Error> {
        let mut labels = Self { source: Box::new(source), column: None, record: Record::default() };
        let layout = labels.source.layout();
        if labels.source.has_labels() && layout.record_size() == Some(0) {
            return Ok(labels);
        }
        let &Column::Index(column) = column else {
            let message = "the columns of these labels have no names; count them from 0";
            return Err(labels.error(ErrorKind::mismatch(message)));
        };
        let dtype = layout.dtype;
        if let DType::Element(ElementType::F32 | ElementType::F64) = dtype {
            let message = format!("labels are integers, and these are {dtype}; convert them first");
            return Err(labels.error(ErrorKind::unsupported(message)));
        }
        let columns = match *layout.dims {
            [_] => 1,
            [_, columns] => columns,
            _ => {
                let rank = layout.dims.len();
                let message = format!(
                    "labels have 1 or 2 dimensions, and these have {rank}; choose a file of labels"
                );
                return Err(labels.error(ErrorKind::unsupported(message)));
            }
        };
        if u32::try_from(column).is_ok_and(|column| column >= columns) {
            return Err(labels.error(ErrorKind::mismatch(format!(
                "there is no column {column}; the labels have {columns}, counted from 0"
            ))));
        }
        let size = dtype.size();
        labels.column =
            Some(column.saturating_mul(size)..column.saturating_add(1).saturating_mul(size));
        Ok(labels)
    }

    /// The path of the file, or the given name of a stream.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.source.path()
    }

    /// The number of labels, if it is known before they are read.
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        self.source.count()
    }

    /// The type of the labels in their file, if it is an element type of IDX.
    #[must_use]
    pub fn element_type(&self) -> Option<ElementType> {
        let dtype = self.source.layout().dtype;
        self.column.as_ref().and_then(|_| dtype.element_type())
    }

    /// Checks that there are as many labels as records, if their number is known.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`].
    pub fn expect_count(&self, records: u64) -> Result<(), Error> {
        match self.count() {
            Some(labels) if labels != records => {
                let (labels, records) = (counted(labels, "label"), counted(records, "record"));
                Err(self.mismatch(&format!("{labels} but {records}")))
            }
            _ => Ok(()),
        }
    }

    /// Selects labels by their positions, as [`Source::select`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn select(self, records: impl Into<RecordSelection>) -> Result<Self, Error> {
        Ok(Self { source: Box::new(self.source.select(records)?), ..self })
    }

    /// Skips this many labels.
    ///
    /// # Errors
    ///
    /// An error in the file.
    pub fn skip(&mut self, labels: u64) -> Result<(), Error> {
        self.source.skip(labels).map(|_| ())
    }

    /// The index of the label that was read last; `None` before the first.
    #[must_use]
    pub fn last_index(&self) -> Option<u64> {
        self.source.last_index()
    }

    /// Closes the file, as [`RecordSource::close`].
    pub(super) fn close(&mut self) {
        self.source.close();
    }

    /// The next label; `None` after the last one, when the end of the file was checked.
    ///
    /// # Errors
    ///
    /// An error in the file.
    pub fn next_label(&mut self) -> Result<Option<i128>, Error> {
        if !self.source.read(&mut self.record)? {
            return Ok(None);
        }
        let Some(column) = self.column.clone() else {
            return Ok(self.record.label);
        };
        let label = self.record.bytes.get(column);
        let label = label.and_then(|bytes| self.source.layout().dtype.value(bytes));
        let label = label.and_then(Value::to_integer);
        debug_assert!(label.is_some(), "a column of the record, of integers");
        Ok(label)
    }

    /// The error for a problem with the labels.
    #[must_use]
    pub fn error(&self, kind: ErrorKind) -> Error {
        self.source.error(kind)
    }

    /// The error for labels that do not match the records.
    pub(super) fn mismatch(&self, counts: &str) -> Error {
        self.error(ErrorKind::mismatch(format!("{counts}; give the label file of these records")))
    }
}

/// One column of records of integers, as single numbers.
pub(super) struct ColumnSource {
    column: LabelColumn,
    facts: RecordFacts,
}

impl ColumnSource {
    pub(super) fn new(source: Source, column: &Column) -> Result<Self, Error> {
        let (dtype, count) = (source.layout().dtype, source.count());
        let facts = RecordFacts::new(RecordLayout::of_records(dtype, count, &[]), count);
        Ok(Self { column: LabelColumn::new(source, column)?, facts })
    }
}

impl RecordSource for ColumnSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn close(&mut self) {
        self.column.close();
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.column.source.skip(records)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let LabelColumn { source, column, record: row } = &mut self.column;
        if !source.read(row)? {
            return Ok(false);
        }
        let number = column.clone().and_then(|column| row.bytes.get(column));
        debug_assert!(number.is_some(), "a column of the record");
        record.set_bytes(number.unwrap_or_default());
        Ok(true)
    }
}

/// Records whose labels are renumbered.
struct Renumbered {
    source: Source,
    number: i32,
    facts: RecordFacts,
}

impl Source {
    /// The same records, with a number added to each label: -1 lets the letters of EMNIST, whose labels start at 1, start
    /// at 0; 10 lets the classes of another set follow those of MNIST. The names of classes move along.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`] if there are no labels, or if a class with a name would get a label below 0.
    pub fn add_to_labels(self, number: i32) -> Result<Self, Error> {
        if !self.has_labels() {
            let message = "these records have no labels; give them before they are renumbered";
            return Err(self.error(ErrorKind::mismatch(message)));
        }
        let mut facts = self.facts().clone();
        if let Some(names) = &facts.classes {
            facts.classes = Some(names.moved(number).map_err(|kind| self.error(kind))?);
        }
        let path = self.path().to_path_buf();
        let formats = self.formats().collect();
        let source = Box::new(Renumbered { source: self, number, facts });
        Ok(Self::of(Input::new(&path, formats, source, None)))
    }
}

impl RecordSource for Renumbered {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.source.skipped()
    }

    fn close(&mut self) {
        self.source.close();
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.source.skip(records)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let is_read = self.source.read(record)?;
        let label = record.label.map(|label| label.checked_add(self.number.into()));
        match label {
            Some(None) => {
                let message = "the label is too large to be renumbered";
                Err(self.source.record_error(ErrorKind::malformed(message)))
            }
            label => {
                record.label = label.flatten();
                Ok(is_read)
            }
        }
    }
}
