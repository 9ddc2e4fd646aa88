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
    rows: Rows,
    /// The files that were read and are still to be decoded, and the index of the first one.
    files: VecDeque<Record>,
    next: u64,
    pictures: Ahead<Result<Picture, ErrorKind>>,
    skipped: Vec<Skipped>,
}

impl PicturesColumn {
    pub(super) fn open(
        path: &Path,
        rows: Rows,
        facts: RecordFacts,
        options: &OpenOptions,
    ) -> Result<Self, ErrorKind> {
        let count = facts.count.filter(|_| !options.pictures.skip_damaged);
        let mut column = Self {
            path: path.to_path_buf(),
            facts: RecordFacts { count, are_pictures: true, ..facts },
            reader: PictureReader::new(options)?,
            rows,
            files: VecDeque::new(),
            next: 0,
            pictures: Ahead::new(options.threads),
            skipped: Vec::new(),
        };
        let first = column.first()?;
        column.facts.layout = column.reader.layout(&first, count);
        Ok(column)
    }

    /// The first picture that can be read; its file is still returned after it.
    fn first(&mut self) -> Result<Picture, ErrorKind> {
        if !self.read_files()? {
            let message = "there are no pictures in this file; choose one that has some";
            return Err(ErrorKind::malformed(message));
        }
        for (index, file) in (0..).zip(&self.files) {
            match self.reader.read(&file.bytes[..]) {
                Err(error) if self.reader.skips(&error) => {}
                picture => return picture.map_err(|error| in_record(error, index)),
            }
        }
        Err(ErrorKind::malformed(format!(
            "none of the first {} pictures can be read; see why without skipping them",
            self.files.len()
        )))
    }

    /// Reads some more files; `false` if there are no more.
    fn read_files(&mut self) -> Result<bool, ErrorKind> {
        let Some((first, batch, labels)) = self.rows.next()? else {
            return Ok(false);
        };
        let pictures = batch.columns().first().and_then(|array| array.as_struct_opt());
        let pictures = pictures.ok_or_else(damaged)?;
        let files = pictures.column_by_name(FILE).ok_or_else(damaged)?;
        let mut files = byte_strings(files);
        for (row, index) in (0..batch.num_rows()).zip(first..) {
            let bytes = files.next().flatten().filter(|_| pictures.is_valid(row));
            let bytes = bytes.ok_or_else(|| {
                let message = "the record has no file of a picture; remove it, or write it again";
                in_record(ErrorKind::malformed(message), index)
            })?;
            let label = labels.get(row).copied();
            self.files.push_back(Record { bytes: bytes.to_vec(), label });
        }
        Ok(true)
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, ErrorKind> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        while !self.files.is_empty() || self.read_files()? {
            let picture = self.pictures.next(
                self.files.make_contiguous(),
                |file| self.reader.start(&file.bytes[..]),
                |started| self.reader.finish(started),
            );
            let (Some(picture), Some(file)) = (picture, self.files.pop_front()) else {
                break;
            };
            let index = self.next;
            self.next += 1;
            let picture = picture
                .and_then(|picture| expect_shape(picture, &self.path, &self.facts.layout))
                .map_err(|error| in_record(error, index));
            match picture {
                Ok(picture) => {
                    *record = Record { bytes: picture.pixels, label: file.label };
                    return Ok(true);
                }
                Err(error) if self.reader.skips(&error) => {
                    let skipped = Skipped::new(self.path.clone(), error.to_string());
                    self.skipped.push(skipped);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(false)
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

/// The same error, which says that it is in this record.
fn in_record(mut error: ErrorKind, index: u64) -> ErrorKind {
    if let ErrorKind::Invalid(invalid) = &mut error {
        invalid.position = Some(index.into());
    }
    error
}
