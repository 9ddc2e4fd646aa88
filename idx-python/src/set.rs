//! Sets of any format: read into memory, or passed on in batches.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use idx_data::{ClassNames, Column, Error, ErrorKind, Facts, OpenOptions, Record, Set, Source};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

use crate::error::{coded, exception};
use crate::file::type_name;
use crate::input::Input;
use crate::wait::{Watch, interruptible};

/// How a person says that an input is meant.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Reading {
    /// The most bytes of a record, and of all records in memory.
    limit: Option<u64>,
    with_labels: bool,
    /// The file with the labels.
    labels: Option<PathBuf>,
    label_column: Option<NameOrIndex>,
    classes: Option<NamesOrPath>,
    shape: Option<Vec<u32>>,
    header: Option<bool>,
}

#[derive(FromPyObject)]
enum NameOrIndex {
    Index(usize),
    Name(String),
}

#[derive(FromPyObject)]
enum NamesOrPath {
    Path(PathBuf),
    Names(Vec<String>),
}

impl Reading {
    /// The options, and those of a file of labels.
    fn options(&self) -> [OpenOptions; 2] {
        let column = |options: OpenOptions| match &self.label_column {
            Some(NameOrIndex::Index(index)) => options.label_column(*index),
            Some(NameOrIndex::Name(name)) => options.label_column(Column::Name(name.clone())),
            None => options,
        };
        let mut options = OpenOptions::new().labels(self.with_labels && self.labels.is_none());
        if let Some(shape) = &self.shape {
            options = options.shape(&**shape);
        }
        if let Some(header) = self.header {
            options = options.header(header);
        }
        if let Some(limit) = self.limit {
            options = options.record_limit(limit);
        }
        match self.labels {
            Some(_) => [options, column(OpenOptions::new())],
            None => [column(options), OpenOptions::new()],
        }
    }

    fn open(
        &self,
        input: Input,
        [options, label_options]: &[OpenOptions; 2],
    ) -> Result<Set, Error> {
        let set = match input {
            Input::Path(path) => options.open_set(path)?,
            Input::Stream(name, stream) => options.open_stream(name, stream)?.into(),
        };
        let set = match &self.labels {
            Some(path) => {
                let source = set.only_part()?;
                let labels = label_options.clone().as_labels_of(source.facts()).open(path)?;
                source.with_labels(labels)?.into()
            }
            None => set,
        };
        let classes = match &self.classes {
            Some(NamesOrPath::Path(path)) => ClassNames::open(path)?,
            Some(NamesOrPath::Names(names)) => ClassNames::new(names)?,
            None => return Ok(set),
        };
        set.map(|source| Ok(source.with_classes(classes.clone())))
    }
}

/// The name of the first of these options that had no effect. That there are no labels to leave out is no mistake.
fn without_effect(options: &[OpenOptions]) -> Option<&'static str> {
    options.iter().flat_map(OpenOptions::unread).find(|name| *name != "labels")
}

fn no_effect(py: Python<'_>, name: &str) -> PyErr {
    let message = format!("`{name}` has no effect on this input; leave it out");
    coded(py, "no_effect", &message)
}

/// What is read of one part: the big-endian bytes of all records, and their labels.
struct Part {
    name: String,
    head: Head,
    count: usize,
    records: Records,
}

/// Bytes of records that follow each other, and their labels.
#[derive(Default)]
struct Records {
    bytes: Vec<u8>,
    labels: Vec<i64>,
}

/// The type of the elements for NumPy, the sizes of a record, whether there are labels, and the names of their classes.
#[derive(Clone)]
struct Head {
    type_name: String,
    shape: Vec<u32>,
    /// A single number is a record, and has no dimensions.
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

    /// The bytes and labels as arrays.
    fn arrays<'py>(&self, py: Python<'py>, records: Records) -> Arrays<'py> {
        let labels = self.has_labels.then(|| PyArray1::from_vec(py, records.labels));
        (PyArray1::from_vec(py, records.bytes), labels)
    }
}

type Arrays<'py> = (Bound<'py, PyArray1<u8>>, Option<Bound<'py, PyArray1<i64>>>);

impl Records {
    /// Adds the next records, as many as are at hand; returns their number.
    fn read(
        &mut self,
        source: &mut Source,
        record: &mut Record,
        limit: Option<u64>,
    ) -> Result<u64, Error> {
        let read = source.read_many(record)?;
        if read == 0 {
            return Ok(0);
        }
        let needed = self.bytes.len() as u64 + record.bytes.len() as u64;
        if let Some(limit) = limit.filter(|limit| needed > *limit) {
            let kind = idx_std::ErrorKind::LimitExceeded { limit, needed };
            return Err(Error::from(kind).with_path(source.path()));
        }
        self.bytes.try_reserve(record.bytes.len()).map_err(io::Error::from)?;
        self.bytes.extend_from_slice(&record.bytes);
        if let Some(label) = record.label {
            let narrow = i64::try_from(label).map_err(|_| {
                let message = format!("the label {label} does not fit int64; renumber the labels");
                Error::from(ErrorKind::Unsupported(message)).with_path(source.path())
            })?;
            self.labels.try_reserve(1).map_err(io::Error::from)?;
            self.labels.push(narrow);
        }
        Ok(read)
    }
}

impl Records {
    /// Splits off what follows so many bytes and records.
    fn split_off(&mut self, bytes: u64, records: u64) -> Result<Self, Error> {
        fn rest<T: Copy>(all: &mut Vec<T>, first: u64) -> Result<Vec<T>, Error> {
            let first = usize::try_from(first).unwrap_or(usize::MAX).min(all.len());
            let mut rest = Vec::new();
            rest.try_reserve_exact(all.len() - first).map_err(io::Error::from)?;
            rest.extend(all.drain(first..));
            Ok(rest)
        }
        Ok(Self { bytes: rest(&mut self.bytes, bytes)?, labels: rest(&mut self.labels, records)? })
    }
}

/// The arrays of a part, as Python takes them.
type PyPart<'py> = (String, String, Vec<usize>, Arrays<'py>, Vec<(i128, String)>);

/// The parts of a set.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, input: Input, reading: Reading) -> PyResult<Vec<PyPart<'_>>> {
    let read = interruptible(py, move |stop| {
        let options = reading.options();
        let set = reading.open(input, &options)?;
        let parts = set.into_parts().into_iter();
        let parts: Result<Vec<Part>, Error> =
            parts.map(|(name, source)| Part::read(name, source, reading.limit, stop)).collect();
        Ok((parts?, without_effect(&options)))
    });
    let read: Result<_, Error> = read?;
    let (parts, without_effect) = read.map_err(|error| exception(py, error))?;
    if let Some(name) = without_effect {
        return Err(no_effect(py, name));
    }
    Ok(parts.into_iter().map(|part| part.into_python(py)).collect())
}

impl Part {
    fn read(
        name: String,
        mut source: Source,
        limit: Option<u64>,
        stop: &AtomicBool,
    ) -> Result<Self, Error> {
        let head = Head::of(source.facts());
        let (mut records, mut record, mut count) = (Records::default(), Record::default(), 0);
        while !stop.load(Ordering::Relaxed) {
            match records.read(&mut source, &mut record, limit)? {
                0 => break,
                read => count += read,
            }
        }
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        Ok(Self { name, head, count, records })
    }

    fn into_python(self, py: Python<'_>) -> PyPart<'_> {
        let count = self.head.has_count.then_some(self.count);
        let sizes = self.head.shape.iter().map(|size| *size as usize);
        let shape = count.into_iter().chain(sizes).collect();
        let arrays = self.head.arrays(py, self.records);
        (self.name, self.head.type_name, shape, arrays, self.head.classes)
    }
}

/// The records of an input of one part, from the first to the last, in constant memory.
#[pyclass(frozen)]
pub(crate) struct Stream {
    state: Mutex<State>,
    head: Head,
}

struct State {
    source: Source,
    record: Record,
    /// What was read and not yet passed on, and how many records that is.
    ahead: Records,
    count: u64,
}

impl State {
    /// The next `wanted` records, or all if there are fewer.
    fn next(&mut self, wanted: u64) -> Result<(u64, Records), Error> {
        let mut watch = Watch::new();
        while self.count < wanted {
            watch.check()?;
            match self.ahead.read(&mut self.source, &mut self.record, None)? {
                0 => break,
                read => self.count += read,
            }
        }
        let count = self.count.min(wanted);
        let size = (self.ahead.bytes.len() as u64).checked_div(self.count).unwrap_or(0);
        let rest = self.ahead.split_off(count * size, count)?;
        self.count -= count;
        Ok((count, std::mem::replace(&mut self.ahead, rest)))
    }
}

/// Opens an input of one part.
#[pyfunction]
pub(crate) fn stream(py: Python<'_>, input: Input, reading: Reading) -> PyResult<Stream> {
    let opened = interruptible(py, move |_| {
        let options = reading.options();
        let source = reading.open(input, &options)?.only_part()?;
        Ok((source, without_effect(&options)))
    });
    let opened: Result<_, Error> = opened?;
    let (source, without_effect) = opened.map_err(|error| exception(py, error))?;
    if let Some(name) = without_effect {
        return Err(no_effect(py, name));
    }
    let head = Head::of(source.facts());
    let state = State { source, record: Record::default(), ahead: Records::default(), count: 0 };
    Ok(Stream { state: Mutex::new(state), head })
}

#[pymethods]
impl Stream {
    /// The type for NumPy, the sizes of a record, whether there are labels, and the names of classes.
    fn head(&self) -> (String, Vec<u32>, bool, Vec<(i128, String)>) {
        let Head { type_name, shape, has_labels, classes, .. } = self.head.clone();
        (type_name, shape, has_labels, classes)
    }

    /// The next `wanted` records, fewer at the end, and their number; `None` after the last one.
    fn next<'py>(&self, py: Python<'py>, wanted: u64) -> PyResult<Option<(u64, Arrays<'py>)>> {
        let read = py.detach(|| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.next(wanted)
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
