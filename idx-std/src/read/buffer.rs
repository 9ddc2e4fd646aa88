//! A whole file in memory, untyped.

use std::fmt;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use idx_core::{Element, Idx, IdxRecord, Records};

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::alloc;
use crate::io::source::Source;
#[cfg(feature = "mmap")]
use crate::io::{MappedFile, is_gzip};
use crate::read::load::{append, decode};

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
    /// Reads a file from any reader, plain or gzip by its content.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](crate::open).
    pub fn from_reader(reader: impl Read) -> Result<Self, Error> {
        Self::read(reader, None)
    }

    /// Parses the bytes of a file, without a copy if they are plain.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](crate::open).
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::parse(bytes.into(), None)
    }

    /// Reads a file of at most `limit` bytes.
    pub(super) fn read(reader: impl Read, limit: Option<u64>) -> Result<Self, Error> {
        let (header, bytes) = Source::new(reader)?.read_whole(limit)?;
        Ok(Self::owned(header, bytes))
    }

    /// Parses the bytes of a file of at most `limit` bytes.
    pub(super) fn parse(bytes: Vec<u8>, limit: Option<u64>) -> Result<Self, Error> {
        let (header, bytes) = match Idx::parse(&bytes) {
            Ok(idx) => {
                let header = HeaderBuf::from(idx.header());
                header.check_limit(limit)?;
                (header, bytes)
            }
            // Reading as a stream also decompresses, and its errors say more.
            Err(_) => Source::seekable(Cursor::new(bytes))?.read_whole(limit)?,
        };
        Ok(Self::owned(header, bytes))
    }

    /// Takes bytes that were parsed.
    pub(super) fn owned(header: HeaderBuf, bytes: Vec<u8>) -> Self {
        Self { header, bytes: Bytes::Owned(bytes), path: None }
    }

    /// Takes a file that is mapped into memory.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](crate::open), and gzip data, which cannot be mapped
    /// ([`ErrorKind::Format`](crate::ErrorKind::Format) with `Gzip`).
    #[cfg(feature = "mmap")]
    pub fn from_mapped(file: MappedFile) -> Result<Self, Error> {
        let MappedFile { bytes, path } = file;
        let header = || -> Result<HeaderBuf, Error> {
            if is_gzip(&bytes) {
                return Err(idx_core::ErrorKind::Gzip.into());
            }
            let header = Source::seekable(Cursor::new(&*bytes))?.read_header()?;
            header.check_file_size(bytes.len() as u64)?;
            Ok(header)
        };
        match header() {
            Ok(header) => Ok(Self { header, bytes: Bytes::Mapped(bytes), path: Some(path) }),
            Err(error) => Err(error.with_path(path)),
        }
    }

    /// Adds this path to the errors of the file.
    #[must_use]
    pub fn with_path(self, path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Returns the path of the file, if it has one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the element type and the sizes.
    #[must_use]
    pub fn header(&self) -> &HeaderBuf {
        &self.header
    }

    /// Returns the whole file, header and payload, decompressed.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Bytes::Mapped(map) => map,
        }
    }

    /// Returns the whole file, header and payload, decompressed; a mapped file is copied.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        match self.bytes {
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Bytes::Mapped(map) => map.to_vec(),
        }
    }

    /// Returns the untyped view of the file.
    #[must_use]
    pub fn as_idx(&self) -> Idx<'_> {
        let idx = Idx::parse(self.bytes());
        debug_assert!(idx.is_ok(), "the bytes were parsed when the buffer was made");
        idx.unwrap_or_default()
    }

    /// Returns the records as values of type `T`, borrowed.
    ///
    /// A function that opens a file and returns its records uses [`into_records`](Self::into_records).
    ///
    /// # Errors
    ///
    /// A file whose element type, shape or values are not those of `T` ([`ErrorKind::Format`]).
    pub fn records<T: IdxRecord>(&self) -> Result<Records<'_, T>, Error> {
        Records::parse(self.bytes()).map_err(|error| self.error(error))
    }

    /// Copies all elements, of any shape, to a vector in the byte order of this machine.
    ///
    /// # Errors
    ///
    /// A file whose element type or values are not those of `E` ([`ErrorKind::Format`]).
    pub fn to_vec<E: Element>(&self) -> Result<Vec<E>, Error> {
        let vector = || {
            self.header.check_element::<E>()?;
            let payload = self.as_idx().payload();
            let mut vector = Vec::new();
            alloc::reserve(&mut vector, payload.len() / E::SIZE)?;
            append(&mut vector, payload)?;
            Ok(vector)
        };
        vector().map_err(|kind: ErrorKind| self.error(kind))
    }

    /// Copies all elements, of any shape, into the caller's memory in the byte order of this machine, about as fast as
    /// a copy without a swap.
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
    /// A file whose element type or values are not those of `E` ([`ErrorKind::Format`]), and a slice of the wrong
    /// length ([`wrong_length`](ErrorKind::code)). After an error about a value, the slice holds a part of the file.
    pub fn copy_into<E: Element>(&self, elements: &mut [E]) -> Result<(), Error> {
        let checked = self.header.check_element::<E>();
        checked.map_err(|kind| self.error(kind))?;
        let idx = self.as_idx();
        let (expected, found) = ((idx.payload().len() / E::SIZE) as u64, elements.len() as u64);
        if expected != found {
            let kind = ErrorKind::WrongLength { of: "the file", unit: "element", expected, found };
            return Err(self.error(kind));
        }
        decode(idx.payload(), elements).map_err(|error| self.error(error))
    }

    pub(crate) fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        Error::from(kind.into()).at(self.path())
    }
}

/// The bytes of [`IdxBuf::bytes`].
impl AsRef<[u8]> for IdxBuf {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

/// Shows header and path: the payload would be long.
impl fmt::Debug for IdxBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdxBuf")
            .field("header", &self.header)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
