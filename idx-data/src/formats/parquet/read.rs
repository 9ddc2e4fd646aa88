//! The records of a file, one by one.

use std::collections::BTreeSet;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use idx_std::ElementType;

use crate::error::{At, Error, ErrorKind};
use crate::formats::parquet::arrays::records;
use crate::formats::parquet::file::{Batches, ParquetFile, damaged};
use crate::formats::parquet::labels::LabelColumns;
#[cfg(feature = "pictures")]
use crate::formats::parquet::pictures;
use crate::formats::parquet::schema::{ReadColumns, layout};
use crate::gather::Gather;
use crate::reading::Reading;
use crate::reading::roles::Role;
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordLayout, RecordSource, column_names};

/// The number of pictures to read at a time.
#[cfg(feature = "pictures")]
const BATCH_FILES: usize = 64;

/// The approximate number of bytes of records to decode at a time: decoding takes several times that, and should stay
/// in the L2 cache.
const BATCH_BYTES: usize = 64 * 1024;

/// The maximum number of records to decode at a time, however small they are.
const BATCH_RECORDS: usize = 8192;

/// Opens a file; the path is for messages.
pub(crate) fn open(
    path: &Path,
    file: File,
    options: &OpenOptions,
) -> Result<Box<dyn RecordSource>, Error> {
    let file = ParquetFile::new(file)?;
    let columns = ReadColumns::choose(&file, options)?;
    let (count, _) = file.counts(&columns.records)?;
    let labels = Some(columns.labels).filter(|labels| options.labels && !labels.is_empty());
    let names = columns.roles.position(Role::ClassName);
    let labels = labels.map(|labels| LabelColumns::open(&file, labels, names)).transpose()?;
    let known = labels.as_ref();
    if let Some(labels) = known.filter(|_| options.label_column.is_none()) {
        columns.roles.expect_labels(labels.words())?;
    }
    let names = columns.records.iter().map(|column| file.schema.field(*column).name().clone());
    let names: Vec<String> = names.collect();
    let facts = Facts {
        has_labels: known.is_some(),
        label_type: known.and_then(LabelColumns::element_type),
        classes: known.and_then(|labels| labels.classes.clone()),
        have_names: known.is_some_and(|labels| labels.have_names),
        columns: column_names(names),
        keys: columns.keys,
        reading: Reading::of(path, columns.roles.said),
        ..Facts::new(RecordLayout::of_records(ElementType::U8, Some(count), &[]), Some(count))
    };
    if columns.are_pictures {
        #[cfg(feature = "pictures")]
        {
            let rows = Rows::open(&file, &columns.records, count, labels, BATCH_FILES)?;
            return Ok(Box::new(pictures::open(path, rows, facts, options)?));
        }
        #[cfg(not(feature = "pictures"))]
        return Err(ErrorKind::Disabled { feature: "pictures" }.into());
    }
    let stored = layout(&file, &columns.records, options)?;
    let layout = RecordLayout { dtype: stored.dtype.read_as(), ..stored.clone() };
    let record_size = layout.record_size().and_then(|size| usize::try_from(size).ok());
    let record_size = record_size.ok_or_else(damaged)?;
    let records = (BATCH_BYTES / record_size.max(1)).clamp(1, BATCH_RECORDS);
    Ok(Box::new(ParquetSource {
        path: path.to_path_buf(),
        facts: Facts { layout, ..facts },
        rows: Rows::open(&file, &columns.records, count, labels, records)?,
        stored,
        numbers: Vec::new(),
        labels: Vec::new(),
        record_size,
        left: 0..0,
    }))
}

/// The records of a file with their labels, some at a time.
pub(super) struct Rows {
    batches: Batches,
    /// The positions of the columns of a record in a batch.
    records: Vec<usize>,
    /// The labels, and the positions of their columns in a batch. A column may have both records and labels.
    labels: Option<(LabelColumns, Vec<usize>)>,
    /// The index of the next record.
    next: u64,
    /// The number of records that the file claims to have.
    claimed: u64,
}

impl Rows {
    fn open(
        file: &ParquetFile,
        columns: &[usize],
        claimed: u64,
        labels: Option<LabelColumns>,
        records: usize,
    ) -> Result<Self, ErrorKind> {
        let of_labels = || labels.iter().flat_map(|labels| &labels.columns);
        // A batch has them in the order of the file.
        let all: BTreeSet<usize> = columns.iter().chain(of_labels()).copied().gather();
        let places = |is_read: &dyn Fn(&usize) -> bool| {
            let places = all.iter().enumerate().filter(|(_, column)| is_read(column));
            places.map(|(place, _)| place).collect::<Vec<_>>()
        };
        let label_places = places(&|column| of_labels().any(|label| label == column));
        Ok(Self {
            records: places(&|column| columns.contains(column)),
            labels: labels.map(|labels| (labels, label_places)),
            batches: file.batches(&all.into_iter().collect::<Vec<_>>(), records)?,
            next: 0,
            claimed,
        })
    }

    /// Returns the next records: the index of the first, their columns, and their labels. Returns `None` after the last
    /// one.
    pub(super) fn next(&mut self) -> Result<Option<(u64, RecordBatch, Vec<i128>)>, Error> {
        let first = self.next;
        let Some(batch) = self.batches.next()? else {
            if first == self.claimed {
                return Ok(None);
            }
            let message =
                format!("the file claims {} records but has {first}; copy it again", self.claimed);
            return Err(ErrorKind::malformed(message).into());
        };
        self.next += batch.num_rows() as u64;
        let labels = match &mut self.labels {
            Some((labels, places)) => {
                labels.of(batch.project(places).map_err(|_| damaged())?.columns(), first)?
            }
            None => Vec::new(),
        };
        Ok(Some((first, batch.project(&self.records).map_err(|_| damaged())?, labels)))
    }
}

/// A Parquet file written by any program.
struct ParquetSource {
    path: PathBuf,
    facts: Facts,
    /// The layout with the type in the file, which may be narrower.
    stored: RecordLayout,
    rows: Rows,
    /// The numbers of some records, big-endian, and their labels.
    numbers: Vec<u8>,
    labels: Vec<i128>,
    /// The size of a record in bytes.
    record_size: usize,
    /// The positions of those not taken yet.
    left: Range<usize>,
}

impl ParquetSource {
    fn read_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        while self.left.is_empty() {
            let Some((first, batch, labels)) = self.rows.next()? else {
                return Ok(false);
            };
            let numbers = records(batch.columns(), &self.stored, first)?;
            self.numbers = self.stored.dtype.read(numbers);
            self.labels = labels;
            self.left = 0..batch.num_rows();
        }
        let row = self.left.start;
        let bytes = self.numbers.get(row * self.record_size..).unwrap_or_default();
        record.set_bytes(bytes.get(..self.record_size).ok_or_else(damaged)?);
        record.label = self.labels.get(row).copied();
        self.left.start += 1;
        Ok(true)
    }
}

impl RecordSource for ParquetSource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let read = self.read_record(record);
        read.at(&self.path)
    }
}
