use std::fmt;
use std::fs::File;
use std::io::{Cursor, Read};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use idx_core::{Element, Idx, IdxRecord, Records};

use super::array::Array;
use super::load::{append, decode, load_source, load_source_into, wrong_length};
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::alloc;
#[cfg(feature = "mmap")]
use crate::io::is_gzip;
use crate::io::source::Source;

/// Reads a whole file, plain or gzip by its content, and checks its length and checksum.
///
/// # Errors
///
/// [`ErrorKind::Io`] if the file cannot be read; [`ErrorKind::NotIdx`] if it is not IDX; [`ErrorKind::Format`] with `Truncated`, [`ErrorKind::TrailingBytes`], and the kinds whose names start with
/// `Gzip`, if it is damaged. The message contains the path.
///
/// ```no_run
/// let labels = idx_std::open("train-labels-idx1-ubyte.gz")?;
/// println!("{} labels, the first is {}", labels.as_idx().len(), labels.to_vec::<u8>()?[0]);
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<IdxBuf, Error> {
    ReadOptions::new().open(path)
}

/// Options to read a whole file, such as a limit for untrusted ones.
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
    /// The options of [`open`]: no limit, and a thread for each core.
    #[must_use]
    pub const fn new() -> Self {
        Self { limit: None, threads: None }
    }

    /// Rejects a file whose header and payload, decompressed, have more than `bytes` bytes: with
    /// [`ErrorKind::LimitExceeded`], before any memory is taken for the payload.
    #[must_use]
    pub const fn limit(self, bytes: u64) -> Self {
        Self { limit: Some(bytes), ..self }
    }

    /// Reads plain files of 8 MiB and more on at most this many threads, by default one for each core and at most
    /// 8. The result is the same. A gzip file is read on one thread, as it has to be decompressed in order.
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
    /// Those of [`open`], and [`ErrorKind::LimitExceeded`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<IdxBuf, Error> {
        self.open_with(path.as_ref(), Source::open)
    }

    /// As [`open`](Self::open), for a path that was found in a folder; see
    /// [`open_regular`](crate::io::access::open_regular).
    #[doc(hidden)]
    pub fn open_regular(self, path: &Path) -> Result<IdxBuf, Error> {
        self.open_with(path, Source::open_regular)
    }

    fn open_with(
        self,
        path: &Path,
        open: fn(&Path) -> Result<Source<File>, ErrorKind>,
    ) -> Result<IdxBuf, Error> {
        let read = |source: Source<File>| source.read_whole_file(self.limit);
        let (header, bytes) = self.read_file(path, open, read)?;
        Ok(IdxBuf::new(header, Bytes::Owned(bytes)).with_path(path))
    }

    /// Reads a whole file as numbers, as [`load`](crate::load) does.
    ///
    /// # Errors
    ///
    /// Those of [`load`](crate::load), and [`ErrorKind::LimitExceeded`].
    pub fn load<E: Element>(self, path: impl AsRef<Path>) -> Result<Array<E>, Error> {
        self.read_file(path.as_ref(), Source::open, |source| load_source(source, self.limit))
    }

    /// Reads a whole file into a slice, as [`load_into`](crate::load_into) does.
    ///
    /// # Errors
    ///
    /// See [`load_into`](crate::load_into).
    pub fn load_into<E: Element>(
        self,
        path: impl AsRef<Path>,
        elements: &mut [E],
    ) -> Result<Vec<usize>, Error> {
        let load = |source| load_source_into(source, self.limit, elements);
        self.read_file(path.as_ref(), Source::open, load)
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

    /// Reads from anything that can be read, as [`IdxBuf::from_reader`] does.
    ///
    /// # Errors
    ///
    /// Those of [`open`], and [`ErrorKind::LimitExceeded`].
    pub fn from_reader(self, reader: impl Read) -> Result<IdxBuf, Error> {
        let (header, bytes) = Source::new(reader)?.read_whole(self.limit)?;
        Ok(IdxBuf::new(header, Bytes::Owned(bytes)))
    }

    /// Takes bytes from memory, as [`IdxBuf::from_bytes`] does.
    ///
    /// # Errors
    ///
    /// Those of [`open`] but [`ErrorKind::Io`], and [`ErrorKind::LimitExceeded`].
    pub fn from_bytes(self, bytes: impl Into<Vec<u8>>) -> Result<IdxBuf, Error> {
        let bytes = bytes.into();
        let (header, bytes) = match Idx::parse(&bytes) {
            Ok(idx) => {
                let header = HeaderBuf::from(idx.header());
                header.check_limit(self.limit)?;
                (header, bytes)
            }
            // The reader decompresses, and its errors say more.
            Err(_) => Source::seekable(Cursor::new(bytes))?.read_whole(self.limit)?,
        };
        Ok(IdxBuf::new(header, Bytes::Owned(bytes)))
    }
}

/// The bytes of a file in memory: decompressed, and big-endian as in the file.
///
/// ```
/// use idx_std::{IdxBuf, IdxRecord};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Point { x: i16, y: i16 }
///
/// let file = [0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 2, 0xFF, 0xFF, 0, 4];
/// let buffer = IdxBuf::from_bytes(file)?;
/// let points = buffer.records::<Point>()?;
/// assert_eq!(points.get(1), Some(Point { x: -1, y: 4 }));
/// assert_eq!(buffer.to_vec::<i16>()?, [1, 2, -1, 4]);
/// assert_eq!(buffer.to_matrix()?[..], [1.0, 2.0, -1.0, 4.0]);
/// # Ok::<(), idx_std::Error>(())
/// ```
pub struct IdxBuf {
    header: HeaderBuf,
    bytes: Bytes,
    path: Option<PathBuf>,
}

enum Bytes {
    Owned(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
}

impl IdxBuf {
    /// Reads from anything that can be read, plain or gzip by its content.
    ///
    /// # Errors
    ///
    /// Those of [`open`].
    pub fn from_reader(reader: impl Read) -> Result<Self, Error> {
        ReadOptions::new().from_reader(reader)
    }

    /// Takes bytes from memory, without a copy if they are plain.
    ///
    /// # Errors
    ///
    /// Those of [`open`].
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        ReadOptions::new().from_bytes(bytes)
    }

    /// A file that is mapped into memory.
    #[cfg(feature = "mmap")]
    pub(crate) fn of_map(map: memmap2::Mmap) -> Result<Self, Error> {
        if is_gzip(&map) {
            return Err(idx_core::ErrorKind::Gzip.into());
        }
        let header = Source::seekable(Cursor::new(&*map))?.read_header()?;
        header.check_file_size(map.len() as u64)?;
        Ok(Self::new(header, Bytes::Mapped(map)))
    }

    /// A buffer of bytes that were parsed.
    fn new(header: HeaderBuf, bytes: Bytes) -> Self {
        Self { header, bytes, path: None }
    }

    #[doc(hidden)]
    pub fn with_path(self, path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// The file, if it has a name.
    #[doc(hidden)]
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The element type and the sizes.
    #[must_use]
    pub fn header(&self) -> &HeaderBuf {
        &self.header
    }

    /// The whole file, header and payload, decompressed.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Bytes::Mapped(map) => map,
        }
    }

    /// The whole file, header and payload, decompressed; a mapped file is copied.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        match self.bytes {
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Bytes::Mapped(map) => map.to_vec(),
        }
    }

    /// The untyped view.
    #[must_use]
    pub fn as_idx(&self) -> Idx<'_> {
        let idx = Idx::parse(self.bytes());
        debug_assert!(idx.is_ok(), "the bytes were parsed when the buffer was made");
        idx.unwrap_or_default()
    }

    /// The records as values of type `T`, borrowed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type, shape or values are not those of `T`.
    pub fn records<T: IdxRecord>(&self) -> Result<Records<'_, T>, Error> {
        Records::parse(self.bytes()).map_err(|error| self.error(error))
    }

    /// All elements, whatever the shape, in the byte order of this machine: one copy.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type or values are not those of `E`.
    pub fn to_vec<E: Element>(&self) -> Result<Vec<E>, Error> {
        let idx = self.as_idx();
        let elements = idx.elements::<E>().map_err(|error| self.error(error))?;
        let mut vector = Vec::new();
        alloc::reserve(&mut vector, elements.len()).map_err(|kind| self.error(kind))?;
        append(&mut vector, idx.payload()).map_err(|error| self.error(error))?;
        Ok(vector)
    }

    /// Copies all elements, whatever the shape, into memory that the caller keeps, in the byte order of this
    /// machine: about as fast as a copy without a swap.
    ///
    /// ```
    /// use idx_std::IdxBuf;
    ///
    /// let file = [0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0xFF, 0xFF];
    /// let mut elements = [0i16; 2];
    /// IdxBuf::from_bytes(file)?.copy_into(&mut elements)?;
    /// assert_eq!(elements, [1, -1]);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type or values are not those of `E`, and
    /// [`ErrorKind::WrongLength`] if the slice and the file differ in length. After an error of a value
    /// the slice holds a part of the file.
    pub fn copy_into<E: Element>(&self, elements: &mut [E]) -> Result<(), Error> {
        let checked = self.header.check_element::<E>();
        checked.map_err(|kind| self.error(kind))?;
        let idx = self.as_idx();
        let found = idx.payload().len() / E::SIZE;
        if found != elements.len() {
            return Err(self.error(wrong_length(found as u64, elements.len())));
        }
        decode(idx.payload(), elements).map_err(|error| self.error(error))
    }

    #[doc(hidden)]
    pub fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        Error::from(kind.into()).at(self.path())
    }
}

/// As [`IdxBuf::from_bytes`].
impl TryFrom<Vec<u8>> for IdxBuf {
    type Error = Error;

    fn try_from(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

/// As [`IdxBuf::bytes`].
impl AsRef<[u8]> for IdxBuf {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

/// Header and path; the payload would be long.
impl fmt::Debug for IdxBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdxBuf")
            .field("header", &self.header)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
