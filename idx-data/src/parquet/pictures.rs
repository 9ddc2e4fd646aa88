use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use arrow_array::Array;
use arrow_array::cast::AsArray;

use super::arrays::byte_strings;
use super::file::damaged;
use super::read::Rows;
use super::schema::FILE;
use crate::error::{At, Error, ErrorKind};
use crate::options::OpenOptions;
use crate::pictures::{PictureFile, PictureReader};
use crate::record::{Record, RecordFacts, RecordSource, Skipped};

/// The files of pictures to read at a time.
pub(super) const BATCH_FILES: usize = 64;

/// A Parquet file with a column of files of pictures, as Hugging Face publishes data sets.
pub(super) struct PicturesColumn {
    path: PathBuf,
    facts: RecordFacts,
    reader: PictureReader,
    files: Files,
    returned: u64,
}

/// A file, its index, and its label.
struct IndexedFile {
    index: u64,
    label: Option<i128>,
    bytes: Vec<u8>,
}

impl PictureFile for IndexedFile {
    fn bytes(&self) -> Result<Cow<'_, [u8]>, ErrorKind> {
        Ok(Cow::Borrowed(&self.bytes))
    }

    fn error(&self, error: ErrorKind, input: &Path) -> Error {
        Error::from(in_record(error, self.index)).with_path(input)
    }
}

impl PicturesColumn {
    pub(super) fn open(
        path: &Path,
        rows: Rows,
        facts: RecordFacts,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let mut files = Files { rows, read: VecDeque::new() };
        if !files.read_batch().at(path)? {
            let message = "there are no pictures in this file; choose one that has some";
            return Err(ErrorKind::malformed(message)).at(path);
        }
        let reader = PictureReader::new(path, files.read.make_contiguous(), options)?;
        let count = facts.count.filter(|_| !options.pictures.skip_damaged);
        let layout = reader.layout(count);
        Ok(Self {
            path: path.to_path_buf(),
            facts: RecordFacts { layout, count, are_pictures: true, ..facts },
            reader,
            files,
            returned: 0,
        })
    }
}

impl RecordSource for PicturesColumn {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.reader.skipped.iter().collect()
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        while self.files.read_some().at(&self.path)? {
            let pixels = self.reader.next(self.files.read.make_contiguous())?;
            let file = self.files.read.pop_front();
            if let (Some(pixels), Some(file)) = (pixels, file) {
                record.bytes = pixels;
                record.label = file.label;
                self.returned += 1;
                return Ok(true);
            }
        }
        match self.count() {
            Some(count) if count != self.returned => Err(damaged()).at(&self.path),
            _ => Ok(false),
        }
    }
}

/// The files of the pictures, with their labels.
struct Files {
    rows: Rows,
    /// Those that were not returned yet.
    read: VecDeque<IndexedFile>,
}

impl Files {
    /// Reads some more files if all were returned; `false` if there are no more.
    fn read_some(&mut self) -> Result<bool, ErrorKind> {
        while self.read.is_empty() {
            if !self.read_batch()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads some more files; `false` if there are no more.
    fn read_batch(&mut self) -> Result<bool, ErrorKind> {
        let Some(batch) = self.rows.next()? else {
            return Ok(false);
        };
        let pictures = batch.arrays.first().and_then(|array| array.as_struct_opt());
        let pictures = pictures.ok_or_else(damaged)?;
        let files = pictures.column_by_name(FILE).ok_or_else(damaged)?;
        let mut files = byte_strings(files.as_ref());
        for (row, index) in (0..batch.count).zip(batch.first..) {
            let bytes = files.next().flatten().filter(|_| pictures.is_valid(row));
            let bytes = bytes.ok_or_else(|| {
                let message = "the record has no file of a picture; remove it, or write it again";
                in_record(ErrorKind::malformed(message), index)
            })?;
            let label = batch.labels.get(row).copied();
            self.read.push_back(IndexedFile { index, label, bytes: bytes.to_vec() });
        }
        Ok(true)
    }
}

/// The same error, which says that it is in this record.
fn in_record(mut error: ErrorKind, index: u64) -> ErrorKind {
    if let ErrorKind::Invalid(invalid) = &mut error {
        invalid.position = Some(index.into());
    }
    error
}
