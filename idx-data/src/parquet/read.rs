//! The records of a file, one by one.

use std::io::Read;
use std::mem::take;
use std::path::{Path, PathBuf};

use arrow_array::ArrayRef;
#[cfg(feature = "pictures")]
use idx_std::ElementType;

use super::arrays::{Encoding, first_lengths, records};
use super::file::{Batches, ParquetFile, damaged};
use super::labels::Labels;
#[cfg(feature = "pictures")]
use super::pictures::PicturesColumn;
use super::schema::{Columns, RecordType};
use crate::error::{At, Error, ErrorKind, Setting};
use crate::options::OpenOptions;
use crate::record::{Record, RecordFacts, RecordLayout, RecordSource};
use crate::source::Source;

/// The approximate number of bytes of records to decode at a time: their numbers take several times as many while
/// they are decoded, and stay in the second cache.
const BATCH_BYTES: usize = 64 * 1024;

/// The maximum number of records at a time, however small they are.
const BATCH_RECORDS: usize = 8192;

/// Opens the file at this path, or the stream in its place.
pub(crate) fn open(
    path: &Path,
    stream: Option<Box<dyn Read + Send>>,
    options: &OpenOptions,
) -> Result<Source, Error> {
    let source = open_as(path, stream, options).at(path)?;
    Ok(Source::new(path, source))
}

fn open_as(
    path: &Path,
    stream: Option<Box<dyn Read + Send>>,
    options: &OpenOptions,
) -> Result<Box<dyn RecordSource>, ErrorKind> {
    let file = ParquetFile::open(path, stream)?;
    let mut columns = Columns::choose(file.schema(), options)?;
    let (count, numbers) = file.counts(&columns.records)?;
    let marked = columns.label;
    columns.label = marked.filter(|_| options.labels.come_with_records());
    if let Some(label) = columns.label {
        file.counts(&[label])?;
    }
    let labels = columns.label.map(|label| Labels::open(&file, label)).transpose()?;
    let facts = |layout| RecordFacts {
        has_labels: labels.is_some(),
        leaves_labels: marked.is_some() && labels.is_none(),
        label_type: labels.as_ref().and_then(Labels::element_type),
        classes: labels.as_ref().and_then(|labels| labels.classes.clone()),
        ..RecordFacts::new(layout, Some(count))
    };
    if columns.are_pictures {
        #[cfg(feature = "pictures")]
        {
            let facts = facts(RecordLayout::of_records(ElementType::U8, Some(count), &[]));
            let rows = Rows::open(&file, columns, labels, super::pictures::BATCH_FILES)?;
            return Ok(Box::new(PicturesColumn::open(path, rows, facts, options)?));
        }
        #[cfg(not(feature = "pictures"))]
        return Err(ErrorKind::Disabled { feature: "pictures" });
    }
    let column = RecordType::of(file.schema(), &columns.records)?;
    let encoding = column.encoding;
    let stored = layout(&file, &columns, column, (count, numbers), options)?;
    let dtype = stored.dtype.read_as();
    let facts = facts(RecordLayout { dtype, ..stored.clone() });
    let record_size = facts.layout.record_size().and_then(|size| usize::try_from(size).ok());
    let record_size = record_size.ok_or_else(damaged)?;
    let records = (BATCH_BYTES / record_size.max(1)).clamp(1, BATCH_RECORDS);
    let rows = Rows::open(&file, columns, labels, records)?;
    Ok(Box::new(ParquetSource {
        path: path.to_path_buf(),
        facts,
        encoding,
        stored,
        rows,
        batch: Batch::default(),
        records: Vec::new(),
        record_size,
        row: 0,
    }))
}

/// The layout of the records as the file states it, or as the first record has it.
fn layout(
    file: &ParquetFile,
    columns: &Columns,
    column: RecordType,
    (count, numbers): (u64, u64),
    options: &OpenOptions,
) -> Result<RecordLayout, ErrorKind> {
    let dtype = column.dtype;
    if column.has_rank_0 {
        return Ok(RecordLayout::new(dtype, &[]));
    }
    let shape = match (column.encoding, column.shape, &options.shape) {
        (_, Some(shape), _) => Some(shape),
        (Encoding::Lists(_), None, _) if count > 0 => {
            // One record at least has so many numbers.
            let mean = numbers.div_ceil(count).checked_mul(dtype.size() as u64);
            expect_within(options.record_limit, mean)?;
            let first = file.batches(&columns.records, 1)?.next()?.ok_or_else(damaged)?;
            first_lengths(first.columns().first().ok_or_else(damaged)?)
        }
        (_, None, shape) => shape.clone(),
    };
    let shape = shape.ok_or_else(|| {
        let message = "the file does not say how long its records are";
        ErrorKind::malformed(message).advise(Setting::Shape)
    })?;
    let layout = RecordLayout::of_records(dtype, Some(count), &shape);
    expect_within(options.record_limit, layout.record_size())?;
    Ok(layout)
}

/// Checks that a record has at most so many bytes; `None` is more than 64 bits count.
pub(super) fn expect_within(limit: u64, size: Option<u64>) -> Result<(), ErrorKind> {
    match size {
        Some(size) if size <= limit => Ok(()),
        _ => {
            let size = size.map_or("more than 2^64".to_string(), |size| size.to_string());
            let message = format!("a record has {size} bytes, more than the limit of {limit}");
            Err(ErrorKind::malformed(message).advise(Setting::RecordLimit))
        }
    }
}

/// The records of a file with their labels, some at a time.
pub(super) struct Rows {
    columns: Columns,
    labels: Option<Labels>,
    batches: Batches,
    /// The index of the next record.
    next: u64,
}

/// Records as arrays, and their labels, if they have any.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) arrays: Vec<ArrayRef>,
    pub(super) labels: Vec<i128>,
    /// The index of the first record.
    pub(super) first: u64,
    pub(super) count: usize,
}

impl Rows {
    fn open(
        file: &ParquetFile,
        columns: Columns,
        labels: Option<Labels>,
        records: usize,
    ) -> Result<Self, ErrorKind> {
        let batches = file.batches(&columns.all(), records)?;
        Ok(Self { columns, labels, batches, next: 0 })
    }

    /// The next records; `None` after the last one.
    pub(super) fn next(&mut self) -> Result<Option<Batch>, ErrorKind> {
        let Some(batch) = self.batches.next()? else {
            return Ok(None);
        };
        let (first, count) = (self.next, batch.num_rows());
        let (arrays, label) = self.columns.split(&batch)?;
        let labels = match (&self.labels, label) {
            (Some(labels), Some(label)) => labels.of(&label, first)?,
            _ => Vec::new(),
        };
        if self.labels.is_some() && labels.len() != count {
            return Err(damaged());
        }
        self.next += count as u64;
        Ok(Some(Batch { arrays, labels, first, count }))
    }
}

/// A Parquet file of any program.
struct ParquetSource {
    path: PathBuf,
    facts: RecordFacts,
    encoding: Encoding,
    /// The layout with the type that the file has, which may be narrower.
    stored: RecordLayout,
    rows: Rows,
    batch: Batch,
    /// The numbers of the batch, big-endian.
    records: Vec<u8>,
    /// The size of one in bytes.
    record_size: usize,
    /// The next of them.
    row: usize,
}

impl ParquetSource {
    fn next_batch(&mut self) -> Result<bool, ErrorKind> {
        let Some(batch) = self.rows.next()? else {
            return Ok(false);
        };
        self.records = records(&batch.arrays, self.encoding, &self.stored, batch.first)?;
        let (from, to) = (self.stored.dtype, self.facts.layout.dtype);
        if let Some(to) = to.element_type().filter(|_| from != to) {
            let narrow = take(&mut self.records);
            from.convert(&narrow, to, &mut self.records)?;
        }
        self.batch = batch;
        self.row = 0;
        Ok(true)
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, ErrorKind> {
        while self.row == self.batch.count {
            if !self.next_batch()? {
                let (claimed, found) = (self.facts.count, self.rows.next);
                return match claimed.filter(|claimed| *claimed != found) {
                    None => Ok(false),
                    Some(claimed) => Err(ErrorKind::malformed(format!(
                        "the file claims {claimed} records but has {found}; copy it again"
                    ))),
                };
            }
        }
        let start = self.row.checked_mul(self.record_size).ok_or_else(damaged)?;
        let bytes = self.records.get(start..).and_then(|rest| rest.get(..self.record_size));
        record.set_bytes(bytes.ok_or_else(damaged)?);
        record.label = self.batch.labels.get(self.row).copied();
        self.row += 1;
        Ok(true)
    }
}

impl RecordSource for ParquetSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let read = self.read_record(record);
        read.at(&self.path)
    }
}
