use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use idx_core::{Header, Idx, IdxRecord, Records};

#[cfg(feature = "mmap")]
use crate::foreign;
use crate::source::Source;
use crate::{Error, ErrorKind, Matrix, Options, array, memory};

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
    open_with(path, Options::new())
}

/// Reads a whole file with a limit on its decompressed size.
///
/// # Errors
///
/// See [`ErrorKind`]; [`ErrorKind::Limit`] comes before any memory is taken for the payload.
pub fn open_with(path: impl AsRef<Path>, options: Options) -> Result<IdxBuf, Error> {
    open_path(path.as_ref(), options)
}

// Not generic, so that it is compiled once and here.
fn open_path(path: &Path, options: Options) -> Result<IdxBuf, Error> {
    let open = || {
        let mut source = Source::open(path)?;
        let start = source.header()?;
        let (header, _) = Header::parse(&start).map_err(ErrorKind::from)?;
        options.check(&header)?;
        IdxBuf::read(source.assured(path, &header)?, &start)
    };
    open()
        .map(|buffer| buffer.named(path))
        .map_err(|error| error.with_path(Some(path)))
}

/// A file's bytes in memory, as they are in the file: decompressed, but never swapped.
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
/// assert_eq!(buffer.to_matrix()?.values, [1.0, 2.0, -1.0, 4.0]);
/// # Ok::<(), idx_std::Error>(())
/// ```
pub struct IdxBuf {
    bytes: Bytes,
    path: Option<PathBuf>,
}

enum Bytes {
    Owned(Vec<u8>),
    #[cfg(feature = "mmap")]
    Mapped(memmap2::Mmap),
}

impl Bytes {
    fn into_owned(self) -> Vec<u8> {
        match self {
            Self::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Self::Mapped(map) => map.to_vec(),
        }
    }
}

impl IdxBuf {
    /// Reads from anything that can be read, plain or gzip by its content.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    pub fn from_reader(reader: impl Read) -> Result<Self, Error> {
        let mut source = Source::new(reader)?;
        let start = source.header()?;
        Self::read(source, &start)
    }

    /// Takes bytes that are in memory already: without a copy if they are plain.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let bytes = bytes.into();
        match Idx::parse(&bytes) {
            Ok(_) => Ok(Self::new(Bytes::Owned(bytes))),
            // The streaming way decompresses, and knows more about what is wrong.
            Err(_) => Self::from_reader(io::Cursor::new(bytes)),
        }
    }

    /// Reads what comes after the header, which is `start`.
    fn read<R: Read>(mut source: Source<R>, start: &[u8]) -> Result<Self, Error> {
        let (header, _) = Header::parse(start).map_err(ErrorKind::from)?;
        let bytes = source.payload(&header, start)?;
        Idx::parse(&bytes).map_err(ErrorKind::from)?;
        Ok(Self::new(Bytes::Owned(bytes)))
    }

    #[cfg(feature = "mmap")]
    pub(crate) fn mapped(map: memmap2::Mmap) -> Result<Self, Error> {
        if let Err(error) = Idx::parse(&map) {
            return Err(foreign::diagnose(&map, error).into());
        }
        Ok(Self::new(Bytes::Mapped(map)))
    }

    fn new(bytes: Bytes) -> Self {
        Self { bytes, path: None }
    }

    pub(crate) fn named(self, path: &Path) -> Self {
        Self {
            path: Some(path.to_path_buf()),
            ..self
        }
    }

    /// The same header with other values after it, which `change` makes of the whole file's bytes.
    pub(crate) fn changed(self, change: impl FnOnce(&mut [u8])) -> Result<Self, Error> {
        let mut bytes = self.bytes.into_owned();
        change(&mut bytes);
        let changed = Self::from_bytes(bytes)?;
        Ok(Self {
            path: self.path,
            ..changed
        })
    }

    /// The file, if it has a name.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The whole file, header and payload, as it is when not compressed.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Owned(bytes) => bytes,
            #[cfg(feature = "mmap")]
            Bytes::Mapped(map) => map,
        }
    }

    /// The untyped view.
    #[must_use]
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the same bytes were parsed when the buffer was made"
    )]
    pub fn as_idx(&self) -> Idx<'_> {
        Idx::parse(self.bytes()).expect("the bytes of an `IdxBuf` are a valid file")
    }

    /// The records as values of type `T`, borrowed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type, shape or values are not those of `T`.
    pub fn records<T: IdxRecord>(&self) -> Result<Records<'_, T>, Error> {
        self.as_idx().records().map_err(|error| self.error(error))
    }

    /// All elements, whatever the shape, in the byte order of this machine: one copy.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type or values are not those of `E`.
    pub fn to_vec<E: IdxRecord>(&self) -> Result<Vec<E>, Error> {
        let idx = self.as_idx();
        let elements = idx.elements::<E>().map_err(|error| self.error(error))?;
        let mut vector = Vec::new();
        memory::reserve(&mut vector, elements.len()).map_err(|kind| self.error(kind))?;
        array::append(&mut vector, idx.payload()).map_err(|error| self.error(error))?;
        Ok(vector)
    }

    /// All elements as `f64`, exactly, in two dimensions.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if an empty file has sizes whose product no `usize` holds.
    pub fn to_matrix(&self) -> Result<Matrix, Error> {
        Matrix::from_idx(&self.as_idx()).map_err(|kind| self.error(kind))
    }

    pub(crate) fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        Error::from(kind.into()).with_path(self.path.as_deref())
    }
}

/// Header and path; the payload would be long.
impl fmt::Debug for IdxBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdxBuf")
            .field("header", &self.as_idx().header())
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
