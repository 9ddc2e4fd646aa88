use std::io::Read;
use std::path::Path;

use idx_core::Element;

use super::buffer::IdxBuf;
use super::load::{Array, load_path};
use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::io::source::Source;

/// Reads a whole file, plain or gzip by its content, and checks its length and checksum.
///
/// # Errors
///
/// See [`ErrorKind`]; the path is in the sentence.
///
/// ```no_run
/// let labels = idx_std::open("train-labels-idx1-ubyte.gz")?;
/// println!("{} labels, the first is {}", labels.as_idx().len(), labels.to_vec::<u8>()?[0]);
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<IdxBuf, Error> {
    ReadOptions::new().open(path)
}

/// How to read a whole file: one from a stranger gets a limit.
///
/// ```
/// use idx_std::{ErrorKind, ReadOptions};
///
/// let upload = b"\0\0\x08\x01\0\0\0\x02\x01\x02".to_vec();
/// let error = ReadOptions::new().limit(8).from_bytes(upload).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::LimitExceeded { limit: 8, needed: 10 }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    limit: Option<u64>,
}

impl ReadOptions {
    /// The options of [`open`]: no limit.
    #[must_use]
    pub const fn new() -> Self {
        Self { limit: None }
    }

    /// Rejects a file whose header and payload, decompressed, have more than `bytes` bytes: with
    /// [`ErrorKind::LimitExceeded`], before any memory is taken for the payload.
    #[must_use]
    pub const fn limit(self, bytes: u64) -> Self {
        Self { limit: Some(bytes) }
    }

    /// Reads a whole file, as [`open`] does.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`]; the path is in the sentence.
    pub fn open(self, path: impl AsRef<Path>) -> Result<IdxBuf, Error> {
        let path = path.as_ref();
        IdxBuf::from_file(path, Source::open(path), self.limit)
    }

    /// As [`open`](Self::open), for a path that the user did not name; see
    /// [`open_regular`](crate::io::access::open_regular).
    pub(crate) fn open_regular(self, path: &Path) -> Result<IdxBuf, Error> {
        IdxBuf::from_file(path, Source::open_regular(path), self.limit)
    }

    /// Reads a whole file as numbers, as [`load`](crate::load) does.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`]; the path is in the sentence.
    pub fn load<E: Element>(self, path: impl AsRef<Path>) -> Result<Array<E>, Error> {
        load_path(path.as_ref(), self.limit)
    }

    /// Reads from anything that can be read, as [`IdxBuf::from_reader`] does.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    pub fn from_reader(self, reader: impl Read) -> Result<IdxBuf, Error> {
        IdxBuf::from_reader_within(self.limit, reader)
    }

    /// Takes bytes from memory, as [`IdxBuf::from_bytes`] does.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    pub fn from_bytes(self, bytes: impl Into<Vec<u8>>) -> Result<IdxBuf, Error> {
        IdxBuf::from_bytes_within(self.limit, bytes.into())
    }
}
