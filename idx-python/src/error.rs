//! The crates' errors as Python exceptions.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use idx_data::{ErrorKind, Hint};
use idx_std::__private::printable;
use pyo3::exceptions::{PyBaseException, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyErr, create_exception};

use crate::answer::{answer_text, is_stream};
use crate::wait::raised;

create_exception!(
    idxfile,
    Error,
    PyValueError,
    "A file or a set that is not what it should be.\n\nThe message says what is wrong, and what to do. `code` is a word \
     for programs, such as \"truncated\", that stays the same when the message changes."
);

/// Returns the exception for an error: one that a signal or a file object raised, one of the system, or an `Error`.
pub(crate) fn exception(py: Python<'_>, error: impl Into<idx_data::Error>) -> PyErr {
    let error = error.into();
    let kind = error.kind();
    if let Some(system) = system_error(kind) {
        if let Some(raised) = raised(py, system) {
            return raised;
        }
        if system.kind() == io::ErrorKind::OutOfMemory {
            return PyMemoryError::new_err(error.to_string());
        }
        if let Some(exception) = os_error(system, &error) {
            return exception;
        }
    }
    match told(py, &error) {
        Ok(message) => coded(py, kind.code(), &message),
        Err(other) => other,
    }
}

/// The extensions of formats that `open` reads and `load` does not.
const OTHERS: [&str; 10] = ["npy", "npz", "csv", "tsv", "png", "jpg", "jpeg", "gif", "bmp", "webp"];

/// Returns the exception for a file loaded as IDX. It names the function that reads the file's format.
pub(crate) fn exception_of_load(py: Python<'_>, error: idx_std::Error) -> PyErr {
    use idx_std::ErrorKind as File;

    let path = error.path().unwrap_or(Path::new("")).to_path_buf();
    let is_folder = path.is_dir();
    let ending = path.extension().map(|end| end.to_string_lossy().to_lowercase());
    let advice = match ending.as_deref() {
        _ if is_folder => "`open` reads the sets of folders",
        Some("npy" | "npz") => "`open` reads it, and so does `numpy.load`",
        Some(ending) if OTHERS.contains(&ending) => "`open` reads it",
        _ => return exception(py, error),
    };
    match error.kind() {
        File::Io(_) if is_folder => {
            PyOSError::new_err((21, format!("this is a folder; {advice}"), path.into_os_string()))
        }
        kind @ File::NotIdx { .. } => {
            let (code, sentence) = (kind.code(), kind.to_string());
            let what = sentence.rsplit_once("; ").map_or(&*sentence, |(what, _)| what);
            coded(py, code, &format!("{}: {what}; {advice}", path.display()))
        }
        _ => exception(py, error),
    }
}

/// Returns the system's error: from its number, Python makes a FileNotFoundError, a PermissionError or another.
fn os_error(system: &io::Error, error: &idx_data::Error) -> Option<PyErr> {
    let path = error.path().map_or(OsString::new(), Into::into);
    let errno = errno(system);
    let sentence = match error.path().filter(|_| system.kind() == io::ErrorKind::NotFound) {
        Some(path) => missing(path).unwrap_or_else(|| error.sentence()),
        None => error.sentence(),
    };
    // Windows has its own numbers, which Python knows.
    if cfg!(windows) && errno.is_none() {
        let number = system.raw_os_error()?;
        return Some(PyOSError::new_err((0, sentence, path, number)));
    }
    let errno = errno.or_else(|| system.raw_os_error())?;
    Some(PyOSError::new_err((errno, sentence, path)))
}

/// Returns advice about a missing file, if its folder is missing too or the given text is not a path.
fn missing(path: &Path) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    let path = path.to_str()?;
    if path.contains("://") {
        return Some(
            "this is an address, not a path; give what `urllib.request.urlopen` or fsspec opens, or download it"
                .to_string(),
        );
    }
    if path.starts_with('~') {
        return Some("no such file; `os.path.expanduser` turns `~` into your folder".to_string());
    }
    if path.contains(['*', '?']) {
        return Some(
            "no such file; a path is not a pattern: give the folder, or a path of `glob.glob`"
                .to_string(),
        );
    }
    let folder = folder?.display();
    Some(format!("there is no folder {folder}; create it, or check the path"))
}

/// Returns the crates' message, with the parameter that follows its advice.
fn told(py: Python<'_>, error: &idx_data::Error) -> PyResult<String> {
    let kind = error.kind();
    let sentence = match (kind, parameter(kind)) {
        (ErrorKind::Question { sentence, answers }, _) if !answers.is_empty() => {
            let path = error.path().unwrap_or(Path::new(""));
            let texts = answers.iter().map(|answer| answer_text(py, answer, path));
            format!("{sentence}: {}", texts.collect::<PyResult<Vec<_>>>()?.join(", or "))
        }
        // Only a name can tell that text is a table.
        (ErrorKind::File(idx_std::ErrorKind::NotIdx { signature: None, .. }), _)
            if error.path().is_some_and(is_stream) =>
        {
            format!(
                "{kind}, or if it is a table, give `open` a file object whose `name` ends in .csv"
            )
        }
        (ErrorKind::Disabled { .. }, _) => {
            format!("{kind}; convert the file with an `idx convert` that has it")
        }
        // There is no range to scale from.
        (_, Some(parameter)) if kind.hint() == Some(Hint::Fractions) => {
            let sentence = kind.to_string();
            let what = sentence.split("; ").next().unwrap_or(&sentence);
            format!("{what}; choose another type with {parameter}")
        }
        (_, Some(parameter)) => format!("{kind} with {parameter}"),
        _ => return Ok(error.to_string()),
    };
    let path = error.path().map(|path| format!("{}: ", path.display())).unwrap_or_default();
    // The position is before the sentence of the kind, and the count of records after it.
    Ok(path + &error.sentence().replacen(&kind.to_string(), &sentence, 1))
}

/// Returns the Python parameter, or else the command, that follows the advice of an error.
fn parameter(kind: &ErrorKind) -> Option<&'static str> {
    use idx_std::ErrorKind as File;

    match kind {
        ErrorKind::File(File::LimitExceeded { .. } | File::RecordLimitExceeded { .. }) => {
            return Some("`limit`");
        }
        ErrorKind::File(
            File::Unfinished { .. }
            | File::TrailingBytes { times: None, records: Some(_), error: None, .. },
        ) => return Some("`idx repair`"),
        _ => {}
    }
    Some(match kind.hint()? {
        Hint::RecordLimit => "`limit`",
        Hint::Shape => "`shape`",
        Hint::LabelColumn => "`label_column`",
        Hint::Labels => "`labels`",
        Hint::NoLabels => "`labels=False`",
        Hint::Classes => "`classes`",
        Hint::PictureSize => "`idx convert --size`",
        Hint::PictureColors => "`idx convert --channels`",
        Hint::ElementType => "`dtype`",
        Hint::Fractions => "`dtype='float32'`",
        _ => return None,
    })
}

/// Returns an `Error` with a code. Control characters in file names do not reach the terminal.
pub(crate) fn coded(py: Python<'_>, code: &str, message: &str) -> PyErr {
    let exception = Error::new_err(printable(message));
    match exception.value(py).setattr("code", code) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// Returns an `Error` to the part of the module that is in Python.
#[pyfunction]
pub(crate) fn error(py: Python<'_>, code: &str, message: &str) -> Py<PyBaseException> {
    coded(py, code, message).into_value(py)
}

fn system_error(kind: &ErrorKind) -> Option<&io::Error> {
    match kind {
        ErrorKind::File(idx_std::ErrorKind::Io(error))
        | ErrorKind::Output(idx_std::ErrorKind::Io(error))
        | ErrorKind::Temporary(error) => Some(error),
        _ => None,
    }
}

/// Returns C's error number, which is the same everywhere for these kinds.
fn errno(error: &io::Error) -> Option<i32> {
    match error.kind() {
        io::ErrorKind::NotFound => Some(2),
        io::ErrorKind::PermissionDenied => Some(13),
        io::ErrorKind::AlreadyExists => Some(17),
        io::ErrorKind::NotADirectory => Some(20),
        io::ErrorKind::IsADirectory => Some(21),
        _ => None,
    }
}
