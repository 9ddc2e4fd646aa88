//! Files of IDX: whole arrays in and out.

use std::path::{Path, PathBuf};

use idx_std::{Element, ElementType, Error, ReadOptions, Reader};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{coded, exception};
use crate::wait::interruptible;

/// An array that is made once the interpreter is locked again. It has one dimension: NumPy gives it its shape, or
/// says why it cannot.
type MakeArray = Box<dyn for<'py> FnOnce(Python<'py>) -> Bound<'py, PyAny> + Send>;

/// The elements of a whole file and their shape.
#[pyfunction]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    limit: Option<u64>,
) -> PyResult<(Bound<'_, PyAny>, Vec<usize>)> {
    let read = interruptible(py, move |_| read(&path, limit))?;
    let (make_array, shape) = read.map_err(|error| exception(py, error))?;
    Ok((make_array(py), shape))
}

fn read(path: &Path, limit: Option<u64>) -> Result<(MakeArray, Vec<usize>), Error> {
    let options = limit.map_or(ReadOptions::new(), |limit| ReadOptions::new().limit(limit));
    // A pipe could not be read once more.
    match Reader::open_regular(path)?.header().element_type() {
        ElementType::U8 => read_as::<u8>(path, options),
        ElementType::I8 => read_as::<i8>(path, options),
        ElementType::I16 => read_as::<i16>(path, options),
        ElementType::I32 => read_as::<i32>(path, options),
        ElementType::F32 => read_as::<f32>(path, options),
        ElementType::F64 => read_as::<f64>(path, options),
    }
}

fn read_as<E: Element + numpy::Element>(
    path: &Path,
    options: ReadOptions,
) -> Result<(MakeArray, Vec<usize>), Error> {
    let array = options.load::<E>(path)?;
    let shape = array.shape().to_vec();
    Ok((Box::new(|py| PyArray1::from_vec(py, array.into_vec()).into_any()), shape))
}

/// Writes elements of this shape, which are an array of one dimension in native order.
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
                return py
                    .detach(|| idx_std::save(&path, &shape, elements))
                    .map_err(|error| exception(py, error));
            }
        )*};
    }
    save_as!(u8, i8, i16, i32, f32, f64);
    Err(PyTypeError::new_err("not one of the types of IDX"))
}

/// The type of the elements for NumPy, their shape, and where they start in a plain file that has them all.
#[pyfunction]
pub(crate) fn header(py: Python<'_>, path: PathBuf) -> PyResult<(String, Vec<u32>, u64)> {
    let opened = Reader::open_regular(&path);
    let reader = opened.and_then(|reader| reader.check_length().map(|()| reader));
    let reader = reader.map_err(|error| exception(py, error))?;
    if reader.is_gzip() {
        let message =
            "this is gzip, which cannot be mapped; load it, or decompress it with `gunzip`";
        return Err(coded(py, "gzip", &format!("{}: {message}", path.display())));
    }
    let header = reader.header();
    let start = header.file_size() - header.payload_size();
    Ok((type_name(header.element_type().into()), header.dims().to_vec(), start))
}

/// The name of a type of big-endian numbers for NumPy, such as ">f4".
pub(crate) fn type_name(dtype: idx_data::DType) -> String {
    let name = dtype.to_string();
    format!(">{}{}", &name[..1], dtype.size())
}
