use std::error::Error as StdError;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use super::kind::ErrorKind;
use crate::words::counted;

/// What went wrong, in which file, and after how many records.
///
/// The sentence names the path and what to do next. [`kind`](ErrorOf::kind) is for programs; it holds the
/// error of `idx-core` or of the operating system, whose text is part of the sentence. So there is no
/// [`source`](std::error::Error::source), which a chain of errors would print a second time.
///
/// `Debug` prints the same message, because a user reads it when `main` returns the error. Converted to an
/// [`io::Error`], it keeps the kind of the system's error, if there was one.
///
/// ```
/// let error = idx_std::IdxBuf::from_bytes(b"<!DOCTYPE html>".to_vec()).unwrap_err();
/// assert!(error.to_string().starts_with("this is a web page, not an IDX file"));
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
pub type Error = ErrorOf<ErrorKind>;

/// An error of some kind, with the file and the number of records: [`Error`], and those of data sets and of
/// other formats.
pub struct ErrorOf<K>(Box<Inner<K>>);

/// Boxed, so that a `Result` of a record stays small.
struct Inner<K> {
    kind: K,
    path: Option<PathBuf>,
    records: Option<u64>,
}

impl<K> ErrorOf<K> {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &K {
        &self.0.kind
    }

    /// What went wrong, by value.
    #[must_use]
    pub fn into_kind(self) -> K {
        self.0.kind
    }

    /// The file or folder, if it has a name.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The number of whole records that were read or written before; `None` if that does not apply.
    #[must_use]
    pub fn records(&self) -> Option<u64> {
        self.0.records
    }

    /// The same error with the file that it is about.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// The same error with the file that it is about, if it has a name.
    pub(crate) fn at(self, path: Option<&Path>) -> Self {
        match path {
            Some(path) => self.with_path(path),
            None => self,
        }
    }

    pub(crate) fn with_records(mut self, records: u64) -> Self {
        self.0.records = Some(records);
        self
    }

    /// The same error as one of another kind.
    pub(crate) fn map<L>(self, kind: impl FnOnce(K) -> L) -> ErrorOf<L> {
        let Inner { kind: inner, path, records } = *self.0;
        ErrorOf(Box::new(Inner { kind: kind(inner), path, records }))
    }
}

impl<K: fmt::Display> ErrorOf<K> {
    /// The sentence without the path.
    #[must_use]
    pub fn message(&self) -> String {
        match self.records() {
            Some(records) => {
                format!("{} (after {})", self.kind(), counted(records, "whole record"))
            }
            None => self.kind().to_string(),
        }
    }
}

impl<K> From<K> for ErrorOf<K> {
    fn from(kind: K) -> Self {
        Self(Box::new(Inner { kind, path: None, records: None }))
    }
}

impl<K: fmt::Display> fmt::Display for ErrorOf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path() {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&self.message())
    }
}

impl<K: fmt::Display> fmt::Debug for ErrorOf<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<K: StdError> StdError for ErrorOf<K> {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.kind().source()
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.kind().io_kind(), error)
    }
}
