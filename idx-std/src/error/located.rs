//! The error type: the kind of an error, the file, and the number of records before it.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::error::kind::ErrorKind;
use crate::words::{counted, printable};

/// An error: its kind, the file, and the number of records before it.
///
/// The sentence names the path and what to do next. [`kind`](Error::kind) is for programs; it holds the error of
/// `idx-core` or of the operating system. The message already contains the text of that error, so there is no
/// [`source`](std::error::Error::source): a chain of errors would print it again.
///
/// `Debug` prints the sentence with the code and the kind, because a user sees it when `main` returns the error. An
/// error of the system keeps its kind when converted to an [`io::Error`].
///
/// ```
/// let error = idx_std::IdxBuf::from_bytes(*b"\0\0\x08\x01\0\0\0\x03\x07").unwrap_err();
/// assert_eq!(
///     format!("{error:?}"),
///     "the payload is truncated: expected 3 bytes, found 1 (2 missing); download or copy the file again \
///      (after 1 whole record) [truncated: Format(Truncated { needed: 3, found: 1 })]"
/// );
/// ```
pub struct Error(Box<Inner>);

/// Boxed, so that the `Result` of a record stays small.
struct Inner {
    kind: ErrorKind,
    path: Option<PathBuf>,
    records: Option<u64>,
}

impl Error {
    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the kind of the error, without the place.
    #[must_use]
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the path of the file or folder, if it has one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// Returns the number of whole records read or written before the error; `None` if that does not apply.
    #[must_use]
    pub fn records(&self) -> Option<u64> {
        self.0.records
    }

    /// Adds the path of the file that the error is about.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// Adds the path of the file that the error is about, if it has one.
    #[must_use]
    pub(crate) fn at(self, path: Option<&Path>) -> Self {
        match path {
            Some(path) => self.with_path(path),
            None => self,
        }
    }

    /// Adds the number of whole records before the error.
    #[must_use]
    pub fn with_records(mut self, records: u64) -> Self {
        self.0.records = Some(records);
        self
    }

    /// Returns the sentence without the path.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.records() {
            Some(records) => {
                format!("{} (after {})", self.kind(), counted(records, "whole record"))
            }
            None => self.kind().to_string(),
        }
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, path: None, records: None }))
    }
}

impl From<idx_core::ErrorKind> for Error {
    fn from(error: idx_core::ErrorKind) -> Self {
        ErrorKind::from(error).into()
    }
}

impl From<idx_core::Error> for Error {
    fn from(error: idx_core::Error) -> Self {
        ErrorKind::from(error).into()
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        // It may hold an `Error` that was converted to an `io::Error` on the way.
        error.downcast().unwrap_or_else(|error| ErrorKind::from(error).into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path().map(|path| format!("{}: ", path.display())).unwrap_or_default();
        f.write_str(&printable(&format!("{path}{}", self.sentence())))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} [{}: {:?}]", self.kind().code(), self.kind())
    }
}

impl std::error::Error for Error {}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.kind().io_kind(), error)
    }
}
