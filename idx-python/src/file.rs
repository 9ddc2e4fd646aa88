//! Files of IDX: whole arrays in and out.

use std::path::{Path, PathBuf};

use idx_std::{
    AtomicFile, ElementType, Error, HeaderBuf, ReadOptions, Reader, WriteOptions, Writer,
};
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

/// Bytes in the order of this machine, the name of the big-endian type, and the shape.
type Loaded<'py> = (Bound<'py, PyArray1<u8>>, String, Vec<u32>);

/// Returns whether this is a plain file that is not too large. A pipe could not be read once more.
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

/// Writes elements of this shape, given as an array of one dimension in native order.
#[pyfunction]
pub(crate) fn save(
    py: Python<'_>,
    path: PathBuf,
    elements: &Bound<'_, PyAny>,
    shape: Vec<usize>,
) -> PyResult<()> {
    macro_rules! save_as {
        ($($scalar:ty),*) => {$(
            if let Ok(array) = elements.cast::<PyArray1<$scalar>>() {
                let array = array.try_readonly()?;
                let elements = array.as_slice()?;
                let push = |writer: &mut NewFile| writer.push_elements(elements).map(drop);
                let element_type = <$scalar as idx_std::IdxRecord>::ELEMENT;
                if elements.is_empty() {
                    let saved = idx_std::save(&path, &shape, elements);
                    return saved.map_err(|error| exception(py, error));
                }
                return write(py, &path, &shape, element_type, &push);
            }
        )*};
    }
    save_as!(u8, i8, i16, i32, f32, f64);
    Err(PyTypeError::new_err("not one of the types of IDX"))
}

/// A file that has no name yet.
type NewFile = Writer<Watched<AtomicFile>>;

/// Writes a file whose elements a function pushes. It is one function for all types, which keeps the wheel small.
fn write(
    py: Python<'_>,
    path: &Path,
    shape: &[usize],
    element_type: ElementType,
    push: &(dyn Fn(&mut NewFile) -> Result<(), Error> + Sync),
) -> PyResult<()> {
    let write = || {
        let header = header_of_shape(element_type, shape)?;
        let is_gzip = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("gz"));
        let options = WriteOptions::new().gzip(is_gzip);
        let sink = Watched::new(AtomicFile::create(path)?);
        let mut writer = options.write_to(sink, element_type, header.dims())?;
        push(&mut writer)?;
        Ok(writer.finish()?.into_inner())
    };
    let written = py.detach(|| write().map_err(|error: Error| error.with_path(path)));
    let file = written.map_err(|error| exception(py, error))?;
    // If a signal comes during the sync, the file gets no name.
    let staged = interruptible(py, move |_| file.stage())?;
    staged.and_then(|staged| staged.commit()).map_err(|error| exception(py, error))
}

/// Returns the header of a file with this type and shape.
fn header_of_shape(element_type: ElementType, shape: &[usize]) -> Result<HeaderBuf, Error> {
    let dims: Result<Vec<u32>, _> = shape.iter().map(|size| u32::try_from(*size)).collect();
    match dims {
        Ok(dims) => HeaderBuf::new(element_type, &dims),
        Err(_) => Err(idx_std::ErrorKind::ShapeTooLarge { shape: shape.to_vec() }.into()),
    }
}

/// Returns the type of the elements for NumPy, their shape, and their offset in a plain file that has them all.
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
    let header = header_of_shape(element_type, &shape);
    header.map(|header| header.to_bytes()).map_err(|error| exception(py, error))
}

/// Returns the type of IDX for a name of NumPy.
pub(crate) fn element_type(name: &str) -> Option<ElementType> {
    let short = name.replace("uint", "u").replace("int", "i").replace("float", "f");
    ElementType::ALL.into_iter().find(|known| known.name() == short)
}

/// Returns NumPy's name of a type of big-endian numbers, such as ">f4".
pub(crate) fn type_name(dtype: idx_data::DType) -> String {
    let name = dtype.to_string();
    format!(">{}{}", &name[..1], dtype.size())
}
