use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use idx_std::__private::counted;
use idx_std::{Error as FileError, ErrorKind as FileErrorKind};

use crate::dataset::{FileKind, Split};
use crate::npy::{Error as NpyError, OutOfRange};

/// What went wrong. Each displays as a sentence that says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file or folder could not be read or written.
    #[error("{}", .0.message())]
    File(FileError),
    /// The stream that the caller gave could not be written.
    #[error("{0}")]
    Output(io::Error),
    /// The header of an npy file is not valid.
    #[error(transparent)]
    Npy(NpyError),
    /// The content is not valid in its format.
    #[error("{}{message}{}", place(position), advice(setting))]
    #[non_exhaustive]
    Malformed {
        /// The position, if the error is in a record.
        position: Option<Position>,
        /// What is wrong.
        message: String,
        /// The option that may solve it.
        setting: Option<Setting>,
    },
    /// A number is out of range for the requested type of the elements or labels.
    #[error("{}{}{number}{}", place(position), if *is_label { "label " } else { "" }, number_advice(*is_label, number))]
    OutOfRange {
        /// The position of the number.
        position: Option<Position>,
        /// Whether it is a label.
        is_label: bool,
        /// The number and the type.
        number: OutOfRange,
    },
    /// The content is valid, but IDX or the other format cannot represent it.
    #[error("{message}{}", advice(setting))]
    #[non_exhaustive]
    Unsupported {
        /// What cannot be represented.
        message: String,
        /// The option that may solve it.
        setting: Option<Setting>,
    },
    /// Inputs, labels and options do not match.
    #[error("{message}{}", advice(setting))]
    #[non_exhaustive]
    Mismatch {
        /// What does not match.
        message: String,
        /// The option that may solve it.
        setting: Option<Setting>,
    },
    /// Records were selected beyond the last one.
    #[error(
        "the range goes beyond the last record; {}, counted from 0",
        match count { 1 => "there is 1 record".to_string(), _ => format!("there are {count} records") }
    )]
    BeyondLastRecord {
        /// The number of records.
        count: u64,
    },
    /// This crate was built without the feature for the format.
    #[error("this program was built without the feature `{feature}`")]
    #[non_exhaustive]
    Disabled {
        /// The feature.
        feature: &'static str,
    },
    /// The folder is not there.
    #[error("no such folder; check the path")]
    NoFolder,
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
    /// Two files in a folder have the name of the same part of a data set.
    #[error(
        "there are two files for the {split} {kind}: {} and {}; remove one of them",
        name(first),
        name(second)
    )]
    #[non_exhaustive]
    SeveralFiles {
        /// For training or for the test.
        split: Split,
        /// Images or labels.
        kind: FileKind,
        /// A file of this part.
        first: PathBuf,
        /// Another file of this part.
        second: PathBuf,
    },
    /// A file of images has labels, or one of labels images.
    #[error("this has the shape of {found}; are images and labels swapped?")]
    #[non_exhaustive]
    Swapped {
        /// What it has the shape of.
        found: FileKind,
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
    /// The images are those of a well-known data set, and the labels are not.
    #[error(
        "these are not the labels of {}, which is {}; use the files that belong together, or download both again",
        name(&images.0),
        images.1
    )]
    #[non_exhaustive]
    OtherLabels {
        /// The file of the images, and what it is.
        images: (PathBuf, String),
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
        /// The address and the reason for each mirror, in the order of the attempts.
        failures: Vec<String>,
    },
    /// A file has the name of a published one, but other content.
    #[cfg(feature = "fetch")]
    #[error(
        "a file of this name exists, and it is not the published one; move it away, or overwrite it"
    )]
    FileConflict,
}

/// A position in an input, with the numbers that people use for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Position {
    /// The record, counted from 0.
    pub record: u64,
    /// The line of a text file, counted from 1.
    pub line: Option<u64>,
    /// The column of a line, counted from 0.
    pub column: Option<usize>,
}

/// An option with which the same input may be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Setting {
    /// The element type.
    ElementType,
    /// The element type of the labels.
    LabelType,
    /// The shape of a record.
    Shape,
    /// Whether the first line names the columns.
    Header,
    /// The number of records in a shard.
    ShardRecords,
    /// The maximum number of pixels of a picture.
    MaxPixels,
    /// The size of pictures.
    PictureSize,
    /// Whether pictures have colors.
    Color,
    /// The maximum size of a record.
    RecordLimit,
    /// The column of the labels.
    LabelColumn,
    /// The names of the classes.
    Classes,
}

impl ErrorKind {
    /// The option that the end of the message advises, if any.
    #[must_use]
    pub fn setting(&self) -> Option<Setting> {
        match self {
            Self::Malformed { setting, .. }
            | Self::Unsupported { setting, .. }
            | Self::Mismatch { setting, .. } => *setting,
            Self::OutOfRange { is_label: true, .. } => Some(Setting::LabelType),
            Self::OutOfRange { number, .. } => number.fits_f64().then_some(Setting::ElementType),
            _ => None,
        }
    }

    /// A stable word for programs: it stays the same when the message changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(error) => error.kind().code(),
            Self::Output(_) => "output",
            Self::Npy(_) => "npy",
            Self::Malformed { .. } => "malformed",
            Self::OutOfRange { .. } => "out_of_range",
            Self::Unsupported { .. } => "unsupported",
            Self::Mismatch { .. } => "mismatch",
            Self::BeyondLastRecord { .. } => "beyond_last_record",
            Self::Disabled { .. } => "disabled",
            Self::NoFolder => "no_folder",
            Self::SeveralFiles { .. } => "several_files",
            Self::Swapped { .. } => "swapped",
            Self::OtherLabels { .. } => "other_labels",
            Self::NoDataSet => "no_data_set",
            Self::MissingFile { .. } => "missing_file",
            Self::NameMismatch { .. } => "name_mismatch",
            Self::LabelCount { .. } => "label_count",
            Self::LabelNotAllowed { .. } => "label_not_allowed",
            Self::MixedDataSets { .. } => "mixed_data_sets",
            Self::SeveralDataSets { .. } => "several_data_sets",
            Self::NotEnoughRecords { .. } => "not_enough_records",
            Self::InvalidFraction { .. } => "invalid_fraction",
            Self::UnknownClass { .. } => "unknown_class",
            #[cfg(feature = "fetch")]
            Self::FetchFailed { .. } => "fetch_failed",
            #[cfg(feature = "fetch")]
            Self::FileConflict => "file_conflict",
        }
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::Malformed { position: None, message: message.into(), setting: None }
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::Unsupported { message: message.into(), setting: None }
    }

    pub(crate) fn mismatch(message: impl Into<String>) -> Self {
        Self::Mismatch { message: message.into(), setting: None }
    }

    /// The same error at this position, if it is about a record.
    pub(crate) fn at_position(mut self, here: Position) -> Self {
        if let Self::Malformed { position, .. } | Self::OutOfRange { position, .. } = &mut self {
            *position = Some(here);
        }
        self
    }

    /// The same error with this advice, if any.
    pub(crate) fn advise(mut self, advice: impl Into<Option<Setting>>) -> Self {
        if let Self::Malformed { setting, .. }
        | Self::Unsupported { setting, .. }
        | Self::Mismatch { setting, .. } = &mut self
        {
            *setting = advice.into();
        }
        self
    }
}

impl From<u64> for Position {
    fn from(record: u64) -> Self {
        Self { record, line: None, column: None }
    }
}

impl From<FileError> for ErrorKind {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> Self {
        // Gzip data is decompressed by a reader, whose error has its own kind.
        let decompressed = error.downcast::<FileError>();
        Self::File(decompressed.unwrap_or_else(|error| FileErrorKind::from(error).into()))
    }
}

impl From<OutOfRange> for ErrorKind {
    fn from(number: OutOfRange) -> Self {
        Self::OutOfRange { position: None, is_label: false, number }
    }
}

impl From<FileErrorKind> for ErrorKind {
    fn from(kind: FileErrorKind) -> Self {
        Self::File(kind.into())
    }
}

impl From<NpyError> for ErrorKind {
    fn from(error: NpyError) -> Self {
        Self::Npy(error)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}", self.record)?;
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        match self.column {
            Some(column) => write!(f, ", column {column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ElementType => "choose another element type",
            Self::LabelType => "choose another label type",
            Self::Shape => "give the shape of a record",
            Self::Header => "if the first line names the columns, say so",
            Self::RecordLimit => "if you trust the file, raise the limit",
            Self::LabelColumn => "choose the column of the labels",
            Self::Classes => "if its names are right, give them",
            Self::ShardRecords => "give the number of records in each shard instead",
            Self::MaxPixels => "raise the limit",
            Self::PictureSize => "scale the pictures to one size",
            Self::Color => "choose whether pictures have colors",
        })
    }
}

/// The position as the start of a sentence.
fn place(position: &Option<Position>) -> String {
    position.as_ref().map_or(String::new(), |position| format!("{position}: "))
}

/// The option as the end of a sentence.
fn advice(setting: &Option<Setting>) -> String {
    setting.as_ref().map_or(String::new(), |setting| format!("; {setting}"))
}

fn number_advice(is_label: bool, number: &OutOfRange) -> String {
    if is_label {
        return advice(&Some(Setting::LabelType));
    }
    match (number.fits_f64(), number.origin) {
        (true, _) => advice(&Some(Setting::ElementType)),
        (false, Some(_)) => {
            "; scale to a smaller range, or divide by a larger deviation".to_string()
        }
        (false, None) => "; IDX has no type for it, so round it first".to_string(),
    }
}

/// The name without its folder, which the message has already.
fn name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or(path.as_os_str())).display()
}

#[cfg(feature = "fetch")]
fn reasons(failures: &[String]) -> String {
    failures.iter().map(|failure| format!("{failure}; ")).collect()
}
