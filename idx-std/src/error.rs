//! The errors of files, as values that carry the numbers.

use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::signature::FileSignature;

/// What went wrong, with which file, and how many records were read or written before.
///
/// The sentence names the path and what to do next. [`kind`](ErrorOf::kind) is for programs; it holds the
/// error of `idx-core` or of the operating system, whose text is part of the sentence. So there is no
/// [`source`](std::error::Error::source), which a chain of errors would print a second time.
///
/// `Debug` prints the same message, because a user reads it when `main` returns the error. As an
/// [`io::Error`] it keeps the kind of that, where there is one.
///
/// ```
/// let error = idx_std::IdxBuf::from_bytes(b"<!DOCTYPE html>".to_vec()).unwrap_err();
/// assert!(error.to_string().starts_with("this is a web page, not an IDX file"));
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
pub type Error = ErrorOf<ErrorKind>;

/// An error of some kind, with the file and the number of records: [`Error`], and those of data sets and of
/// other formats.
pub struct ErrorOf<K>(Box<Inner<K>>);

/// In a box, so that a `Result` of a record stays small.
struct Inner<K> {
    kind: K,
    path: Option<PathBuf>,
    records: Option<u64>,
}

impl<K> ErrorOf<K> {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &K {
        &self.0.kind
    }

    /// What went wrong, to be kept.
    #[must_use]
    pub fn into_kind(self) -> K {
        self.0.kind
    }

    /// The file or folder, if it has a name.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The number of whole records that were read or written before, where records were.
    #[must_use]
    pub fn records(&self) -> Option<u64> {
        self.0.records
    }

    /// The same error with the file that it is about.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// The same error with the file that it is about, if it has a name.
    pub(crate) fn at(self, path: Option<&Path>) -> Self {
        match path {
            Some(path) => self.with_path(path),
            None => self,
        }
    }

    pub(crate) fn with_records(mut self, records: u64) -> Self {
        self.0.records = Some(records);
        self
    }

    /// The same error as one of another kind.
    pub(crate) fn map<L>(self, kind: impl FnOnce(K) -> L) -> ErrorOf<L> {
        let Inner {
            kind: inner,
            path,
            records,
        } = *self.0;
        ErrorOf(Box::new(Inner {
            kind: kind(inner),
            path,
            records,
        }))
    }
}

impl<K: fmt::Display> ErrorOf<K> {
    /// The sentence without the path.
    #[must_use]
    pub fn message(&self) -> String {
        match self.records() {
            Some(records) => format!("{} (after {})", self.kind(), count(records, "whole record")),
            None => self.kind().to_string(),
        }
    }
}

impl<K> From<K> for ErrorOf<K> {
    fn from(kind: K) -> Self {
        Self(Box::new(Inner {
            kind,
            path: None,
            records: None,
        }))
    }
}

impl<K: fmt::Display> fmt::Display for ErrorOf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&self.message())
    }
}

impl<K: fmt::Display> fmt::Debug for ErrorOf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: StdError> StdError for ErrorOf<K> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.kind().source()
    }
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system reported an error.
    #[error("{}", io_sentence(.0))]
    Io(io::Error),
    /// The path is that of a folder.
    #[error("this is a folder; specify a file in it")]
    IsADirectory,
    /// The content is not a valid file, or not the expected one; of gzip, the decompressed content.
    #[error(transparent)]
    Format(idx_core::Error),
    /// The file has a known format other than IDX.
    #[error("this is {signature}, not an IDX file; {}", signature.hint())]
    #[non_exhaustive]
    OtherFormat {
        /// The format.
        signature: FileSignature,
        /// The error of the parser.
        error: idx_core::Error,
    },
    /// The first four bytes are not those of an IDX file, nor of another known format.
    #[error("{}", magic_sentence(start, *error))]
    #[non_exhaustive]
    BadMagic {
        /// The first 16 bytes, or as many as there are.
        start: Vec<u8>,
        /// The error of the parser.
        error: idx_core::Error,
    },
    /// The decompressed content is gzip data again.
    #[error("this is gzip within gzip; decompress it once with `gunzip`")]
    GzipInGzip,
    /// The gzip data ends too early.
    #[error(
        "the gzip data is truncated after {}{}; download or copy the file again",
        count(*decompressed, "decompressed byte"),
        missing_part(*missing)
    )]
    #[non_exhaustive]
    GzipTruncated {
        /// The decompressed bytes before the end.
        decompressed: u64,
        /// The number of missing bytes by the header, once it was read; 0 if only the checksum is
        /// missing.
        missing: Option<u64>,
    },
    /// The gzip data does not decompress, or its checksum is wrong.
    #[error(
        "the gzip data is corrupt after {}: {error}; download or copy the file again",
        count(*decompressed, "decompressed byte")
    )]
    #[non_exhaustive]
    GzipDamaged {
        /// The decompressed bytes before the damage was found.
        decompressed: u64,
        /// The error of the decompressor.
        error: io::Error,
    },
    /// Bytes that are neither a gzip member nor zeros follow the last gzip member.
    #[error(
        "extra bytes follow the gzip data ({}), the first is {found:02X}; remove them",
        count(*decompressed, "decompressed byte")
    )]
    #[non_exhaustive]
    GzipTrailing {
        /// The first of these bytes.
        found: u8,
        /// The decompressed bytes before them.
        decompressed: u64,
    },
    /// The file is larger than [`ReadOptions::limit`](crate::ReadOptions::limit) allows.
    #[error(
        "the file has {}, more than the limit of {limit}; raise the limit, or stream the file",
        count(*needed, "byte")
    )]
    #[non_exhaustive]
    LimitExceeded {
        /// The maximum number of bytes.
        limit: u64,
        /// The size of the header and the payload in bytes.
        needed: u64,
    },
    /// The slice given to [`load_into`](crate::load_into) and the file differ in length.
    #[error(
        "the slice has {} but the file has {found}; use a slice of that length",
        count(*expected as u64, "element")
    )]
    #[non_exhaustive]
    LengthMismatch {
        /// The number of elements in the slice.
        expected: usize,
        /// The number of elements in the file.
        found: u64,
    },
    /// A record index is out of range.
    #[error(
        "record {record} is out of range; the file has {} (numbered from 0)",
        self::count(*count, "record")
    )]
    #[non_exhaustive]
    IndexOutOfRange {
        /// The index, counted from 0.
        record: u64,
        /// The number of records.
        count: u64,
    },
    /// A range of records ends before it starts.
    #[error("the range {start}..{end} ends before it starts; swap its ends")]
    #[non_exhaustive]
    InvalidRange {
        /// The first record.
        start: u64,
        /// The record after the last one.
        end: u64,
    },
    /// The record comes before the current one, and the bytes cannot be read again.
    #[error(
        "record {record} comes before record {next}, and {} cannot be read backwards; open the file again",
        if *is_gzip { "gzip data" } else { "a stream" }
    )]
    #[non_exhaustive]
    CannotGoBack {
        /// The wanted record, counted from 0.
        record: u64,
        /// The record that comes next.
        next: u64,
        /// Whether that is because of gzip; otherwise the bytes are those of a stream.
        is_gzip: bool,
    },
    /// Records were wanted from a stream that an earlier error ended.
    #[error("an earlier error ended this stream; open the file again")]
    ReadFailedEarlier,
    /// The bytes given to [`Writer::push_bytes`](crate::Writer::push_bytes) are not one record.
    #[error(
        "a record has {}, not {found}; push one whole record at a time",
        count(*expected as u64, "byte")
    )]
    #[non_exhaustive]
    RecordSize {
        /// The size of a record in bytes.
        expected: usize,
        /// The number of bytes given.
        found: usize,
    },
    /// The shape given to [`save`](crate::save) does not have as many elements as were given.
    #[error(
        "the shape {shape:?} has {}, but {found} were given; correct the shape",
        count(*expected, "element")
    )]
    #[non_exhaustive]
    ElementCount {
        /// The sizes of the dimensions.
        shape: Vec<u32>,
        /// The number of elements of that shape.
        expected: u64,
        /// The number of elements given.
        found: usize,
    },
    /// The elements given to [`Writer::push_elements`](crate::Writer::push_elements) are not whole records.
    #[error(
        "a record has {}, and {found} are not whole records; push whole records",
        count(*expected as u64, "element")
    )]
    #[non_exhaustive]
    PartialRecord {
        /// The number of elements of a record.
        expected: usize,
        /// The number of elements given.
        found: usize,
    },
    /// The file is full: the header counts up to 4294967295 records, and one in rank 0.
    #[error("too many records: the file can hold at most {max}; start another file")]
    #[non_exhaustive]
    TooManyRecords {
        /// The maximum number of records.
        max: u64,
    },
    /// A file of rank 0 was finished without its one element.
    #[error("a file of rank 0 has one element; push it before `finish`")]
    MissingElement,
    /// The file would have more than 255 dimensions.
    #[error("the file would have {found} dimensions, but the maximum is 255; merge some of them")]
    #[non_exhaustive]
    TooManyDimensions {
        /// The number of dimensions.
        found: usize,
    },
    /// ndarray has no arrays of this shape: the sizes that are not 0 multiply to 2^63 or more, as those
    /// of a file without elements may.
    #[cfg(feature = "ndarray-v0.17")]
    #[error(
        "the file has no elements, and its sizes are too large for an array: {shape:?}; use its header \
         alone"
    )]
    #[non_exhaustive]
    ArrayTooLarge {
        /// The sizes of the dimensions.
        shape: Vec<u32>,
    },
    /// A size of an array is more than the 4294967295 that a header can hold.
    #[cfg(feature = "ndarray-v0.17")]
    #[error(
        "dimension {dimension} has the size {size}, but the maximum is 4294967295; write several files"
    )]
    #[non_exhaustive]
    DimensionTooLarge {
        /// The dimension, counted from 0.
        dimension: usize,
        /// Its size.
        size: usize,
    },
    /// The header of an npy file is not valid.
    #[error(transparent)]
    Npy(NpyError),
    /// `finish` was called after a write that failed.
    #[error("an earlier write failed, so the file is incomplete; write it again")]
    WriteFailedEarlier,
}

impl From<idx_core::Error> for ErrorKind {
    fn from(error: idx_core::Error) -> Self {
        Self::Format(error)
    }
}

impl From<NpyError> for ErrorKind {
    fn from(error: NpyError) -> Self {
        Self::Npy(error)
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::IsADirectory => Self::IsADirectory,
            _ => Self::Io(error),
        }
    }
}

impl ErrorKind {
    /// The nearest kind of the standard library.
    pub(crate) fn io_kind(&self) -> io::ErrorKind {
        use idx_core::Error as Format;

        match self {
            Self::Io(error) => error.kind(),
            Self::IsADirectory => io::ErrorKind::IsADirectory,
            Self::Format(
                Format::Empty | Format::HeaderTruncated { .. } | Format::Truncated { .. },
            )
            | Self::GzipTruncated { .. } => io::ErrorKind::UnexpectedEof,
            Self::Format(_)
            | Self::OtherFormat { .. }
            | Self::BadMagic { .. }
            | Self::GzipInGzip
            | Self::GzipDamaged { .. }
            | Self::GzipTrailing { .. }
            | Self::Npy(_) => io::ErrorKind::InvalidData,
            Self::LengthMismatch { .. }
            | Self::IndexOutOfRange { .. }
            | Self::InvalidRange { .. }
            | Self::RecordSize { .. }
            | Self::ElementCount { .. }
            | Self::PartialRecord { .. } => io::ErrorKind::InvalidInput,
            _ => io::ErrorKind::Other,
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.kind().io_kind(), error)
    }
}

fn io_sentence(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the path".to_string(),
        io::ErrorKind::PermissionDenied => {
            format!("{error}; check the permissions of the file and its folder")
        }
        io::ErrorKind::StorageFull => format!("{error}; free some space and try again"),
        _ => error.to_string(),
    }
}

/// Shows the first bytes, the first four also as the number that people search for.
fn magic_sentence(start: &[u8], error: idx_core::Error) -> String {
    let bytes: Vec<String> = start.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut bytes = bytes.join(" ");
    if let Some(magic) = start.first_chunk() {
        let decimal = u32::from_be_bytes(*magic);
        bytes += &format!(" (the first four are {decimal} in decimal)");
    }
    match error {
        idx_core::Error::NotIdx { .. } => format!(
            "{}: it starts with {bytes}, but IDX files start with 00 00; check the source of the file",
            error.message()
        ),
        _ => format!("{error}; the file starts with {bytes}"),
    }
}

/// "1 byte", "2 bytes".
pub(crate) fn count(count: u64, unit: &str) -> String {
    match count {
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    }
}

fn missing_part(missing: Option<u64>) -> String {
    match missing {
        Some(missing @ 1..) => format!(", {missing} missing"),
        _ => String::new(),
    }
}

/// What is wrong with the header of an npy file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// The first bytes are not those of an npy file.
    #[error("this is not an npy file; write it with `numpy.save`")]
    NotNpy,
    /// The file ends within its header.
    #[error("the header of the npy file is truncated; download or copy the file again")]
    Truncated,
    /// A version other than 1, 2 and 3.
    #[error(
        "this npy file has version {major}, but only 1 to 3 are known; write it with an older NumPy"
    )]
    Version {
        /// The number before the point.
        major: u8,
    },
    /// The text of the header is not a dictionary of `descr`, `fortran_order` and `shape`.
    #[error("the header of the npy file is invalid; write it again with `numpy.save`")]
    Header,
    /// The elements are not numbers, or of a type without an equivalent.
    #[error(
        "the elements of this npy file are {descr}, which IDX cannot hold; convert them in NumPy with \
         `astype`"
    )]
    ElementType {
        /// What NumPy calls it.
        descr: String,
    },
    /// The sizes multiply to more bytes than 64 bits can count.
    #[error(
        "the payload size in the header of the npy file overflows 64 bits; write the file again with \
         `numpy.save`"
    )]
    TooLarge,
}
