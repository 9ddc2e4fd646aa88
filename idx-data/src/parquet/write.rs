//! Records into a file, or into a folder of shards.

use std::fs;
use std::mem;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeBinaryArray, FixedSizeListArray, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use idx_std::ElementType;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::arrays::{array, data_type};
use super::file::write_error;
use super::schema::{LABEL, described_field, list_field};
use crate::error::{At, Error, ErrorKind, Setting};
use crate::options::{CreateOptions, Shards};
use crate::record::{Record, RecordLayout, RecordSink};
use crate::value::Value;
use idx_std::__private::{AtomicFile, AtomicFolder, Staged, wide};
use idx_std::ErrorKind as FileErrorKind;

/// The default maximum number of records in a row group.
const GROUP_RECORDS: usize = 16 * 1024;

/// The maximum number of bytes of records in a row group, which stays in memory until it is written.
const GROUP_BYTES: usize = 64 * 1024 * 1024;

/// The approximate number of bytes of records to encode at a time: their numbers take several times as many while
/// they are encoded, and stay in the second cache.
const BATCH_BYTES: usize = 128 * 1024;

/// The maximum number of records at a time, however small they are.
const BATCH_RECORDS: usize = 8192;

pub(crate) struct ParquetSink {
    path: PathBuf,
    columns: Columns,
    properties: WriterProperties,
    writer: ArrowWriter<AtomicFile>,
    shards: Option<ShardFolder>,
    create_new: bool,
    /// How many more records the file takes.
    room: u64,
    batch: Batch,
    given: u64,
}

/// Records and labels to encode at a time, big-endian.
#[derive(Default)]
struct Batch {
    records: Vec<u8>,
    labels: Vec<u8>,
    count: usize,
}

impl ParquetSink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        Self::start(path, element_type, layout, options).at(path)
    }

    fn start(
        path: &Path,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &CreateOptions,
    ) -> Result<Self, ErrorKind> {
        let columns = Columns::new(element_type, layout, options)?;
        let properties = columns.properties(options.row_group_records);
        let shards = options.shards;
        let shards = shards.map(|shards| ShardFolder::create(path, shards, options.count));
        let mut shards = shards.transpose()?;
        let (file, room) = match &mut shards {
            Some(shards) => shards.next(),
            None => (path.to_path_buf(), u64::MAX),
        };
        Ok(Self {
            path: path.to_path_buf(),
            writer: open(&file, &columns.schema, &properties, options.create_new)?,
            columns,
            properties,
            shards,
            create_new: options.create_new,
            room,
            batch: Batch::default(),
            given: 0,
        })
    }

    fn write(&mut self, record: &Record) -> Result<(), ErrorKind> {
        let (expected, found) = (self.columns.record_size, record.bytes.len());
        if found != expected {
            return Err(FileErrorKind::record_size(expected as u64, found).into());
        }
        while self.room == 0 {
            self.next_file()?;
        }
        let batch = &mut self.batch;
        if let (Some(label), Some(label_type)) = (record.label, self.columns.label_type) {
            let appended = Value::Integer(label).append_to(&mut batch.labels, label_type);
            appended.map_err(|label| {
                ErrorKind::label_out_of_range(&label).at_position(self.given.into())
            })?;
        }
        batch.records.extend_from_slice(&record.bytes);
        batch.count += 1;
        self.room -= 1;
        self.given += 1;
        match batch.count == self.columns.records_in(BATCH_BYTES, BATCH_RECORDS) {
            true => self.encode(),
            false => Ok(()),
        }
    }

    /// Passes the batch to the file, which writes whole row groups.
    fn encode(&mut self) -> Result<(), ErrorKind> {
        let batch = mem::take(&mut self.batch);
        if batch.count > 0 {
            let batch = self.columns.record_batch(batch).map_err(std::io::Error::other)?;
            self.writer.write(&batch).map_err(write_error)?;
        }
        Ok(())
    }

    /// Completes the file, and continues in the next one.
    fn next_file(&mut self) -> Result<(), ErrorKind> {
        self.encode()?;
        if let Some(shards) = &mut self.shards {
            let (file, room) = shards.next();
            let next = open(&file, &self.columns.schema, &self.properties, self.create_new)?;
            self.room = room;
            close(mem::replace(&mut self.writer, next))?.commit()?;
        }
        Ok(())
    }

    fn complete(mut self) -> Result<Staged, ErrorKind> {
        while self.shards.as_ref().is_some_and(ShardFolder::has_too_few) {
            self.next_file()?;
        }
        self.encode()?;
        let staged = close(self.writer)?;
        let Some(shards) = self.shards else {
            return Ok(staged);
        };
        staged.commit()?;
        shards.stage()
    }
}

impl RecordSink for ParquetSink {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        let written = self.write(record);
        written.at(&self.path)
    }

    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error> {
        let path = self.path.clone();
        self.complete().map(Some).at(&path)
    }
}

fn open(
    path: &Path,
    schema: &SchemaRef,
    properties: &WriterProperties,
    create_new: bool,
) -> Result<ArrowWriter<AtomicFile>, ErrorKind> {
    let file = match create_new {
        true => AtomicFile::create_new(path)?,
        false => AtomicFile::create(path)?,
    };
    let writer = ArrowWriter::try_new(file, Arc::clone(schema), Some(properties.clone()));
    Ok(writer.map_err(write_error)?)
}

fn close(writer: ArrowWriter<AtomicFile>) -> Result<Staged, ErrorKind> {
    let file = writer.into_inner().map_err(write_error)?;
    Ok(file.stage()?)
}

/// The columns of the files.
struct Columns {
    schema: SchemaRef,
    element_type: ElementType,
    /// The number of elements of a list, or of bytes of a byte string.
    length: i32,
    record_size: usize,
    label_type: Option<ElementType>,
}

impl Columns {
    fn new(
        element_type: ElementType,
        layout: &RecordLayout,
        options: &CreateOptions,
    ) -> Result<Self, ErrorKind> {
        let length = match options.binary {
            true => layout.record_size(),
            false => layout.record_length(),
        };
        if length == Some(0) {
            return Err(ErrorKind::unsupported(format!(
                "records of {} have no numbers, which Parquet cannot hold; write npy",
                layout.shape_text()
            )));
        }
        let length = length.and_then(|length| i32::try_from(length).ok());
        let record_size = layout.record_size().and_then(|size| usize::try_from(size).ok());
        let (Some(length), Some(record_size)) = (length, record_size) else {
            return Err(ErrorKind::unsupported(format!(
                "records of {} exceed the 31 bits of a length in Arrow; write npy",
                layout.shape_text()
            )));
        };
        let described = |data_type| described_field(data_type, element_type, layout);
        let record = match options.binary {
            _ if layout.record_shape().is_empty() => described(data_type(element_type.into())),
            true => described(DataType::FixedSizeBinary(length)),
            false => list_field(element_type, layout, length),
        };
        if let Some(label_type) = options.label_type.filter(|label_type| label_type.is_float()) {
            let message = format!("labels are integers, and {label_type} is for fractions");
            return Err(ErrorKind::unsupported(message).advise(Setting::LabelType));
        }
        let label = options.label_type.map(|label| data_type(label.into()));
        let label = label.map(|label| Field::new(LABEL, label, false));
        let fields: Vec<Field> = [record].into_iter().chain(label).collect();
        Ok(Self {
            schema: Arc::new(Schema::new(fields)),
            element_type,
            length,
            record_size,
            label_type: options.label_type,
        })
    }

    /// The number of records that have about this many bytes, but at most `max`.
    fn records_in(&self, bytes: usize, max: usize) -> usize {
        (bytes / self.record_size).clamp(1, max)
    }

    /// The number of records in a row group, but at most `max`.
    fn group_records(&self, max: Option<NonZeroU64>) -> usize {
        let max = max.map_or(Some(GROUP_RECORDS), |max| usize::try_from(max.get()).ok());
        self.records_in(GROUP_BYTES, max.unwrap_or(usize::MAX))
    }

    fn properties(&self, group_records: Option<NonZeroU64>) -> WriterProperties {
        let is_binary = matches!(self.schema.field(0).data_type(), DataType::FixedSizeBinary(_));
        WriterProperties::builder()
            .set_created_by(concat!("idx ", env!("CARGO_PKG_VERSION")).to_string())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(self.group_records(group_records)))
            // Records are rarely equal, so a dictionary does not help.
            .set_dictionary_enabled(!is_binary)
            // Statistics help to search labels; nobody searches pictures by their smallest pixel.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from(LABEL), EnabledStatistics::Chunk)
            .build()
    }

    fn record_batch(&self, batch: Batch) -> Result<RecordBatch, ArrowError> {
        let Batch { mut records, labels, .. } = batch;
        let element_type = self.element_type;
        let record: ArrayRef = match self.schema.field(0).data_type() {
            DataType::FixedSizeList(element, _) => {
                let numbers = array(element_type.into(), &records);
                let element = Arc::clone(element);
                Arc::new(FixedSizeListArray::try_new(element, self.length, numbers, None)?)
            }
            DataType::FixedSizeBinary(_) => {
                wide::reverse_each(&mut records, element_type.size());
                Arc::new(FixedSizeBinaryArray::try_new(self.length, records.into(), None)?)
            }
            _ => array(element_type.into(), &records),
        };
        let label = self.label_type.map(|label_type| array(label_type.into(), &labels));
        let arrays = [record].into_iter().chain(label).collect();
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }
}

/// A folder of files whose names depend on their number.
struct ShardFolder {
    folder: AtomicFolder,
    shards: Shards,
    /// The number of records of the files.
    records: u64,
    /// The number of files so far.
    files: u64,
}

impl ShardFolder {
    fn create(path: &Path, shards: Shards, records: Option<u64>) -> Result<Self, ErrorKind> {
        let records = match (shards, records) {
            (Shards::Files(_), None) => {
                let message = "the number of records is unknown in advance";
                return Err(ErrorKind::unsupported(message).advise(Setting::ShardRecords));
            }
            (_, records) => records.unwrap_or_default(),
        };
        Ok(Self { folder: AtomicFolder::create(path)?, shards, records, files: 0 })
    }

    /// The next file, and the number of its records.
    fn next(&mut self) -> (PathBuf, u64) {
        let number = self.files;
        self.files += 1;
        let room = match self.shards {
            Shards::Records(records) => records.get(),
            // The last file takes the remaining records.
            Shards::Files(files) if self.files == files.get() => u64::MAX,
            Shards::Files(files) => {
                let longer = self.records % files;
                self.records / files + u64::from(number < longer)
            }
        };
        (self.folder.join(unfinished(number)), room)
    }

    fn has_too_few(&self) -> bool {
        matches!(self.shards, Shards::Files(files) if self.files < files.get())
    }

    fn stage(self) -> Result<Staged, ErrorKind> {
        for number in 0..self.files {
            let name = format!("part-{number:05}-of-{:05}.parquet", self.files);
            fs::rename(self.folder.join(unfinished(number)), self.folder.join(name))?;
        }
        Ok(self.folder.stage()?)
    }
}

fn unfinished(number: u64) -> String {
    format!("part-{number:05}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(dims: &[u32]) -> Columns {
        let layout = RecordLayout::new(ElementType::I16, dims);
        Columns::new(ElementType::I16, &layout, &CreateOptions::default()).unwrap()
    }

    #[test]
    fn a_row_group_ends_by_records_or_by_bytes() {
        let max = |dims: &[u32]| columns(dims).group_records(None);
        assert_eq!(max(&[0]), 16_384);
        assert_eq!(max(&[0, 28, 28]), 16_384);
        assert_eq!(max(&[0, 64, 32]), 16_384);
        assert_eq!(max(&[0, 64, 33]), 15_887);
        assert_eq!(max(&[0, 1 << 25]), 1);
        assert_eq!(max(&[0, 1 << 30]), 1);
    }

    #[test]
    fn the_last_of_some_shards_takes_more_records_than_promised() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shards");
        let layout = RecordLayout::new(ElementType::U8, &[0]);
        let mut options = CreateOptions { count: Some(2), ..CreateOptions::default() };
        options.shards = NonZeroU64::new(2).map(Shards::Files);
        let mut sink = ParquetSink::create(&path, ElementType::U8, &layout, &options).unwrap();
        for number in 0..4 {
            let bytes = vec![number];
            sink.push(&Record { bytes, label: None }).unwrap();
        }
        Box::new(sink).stage().unwrap().unwrap().commit().unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
    }
}
