use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use idx_std::__private::counted;
use idx_std::{Error as FileError, ErrorKind as FileErrorKind};

/// What went wrong. Each displays as a sentence that says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file or folder could not be read or written, or a file of IDX is damaged.
    #[error("{}", .0.sentence())]
    File(FileError),
    /// The stream that the caller gave could not be written.
    #[error("{}", .0.sentence())]
    Output(FileError),
    /// The content of an input is wrong, or what is asked of it; [`code`](Self::code) tells what.
    #[error("{0}")]
    Invalid(Invalid),
    /// This crate was built without the feature for the format.
    #[error("this program was built without the feature `{feature}`")]
    #[non_exhaustive]
    Disabled {
        /// The feature.
        feature: &'static str,
    },
    /// The number of labels is not the number of images.
    #[error(
        "{} for the {}{}; use the matching files, or download both again",
        counted((*labels).into(), "label"),
        counted((*images).into(), "image"),
        images_path.as_deref().map(|path| format!(" of {}", file_name(path))).unwrap_or_default()
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
}

/// Wrong content, or a wrong request; what it is, is its [code](ErrorKind::code).
#[derive(Debug)]
pub struct Invalid {
    pub(crate) code: &'static str,
    pub(crate) position: Option<Position>,
    pub(crate) message: String,
    pub(crate) setting: Option<Setting>,
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
#[cfg_attr(
    not(all(feature = "csv", feature = "parquet", feature = "pictures")),
    expect(dead_code, reason = "the formats advise them")
)]
pub(crate) enum Setting {
    ElementType,
    /// The element type, or a scale: the numbers are fractions.
    ScaledType,
    LabelType,
    Shape,
    /// The shape, which says what columns of other names are.
    ShapeOfColumns,
    Header,
    Labels,
    ShardRecords,
    MaxPixels,
    PictureSize,
    Color,
    RecordLimit,
    LabelColumn,
    /// No labels beside the records.
    NoLabels,
    Classes,
}

impl Setting {
    /// The method that sets it, and the end of a sentence that advises it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::ElementType => ("element_type", "choose another element type"),
            Self::ScaledType => ("scale", "choose another element type, or scale to its range"),
            Self::LabelType => ("label_type", "choose another label type"),
            Self::Shape => ("shape", "give the shape of a record"),
            Self::ShapeOfColumns => (
                "shape",
                "give all the same columns in one order, or if the names mean the same, give the shape of a record",
            ),
            Self::Header => ("header", "say whether it names the columns"),
            Self::Labels => ("labels", "say whether it is"),
            Self::RecordLimit => ("record_limit", "if you trust the file, raise the limit"),
            Self::LabelColumn => ("label_column", "choose the column of the labels"),
            Self::NoLabels => ("labels", "leave the labels out"),
            Self::Classes => ("classes", "if its names are right, give them"),
            Self::ShardRecords => ("shards", "give the number of records in each shard instead"),
            Self::MaxPixels => ("max_pixels", "raise the limit"),
            Self::PictureSize => ("size", "scale the pictures to one size"),
            Self::Color => ("color", "choose whether pictures have colors"),
        }
    }
}

/// The code for records above the limit, whether `idx-std` finds them or this crate.
const OVER_LIMIT: &str = "record_limit_exceeded";

impl ErrorKind {
    /// The method of the options that the end of the message advises, such as `record_limit`, if any.
    #[must_use]
    pub fn setting(&self) -> Option<&'static str> {
        match self {
            Self::Invalid(Invalid { setting: Some(setting), .. }) => Some(setting.words().0),
            Self::File(_) if self.code() == OVER_LIMIT => Some(Setting::RecordLimit.words().0),
            _ => None,
        }
    }

    /// A stable word for programs: it stays the same when the message changes.
    ///
    /// Those of [`File`](Self::File) are of [`idx_std::ErrorKind::code`]; the others are `output`, `disabled`,
    /// `label_count`, `label_not_allowed`, and of [`Invalid`](Self::Invalid):
    ///
    /// | code | what is wrong |
    /// | --- | --- |
    /// | `malformed` | The content is not valid in its format. |
    /// | `out_of_range` | The type of the elements or labels does not have a number. |
    /// | `unsupported` | The content is valid, but IDX or the other format cannot represent it. |
    /// | `record_limit_exceeded` | A record, a line of csv or an array in Fortran order needs more bytes than the limit. |
    /// | `mismatch` | Inputs, labels and options do not match. |
    /// | `beyond_last_record` | Records were selected beyond the last one. |
    /// | `not_enough_records`, `unknown_class`, `invalid_fraction` | A set does not have what is wanted of it. |
    /// | `no_folder`, `no_data_set`, `several_data_sets` | A folder does not have exactly one data set. |
    /// | `missing_file`, `several_files`, `swapped`, `name_mismatch` | A file of a data set is not what its name says. |
    /// | `mixed_data_sets`, `other_labels` | Files belong to two data sets. |
    /// | `fetch_failed`, `file_conflict` | A file of a data set was not downloaded. |
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(error) => error.kind().code(),
            Self::Output(_) => "output",
            Self::Invalid(invalid) => invalid.code,
            Self::Disabled { .. } => "disabled",
            Self::LabelCount { .. } => "label_count",
            Self::LabelNotAllowed { .. } => "label_not_allowed",
        }
    }

    /// The position, if the error is in a record.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Invalid(invalid) => invalid.position,
            _ => None,
        }
    }

    /// The error of this code, with its sentence.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid(Invalid { code, position: None, message: message.into(), setting: None })
    }

    /// The stream that the caller gave could not be written.
    pub(crate) fn output(error: io::Error) -> Self {
        Self::Output(FileErrorKind::from(error).into())
    }

    /// The content is not valid in its format.
    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new("malformed", message)
    }

    /// The content is valid, but IDX or the other format cannot represent it.
    pub(crate) fn unsupported(message: impl Into<String>) -> Self {
        Self::new("unsupported", message)
    }

    /// A record takes more bytes than the limit.
    pub(crate) fn over_limit(message: impl Into<String>) -> Self {
        Self::new(OVER_LIMIT, message).advise(Setting::RecordLimit)
    }

    /// Two files are meant to be the same, and are not.
    pub(crate) fn several_files(first: &Path, second: &Path) -> Self {
        let message = format!(
            "{} and {} differ, and either could be meant; remove or rename one of them",
            file_name(first),
            file_name(second)
        );
        Self::new("several_files", message)
    }

    /// Inputs, labels and options do not match.
    pub(crate) fn mismatch(message: impl Into<String>) -> Self {
        Self::new("mismatch", message)
    }

    /// The same error at this position, if it is about a record.
    pub(crate) fn at_position(mut self, here: Position) -> Self {
        if let Self::Invalid(Invalid { code: "malformed" | "out_of_range", position, .. }) =
            &mut self
        {
            *position = Some(here);
        }
        self
    }

    /// The same error with this advice, if any.
    pub(crate) fn advise(mut self, advice: impl Into<Option<Setting>>) -> Self {
        if let Self::Invalid(invalid) = &mut self {
            invalid.setting = advice.into();
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

impl From<FileErrorKind> for ErrorKind {
    fn from(kind: FileErrorKind) -> Self {
        Self::File(kind.into())
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        f.write_str(&self.message)?;
        match self.setting {
            Some(setting) => write!(f, "; {}", setting.words().1),
            None => Ok(()),
        }
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

/// The name without its folder, which the message has already.
pub(crate) fn file_name(path: &Path) -> std::path::Display<'_> {
    Path::new(path.file_name().unwrap_or(path.as_os_str())).display()
}
