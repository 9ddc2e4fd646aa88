//! Steps that add and remove labels, and that turn columns into labels or records.

use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

use crate::answer::Column;
use crate::chain::label_numbers::Labels;
use crate::chain::source::Source;
use crate::chain::step::{Adapter, Joined, Step, with_label};
use crate::error::{Error, ErrorKind};
use crate::known::pair::expect_one_set;
use crate::names::format::Format;
use crate::reading::classes::Dictionary;
use crate::reading::{Evidence, Subject};
use crate::record::label::{LabelRows, label_columns, label_of};
#[cfg(doc)]
use crate::record::options::OpenOptions;
use crate::record::value::DType;
use crate::record::{Facts, LeftOut, Record, RecordLayout};
use idx_std::__private::counted;

/// Gives each record a label from another source.
struct WithLabels {
    labels: Joined,
    /// All labels, if they were read ahead of the records.
    read: Option<Arc<Labels>>,
    /// The last label read.
    label: Record,
    /// An error to return after the records before it, which were read in the same batch.
    fault: Option<Error>,
    /// True if records may be left out, together with their labels.
    may_leave_out: bool,
    /// The number of records, or [`u64::MAX`] if it is not known.
    records: u64,
    /// The number of pairs read, skipped or left out.
    count: u64,
}

impl Adapter for WithLabels {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        self.fault.take().map_or(Ok(()), Err)?;
        let is_read = before.read(record)?;
        let left_out = match record.left_out {
            0 => 0,
            some => self.labels.skip(some)?,
        };
        self.count += left_out;
        let has_all = left_out == record.left_out;
        let label = if has_all { self.next()? } else { None };
        record.label = label;
        self.count += u64::from(is_read && label.is_some());
        match has_all && is_read == label.is_some() {
            true => Ok(is_read),
            false => Err(self.miscounted(label.is_some())),
        }
    }

    fn read_many(
        &mut self,
        before: &mut Joined,
        records: &mut Record,
        labels: &mut Vec<i128>,
    ) -> Result<u64, Error> {
        if self.may_leave_out {
            return Ok(with_label(self.read(before, records)?, records, labels));
        }
        self.fault.take().map_or(Ok(()), Err)?;
        let found = before.read_many(records, &mut Vec::new())?;
        if found == 0 {
            return self.next()?.map_or(Ok(0), |_| Err(self.miscounted(true)));
        }
        for read in 0..found {
            let error = match self.next() {
                Ok(Some(label)) => {
                    records.label = Some(label);
                    labels.push(label);
                    self.count += 1;
                    continue;
                }
                Ok(None) => self.miscounted(false),
                Err(error) => error,
            };
            if read == 0 {
                return Err(error);
            }
            self.fault = Some(error);
            let size = records.bytes.len() as u64 / found;
            records.bytes.truncate(usize::try_from(read * size).unwrap_or(usize::MAX));
            return Ok(read);
        }
        Ok(found)
    }

    fn skip(&mut self, before: &mut Joined, records: u64) -> Result<Option<u64>, Error> {
        if self.may_leave_out {
            return Ok(None);
        }
        self.fault.take().map_or(Ok(()), Err)?;
        let skipped = before.skip(records)?;
        let labels = match &self.read {
            Some(labels) => (labels.len() as u64 - self.count).min(skipped),
            None => self.labels.skip(skipped)?,
        };
        self.count += labels;
        match labels < skipped {
            true => Err(self.miscounted(false)),
            false => Ok(Some(skipped)),
        }
    }

    fn labels(&mut self, _: &mut Joined) -> Result<Option<Arc<Labels>>, Error> {
        // This is not called if records may be left out, because their number is then unknown.
        if self.count > 0 {
            return Ok(None);
        }
        let mut labels = Vec::new();
        // One label too many is enough: it is an error when it is reached.
        while labels.len() as u64 <= self.records && self.labels.read(&mut self.label)? {
            labels.extend(self.label.label);
        }
        self.read = Some(Arc::new(Labels::of(labels)));
        Ok(self.read.clone())
    }

    fn close(&mut self) {
        self.labels.close();
    }
}

impl WithLabels {
    /// Returns the next label; `None` after the last one.
    fn next(&mut self) -> Result<Option<i128>, Error> {
        if let Some(labels) = &self.read {
            let next = usize::try_from(self.count).ok();
            return Ok(next.and_then(|next| labels.get(next)));
        }
        let is_read = self.labels.read(&mut self.label)?;
        Ok(self.label.label.filter(|_| is_read))
    }

    fn miscounted(&self, has_more: bool) -> Error {
        let counts = match has_more {
            true => format!("more labels than the {}", counted(self.count, "record")),
            false => format!("fewer labels than records, only {}", self.count),
        };
        miscounted(&self.labels, &counts, "")
    }
}

/// Turns the numbers of records into labels. Reads as many records as are available at once.
struct AsLabels {
    dtype: DType,
    /// The bytes of the label in a record; `None` if the label is made from all numbers.
    column: Option<Range<usize>>,
    rows: LabelRows,
    /// Records that were read, the size of one, and the range of bytes not used yet.
    records: Record,
    size: usize,
    unread: Range<usize>,
}

impl Adapter for AsLabels {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        if self.unread.is_empty() {
            let found = before.read_many(&mut self.records, &mut Vec::new())?;
            if found == 0 {
                return Ok(false);
            }
            let size = self.records.bytes.len() as u64 / found;
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            (self.size, self.unread) = (size, 0..self.records.bytes.len());
        }
        let bytes = self.records.bytes.get(self.unread.start..self.unread.start + self.size);
        let bytes = bytes.unwrap_or_default();
        self.unread.start += self.size;
        (record.index, record.left_out) = (self.records.index, take(&mut self.records.left_out));
        self.records.index += 1;
        let label = match &self.column {
            Some(column) => label_of(bytes.get(column.clone()).unwrap_or_default(), self.dtype),
            None => self.rows.next(bytes, self.dtype),
        };
        record.label = Some(label.map_err(|kind| before.error(kind).with_position(record.index))?);
        record.bytes.clear();
        Ok(true)
    }

    fn skip(&mut self, before: &mut Joined, records: u64) -> Result<Option<u64>, Error> {
        let at_hand = self.unread.len().checked_div(self.size).unwrap_or(0);
        let skipped = usize::try_from(records).map_or(at_hand, |records| at_hand.min(records));
        self.unread.start += skipped * self.size;
        self.records.index += skipped as u64;
        Ok(Some(skipped as u64 + before.skip(records - skipped as u64)?))
    }
}

/// Returns the error for a label count that differs from the record count.
fn miscounted(labels: &Joined, counts: &str, advice: &str) -> Error {
    let message = format!("{counts}; give the label file of these records{advice}");
    labels.error(ErrorKind::mismatch(message))
}

impl Source {
    /// Gives each remaining record a label from another source, in order. Class names come with the labels.
    ///
    /// If that source has no labels, its records are the labels: whole numbers, or rows of numbers.
    /// [`label_column`](OpenOptions::label_column) chooses the column of the label in a row. Without it, rows must be
    /// one-hot, with a single 1 among zeros, or QMNIST's. If a damaged picture is
    /// [skipped](crate::PictureOptions::skip_bad), so is its label.
    ///
    /// # Errors
    ///
    /// A label count that differs from the record count, or records chosen before while damaged ones are skipped
    /// ([`mismatch`](ErrorKind::code)); labels that are neither numbers nor rows of numbers
    /// ([`unsupported`](ErrorKind::code)); labels of another known data set ([`other_data_set`](ErrorKind::code)). A
    /// row that is not one-hot, or a label that is not a whole number, is an error when it is read.
    pub fn with_labels(mut self, labels: Self) -> Result<Self, Error> {
        let left_out = self.left().left_out;
        if left_out == LeftOut::Unknown || labels.facts().left_out != LeftOut::None {
            let message = "damaged pictures are skipped, so labels could go to the wrong pictures; give the labels before \
                           you choose some of the records";
            return self.mismatch(message);
        }
        let mut labels = labels.into_labels()?;
        // A table says itself whether it names the pictures.
        if self.formats().contains(&Format::Png) && !labels.formats().contains(&Format::Csv) {
            let text = "a label for each picture, in the order 1, 2, 10";
            labels = labels.with_statement(Subject::Labels, Evidence::Content, text);
        }
        let known = |source: &Self| source.facts().known;
        expect_one_set((self.path(), known(&self)), (labels.path(), known(&labels)))?;
        if let Some((found, records)) = labels.remaining().zip(self.remaining())
            && found != records
        {
            // MATLAB and some video tools do not have the records in the first dimension.
            let dims = self.facts().layout.dims.iter();
            let axis =
                dims.skip(1).rposition(|size| u64::from(*size) == found).map(|axis| axis + 1);
            let advice = axis.map_or(String::new(), |axis| {
                format!(
                    ", or if dimension {axis} counts the records, move it to the front with `numpy.moveaxis(array, {axis}, 0)`"
                )
            });
            let (found, records) = (counted(found, "label"), counted(records, "record"));
            return Err(miscounted(&labels.steps, &format!("{found} but {records}"), &advice));
        }
        let names = self.facts().classes.clone().filter(|_| !self.facts().has_labels);
        let mut reading = self.reading().clone();
        reading.forget_labels();
        reading.append_labels(labels.reading());
        let facts = Facts {
            has_labels: true,
            reading,
            label_type: labels.facts().label_type,
            classes: labels.facts().classes.clone().or(names),
            have_names: labels.facts().have_names,
            ..self.left().relabeled()
        };
        // An error also ends the sources that are joined to it.
        self.has_failed |= labels.has_failed;
        let labels = WithLabels {
            labels: labels.steps,
            read: None,
            label: Record::default(),
            fault: None,
            may_leave_out: left_out == LeftOut::Told,
            records: self.remaining().unwrap_or(u64::MAX),
            count: 0,
        };
        Ok(self.then(facts, Box::new(labels)))
    }

    /// Gives all records this label, which comes from the path of their file.
    pub(crate) fn of_class(self, label: i128, classes: &Dictionary) -> Self {
        let mut reading = self.reading().clone();
        reading.forget_labels();
        reading.uses(["label_column"]);
        let facts = Facts {
            has_labels: true,
            reading,
            classes: classes.classes.clone(),
            have_names: classes.have_names,
            ..self.left().relabeled()
        };
        self.mapped(facts, move |record| {
            record.label = Some(label);
            Ok(())
        })
    }

    /// Removes the labels.
    #[must_use]
    pub fn without_labels(self) -> Self {
        let (label_type, classes, have_names) = (None, None, false);
        let left = self.left().relabeled();
        let facts = Facts { has_labels: false, label_type, classes, have_names, ..left };
        self.mapped(facts, |record| {
            record.label = None;
            Ok(())
        })
    }

    /// Returns records with labels: their own, or else their numbers.
    pub(crate) fn into_labels(self) -> Result<Self, Error> {
        if self.facts().has_labels {
            return Ok(self);
        }
        let dtype = self.facts().layout.dtype;
        let columns = self.columns()?;
        let mut facts = Facts {
            layout: RecordLayout::of_records(dtype, self.remaining(), &[0]),
            has_labels: true,
            label_type: dtype.element_type().filter(|element_type| !element_type.is_float()),
            ..self.left()
        };
        facts.reading.uses(["label_column"]);
        let column = match (&self.label_column, columns) {
            (None, 2..) => None,
            (column, _) => Some(self.bytes_of(column.as_ref().unwrap_or(&Column::Index(0)))?),
        };
        let (rows, records) = (LabelRows::default(), Record::default());
        let labels = AsLabels { dtype, column, rows, records, size: 0, unread: 0..0 };
        Ok(self.then(facts, Box::new(labels)))
    }

    /// Keeps only one column, given by its name or its position from 0. Each record is then one number.
    ///
    /// # Errors
    ///
    /// A column that does not exist ([`mismatch`](ErrorKind::code)).
    pub fn column(self, column: impl Into<Column>) -> Result<Self, Error> {
        let column = column.into();
        let layout = &self.facts().layout;
        if layout.record_shape().len() > 1 {
            let message = format!(
                "there is no {column}; records with columns have 1 dimension, and these are {layout}"
            );
            return self.mismatch(message);
        }
        let column = self.bytes_of(&column)?;
        let layout = RecordLayout::of_records(layout.dtype, self.remaining(), &[]);
        let facts = Facts { layout, columns: None, ..self.left() };
        Ok(self.mapped(facts, move |record| {
            record.bytes.truncate(column.end);
            record.bytes.drain(..column.start.min(record.bytes.len()));
            Ok(())
        }))
    }

    /// Returns the number of columns, for records that are labels.
    fn columns(&self) -> Result<u32, Error> {
        label_columns(&self.facts().layout.dims).map_err(|kind| self.error(kind))
    }

    /// Returns the bytes of a column within a record.
    fn bytes_of(&self, column: &Column) -> Result<Range<usize>, Error> {
        let columns = self.columns()?;
        let exists = |column: &usize| u32::try_from(*column).is_ok_and(|column| column < columns);
        // A list in a Parquet column has the name of the column, and its numbers have no names.
        let names = self.facts().columns.as_deref();
        let names = names.filter(|names| Ok(columns) == u32::try_from(names.len()));
        let position = match (column, names) {
            (Column::Index(index), _) => Some(*index).filter(exists),
            (Column::Name(name), Some(names)) => names.iter().position(|found| found == name),
            (Column::Name(_), None) => {
                return self.mismatch("the columns have no names; count them from 0");
            }
        };
        let Some(position) = position else {
            let columns = counted(columns.into(), "column");
            let message = format!("there is no {column}; the file has {columns}, counted from 0");
            return self.mismatch(message);
        };
        let size = self.facts().layout.dtype.size();
        let start = position.saturating_mul(size);
        Ok(start..start.saturating_add(size))
    }
}

#[cfg(all(test, feature = "csv"))]
mod tests {
    use crate::OpenOptions;

    #[test]
    fn without_labels_nothing_is_known_of_them() {
        let table = OpenOptions::new().open_bytes("a.csv", *b"label,a\ncat,1\ndog,2\n").unwrap();
        assert!(table.facts().have_names);
        let table = table.without_labels();
        let facts = table.facts();
        assert!(!facts.have_names && facts.classes.is_none() && facts.label_type.is_none());
    }
}
