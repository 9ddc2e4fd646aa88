//! The errors of this crate, as values that carry the numbers.

mod kind;

use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

pub use kind::{ErrorKind, Invalid, Position};
pub(crate) use kind::{Setting, file_name};

/// What went wrong, and in which file or folder.
///
/// The sentence names the path and what to do next. An error of `idx-std` is the kind
/// [`File`](ErrorKind::File). `Debug` prints the same message, because a user reads it when `main` returns the
/// error. Converted to an [`io::Error`], it keeps the kind of the system's error, if there was one.
pub struct Error(Box<Inner>);

/// Boxed, so that a `Result` of a record stays small.
struct Inner {
    kind: ErrorKind,
    path: Option<PathBuf>,
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
        self.0.path.as_deref()
    }

    /// The number of whole records that were read or written before; `None` if that does not apply.
    #[must_use]
    pub fn records(&self) -> Option<u64> {
        match self.kind() {
            ErrorKind::File(error) => error.records(),
            _ => None,
        }
    }

    /// The same error with the file or folder that it is about.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        self.kind().fmt(f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.kind().source()
    }
}

/// Adds the path to any of the errors.
pub(crate) trait At<T> {
    fn at(self, path: &Path) -> Result<T, Error>;
}

impl<T, E: Into<ErrorKind>> At<T> for Result<T, E> {
    fn at(self, path: &Path) -> Result<T, Error> {
        self.map_err(|error| Error::from(error.into()).with_path(path))
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        let path = match &kind {
            ErrorKind::File(error) => error.path().map(Path::to_path_buf),
            _ => None,
        };
        Self(Box::new(Inner { kind, path }))
    }
}

impl Error {
    /// The same error with the file that it is about, if it has a name.
    pub(crate) fn at(self, path: Option<&Path>) -> Self {
        match path {
            Some(path) => self.with_path(path),
            None => self,
        }
    }
}

impl From<Error> for ErrorKind {
    fn from(error: Error) -> Self {
        error.0.kind
    }
}

impl From<idx_std::Error> for Error {
    fn from(error: idx_std::Error) -> Self {
        ErrorKind::File(error).into()
    }
}

impl From<idx_std::ErrorKind> for Error {
    fn from(kind: idx_std::ErrorKind) -> Self {
        idx_std::Error::from(kind).into()
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        // It may be one of these, which became an error of the system on its way.
        error.downcast().unwrap_or_else(|error| ErrorKind::from(error).into())
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::File(error) | ErrorKind::Output(error) => error.kind().io_kind(),
            kind => match kind.code() {
                "no_folder" | "no_data_set" | "missing_file" => io::ErrorKind::NotFound,
                "unsupported" | "disabled" => io::ErrorKind::Unsupported,
                "mismatch" | "beyond_last_record" => io::ErrorKind::InvalidInput,
                _ => io::ErrorKind::InvalidData,
            },
        };
        Self::new(kind, error)
    }
}
