//! The errors of files, as values that carry the numbers.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::signature::FileSignature;

/// What went wrong, in which file, and how far it was read or written.
///
/// The message names the path and what to do next; [`Error::kind`] is for programs. The error of
/// `idx-core` or of the operating system is the [`source`](std::error::Error::source).
///
/// `Debug` prints the same message, because a user reads it when `main` returns the error.
///
/// ```
/// let error = idx_std::IdxBuf::from_bytes(b"<!DOCTYPE html>".to_vec()).unwrap_err();
/// assert!(error.to_string().starts_with("this is a web page, not an IDX file"));
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
pub struct Error(Box<Inner>);

/// In a box, so that a `Result` of a record stays small.
struct Inner {
    kind: ErrorKind,
    path: Option<PathBuf>,
    records: Option<u64>,
}

/// What went wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system reported an error.
    Io(io::Error),
    /// The path is that of a folder.
    IsADirectory,
    /// The content is not a valid file, or not the expected one; of gzip, the decompressed content.
    Format(idx_core::Error),
    /// The file has a known format other than IDX.
    OtherFormat {
        /// The format.
        signature: FileSignature,
        /// The error of the parser.
        error: idx_core::Error,
    },
    /// The first four bytes are not those of an IDX file, nor of another known format.
    BadMagic {
        /// The first 16 bytes, or as many as there are.
        start: Vec<u8>,
        /// The error of the parser.
        error: idx_core::Error,
    },
    /// The decompressed content is gzip data again.
    GzipInGzip,
    /// The gzip data ends too early.
    GzipTruncated {
        /// The decompressed bytes before the end.
        decompressed: u64,
        /// The number of missing bytes by the header, once it was read; 0 if only the checksum is
        /// missing.
        missing: Option<u64>,
    },
    /// The gzip data does not decompress, or its checksum is wrong.
    GzipDamaged {
        /// The decompressed bytes before the damage was found.
        decompressed: u64,
        /// The error of the decompressor.
        error: io::Error,
    },
    /// Bytes that are neither a gzip member nor zeros follow the last gzip member.
    GzipTrailing {
        /// The first of these bytes.
        found: u8,
        /// The decompressed bytes before them.
        decompressed: u64,
    },
    /// The file is larger than [`ReadOptions::limit`](crate::ReadOptions::limit) allows.
    LimitExceeded {
        /// The maximum number of bytes.
        limit: u64,
        /// The size of the header and the payload in bytes.
        needed: u64,
    },
    /// The slice given to [`load_into`](crate::load_into) and the file differ in length.
    LengthMismatch {
        /// The number of elements in the slice.
        expected: usize,
        /// The number of elements in the file.
        found: u64,
    },
    /// A record index is out of range.
    IndexOutOfRange {
        /// The index, counted from 0.
        record: u64,
        /// The number of records.
        count: u64,
    },
    /// A range of records ends before it starts.
    InvalidRange {
        /// The first record.
        start: u64,
        /// The record after the last one.
        end: u64,
    },
    /// The record comes before the current one, and the bytes cannot be read again.
    CannotGoBack {
        /// The wanted record, counted from 0.
        record: u64,
        /// The record that comes next.
        next: u64,
        /// Whether that is because of gzip; otherwise the bytes are those of a stream.
        is_gzip: bool,
    },
    /// An earlier error ended the stream.
    ReadFailedEarlier,
    /// The bytes given to [`Writer::push_bytes`](crate::Writer::push_bytes) are not one record.
    RecordSize {
        /// The size of a record in bytes.
        expected: usize,
        /// The number of bytes given.
        found: usize,
    },
    /// The file is full: the header counts up to 4294967295 records, and one in rank 0.
    TooManyRecords {
        /// The maximum number of records.
        max: u64,
    },
    /// A file of rank 0 was finished without its one element.
    MissingElement,
    /// The file would have more than 255 dimensions.
    TooManyDimensions {
        /// The number of dimensions.
        found: usize,
    },
    /// ndarray has no arrays of this shape: the sizes that are not 0 multiply to 2^63 or more, as those
    /// of a file without elements may.
    #[cfg(feature = "ndarray-v0.17")]
    ArrayTooLarge {
        /// The sizes of the dimensions.
        shape: Vec<u32>,
    },
    /// A size of an array is more than the 4294967295 that a header can hold.
    #[cfg(feature = "ndarray-v0.17")]
    DimensionTooLarge {
        /// The dimension, counted from 0.
        dimension: usize,
        /// Its size.
        size: usize,
    },
    /// The header of an npy file is not valid.
    Npy(NpyError),
    /// `finish` was called after a write that failed.
    WriteFailedEarlier,
}

impl Error {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The file, if it has a name.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The number of whole records that were read or written before, where records were.
    #[must_use]
    pub fn records(&self) -> Option<u64> {
        self.0.records
    }

    /// The message without the path.
    #[must_use]
    pub fn message(&self) -> String {
        match self.records() {
            Some(1) => format!("{} (after 1 whole record)", self.kind()),
            Some(records) => format!("{} (after {records} whole records)", self.kind()),
            None => self.kind().to_string(),
        }
    }

    /// The same error with the file that it is about.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    pub(crate) fn with_records(mut self, records: u64) -> Self {
        self.0.records = Some(records);
        self
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner {
            kind,
            path: None,
            records: None,
        }))
    }
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => describe_io(error, f),
            Self::IsADirectory => f.write_str("this is a folder; specify a file in it"),
            Self::Format(error) => write!(f, "{error}"),
            Self::OtherFormat { signature, .. } => {
                let hint = signature.hint();
                write!(f, "this is {signature}, not an IDX file; {hint}")
            }
            Self::BadMagic { start, error } => describe_magic(start, *error, f),
            Self::GzipInGzip => {
                f.write_str("this is gzip within gzip; decompress it once with `gunzip`")
            }
            Self::GzipTruncated {
                decompressed,
                missing,
            } => {
                write!(
                    f,
                    "the gzip data is truncated after {decompressed} decompressed bytes"
                )?;
                if let Some(missing @ 1..) = missing {
                    write!(f, ", {missing} missing")?;
                }
                f.write_str("; download or copy the file again")
            }
            Self::GzipDamaged {
                decompressed,
                error,
            } => write!(
                f,
                "the gzip data is corrupt after {decompressed} decompressed bytes: {error}; \
                 download or copy the file again"
            ),
            Self::GzipTrailing {
                found,
                decompressed,
            } => write!(
                f,
                "extra bytes follow the gzip data ({decompressed} decompressed bytes), the first is \
                 {found:02X}; remove them"
            ),
            Self::LimitExceeded { limit, needed } => write!(
                f,
                "the file has {needed} bytes, more than the limit of {limit}; raise the limit, or \
                 stream the file"
            ),
            Self::LengthMismatch { expected, found } => write!(
                f,
                "the slice has {expected} elements but the file has {found}; use a slice of that \
                 length"
            ),
            Self::IndexOutOfRange { record, count } => write!(
                f,
                "record {record} is out of range; the file has {count} records (numbered from 0)"
            ),
            Self::InvalidRange { start, end } => {
                write!(
                    f,
                    "the range {start}..{end} ends before it starts; swap its ends"
                )
            }
            Self::CannotGoBack {
                record,
                next,
                is_gzip,
            } => {
                let what = if *is_gzip { "gzip data" } else { "a stream" };
                write!(
                    f,
                    "record {record} comes before record {next}, and {what} cannot be read \
                     backwards; open the file again"
                )
            }
            Self::ReadFailedEarlier => {
                f.write_str("an earlier error ended this stream; open the file again")
            }
            Self::RecordSize { expected, found } => write!(
                f,
                "a record has {expected} bytes, not {found}; push one whole record at a time"
            ),
            Self::TooManyRecords { max } => write!(
                f,
                "too many records: the file can hold at most {max}; start another file"
            ),
            Self::MissingElement => {
                f.write_str("a file of rank 0 has one element; push it before `finish`")
            }
            Self::TooManyDimensions { found } => write!(
                f,
                "the file would have {found} dimensions, but the maximum is 255; merge some of them"
            ),
            #[cfg(feature = "ndarray-v0.17")]
            Self::ArrayTooLarge { shape } => write!(
                f,
                "the file has no elements, and its sizes are too large for an array: {shape:?}; use \
                 its header alone"
            ),
            #[cfg(feature = "ndarray-v0.17")]
            Self::DimensionTooLarge { dimension, size } => write!(
                f,
                "dimension {dimension} has the size {size}, but the maximum is 4294967295; write \
                 several files"
            ),
            Self::Npy(error) => write!(f, "{error}"),
            Self::WriteFailedEarlier => {
                f.write_str("an earlier write failed, so the file is incomplete; write it again")
            }
        }
    }
}

fn describe_io(error: &io::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match error.kind() {
        io::ErrorKind::NotFound => f.write_str("no such file; check the path"),
        io::ErrorKind::PermissionDenied => write!(
            f,
            "{error}; check the permissions of the file and its folder"
        ),
        io::ErrorKind::StorageFull => write!(f, "{error}; free some space and try again"),
        _ => write!(f, "{error}"),
    }
}

/// Shows the first bytes, the first four also as the number that people search for.
fn describe_magic(start: &[u8], error: idx_core::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let bytes: Vec<String> = start.iter().map(|byte| format!("{byte:02X}")).collect();
    let mut bytes = bytes.join(" ");
    if let Some(magic) = start.first_chunk() {
        let decimal = u32::from_be_bytes(*magic);
        bytes += &format!(" (the first four are {decimal} in decimal)");
    }
    match error {
        idx_core::Error::NotIdx { .. } => write!(
            f,
            "{}: it starts with {bytes}, but IDX files start with 00 00; check the source of the file",
            error.message()
        ),
        _ => write!(f, "{error}; the file starts with {bytes}"),
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) | ErrorKind::GzipDamaged { error, .. } => Some(error),
            ErrorKind::Format(error)
            | ErrorKind::OtherFormat { error, .. }
            | ErrorKind::BadMagic { error, .. } => Some(error),
            ErrorKind::Npy(error) => Some(error),
            _ => None,
        }
    }
}

/// What is wrong with the header of an npy file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NpyError {
    /// The first bytes are not those of an npy file.
    NotNpy,
    /// The file ends within its header.
    Truncated,
    /// A version other than 1, 2 and 3.
    Version {
        /// The number before the point.
        major: u8,
    },
    /// The text of the header is not a dictionary of `descr`, `fortran_order` and `shape`.
    Header,
    /// The elements are not numbers, or of a type without an equivalent.
    ElementType {
        /// What NumPy calls it.
        descr: String,
    },
    /// The sizes multiply to more bytes than 64 bits can count.
    TooLarge,
}

impl fmt::Display for NpyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotNpy => f.write_str("this is not an npy file; write it with `numpy.save`"),
            Self::Truncated => f.write_str(
                "the header of the npy file is truncated; download or copy the file again",
            ),
            Self::Version { major } => write!(
                f,
                "this npy file has version {major}, but only 1 to 3 are known; write it with an older NumPy"
            ),
            Self::Header => f.write_str(
                "the header of the npy file is invalid; write it again with `numpy.save`",
            ),
            Self::ElementType { descr } => write!(
                f,
                "the elements of this npy file are {descr}, which IDX cannot hold; \
                 convert them in NumPy with `astype`"
            ),
            Self::TooLarge => f.write_str(
                "the sizes in the header of the npy file multiply to more than 64 bits can count; \
                 write it again with `numpy.save`",
            ),
        }
    }
}

impl std::error::Error for NpyError {}
