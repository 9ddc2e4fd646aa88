//! Reads the file of a picture, decodes it, and adjusts it.

use std::borrow::Cow;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use idx_std::__private::access;

use crate::error::{Error, ErrorKind, Hint};
use crate::formats::pictures::adjust::adjust;
use crate::formats::pictures::decode::Undecoded;
use crate::formats::pictures::picture::Picture;
use crate::record::options::OpenOptions;

/// The number of bytes to read at first: all of a small file.
const FIRST_READ: usize = 4096;

/// The maximum size of a file in bytes: ten times what cameras write.
const MAX_FILE_SIZE: u64 = 1 << 29;

/// The file of a picture, and its label.
pub(crate) struct LabeledFile {
    /// Its path, or that of the Parquet file that holds it.
    pub(crate) path: PathBuf,
    pub(crate) label: Option<i128>,
    /// Its bytes, if they are in memory.
    pub(crate) content: Option<Vec<u8>>,
    /// The index of its record, if it is in a Parquet file.
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

    /// Returns an error about this picture.
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        let error = Error::from(kind).with_path(&self.path);
        match self.index {
            Some(index) => error.with_position(index),
            None => error,
        }
    }
}

/// Reads the bytes of a picture.
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

/// Adds the advice to skip the picture to an error without other advice.
pub(super) fn skippable(error: ErrorKind) -> ErrorKind {
    use ErrorKind::{Malformed, Unsupported};
    match error {
        Malformed { hint: None, .. } | Unsupported { hint: None, .. } => {
            error.advising(Hint::SkipBad)
        }
        other => other,
    }
}

/// Reads everything before the pixels, and also returns the number of bytes that the pixels take.
pub(super) fn start<'a>(
    file: &'a LabeledFile,
    options: &OpenOptions,
) -> (Result<Undecoded<'a>, ErrorKind>, u64) {
    let bytes = file.bytes();
    let undecoded = bytes.and_then(|bytes| unless_it_panics(|| Undecoded::new(bytes, options)));
    let bytes = undecoded.as_ref().map_or(0, |undecoded| undecoded.bytes);
    (undecoded, bytes)
}

/// Decodes and adjusts the picture.
pub(super) fn finish(
    undecoded: Result<Undecoded<'_>, ErrorKind>,
    options: &OpenOptions,
) -> Result<Picture, ErrorKind> {
    let undecoded = undecoded?;
    unless_it_panics(|| adjust(undecoded.decode(options.pictures.background)?, options))
}

/// Turns a panic of a decoder into an error about this picture.
fn unless_it_panics<T>(decode: impl FnOnce() -> Result<T, ErrorKind>) -> Result<T, ErrorKind> {
    let stopped = "the decoder stopped at this picture; remove it";
    catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(|_| Err(ErrorKind::malformed(stopped)))
}
