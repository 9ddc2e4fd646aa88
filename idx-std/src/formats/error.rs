use std::fmt;
use std::io;
use std::path::Path;

use crate::error::{Description, Error as FileError, ErrorKind as FileErrorKind, ErrorOf};
use crate::npy::OutOfRange;

/// Why a file or folder cannot be read or written as records, and its path.
pub type Error = ErrorOf<ErrorKind>;

/// What went wrong. Each displays as a sentence that says what to do next.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file or folder could not be read or written.
    File(FileError),
    /// The stream that the caller gave could not be written.
    Output(io::Error),
    /// The content is not valid in its format.
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
    OutOfRange {
        /// The position of the number.
        position: Option<Position>,
        /// Whether it is a label.
        is_label: bool,
        /// The number and the type.
        error: OutOfRange,
    },
    /// The content is valid, but IDX or the other format cannot represent it.
    #[non_exhaustive]
    Unsupported {
        /// What cannot be represented.
        message: String,
        /// The option that may solve it.
        setting: Option<Setting>,
    },
    /// Inputs, labels and options do not match.
    #[non_exhaustive]
    Mismatch {
        /// What does not match.
        message: String,
        /// The option that may solve it.
        setting: Option<Setting>,
    },
    /// Records were selected beyond the last one.
    NotEnoughRecords {
        /// The number of records.
        count: u64,
    },
    /// This crate was built without the feature for the format.
    #[non_exhaustive]
    Disabled {
        /// The feature.
        feature: &'static str,
    },
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
            Self::OutOfRange { error, .. } => error.fits_f64().then_some(Setting::ElementType),
            _ => None,
        }
    }

    /// The error for programs in other languages, if it is one of a file.
    #[must_use]
    pub fn description(&self) -> Option<Description> {
        match self {
            Self::File(error) => error.kind().description(),
            _ => None,
        }
    }

    pub(super) fn malformed(message: impl Into<String>) -> Self {
        Self::Malformed { position: None, message: message.into(), setting: None }
    }

    pub(super) fn unsupported(message: impl Into<String>) -> Self {
        Self::Unsupported { message: message.into(), setting: None }
    }

    pub(super) fn mismatch(message: impl Into<String>) -> Self {
        Self::Mismatch { message: message.into(), setting: None }
    }

    /// The same error at this position, if it is about a record.
    pub(super) fn at_position(mut self, here: Position) -> Self {
        if let Self::Malformed { position, .. } | Self::OutOfRange { position, .. } = &mut self {
            *position = Some(here);
        }
        self
    }

    /// The same error with this advice, if any.
    pub(super) fn advise(mut self, advice: impl Into<Option<Setting>>) -> Self {
        if let Self::Malformed { setting, .. }
        | Self::Unsupported { setting, .. }
        | Self::Mismatch { setting, .. } = &mut self
        {
            *setting = advice.into();
        }
        self
    }
}

/// Adds the path to any of the errors.
pub(super) trait At<T> {
    fn at(self, path: &Path) -> Result<T, Error>;
}

impl<T, E: Into<ErrorKind>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T, Error> {
        self.map_err(|error| Error::from(error.into()).with_path(path))
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        let path = error.path().map(Path::to_path_buf);
        Self::from(ErrorKind::File(error)).at(path.as_deref())
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::File(error) => error.kind().io_kind(),
            ErrorKind::Output(error) => error.kind(),
            ErrorKind::Malformed { .. } | ErrorKind::OutOfRange { .. } => {
                io::ErrorKind::InvalidData
            }
            ErrorKind::Unsupported { .. } | ErrorKind::Disabled { .. } => {
                io::ErrorKind::Unsupported
            }
            ErrorKind::Mismatch { .. } | ErrorKind::NotEnoughRecords { .. } => {
                io::ErrorKind::InvalidInput
            }
        };
        Self::new(kind, error)
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
    fn from(error: OutOfRange) -> Self {
        Self::OutOfRange { position: None, is_label: false, error }
    }
}

// Each keeps the error of the system: its kind distinguishes a full disk from a closed pipe.

#[cfg(feature = "pictures")]
impl From<csv::Error> for ErrorKind {
    fn from(error: csv::Error) -> Self {
        let message = error.to_string();
        match error.into_kind() {
            csv::ErrorKind::Io(error) => error.into(),
            _ => Self::malformed(message),
        }
    }
}

#[cfg(feature = "pictures")]
impl From<png::EncodingError> for ErrorKind {
    fn from(error: png::EncodingError) -> Self {
        match error {
            png::EncodingError::IoError(error) => error,
            other => io::Error::other(other),
        }
        .into()
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Malformed { position, .. } | Self::OutOfRange { position, .. } = self
            && let Some(position) = position
        {
            write!(f, "{position}: ")?;
        }
        match self {
            Self::File(error) => f.write_str(&error.message())?,
            Self::Output(error) => error.fmt(f)?,
            Self::Malformed { message, .. }
            | Self::Unsupported { message, .. }
            | Self::Mismatch { message, .. } => f.write_str(message)?,
            Self::OutOfRange { is_label, error, .. } => {
                let label = if *is_label { "label " } else { "" };
                write!(f, "{label}{error}")?;
            }
            Self::NotEnoughRecords { count } => {
                let there = match count {
                    1 => "there is 1 record",
                    _ => &format!("there are {count} records"),
                };
                write!(f, "the range goes beyond the last record; {there}, counted from 0")?;
            }
            Self::Disabled { feature } => {
                write!(f, "this program was built without the feature `{feature}`")?;
            }
        }
        match (self.setting(), self) {
            (Some(setting), _) => write!(f, "; {setting}"),
            (None, Self::OutOfRange { error, .. }) => f.write_str(match error.origin {
                Some(_) => "; scale to a smaller range, or divide by a larger deviation",
                None => "; IDX has no type for it, so round it first",
            }),
            (None, _) => Ok(()),
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

/// Without a source: the sentence has the text of the errors in it.
impl std::error::Error for ErrorKind {}
