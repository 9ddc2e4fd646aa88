use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use idx_core::ElementType;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::Compression;

use super::arrays::{Encoding, append_labels, append_records, dtype};
use super::columns::Columns;
use super::file::{ParquetFile, damaged};
#[cfg(feature = "pictures")]
use super::pictures::PicturesColumn;
use super::schema::{LABEL, RECORD, RecordColumn, column_named, pictures_column};
use crate::formats::error::{At, Error, ErrorKind, Setting};
use crate::formats::joined::JoinedSource;
use crate::formats::options::SourceOptions;
use crate::formats::record::{Record, RecordFacts, RecordLayout, RecordSource};
use crate::npy::DType;
use crate::words::counted;

/// The approximate number of bytes of records to decode at a time: their numbers take several times as many while
/// they are decoded, and stay in the second cache.
const BATCH_BYTES: u64 = 64 * 1024;

/// The maximum number of records at a time, however small they are.
const BATCH_RECORDS: u64 = 8192;

/// A Parquet file of any program.
pub(in crate::formats) struct ParquetSource {
    path: PathBuf,
    /// The bytes that were read from a stream.
    spooled: Option<File>,
    facts: RecordFacts,
    encoding: Encoding,
    label_type: Option<DType>,
    /// The indices of the columns.
    record: usize,
    label: Option<usize>,
    threads: Option<NonZeroUsize>,
    /// Opened when the first record is read, so that only one of many shards is open at a time.
    columns: Option<Columns>,
    batch: Batch,
    /// The number of records returned so far.
    given: u64,
}

/// Decoded records, big-endian, and how many of them were returned.
#[derive(Default)]
struct Batch {
    records: Vec<u8>,
    labels: Vec<u8>,
    count: usize,
    given: usize,
}

/// Opens the file at this path, or the stream in its place.
pub(in crate::formats) fn open(
    path: &Path,
    stream: Option<Box<dyn Read>>,
    options: &SourceOptions,
) -> Result<JoinedSource, Error> {
    let source = open_as(path, stream, options).at(path)?;
    Ok(JoinedSource::new(path, source))
}

fn open_as(
    path: &Path,
    stream: Option<Box<dyn Read>>,
    options: &SourceOptions,
) -> Result<Box<dyn RecordSource>, ErrorKind> {
    // The columns are described at the end of the file.
    let spooled = stream.map(|mut stream| -> io::Result<File> {
        let mut file = tempfile::tempfile()?;
        io::copy(&mut stream, &mut file)?;
        Ok(file)
    });
    let spooled = spooled.transpose()?;
    let (file, metadata) = load(path, spooled.as_ref())?;
    match pictures_column(metadata.schema())? {
        #[cfg(feature = "pictures")]
        Some(column) => {
            let pictures = PicturesColumn::open(path, (file, metadata), column, options)?;
            Ok(Box::new(pictures))
        }
        #[cfg(not(feature = "pictures"))]
        Some(_) => Err(ErrorKind::Disabled { feature: "pictures" }),
        None => {
            let source = ParquetSource::open(path, spooled, &metadata, file.size(), options)?;
            Ok(Box::new(source))
        }
    }
}

impl ParquetSource {
    fn open(
        path: &Path,
        spooled: Option<File>,
        metadata: &ArrowReaderMetadata,
        size: u64,
        options: &SourceOptions,
    ) -> Result<Self, ErrorKind> {
        let schema = metadata.schema();
        let (record, label) = columns(schema)?;
        let marks_labels = label.is_some();
        let label = label.filter(|_| options.labels.come_with_records());
        let column = RecordColumn::from_field(schema.field(record))?;
        let label_type = label.map(|label| label_type(schema, label)).transpose()?;
        let groups = groups(metadata, record, size)?;
        if let Some(label) = label {
            self::groups(metadata, label, size)?;
        }
        let encoding = column.encoding;
        let count = sum(groups.iter().map(|group| group.records))?;
        let facts = RecordFacts::new(layout(column, &groups, options)?, Some(count));
        Ok(Self {
            path: path.to_path_buf(),
            spooled,
            encoding,
            facts: RecordFacts {
                has_labels: label.is_some(),
                leaves_labels: marks_labels && label.is_none(),
                label_type: label_type.and_then(DType::element_type),
                ..facts
            },
            label_type,
            record,
            label,
            threads: options.threads,
            columns: None,
            batch: Batch::default(),
            given: 0,
        })
    }

    fn open_columns(&self) -> Result<Columns, ErrorKind> {
        let file = load(&self.path, self.spooled.as_ref())?;
        let size = self.layout().record_size().unwrap_or(u64::MAX).max(1);
        let records = (BATCH_BYTES / size).clamp(1, BATCH_RECORDS);
        Columns::open(file, (self.record, self.label), records, self.threads)
    }

    fn next_batch(&mut self) -> Result<bool, ErrorKind> {
        let mut columns = match self.columns.take() {
            Some(columns) => columns,
            None if self.given == 0 => self.open_columns()?,
            None => return Ok(false), // they were closed at their end
        };
        let Some(batch) = columns.next()? else {
            return Ok(false);
        };
        self.columns = Some(columns);
        self.decode(&batch)?;
        Ok(true)
    }

    fn decode(&mut self, batch: &RecordBatch) -> Result<(), ErrorKind> {
        let is_label_first = self.label.is_some_and(|label| label < self.record);
        let column = |index: bool| batch.columns().get(usize::from(index)).ok_or_else(damaged);
        let Batch { records, labels, .. } = &mut self.batch;
        records.clear();
        labels.clear();
        append_records(
            column(is_label_first)?,
            self.encoding,
            &self.facts.layout,
            self.given,
            records,
        )?;
        if self.label.is_some() {
            append_labels(column(!is_label_first)?, self.given, labels)?;
        }
        self.batch.count = batch.num_rows();
        self.batch.given = 0;
        Ok(())
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, ErrorKind> {
        while self.batch.given == self.batch.count {
            if !self.next_batch()? {
                let count = self.facts.count.unwrap_or_default();
                return match self.given == count {
                    true => Ok(false),
                    false => Err(ErrorKind::malformed(format!(
                        "the file claims {count} records but has {}; copy it again",
                        self.given
                    ))),
                };
            }
        }
        let given = self.batch.given;
        let size = self.layout().record_size().map(usize::try_from);
        let size = size.and_then(Result::ok).ok_or_else(damaged)?;
        let bytes = nth(&self.batch.records, given, size).ok_or_else(damaged)?;
        record.bytes.clear();
        record.bytes.extend_from_slice(bytes);
        if let Some(dtype) = self.label_type {
            let label = nth(&self.batch.labels, given, dtype.size());
            let label = label.and_then(|label| dtype.value(label)?.to_integer());
            record.label = Some(label.ok_or_else(damaged)?);
        }
        self.batch.given += 1;
        self.given += 1;
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

/// One of many slices of the same size.
pub(super) fn nth(bytes: &[u8], index: usize, size: usize) -> Option<&[u8]> {
    let start = index.checked_mul(size)?;
    bytes.get(start..start.checked_add(size)?)
}

/// The file, and the metadata at its end.
fn load(
    path: &Path,
    spooled: Option<&File>,
) -> Result<(ParquetFile, ArrowReaderMetadata), ErrorKind> {
    let file = match spooled {
        Some(file) => file.try_clone()?,
        None => File::open(path)?,
    };
    let file = ParquetFile::new(file)?;
    let metadata = file.decode(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()))?;
    Ok((file, metadata))
}

/// The indices of the columns of the records, and of the labels if there are any.
fn columns(schema: &Schema) -> Result<(usize, Option<usize>), ErrorKind> {
    let fields = schema.fields();
    let label = column_named(schema, LABEL);
    let mut others = (0..fields.len()).filter(|index| Some(*index) != label);
    match (column_named(schema, RECORD), others.next(), others.next()) {
        (Some(record), _, _) | (None, Some(record), None) => Ok((record, label)),
        _ => Err(ErrorKind::unsupported(format!(
            "none of the {} columns is named `{RECORD}`; leave one beside `{LABEL}`, or rename one",
            fields.len()
        ))),
    }
}

pub(super) fn label_type(schema: &Schema, label: usize) -> Result<DType, ErrorKind> {
    match dtype(schema.field(label).data_type()) {
        None | Some(DType::Element(ElementType::F32 | ElementType::F64)) => {
            Err(ErrorKind::unsupported("the labels are not integers; write them as such"))
        }
        Some(integer) => Ok(integer),
    }
}

/// The number of records and of numbers in a row group.
pub(super) struct Group {
    pub(super) records: u64,
    values: u64,
}

/// The number of values that the row groups claim for a column, if the file is large enough.
pub(super) fn groups(
    metadata: &ArrowReaderMetadata,
    column: usize,
    file_size: u64,
) -> Result<Vec<Group>, ErrorKind> {
    let schema = metadata.parquet_schema();
    let leaves = 0..schema.num_columns();
    let mut leaves = leaves.filter(|leaf| schema.get_column_root_idx(*leaf) == column);
    let leaf = leaves.next().ok_or_else(damaged)?;
    let groups = metadata.metadata().row_groups().iter().map(|group| {
        let chunk = group.columns().get(leaf).ok_or_else(damaged)?;
        let is_there = u64::try_from(chunk.compressed_size()).is_ok_and(|size| size <= file_size);
        match chunk.compression() {
            _ if !is_there => return Err(damaged()),
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_) => {}
            _ => {
                let message =
                    "this compression of the columns is not supported; use zstd or snappy";
                return Err(ErrorKind::unsupported(message));
            }
        }
        Ok(Group {
            records: u64::try_from(group.num_rows()).map_err(|_| damaged())?,
            values: u64::try_from(chunk.num_values()).map_err(|_| damaged())?,
        })
    });
    groups.collect()
}

pub(super) fn sum(mut numbers: impl Iterator<Item = u64>) -> Result<u64, ErrorKind> {
    numbers.try_fold(0, u64::checked_add).ok_or_else(damaged)
}

/// What to do about lists of several lengths.
const UNEQUAL: &str = ", where a null and an empty list count as one; make the lists equally long, and fill in what \
                       is null";

/// The layout of the records, which all groups must share.
fn layout(
    column: RecordColumn,
    groups: &[Group],
    options: &SourceOptions,
) -> Result<RecordLayout, ErrorKind> {
    let records = sum(groups.iter().map(|group| group.records))?;
    let values = sum(groups.iter().map(|group| group.values))?;
    let is_list = column.encoding == Encoding::List;
    if is_list && column.shape.is_none() && values % records.max(1) > 0 {
        return Err(ErrorKind::unsupported(format!(
            "{} cannot be {} of one length{UNEQUAL}",
            counted(values, "number"),
            counted(records, "record")
        )));
    }
    let length = is_list.then(|| values.checked_div(records));
    let shape = match (column.shape, length.flatten(), &options.shape) {
        (Some(shape), _, _) => shape,
        (None, Some(length), _) => vec![u32::try_from(length).map_err(|_| damaged())?],
        (None, None, Some(shape)) => shape.clone(),
        (None, None, None) => {
            let message = "the file does not say how long its records are";
            return Err(ErrorKind::malformed(message).advise(Setting::Shape));
        }
    };
    let layout = match column.has_rank_0 {
        true => RecordLayout::new(column.dtype, &[]),
        false => RecordLayout::of_records(column.dtype, Some(records), &shape),
    };
    let each = match column.encoding {
        Encoding::List => layout.record_length(),
        Encoding::Binary | Encoding::Scalar => Some(1),
    };
    let agrees =
        |group: &Group| each.and_then(|each| each.checked_mul(group.records)) == Some(group.values);
    if let Some(group) = groups.iter().find(|group| !agrees(group)) {
        return Err(ErrorKind::unsupported(format!(
            "a row group of {} has {}, not {} each{UNEQUAL}",
            counted(group.records, "record"),
            counted(group.values, "number"),
            layout.shape_text()
        )));
    }
    Ok(layout)
}
