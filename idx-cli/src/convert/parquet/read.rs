use std::fs::File;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use idx_std::{ElementType, NumberType};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;

use super::columns::{Held, LABEL, RECORD, RecordColumn, number_type};
use super::values;
use crate::convert::layout::Layout;
use crate::convert::sink::temporary;
use crate::convert::source::{ReadOptions, Record, Source, stop};
use crate::term::failure::Failure as Stop;

/// About so many bytes of records are decoded at a time.
const BATCH_BYTES: u64 = 1024 * 1024;

/// No more records than these, however small they are.
const BATCH_RECORDS: u64 = 8192;

// The words of the library may hold some of the file, which is not for terminals.
const DAMAGED: &str = "the file is damaged or cut, or has what is not read here; copy it again, or \
                       write it anew";

/// A file of Parquet, of any program.
pub(crate) struct Parquet {
    path: PathBuf,
    /// What was read from what is no regular file.
    spooled: Option<File>,
    layout: Layout,
    held: Held,
    label_type: Option<NumberType>,
    /// The places of the columns.
    record: usize,
    label: Option<usize>,
    count: u64,
    /// Opened with the first record: of many shards, one file is open at a time.
    reader: Option<ParquetRecordBatchReader>,
    batch: Batch,
    /// The records that were given.
    given: u64,
}

/// Records that were decoded, big-endian, and how many of them were given.
#[derive(Default)]
struct Batch {
    records: Vec<u8>,
    labels: Vec<u8>,
    count: usize,
    given: usize,
}

impl Parquet {
    pub(crate) fn open(
        path: &Path,
        mut read: Box<dyn Read>,
        options: &ReadOptions<'_>,
    ) -> Result<Box<dyn Source>, Stop> {
        let spooled = if path.is_file() {
            None
        } else {
            // The columns are told at the end of the file.
            let mut file = tempfile::tempfile().map_err(temporary)?;
            io::copy(&mut read, &mut file).map_err(|error| stop(path, error))?;
            Some(file)
        };
        let (file, metadata) = load(path, spooled.as_ref())?;
        let size = file.metadata().map_err(|error| stop(path, error))?.len();
        let wrong = |message: &str| Stop::file(path, message);
        let (record, label) = columns(metadata.schema()).map_err(|message| wrong(&message))?;
        let label = label.filter(|_| options.labels);
        let column = RecordColumn::of(metadata.schema().field(record)).map_err(wrong)?;
        let label_type = label
            .map(|label| label_type(metadata.schema().field(label).data_type()))
            .transpose()
            .map_err(wrong)?;
        let held = column.held;
        let groups = groups(&metadata, record, size).map_err(wrong)?;
        if let Some(label) = label {
            self::groups(&metadata, label, size).map_err(wrong)?;
        }
        let count = sum(groups.iter().map(|group| group.records)).map_err(wrong)?;
        let layout = layout(column, &groups, options).map_err(|message| wrong(&message))?;
        Ok(Box::new(Self {
            path: path.to_path_buf(),
            spooled,
            layout,
            held,
            label_type,
            record,
            label,
            count,
            reader: None,
            batch: Batch::default(),
            given: 0,
        }))
    }

    fn stop(&self, message: impl Into<String>) -> Stop {
        Stop::file(&self.path, message)
    }

    fn open_reader(&self) -> Result<ParquetRecordBatchReader, Stop> {
        let (file, metadata) = load(&self.path, self.spooled.as_ref())?;
        let size = self.layout.record_size().unwrap_or(u64::MAX).max(1);
        let records = (BATCH_BYTES / size).clamp(1, BATCH_RECORDS);
        let roots = [self.record].into_iter().chain(self.label);
        let built = guarded(|| {
            let mask = ProjectionMask::roots(metadata.parquet_schema(), roots);
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
                .with_projection(mask)
                .with_batch_size(usize::try_from(records)?)
                .build()
        });
        built.map_err(|error| failed(&self.path, error))
    }

    fn next_batch(&mut self) -> Result<bool, Stop> {
        let mut reader = match self.reader.take() {
            Some(reader) => reader,
            None => self.open_reader()?,
        };
        let batch = guarded(|| Ok(reader.next().transpose()?));
        let batch = batch.map_err(|error| failed(&self.path, error))?;
        self.reader = Some(reader);
        let Some(batch) = batch else {
            return Ok(false);
        };
        self.decode(&batch).map_err(|message| self.stop(message))?;
        Ok(true)
    }

    fn decode(&mut self, batch: &RecordBatch) -> Result<(), String> {
        let is_label_first = self.label.is_some_and(|label| label < self.record);
        let column = |place: bool| batch.columns().get(usize::from(place)).ok_or(DAMAGED);
        let at = |place: usize| format!("record {}", self.given + place as u64);
        let Batch {
            records, labels, ..
        } = &mut self.batch;
        records.clear();
        labels.clear();
        values::append_records(
            column(is_label_first)?,
            self.held,
            &self.layout,
            records,
            at,
        )?;
        if self.label.is_some() {
            let label_of = |place| format!("the label of {}", at(place));
            values::append_numbers(column(!is_label_first)?, labels, label_of)?;
        }
        self.batch.count = batch.num_rows();
        self.batch.given = 0;
        Ok(())
    }
}

impl Source for Parquet {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        Some(self.count)
    }

    fn has_labels(&self) -> bool {
        self.label.is_some()
    }

    fn label_type(&self) -> Option<ElementType> {
        self.label_type.and_then(NumberType::element_type)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Stop> {
        while self.batch.given == self.batch.count {
            if !self.next_batch()? {
                self.reader = None;
                return match self.given == self.count {
                    true => Ok(false),
                    false => Err(self.stop(format!(
                        "there are {} records, and the file says {}; copy it again",
                        self.given, self.count
                    ))),
                };
            }
        }
        let given = self.batch.given;
        let size = self.layout.record_size().map(usize::try_from);
        let size = size
            .and_then(Result::ok)
            .ok_or_else(|| self.stop(DAMAGED))?;
        let bytes = nth(&self.batch.records, given, size);
        record.bytes.clear();
        record
            .bytes
            .extend_from_slice(bytes.ok_or_else(|| self.stop(DAMAGED))?);
        if let Some(number_type) = self.label_type {
            let label = nth(&self.batch.labels, given, number_type.size());
            let label = label.and_then(|label| number_type.value(label)?.to_integer());
            record.label = Some(label.ok_or_else(|| self.stop(DAMAGED))?);
        }
        self.batch.given += 1;
        self.given += 1;
        Ok(true)
    }
}

/// One of many things of the same size.
fn nth(bytes: &[u8], place: usize, size: usize) -> Option<&[u8]> {
    let start = place.checked_mul(size)?;
    bytes.get(start..start.checked_add(size)?)
}

/// The file, and what is told at its end.
fn load(path: &Path, spooled: Option<&File>) -> Result<(File, ArrowReaderMetadata), Stop> {
    let file = match spooled {
        Some(file) => file.try_clone(),
        None => File::open(path),
    };
    let file = file.map_err(|error| stop(path, error))?;
    let metadata = guarded(|| ArrowReaderMetadata::load(&file, ArrowReaderOptions::new()));
    let metadata = metadata.map_err(|error| failed(path, error))?;
    Ok((file, metadata))
}

/// Runs what decodes a file. The library panics at some damage, such as a negative offset, and says
/// so on the error stream; here that is an error, too.
fn guarded<T>(decode: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode));
    panic::set_hook(hook);
    decoded.unwrap_or_else(|_| Err(ParquetError::General(DAMAGED.to_string())))
}

fn failed(path: &Path, error: ParquetError) -> Stop {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            // Of the system, and not of a decompressor.
            Ok(error) if error.raw_os_error().is_some() => stop(path, *error),
            _ => Stop::file(path, DAMAGED),
        },
        _ => Stop::file(path, DAMAGED),
    }
}

/// The places of the records, and of the labels if there are some.
fn columns(schema: &Schema) -> Result<(usize, Option<usize>), String> {
    let fields = schema.fields();
    let place = |name: &str| {
        let mut fields = fields.iter();
        fields.position(|field| field.name().eq_ignore_ascii_case(name))
    };
    let label = place(LABEL);
    let mut others = (0..fields.len()).filter(|place| Some(*place) != label);
    match (place(RECORD), others.next(), others.next()) {
        (Some(record), _, _) | (None, Some(record), None) => Ok((record, label)),
        _ => Err(format!(
            "of {} columns none is named `{RECORD}`; leave one beside `{LABEL}`, or name it so",
            fields.len()
        )),
    }
}

fn label_type(data_type: &DataType) -> Result<NumberType, &'static str> {
    match number_type(data_type) {
        None | Some(NumberType::Element(ElementType::F32 | ElementType::F64)) => {
            Err("the labels are no integers; write them as such")
        }
        Some(integer) => Ok(integer),
    }
}

/// How many records and numbers a row group has.
struct Group {
    records: u64,
    values: u64,
}

/// What the row groups promise of a column, if the file can have so much.
fn groups(
    metadata: &ArrowReaderMetadata,
    column: usize,
    file_size: u64,
) -> Result<Vec<Group>, &'static str> {
    let schema = metadata.parquet_schema();
    let leaves = 0..schema.num_columns();
    let mut leaves = leaves.filter(|leaf| schema.get_column_root_idx(*leaf) == column);
    let leaf = leaves.next().ok_or(DAMAGED)?;
    let groups = metadata.metadata().row_groups().iter().map(|group| {
        let chunk = group.columns().get(leaf).ok_or(DAMAGED)?;
        let is_there = u64::try_from(chunk.compressed_size()).is_ok_and(|size| size <= file_size);
        match chunk.compression() {
            _ if !is_there => return Err(DAMAGED),
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_) => {}
            _ => {
                return Err(
                    "the columns are compressed by what is not read here; write them with zstd or \
                     snappy",
                );
            }
        }
        Ok(Group {
            records: u64::try_from(group.num_rows()).map_err(|_| DAMAGED)?,
            values: u64::try_from(chunk.num_values()).map_err(|_| DAMAGED)?,
        })
    });
    groups.collect()
}

fn sum(mut numbers: impl Iterator<Item = u64>) -> Result<u64, &'static str> {
    numbers.try_fold(0, u64::checked_add).ok_or(DAMAGED)
}

/// The layout of the records, which all groups have to agree with.
fn layout(
    column: RecordColumn,
    groups: &[Group],
    options: &ReadOptions<'_>,
) -> Result<Layout, String> {
    let records = sum(groups.iter().map(|group| group.records))?;
    let values = sum(groups.iter().map(|group| group.values))?;
    let length = (column.held == Held::Lists).then(|| values.checked_div(records));
    let shape = match (column.shape, length.flatten(), options.shape) {
        (Some(shape), _, _) => shape,
        (None, Some(length), _) => vec![u32::try_from(length).map_err(|_| DAMAGED)?],
        (None, None, Some(shape)) => shape.0.clone(),
        (None, None, None) => {
            return Err(
                "the file does not say how long its records are; give their sizes with --shape"
                    .to_string(),
            );
        }
    };
    let layout = Layout {
        number_type: column.number_type,
        record_shape: (!column.is_scalar).then_some(shape),
    };
    let each = match column.held {
        Held::Lists => layout.numbers(),
        Held::Bytes | Held::Numbers => Some(1),
    };
    let agrees =
        |group: &Group| each.and_then(|each| each.checked_mul(group.records)) == Some(group.values);
    if !groups.iter().all(agrees) {
        return Err(format!(
            "{records} records have {values} numbers, which are not {} each; IDX has records of one \
             shape",
            layout.shape()
        ));
    }
    Ok(layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_library_is_an_error() {
        let decoded = guarded::<()>(|| panic!("a negative offset"));
        assert!(matches!(decoded, Err(ParquetError::General(_))));
        assert_eq!(guarded(|| Ok(7)).unwrap(), 7);
    }
}
