use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::Schema;
use idx_core::ElementType;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;

use super::arrays::{append_labels, byte_strings};
use super::columns::Columns;
use super::file::{ParquetFile, damaged};
use super::read::{groups, label_type, nth, sum};
use super::schema::{FILE, LABEL, column_named};
use crate::formats::class_names::ClassNames;
use crate::formats::error::{At, Error, ErrorKind};
use crate::formats::options::{PictureOptions, SourceOptions};
use crate::formats::ordered::Ordered;
use crate::formats::pictures::{Picture, decode_file, expect_shape, is_damage, shape_of_all};
use crate::formats::record::{Record, RecordFacts, RecordLayout, RecordSource, Skipped};
use crate::npy::DType;

/// The files of pictures to read at a time.
const BATCH_FILES: u64 = 64;

/// The key under which Hugging Face stores what the columns mean.
const FEATURES: &str = "huggingface";

/// A Parquet file with a column of files of pictures, as Hugging Face publishes data sets.
pub(super) struct PicturesColumn {
    path: PathBuf,
    facts: RecordFacts,
    options: Arc<PictureOptions>,
    threads: Option<NonZeroUsize>,
    files: Files,
    /// Started with the first picture.
    decoder: Option<Ordered<PictureFile, Decoded>>,
    skipped: Vec<Skipped>,
    returned: u64,
}

/// A file, its index, and its label.
struct PictureFile {
    index: u64,
    label: Option<i128>,
    bytes: Vec<u8>,
}

type Decoded = (u64, Option<i128>, Result<Picture, ErrorKind>);

impl PicturesColumn {
    pub(super) fn open(
        path: &Path,
        (file, metadata): (ParquetFile, ArrowReaderMetadata),
        column: usize,
        options: &SourceOptions,
    ) -> Result<Self, ErrorKind> {
        options.pictures.check()?;
        let schema = Arc::clone(metadata.schema());
        let marked = column_named(&schema, LABEL);
        let label = marked.filter(|_| options.labels.come_with_records());
        let groups = groups(&metadata, column, file.size())?;
        let count = sum(groups.iter().map(|group| group.records))?;
        let label_type = label.map(|label| label_type(&schema, label)).transpose()?;
        let columns = (column, label);
        let mut files = Files {
            columns: Columns::open((file, metadata), columns, BATCH_FILES, options.threads)?,
            is_label_first: label.is_some_and(|label| label < column),
            label_type,
            next: 0,
            read: VecDeque::new(),
        };
        let threads = options.threads;
        let mut options = options.pictures.clone();
        let first = files.first(&options)?;
        let shape = shape_of_all(&first, &mut options);
        let known = (!options.skip_damaged).then_some(count);
        let layout = RecordLayout::of_records(ElementType::U8, known, &shape);
        Ok(Self {
            path: path.to_path_buf(),
            facts: RecordFacts {
                has_labels: label.is_some(),
                leaves_labels: marked.is_some() && label.is_none(),
                label_type: label_type.and_then(DType::element_type),
                classes: classes(&schema).filter(|_| label.is_some()),
                is_adjusted: true,
                ..RecordFacts::new(layout, known)
            },
            options: Arc::new(options),
            threads,
            files,
            decoder: None,
            skipped: Vec::new(),
            returned: 0,
        })
    }

    /// The next picture; `None` after the last one.
    fn decoded(&mut self) -> Result<Option<Decoded>, ErrorKind> {
        let options = &self.options;
        let decoder = self.decoder.get_or_insert_with(|| {
            let options = Arc::clone(options);
            Ordered::new(self.threads, move |file: PictureFile| {
                let picture = decode_file(file.bytes, &options);
                (file.index, file.label, picture)
            })
        });
        while let Some(file) = self.files.next()? {
            if let Some(decoded) = decoder.give(file)? {
                return Ok(Some(decoded));
            }
        }
        Ok(decoder.take()?)
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, ErrorKind> {
        while let Some((index, label, picture)) = self.decoded()? {
            let picture = picture
                .and_then(|picture| expect_shape(picture, &self.path, self.layout()))
                .map_err(|error| in_record(error, index));
            match picture {
                Ok(picture) => {
                    record.bytes = picture.pixels;
                    record.label = label;
                    self.returned += 1;
                    return Ok(true);
                }
                Err(error) if self.options.skip_damaged && is_damage(&error) => {
                    let skipped = Skipped::new(self.path.clone(), error.to_string());
                    self.skipped.push(skipped);
                }
                Err(error) => return Err(error),
            }
        }
        match self.count() {
            Some(count) if count != self.returned => Err(damaged()),
            _ => Ok(false),
        }
    }
}

impl RecordSource for PicturesColumn {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.skipped.iter().collect()
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let read = self.read_record(record);
        read.at(&self.path)
    }
}

/// The files of the pictures, with their labels.
struct Files {
    columns: Columns,
    is_label_first: bool,
    label_type: Option<DType>,
    /// The number of files read.
    next: u64,
    /// Those that were not returned yet.
    read: VecDeque<PictureFile>,
}

impl Files {
    /// The first picture that can be read; its file is still returned by [`next`](Self::next).
    fn first(&mut self, options: &PictureOptions) -> Result<Picture, ErrorKind> {
        if !self.read_batch()? {
            let message = "there are no pictures in this file; choose one that has some";
            return Err(ErrorKind::malformed(message));
        }
        for file in &self.read {
            match decode_file(file.bytes.clone(), options) {
                Ok(picture) => return Ok(picture),
                Err(error) if options.skip_damaged && is_damage(&error) => {}
                Err(error) => return Err(in_record(error, file.index)),
            }
        }
        Err(ErrorKind::malformed(format!(
            "none of the first {} pictures can be read; see why without skipping them",
            self.read.len()
        )))
    }

    fn next(&mut self) -> Result<Option<PictureFile>, ErrorKind> {
        while self.read.is_empty() {
            if !self.read_batch()? {
                return Ok(None);
            }
        }
        Ok(self.read.pop_front())
    }

    /// Reads some more files; `false` if there are no more.
    fn read_batch(&mut self) -> Result<bool, ErrorKind> {
        let Some(batch) = self.columns.next()? else {
            return Ok(false);
        };
        let labels = self.labels(&batch)?;
        let pictures = column(&batch, self.is_label_first)?;
        let files = pictures.as_struct_opt().ok_or_else(damaged)?;
        let files = files.column_by_name(FILE).ok_or_else(damaged)?;
        let mut files = byte_strings(files.as_ref());
        for row in 0..batch.num_rows() {
            let index = self.next;
            let bytes = files.next().flatten().filter(|_| pictures.is_valid(row));
            let bytes = bytes.ok_or_else(|| {
                let message = "the record has no file of a picture; remove it, or write it again";
                in_record(ErrorKind::malformed(message), index)
            })?;
            let label = self.label_type.and_then(|dtype| {
                let label = nth(&labels, row, dtype.size())?;
                dtype.value(label)?.to_integer()
            });
            if label.is_none() && self.label_type.is_some() {
                return Err(damaged());
            }
            self.read.push_back(PictureFile { index, label, bytes: bytes.to_vec() });
            self.next += 1;
        }
        Ok(true)
    }

    /// The labels of some files, big-endian; empty if there are none.
    fn labels(&self, batch: &RecordBatch) -> Result<Vec<u8>, ErrorKind> {
        let mut labels = Vec::new();
        if self.label_type.is_some() {
            append_labels(column(batch, !self.is_label_first)?, self.next, &mut labels)?;
        }
        Ok(labels)
    }
}

/// The same error, which says that it is in this record.
fn in_record(mut error: ErrorKind, index: u64) -> ErrorKind {
    if let ErrorKind::Unsupported { message, .. } | ErrorKind::Mismatch { message, .. } = &mut error
    {
        *message = format!("record {index}: {message}");
    }
    error.at_position(index.into())
}

/// The first or the second of two columns.
fn column(batch: &RecordBatch, is_second: bool) -> Result<&Arc<dyn Array>, ErrorKind> {
    let column = batch.columns().get(usize::from(is_second));
    column.ok_or_else(damaged)
}

/// The names of the labels in the metadata of a file, unless they are the numbers of the labels.
fn classes(schema: &Schema) -> Option<ClassNames> {
    let features = schema.metadata().get(FEATURES)?;
    let features: serde_json::Value = serde_json::from_str(features).ok()?;
    let names = features.pointer("/info/features/label/names")?.as_array()?;
    let names = names.iter().map(|name| Some(name.as_str()?.to_string()));
    let names = ClassNames::new(names.collect::<Option<_>>()?).ok()?;
    names.says_more().then_some(names)
}
