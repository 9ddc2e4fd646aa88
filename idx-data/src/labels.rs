use std::fmt;
use std::ops::Range;
use std::path::Path;

use idx_std::ElementType;

use super::error::{Error, ErrorKind};
use super::options::Column;
use super::record::{Record, RecordSource};
use super::selection::RecordSelection;
use super::source::Source;
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
    /// [`mismatch`](ErrorKind::code).
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
