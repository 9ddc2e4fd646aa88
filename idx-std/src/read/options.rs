//! The ways to read a whole file, and their options.

use std::fs::File;
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::Path;

use idx_core::Element;

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::source::Source;
use crate::read::array::Array;
use crate::read::buffer::IdxBuf;
use crate::read::load::{load_bytes, load_bytes_of_stream, load_source};

/// Reads a whole file, plain or gzip by its content, and checks its length and checksum.
///
/// # Errors
///
/// A file that cannot be read ([`ErrorKind::Io`]), is not IDX ([`ErrorKind::NotIdx`]), or is damaged
/// ([`ErrorKind::Format`] with `Truncated`, [`ErrorKind::TrailingBytes`], and the kinds whose names start with `Gzip`).
/// The message contains the path.
///
/// ```no_run
/// let labels = idx_std::open("train-labels-idx1-ubyte.gz")?;
/// println!("{} labels, the first is {}", labels.as_idx().len(), labels.to_vec::<u8>()?[0]);
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<IdxBuf, Error> {
    ReadOptions::new().open(path)
}

/// Reads a whole file, plain or gzip, as numbers in the byte order of this machine.
///
/// `E` is one of the six scalars, or a label. The numbers are in C order, with the last dimension fastest. This is the
/// fastest way to get numbers.
///
/// # Errors
///
/// The errors of [`open`](crate::open), and a file of another type ([`ErrorKind::Format`] with `ElementMismatch`).
///
/// ```no_run
/// let images = idx_std::load::<u8>("train-images-idx3-ubyte.gz")?;
/// assert_eq!(images.shape(), [60000, 28, 28]);
/// let sum: u64 = images.iter().map(|pixel| u64::from(*pixel)).sum();
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn load<E: Element>(path: impl AsRef<Path>) -> Result<Array<E>, Error> {
    ReadOptions::new().load(path)
}

/// Options for reading a whole file, such as a limit for untrusted files.
///
/// ```
/// use idx_std::{ErrorKind, ReadOptions};
///
/// let upload = b"\0\0\x08\x01\0\0\0\x02\x01\x02".to_vec();
/// let error = ReadOptions::new().limit(8).from_bytes(upload).unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::LimitExceeded { limit: 8, needed: 10, .. }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    limit: Option<u64>,
    threads: Option<NonZeroUsize>,
}

impl ReadOptions {
    /// Returns the options of [`open`]: no limit, and the default number of threads.
    #[must_use]
    pub const fn new() -> Self {
        Self { limit: None, threads: None }
    }

    /// Rejects a file with more than `bytes` bytes of header and decompressed payload. The error,
    /// [`ErrorKind::LimitExceeded`], comes before memory is allocated for the payload.
    #[must_use]
    pub const fn limit(self, bytes: u64) -> Self {
        Self { limit: Some(bytes), ..self }
    }

    /// Reads plain files of 8 MiB and more on at most `threads` threads, by default one for each core and at most
    /// 8. The result is the same. A gzip file is read on one thread, because it can only be decompressed in order.
    ///
    /// ```no_run
    /// use std::num::NonZero;
    /// use idx_std::ReadOptions;
    ///
    /// let alone = ReadOptions::new().threads(NonZero::<usize>::MIN);
    /// let images = alone.load::<f32>("embeddings-idx2-float")?;
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    #[must_use]
    pub const fn threads(self, threads: NonZeroUsize) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// Reads a whole file, as [`open`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`open`], and a file over the limit ([`ErrorKind::LimitExceeded`]).
    pub fn open(self, path: impl AsRef<Path>) -> Result<IdxBuf, Error> {
        self.open_with(path.as_ref(), Source::open)
    }

    /// Reads a whole file as [`open`](Self::open) does, for a path found in a folder: opening a pipe there could block
    /// forever.
    ///
    /// # Errors
    ///
    /// The errors of `open`, and a pipe or device ([`ErrorKind::NotARegularFile`]).
    pub fn open_regular(self, path: impl AsRef<Path>) -> Result<IdxBuf, Error> {
        self.open_with(path.as_ref(), Source::open_regular)
    }

    fn open_with(
        self,
        path: &Path,
        open: fn(&Path) -> Result<Source<File>, ErrorKind>,
    ) -> Result<IdxBuf, Error> {
        let read = |source: Source<File>| source.read_whole_file(self.limit);
        let (header, bytes) = self.read_file(path, open, read)?;
        Ok(IdxBuf::owned(header, bytes).with_path(path))
    }

    /// Reads a whole file as numbers, as [`load`](crate::load) does.
    ///
    /// # Errors
    ///
    /// The errors of [`load`](crate::load), and a file over the limit ([`ErrorKind::LimitExceeded`]).
    pub fn load<E: Element>(self, path: impl AsRef<Path>) -> Result<Array<E>, Error> {
        self.read_file(path.as_ref(), Source::open, |source| load_source(source, self.limit))
    }

    /// Reads the numbers of a whole file of any type, as bytes in the order of this machine, for other languages: the
    /// header has their type and shape.
    ///
    /// ```no_run
    /// let (header, bytes) = idx_std::ReadOptions::new().load_bytes("embeddings-idx2-float")?;
    /// assert_eq!(bytes.len() as u64, header.payload_size());
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open).
    pub fn load_bytes(self, path: impl AsRef<Path>) -> Result<(HeaderBuf, Vec<u8>), Error> {
        self.read_file(path.as_ref(), Source::open, |source| load_bytes(source, self.limit))
    }

    /// Reads numbers as [`load_bytes`](Self::load_bytes) does, from any reader, plain or gzip, to its end.
    ///
    /// # Errors
    ///
    /// The errors of [`load_bytes`](Self::load_bytes).
    pub fn load_bytes_from(self, reader: impl Read) -> Result<(HeaderBuf, Vec<u8>), Error> {
        load_bytes_of_stream(Source::new(reader)?, self.limit)
    }

    fn read_file<T>(
        self,
        path: &Path,
        open: fn(&Path) -> Result<Source<File>, ErrorKind>,
        read: impl FnOnce(Source<File>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let source = open(path).map_err(Error::from);
        let read = source.and_then(|source| read(source.with_threads(self.threads)));
        read.map_err(|error| error.with_path(path))
    }

    /// Reads a file from any reader, as [`IdxBuf::from_reader`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`open`], and a file over the limit ([`ErrorKind::LimitExceeded`]).
    pub fn from_reader(self, reader: impl Read) -> Result<IdxBuf, Error> {
        IdxBuf::read(reader, self.limit)
    }

    /// Parses the bytes of a file, as [`IdxBuf::from_bytes`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`open`] ([`ErrorKind::Io`] if there is too little memory), and a file over the limit
    /// ([`ErrorKind::LimitExceeded`]).
    pub fn from_bytes(self, bytes: impl Into<Vec<u8>>) -> Result<IdxBuf, Error> {
        IdxBuf::parse(bytes.into(), self.limit)
    }
}
