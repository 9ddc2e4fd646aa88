use std::fmt;

use super::class_names::ClassNames;
use super::error::Error;
use super::record::{Record, RecordLayout, RecordSource};
use super::source::Source;
use crate::npy::{DType, Value};

/// The differences of two sources of records.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Differences {
    /// Their types and shapes, if they differ; then no records are compared.
    pub layouts: Option<(RecordLayout, RecordLayout)>,
    /// The first class that has another name, if both have names: the same label means something else.
    pub class: Option<DifferentClass>,
    /// Their numbers of records, if they differ; the records that both have are compared.
    pub counts: Option<(u64, u64)>,
    /// The number of records that were compared.
    pub compared: u64,
    /// The number of records that differ.
    pub records: u64,
    /// The number of elements that differ.
    pub elements: u64,
    /// The first records that differ.
    pub first: Vec<DifferentRecord>,
}

/// A class that has another name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DifferentClass {
    /// Its label.
    pub label: i128,
    /// Its name in both, if it has one.
    pub names: (Option<String>, Option<String>),
}

/// A record that differs from the record with the same index.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DifferentRecord {
    /// Its index.
    pub record: u64,
    /// The number of its elements that differ.
    pub elements: u64,
    /// The position of the first of them in the record, and its value in both.
    pub first: Option<(Vec<u32>, Value, Value)>,
    /// The labels, if they differ.
    pub labels: Option<(Option<i128>, Option<i128>)>,
}

impl Differences {
    /// Whether there are no differences.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layouts.is_none() && self.class.is_none() && self.counts.is_none() && self.records == 0
    }
}

/// Compares the records of two sources, in any formats, and describes the first of those that differ, at most
/// `max`. Elements are the same if their bytes are: a NaN can be the same, and 0 and -0 differ.
///
/// ```
/// use idx_data::{OpenOptions, compare, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// # idx_std::save(path("a.idx"), &[2, 3], &[1_u8, 2, 3, 4, 5, 6])?;
/// # idx_std::save(path("b.idx"), &[2, 3], &[1_u8, 2, 3, 4, 0, 0])?;
///
/// let open = |name| open(path(name));
/// let differences = compare(&mut open("a.idx")?, &mut open("b.idx")?, 10)?;
/// assert_eq!((differences.records, differences.elements), (1, 2));
/// assert_eq!(differences.first[0].to_string(), "record 1: 2 elements differ, the first at [1]: 5 and 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of reading the records; both sources are read to their ends.
pub fn compare(one: &mut Source, other: &mut Source, max: usize) -> Result<Differences, Error> {
    let mut differences = Differences::default();
    let (layout, other_layout) = (one.layout().clone(), other.layout().clone());
    let (dtype, shape) = (layout.dtype, layout.record_shape().to_vec());
    if dtype != other_layout.dtype || shape != other_layout.record_shape() {
        differences.layouts = Some((layout, other_layout));
        return Ok(differences);
    }
    let classes = one.classes().zip(other.classes());
    differences.class = classes.and_then(|(one, other)| different_class(one, other));
    let (mut record, mut same) = (Record::default(), Record::default());
    loop {
        let read = (one.read(&mut record)?, other.read(&mut same)?);
        let compared = differences.compared;
        match read {
            (true, true) => differences.compared += 1,
            (false, false) => return Ok(differences),
            (true, false) => {
                let count = compared + 1 + rest(one)?;
                differences.counts = Some((count, compared));
                return Ok(differences);
            }
            (false, true) => {
                let count = compared + 1 + rest(other)?;
                differences.counts = Some((compared, count));
                return Ok(differences);
            }
        }
        if record != same {
            let different = different(compared, (&record, &same), dtype, &shape);
            differences.records += 1;
            differences.elements += different.elements;
            if differences.first.len() < max {
                differences.first.push(different);
            }
        }
    }
}

fn different_class(one: &ClassNames, other: &ClassNames) -> Option<DifferentClass> {
    let labels = one.iter().chain(other.iter()).map(|(label, _)| label);
    let label = labels.filter(|label| one.name(*label) != other.name(*label)).min()?;
    let name = |names: &ClassNames| names.name(label).map(str::to_string);
    Some(DifferentClass { label, names: (name(one), name(other)) })
}

/// Reads the remaining records.
fn rest(source: &mut Source) -> Result<u64, Error> {
    let mut record = Record::default();
    let mut count = 0;
    while source.read(&mut record)? {
        count += 1;
    }
    Ok(count)
}

fn different(
    record: u64,
    (one, other): (&Record, &Record),
    dtype: DType,
    shape: &[u32],
) -> DifferentRecord {
    let pairs = one.bytes.chunks_exact(dtype.size()).zip(other.bytes.chunks_exact(dtype.size()));
    let mut elements = 0;
    let mut first = None;
    for (index, (one, other)) in (0..).zip(pairs) {
        if one == other {
            continue;
        }
        elements += 1;
        if first.is_none() {
            let values = dtype.value(one).zip(dtype.value(other));
            first = values.map(|(one, other)| (place(index, shape), one, other));
        }
    }
    let labels = (one.label, other.label);
    DifferentRecord { record, elements, first, labels: (labels.0 != labels.1).then_some(labels) }
}

/// The position of an element in its record.
fn place(index: u64, shape: &[u32]) -> Vec<u32> {
    let mut rest = index;
    let mut place: Vec<u32> = Vec::new();
    for size in shape.iter().rev().map(|size| u64::from(*size).max(1)) {
        place.push(u32::try_from(rest % size).unwrap_or(u32::MAX));
        rest /= size;
    }
    place.reverse();
    place
}

impl fmt::Display for DifferentClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |name: &Option<String>| name.clone().unwrap_or_else(|| "no name".to_string());
        let (one, other) = &self.names;
        write!(f, "class {}: {} and {}", self.label, text(one), text(other))
    }
}

impl fmt::Display for DifferentRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record {}:", self.record)?;
        if let Some((place, one, other)) = &self.first {
            match (place.as_slice(), self.elements) {
                ([], _) => {}
                (_, 1) => write!(f, " the element at {place:?} differs:")?,
                (_, count) => write!(f, " {count} elements differ, the first at {place:?}:")?,
            }
            write!(f, " {one} and {other}")?;
        }
        if let Some((one, other)) = self.labels {
            let text =
                |label: Option<i128>| label.map_or("none".to_string(), |label| label.to_string());
            let separator = if self.elements > 0 { "," } else { "" };
            write!(f, "{separator} labels {} and {}", text(one), text(other))?;
        }
        Ok(())
    }
}
