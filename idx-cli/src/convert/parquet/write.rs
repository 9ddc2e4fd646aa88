use std::fs;
use std::io;
use std::mem;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeBinaryArray, FixedSizeListArray, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use idx_std::{ElementType, NewFile, Number};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::columns::{Held, LABEL, data_type, described_field, list_field};
use super::{ColumnLayout, ParquetArguments, is_parquet, values};
use crate::convert::folder::NewFolder;
use crate::convert::layout::Layout;
use crate::convert::sink::{Sink, WriteOptions};
use crate::convert::source::{Record, stop};
use crate::term::failure::Failure as Stop;

/// The most records of a row group, unless told.
const GROUP_RECORDS: u64 = 16 * 1024;

/// The most bytes of records in a row group, which is in memory until it is written.
const GROUP_BYTES: u64 = 64 * 1024 * 1024;

/// About so many bytes of records are encoded at a time.
const BATCH_BYTES: u64 = 1024 * 1024;

/// No more records than these, however small they are.
const BATCH_RECORDS: u64 = 8192;

/// Writes a file, or a folder of shards.
pub(crate) struct ParquetSink {
    path: PathBuf,
    columns: Columns,
    properties: WriterProperties,
    writer: ArrowWriter<NewFile>,
    shards: Option<Shards>,
    /// The records that the file takes yet.
    room: u64,
    /// What is not encoded yet, big-endian.
    records: Vec<u8>,
    labels: Vec<u8>,
    pending: u64,
}

impl ParquetSink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &Layout,
        options: &WriteOptions,
    ) -> Result<Box<dyn Sink>, Stop> {
        let columns = Columns::new(element_type, layout, options)
            .map_err(|message| Stop::file(path, message))?;
        let properties = columns.properties(options.parquet.row_group_records);
        let mut shards = match Split::of(options.parquet) {
            Some(split) => Some(Shards::create(path, split, options.count)?),
            None => None,
        };
        let (file, room) = match &mut shards {
            Some(shards) => shards.next(),
            None => (path.to_path_buf(), u64::MAX),
        };
        let writer = open(&file, &columns, &properties);
        Ok(Box::new(Self {
            writer: writer.map_err(|error| stop(path, error))?,
            path: path.to_path_buf(),
            columns,
            properties,
            shards,
            room,
            records: Vec::new(),
            labels: Vec::new(),
            pending: 0,
        }))
    }

    fn encode(&mut self) -> io::Result<()> {
        let batch = self.columns.batch(&mut self.records, &self.labels);
        self.writer
            .write(&batch.map_err(io::Error::other)?)
            .map_err(io_error)?;
        self.records.clear();
        self.labels.clear();
        self.pending = 0;
        Ok(())
    }

    /// Goes on in the next file.
    fn next_file(&mut self) -> io::Result<()> {
        if let Some(shards) = &mut self.shards {
            let (file, room) = shards.next();
            self.room = room;
            self.encode()?;
            let next = open(&file, &self.columns, &self.properties)?;
            close(mem::replace(&mut self.writer, next))?;
        }
        Ok(())
    }

    fn make_room(&mut self) -> io::Result<()> {
        while self.room == 0 {
            self.next_file()?;
        }
        Ok(())
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        self.room -= 1;
        self.records.extend_from_slice(&record.bytes);
        self.pending += 1;
        if self.pending == self.columns.records_of(BATCH_BYTES, BATCH_RECORDS) {
            self.encode()?;
        }
        Ok(())
    }

    fn complete(mut self) -> io::Result<()> {
        while self.shards.as_ref().is_some_and(Shards::are_too_few) {
            self.next_file()?;
        }
        self.encode()?;
        close(self.writer)?;
        self.shards.map_or(Ok(()), Shards::finish)
    }
}

impl Sink for ParquetSink {
    fn push(&mut self, record: &Record) -> Result<(), Stop> {
        self.make_room().map_err(|error| stop(&self.path, error))?;
        if let (Some(label), Some(label_type)) = (record.label, self.columns.label_type) {
            Number::Integer(label)
                .append_to(&mut self.labels, label_type)
                .map_err(|error| {
                    let hint = "choose another type with `--labels-as`";
                    Stop::file(&self.path, format!("label {error}; {hint}"))
                })?;
        }
        self.write(record).map_err(|error| stop(&self.path, error))
    }

    fn finish(self: Box<Self>) -> Result<(), Stop> {
        let path = self.path.clone();
        self.complete().map_err(|error| stop(&path, error))
    }
}

fn open(
    path: &Path,
    columns: &Columns,
    properties: &WriterProperties,
) -> io::Result<ArrowWriter<NewFile>> {
    let file = NewFile::create(path).map_err(|error| io::Error::other(error.message()))?;
    let schema = columns.schema.clone();
    ArrowWriter::try_new(file, schema, Some(properties.clone())).map_err(io_error)
}

fn close(writer: ArrowWriter<NewFile>) -> io::Result<()> {
    let file = writer.into_inner().map_err(io_error)?;
    file.finish()
        .map_err(|error| io::Error::other(error.message()))
}

/// The error of the system that an error of Parquet is; its kind tells a full disk.
fn io_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}

/// What the columns of the files are.
struct Columns {
    schema: SchemaRef,
    element_type: ElementType,
    held: Held,
    /// How many numbers a list has, or how many bytes the bytes are.
    length: i32,
    record_size: u64,
    label_type: Option<ElementType>,
}

impl Columns {
    fn new(
        element_type: ElementType,
        layout: &Layout,
        options: &WriteOptions,
    ) -> Result<Self, String> {
        let numbers = layout.numbers();
        if numbers == Some(0) {
            return Err(format!(
                "records of {} have no numbers, which parquet cannot hold; write npy",
                layout.shape()
            ));
        }
        let (held, length) = match options.parquet.layout.unwrap_or_default() {
            _ if layout.sizes().is_empty() => (Held::Numbers, numbers),
            ColumnLayout::List => (Held::Lists, numbers),
            ColumnLayout::Binary => (Held::Bytes, layout.record_size()),
        };
        let length = length.and_then(|length| i32::try_from(length).ok());
        let (Some(length), Some(record_size)) = (length, layout.record_size()) else {
            return Err(format!(
                "records of {} are longer than the 31 bits of a column in Arrow count; write npy",
                layout.shape()
            ));
        };
        let described = |data_type| described_field(data_type, element_type, layout);
        let mut fields = vec![match held {
            Held::Numbers => described(data_type(element_type)),
            Held::Lists => list_field(element_type, layout, length),
            Held::Bytes => described(DataType::FixedSizeBinary(length)),
        }];
        let label = options.labels.map(data_type);
        fields.extend(label.map(|label| Field::new(LABEL, label, false)));
        Ok(Self {
            schema: Arc::new(Schema::new(fields)),
            element_type,
            held,
            length,
            record_size,
            label_type: options.labels,
        })
    }

    /// How many records have about so many bytes, but no more than `most`.
    fn records_of(&self, bytes: u64, most: u64) -> u64 {
        (bytes / self.record_size).clamp(1, most)
    }

    fn properties(&self, group_records: Option<NonZeroU64>) -> WriterProperties {
        let most = group_records.map_or(GROUP_RECORDS, NonZeroU64::get);
        let most = usize::try_from(self.records_of(GROUP_BYTES, most));
        WriterProperties::builder()
            .set_created_by(concat!("idx ", env!("CARGO_PKG_VERSION")).to_string())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // Whole records seldom are alike.
            .set_dictionary_enabled(self.held != Held::Bytes)
            .set_max_row_group_row_count(most.ok())
            // Nobody looks for pictures by their least pixel, but for labels.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from(LABEL), EnabledStatistics::Chunk)
            .build()
    }

    /// The columns of these records and labels; the records are used up.
    fn batch(&self, records: &mut Vec<u8>, labels: &[u8]) -> Result<RecordBatch, ArrowError> {
        let record: ArrayRef = match self.schema.field(0).data_type() {
            DataType::FixedSizeList(element, _) => {
                let numbers = values::array(self.element_type, records);
                let element = element.clone();
                Arc::new(FixedSizeListArray::try_new(
                    element,
                    self.length,
                    numbers,
                    None,
                )?)
            }
            DataType::FixedSizeBinary(_) => {
                values::reverse_each(records, self.element_type.size());
                let bytes = mem::take(records).into();
                Arc::new(FixedSizeBinaryArray::try_new(self.length, bytes, None)?)
            }
            _ => values::array(self.element_type, records),
        };
        let label = self
            .label_type
            .map(|label_type| values::array(label_type, labels));
        let columns = [record].into_iter().chain(label).collect();
        RecordBatch::try_new(self.schema.clone(), columns)
    }
}

/// How the records are spread over files.
#[derive(Clone, Copy, Debug)]
enum Split {
    /// Over so many files.
    Files(NonZeroU64),
    /// So many records in each file.
    Records(NonZeroU64),
}

impl Split {
    /// As it was asked for.
    fn of(arguments: ParquetArguments) -> Option<Self> {
        let files = arguments.shards.map(Self::Files);
        files.or(arguments.shard_records.map(Self::Records))
    }
}

/// A folder of files that are named when their number is known.
struct Shards {
    folder: NewFolder,
    split: Split,
    /// How many records go to the files.
    records: u64,
    /// How many files there are yet.
    files: u64,
}

impl Shards {
    fn create(path: &Path, split: Split, records: Option<u64>) -> Result<Self, Stop> {
        let records = match (split, records) {
            (Split::Files(_), None) => {
                return Err(Stop::file(
                    path,
                    "how many records there will be is not known before the last one; say \
                     --shard-records in place of --shards",
                ));
            }
            (_, records) => records.unwrap_or_default(),
        };
        Ok(Self {
            folder: NewFolder::create(path).map_err(|error| stop(path, error))?,
            split,
            records,
            files: 0,
        })
    }

    /// The next file, and how many records it takes.
    fn next(&mut self) -> (PathBuf, u64) {
        let number = self.files;
        self.files += 1;
        let room = match self.split {
            Split::Records(records) => records.get(),
            // The last one takes what is left.
            Split::Files(files) if self.files == files.get() => u64::MAX,
            Split::Files(files) => {
                let longer = self.records % files;
                self.records / files + u64::from(number < longer)
            }
        };
        (self.folder.file(unfinished(number)), room)
    }

    fn are_too_few(&self) -> bool {
        matches!(self.split, Split::Files(files) if self.files < files.get())
    }

    fn finish(self) -> io::Result<()> {
        for number in 0..self.files {
            let name = format!("part-{number:05}-of-{:05}.parquet", self.files);
            fs::rename(self.folder.file(unfinished(number)), self.folder.file(name))?;
        }
        self.folder.finish(is_parquet)
    }
}

fn unfinished(number: u64) -> String {
    format!("part-{number:05}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_group_ends_by_records_or_by_bytes() {
        let most = |shape: &[u32]| {
            let layout = Layout {
                number_type: ElementType::I16.into(),
                record_shape: Some(shape.to_vec()),
            };
            let columns = Columns::new(ElementType::I16, &layout, &WriteOptions::default());
            let columns = columns.unwrap();
            columns.properties(None).max_row_group_row_count()
        };
        assert_eq!(most(&[]), Some(16_384));
        assert_eq!(most(&[28, 28]), Some(16_384));
        assert_eq!(most(&[64, 32]), Some(16_384));
        assert_eq!(most(&[64, 33]), Some(15_887));
        assert_eq!(most(&[1 << 25]), Some(1));
        assert_eq!(most(&[1 << 30]), Some(1));
    }
}
