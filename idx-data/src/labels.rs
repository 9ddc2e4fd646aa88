use std::ops::Range;

use idx_std::ElementType;

use super::error::{Error, ErrorKind};
use super::options::Column;
use super::record::{Record, RecordFacts, RecordLayout, RecordSource, Skipped};
use super::source::Source;
use crate::value::{DType, Value};

/// Labels that are elements of the records of a source: records without elements.
struct LabelColumn {
    source: Source,
    /// The bytes of the label within its record.
    column: Range<usize>,
    facts: RecordFacts,
    record: Record,
}

impl Source {
    /// Records that have labels: these, or else one column of their integers, by default the first.
    pub(super) fn into_labels(self, column: Option<&Column>) -> Result<Self, Error> {
        if self.has_labels() {
            return Ok(self);
        }
        let column = match column {
            None => 0,
            Some(Column::Index(column)) => *column,
            Some(Column::Name(_)) => {
                let message = "the columns of these labels have no names; count them from 0";
                return self.mismatch(message);
            }
        };
        let dtype = self.layout().dtype;
        if let DType::Element(ElementType::F32 | ElementType::F64) = dtype {
            let message = format!("labels are integers, and these are {dtype}; convert them first");
            return Err(self.error(ErrorKind::unsupported(message)));
        }
        let columns = match *self.layout().dims {
            [_] => 1,
            [_, columns] => columns,
            _ => {
                let rank = self.layout().dims.len();
                let message = format!(
                    "labels have 1 or 2 dimensions, and these have {rank}; choose a file of labels"
                );
                return Err(self.error(ErrorKind::unsupported(message)));
            }
        };
        if u32::try_from(column).map_or(true, |column| column >= columns) {
            let message =
                format!("there is no column {column}; the labels have {columns}, counted from 0");
            return self.mismatch(message);
        }
        let layout = RecordLayout::of_records(dtype, self.count(), &[0]);
        let facts = RecordFacts {
            has_labels: true,
            label_type: dtype.element_type(),
            ..RecordFacts::new(layout, self.count())
        };
        let column = column.saturating_mul(dtype.size());
        let column = column..column.saturating_add(dtype.size());
        let record = Record::default();
        self.adapted(|source| Ok(Box::new(LabelColumn { source, column, facts, record })))
    }

    /// One column of integers alone, as records of one number.
    pub(super) fn into_column(self, column: &Column) -> Result<Self, Error> {
        if self.layout().record_shape().len() > 1 {
            let records = self.layout();
            let message = format!(
                "there is no {column}; records with columns have 1 dimension, and these are {records}"
            );
            return self.mismatch(message);
        }
        let labels = self.into_labels(Some(column))?;
        let Some(element_type) = labels.facts().label_type else {
            let message = "IDX does not have the type of these integers; convert them first";
            return Err(labels.error(ErrorKind::unsupported(message)));
        };
        let layout = RecordLayout::of_records(element_type, labels.count(), &[]);
        let facts = RecordFacts::new(layout, labels.count());
        labels.adapted(|labels| Ok(Box::new(Numbers { labels, element_type, facts })))
    }
}

/// Labels as records of one number.
struct Numbers {
    labels: Source,
    element_type: ElementType,
    facts: RecordFacts,
}

impl RecordSource for Numbers {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn close(&mut self) {
        self.labels.close();
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.labels.skip(records)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let is_read = self.labels.read(record)?;
        record.bytes.clear();
        if let Some(label) = record.label.take() {
            let appended = Value::Integer(label).append_to(&mut record.bytes, self.element_type);
            debug_assert!(appended.is_some(), "a number of this type");
        }
        Ok(is_read)
    }
}

impl RecordSource for LabelColumn {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn close(&mut self) {
        self.source.close();
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.source.skip(records)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        if !self.source.read(&mut self.record)? {
            return Ok(false);
        }
        let bytes = self.record.bytes.get(self.column.clone());
        let value = bytes.and_then(|bytes| self.facts.layout.dtype.value(bytes));
        record.bytes.clear();
        record.label = value.and_then(Value::to_integer);
        debug_assert!(record.label.is_some(), "a column of the record, of integers");
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
    /// [`mismatch`](ErrorKind::code) if there are no labels, or if a class with a name would get a label below 0.
    pub fn add_to_labels(self, number: i32) -> Result<Self, Error> {
        if !self.has_labels() {
            let message = "these records have no labels; give them before they are renumbered";
            return Err(self.error(ErrorKind::mismatch(message)));
        }
        let mut facts = self.facts().clone();
        if let Some(names) = &facts.classes {
            facts.classes = Some(names.moved(number).map_err(|kind| self.error(kind))?);
        }
        self.adapted(|source| Ok(Box::new(Renumbered { source, number, facts })))
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
