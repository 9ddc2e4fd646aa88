//! Sets of any format, read into memory.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use idx_data::{Error, IdxBuf, Labeled, Record, Source, open_set};
use numpy::PyArray1;
use pyo3::prelude::*;

use crate::error::{coded, exception};
use crate::file::type_name;
use crate::wait::interruptible;

/// What is read of one part: the big-endian bytes of all records, and their labels.
struct Part {
    name: String,
    type_name: String,
    shape: Vec<usize>,
    bytes: Vec<u8>,
    labels: Option<Vec<i128>>,
    classes: Vec<(i128, String)>,
}

/// The arrays of a part, as Python takes them.
type PyPart<'py> = (
    String,
    String,
    Vec<usize>,
    Bound<'py, PyArray1<u8>>,
    Option<Bound<'py, PyArray1<i64>>>,
    Vec<(i128, String)>,
);

/// The parts of a set, without their bytes if the caller has them.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf, keep: bool) -> PyResult<Vec<PyPart<'_>>> {
    let read = interruptible(py, move |stop| {
        let parts = open_set(&path)?.into_parts().into_iter();
        parts.map(|(name, source)| Part::read(name, source, keep, stop)).collect()
    });
    let parts: Result<Vec<Part>, Error> = read?;
    let parts = parts.map_err(|error| exception(py, error))?;
    parts.into_iter().map(|part| part.into_python(py)).collect()
}

impl Part {
    fn read(
        name: String,
        mut source: Source,
        keep: bool,
        stop: &AtomicBool,
    ) -> Result<Self, Error> {
        let facts = source.facts().clone();
        let mut part = Self {
            name,
            type_name: type_name(facts.layout.dtype),
            shape: facts.layout.dims.iter().map(|size| *size as usize).collect(),
            bytes: Vec::new(),
            labels: facts.has_labels.then(Vec::new),
            classes: Vec::new(),
        };
        if let Some(classes) = &facts.classes {
            part.classes = classes.iter().map(|(label, name)| (label, name.to_string())).collect();
        }
        let (mut record, mut count) = (Record::default(), 0);
        while !stop.load(Ordering::Relaxed) && source.read(&mut record)? {
            count += 1;
            if keep {
                part.bytes.try_reserve(record.bytes.len()).map_err(io::Error::from)?;
                part.bytes.extend_from_slice(&record.bytes);
            }
            if let (Some(labels), Some(label)) = (&mut part.labels, record.label) {
                labels.push(label);
            }
        }
        // The number of records is known only now, but for a single number, which has no dimensions.
        if let Some(first) = part.shape.first_mut() {
            *first = count;
        }
        Ok(part)
    }

    fn into_python(self, py: Python<'_>) -> PyResult<PyPart<'_>> {
        let narrow = |label| {
            let too_large =
                |_| coded(py, "out_of_range", &format!("the label {label} does not fit int64"));
            i64::try_from(label).map_err(too_large)
        };
        let narrow_all =
            |labels: Vec<i128>| labels.into_iter().map(narrow).collect::<PyResult<_>>();
        let labels = self.labels.map(narrow_all).transpose()?;
        let labels = labels.map(|labels| PyArray1::from_vec(py, labels));
        let bytes = PyArray1::from_vec(py, self.bytes);
        Ok((self.name, self.type_name, self.shape, bytes, labels, self.classes))
    }
}

/// A random order of `count` records: the one of `Labeled::shuffled`.
#[pyfunction]
pub(crate) fn order(py: Python<'_>, count: u32, seed: u64) -> PyResult<Bound<'_, PyArray1<usize>>> {
    let order = py.detach(|| {
        let zeros = [&[0, 0, 8, 1][..], &count.to_be_bytes(), &vec![0; count as usize]].concat();
        let zeros = || IdxBuf::from_bytes(zeros.clone());
        let shuffled = Labeled::<u8, u8>::new(zeros()?, zeros()?)?.shuffled(seed);
        Ok((0..shuffled.len()).filter_map(|index| shuffled.file_index(index)).collect())
    });
    let order: Result<Vec<usize>, Error> = order;
    Ok(PyArray1::from_vec(py, order.map_err(|error| exception(py, error))?))
}
