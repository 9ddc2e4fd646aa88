//! `idx diff`: the differences between two inputs, and the exit codes of diff(1).

use std::mem;

use idx_data::{ClassNames, Error, Record, RecordLayout, Source};
use idx_std::__private::{counted, threads};
use serde::Serialize;

use crate::args::{DiffArguments, LabelArguments};
use crate::records::hash::half_hash;
use crate::records::input::{open_records, read_all};
use crate::term::console::Console;
use crate::term::failure::{Failure, note, print_note};
use crate::term::text::{PathText, printable};

/// The maximum number of different records to print.
const PRINTED: u64 = 10;

/// The number of bytes to read from each input at a time: enough that starting a thread takes no time in comparison.
const BLOCK: usize = 1 << 20;

/// The minimum number of bytes that a record takes in memory.
const MIN_SIZE: usize = 256;

/// Prints the differences between two files; the exit codes are those of diff(1).
pub(crate) fn run(arguments: &DiffArguments, console: &mut Console) -> Result<(), Failure> {
    (console.failure_code, console.is_json) = (2, arguments.json);
    let opening = arguments.reading.opening(&LabelArguments::default())?;
    let open = |path| arguments.reading.change(open_records(path, &opening.records)?);
    let (mut one, mut other) = (open(&arguments.one)?, open(&arguments.other)?);
    let readings = [&one, &other].map(|source| source.reading().clone());
    arguments.reading.expect_effect("diff", &opening, &readings, None)?;
    let with_classes = [&one, &other].map(|source| source.facts().classes.is_some());
    let by_class = |source: &Source| source.facts().are_pictures && source.facts().has_labels;
    let are_by_class = [&one, &other].map(by_class);
    if one.facts().has_labels != other.facts().has_labels {
        let path = if one.facts().has_labels { &arguments.one } else { &arguments.other };
        print_note(note(path, "its labels are not compared, as the other input has none"));
        (one, other) = (one.without_labels(), other.without_labels());
    } else if with_classes[0] != with_classes[1] {
        let path = if with_classes[0] { &arguments.one } else { &arguments.other };
        let text = "the names of its classes are not compared, as the other input has none";
        print_note(note(path, text));
    }
    let mut differences = Vec::new();
    let mut tell = |text: String| match arguments.json {
        true => {
            differences.push(text);
            Ok(())
        }
        false => writeln!(console, "{}", printable(&text)),
    };
    let is_same = match (&one.facts().layout, &other.facts().layout) {
        (one, other) if one.record_shape() != other.record_shape() => {
            tell(format!("the shapes differ: {one} and {other}"))?;
            false
        }
        (one, other) if one.dtype != other.dtype => {
            let (one, other) = (one.dtype, other.dtype);
            tell(format!("the types differ: {one} and {other}; --as f64 compares the numbers"))?;
            false
        }
        _ => compare(&mut one, &mut other, tell)?,
    };
    console.code = u8::from(!is_same);
    if !is_same && are_by_class[0] != are_by_class[1] {
        let path = if are_by_class[0] { &arguments.one } else { &arguments.other };
        let text = "a folder has its records in the order of the classes; to compare in that order, convert the other \
                    one to a folder, too";
        print_note(note(path, text));
    }
    if !arguments.json {
        return Ok(());
    }
    let path = PathText::from(&arguments.one);
    let other = PathText::from(&arguments.other).to_string();
    console.print_json(&Comparison { path, other, same: is_same, differences })
}

/// The object of `--json`.
#[derive(Serialize)]
struct Comparison {
    #[serde(flatten)]
    path: PathText,
    other: String,
    same: bool,
    differences: Vec<String>,
}

/// Prints the differences between two sources, of any formats, and the first records that differ. Elements are the same
/// if their bytes are: two NaNs can be the same, and 0 and -0 differ.
fn compare(
    one: &mut Source,
    other: &mut Source,
    mut tell: impl FnMut(String) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let layout = one.facts().layout.clone();
    let classes = one.facts().classes.as_ref().zip(other.facts().classes.as_ref());
    let class = classes.and_then(|(one, other)| different_class(one, other));
    let columns = one.facts().columns.as_ref().zip(other.facts().columns.as_ref());
    let column = columns.and_then(|(one, other)| different_column(one, other));
    let is_named_alike = class.is_none() && column.is_none();
    class.into_iter().chain(column).try_for_each(&mut tell)?;
    let (mut some, mut others) = (Block::new(&layout), Block::new(&layout));
    let mut tally = Tally::default();
    let counts = loop {
        let before = tally.compared;
        // Each on a thread of its own: decompressing takes longer than comparing.
        let both = [(&mut *one, &mut some), (&mut *other, &mut others)];
        threads::for_each(2, both.into_iter(), |(source, block)| block.read(source));
        for (record, same) in some.records().iter().zip(others.records()) {
            tally.add(record, same, &layout, &mut tell)?;
        }
        // The input with fewer records has the first error.
        let mut ends = [&mut some, &mut others].map(|block| (block.count, block.take_end()));
        ends.sort_by_key(|(count, _)| *count);
        ends.into_iter().try_for_each(|(_, end)| end)?;
        let count = |block: &Block| before + block.count as u64;
        match some.count == others.count {
            false => {
                let [one, other] = [read_all(one, |_| Ok(()))?, read_all(other, |_| Ok(()))?];
                break Some((count(&some) + one, count(&others) + other));
            }
            true if some.is_last() => break None,
            true => {}
        }
    };
    if let Some((one, other)) = counts {
        tell(format!("number of records: {one} and {other}"))?;
    }
    let is_rest_same = is_named_alike && counts.is_none();
    if tally.records > 0 {
        tally.sum_up(is_rest_same, &mut tell)?;
    } else if !is_rest_same {
        match (counts, tally.compared) {
            (Some(_), 0) => {}
            (Some(_), 1) => tell("the first record is the same".to_string())?,
            (Some(_), same) => tell(format!("the first {same} records are the same"))?,
            (None, _) => tell("all records are the same".to_string())?,
        }
    }
    Ok(is_rest_same && tally.records == 0)
}

/// The differences between records at the same positions.
#[derive(Default)]
struct Tally {
    compared: u64,
    /// The numbers of different records, and of their different elements and labels.
    records: u64,
    elements: u64,
    labels: u64,
    /// The sums of the hashes of different records: equal if these are the same records in another order.
    sums: [u128; 2],
}

impl Tally {
    /// Compares two records, and prints how they differ if they are among the first that do.
    fn add(
        &mut self,
        one: &Record,
        other: &Record,
        layout: &RecordLayout,
        tell: &mut impl FnMut(String) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let index = self.compared;
        self.compared += 1;
        let is_other_label = one.label != other.label;
        // Whole records first: comparing each element takes eight times as long.
        if !is_other_label && one.bytes == other.bytes {
            return Ok(());
        }
        let (elements, text) = different(one, other, layout);
        match self.records {
            0..PRINTED => tell(format!("record {index}:{text}"))?,
            PRINTED => tell("...".to_string())?,
            _ => {}
        }
        self.records += 1;
        self.elements += elements;
        self.labels += u64::from(is_other_label);
        for (sum, record) in self.sums.iter_mut().zip([one, other]) {
            *sum = sum.wrapping_add(half_hash(&record.bytes, record.label));
        }
        Ok(())
    }

    /// Prints how much differs, and whether only the order does.
    fn sum_up(
        &self,
        is_rest_same: bool,
        tell: &mut impl FnMut(String) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Self { compared, records, .. } = self;
        let elements = counted(self.elements, "element");
        let labels = match self.labels {
            0 => String::new(),
            labels => format!(" and {}", counted(labels, "label")),
        };
        tell(format!("{records} of {compared} records differ, in {elements}{labels}"))?;
        match is_rest_same && self.sums[0] == self.sums[1] {
            true => tell("both have the same records, in another order".to_string()),
            false => Ok(()),
        }
    }
}

/// The next records of an input, up to its end or its first error.
struct Block {
    records: Vec<Record>,
    count: usize,
    end: Result<(), Error>,
}

impl Block {
    fn new(layout: &RecordLayout) -> Self {
        let size = usize::try_from(layout.record_size().unwrap_or_default()).unwrap_or(BLOCK);
        let count = (BLOCK / size.max(MIN_SIZE)).max(1);
        Self { records: vec![Record::default(); count], count: 0, end: Ok(()) }
    }

    fn read(&mut self, source: &mut Source) {
        self.count = 0;
        for record in &mut self.records {
            match source.read(record) {
                Ok(true) => self.count += 1,
                Ok(false) => break,
                Err(error) => {
                    self.end = Err(error);
                    break;
                }
            }
        }
    }

    fn records(&self) -> &[Record] {
        self.records.get(..self.count).unwrap_or_default()
    }

    fn is_last(&self) -> bool {
        self.count < self.records.len()
    }

    fn take_end(&mut self) -> Result<(), Error> {
        mem::replace(&mut self.end, Ok(()))
    }
}

/// Returns the first class whose names differ: the same label means something else.
fn different_class(one: &ClassNames, other: &ClassNames) -> Option<String> {
    let labels = one.iter().chain(other.iter()).map(|(label, _)| label);
    let label = labels.filter(|label| one.name(*label) != other.name(*label)).min()?;
    let [one, other] = [one, other].map(|names| names.name(label).unwrap_or("no name"));
    Some(format!("class {label}: {one} and {other}"))
}

/// Returns the first column whose names differ: the same number means something else.
fn different_column(one: &[String], other: &[String]) -> Option<String> {
    let mut pairs = one.iter().zip(other).enumerate();
    let (index, (one, other)) = pairs.find(|(_, (one, other))| one != other)?;
    Some(format!(
        "column {index} of the records: {one} and {other}; if they mean the same, give the shape of a record with --shape"
    ))
}

/// Returns the number of elements that differ, and a text about the first of them and the labels.
fn different(one: &Record, other: &Record, layout: &RecordLayout) -> (u64, String) {
    let dtype = layout.dtype;
    let elements = [one, other].map(|record| record.bytes.chunks_exact(dtype.size()));
    let [one_elements, others] = elements;
    let pairs = (0u64..).zip(one_elements.zip(others));
    let mut different = pairs.filter(|(_, (one, other))| one != other);
    let mut text = String::new();
    let mut count = 0;
    if let Some((index, (element, changed))) = different.next() {
        count = 1 + different.count() as u64;
        let place = place(index, layout.record_shape());
        text += &match (place.as_slice(), count) {
            ([], _) => String::new(),
            (_, 1) => format!(" the element at {place:?} differs:"),
            (_, count) => format!(" {count} elements differ, the first at {place:?}:"),
        };
        let values = dtype.text(element).zip(dtype.text(changed));
        text += &values.map_or(String::new(), |(one, other)| format!(" {one} and {other}"));
    }
    // Both records have a label, or neither has.
    if let Some((one, other)) = one.label.zip(other.label).filter(|(one, other)| one != other) {
        let separator = if count > 0 { "," } else { "" };
        text += &format!("{separator} labels {one} and {other}");
    }
    (count, text)
}

/// Returns the position of an element in its record.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Records without elements are the same, and their labels are not.
    #[test]
    fn labels_of_records_without_elements_are_compared() {
        let layout = RecordLayout::new(idx_std::ElementType::U8, &[2, 0]);
        let record = |label| Record::new(Vec::new(), label);
        let text = |one, other| different(&record(one), &record(other), &layout);
        assert_eq!(text(Some(2), Some(3)), (0, " labels 2 and 3".to_string()));
    }
}
