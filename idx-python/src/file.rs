//! IDX files: whole arrays in and out.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use idx_std::{ElementType, Error, ErrorKind, Header, HeaderBuf, ReadOptions, Reader, Writer};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{coded, exception, exception_of_load};
use crate::input::Input;
use crate::wait::{Watched, interruptible};

/// The size up to which a plain file is read in one go, on several threads: half a second.
const AT_ONCE: u64 = 1 << 30;

/// Returns the elements of a whole file as bytes, their type and their shape.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, input: Input, limit: Option<u64>) -> PyResult<Loaded<'_>> {
    let options = limit.map_or(ReadOptions::new(), |limit| ReadOptions::new().limit(limit));
    let read = match input {
        Input::Path(path) => match py.detach(|| is_read_at_once(&path)) {
            Ok(true) => interruptible(py, move |_| options.load_bytes(path))?,
            Ok(false) => py.detach(|| read_in_order(Input::Path(path), options)),
            Err(error) => Err(error),
        },
        stream => py.detach(|| read_in_order(stream, options)),
    };
    let (header, bytes) = read.map_err(|error| exception_of_load(py, error))?;
    let type_name = type_name(header.element_type().into());
    Ok((PyArray1::from_vec(py, bytes), type_name, header.dims().to_vec()))
}

/// Bytes in native order, the name of the big-endian type, and the shape.
type Loaded<'py> = (Bound<'py, PyArray1<u8>>, String, Vec<u32>);

/// Returns whether this is a plain file that is not too large. A pipe could not be read again.
fn is_read_at_once(path: &Path) -> Result<bool, Error> {
    let reader = Reader::open_regular(path)?;
    Ok(reader.file_size().is_some_and(|size| size <= AT_ONCE) && !reader.is_gzip())
}

/// Reads a stream on this thread.
fn read_in_order(input: Input, options: ReadOptions) -> Result<(HeaderBuf, Vec<u8>), Error> {
    let (name, stream) = input.opened()?;
    let read = options.load_bytes_from(Watched::new(stream));
    read.map_err(|error| error.with_path(name))
}

/// A file that gets its name when the `with` block ends, unless an exception ends it.
#[pyclass(frozen)]
pub(crate) struct NewFile(Mutex<Option<Writer>>);

#[pymethods]
impl NewFile {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, header: &[u8]) -> PyResult<Self> {
        let create = || {
            let (header, _) = Header::parse(header)?;
            let dims: Vec<u32> = header.dims().iter().collect();
            Writer::create(path, header.element_type(), &dims)
        };
        let writer = create().map_err(|error: Error| exception(py, error))?;
        Ok(Self(Mutex::new(Some(writer))))
    }

    /// Appends `count` records, as they are in a file.
    fn push(
        &self,
        py: Python<'_>,
        count: usize,
        records: &Bound<'_, PyArray1<u8>>,
    ) -> PyResult<()> {
        let records = records.try_readonly()?;
        let records = records.as_slice()?;
        let push = || match (&mut *self.writer(), records) {
            // Records without elements are counted all the same.
            (Some(writer), []) => (0..count).try_for_each(|_| writer.push_bytes(&[])),
            (Some(writer), _) => writer.push_records(records),
            (None, _) => Err(ErrorKind::FailedEarlier.into()),
        };
        py.detach(push).map_err(|error: Error| exception(py, error))
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        _exception: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let writer = self.writer().take();
        let Some(writer) = writer.filter(|_| kind.is_none()) else { return Ok(()) };
        // If a signal comes during the sync, the file gets no name.
        let staged = interruptible(py, move |_| writer.stage())?;
        let committed = staged.and_then(|staged| staged.map_or(Ok(()), |staged| staged.commit()));
        committed.map_err(|error| exception(py, error))
    }
}

impl NewFile {
    fn writer(&self) -> MutexGuard<'_, Option<Writer>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns NumPy's name of the element type, the shape, and the offset of the elements in a complete plain file.
#[pyfunction]
pub(crate) fn header(py: Python<'_>, path: PathBuf) -> PyResult<(String, Vec<u32>, u64)> {
    let opened = Reader::open_regular(&path);
    let reader = opened.and_then(|reader| reader.check_length().map(|()| reader));
    let reader = reader.map_err(|error| exception_of_load(py, error))?;
    if reader.is_gzip() {
        let message =
            "this is gzip, which cannot be mapped; load it, or decompress it with `gunzip`";
        return Err(coded(py, "gzip", &format!("{}: {message}", path.display())));
    }
    let header = reader.header();
    let start = header.file_size() - header.payload_size();
    Ok((type_name(header.element_type().into()), header.dims().to_vec(), start))
}

/// Returns the header of a file with this type and shape.
#[pyfunction]
pub(crate) fn header_of(py: Python<'_>, type_name: &str, shape: Vec<usize>) -> PyResult<Vec<u8>> {
    let Some(element_type) = element_type(type_name) else {
        return Err(PyTypeError::new_err("not one of the types of IDX"));
    };
    let dims: Result<Vec<u32>, _> = shape.iter().map(|size| u32::try_from(*size)).collect();
    let header = match dims {
        Ok(dims) => HeaderBuf::new(element_type, &dims),
        Err(_) => Err(ErrorKind::ShapeTooLarge { shape }.into()),
    };
    header.map(|header| header.to_bytes()).map_err(|error| exception(py, error))
}

/// Returns the IDX type for a name in NumPy.
pub(crate) fn element_type(name: &str) -> Option<ElementType> {
    let short = name.replace("uint", "u").replace("int", "i").replace("float", "f");
    ElementType::ALL.into_iter().find(|known| known.name() == short)
}

/// Returns NumPy's name for a big-endian type, such as ">f4".
pub(crate) fn type_name(dtype: idx_data::DType) -> String {
    let name = dtype.to_string();
    format!(">{}{}", name.get(..1).unwrap_or_default(), dtype.size())
}
