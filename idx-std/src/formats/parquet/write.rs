use std::fs;
use std::io;
use std::mem;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeBinaryArray, FixedSizeListArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use idx_core::ElementType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use super::arrays::{Encoding, array, data_type, reverse_each};
use super::schema::{LABEL, described_field, list_field};
use crate::formats::error::{At, Error, ErrorKind, Setting};
use crate::formats::folder::has_extension;
use crate::formats::options::{Shards, SinkOptions};
use crate::formats::ordered::Ordered;
use crate::formats::record::{Record, RecordLayout, RecordSink};
use crate::io::{AtomicFile, AtomicFolder, Staged};
use crate::npy::Value;
use crate::threads;

/// The default maximum number of records in a row group.
const GROUP_RECORDS: u64 = 16 * 1024;

/// The maximum number of bytes of records in a row group, which stays in memory until it is written.
const GROUP_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of bytes of records that threads encode, in row groups of that size: fewer threads encode
/// larger ones. One more row group is being filled.
const ENCODED_BYTES: u64 = 4 * GROUP_BYTES;

/// The approximate number of bytes of records to encode at a time: their numbers take several times as many while
/// they are encoded, and stay in the second cache.
const BATCH_BYTES: u64 = 128 * 1024;

/// The maximum number of records at a time, however small they are.
const BATCH_RECORDS: u64 = 8192;

/// Writes a file, or a folder of shards.
pub(in crate::formats) struct ParquetSink {
    path: PathBuf,
    columns: Arc<Columns>,
    properties: WriterProperties,
    group_records: u64,
    encoder: Ordered<Group, Result<Encoded, ParquetError>>,
    /// The file of the row group that is encoded next.
    writer: SerializedFileWriter<AtomicFile>,
    shards: Option<ShardFolder>,
    create_new: bool,
    /// How many more records the file of this row group can take.
    room: u64,
    /// The row group that is not full yet, and the batch after those that it has.
    group: Group,
    batch: Batch,
    given: u64,
}

/// The records of a row group.
#[derive(Default)]
struct Group {
    batches: Vec<Batch>,
    /// The number of records in them.
    records: u64,
    /// Where to continue, if its file ends after it.
    next_file: Option<PathBuf>,
}

/// Records and labels to encode at a time, big-endian.
#[derive(Default)]
struct Batch {
    records: Vec<u8>,
    labels: Vec<u8>,
    count: u64,
}

/// A row group as it is in the file.
struct Encoded {
    columns: Vec<ArrowColumnChunk>,
    next_file: Option<PathBuf>,
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
        let columns = Arc::new(Columns::new(element_type, layout, options)?);
        let properties = columns.properties();
        let shards = options.parquet.shards;
        let shards = shards.map(|shards| ShardFolder::create(path, shards, options.count));
        let mut shards = shards.transpose()?;
        let (file, room) = match &mut shards {
            Some(shards) => shards.next(),
            None => (path.to_path_buf(), u64::MAX),
        };
        let (writer, factory) = open(&file, &columns, &properties, options.create_new)?;
        let group_records = columns.group_records(options.parquet.row_group_records);
        let threads = columns.threads(group_records, options.threads);
        let encoded = Arc::clone(&columns);
        let encoder =
            Ordered::new(Some(threads), move |group: Group| group.encode(&encoded, &factory));
        Ok(Self {
            path: path.to_path_buf(),
            columns,
            properties,
            group_records,
            encoder: encoder.with_depth(1),
            writer,
            shards,
            create_new: options.create_new,
            room,
            group: Group::default(),
            batch: Batch::default(),
            given: 0,
        })
    }

    fn write(&mut self, record: &Record) -> Result<(), ErrorKind> {
        while self.room == 0 {
            self.next_file()?;
        }
        let batch = &mut self.batch;
        if let (Some(label), Some(label_type)) = (record.label, self.columns.label_type) {
            let appended = Value::Integer(label).append_to(&mut batch.labels, label_type);
            appended.map_err(|error| ErrorKind::OutOfRange {
                position: Some(self.given.into()),
                is_label: true,
                error,
            })?;
        }
        batch.records.extend_from_slice(&record.bytes);
        batch.count += 1;
        self.room -= 1;
        self.given += 1;
        if self.group.records + batch.count == self.group_records {
            self.give_group(None)?;
        } else if batch.count == self.columns.records_in(BATCH_BYTES, BATCH_RECORDS) {
            self.group.push(mem::take(batch));
        }
        Ok(())
    }

    /// Continues in the next file.
    fn next_file(&mut self) -> Result<(), ErrorKind> {
        if let Some(shards) = &mut self.shards {
            let (file, room) = shards.next();
            self.room = room;
            self.give_group(Some(file))?;
        }
        Ok(())
    }

    /// Passes the row group to a thread, and starts the next one.
    fn give_group(&mut self, next_file: Option<PathBuf>) -> Result<(), ErrorKind> {
        self.group.push(mem::take(&mut self.batch));
        let group = mem::take(&mut self.group);
        match self.encoder.give(Group { next_file, ..group })? {
            Some(encoded) => self.append(encoded),
            None => Ok(()),
        }
    }

    fn append(&mut self, encoded: Result<Encoded, ParquetError>) -> Result<(), ErrorKind> {
        let Encoded { columns, next_file } = encoded.map_err(io_error)?;
        append_columns(&mut self.writer, columns).map_err(io_error)?;
        if let Some(file) = next_file {
            let (next, _) = open(&file, &self.columns, &self.properties, self.create_new)?;
            close(mem::replace(&mut self.writer, next))?.commit()?;
        }
        Ok(())
    }

    fn complete(mut self) -> Result<Staged, ErrorKind> {
        while self.shards.as_ref().is_some_and(ShardFolder::has_too_few) {
            self.next_file()?;
        }
        self.give_group(None)?;
        while let Some(encoded) = self.encoder.take()? {
            self.append(encoded)?;
        }
        let staged = close(self.writer)?;
        let Some(shards) = self.shards else {
            return Ok(staged);
        };
        staged.commit()?;
        shards.stage(self.create_new)
    }
}

impl Group {
    fn push(&mut self, batch: Batch) {
        if batch.count > 0 {
            self.records += batch.count;
            self.batches.push(batch);
        }
    }

    /// Encodes the columns; there are none without records.
    fn encode(
        self,
        columns: &Columns,
        factory: &ArrowRowGroupWriterFactory,
    ) -> Result<Encoded, ParquetError> {
        let mut writers = match self.records {
            0 => Vec::new(),
            // The index matters only if columns are encrypted.
            _ => factory.create_column_writers(0)?,
        };
        for batch in self.batches {
            let arrays = columns.arrays(batch)?;
            let fields = columns.schema.fields().iter().zip(&arrays);
            for ((field, array), writer) in fields.zip(&mut writers) {
                for leaf in compute_leaves(field, array)? {
                    writer.write(&leaf)?;
                }
            }
        }
        let columns = writers.into_iter().map(ArrowColumnWriter::close);
        Ok(Encoded { columns: columns.collect::<Result<_, _>>()?, next_file: self.next_file })
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

/// Starts a file; its row groups are encoded by what the factory makes.
fn open(
    path: &Path,
    columns: &Columns,
    properties: &WriterProperties,
    create_new: bool,
) -> Result<(SerializedFileWriter<AtomicFile>, ArrowRowGroupWriterFactory), ErrorKind> {
    let file = match create_new {
        true => AtomicFile::create_new(path)?,
        false => AtomicFile::create(path)?,
    };
    let schema = columns.schema.clone();
    let writer = ArrowWriter::try_new(file, schema, Some(properties.clone()));
    let writer = writer.and_then(ArrowWriter::into_serialized_writer);
    Ok(writer.map_err(io_error)?)
}

fn append_columns(
    writer: &mut SerializedFileWriter<AtomicFile>,
    columns: Vec<ArrowColumnChunk>,
) -> Result<(), ParquetError> {
    if columns.is_empty() {
        return Ok(());
    }
    let mut group = writer.next_row_group()?;
    for column in columns {
        column.append_to_row_group(&mut group)?;
    }
    group.close().map(drop)
}

fn close(writer: SerializedFileWriter<AtomicFile>) -> Result<Staged, ErrorKind> {
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
        if let Some(label_type) = options.label_type.filter(|label_type| label_type.is_float()) {
            let message = format!("labels are integers, and {label_type} is for fractions");
            return Err(ErrorKind::unsupported(message).advise(Setting::LabelType));
        }
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

    /// The number of records in a row group, but at most `max`.
    fn group_records(&self, max: Option<NonZeroU64>) -> u64 {
        self.records_in(GROUP_BYTES, max.map_or(GROUP_RECORDS, NonZeroU64::get))
    }

    /// The number of threads that encode row groups of this many records, but at most `max`.
    fn threads(&self, group_records: u64, max: Option<NonZeroUsize>) -> NonZeroUsize {
        let group_bytes = self.record_size.saturating_mul(group_records);
        let most = usize::try_from(ENCODED_BYTES / group_bytes).ok();
        let most = most.and_then(NonZeroUsize::new);
        threads::count(max).min(most.unwrap_or(NonZeroUsize::MIN))
    }

    fn properties(&self) -> WriterProperties {
        WriterProperties::builder()
            .set_created_by(concat!("idx ", env!("CARGO_PKG_VERSION")).to_string())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // Records are rarely equal, so a dictionary does not help.
            .set_dictionary_enabled(self.encoding != Encoding::Binary)
            // Statistics help to search labels; nobody searches pictures by their smallest pixel.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from(LABEL), EnabledStatistics::Chunk)
            .build()
    }

    fn arrays(&self, batch: Batch) -> Result<Vec<ArrayRef>, ArrowError> {
        let Batch { mut records, labels, .. } = batch;
        let element_type = self.element_type;
        let record: ArrayRef = match self.schema.field(0).data_type() {
            DataType::FixedSizeList(element, _) => {
                let numbers = array(element_type.into(), &records);
                let element = element.clone();
                Arc::new(FixedSizeListArray::try_new(element, self.length, numbers, None)?)
            }
            DataType::FixedSizeBinary(_) => {
                reverse_each(&mut records, element_type.size());
                Arc::new(FixedSizeBinaryArray::try_new(self.length, records.into(), None)?)
            }
            _ => array(element_type.into(), &records),
        };
        let label = self.label_type.map(|label_type| array(label_type.into(), &labels));
        Ok([record].into_iter().chain(label).collect())
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

    fn columns(dims: &[u32]) -> Columns {
        let layout = RecordLayout::new(ElementType::I16, dims);
        Columns::new(ElementType::I16, &layout, &SinkOptions::default()).unwrap()
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
        let mut options = SinkOptions { count: Some(2), ..SinkOptions::default() };
        options.parquet.shards = NonZeroU64::new(2).map(Shards::Files);
        let mut sink = ParquetSink::create(&path, ElementType::U8, &layout, &options).unwrap();
        for number in 0..4 {
            let bytes = vec![number];
            sink.push(&Record { bytes, label: None }).unwrap();
        }
        Box::new(sink).stage().unwrap().unwrap().commit().unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
    }

    #[test]
    fn large_row_groups_are_encoded_on_few_threads() {
        let threads = |dims: &[u32], max| {
            let columns = columns(dims);
            columns.threads(columns.group_records(None), NonZeroUsize::new(max)).get()
        };
        assert_eq!(threads(&[0, 28, 28], 8), 8);
        assert_eq!(threads(&[0, 28, 28], 1), 1);
        assert_eq!(threads(&[0, 1 << 25], 8), 4);
        assert_eq!(threads(&[0, 1 << 30], 8), 1);
    }
}
