//! Numbers without a header, as C programs dump them: rows of the same size up to the end of the file.

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::mem::take;
use std::path::Path;

use crate::answer::{Column, ReadingOption};
use crate::error::{Error, ErrorKind, Hint};
use crate::gather::Gather;
use crate::known::file::CHUNK_SIZE;
use crate::reading::{Evidence, Reading, Said, Subject};
use crate::record::label::label_of;
use crate::record::options::OpenOptions;
use crate::record::value::DType;
use crate::record::{Facts, Record, RecordLayout, RecordSource};
use idx_std::__private::{counted, wide};

/// Rows of little-endian numbers: those of a record, and possibly its label and numbers to leave out.
pub(crate) struct RawSource {
    read: BufReader<Box<dyn Read + Send>>,
    facts: Facts,
    dtype: DType,
    /// The size of a row in bytes.
    row_size: u64,
    /// The position of the label among the numbers of a row.
    label: Option<usize>,
    /// The positions of the label and of the numbers that are left out.
    others: BTreeSet<usize>,
    /// The number of rows that were read.
    next: u64,
}

impl RawSource {
    /// Opens rows of numbers of this type. `size` is known for a plain file.
    pub(crate) fn open(
        path: &Path,
        read: Box<dyn Read + Send>,
        size: Option<u64>,
        dtype: DType,
        options: &OpenOptions,
    ) -> Result<Self, ErrorKind> {
        let label = options.label_column.as_ref().map(position).transpose()?;
        let skipped = options.skip.iter().flatten().map(position);
        let skipped: Vec<usize> = skipped.collect::<Result<_, _>>()?;
        let skipped: BTreeSet<usize> = skipped.into_iter().gather();
        let others: BTreeSet<usize> = skipped.iter().copied().chain(label).gather();
        let shape = shape(options)?;
        let layout = RecordLayout::of_records(dtype, None, &shape);
        let row_size = row_size(&layout, &others)?;
        if let Some(size) = size.filter(|size| !size.is_multiple_of(row_size)) {
            return Err(no_whole_rows(size, row_size));
        }
        let count = size.map(|size| size / row_size);
        let layout = RecordLayout::of_records(dtype.read_as(), count, &shape);
        let has_labels = label.is_some_and(|label| !skipped.contains(&label)) && options.labels;
        let label_type = dtype.element_type().filter(|found| has_labels && !found.is_float());
        let facts = Facts { has_labels, label_type, ..Facts::new(layout, count) };
        Ok(Self {
            read: BufReader::with_capacity(CHUNK_SIZE, read),
            facts: Facts { reading: reading(path, &skipped), ..facts },
            dtype,
            row_size,
            label,
            others,
            next: 0,
        })
    }

    fn read_row(&mut self, record: &mut Record) -> Result<bool, ErrorKind> {
        let row = &mut record.bytes;
        row.clear();
        let found = self.read.by_ref().take(self.row_size).read_to_end(row)? as u64;
        if found == 0 {
            return Ok(false);
        }
        if found < self.row_size {
            return Err(no_whole_rows(found, self.row_size));
        }
        let size = self.dtype.size();
        wide::reverse_each(row, size);
        for other in self.others.iter().rev() {
            let number: Vec<u8> = row.drain(other * size..(other + 1) * size).collect();
            if self.facts.has_labels && self.label == Some(*other) {
                record.label = Some(label_of(&number, self.dtype)?);
            }
        }
        record.bytes = self.dtype.read(take(&mut record.bytes));
        Ok(true)
    }
}

/// Returns the position of a column in a row.
fn position(column: &Column) -> Result<usize, ErrorKind> {
    match column {
        Column::Name(_) => Err(ErrorKind::mismatch(
            "numbers without a header have no names; give the position of the column in a row, from 0",
        )),
        Column::Index(index) => Ok(*index),
    }
}

/// Returns the reading. It mentions only the numbers that are left out, because options state everything else.
fn reading(path: &Path, skipped: &BTreeSet<usize>) -> Reading {
    if skipped.is_empty() {
        return Reading::default();
    }
    let mut said = Said::default();
    let text = format!("{} of each row left out", counted(skipped.len() as u64, "number"));
    said.say(Subject::LeftOut, Evidence::Option, text);
    said.options.push(ReadingOption::Skip(skipped.iter().copied().map(Column::Index).collect()));
    Reading::of(path, said)
}

/// Returns the shape of a record. Labels in a file of their own are single numbers.
fn shape(options: &OpenOptions) -> Result<Vec<u32>, ErrorKind> {
    let single = options.are_labels().then(Vec::new);
    options.shape.clone().or(single).ok_or_else(|| {
        let message = "numbers without a header do not say how many of them are a record; give the shape of a record";
        ErrorKind::malformed(message).advising(Hint::Shape)
    })
}

/// Returns the size in bytes of the numbers of a record and the others in its row.
fn row_size(layout: &RecordLayout, others: &BTreeSet<usize>) -> Result<u64, ErrorKind> {
    let numbers = layout.record_length().and_then(|length| length.checked_add(others.len() as u64));
    let count = numbers.and_then(|numbers| usize::try_from(numbers).ok());
    let size = numbers.and_then(|numbers| numbers.checked_mul(layout.dtype.size() as u64));
    match (size, others.last(), count) {
        (Some(1..), Some(column), Some(count)) if *column >= count => {
            let message = format!(
                "there is no column {column}; the lines have {count}, counted from 0; choose the column of the labels"
            );
            Err(ErrorKind::malformed(message).advising(Hint::LabelColumn))
        }
        (Some(size @ 1..), _, Some(_)) => Ok(size),
        _ => Err(ErrorKind::mismatch(format!(
            "a row of {} has no size in bytes; give a shape without 0 and with smaller sizes",
            layout.shape_text()
        ))),
    }
}

/// Returns the error for bytes that end in the middle of a row.
fn no_whole_rows(found: u64, row_size: u64) -> ErrorKind {
    ErrorKind::malformed(format!(
        "{} are not a whole number of rows of {}; correct the type, the shape or the column of the labels, or copy the file \
         again",
        counted(found, "byte"),
        counted(row_size, "byte")
    ))
}

impl RecordSource for RawSource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let (index, is_read) = (self.next, self.read_row(record));
        self.next += 1;
        is_read.map_err(|kind| kind.at_position(index))
    }
}
