//! The reading of an input: its parameters in Python, and its result.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use idx_data::{
    ClassNames, Column, Error, ErrorKind, InputReading, OpenOptions, PictureOptions, Reading, Set,
    Source,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::{is_stream, value};
use crate::error::coded;
use crate::file::element_type;
use crate::input::Input;

/// The maximum number of pixels of a picture, unless more are asked for.
const MAX_PIXELS: u64 = 1 << 27;

/// The parameters that state the reading of an input.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Parameters {
    /// The maximum number of bytes of a record, and of all records in memory.
    pub(crate) limit: Option<u64>,
    with_labels: bool,
    /// The file with the labels, or the pattern of the names that hold them.
    labels: Option<PathBuf>,
    label_column: Option<NameOrIndex>,
    column: Option<NameOrIndex>,
    skip: Option<Vec<NameOrIndex>>,
    classes: Option<NamesOrPath>,
    shape: Option<Vec<u32>>,
    header: Option<bool>,
    dtype: Option<String>,
}

#[derive(Clone, FromPyObject)]
enum NameOrIndex {
    Index(usize),
    Name(String),
}

impl From<NameOrIndex> for Column {
    fn from(given: NameOrIndex) -> Self {
        match given {
            NameOrIndex::Index(index) => Self::Index(index),
            NameOrIndex::Name(name) => Self::Name(name),
        }
    }
}

#[derive(FromPyObject)]
enum NamesOrPath {
    Path(PathBuf),
    Names(BTreeMap<i128, String>),
}

impl Parameters {
    pub(crate) fn open(&self, input: Input) -> Result<Set, Error> {
        let classes = match &self.classes {
            Some(NamesOrPath::Path(path)) => Some(ClassNames::open(path)?),
            Some(NamesOrPath::Names(names)) => Some(ClassNames::of(names.clone())?),
            None => None,
        };
        let (options, label_options) = self.options();
        let options = options.classes(classes.clone());
        let set = match input {
            Input::Path(path) => options.open_set(path)?,
            Input::Stream(name, stream) => options.open_set_stream(name, stream)?,
        };
        let set = match self.label_file() {
            Some(path) => label_options.label(only_part(set)?, path)?.into(),
            None => set,
        };
        if let Some(name) = self.without_effect(&[options, label_options], &set) {
            return Err(io::Error::other(Python::attach(|py| no_effect(py, name))).into());
        }
        // A separate file of labels numbers its own words, and labels in an array come later.
        let are_apart = self.label_file().is_some() || !self.with_labels;
        match classes.filter(|_| are_apart) {
            Some(classes) => set.map(|source| Ok(source.with_classes(classes.clone()))),
            None => Ok(set),
        }
    }

    /// Returns the options of the records, and those of a file of labels. Both have the same header.
    fn options(&self) -> (OpenOptions, OpenOptions) {
        let skip = self.skip.clone().map(|names| names.into_iter().map(Into::into).collect());
        let both = OpenOptions::new().header(self.header).skip(skip);
        let mut records = both.clone().labels(self.with_labels && self.label_file().is_none());
        if let Some(shape) = &self.shape {
            records = records.shape(&**shape);
        }
        if let Some(column) = &self.column {
            records = records.column(column.clone());
        }
        if let Some(dtype) = self.dtype.as_deref().and_then(element_type) {
            records = records.element_type(dtype);
        }
        if let Some(limit) = self.limit {
            let pictures = PictureOptions::new().max_pixels(limit.max(MAX_PIXELS));
            records = records.record_limit(limit).pictures(pictures);
        }
        let of_tables = |options: OpenOptions| match &self.label_column {
            Some(column) => options.label_column(column.clone()),
            None => options,
        };
        match self.label_file() {
            Some(_) => (records, of_tables(both)),
            None => (of_tables(records).labels_in_names(self.pattern().map(str::to_string)), both),
        }
    }

    /// Returns the pattern that finds labels in the names of pictures. A file of that name wins.
    fn pattern(&self) -> Option<&str> {
        let text = self.labels.as_ref()?.to_str()?;
        (text.contains("{}") && !Path::new(text).exists()).then_some(text)
    }

    fn label_file(&self) -> Option<&Path> {
        self.labels.as_deref().filter(|_| self.pattern().is_none())
    }

    /// Returns the name of the first parameter that has no effect.
    fn without_effect(&self, options: &[OpenOptions; 2], set: &Set) -> Option<&'static str> {
        let reading = set.reading();
        match options.iter().flat_map(|options| options.unused(&reading)).next() {
            Some("element_type") => Some("dtype"),
            Some("labels_in_names") => Some("labels"),
            Some(name) => Some(name),
            None if self.classes.is_some()
                && self.with_labels
                && set.parts().all(|(_, source)| !source.facts().has_labels) =>
            {
                Some("classes")
            }
            None => None,
        }
    }
}

fn no_effect(py: Python<'_>, name: &str) -> PyErr {
    let more = if name == "dtype" { ", and convert the array with `astype`" } else { "" };
    let message = format!("`{name}` has no effect on this input; leave it out{more}");
    coded(py, "no_effect", &message)
}

/// Returns the only part. A path chooses one of several, as in `set.npz:train`; a stream has no path.
pub(crate) fn only_part(set: Set) -> Result<Source, Error> {
    let name = set.parts().next().map(|(name, _)| name.to_string()).unwrap_or_default();
    set.only_part().map_err(|error| match error.path() {
        Some(path) if is_stream(path) => {
            let sentence =
                format!("this set has several parts; take one, such as `open(..)[\"{name}\"]`");
            Error::from(ErrorKind::Mismatch { sentence, hint: None }).with_path(path)
        }
        _ => error,
    })
}

/// The reading of each input: its path, how many others are like it, the statements, and the parameters.
pub(crate) type PyReading<'py> =
    Vec<(PathBuf, u64, Vec<(&'static str, String, &'static str)>, Bound<'py, PyDict>)>;

pub(crate) fn to_python<'py>(py: Python<'py>, reading: &Reading) -> PyResult<PyReading<'py>> {
    let input = |input: &InputReading| {
        let statements = input.statements().iter();
        let statements =
            statements.map(|one| (one.subject.name(), one.text.clone(), one.by.name())).collect();
        let parameters = PyDict::new(py);
        for option in input.options() {
            parameters.set_item(option.name(), value(py, option)?)?;
        }
        Ok((input.path().to_path_buf(), input.alike(), statements, parameters))
    };
    reading.inputs().iter().map(input).collect()
}
