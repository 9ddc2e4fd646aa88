use std::ops::Range;

use idx_std::ElementType;

use super::error::{Error, ErrorKind};
use super::options::Column;
use super::record::{Record, RecordFacts, RecordLayout, RecordSource};
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
