use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use super::error::{At, Error};
use super::folder::{entries, has_extension};
use super::idx::IdxSource;
use super::interrupted::check_interrupted;
use super::joined::JoinedSource;
use super::labels::LabelColumn;
use super::npy::NpySource;
use super::options::SourceOptions;
use super::record::RecordSource;
use crate::npy::MAGIC as NPY_MAGIC;
use crate::read::Reader;

#[cfg(feature = "csv")]
use super::csv::CsvSource;
#[cfg(feature = "parquet")]
use super::parquet::ParquetSource;
#[cfg(feature = "pictures")]
use super::pictures::{AdjustedSource, PicturesSource};

/// The first bytes of every Parquet file.
const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Opens a file of any format, or a folder of pictures or of Parquet files.
///
/// The content decides the format; a name that ends in `.csv` does, too.
///
/// # Errors
///
/// See [`ErrorKind`](super::ErrorKind).
pub fn open(path: impl AsRef<Path>, options: &SourceOptions) -> Result<JoinedSource, Error> {
    let path = path.as_ref();
    check_interrupted(path)?;
    if path.is_dir() {
        return open_folder(path, options);
    }
    let file = File::open(path).at(path)?;
    open_content(path, Box::new(file), path.is_file(), options)
}

/// As [`open`], for a stream; the name is for messages.
///
/// # Errors
///
/// See [`ErrorKind`](super::ErrorKind).
pub fn open_stream(
    name: impl AsRef<Path>,
    stream: Box<dyn Read>,
    options: &SourceOptions,
) -> Result<JoinedSource, Error> {
    open_content(name.as_ref(), stream, false, options)
}

/// Opens a column of a file of labels.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = &folder.path().join("digits-labels-idx1-ubyte");
/// # idx_std::save(path, &[10], &[0_u8, 1, 2, 3, 4, 5, 6, 7, 8, 9]).unwrap();
/// let mut labels = idx_std::formats::open_labels(path, 0)?;
/// assert_eq!(labels.next_label()?, Some(0));
/// # Ok::<(), idx_std::formats::Error>(())
/// ```
///
/// # Errors
///
/// See [`ErrorKind`](super::ErrorKind).
pub fn open_labels(path: impl AsRef<Path>, column: usize) -> Result<LabelColumn, Error> {
    let path = path.as_ref();
    let source = open(path, &SourceOptions::default())?;
    LabelColumn::new(path, Box::new(source), column)
}

fn open_folder(path: &Path, options: &SourceOptions) -> Result<JoinedSource, Error> {
    let (shards, _) = entries(path, "parquet").at(path)?;
    // Engines skip these names, too: they are those of unfinished files.
    let is_hidden = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        matches!(name.as_encoded_bytes(), [b'.' | b'_', ..])
    };
    let mut shards = shards.into_iter().filter(|path| !is_hidden(path));
    if let Some(first) = shards.next() {
        let mut all = open(first, options)?;
        for shard in shards {
            all.append(open(shard, options)?)?;
        }
        return Ok(all);
    }
    let pictures = with_feature!(
        "pictures",
        path,
        [options],
        PicturesSource::open(path, options.labels, &options.pictures)
    )?;
    reshaped(path, pictures, options)
}

fn open_content(
    path: &Path,
    stream: Box<dyn Read>,
    is_file: bool,
    options: &SourceOptions,
) -> Result<JoinedSource, Error> {
    let (start, read) = peek(stream).at(path)?;
    let source: Box<dyn RecordSource> = if start.starts_with(NPY_MAGIC) {
        Box::new(NpySource::open(path, read)?)
    } else if start.starts_with(PARQUET_MAGIC) {
        let stream = (!is_file).then_some(read);
        with_feature!(
            "parquet",
            path,
            [stream],
            ParquetSource::open(path, stream, options)
        )?
    } else if is_csv(path, &start, options) {
        with_feature!("csv", path, [read], CsvSource::open(path, read, options))?
    } else if is_file {
        Box::new(IdxSource::new(path, Reader::open(path))?)
    } else {
        Box::new(IdxSource::new(path, Reader::new(read))?)
    };
    finish(path, source, options)
}

fn finish(
    path: &Path,
    source: Box<dyn RecordSource>,
    options: &SourceOptions,
) -> Result<JoinedSource, Error> {
    let source = reshaped(path, source, options)?;
    if !options.pictures.change_pictures() {
        return Ok(source);
    }
    let source = Box::new(source);
    let adjusted = with_feature!(
        "pictures",
        path,
        [source],
        AdjustedSource::new(path, source, &options.pictures)
    )?;
    Ok(JoinedSource::new(path, adjusted))
}

fn reshaped(
    path: &Path,
    source: Box<dyn RecordSource>,
    options: &SourceOptions,
) -> Result<JoinedSource, Error> {
    let mut source = JoinedSource::new(path, source);
    if let Some(shape) = &options.shape {
        source.reshape(shape)?;
    }
    Ok(source)
}

/// The first bytes, and a reader of all bytes.
fn peek(mut stream: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut start = Vec::new();
    stream.by_ref().take(6).read_to_end(&mut start)?;
    let all = Cursor::new(start.clone()).chain(stream);
    Ok((start, Box::new(all)))
}

fn is_csv(path: &Path, start: &[u8], options: &SourceOptions) -> bool {
    match *start {
        // A number; no other format starts with one.
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => true,
        // The name of a column, not a web page.
        [b'!'..=b'~', ..] if options.header => !start.starts_with(b"<"),
        _ => has_extension(path, "csv"),
    }
}
