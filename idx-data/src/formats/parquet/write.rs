//! Writes records to a file, or to a folder of shards.

use std::io;
use std::mem::{replace, take};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;

use crate::error::{At, Error, ErrorKind};
use crate::formats::RecordSink;
use crate::formats::parquet::arrays::{array, data_type, is_binary, slice, swap};
use crate::formats::parquet::file::write_error;
use crate::formats::parquet::labels::{FEATURES, features};
use crate::formats::parquet::schema::{LABEL, described_field, tensor_field};
use crate::formats::threads::{count, in_order};
use crate::record::options::{ColumnLayout, CreateOptions};
use crate::record::value::append_label;
use crate::record::{Facts, Record};
use idx_std::__private::{Staged, wide};
use idx_std::{AtomicFile, AtomicFolder, ElementType};

/// The default maximum number of records in a row group.
const GROUP_RECORDS: usize = 16 * 1024;

/// The maximum number of bytes of records in a row group, which is kept in memory until it is written.
const GROUP_BYTES: usize = 64 * 1024 * 1024;

/// The maximum number of bytes of records in row groups that are encoded together.
const WAITING_BYTES: usize = 2 * GROUP_BYTES;

/// The approximate number of bytes of records to encode at a time: encoding takes several times that, and should stay
/// in the L2 cache.
const BATCH_BYTES: usize = 128 * 1024;

/// The maximum number of records to encode at a time, however small they are.
const BATCH_RECORDS: usize = 8192;

pub(crate) struct ParquetSink {
    columns: WrittenColumns,
    /// The file of the first waiting row group.
    writer: SerializedFileWriter<AtomicFile>,
    /// The folder of several files, and the files after that one, each with its number of records.
    folder: Option<AtomicFolder>,
    next_files: Option<Files>,
    /// The number of records that still go to the file.
    room: u64,
    /// The number of row groups to encode together, each on a thread.
    threads: usize,
    /// The waiting row groups, with the next file for each that is the last of its file.
    waiting: Vec<(RecordBatch, Option<PathBuf>)>,
    /// The records and labels of the row group after these, big-endian.
    records: Vec<u8>,
    labels: Vec<u8>,
    /// The number of all records so far.
    count: u64,
}

impl ParquetSink {
    pub(crate) fn create(
        path: &Path,
        facts: &Facts,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let columns = WrittenColumns::new(facts, options).at(path)?;
        let shards = options.shards;
        let shards = shards.map(|shards| self::shards(path, shards, facts.count));
        let (folder, mut next_files) = shards.transpose().at(path)?.unzip();
        let first = next_files.as_mut().and_then(Iterator::next);
        let (file, room) = first.unwrap_or_else(|| (path.to_path_buf(), u64::MAX));
        let groups = columns.records_in(WAITING_BYTES, usize::MAX) / columns.group_records;
        Ok(Self {
            writer: columns.open(&file).at(path)?,
            threads: count(options.threads).min(groups),
            columns,
            folder,
            next_files,
            room,
            waiting: Vec::new(),
            records: Vec::new(),
            labels: Vec::new(),
            count: 0,
        })
    }

    /// Continues in the next file. Returns false after the last one.
    fn next_file(&mut self) -> Result<bool, Error> {
        let Some((file, room)) = self.next_files.as_mut().and_then(Iterator::next) else {
            return Ok(false);
        };
        self.room = room;
        self.end_group(Some(file)).map(|()| true)
    }

    /// Ends the row group. The next one may be in another file.
    fn end_group(&mut self, next_file: Option<PathBuf>) -> Result<(), Error> {
        let group = self.columns.record_batch(take(&mut self.records), take(&mut self.labels));
        self.waiting.push((group.map_err(io::Error::other)?, next_file));
        match self.waiting.len() >= self.threads {
            true => self.write_waiting(),
            false => Ok(()),
        }
    }

    fn write_waiting(&mut self) -> Result<(), Error> {
        let waiting = take(&mut self.waiting);
        let factory = ArrowRowGroupWriterFactory::new(&self.writer, self.columns.schema.clone());
        let encode = |(group, _): &(RecordBatch, _)| self.columns.encode(group, &factory);
        let encoded = in_order(self.threads, &waiting, |group| (group, 0), encode);
        for (chunks, (group, next_file)) in encoded.into_iter().zip(waiting) {
            let chunks = chunks.map_err(write_error)?;
            if group.num_rows() > 0 {
                append(chunks, &mut self.writer).map_err(write_error)?;
            }
            if let Some(file) = next_file {
                close(replace(&mut self.writer, self.columns.open(&file)?))?.commit()?;
            }
        }
        Ok(())
    }
}

impl RecordSink for ParquetSink {
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        records.each(count, |record| {
            while self.room == 0 {
                self.next_file()?;
            }
            if self.records.len() == self.columns.group_records * self.columns.record_size {
                self.end_group(None)?;
            }
            if let (Some(label), Some(label_type)) = (record.label, self.columns.label_type) {
                append_label(label, label_type, &mut self.labels)
                    .map_err(|error| error.at_position(self.count))?;
            }
            self.records.extend_from_slice(&record.bytes);
            self.count += 1;
            self.room -= 1;
            Ok(())
        })
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        while self.next_file()? {}
        self.end_group(None)?;
        self.write_waiting()?;
        let staged = close(self.writer)?;
        let Some(folder) = self.folder else {
            return Ok(Some(staged));
        };
        staged.commit()?;
        Ok(Some(folder.stage()?))
    }
}

fn append(
    chunks: Vec<ArrowColumnChunk>,
    writer: &mut SerializedFileWriter<AtomicFile>,
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    chunks.into_iter().try_for_each(|chunk| chunk.append_to_row_group(&mut group))?;
    group.close().map(drop)
}

fn close(writer: SerializedFileWriter<AtomicFile>) -> Result<Staged, Error> {
    let file = writer.into_inner().map_err(write_error)?;
    Ok(file.stage()?)
}

/// The columns that are written.
struct WrittenColumns {
    schema: SchemaRef,
    element_type: ElementType,
    label_type: Option<ElementType>,
    /// The meaning of the labels, as Hugging Face stores it in the metadata of a file.
    features: Option<String>,
    record_size: usize,
    /// The maximum number of records in a row group.
    group_records: usize,
    create_new: bool,
}

impl WrittenColumns {
    fn new(facts: &Facts, options: &CreateOptions) -> Result<Self, ErrorKind> {
        let layout = &facts.layout;
        let element_type = layout.element_type()?;
        let label_type = facts.label_type.filter(|_| facts.has_labels);
        let column = options.layout.unwrap_or_default();
        let length = match column {
            ColumnLayout::Binary => layout.record_size(),
            ColumnLayout::List | ColumnLayout::Tensor => layout.record_length(),
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
        let element = || Arc::new(Field::new("element", data_type(element_type), true));
        let record = match column {
            _ if layout.record_shape().is_empty() => described(data_type(element_type)),
            ColumnLayout::List => described(DataType::List(element())),
            ColumnLayout::Tensor => tensor_field(element(), layout, length),
            ColumnLayout::Binary => described(DataType::FixedSizeBinary(length)),
        };
        let label = label_type.map(|label| Field::new(LABEL, data_type(label), false));
        let fields: Vec<Field> = [record].into_iter().chain(label).collect();
        let classes = facts.classes.as_ref().filter(|_| facts.has_labels);
        let mut columns = Self {
            schema: Arc::new(Schema::new(fields)),
            element_type,
            label_type,
            features: classes.map(features).transpose()?,
            record_size,
            group_records: 0,
            create_new: options.create_new,
        };
        columns.group_records = columns.records_in(GROUP_BYTES, GROUP_RECORDS);
        Ok(columns)
    }

    /// Returns the number of records in about `bytes` bytes, but at most `max`.
    fn records_in(&self, bytes: usize, max: usize) -> usize {
        (bytes / self.record_size).clamp(1, max)
    }

    fn has_strings(&self) -> bool {
        is_binary(self.schema.field(0).data_type())
    }

    fn open(&self, path: &Path) -> Result<SerializedFileWriter<AtomicFile>, Error> {
        let properties = WriterProperties::builder()
            .set_key_value_metadata(
                self.features
                    .clone()
                    .map(|features| vec![KeyValue::new(FEATURES.to_string(), features)]),
            )
            .set_created_by(concat!("idx ", env!("CARGO_PKG_VERSION")).to_string())
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // Records are rarely equal, so a dictionary does not help.
            .set_dictionary_enabled(!self.has_strings())
            // Statistics help to search labels; nobody searches pictures by their smallest pixel.
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from(LABEL), EnabledStatistics::Chunk);
        let file = AtomicFile::start(path, self.create_new)?;
        let writer = ArrowWriter::try_new(file, Arc::clone(&self.schema), Some(properties.build()));
        let writer = writer.and_then(ArrowWriter::into_serialized_writer);
        Ok(writer.map_err(write_error)?.0)
    }

    fn record_batch(
        &self,
        mut records: Vec<u8>,
        mut labels: Vec<u8>,
    ) -> Result<RecordBatch, ArrowError> {
        let (count, size) = (records.len() / self.record_size, self.element_type.size());
        match self.has_strings() {
            true => wide::reverse_each(&mut records, size),
            false => swap(&mut records, size),
        }
        swap(&mut labels, self.label_type.map_or(1, ElementType::size));
        let columns = self.schema.fields().iter().zip([records, labels]);
        let arrays = columns.map(|(field, bytes)| array(field.data_type(), count, bytes));
        RecordBatch::try_new(Arc::clone(&self.schema), arrays.collect::<Result<_, _>>()?)
    }

    /// Encodes the columns of a row group, a few records at a time.
    fn encode(
        &self,
        group: &RecordBatch,
        factory: &ArrowRowGroupWriterFactory,
    ) -> Result<Vec<ArrowColumnChunk>, ParquetError> {
        // The index of the row group would matter only for encryption.
        let mut writers = factory.create_column_writers(0)?;
        let (count, few) = (group.num_rows(), self.records_in(BATCH_BYTES, BATCH_RECORDS));
        for start in (0..count).step_by(few) {
            let columns = self.schema.fields().iter().zip(group.columns());
            for ((field, column), writer) in columns.zip(&mut writers) {
                let some = slice(column, start, few.min(count - start))?;
                compute_leaves(field, &some)?.iter().try_for_each(|leaf| writer.write(leaf))?;
            }
        }
        writers.into_iter().map(ArrowColumnWriter::close).collect()
    }
}

/// Files, each with its number of records.
type Files = Box<dyn Iterator<Item = (PathBuf, u64)> + Send>;

/// Starts a folder, and returns its files. Their names tell how many there are. The last one takes all remaining
/// records.
fn shards(
    path: &Path,
    shards: NonZeroU64,
    records: Option<u64>,
) -> Result<(AtomicFolder, Files), Error> {
    let message = "records can be divided among files only if their number is known in advance; convert them to IDX \
                   first";
    let records = records.ok_or_else(|| ErrorKind::unsupported(message))?;
    if shards.get() > records.max(1) {
        let message = format!(
            "the number of records is {records}, which does not fill {shards} files; write fewer files"
        );
        return Err(ErrorKind::mismatch(message).into());
    }
    let folder = AtomicFolder::create(path)?;
    let place = folder.join("");
    let files = (0..shards.get()).map(move |number| {
        let room = match number + 1 == shards.get() {
            true => u64::MAX,
            false => records / shards + u64::from(number < records % shards),
        };
        (place.join(format!("part-{number:05}-of-{shards:05}.parquet")), room)
    });
    Ok((folder, Box::new(files)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{ClassNames, RecordLayout};

    #[test]
    fn a_row_group_ends_by_records_or_by_bytes() {
        let max = |dims: &[u32]| {
            let facts = Facts::new(RecordLayout::new(ElementType::I16, dims), None);
            let options = CreateOptions::default();
            WrittenColumns::new(&facts, &options).unwrap().group_records
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
        let facts = Facts::new(RecordLayout::new(ElementType::U8, &[0]), Some(3));
        let options = CreateOptions::new().shards(NonZeroU64::new(3));
        // And with fewer records there are as many shards.
        for count in [5, 1] {
            let path = folder.path().join(count.to_string());
            let mut sink = ParquetSink::create(&path, &facts, &options).unwrap();
            for number in 0..count {
                sink.push(&Record::new(vec![number], None), 1).unwrap();
            }
            Box::new(sink).stage().unwrap().unwrap().commit().unwrap();
            assert_eq!(fs::read_dir(&path).unwrap().count(), 3);
        }
    }

    /// Other programs look for the column that the names belong to.
    #[test]
    fn without_labels_there_are_no_classes() {
        let classes = ClassNames::new(["ant", "bee"]).unwrap();
        for has_labels in [true, false] {
            let facts = Facts {
                has_labels,
                label_type: Some(ElementType::U8),
                classes: Some(classes.clone()),
                ..Facts::new(RecordLayout::new(ElementType::U8, &[0]), None)
            };
            let columns = WrittenColumns::new(&facts, &CreateOptions::new()).unwrap();
            assert_eq!(columns.schema.fields().len(), 1 + usize::from(has_labels));
            assert_eq!(columns.features.is_some(), has_labels);
        }
    }
}
