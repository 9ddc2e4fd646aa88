use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

#[cfg(feature = "fetch")]
use super::table::DataSet;
use super::table::{FileKind, Split};
use crate::error::ErrorKind as FileErrorKind;

/// What is wrong with a data set, or with a request for a part of it, and where.
///
/// The message names the path and what to do next; [`Error::kind`] is for programs.
///
/// `Debug` prints the same message, because a user reads it when `main` returns the error.
pub struct Error(Box<Inner>);

/// In a box, so that a `Result` of a record stays small.
struct Inner {
    kind: ErrorKind,
    path: Option<PathBuf>,
}

/// What is wrong with a data set.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read.
    File(crate::Error),
    /// The folder has no files with the names of a data set.
    NoDataSet,
    /// A file of a data set is missing in its folder.
    MissingFile {
        /// For training or for the test.
        split: Split,
        /// Images or labels.
        kind: FileKind,
        /// Its usual names, without `.gz`.
        names: [String; 2],
    },
    /// The content of a file is not what its name says.
    NameMismatch {
        /// What the name says.
        named: String,
        /// What the file is.
        found: String,
    },
    /// The number of labels is not the number of images.
    LabelCount {
        /// The number of labels.
        labels: u32,
        /// The number of images.
        images: u32,
        /// The file of the images, if it has a name.
        images_path: Option<PathBuf>,
    },
    /// A label is not one of those of its data set.
    LabelNotAllowed {
        /// The record, counted from 0.
        record: u64,
        /// The label.
        label: f64,
        /// The labels of the data set.
        allowed: RangeInclusive<u8>,
    },
    /// The files in a folder belong to two data sets.
    MixedDataSets {
        /// A file, and its data set or the type of its images.
        first: (PathBuf, String),
        /// A file that does not match it, and the same of that.
        second: (PathBuf, String),
    },
    /// The folder has more than one data set, and none was chosen.
    SeveralDataSets {
        /// The prefixes of the names of their files.
        prefixes: Vec<String>,
    },
    /// More records were requested than exist.
    NotEnoughRecords {
        /// The number of requested records.
        wanted: usize,
        /// The number of records that exist.
        found: usize,
        /// The class of the records, if it is only one.
        class: Option<i32>,
    },
    /// A fraction is not a number from 0 to 1.
    InvalidFraction {
        /// The fraction.
        fraction: f64,
    },
    /// An image belongs to a class outside the given range.
    UnknownClass {
        /// The record, counted from 0.
        record: usize,
        /// Its class.
        class: i32,
        /// The given classes.
        classes: RangeInclusive<i32>,
    },
    /// No mirror of the data set is known.
    #[cfg(feature = "fetch")]
    NoMirror {
        /// The data set.
        data_set: DataSet,
    },
    /// No mirror gave the file.
    #[cfg(feature = "fetch")]
    FetchFailed {
        /// The reason for each mirror, in the order of the attempts.
        failures: Vec<super::MirrorFailure>,
    },
    /// A file has the name of a published one, but other content.
    #[cfg(feature = "fetch")]
    FileConflict,
}

impl Error {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The file or folder, if it has a name.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match (&self.0.path, &self.0.kind) {
            (Some(path), _) => Some(path),
            (None, ErrorKind::File(error)) => error.path(),
            (None, _) => None,
        }
    }

    /// The message without the path.
    #[must_use]
    pub fn message(&self) -> String {
        match self.kind() {
            ErrorKind::File(error) => error.message(),
            kind => kind.to_string(),
        }
    }

    pub(super) fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, path: None }))
    }
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        ErrorKind::File(error).into()
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        FileErrorKind::from(error).into()
    }
}

impl From<FileErrorKind> for Error {
    fn from(kind: FileErrorKind) -> Self {
        crate::Error::from(kind).into()
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
            Self::File(error) => write!(f, "{error}"),
            Self::NoDataSet => f.write_str(
                "this folder has no file with a name like train-images-idx3-ubyte; specify the \
                 folder that has them, or the files",
            ),
            Self::MissingFile {
                split,
                kind,
                names: [usual, other],
            } => write!(
                f,
                "the {split} {kind} are missing: neither {usual} nor {other} exists, plain or .gz; \
                 download the file, or correct its name"
            ),
            Self::NameMismatch { named, found } => write!(
                f,
                "the name says {named}, but the content is {found}; correct the name"
            ),
            Self::LabelCount {
                labels,
                images,
                images_path,
            } => {
                write!(f, "{labels} labels for the {images} images")?;
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
                "record {record} has the label {label}, but the labels of this data set are {} to {}; \
                 correct the file, or the names if this is another data set",
                allowed.start(),
                allowed.end()
            ),
            Self::MixedDataSets { first, second } => write!(
                f,
                "the files belong to two data sets: {} is {}, {} is {}; keep each data set in a \
                 folder of its own",
                name(&first.0),
                first.1,
                name(&second.0),
                second.1
            ),
            Self::SeveralDataSets { prefixes } => write!(
                f,
                "this folder has several data sets, whose file names start with {prefixes:?}; \
                 specify one of these prefixes"
            ),
            Self::NotEnoughRecords {
                wanted,
                found,
                class,
            } => {
                match class {
                    Some(class) => write!(f, "class {class} has only {found} records")?,
                    None => write!(f, "there are only {found} records")?,
                }
                write!(f, ", but {wanted} are wanted; use fewer")
            }
            Self::InvalidFraction { fraction } => write!(
                f,
                "{fraction:?} is not a valid fraction; use a number from 0 to 1"
            ),
            Self::UnknownClass {
                record,
                class,
                classes,
            } => write!(
                f,
                "record {record} is of class {class}, but the classes are {} to {}; name all \
                 classes, or leave this one out",
                classes.start(),
                classes.end()
            ),
            #[cfg(feature = "fetch")]
            Self::NoMirror { data_set } => write!(
                f,
                "no mirror of {data_set} is known; download its files with a browser"
            ),
            #[cfg(feature = "fetch")]
            Self::FetchFailed { failures } => {
                f.write_str("no mirror gave this file: ")?;
                for failure in failures {
                    write!(f, "{} {}; ", failure.address, failure.reason)?;
                }
                f.write_str("try again later, or specify another mirror")
            }
            #[cfg(feature = "fetch")]
            Self::FileConflict => f.write_str(
                "a file of this name exists, and it is not the published one; move it away, or \
                 overwrite it",
            ),
        }
    }
}

/// The name without its folder, which the message already has.
fn name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or(path.as_os_str())).display()
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::File(error) => Some(error),
            _ => None,
        }
    }
}
