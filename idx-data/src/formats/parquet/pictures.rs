//! Columns of encoded pictures: their bytes, alone or with a path as Hugging Face publishes them.

use std::path::Path;

use arrow_array::Array;
use arrow_array::cast::AsArray;

use crate::error::{At, Error, ErrorKind};
use crate::formats::parquet::arrays::byte_strings;
use crate::formats::parquet::file::damaged;
use crate::formats::parquet::read::Rows;
use crate::formats::parquet::schema::FILE;
use crate::formats::pictures::{LabeledFile, PicturesSource};
use crate::record::Facts;
use crate::record::options::OpenOptions;

/// Opens the pictures in a column of these rows.
pub(super) fn open(
    path: &Path,
    mut rows: Rows,
    facts: Facts,
    options: &OpenOptions,
) -> Result<PicturesSource, Error> {
    let files = read_files(path, &mut rows)?;
    if files.is_empty() {
        let message = "there are no pictures in this file; choose one that has some";
        return Err(ErrorKind::malformed(message).into());
    }
    let own = path.to_path_buf();
    let more = Box::new(move || read_files(&own, &mut rows).at(&own));
    PicturesSource::new(path, files, Some(more), facts, options)
}

/// Reads some more pictures of the column; none after the last one.
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
            let message = "the record has no picture file; remove it, or write it again";
            ErrorKind::malformed(message).at_position(index)
        })?;
        let (content, index) = (Some(bytes.to_vec()), Some(index));
        let file = LabeledFile::new(path.to_path_buf(), labels.get(row).copied());
        Ok(LabeledFile { content, index, ..file })
    };
    (0..batch.num_rows()).zip(first..).map(file).collect()
}
