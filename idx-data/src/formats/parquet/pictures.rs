//! Columns of encoded pictures: their bytes, alone or with a path as Hugging Face publishes them.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use arrow_array::Array;
use arrow_array::cast::AsArray;

use crate::error::{At, Error, ErrorKind};
use crate::formats::parquet::arrays::byte_strings;
use crate::formats::parquet::file::damaged;
use crate::formats::parquet::read::Rows;
use crate::formats::parquet::schema::FILE;
use crate::formats::pictures::{LabeledFile, PictureReader};
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordSource, Skipped};

/// A Parquet file with a column of files of pictures.
pub(super) struct PicturesColumn {
    path: PathBuf,
    facts: Facts,
    reader: PictureReader,
    rows: Rows,
    /// The files that were read, and not returned yet.
    files: VecDeque<LabeledFile>,
}

impl PicturesColumn {
    pub(super) fn open(
        path: &Path,
        mut rows: Rows,
        facts: Facts,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let mut files = VecDeque::from(read_files(path, &mut rows)?);
        if files.is_empty() {
            let message = "there are no pictures in this file; choose one that has some";
            return Err(ErrorKind::malformed(message).into());
        }
        let reader = PictureReader::new(path, files.make_contiguous(), options)?;
        let facts = reader.facts(facts);
        Ok(Self { path: path.to_path_buf(), facts, reader, rows, files })
    }
}

/// Reads some more files of the column of this one; none after the last one.
fn read_files(path: &Path, rows: &mut Rows) -> Result<Vec<LabeledFile>, Error> {
    let Some((first, batch, labels)) = rows.next()? else {
        return Ok(Vec::new());
    };
    let pictures = batch.columns().first().ok_or_else(damaged)?;
    let mut files = byte_strings(match pictures.as_struct_opt() {
        Some(fields) => fields.column_by_name(FILE).ok_or_else(damaged)?,
        None => pictures,
    });
    let file = |(row, index): (usize, u64)| {
        let bytes = files.next().flatten().filter(|_| pictures.is_valid(row));
        let bytes = bytes.ok_or_else(|| {
            let message = "the record has no file of a picture; remove it, or write it again";
            ErrorKind::malformed(message).at_position(index)
        })?;
        let (content, index) = (Some(bytes.to_vec()), Some(index));
        let file = LabeledFile::new(path.to_path_buf(), labels.get(row).copied());
        Ok(LabeledFile { content, index, ..file })
    };
    (0..batch.num_rows()).zip(first..).map(file).collect()
}

impl RecordSource for PicturesColumn {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.reader.skipped.iter().collect()
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        loop {
            if self.files.is_empty() {
                self.files = read_files(&self.path, &mut self.rows).at(&self.path)?.into();
            }
            let pixels = self.reader.next(self.files.make_contiguous())?;
            match (pixels, self.files.pop_front()) {
                (_, None) => return Ok(false),
                (None, Some(_)) => record.left_out += 1,
                (Some(bytes), Some(file)) => {
                    (record.bytes, record.label) = (bytes, file.label);
                    return Ok(true);
                }
            }
        }
    }
}
