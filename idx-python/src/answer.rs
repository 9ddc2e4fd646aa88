//! The options that state a reading, as Python parameters.

use std::path::Path;

use idx_data::{Answer, Column, ReadingOption};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Returns the value of an option as a Python object.
pub(crate) fn value<'py>(py: Python<'py>, option: &ReadingOption) -> PyResult<Bound<'py, PyAny>> {
    let column = |column: &Column| match column {
        Column::Index(index) => index.into_bound_py_any(py),
        Column::Name(name) => name.into_bound_py_any(py),
        other => other.to_string().into_bound_py_any(py),
    };
    match option {
        ReadingOption::Header(is_header) => is_header.into_bound_py_any(py),
        ReadingOption::NoLabels => false.into_bound_py_any(py),
        ReadingOption::LabelColumn(one) | ReadingOption::Column(one) => column(one),
        ReadingOption::Skip(columns) => {
            columns.iter().map(column).collect::<PyResult<Vec<_>>>()?.into_bound_py_any(py)
        }
        ReadingOption::SkipNone => Vec::<String>::new().into_bound_py_any(py),
        ReadingOption::Shape(sizes) => Ok(PyTuple::new(py, sizes)?.into_any()),
        other => other.value().into_bound_py_any(py),
    }
}

/// Returns whether this names bytes or a file object. Only a path can be followed by the name of a part.
pub(crate) fn is_stream(name: &Path) -> bool {
    !name.exists()
}

/// Returns an answer as written in a call, and its condition.
pub(crate) fn answer_text(py: Python<'_>, answer: &Answer, path: &Path) -> PyResult<String> {
    let call = match &answer.option {
        // Of the formats with parts, only npz comes in a stream.
        ReadingOption::Part(part) if is_stream(path) => {
            format!("Set(numpy.load(file)[{}])", part.into_bound_py_any(py)?.repr()?)
        }
        ReadingOption::Part(part) => {
            format!("{}:{part}", path.display()).into_bound_py_any(py)?.repr()?.to_string()
        }
        ReadingOption::Classes(None) => "classes=[..]".to_string(),
        // `open` has no such parameter.
        ReadingOption::Transpose(_) => "d.images.transpose".to_string(),
        option => format!("{}={}", option.name(), value(py, option)?.repr()?),
    };
    Ok(format!("`{call}` {}", answer.when).trim_end().to_string())
}
