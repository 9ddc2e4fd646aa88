use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

#[cfg(feature = "fetch")]
use super::mirrors::MirrorFailure;
use super::table::{FileKind, Split};
use crate::error::{Description, Detail, ErrorKind as FileErrorKind, ErrorOf};
use crate::words::counted;

/// What is wrong with a data set, or with a request for a part of it, and where.
pub type Error = ErrorOf<ErrorKind>;

/// What is wrong with a data set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(FileErrorKind),
    /// The folder has no files with the names of a data set.
    #[error(
        "this folder has no file with a name like train-images-idx3-ubyte; specify the folder that has \
         them, or the files"
    )]
    NoDataSet,
    /// A file of a data set is not in its folder.
    #[error(
        "the {split} {kind} are missing: neither {} nor {} exists, plain or .gz; download the file, or \
         correct its name",
        names[0],
        names[1]
    )]
    #[non_exhaustive]
    MissingFile {
        /// For training or for the test.
        split: Split,
        /// Images or labels.
        kind: FileKind,
        /// Its usual names, without `.gz`.
        names: [String; 2],
    },
    /// The content of a file is not what its name says.
    #[error("the name says {named}, but the content is {found}; correct the name")]
    #[non_exhaustive]
    NameMismatch {
        /// What the name says.
        named: String,
        /// What the file is.
        found: String,
    },
    /// The number of labels is not the number of images.
    #[error(
        "{} for the {}{}; use the files that belong together, or download both again",
        counted((*labels).into(), "label"),
        counted((*images).into(), "image"),
        images_path.as_deref().map(|path| format!(" of {}", name(path))).unwrap_or_default()
    )]
    #[non_exhaustive]
    LabelCount {
        /// The number of labels.
        labels: u32,
        /// The number of images.
        images: u32,
        /// The file of the images, if it has a name.
        images_path: Option<PathBuf>,
    },
    /// A label is not one of those of its data set.
    #[error(
        "record {record} has the label {label}, but files of this name have the labels {} to {}; if it is \
         another data set, put a prefix before the names, as in my-train-images-idx3-ubyte, else correct the \
         file",
        allowed.start(),
        allowed.end()
    )]
    #[non_exhaustive]
    LabelNotAllowed {
        /// The record, counted from 0.
        record: u64,
        /// The label.
        label: f64,
        /// The labels of the data set.
        allowed: RangeInclusive<u8>,
    },
    /// The files in a folder belong to two data sets.
    #[error(
        "the files belong to two data sets: {} is {}, {} is {}; keep each data set in a folder of its own",
        name(&first.0),
        first.1,
        name(&second.0),
        second.1
    )]
    #[non_exhaustive]
    MixedDataSets {
        /// A file, and its data set or the type of its images.
        first: (PathBuf, String),
        /// A file that does not match it, and its data set or the type of its images.
        second: (PathBuf, String),
    },
    /// The folder has more than one data set, and none was named.
    #[error(
        "this folder has several data sets, whose file names start with {prefixes:?}; specify one of these \
         prefixes"
    )]
    #[non_exhaustive]
    SeveralDataSets {
        /// The prefixes of the names of their files.
        prefixes: Vec<String>,
    },
    /// More records are wanted than exist.
    #[error(
        "{} only {}, but {wanted} are wanted; use fewer",
        class.map_or("the set has".to_string(), |class| format!("class {class} has")),
        counted(*found as u64, "record")
    )]
    #[non_exhaustive]
    NotEnoughRecords {
        /// The number of requested records.
        wanted: usize,
        /// The number of records that exist.
        found: usize,
        /// The class of the records, if it is only one.
        class: Option<i32>,
    },
    /// A fraction is not a number from 0 to 1.
    #[error("{fraction:?} is not a valid fraction; use a number from 0 to 1")]
    #[non_exhaustive]
    InvalidFraction {
        /// The fraction.
        fraction: f64,
    },
    /// An image belongs to a class that is not among the given ones.
    #[error(
        "record {record} is of class {class}, but the classes are {} to {}; specify all classes, or leave \
         this one out",
        classes.start(),
        classes.end()
    )]
    #[non_exhaustive]
    UnknownClass {
        /// The record, counted from 0.
        record: usize,
        /// Its class.
        class: i32,
        /// The given classes.
        classes: RangeInclusive<i32>,
    },
    /// No mirror gave the file.
    #[cfg(feature = "fetch")]
    #[error(
        "no mirror gave this file: {}try again later, or specify another mirror",
        reasons(failures)
    )]
    #[non_exhaustive]
    FetchFailed {
        /// The reason for each mirror, in the order of the attempts.
        failures: Vec<MirrorFailure>,
    },
    /// Another program is downloading the same file into the same folder.
    #[cfg(feature = "fetch")]
    #[error("another program is downloading this file; wait until it is done, then try again")]
    DownloadUnderWay,
    /// A file has the name of a published one, but other content.
    #[cfg(feature = "fetch")]
    #[error(
        "a file of this name exists, and it is not the published one; move it away, or overwrite it"
    )]
    FileConflict,
    /// A file of the data set cannot be extracted from the archive.
    #[cfg(feature = "fetch")]
    #[error("{member} in this archive {reason}; delete the archive, then fetch it again")]
    #[non_exhaustive]
    Archive {
        /// The name of the file in the archive.
        member: String,
        /// What is wrong with it, in words.
        reason: String,
    },
}

impl ErrorKind {
    /// The error for programs in other languages; `None` for those that only a caller in Rust can cause.
    #[must_use]
    pub fn description(&self) -> Option<Description> {
        Some(match self {
            Self::File(kind) => return kind.description(),
            Self::NoDataSet => Description::new("no_data_set", []),
            Self::MissingFile { .. } => Description::new("missing_file", []),
            Self::NameMismatch { .. } => Description::new("name_mismatch", []),
            Self::LabelCount { labels, images, .. } => Description::new(
                "label_count",
                [("labels", (*labels).into()), ("images", (*images).into())],
            ),
            Self::LabelNotAllowed { record, label, .. } => Description::new(
                "label_not_allowed",
                [("record", (*record).into()), ("label", Detail::Label(*label))],
            ),
            Self::MixedDataSets { .. } => Description::new("mixed_data_sets", []),
            _ => return None,
        })
    }
}

impl From<FileErrorKind> for Error {
    fn from(kind: FileErrorKind) -> Self {
        ErrorKind::File(kind).into()
    }
}

impl From<crate::error::Error> for Error {
    fn from(error: crate::error::Error) -> Self {
        error.map(ErrorKind::File)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        FileErrorKind::from(error).into()
    }
}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::File(kind) => kind.io_kind(),
            ErrorKind::NoDataSet | ErrorKind::MissingFile { .. } => std::io::ErrorKind::NotFound,
            ErrorKind::NameMismatch { .. }
            | ErrorKind::LabelCount { .. }
            | ErrorKind::LabelNotAllowed { .. }
            | ErrorKind::MixedDataSets { .. } => std::io::ErrorKind::InvalidData,
            _ => std::io::ErrorKind::Other,
        };
        Self::new(kind, error)
    }
}

/// The name without its folder, which the sentence has already.
fn name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or(path.as_os_str())).display()
}

#[cfg(feature = "fetch")]
fn reasons(failures: &[MirrorFailure]) -> String {
    let reasons = failures.iter();
    reasons.map(|failure| format!("{} {}; ", failure.address, failure.reason)).collect()
}
