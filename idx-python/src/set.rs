//! Sets of any format: read into memory, or passed on in batches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{io, mem};

use idx_data::{ClassNames, Error, ErrorKind, Facts, Reading, Source};
use idx_std::__private::counted;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{coded, exception};
use crate::file::type_name;
use crate::input::Input;
use crate::reading::{Parameters, PyReading, only_part, to_python};
use crate::wait::{Watch, interruptible};

/// The content of one part: the big-endian bytes of all records, and their labels.
struct Part {
    name: String,
    reading: Reading,
    head: Head,
    count: usize,
    records: Records,
}

/// Consecutive records as bytes, and their labels.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    labels: Vec<i64>,
    /// The labels of the records that were read last.
    wide: Vec<i128>,
}

/// NumPy's name of the element type, the sizes of a record, whether there are labels, and the class names.
#[derive(Clone)]
struct Head {
    type_name: String,
    shape: Vec<u32>,
    /// False for a single number, which is a record and has no dimensions.
    has_count: bool,
    has_labels: bool,
    classes: Vec<(i128, String)>,
}

impl Head {
    fn of(facts: &Facts) -> Self {
        let classes = facts.classes.iter().flat_map(ClassNames::iter);
        Self {
            type_name: type_name(facts.layout.dtype),
            shape: facts.layout.record_shape().to_vec(),
            has_count: !facts.layout.dims.is_empty(),
            has_labels: facts.has_labels,
            classes: classes.map(|(label, name)| (label, name.to_string())).collect(),
        }
    }

    /// Returns the bytes and labels as arrays.
    fn arrays<'py>(&self, py: Python<'py>, records: Records) -> Arrays<'py> {
        let labels = self.has_labels.then(|| PyArray1::from_vec(py, records.labels));
        (PyArray1::from_vec(py, records.bytes), labels)
    }
}

type Arrays<'py> = (Bound<'py, PyArray1<u8>>, Option<Bound<'py, PyArray1<i64>>>);

impl Records {
    /// Adds the records of the next read, and returns their number.
    fn read(&mut self, source: &mut Source, limit: Option<u64>) -> Result<u64, Error> {
        self.wide.clear();
        let read = source.read_onto(&mut self.bytes, &mut self.wide)?;
        // Records without bytes have labels, too.
        let used = self.bytes.len().max(self.labels.len() + self.wide.len()) as u64;
        if let Some(limit) = limit.filter(|limit| used > *limit) {
            return Err(self.over_limit(source, limit));
        }
        self.labels.try_reserve(self.wide.len()).map_err(io::Error::from)?;
        for label in &self.wide {
            self.labels.push(i64::try_from(*label).map_err(|_| {
                let message = format!("the label {label} does not fit int64; renumber the labels");
                Error::from(ErrorKind::Unsupported { sentence: message, hint: None })
                    .with_path(source.path())
            })?);
        }
        Ok(read)
    }

    /// Returns the error for records over the limit: with their size, if their number is known.
    fn over_limit(&self, source: &Source, limit: u64) -> Error {
        let facts = source.facts();
        let (unit, size) = match self.bytes.len() as u64 > limit {
            true => ("byte", facts.layout.record_size()),
            false => ("label", Some(1)),
        };
        let all = facts.count.zip(size).and_then(|(count, size)| count.checked_mul(size));
        let found = match all.filter(|all| *all > limit) {
            Some(all) => format!("{}, more than the limit of {limit}", counted(all, unit)),
            None => format!("more than {}, the limit", counted(limit, unit)),
        };
        let path = source.path().display();
        let message = format!(
            "{path}: the records have {found}; stream the file, or raise the limit with `limit`"
        );
        io::Error::other(Python::attach(|py| coded(py, "limit_exceeded", &message))).into()
    }

    /// Returns a copy of the bytes and the labels between two places.
    fn part(&self, from: Place, to: Place) -> Result<Self, Error> {
        fn copied<T: Copy>(all: &[T], from: usize, to: usize) -> Result<Vec<T>, Error> {
            let some = all.get(from..to).unwrap_or_default();
            let mut copied = Vec::new();
            copied.try_reserve_exact(some.len()).map_err(io::Error::from)?;
            copied.extend_from_slice(some);
            Ok(copied)
        }
        Ok(Self {
            bytes: copied(&self.bytes, from.0, to.0)?,
            labels: copied(&self.labels, from.1, to.1)?,
            wide: Vec::new(),
        })
    }
}

/// The start of a record: the numbers of the bytes and of the labels before it.
type Place = (usize, usize);

/// The arrays of a part, as Python takes them.
type PyPart<'py> = (String, String, Vec<usize>, Arrays<'py>, Vec<(i128, String)>, PyReading<'py>);

/// Returns the parts of a set, and the reading of all of it.
#[pyfunction]
pub(crate) fn open(
    py: Python<'_>,
    input: Input,
    parameters: Parameters,
) -> PyResult<(Vec<PyPart<'_>>, PyReading<'_>)> {
    let read = interruptible(py, move |stop| {
        let set = parameters.open(input)?;
        let reading = set.reading();
        let parts = set.into_parts().into_iter();
        let parts: Result<Vec<Part>, Error> =
            parts.map(|(name, source)| Part::read(name, source, parameters.limit, stop)).collect();
        Ok((parts?, reading))
    });
    let read: Result<_, Error> = read?;
    let (parts, reading) = read.map_err(|error| exception(py, error))?;
    let parts: PyResult<_> = parts.into_iter().map(|part| part.into_python(py)).collect();
    Ok((parts?, to_python(py, &reading)?))
}

impl Part {
    fn read(
        name: String,
        mut source: Source,
        limit: Option<u64>,
        stop: &AtomicBool,
    ) -> Result<Self, Error> {
        let (head, reading) = (Head::of(source.facts()), source.reading().clone());
        let (mut records, mut count) = (Records::default(), 0);
        source.reserve(&mut records.bytes, limit)?;
        while !stop.load(Ordering::Relaxed) {
            match records.read(&mut source, limit)? {
                0 => break,
                read => count += read,
            }
        }
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        Ok(Self { name, reading, head, count, records })
    }

    fn into_python(self, py: Python<'_>) -> PyResult<PyPart<'_>> {
        let count = self.head.has_count.then_some(self.count);
        let sizes = self.head.shape.iter().map(|size| *size as usize);
        let shape = count.into_iter().chain(sizes).collect();
        let arrays = self.head.arrays(py, self.records);
        let reading = to_python(py, &self.reading)?;
        Ok((self.name, self.head.type_name, shape, arrays, self.head.classes, reading))
    }
}

/// The records of an input of one part, from the first to the last, in constant memory.
#[pyclass(frozen)]
pub(crate) struct Stream {
    state: Mutex<State>,
    head: Head,
    reading: Reading,
}

struct State {
    source: Source,
    /// The records that were read and not all passed on, their number, and how many were passed on.
    ahead: Records,
    count: usize,
    passed: usize,
}

impl State {
    /// Returns the next `wanted` records, or all if there are fewer. A program may keep them, so they hold little more
    /// memory than they need.
    fn next(&mut self, wanted: usize) -> Result<(usize, Records), Error> {
        let mut watch = Watch::new();
        if self.count - self.passed < wanted {
            let (bytes, labels) = self.place(self.passed);
            self.ahead.bytes.drain(..bytes);
            self.ahead.labels.drain(..labels);
            self.count -= self.passed;
            self.passed = 0;
        }
        while self.count - self.passed < wanted {
            watch.check()?;
            match self.ahead.read(&mut self.source, None)? {
                0 => break,
                read => self.count += usize::try_from(read).unwrap_or(usize::MAX),
            }
        }
        let count = wanted.min(self.count - self.passed);
        let [first, end, all] =
            [self.passed, self.passed + count, self.count].map(|record| self.place(record));
        // The smaller part is copied.
        if self.passed == 0 && self.count - count <= count {
            let rest = self.ahead.part(end, all)?;
            self.ahead.bytes.truncate(end.0);
            self.ahead.labels.truncate(end.1);
            self.count -= count;
            return Ok((count, mem::replace(&mut self.ahead, rest)));
        }
        let records = self.ahead.part(first, end)?;
        self.passed += count;
        Ok((count, records))
    }

    fn place(&self, record: usize) -> Place {
        let size = self.ahead.bytes.len().checked_div(self.count).unwrap_or(0);
        (record * size, record.min(self.ahead.labels.len()))
    }
}

/// Opens an input of one part.
#[pyfunction]
pub(crate) fn stream(py: Python<'_>, input: Input, parameters: Parameters) -> PyResult<Stream> {
    let opened = interruptible(py, move |_| only_part(parameters.open(input)?))?;
    let source = opened.map_err(|error| exception(py, error))?;
    let (head, reading) = (Head::of(source.facts()), source.reading().clone());
    let state = State { source, ahead: Records::default(), count: 0, passed: 0 };
    Ok(Stream { state: Mutex::new(state), head, reading })
}

#[pymethods]
impl Stream {
    /// Returns NumPy's name of the type, the sizes of a record, whether there are labels, and the class names.
    fn head(&self) -> (String, Vec<u32>, bool, Vec<(i128, String)>) {
        let Head { type_name, shape, has_labels, classes, .. } = self.head.clone();
        (type_name, shape, has_labels, classes)
    }

    fn reading<'py>(&self, py: Python<'py>) -> PyResult<PyReading<'py>> {
        to_python(py, &self.reading)
    }

    /// Returns the next `wanted` records, fewer at the end, and their number; `None` after the last one.
    fn next<'py>(&self, py: Python<'py>, wanted: u64) -> PyResult<Option<(usize, Arrays<'py>)>> {
        let read = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.next(usize::try_from(wanted).unwrap_or(usize::MAX))
        });
        let (count, records) = read.map_err(|error| exception(py, error))?;
        Ok((count > 0).then(|| (count, self.head.arrays(py, records))))
    }
}

/// Brings an array of numbers into the order of `Labeled::shuffled`.
#[pyfunction]
pub(crate) fn shuffle(order: &Bound<'_, PyArray1<usize>>, seed: u64) -> PyResult<()> {
    let mut order = order.try_readwrite()?;
    idx_data::shuffle(order.as_slice_mut()?, seed);
    Ok(())
}
