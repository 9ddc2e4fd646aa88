use std::ops::Range;

use idx_std::ElementType;

use super::error::{Error, ErrorKind};
use super::options::Column;
use super::record::{Record, RecordFacts, RecordLayout, RecordSource};
use super::source::Source;
use crate::value::{DType, Value};

impl Source {
    /// Records that have labels: these, or else one column of their integers, by default the first.
    pub(super) fn into_labels(self) -> Result<Self, Error> {
        if self.facts().has_labels {
            return Ok(self);
        }
        let column = self.facts().label_column.as_ref().unwrap_or(&Column::Index(0));
        let column = self.bytes_of(column)?;
        let dtype = self.facts().layout.dtype;
        let layout = RecordLayout::of_records(dtype, self.facts().count, &[0]);
        let facts = RecordFacts {
            layout,
            has_labels: true,
            label_type: dtype.element_type(),
            columns: None,
            ..self.facts().clone()
        };
        Ok(self.column(column, facts))
    }

    /// One column of integers alone, as records of one number.
    pub(super) fn into_column(self, column: &Column) -> Result<Self, Error> {
        let layout = &self.facts().layout;
        if layout.record_shape().len() > 1 {
            let message = format!(
                "there is no {column}; records with columns have 1 dimension, and these are {layout}"
            );
            return self.mismatch(message);
        }
        let column = self.bytes_of(column)?;
        let Some(element_type) = layout.dtype.element_type() else {
            let message = "IDX does not have the type of these integers; convert them first";
            return Err(self.error(ErrorKind::unsupported(message)));
        };
        let layout = RecordLayout::of_records(element_type, self.facts().count, &[]);
        let facts = RecordFacts { layout, columns: None, ..self.facts().clone() };
        Ok(self.column(column, facts))
    }

    /// The records of these facts: their label, or else their only number, is at these bytes.
    fn column(self, column: Range<usize>, facts: RecordFacts) -> Self {
        let (has_labels, dtype) = (facts.has_labels, facts.layout.dtype);
        let change = move |record: &mut Record| {
            if has_labels {
                let number = record.bytes.get(column.clone()).unwrap_or_default();
                record.label = dtype.value(number).and_then(Value::to_integer);
                debug_assert!(record.label.is_some(), "a column of the record, of integers");
                record.bytes.clear();
            } else {
                record.bytes.truncate(column.end);
                record.bytes.drain(..column.start.min(record.bytes.len()));
            }
            Ok(())
        };
        self.mapped(facts, Box::new(change))
    }

    /// The bytes of a column of integers within a record.
    fn bytes_of(&self, column: &Column) -> Result<Range<usize>, Error> {
        let Column::Index(column) = *column else {
            let message = "the columns of these labels have no names; count them from 0";
            return self.mismatch(message);
        };
        let dtype = self.facts().layout.dtype;
        if let DType::Element(ElementType::F32 | ElementType::F64) = dtype {
            let message = format!("labels are integers, and these are {dtype}; convert them first");
            return Err(self.error(ErrorKind::unsupported(message)));
        }
        let columns = match *self.facts().layout.dims {
            [_] => 1,
            [_, columns] => columns,
            _ => {
                let rank = self.facts().layout.dims.len();
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
        let start = column.saturating_mul(dtype.size());
        Ok(start..start.saturating_add(dtype.size()))
    }

    /// The same records, with a number added to each label: -1 lets the letters of EMNIST, whose labels start at 1, start
    /// at 0; 10 lets the classes of another set follow those of MNIST. The names of classes move along.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) if there are no labels, or if a class with a name would get a label below 0.
    pub fn add_to_labels(self, number: i32) -> Result<Self, Error> {
        if !self.facts().has_labels {
            let message = "these records have no labels; give them before they are renumbered";
            return Err(self.error(ErrorKind::mismatch(message)));
        }
        let mut facts = self.facts().clone();
        if let Some(names) = &facts.classes {
            facts.classes = Some(names.moved(number).map_err(|kind| self.error(kind))?);
        }
        let change = move |record: &mut Record| {
            if let Some(label) = &mut record.label {
                let renumbered = label.checked_add(number.into());
                let message = "the label is too large to be renumbered";
                *label = renumbered.ok_or_else(|| ErrorKind::malformed(message))?;
            }
            Ok(())
        };
        Ok(self.mapped(facts, Box::new(change)))
    }
}
