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
use crate::pictures::{Picture, PictureReader, expect_shape};
use crate::record::{Record, RecordFacts, RecordSource, Skipped};
use crate::threads::Ahead;

/// The files of pictures to read at a time.
pub(super) const BATCH_FILES: usize = 64;

/// A Parquet file with a column of files of pictures, as Hugging Face publishes data sets.
pub(super) struct PicturesColumn {
    path: PathBuf,
    facts: RecordFacts,
    reader: PictureReader,
    files: Files,
    pictures: Ahead<Result<Picture, ErrorKind>>,
    skipped: Vec<Skipped>,
    returned: u64,
}

/// A file, its index, and its label.
struct PictureFile {
    index: u64,
    label: Option<i128>,
    bytes: Vec<u8>,
}

impl PicturesColumn {
    pub(super) fn open(
        path: &Path,
        rows: Rows,
        facts: RecordFacts,
        options: &OpenOptions,
    ) -> Result<Self, ErrorKind> {
        let mut reader = PictureReader::new(options)?;
        let mut files = Files { rows, read: VecDeque::new() };
        let first = files.first(&reader)?;
        let count = facts.count.filter(|_| !options.pictures.skip_damaged);
        let layout = reader.layout(&first, count);
        Ok(Self {
            path: path.to_path_buf(),
            facts: RecordFacts { layout, count, are_pictures: true, ..facts },
            reader,
            files,
            pictures: Ahead::new(options.threads),
            skipped: Vec::new(),
            returned: 0,
        })
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, ErrorKind> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        while self.files.read_some()? {
            let picture = self.pictures.next(
                self.files.read.make_contiguous(),
                |file| self.reader.start(&file.bytes[..]),
                |started| self.reader.finish(started),
            );
            let (Some(picture), Some(file)) = (picture, self.files.read.pop_front()) else {
                break;
            };
            let picture = picture
                .and_then(|picture| expect_shape(picture, &self.path, &self.facts.layout))
                .map_err(|error| in_record(error, file.index));
            match picture {
                Ok(picture) => {
                    record.bytes = picture.pixels;
                    record.label = file.label;
                    self.returned += 1;
                    return Ok(true);
                }
                Err(error) if self.reader.skips(&error) => {
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
    rows: Rows,
    /// Those that were not returned yet.
    read: VecDeque<PictureFile>,
}

impl Files {
    /// The first picture that can be read; its file is still returned after it.
    fn first(&mut self, reader: &PictureReader) -> Result<Picture, ErrorKind> {
        if !self.read_batch()? {
            let message = "there are no pictures in this file; choose one that has some";
            return Err(ErrorKind::malformed(message));
        }
        for file in &self.read {
            match reader.read(&file.bytes[..]) {
                Ok(picture) => return Ok(picture),
                Err(error) if reader.skips(&error) => {}
                Err(error) => return Err(in_record(error, file.index)),
            }
        }
        Err(ErrorKind::malformed(format!(
            "none of the first {} pictures can be read; see why without skipping them",
            self.read.len()
        )))
    }

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
            self.read.push_back(PictureFile { index, label, bytes: bytes.to_vec() });
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
