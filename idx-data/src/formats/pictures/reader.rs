//! Decodes pictures on several threads, in order, from a folder or from Parquet.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

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

/// A file that is a picture, in a folder or in a column of Parquet.
pub(crate) trait PictureFile: Sync {
    fn bytes(&self) -> Result<Cow<'_, [u8]>, ErrorKind>;

    /// Returns this error with the place of the file in its input.
    fn error(&self, error: ErrorKind, input: &Path) -> Error;
}

/// Reads pictures, all of one shape, as records.
pub(crate) struct PictureReader {
    path: PathBuf,
    options: OpenOptions,
    shape: Vec<u32>,
    dtype: DType,
    pictures: Ahead<Result<Picture, ErrorKind>>,
    /// The pictures that cannot be read, if they are skipped.
    pub(crate) skipped: Vec<Skipped>,
}

impl PictureReader {
    /// Takes the shape and the colors from the first of these files that can be read.
    pub(crate) fn new(
        path: &Path,
        files: &[impl PictureFile],
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
                Err(error) if files.len() > 1 => return Err(file.error(skippable(error), path)),
                Err(error) => return Err(file.error(error, path)),
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
    pub(crate) fn facts(&self, files: Facts) -> Facts {
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
    pub(crate) fn next(&mut self, files: &[impl PictureFile]) -> Result<Option<Vec<u8>>, Error> {
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
                let error = file.error(error, &self.path);
                let path = error.path().unwrap_or(&self.path).to_path_buf();
                self.skipped.push(Skipped::new(path, error.sentence()));
                Ok(None)
            }
            Err(error) => Err(file.error(skippable(error), &self.path)),
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
    file: &'a impl PictureFile,
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
