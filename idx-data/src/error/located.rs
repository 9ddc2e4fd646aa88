//! The error type: the kind of error, with its file and record.

use std::convert::Infallible;
use std::env::temp_dir;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use idx_std::__private::{counted, printable};

use crate::answer::{Answer, ReadingOption};
use crate::error::kind::ErrorKind;
use crate::error::position::Position;

/// An error, with the file or folder and the record in which it occurred.
///
/// It displays as the path and a sentence that says what to do next. An error of `idx-std` becomes the kind
/// [`File`](ErrorKind::File). `Debug` prints the sentence, too, because users see it when `main` returns the error, and
/// adds the code and the numbers. Converted to an [`io::Error`], it keeps the kind of the system's error, if there was
/// one.
pub struct Error(Box<Inner>);

/// Boxed, so that a `Result` of a record stays small.
struct Inner {
    kind: ErrorKind,
    path: Option<PathBuf>,
    position: Option<Position>,
    records: Option<u64>,
    is_beside: bool,
}

impl Error {
    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the file or folder, if it has a name.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the record that is wrong, with its line and column, if the error is about a record.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the number of whole records that were read or written before the error; `None` if that does not apply.
    #[must_use]
    pub fn records(&self) -> Option<u64> {
        self.0.records
    }

    /// Returns whether the error is about labels or class names that were found next to the input. The input can be
    /// read without them.
    #[doc(hidden)]
    #[must_use]
    pub fn is_beside(&self) -> bool {
        self.0.is_beside
    }

    /// Returns the same error with the file or folder that it is about.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// Returns the same error with the record that it is about, unless it already has one.
    pub(crate) fn with_position(mut self, position: impl Into<Position>) -> Self {
        self.0.position.get_or_insert(position.into());
        self
    }

    /// Marks an error about labels or class names that were found next to these records, and not one about the records
    /// themselves.
    pub(crate) fn beside(mut self, records: &Path) -> Self {
        self.0.is_beside = self.path().is_some_and(|path| path != records);
        if let ErrorKind::Question { answers, .. } = &mut self.0.kind
            && self.0.is_beside
            && !answers.iter().any(|answer| answer.option == ReadingOption::NoLabels)
        {
            let when = "to leave the labels out".to_string();
            answers.push(Answer { option: ReadingOption::NoLabels, when });
        }
        self
    }

    /// Turns an error of the system into one about the folder for temporary files.
    pub(crate) fn temporary(error: impl Into<Self>) -> Self {
        let inner = *error.into().0;
        match inner.kind {
            ErrorKind::File(idx_std::ErrorKind::Io(error))
            | ErrorKind::Output(idx_std::ErrorKind::Io(error)) => {
                Self::from(ErrorKind::Temporary(error)).with_path(temp_dir())
            }
            kind => Self(Box::new(Inner { kind, ..inner })),
        }
    }

    /// Returns the sentence without the path.
    #[must_use]
    pub fn sentence(&self) -> String {
        let position = self.position().map(|position| format!("{position}: "));
        let after =
            self.records().map(|records| format!(" (after {})", counted(records, "whole record")));
        format!("{}{}{}", position.unwrap_or_default(), self.kind(), after.unwrap_or_default())
    }

    /// Returns the same error with the file that it is about, if it has a name.
    pub(crate) fn at(self, path: Option<&Path>) -> Self {
        match path {
            Some(path) => self.with_path(path),
            None => self,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Records in memory have no path.
        let path = self.path().filter(|path| !path.as_os_str().is_empty());
        let path = path.map(|path| format!("{}: ", path.display())).unwrap_or_default();
        f.write_str(&printable(&format!("{path}{}", self.sentence())))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, kind) = (self.kind().code(), format!("{:?}", self.kind()));
        let sentence = match self.kind() {
            ErrorKind::Question { sentence, .. } => sentence.clone(),
            kind => kind.to_string(),
        };
        // A kind that only holds its sentence would print it twice.
        match kind.contains(&format!("{sentence:?}")) {
            true => write!(f, "{self} [{code}]"),
            false => write!(f, "{self} [{code}: {kind}]"),
        }
    }
}

impl std::error::Error for Error {}

/// Adds the path to the error of a result.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T, Error>;
}

impl<T, E: Into<Error>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T, Error> {
        self.map_err(|error| error.into().with_path(path))
    }
}

impl ErrorKind {
    /// Returns this error with its record.
    pub(crate) fn at_position(self, position: impl Into<Position>) -> Error {
        Error::from(self).with_position(position)
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, path: None, position: None, records: None, is_beside: false }))
    }
}

/// Never called: [`Source::select`](crate::Source::select) takes text, which can fail to parse, and numbers, which
/// cannot.
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

impl From<idx_std::Error> for Error {
    fn from(error: idx_std::Error) -> Self {
        let (path, records) = (error.path().map(Path::to_path_buf), error.records());
        let kind = ErrorKind::File(error.into_kind());
        Self(Box::new(Inner { kind, path, position: None, records, is_beside: false }))
    }
}

impl From<idx_std::ErrorKind> for Error {
    fn from(kind: idx_std::ErrorKind) -> Self {
        ErrorKind::File(kind).into()
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        // It may be an error of this crate that was converted on its way.
        let error = match error.downcast::<Self>() {
            Ok(error) => return error,
            Err(error) => error,
        };
        match error.downcast::<idx_std::Error>() {
            Ok(error) => error.into(),
            Err(error) => ErrorKind::from(error).into(),
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.kind().io_kind(), error)
    }
}
