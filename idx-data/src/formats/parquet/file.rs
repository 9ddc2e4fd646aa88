//! A Parquet file: its footer, and its records in batches.

use std::fmt::Display;
use std::fs::File;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch, UInt8Array};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema};
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_schema};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;

use crate::error::ErrorKind;

pub(super) struct ParquetFile {
    file: File,
    /// The metadata with the types of Parquet, which has one kind each of lists, texts and bytes where Arrow has
    /// several.
    metadata: ArrowReaderMetadata,
    /// The columns with their Arrow types and metadata.
    pub(super) schema: Schema,
}

impl ParquetFile {
    pub(super) fn new(file: File) -> Result<Self, ErrorKind> {
        let (metadata, schema) = decode(|| {
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            let stored = ArrowReaderMetadata::load(&file, options.clone())?;
            let columns: Fields = stored.schema().fields().iter().map(in_views).collect();
            let options = options.with_schema(Arc::new(Schema::new(columns)));
            let metadata = ArrowReaderMetadata::try_new(Arc::clone(stored.metadata()), options)?;
            let description = metadata.metadata().file_metadata().key_value_metadata();
            let schema = parquet_to_arrow_schema(metadata.parquet_schema(), description)?;
            Ok::<_, ParquetError>((metadata, schema))
        })?;
        let fields: Fields = schema.fields().iter().map(in_numbers).collect();
        let schema = Schema::new_with_metadata(fields, schema.metadata);
        Ok(Self { file, metadata, schema })
    }

    /// Returns the type of this column in the batches, or that of the times that its numbers stand for.
    pub(super) fn data_type(&self, column: usize) -> &DataType {
        let described = self.schema.field(column).data_type();
        match self.metadata.schema().field(column).data_type() {
            DataType::Boolean => &DataType::UInt8,
            // Parquet has no type for durations and stores numbers, which only Arrow's description tells apart.
            _ if described.is_temporal() => described,
            other => other,
        }
    }

    /// Returns how many records, and numbers in these columns, the file claims to have. Returns an error if it cannot
    /// have so many, or if they cannot be read.
    pub(super) fn counts(&self, columns: &[usize]) -> Result<(u64, u64), ErrorKind> {
        let size = self.file.metadata()?.len();
        let schema = self.metadata.parquet_schema();
        let (mut records, mut numbers) = (0_u64, 0_u64);
        for group in self.metadata.metadata().row_groups() {
            let chunks = group.columns().iter().enumerate();
            for (leaf, chunk) in chunks {
                if columns.contains(&schema.get_column_root_idx(leaf)) {
                    expect_readable(chunk, size)?;
                    numbers = sum(numbers, chunk.num_values())?;
                }
            }
            records = sum(records, group.num_rows())?;
        }
        Ok((records, numbers))
    }

    /// Returns these columns of all records, in batches of `records`. The columns keep the order of the file.
    pub(super) fn batches(&self, columns: &[usize], records: usize) -> Result<Batches, ErrorKind> {
        let file = self.file.try_clone()?;
        let metadata = self.metadata.clone();
        let reader = decode(|| {
            let mask = ProjectionMask::roots(metadata.parquet_schema(), columns.iter().copied());
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
            builder.with_projection(mask).with_batch_size(records).build()
        })?;
        Ok(Batches(Some(reader)))
    }
}

/// Batches of records. There is nothing after the last one, or after an error.
pub(super) struct Batches(Option<ParquetRecordBatchReader>);

impl Batches {
    /// Returns the next records; `None` after the last one.
    pub(super) fn next(&mut self) -> Result<Option<RecordBatch>, ErrorKind> {
        let Some(mut reader) = self.0.take() else {
            return Ok(None);
        };
        let batch = decode(|| reader.next().transpose())?;
        self.0 = batch.is_some().then_some(reader);
        batch.map(with_numbers).transpose()
    }
}

/// Returns the field with numbers instead of booleans: 1 is true, as in NumPy.
fn in_numbers(column: &FieldRef) -> Field {
    let column = column.as_ref().clone();
    match column.data_type() {
        DataType::Boolean => column.with_data_type(DataType::UInt8),
        _ => column,
    }
}

/// Returns the records with numbers instead of booleans.
fn with_numbers(batch: RecordBatch) -> Result<RecordBatch, ErrorKind> {
    let schema = batch.schema();
    if !schema.fields().iter().any(|field| *field.data_type() == DataType::Boolean) {
        return Ok(batch);
    }
    let numbers = |column: &ArrayRef| match column.as_boolean_opt() {
        Some(values) => {
            let numbers = values.iter().map(|value| value.map(u8::from));
            Arc::new(numbers.collect::<UInt8Array>())
        }
        None => Arc::clone(column),
    };
    let columns = batch.columns().iter().map(numbers).collect();
    let schema = Schema::new(schema.fields().iter().map(in_numbers).collect::<Fields>());
    RecordBatch::try_new(Arc::new(schema), columns).map_err(|_| damaged())
}

/// Returns the column with texts and bytes as views: a file of a few hundred bytes can have a long text in every
/// record.
fn in_views(column: &FieldRef) -> Field {
    let data_type = match column.data_type() {
        DataType::Utf8 => DataType::Utf8View,
        DataType::Binary => DataType::BinaryView,
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(in_views).collect()),
        other => other.clone(),
    };
    column.as_ref().clone().with_data_type(data_type)
}

/// Checks that a column of a row group is within the file, and that its compression is supported.
fn expect_readable(chunk: &ColumnChunkMetaData, file_size: u64) -> Result<(), ErrorKind> {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let parts = [start, chunk.data_page_offset(), chunk.compressed_size()].map(u64::try_from);
    let [Ok(start), Ok(_), Ok(size)] = parts else {
        return Err(damaged());
    };
    if start.checked_add(size).is_none_or(|end| end > file_size) {
        return Err(damaged());
    }
    match chunk.compression() {
        Compression::UNCOMPRESSED
        | Compression::SNAPPY
        | Compression::GZIP(_)
        | Compression::ZSTD(_) => Ok(()),
        _ => {
            let message =
                "this compression of the columns is not supported; use zstd, snappy or gzip";
            Err(ErrorKind::unsupported(message))
        }
    }
}

fn sum(sum: u64, count: i64) -> Result<u64, ErrorKind> {
    u64::try_from(count).ok().and_then(|count| sum.checked_add(count)).ok_or_else(damaged)
}

/// Runs a function of the library, which panics on some damaged files. A panic becomes the error of a damaged file; the
/// panic hook of the program reports it, too.
fn decode<T, E: Display>(decode: impl FnOnce() -> Result<T, E>) -> Result<T, ErrorKind> {
    match panic::catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(decoded)) => Ok(decoded),
        Ok(Err(error)) => Err(system_error(&error).map_or_else(damaged, ErrorKind::from)),
        Err(_) => Err(damaged()),
    }
}

/// Returns the I/O error inside an error of the library, which keeps only its text.
fn system_error(error: &impl Display) -> Option<io::Error> {
    let text = error.to_string();
    let (_, code) = text.rsplit_once("(os error ")?;
    Some(io::Error::from_raw_os_error(code.strip_suffix(')')?.parse().ok()?))
}

/// Returns the error of a damaged file. The message of the library is not used: it may quote the file, whose bytes must
/// not reach a terminal.
pub(super) fn damaged() -> ErrorKind {
    ErrorKind::malformed(
        "the file is corrupt, truncated, or uses an unsupported feature; copy or rewrite it",
    )
}

/// Returns the I/O error inside an error of the library. Its kind identifies a full disk.
pub(super) fn write_error(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        other => io::Error::other(other),
    }
}
