use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use super::error::{At, Error, ErrorKind};
use super::folder::{files, has_extension};
use super::format::{Format, is_table};
use super::idx::IdxSource;
use super::interrupted::check_interrupted;
use super::joined::JoinedSource;
use super::labels::LabelColumn;
use super::npy::NpySource;
use super::npz;
use super::options::{Labels, SourceOptions};
use super::record::RecordSource;
use super::reopened::ReopenedSource;
use crate::io::access::expect_regular;
use crate::io::gunzip::{GunzipRead, START as GZIP_MAGIC};
use crate::npy::MAGIC as NPY_MAGIC;
use crate::read::Reader;
use crate::signature::FileSignature;

#[cfg(feature = "csv")]
use super::csv::CsvSource;
#[cfg(feature = "parquet")]
use super::parquet;
#[cfg(feature = "pictures")]
use super::pictures::{AdjustedSource, PicturesSource};

/// The first bytes of every Parquet file.
const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Opens a file of any format, or a folder of pictures or of Parquet files.
///
/// The content decides the format; a name that ends in `.csv` does, too. IDX, npy and, by its name, csv may be
/// compressed by gzip. If no file has the path, `FILE:ARRAY` is an array of NumPy's archive FILE, such as
/// `mnist.npz:x_train`.
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
    let file = file_of(path);
    if !file.is_file() {
        let file = File::open(path).at(path)?;
        return finish(path, open_content(path, Box::new(file), false, options)?, options);
    }
    let again = (path.to_path_buf(), options.clone());
    let source = ReopenedSource::new(Box::new(move || {
        let (path, options) = &again;
        let file = File::open(file_of(path)).at(path)?;
        open_content(path, Box::new(file), true, options)
    }))?;
    finish(path, Box::new(source), options)
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
    let name = name.as_ref();
    finish(name, open_content(name, stream, false, options)?, options)
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
    let options = SourceOptions {
        labels: Labels::Alone,
        label_column: Some(column),
        ..SourceOptions::default()
    };
    LabelColumn::new(path, Box::new(open(path, &options)?), column)
}

/// The format of a file or folder that [`open`] reads.
///
/// ```
/// use idx_std::formats::{Format, SourceOptions, detect};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = &folder.path().join("digits.csv");
/// # std::fs::write(path, "7,0,255\n").unwrap();
///
/// assert_eq!(detect(path, &SourceOptions::default())?, Format::Csv);
/// # Ok::<(), idx_std::formats::Error>(())
/// ```
///
/// # Errors
///
/// If it cannot be read, or [`repair`](super::repair) has to complete it.
pub fn detect(path: impl AsRef<Path>, options: &SourceOptions) -> Result<Format, Error> {
    let path = path.as_ref();
    check_interrupted(path)?;
    if path.is_dir() {
        let shards = shards(path)?;
        return Ok(if shards.is_empty() { Format::Png } else { Format::Parquet });
    }
    let file = File::open(file_of(path)).at(path)?;
    let (start, _) = peek(Box::new(file)).at(path)?;
    check_array(path, &start)?;
    Ok(format_of(path, &start, options))
}

/// Whether no file has this path, and it names an array of an archive that exists, such as
/// `mnist.npz:x_train`. Only [`open`] says whether the archive has it.
///
/// ```
/// assert!(!idx_std::formats::names_array("there-is-no.npz:x_train"));
/// ```
#[must_use]
pub fn names_array(path: impl AsRef<Path>) -> bool {
    npz::split_array(path.as_ref()).is_some()
}

/// The file at a path, which may be an archive that the path names an array of.
fn file_of(path: &Path) -> &Path {
    npz::split_array(path).map_or(path, |(archive, _)| archive)
}

/// Checks that only a path of an archive names an array.
fn check_array(path: &Path, start: &[u8]) -> Result<(), Error> {
    if npz::is_archive(start) || !names_array(path) {
        return Ok(());
    }
    let message = "only an archive of NumPy (.npz) has arrays with names; give the name of the file \
                   alone";
    Err(Error::from(ErrorKind::mismatch(message)).with_path(path))
}

/// As [`detect`], for a stream, and the stream from its start on; the name is for messages.
///
/// # Errors
///
/// If it cannot be read.
pub fn detect_stream(
    name: impl AsRef<Path>,
    stream: Box<dyn Read>,
    options: &SourceOptions,
) -> Result<(Format, Box<dyn Read>), Error> {
    let name = name.as_ref();
    let (start, stream) = peek(stream).at(name)?;
    Ok((format_of(name, &start, options), stream))
}

/// The files of Parquet in a folder. Cluster engines skip hidden files as well: these are not finished.
fn shards(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let is_hidden = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        matches!(name.as_encoded_bytes(), [b'.' | b'_', ..])
    };
    let mut shards = files(path, "parquet").at(path)?;
    shards.retain(|path| !is_hidden(path));
    Ok(shards)
}

fn open_folder(path: &Path, options: &SourceOptions) -> Result<JoinedSource, Error> {
    let mut shards = shards(path)?.into_iter();
    if let Some(first) = shards.next() {
        let open_shard = |shard: PathBuf| {
            let regular = expect_regular(&shard);
            regular.map_err(|kind| crate::Error::from(kind).with_path(&shard))?;
            open(shard, options)
        };
        let mut all = open_shard(first)?;
        for shard in shards {
            all.append(open_shard(shard)?)?;
        }
        return Ok(all);
    }
    let pictures = with_feature!("pictures", path, [options], PicturesSource::open(path, options))?;
    finish(path, pictures, options)
}

/// Opens what is not a folder.
fn open_content(
    path: &Path,
    stream: Box<dyn Read>,
    is_file: bool,
    options: &SourceOptions,
) -> Result<Box<dyn RecordSource>, Error> {
    let (start, read) = peek(stream).at(path)?;
    if is_file {
        check_array(path, &start)?;
    }
    match format_of(path, &start, options) {
        Format::Npy if npz::is_archive(&start) => {
            let stream = (!is_file).then_some(read);
            with_feature!("npz", path, [stream], npz::open_array(path, stream, options))
        }
        Format::Npy => Ok(Box::new(NpySource::open(path, read, options)?)),
        Format::Parquet => {
            let stream = (!is_file).then_some(read);
            with_feature!("parquet", path, [stream], parquet::open(path, stream, options))
        }
        Format::Csv => {
            let read: Box<dyn Read> = match start.starts_with(&GZIP_MAGIC) {
                true => Box::new(GunzipRead::new(read)),
                false => read,
            };
            with_feature!("csv", path, [read], CsvSource::open(path, read, options))
        }
        _ => Ok(match is_file {
            true => Box::new(IdxSource::new(path, Reader::open(path), options)?),
            false => Box::new(IdxSource::new(path, Reader::new(read), options)?),
        }),
    }
}

/// The format of what is not a folder: the one place that decides it. What nothing else is, is IDX.
fn format_of(path: &Path, start: &[u8], options: &SourceOptions) -> Format {
    if start.starts_with(&GZIP_MAGIC) {
        let mut content = Vec::new();
        // What comes before the end of these first bytes, or before damage.
        let _ = GunzipRead::new(start).read_to_end(&mut content);
        return match () {
            () if content.starts_with(NPY_MAGIC) => Format::Npy,
            () if is_table(path) && may_be_csv(path, &content) => Format::Csv,
            () => Format::IdxGz,
        };
    }
    match start {
        _ if start.starts_with(NPY_MAGIC) || npz::is_archive(start) => Format::Npy,
        _ if start.starts_with(PARQUET_MAGIC) => Format::Parquet,
        _ if is_csv(path, start, options) => Format::Csv,
        _ => Format::Idx,
    }
}

fn finish(
    path: &Path,
    source: Box<dyn RecordSource>,
    options: &SourceOptions,
) -> Result<JoinedSource, Error> {
    let mut source = JoinedSource::new(path, source);
    if let Some(shape) = &options.shape {
        source.reshape(shape)?;
    }
    if source.facts().is_adjusted || !options.pictures.change_pictures() {
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

/// Returns the first bytes, and a reader of all bytes.
fn peek(mut stream: Box<dyn Read>) -> io::Result<(Vec<u8>, Box<dyn Read>)> {
    let mut start = Vec::new();
    let length = FileSignature::START as u64;
    stream.by_ref().take(length).read_to_end(&mut start)?;
    let all = Cursor::new(start.clone()).chain(stream);
    Ok((start, Box::new(all)))
}

/// Whether these first bytes, decompressed, are not those of IDX, a web page, a server's message or the like, nor the
/// name that of IDX.
fn may_be_csv(path: &Path, start: &[u8]) -> bool {
    let is_idx_name = matches!(Format::from_path(path), Some(Format::Idx | Format::IdxGz));
    !is_idx_name && !start.starts_with(&[0, 0]) && FileSignature::detect(start).is_none()
}

/// Whether plain bytes that start like this are csv.
fn is_csv(path: &Path, start: &[u8], options: &SourceOptions) -> bool {
    match *start {
        _ if !may_be_csv(path, start) || has_extension(path, "gz") && !is_table(path) => false,
        // A number; no other format starts with one.
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => true,
        // The name of a column.
        [b'!'..=b'~', ..] if options.header => true,
        _ => is_table(path),
    }
}
