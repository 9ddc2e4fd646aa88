use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::{Content, Foreign, NpyError, Split, source::Compression};

/// What went wrong, with which file, and how far it was read or written.
///
/// The sentence names the path and what to do next; [`Error::kind`] is for programs. The error of
/// `idx-core` or of the operating system is the [`source`](std::error::Error::source).
///
/// `Debug` gives the same sentence: it is what a user reads when `main` returns the error.
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
    /// The operating system refused.
    Io(io::Error),
    /// The path is that of a folder.
    Folder,
    /// The content is not what it should be; of gzip, the decompressed content.
    Format(idx_core::Error),
    /// The content is known, but it is not IDX.
    Foreign {
        /// What it is.
        foreign: Foreign,
        /// The error of the parser.
        error: idx_core::Error,
    },
    /// The first four bytes are not those of an IDX file, and the content is not known either.
    Magic {
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
        /// How many more of them the header promises, once it was read; 0 if no more than the
        /// checksum is cut.
        missing: Option<u64>,
    },
    /// The gzip data does not decompress, or its checksum is wrong.
    GzipDamaged {
        /// The decompressed bytes before the damage was seen.
        decompressed: u64,
        /// What the decompressor says.
        error: io::Error,
    },
    /// After the last gzip member there are bytes that are neither a member nor zeros.
    GzipTrailing {
        /// The first of these bytes.
        found: u8,
        /// The decompressed bytes before them.
        decompressed: u64,
    },
    /// The file is larger than [`Options::limit`](crate::Options::limit) allows.
    Limit {
        /// The most bytes allowed.
        limit: u64,
        /// The size of the header and the payload in bytes.
        needed: u64,
    },
    /// The slice given to [`load_into`](crate::load_into) does not have as many elements as the file.
    LengthMismatch {
        /// The number of elements in the slice.
        expected: usize,
        /// The number of elements in the file.
        found: u64,
    },
    /// There is no such record.
    NoRecord {
        /// The record asked for, counted from 0.
        record: u64,
        /// The number of records.
        count: u64,
    },
    /// The record lies before the current one, and the bytes cannot be read again.
    CannotGoBack {
        /// The record asked for, counted from 0.
        record: u64,
        /// The record that comes next.
        next: u64,
        /// Gzip, or `None` for a pipe.
        compression: Option<Compression>,
    },
    /// The bytes given to [`DynWriter::push_bytes`](crate::DynWriter::push_bytes) are no record.
    RecordSize {
        /// The size of a record in bytes.
        expected: usize,
        /// The number of bytes given.
        found: usize,
    },
    /// One record more than the 4294967295 that the header can count, or the one of rank 0.
    TooManyRecords {
        /// The most records that there can be.
        most: u32,
    },
    /// A file of rank 0 was finished without its one record.
    NoScalar,
    /// The record's shape has more than 254 dimensions, so the file would have more than 255.
    TooManyDimensions {
        /// The number of dimensions of the record.
        found: usize,
    },
    /// The folder has no files with the names of a data set.
    NoDataSet,
    /// A file of a data set is not in its folder.
    MissingFile {
        /// For training or for the test.
        split: Split,
        /// Images or labels.
        content: Content,
        /// The names that it usually has, without `.gz`.
        names: [String; 2],
    },
    /// A file is not what its name says.
    Misnamed {
        /// What the name says.
        named: String,
        /// What the file is.
        found: String,
    },
    /// There are not as many labels as images.
    LabelCount {
        /// The number of labels.
        labels: u32,
        /// The number of images.
        images: u32,
        /// The file of the images, if it has a name.
        images_path: Option<PathBuf>,
    },
    /// A label is none of its data set.
    LabelNotAllowed {
        /// The record, counted from 0.
        record: u64,
        /// The label.
        label: f64,
        /// The labels of the data set.
        allowed: RangeInclusive<u8>,
    },
    /// The files in a folder are of two data sets.
    Mixed {
        /// A file, and what it is.
        first: (PathBuf, String),
        /// A file that does not go with it, and what that is.
        second: (PathBuf, String),
    },
    /// The folder has more than one data set, and none was named.
    SeveralDataSets {
        /// What the names of their files start with.
        prefixes: Vec<String>,
    },
    /// There are not as many records as are wanted.
    TooFew {
        /// The number of records that are wanted.
        wanted: usize,
        /// The number of records that there are.
        found: usize,
        /// The class that they are of, if not of all.
        class: Option<i32>,
    },
    /// The part of a whole is none.
    NoFraction {
        /// What is not from 0 to 1.
        fraction: f64,
    },
    /// An image is of none of the classes that were named.
    OtherClass {
        /// The record, counted from 0.
        record: usize,
        /// Its class.
        class: i32,
        /// The classes that were named.
        classes: RangeInclusive<i32>,
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
    /// The header of an npy file is not what it should be.
    Npy(NpyError),
    /// `finish` after a write that failed.
    Abandoned,
    /// No mirror of the data set is known.
    #[cfg(feature = "fetch")]
    NotPublished {
        /// The data set.
        data_set: crate::DataSet,
    },
    /// No mirror gave the file.
    #[cfg(feature = "fetch")]
    NotFetched {
        /// Why not, of each mirror in the order in which they were asked.
        failures: Vec<crate::MirrorFailure>,
    },
    /// A file is there that has the name of a published one and another content.
    #[cfg(feature = "fetch")]
    OtherFile,
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

    /// The sentence without the path.
    #[must_use]
    pub fn message(&self) -> String {
        match self.records() {
            Some(1) => format!("{} (after 1 whole record)", self.kind()),
            Some(records) => format!("{} (after {records} whole records)", self.kind()),
            None => self.kind().to_string(),
        }
    }

    pub(crate) fn with_path(mut self, path: Option<&Path>) -> Self {
        self.0.path = path.map(Path::to_path_buf);
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
            io::ErrorKind::IsADirectory => Self::Folder,
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
            Self::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => f.write_str("there is no such file; check the path"),
                io::ErrorKind::PermissionDenied => {
                    write!(
                        f,
                        "{error}; check the permissions of the file and its folder"
                    )
                }
                io::ErrorKind::StorageFull => write!(f, "{error}; make room and try again"),
                _ => write!(f, "{error}"),
            },
            Self::Folder => f.write_str("this is a folder; name a file in it"),
            Self::Format(error) => write!(f, "{error}"),
            Self::Foreign { foreign, .. } => {
                let next_step = foreign.next_step();
                write!(f, "this is {foreign}, not an IDX file; {next_step}")
            }
            Self::Magic { start, error } => {
                let start = Start(start);
                match error {
                    idx_core::Error::NotIdx { .. } => write!(
                        f,
                        "{}: it starts with {start}, but IDX files start with 00 00; check the \
                         source of the file",
                        error.message()
                    ),
                    _ => write!(f, "{error}; the file starts with {start}"),
                }
            }
            Self::GzipInGzip => {
                f.write_str("this is gzip within gzip; decompress it once with `gunzip`")
            }
            Self::GzipTruncated {
                decompressed,
                missing,
            } => {
                write!(
                    f,
                    "the gzip data is cut, it ends after {decompressed} decompressed bytes"
                )?;
                if let Some(missing @ 1..) = missing {
                    write!(f, ", {missing} missing")?;
                }
                f.write_str("; copy or download the file again")
            }
            Self::GzipDamaged {
                decompressed,
                error,
            } => write!(
                f,
                "the gzip data is damaged, after {decompressed} decompressed bytes: {error}; \
                 copy or download the file again"
            ),
            Self::GzipTrailing {
                found,
                decompressed,
            } => write!(
                f,
                "bytes that are not gzip follow the gzip data of {decompressed} decompressed \
                 bytes, the first is {found:02X}; remove them"
            ),
            Self::Limit { limit, needed } => write!(
                f,
                "the file has {needed} bytes, more than the limit of {limit}; raise the limit, or \
                 read it as a stream"
            ),
            Self::LengthMismatch { expected, found } => write!(
                f,
                "the file has {found} elements, the slice {expected}; give it as many"
            ),
            Self::NoRecord { record, count } => write!(
                f,
                "there is no record {record}; the file has {count}, counted from 0"
            ),
            Self::CannotGoBack {
                record,
                next,
                compression,
            } => {
                let what = match compression {
                    Some(Compression::Gzip) => "gzip data",
                    None => "a stream",
                };
                write!(
                    f,
                    "record {record} lies before record {next}, and {what} cannot be read \
                     backwards; open the file again"
                )
            }
            Self::RecordSize { expected, found } => {
                write!(f, "a record has {expected} bytes, not {found}")
            }
            Self::TooManyRecords { most } => write!(
                f,
                "the file is full, it can count {most} records; start another file"
            ),
            Self::NoScalar => {
                f.write_str("a file of rank 0 has one element; push it before `finish`")
            }
            Self::TooManyDimensions { found } => write!(
                f,
                "the record has {found} dimensions, at most 254 are possible; join some of them"
            ),
            Self::NoDataSet => f.write_str(
                "there is no file in this folder with a name like train-images-idx3-ubyte; name the \
                 folder that has them, or the files",
            ),
            Self::MissingFile {
                split,
                content,
                names: [usual, other],
            } => write!(
                f,
                "the {split} {content} are missing: there is no {usual} and no {other}, plain or \
                 .gz; download the file, or correct its name"
            ),
            Self::Misnamed { named, found } => write!(
                f,
                "its name says {named}, its content is {found}; correct the name"
            ),
            Self::LabelCount {
                labels,
                images,
                images_path,
            } => {
                write!(f, "there are {labels} labels for the {images} images")?;
                if let Some(path) = images_path {
                    write!(f, " of {}", name(path))?;
                }
                f.write_str("; download both again")
            }
            Self::LabelNotAllowed {
                record,
                label,
                allowed,
            } => write!(
                f,
                "record {record} has the label {label}, the labels of this data set are {} to {}; \
                 correct the file, or the names if this is another data set",
                allowed.start(),
                allowed.end()
            ),
            Self::Mixed { first, second } => write!(
                f,
                "these are files of two data sets: {} is {}, {} is {}; keep each data set in a \
                 folder of its own",
                name(&first.0),
                first.1,
                name(&second.0),
                second.1
            ),
            Self::SeveralDataSets { prefixes } => write!(
                f,
                "there are several data sets in this folder, whose names start with {prefixes:?}; \
                 name one of these prefixes"
            ),
            Self::TooFew {
                wanted,
                found,
                class: Some(class),
            } => write!(
                f,
                "class {class} has {found} records, {wanted} are wanted; take fewer"
            ),
            Self::TooFew { wanted, found, .. } => write!(
                f,
                "there are {found} records, {wanted} are wanted; take fewer"
            ),
            Self::NoFraction { fraction } => {
                write!(f, "{fraction:?} is no fraction; take a number from 0 to 1")
            }
            Self::OtherClass {
                record,
                class,
                classes,
            } => write!(
                f,
                "record {record} is of class {class}, the classes are {} to {}; name all classes, or \
                 leave this one out",
                classes.start(),
                classes.end()
            ),
            #[cfg(feature = "ndarray-v0.17")]
            Self::ArrayTooLarge { shape } => write!(
                f,
                "the file has no elements, and sizes that are too large for an array: {shape:?}; look \
                 at its header alone"
            ),
            #[cfg(feature = "ndarray-v0.17")]
            Self::DimensionTooLarge { dimension, size } => write!(
                f,
                "dimension {dimension} has the size {size}, a file can have 4294967295; write several \
                 files"
            ),
            Self::Npy(error) => write!(f, "{error}"),
            Self::Abandoned => {
                f.write_str("a write failed before, so the file was not finished; write it again")
            }
            #[cfg(feature = "fetch")]
            Self::NotPublished { data_set } => write!(
                f,
                "no mirror of {data_set} is known; download its files with a browser"
            ),
            #[cfg(feature = "fetch")]
            Self::NotFetched { failures } => {
                f.write_str("no mirror gave this file: ")?;
                for failure in failures {
                    write!(f, "{} {}; ", failure.address, failure.reason)?;
                }
                f.write_str("try again later, or name another mirror")
            }
            #[cfg(feature = "fetch")]
            Self::OtherFile => f.write_str(
                "there is a file of this name, and it is not the published one; move it away, \
                 or overwrite it",
            ),
        }
    }
}

/// The name without its folder, which is said already.
fn name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or(path.as_os_str())).display()
}

/// The first bytes of a file, the first four also as the number that people search for.
struct Start<'a>(&'a [u8]);

impl fmt::Display for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: Vec<String> = self.0.iter().map(|byte| format!("{byte:02X}")).collect();
        f.write_str(&bytes.join(" "))?;
        match self.0.first_chunk() {
            Some(magic) => write!(
                f,
                " (the first four are {} in decimal)",
                u32::from_be_bytes(*magic)
            ),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io(error) | ErrorKind::GzipDamaged { error, .. } => Some(error),
            ErrorKind::Format(error)
            | ErrorKind::Foreign { error, .. }
            | ErrorKind::Magic { error, .. } => Some(error),
            ErrorKind::Npy(error) => Some(error),
            _ => None,
        }
    }
}
