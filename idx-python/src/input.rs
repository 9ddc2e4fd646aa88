//! The input of a function: a path, bytes in memory, or a Python file object.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView};

use crate::error::coded;

/// The maximum number of bytes in a path.
const MAX_PATH: usize = 1 << 12;

pub(crate) enum Input {
    Path(PathBuf),
    /// A stream, with its name for messages.
    Stream(PathBuf, Box<dyn Read + Send>),
}

impl FromPyObject<'_, '_> for Input {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        // The content of IDX, gzip and whatever else `open` reads is not the name of a file.
        let is_path = |bytes: &[u8]| {
            bytes.len() <= MAX_PATH
                && str::from_utf8(bytes).is_ok_and(|text| Path::new(text).exists())
        };
        if given.cast::<PyBytes>().is_ok_and(|bytes| is_path(bytes.as_bytes())) {
            return Err(PyTypeError::new_err(
                "bytes are the content of a file, and these are a path; give it as a str, with `os.fsdecode`",
            ));
        }
        if given.is_instance_of::<PyBytes>()
            || given.is_instance_of::<PyByteArray>()
            || given.is_instance_of::<PyMemoryView>()
        {
            // Not copied, unless others may change the bytes.
            let bytes = given.py().get_type::<PyBytes>().call1((&*given,))?;
            let bytes = PyBackedBytes::from(bytes.cast_into::<PyBytes>()?);
            return Ok(Self::Stream(PathBuf::from("<bytes>"), Box::new(Cursor::new(bytes))));
        }
        if given.hasattr("read")? {
            if given.hasattr("encoding")? {
                return Err(PyTypeError::new_err(
                    "the file object reads text, not bytes; open the file as \"rb\"",
                ));
            }
            let name = given.getattr_opt("name")?.and_then(|name| name.extract().ok());
            let object = FileObject { object: given.to_owned().unbind(), is_begun: false };
            return Ok(Self::Stream(
                name.unwrap_or_else(|| PathBuf::from("<file object>")),
                Box::new(object),
            ));
        }
        // Python decodes the path of a `PathLike` that has bytes.
        let decoded = given.py().import("os")?.call_method1("fsdecode", (&*given,));
        decoded.and_then(|path| path.extract()).map(Self::Path).map_err(|_| {
            PyTypeError::new_err(
                "give a path (str or os.PathLike), the content of a file (bytes), or a file object that reads bytes",
            )
        })
    }
}

impl Input {
    /// Returns the stream and its name, if this is not a path.
    pub(crate) fn opened(self) -> Result<(PathBuf, Box<dyn Read + Send>), idx_std::Error> {
        match self {
            Self::Stream(name, stream) => Ok((name, stream)),
            Self::Path(path) => match File::open(&path) {
                Ok(file) => Ok((path, Box::new(file))),
                Err(error) => Err(idx_std::Error::from(error).with_path(path)),
            },
        }
    }
}

/// A file object: its method `read` is called with the lock of the interpreter.
struct FileObject {
    object: Py<PyAny>,
    is_begun: bool,
}

impl Read for FileObject {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = |py: Python<'_>| {
            let read = self.object.bind(py).call_method1("read", (buffer.len(),))?;
            let bytes = read.cast::<PyBytes>().map_err(|_| {
                PyTypeError::new_err("the file object reads no bytes; open the file as \"rb\"")
            })?;
            let bytes = bytes.as_bytes();
            let room = buffer.get_mut(..bytes.len()).ok_or_else(|| {
                PyTypeError::new_err("the file object reads more bytes than it was asked for")
            })?;
            room.copy_from_slice(bytes);
            if bytes.is_empty() && !self.is_begun {
                let message = "the file object has no bytes left; `seek(0)` returns to its start";
                return Err(coded(py, "empty", message));
            }
            self.is_begun = true;
            Ok(bytes.len())
        };
        Python::attach(read).map_err(|error: PyErr| io::Error::other(error))
    }
}
