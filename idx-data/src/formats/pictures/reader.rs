//! Decodes pictures on several threads, in order, from a folder or from Parquet.

use std::borrow::Cow;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use idx_std::__private::access;
use idx_std::{ElementType, Shape};

use crate::error::{At, Error, ErrorKind, Hint};
use crate::formats::pictures::adjust::adjust;
use crate::formats::pictures::decode::Undecoded;
use crate::formats::pictures::picture::Picture;
use crate::formats::threads::Ahead;
use crate::record::options::OpenOptions;
use crate::record::picture_options::Color;
use crate::record::value::DType;
use crate::record::{Facts, LeftOut, RecordLayout, Skipped};

/// The number of bytes to read at first: all of a small file.
const FIRST_READ: usize = 4096;

/// The maximum size of a file in bytes, ten times that of a camera's files.
const MAX_FILE_SIZE: u64 = 1 << 29;

/// The file of a picture, and its label.
pub(crate) struct LabeledFile {
    /// Its path, or that of the file whose column has it.
    pub(crate) path: PathBuf,
    pub(crate) label: Option<i128>,
    /// Its bytes, if they are in memory.
    pub(crate) content: Option<Vec<u8>>,
    /// Its record, if it is in a column.
    pub(crate) index: Option<u64>,
}

impl LabeledFile {
    pub(crate) fn new(path: PathBuf, label: Option<i128>) -> Self {
        Self { path, label, content: None, index: None }
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>, ErrorKind> {
        match &self.content {
            Some(bytes) => Ok(bytes.into()),
            None => Ok(read_picture(access::open_regular(&self.path)?)?.into()),
        }
    }

    /// Returns this error with its place.
    fn error(&self, kind: ErrorKind) -> Error {
        let error = Error::from(kind).with_path(&self.path);
        match self.index {
            Some(index) => error.with_position(index),
            None => error,
        }
    }
}

/// Returns the bytes of a picture.
pub(crate) fn read_picture(read: impl Read) -> Result<Vec<u8>, ErrorKind> {
    let mut bytes = Vec::with_capacity(FIRST_READ);
    read.take(MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MAX_FILE_SIZE {
        true => Err(ErrorKind::unsupported(
            "the file has more than 512 MiB, the limit for a picture; save it smaller",
        )),
        false => Ok(bytes),
    }
}

/// Reads pictures, all of one shape, as records.
pub(super) struct PictureReader {
    path: PathBuf,
    options: OpenOptions,
    shape: Vec<u32>,
    dtype: DType,
    pictures: Ahead<Result<Picture, ErrorKind>>,
    /// The pictures that cannot be read, if they are skipped.
    pub(super) skipped: Vec<Skipped>,
}

impl PictureReader {
    /// Takes the shape and the colors from the first of these files that can be read.
    pub(super) fn new(
        path: &Path,
        files: &[LabeledFile],
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        options.pictures.check().at(path)?;
        let mut options = options.clone();
        if options.pictures.color.is_none() {
            options.pictures.color = options.pictures.color_of_files;
        }
        let mut reader = Self {
            path: path.to_path_buf(),
            options: options.clone(),
            shape: Vec::new(),
            dtype: DType::Element(ElementType::U8),
            pictures: Ahead::new(options.threads),
            skipped: Vec::new(),
        };
        for file in files {
            match finish(start(file, &options).0, &options) {
                Ok(picture) => {
                    (reader.shape, reader.dtype) = (picture.shape, picture.dtype);
                    if reader.shape.len() == 3 {
                        reader.options.pictures.color = Some(Color::Rgb);
                    }
                    return Ok(reader);
                }
                Err(error) if reader.skips(&error) => {}
                Err(error) if files.len() > 1 => return Err(file.error(skippable(error))),
                Err(error) => return Err(file.error(error)),
            }
        }
        let message = format!(
            "none of the first {} pictures can be read; to see why, do not skip damaged pictures",
            files.len()
        );
        Err(ErrorKind::malformed(message)).at(path)
    }

    /// Returns the facts about the pictures in files with these facts: the number of damaged ones is known only at the
    /// end.
    pub(super) fn facts(&self, files: Facts) -> Facts {
        let is_any_skipped = self.options.pictures.skip_bad;
        let count = files.count.filter(|_| !is_any_skipped);
        Facts {
            layout: RecordLayout::of_records(self.dtype, count, &self.shape),
            count,
            are_pictures: true,
            left_out: if is_any_skipped { LeftOut::Told } else { LeftOut::None },
            ..files
        }
    }

    /// Returns the pixels of the first of these files, while the next ones are read on other threads; `None` if there
    /// is not a file, or if it is skipped.
    pub(super) fn next(&mut self, files: &[LabeledFile]) -> Result<Option<Vec<u8>>, Error> {
        let options = &self.options;
        let picture = self.pictures.next(
            files,
            |file| start(file, options),
            |started| finish(started, options),
        );
        let (Some(picture), Some(file)) = (picture, files.first()) else {
            return Ok(None);
        };
        match picture.and_then(|picture| self.pixels(picture)) {
            Ok(pixels) => Ok(Some(pixels)),
            Err(error) if self.skips(&error) => {
                let error = file.error(error);
                self.skipped.push(Skipped::new(file.path.clone(), error.sentence()));
                Ok(None)
            }
            Err(error) => Err(file.error(skippable(error))),
        }
    }

    /// Forgets the results of the next `files` files, as far as they are ready.
    pub(super) fn skip(&mut self, files: usize) {
        self.pictures.skip(files);
    }

    /// Returns whether a picture with this error is left out. An error of the disk is not one of the picture.
    fn skips(&self, error: &ErrorKind) -> bool {
        self.options.pictures.skip_bad && !matches!(error, ErrorKind::File(_))
    }

    /// Returns the pixels of a picture that has the shape of the first.
    fn pixels(&self, picture: Picture) -> Result<Vec<u8>, ErrorKind> {
        if picture.dtype != self.dtype {
            let folder = self.path.display();
            return Err(ErrorKind::unsupported(format!(
                "the picture is {}, the first in {folder} is {}; save all with the same bits for each pixel",
                picture.dtype, self.dtype
            )));
        }
        if picture.shape == self.shape {
            return Ok(picture.pixels);
        }
        let is_same_size = picture.shape.get(..2) == self.shape.get(..2);
        let (advice, hint) = match is_same_size {
            true => ("choose whether pictures have colors", Hint::PictureColors),
            false => ("scale the pictures to one size", Hint::PictureSize),
        };
        let message = format!(
            "the picture is {}, the first in {} is {}; {advice}",
            Shape(&picture.shape),
            self.path.display(),
            Shape(&self.shape)
        );
        Err(ErrorKind::mismatch(message).advising(hint))
    }
}

/// Returns the same error; if it has no other advice, it advises to skip the picture.
fn skippable(error: ErrorKind) -> ErrorKind {
    use ErrorKind::{Malformed, Unsupported};
    match error {
        Malformed { hint: None, .. } | Unsupported { hint: None, .. } => {
            error.advising(Hint::SkipBad)
        }
        other => other,
    }
}

/// Reads the part before the pixels, and returns the number of bytes that these take.
fn start<'a>(
    file: &'a LabeledFile,
    options: &OpenOptions,
) -> (Result<Undecoded<'a>, ErrorKind>, u64) {
    let bytes = file.bytes();
    let undecoded = bytes.and_then(|bytes| unless_it_panics(|| Undecoded::new(bytes, options)));
    let bytes = undecoded.as_ref().map_or(0, |undecoded| undecoded.bytes);
    (undecoded, bytes)
}

/// Decodes and adjusts the picture.
fn finish(
    undecoded: Result<Undecoded<'_>, ErrorKind>,
    options: &OpenOptions,
) -> Result<Picture, ErrorKind> {
    let undecoded = undecoded?;
    unless_it_panics(|| adjust(undecoded.decode(options.pictures.background)?, options))
}

/// Turns a panic of a decoder into an error of this picture alone.
fn unless_it_panics<T>(decode: impl FnOnce() -> Result<T, ErrorKind>) -> Result<T, ErrorKind> {
    let stopped = "the decoder stopped at this picture; remove it";
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(ErrorKind::malformed(stopped)))
}
