//! Records into a file, or into a folder of shards.

use std::mem::{replace, take};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use idx_std::ElementType;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::arrays::{array, data_type, is_binary, swap};
use super::file::write_error;
use super::schema::{LABEL, described_field, list_field};
use crate::error::{At, Error, ErrorKind, Setting};
use crate::options::{CreateOptions, Shards};
use crate::record::{Record, RecordLayout, RecordSink};
use crate::value::append_label;
use idx_std::__private::{AtomicFolder, Staged, wide};
use idx_std::{AtomicFile, ErrorKind as FileErrorKind};

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
    writer: ArrowWriter<AtomicFile>,
    shards: Option<ShardFolder>,
    /// How many more records the file takes.
    room: u64,
    /// Records and labels to encode at a time, big-endian, and their number.
    records: Vec<u8>,
    labels: Vec<u8>,
    count: usize,
    /// The number of records before them.
    encoded: u64,
}

impl ParquetSink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        (layout, count): (&RecordLayout, Option<u64>),
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let columns = Columns::new(element_type, layout, options).at(path)?;
        let shards = options.shards;
        let shards = shards.map(|shards| ShardFolder::create(path, shards, count));
        let mut shards = shards.transpose().at(path)?;
        let (file, room) = match &mut shards {
            Some(shards) => shards.next(),
            None => (path.to_path_buf(), u64::MAX),
        };
        Ok(Self {
            path: path.to_path_buf(),
            writer: columns.open(&file).at(path)?,
            columns,
            shards,
            room,
            records: Vec::new(),
            labels: Vec::new(),
            count: 0,
            encoded: 0,
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
        if let (Some(label), Some(label_type)) = (record.label, self.columns.label_type) {
            let position = self.encoded + self.count as u64;
            append_label(label, label_type, &mut self.labels)
                .map_err(|error| error.at_position(position.into()))?;
        }
        self.records.extend_from_slice(&record.bytes);
        self.count += 1;
        self.room -= 1;
        match self.count == self.columns.records_in(BATCH_BYTES, BATCH_RECORDS) {
            true => self.encode(),
            false => Ok(()),
        }
    }

    /// Passes the records to the file, which writes whole row groups.
    fn encode(&mut self) -> Result<(), ErrorKind> {
        let (records, labels, count) =
            (take(&mut self.records), take(&mut self.labels), take(&mut self.count));
        if count > 0 {
            let batch = self.columns.record_batch(records, labels, count);
            self.writer.write(&batch.map_err(io::Error::other)?).map_err(write_error)?;
        }
        self.encoded += count as u64;
        Ok(())
    }

    /// Completes the file, and continues in the next one.
    fn next_file(&mut self) -> Result<(), ErrorKind> {
        self.encode()?;
        if let Some(shards) = &mut self.shards {
            let (file, room) = shards.next();
            self.room = room;
            close(replace(&mut self.writer, self.columns.open(&file)?))?.commit()?;
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

fn close(writer: ArrowWriter<AtomicFile>) -> Result<Staged, ErrorKind> {
    let file = writer.into_inner().map_err(write_error)?;
    Ok(file.stage()?)
}

/// The columns of the files.
struct Columns {
    schema: SchemaRef,
    element_type: ElementType,
    label_type: Option<ElementType>,
    record_size: usize,
    /// The maximum number of records in a row group.
    group_records: usize,
    create_new: bool,
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
            _ if layout.record_shape().is_empty() => described(data_type(element_type)),
            true => described(DataType::FixedSizeBinary(length)),
            false => list_field(element_type, layout, length),
        };
        if let Some(label_type) = options.label_type.filter(|label_type| label_type.is_float()) {
            let message = format!("labels are integers, and {label_type} is for fractions");
            return Err(ErrorKind::unsupported(message).advise(Setting::LabelType));
        }
        let label = options.label_type.map(|label| Field::new(LABEL, data_type(label), false));
        let fields: Vec<Field> = [record].into_iter().chain(label).collect();
        let max = options.row_group_records;
        let max = max.map_or(Some(GROUP_RECORDS), |max| usize::try_from(max.get()).ok());
        let mut columns = Self {
            schema: Arc::new(Schema::new(fields)),
            element_type,
            label_type: options.label_type,
            record_size,
            group_records: 0,
            create_new: options.create_new,
        };
        columns.group_records = columns.records_in(GROUP_BYTES, max.unwrap_or(usize::MAX));
        Ok(columns)
    }

    /// The number of records that have about this many bytes, but at most `max`.
    fn records_in(&self, bytes: usize, max: usize) -> usize {
        (bytes / self.record_size).clamp(1, max)
    }

    fn has_strings(&self) -> bool {
        is_binary(self.schema.field(0).data_type())
    }

    fn open(&self, path: &Path) -> Result<ArrowWriter<AtomicFile>, ErrorKind> {
        let properties = WriterProperties::builder()
            .set_created_by(concat!("idx ", env!("CARGO_PKG_VERSION")).to_string())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(self.group_records))
            // Records are rarely equal, so a dictionary does not help.
            .set_dictionary_enabled(!self.has_strings())
            // Statistics help to search labels; nobody searches pictures by their smallest pixel.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from(LABEL), EnabledStatistics::Chunk);
        let file = AtomicFile::start(path, self.create_new)?;
        let writer = ArrowWriter::try_new(file, Arc::clone(&self.schema), Some(properties.build()));
        Ok(writer.map_err(write_error)?)
    }

    fn record_batch(
        &self,
        mut records: Vec<u8>,
        mut labels: Vec<u8>,
        count: usize,
    ) -> Result<RecordBatch, ArrowError> {
        let size = self.element_type.size();
        match self.has_strings() {
            true => wide::reverse_each(&mut records, size),
            false => swap(&mut records, size),
        }
        swap(&mut labels, self.label_type.map_or(1, ElementType::size));
        let columns = self.schema.fields().iter().zip([records, labels]);
        let arrays = columns.map(|(field, bytes)| array(field.data_type(), count, bytes));
        RecordBatch::try_new(Arc::clone(&self.schema), arrays.collect::<Result<_, _>>()?)
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
        if let (Shards::Files(_), None) = (shards, records) {
            let message = "the number of records is unknown in advance";
            return Err(ErrorKind::unsupported(message).advise(Setting::ShardRecords));
        }
        let (folder, records) = (AtomicFolder::create(path)?, records.unwrap_or_default());
        Ok(Self { folder, shards, records, files: 0 })
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
    use std::num::NonZeroU64;

    use super::*;

    #[test]
    fn a_row_group_ends_by_records_or_by_bytes() {
        let max = |dims: &[u32]| {
            let layout = RecordLayout::new(ElementType::I16, dims);
            let options = CreateOptions::default();
            Columns::new(ElementType::I16, &layout, &options).unwrap().group_records
        };
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
        let options = CreateOptions::new().shards(NonZeroU64::new(2).map(Shards::Files));
        let records = (&layout, Some(2));
        let mut sink = ParquetSink::create(&path, ElementType::U8, records, &options).unwrap();
        for number in 0..4 {
            let bytes = vec![number];
            sink.push(&Record { bytes, label: None }).unwrap();
        }
        Box::new(sink).stage().unwrap().unwrap().commit().unwrap();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
    }
}
