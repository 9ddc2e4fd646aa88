//! Errors of the crates as exceptions of Python.

use std::ffi::OsString;
use std::io;

use idx_data::ErrorKind;
use pyo3::exceptions::{PyBaseException, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyErr, create_exception};

create_exception!(
    idxfile,
    Error,
    PyValueError,
    "A file or a set that is not what it should be.\n\nThe message says what is wrong, and what to do. `code` is a word \
     for programs, such as \"truncated\", which stays when the message changes."
);

/// The exception for an error of the crates: that of the system, if it is one.
pub(crate) fn exception(py: Python<'_>, error: impl Into<idx_data::Error>) -> PyErr {
    let error = error.into();
    let kind = error.kind();
    match system_error(kind).and_then(errno) {
        // Python makes it a FileNotFoundError, a PermissionError or another one by this number.
        Some(errno) => {
            let path = error.path().map_or(OsString::new(), |path| path.into());
            PyOSError::new_err((errno, error.sentence(), path))
        }
        None => coded(py, kind.code(), &error.to_string()),
    }
}

/// An `Error` with a code. Control characters in names of files do not reach the terminal.
pub(crate) fn coded(py: Python<'_>, code: &str, message: &str) -> PyErr {
    let printable = |character: char| match character.is_control() {
        true => character.escape_unicode().to_string(),
        false => character.to_string(),
    };
    let exception = Error::new_err(message.chars().map(printable).collect::<String>());
    match exception.value(py).setattr("code", code) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// The same for the part that is in Python.
#[pyfunction]
pub(crate) fn error(py: Python<'_>, code: &str, message: &str) -> Py<PyBaseException> {
    coded(py, code, message).into_value(py)
}

fn system_error(kind: &ErrorKind) -> Option<&io::Error> {
    match kind {
        ErrorKind::File(idx_std::ErrorKind::Io(error)) => Some(error),
        _ => None,
    }
}

/// The number of C, which is the same everywhere for these kinds.
fn errno(error: &io::Error) -> Option<i32> {
    match error.kind() {
        io::ErrorKind::NotFound => Some(2),
        io::ErrorKind::OutOfMemory => Some(12),
        io::ErrorKind::PermissionDenied => Some(13),
        io::ErrorKind::AlreadyExists => Some(17),
        io::ErrorKind::NotADirectory => Some(20),
        io::ErrorKind::IsADirectory => Some(21),
        _ => error.raw_os_error(),
    }
}
