use std::fs;
use std::io;
use std::mem;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeBinaryArray, FixedSizeListArray, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use idx_core::ElementType;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnPath;

use super::arrays::{Encoding, array, data_type, reverse_each};
use super::schema::{LABEL, described_field, list_field};
use crate::formats::error::{At, Error, ErrorKind, Setting};
use crate::formats::folder::has_extension;
use crate::formats::options::{Shards, SinkOptions};
use crate::formats::record::{Record, RecordLayout, RecordSink};
use crate::io::{AtomicFile, AtomicFolder, Staged};
use crate::npy::Value;

/// The default maximum number of records in a row group.
const GROUP_RECORDS: u64 = 16 * 1024;

/// The maximum number of bytes of records in a row group, which stays in memory until it is written.
const GROUP_BYTES: u64 = 64 * 1024 * 1024;

/// The approximate number of bytes of records to encode at a time.
const BATCH_BYTES: u64 = 1024 * 1024;

/// The maximum number of records at a time, however small they are.
const BATCH_RECORDS: u64 = 8192;

/// Writes a file, or a folder of shards.
pub(in crate::formats) struct ParquetSink {
    path: PathBuf,
    columns: Columns,
    properties: WriterProperties,
    writer: ArrowWriter<AtomicFile>,
    shards: Option<ShardFolder>,
    create_new: bool,
    /// How many more records the file can take.
    room: u64,
    /// The records that are not encoded yet, big-endian.
    records: Vec<u8>,
    labels: Vec<u8>,
    pending: u64,
    given: u64,
}

impl ParquetSink {
    pub(in crate::formats) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Self, Error> {
        Self::start(path, element_type, layout, options).at(path)
    }

    fn start(
        path: &Path,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Self, ErrorKind> {
        let columns = Columns::new(element_type, layout, options)?;
        let properties = columns.properties(options.parquet.row_group_records);
        let shards = options.parquet.shards;
        let shards = shards.map(|shards| ShardFolder::create(path, shards, options.count));
        let mut shards = shards.transpose()?;
        let (file, room) = match &mut shards {
            Some(shards) => shards.next(),
            None => (path.to_path_buf(), u64::MAX),
        };
        Ok(Self {
            writer: open(&file, &columns, &properties, options.create_new)?,
            path: path.to_path_buf(),
            columns,
            properties,
            shards,
            create_new: options.create_new,
            room,
            records: Vec::new(),
            labels: Vec::new(),
            pending: 0,
            given: 0,
        })
    }

    fn encode(&mut self) -> Result<(), ErrorKind> {
        let batch = self.columns.batch(&mut self.records, &self.labels);
        let batch = batch.map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(io_error)?;
        self.records.clear();
        self.labels.clear();
        self.pending = 0;
        Ok(())
    }

    /// Continues in the next file.
    fn next_file(&mut self) -> Result<(), ErrorKind> {
        if let Some(shards) = &mut self.shards {
            let (file, room) = shards.next();
            self.room = room;
            self.encode()?;
            let next = open(&file, &self.columns, &self.properties, self.create_new)?;
            close(mem::replace(&mut self.writer, next))?.commit()?;
        }
        Ok(())
    }

    fn write(&mut self, record: &Record) -> Result<(), ErrorKind> {
        while self.room == 0 {
            self.next_file()?;
        }
        if let (Some(label), Some(label_type)) = (record.label, self.columns.label_type) {
            let appended = Value::Integer(label).append_to(&mut self.labels, label_type);
            appended.map_err(|error| ErrorKind::OutOfRange {
                position: Some(self.given.into()),
                is_label: true,
                error,
            })?;
        }
        self.records.extend_from_slice(&record.bytes);
        self.room -= 1;
        self.given += 1;
        self.pending += 1;
        if self.pending == self.columns.records_in(BATCH_BYTES, BATCH_RECORDS) {
            self.encode()?;
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
        shards.stage(self.create_new)
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
    columns: &Columns,
    properties: &WriterProperties,
    create_new: bool,
) -> Result<ArrowWriter<AtomicFile>, ErrorKind> {
    let file = match create_new {
        true => AtomicFile::create_new(path)?,
        false => AtomicFile::create(path)?,
    };
    let schema = columns.schema.clone();
    let writer = ArrowWriter::try_new(file, schema, Some(properties.clone()));
    Ok(writer.map_err(io_error)?)
}

fn close(writer: ArrowWriter<AtomicFile>) -> Result<Staged, ErrorKind> {
    let file = writer.into_inner().map_err(io_error)?;
    Ok(file.stage())
}

/// The error of the system behind an error of Parquet; its kind identifies a full disk.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

/// The columns of the files.
struct Columns {
    schema: SchemaRef,
    element_type: ElementType,
    encoding: Encoding,
    /// The number of elements of a list, or of bytes of a byte string.
    length: i32,
    record_size: u64,
    label_type: Option<ElementType>,
}

impl Columns {
    fn new(
        element_type: ElementType,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Self, ErrorKind> {
        let numbers = layout.record_length();
        if numbers == Some(0) {
            return Err(ErrorKind::unsupported(format!(
                "records of {} have no numbers, which Parquet cannot hold; write npy",
                layout.shape_text()
            )));
        }
        let (encoding, length) = match options.parquet.binary {
            _ if layout.record_shape().is_empty() => (Encoding::Scalar, numbers),
            false => (Encoding::List, numbers),
            true => (Encoding::Binary, layout.record_size()),
        };
        let length = length.and_then(|length| i32::try_from(length).ok());
        let (Some(length), Some(record_size)) = (length, layout.record_size()) else {
            return Err(ErrorKind::unsupported(format!(
                "records of {} exceed the 31 bits of a length in Arrow; write npy",
                layout.shape_text()
            )));
        };
        let described = |data_type| described_field(data_type, element_type, layout);
        let mut fields = vec![match encoding {
            Encoding::Scalar => described(data_type(element_type.into())),
            Encoding::List => list_field(element_type, layout, length),
            Encoding::Binary => described(DataType::FixedSizeBinary(length)),
        }];
        let label = options.label_type.map(|label| data_type(label.into()));
        fields.extend(label.map(|label| Field::new(LABEL, label, false)));
        Ok(Self {
            schema: Arc::new(Schema::new(fields)),
            element_type,
            encoding,
            length,
            record_size,
            label_type: options.label_type,
        })
    }

    /// The number of records that have about this many bytes, but at most `max`.
    fn records_in(&self, bytes: u64, max: u64) -> u64 {
        (bytes / self.record_size).clamp(1, max)
    }

    fn properties(&self, group_records: Option<NonZeroU64>) -> WriterProperties {
        let max = group_records.map_or(GROUP_RECORDS, NonZeroU64::get);
        let max = usize::try_from(self.records_in(GROUP_BYTES, max));
        WriterProperties::builder()
            .set_created_by(concat!("idx ", env!("CARGO_PKG_VERSION")).to_string())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // Records are rarely equal, so a dictionary does not help.
            .set_dictionary_enabled(self.encoding != Encoding::Binary)
            .set_max_row_group_row_count(max.ok())
            // Statistics help to search labels; nobody searches pictures by their smallest pixel.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from(LABEL), EnabledStatistics::Chunk)
            .build()
    }

    /// The columns of these records and labels; this consumes the records.
    fn batch(&self, records: &mut Vec<u8>, labels: &[u8]) -> Result<RecordBatch, ArrowError> {
        let element_type = self.element_type;
        let record: ArrayRef = match self.schema.field(0).data_type() {
            DataType::FixedSizeList(element, _) => {
                let numbers = array(element_type.into(), records);
                let element = element.clone();
                Arc::new(FixedSizeListArray::try_new(
                    element,
                    self.length,
                    numbers,
                    None,
                )?)
            }
            DataType::FixedSizeBinary(_) => {
                reverse_each(records, element_type.size());
                let bytes = mem::take(records).into();
                Arc::new(FixedSizeBinaryArray::try_new(self.length, bytes, None)?)
            }
            _ => array(element_type.into(), records),
        };
        let label = self
            .label_type
            .map(|label_type| array(label_type.into(), labels));
        let columns = [record].into_iter().chain(label).collect();
        RecordBatch::try_new(self.schema.clone(), columns)
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
        Ok(Self {
            folder: AtomicFolder::create(path)?,
            shards,
            records,
            files: 0,
        })
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

    fn stage(self, create_new: bool) -> Result<Staged, ErrorKind> {
        for number in 0..self.files {
            let name = format!("part-{number:05}-of-{:05}.parquet", self.files);
            fs::rename(self.folder.join(unfinished(number)), self.folder.join(name))?;
        }
        Ok(match create_new {
            true => self.folder.stage(|_| false),
            false => self.folder.stage(is_own),
        })
    }
}

/// Whether this program wrote the file.
pub(in crate::formats) fn is_own(path: &Path) -> bool {
    let created_by = || {
        let file = crate::io::access::open_regular(path).ok()?;
        let reader = SerializedFileReader::new(file).ok()?;
        let created_by = reader.metadata().file_metadata().created_by()?;
        Some(created_by.starts_with("idx "))
    };
    has_extension(path, "parquet") && created_by() == Some(true)
}

fn unfinished(number: u64) -> String {
    format!("part-{number:05}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_group_ends_by_records_or_by_bytes() {
        let max = |dims: &[u32]| {
            let layout = RecordLayout::new(ElementType::I16, dims);
            let columns = Columns::new(ElementType::I16, &layout, &SinkOptions::default());
            let columns = columns.unwrap();
            columns.properties(None).max_row_group_row_count()
        };
        assert_eq!(max(&[0]), Some(16_384));
        assert_eq!(max(&[0, 28, 28]), Some(16_384));
        assert_eq!(max(&[0, 64, 32]), Some(16_384));
        assert_eq!(max(&[0, 64, 33]), Some(15_887));
        assert_eq!(max(&[0, 1 << 25]), Some(1));
        assert_eq!(max(&[0, 1 << 30]), Some(1));
    }
}
