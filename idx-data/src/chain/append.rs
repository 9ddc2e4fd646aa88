//! Joins sources with records of the same type and shape.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::swap;
use std::sync::Arc;

use crate::answer::{Column, ReadingOption};
use crate::chain::class_list::one_list;
use crate::chain::source::Source;
use crate::error::{Error, ErrorKind, Hint, file_name};
use crate::gather::Gather;
use crate::known::data_set::DataSet;
use crate::names::class_names::ClassNames;
use crate::names::format::Format;
use crate::reading::question::Question;
use crate::reading::spelling::shown;
use crate::reading::{Evidence, Subject};
use crate::record::Facts;
use crate::record::value::wider;
use idx_std::__private::counted;

impl Source {
    /// Appends the records of another source. Labels that are words are numbered over both: first those in a given list
    /// of classes, then all others in the order of their bytes. Named columns of the other are put in the order of this
    /// one.
    ///
    /// # Errors
    ///
    /// Records of another type or shape, columns with other names, or the same numbers for other classes
    /// ([`mismatch`](ErrorKind::code)); labels in only one of the two, words as the labels of one and numbers as those
    /// of the other, or labels that were found, by their content, in columns with different names
    /// ([`question`](ErrorKind::code)).
    #[doc(alias = "concat")]
    pub fn append(self, other: Self) -> Result<Self, Error> {
        self.expect_like(&other)?;
        let other = other.in_columns_of(&self.facts);
        self.expect_columns_of(&other)?;
        let list = one_list([&self, &other], false)?;
        let sets = [&self, &other].map(Self::known_set);
        let joined = self.in_list(list.as_ref()).joined(other.in_list(list.as_ref()));
        Ok(match sets {
            [Some(one), Some(two)] if ClassNames::from(one) != ClassNames::from(two) => {
                let text = format!("the classes of {one} and {two} are joined by their numbers");
                joined.with_statement(Subject::Classes, Evidence::Content, &text)
            }
            _ => joined,
        })
    }

    /// Returns the known data set of these records, if their labels are its numbers.
    fn known_set(&self) -> Option<DataSet> {
        let Facts { known, has_labels, classes, .. } = &self.facts;
        known.filter(|_| *has_labels && classes.is_none()).map(|known| known.data_set)
    }

    /// Appends the records of a source with the same labels and columns.
    fn joined(mut self, other: Self) -> Self {
        let counts = self.remaining().zip(other.remaining());
        let count = counts.map(|(sum, count)| sum.saturating_add(count));
        let (one, two) = (self.facts.label_type, other.facts.label_type);
        self.facts.reading.append(&other.facts.reading);
        self.facts = Facts {
            label_type: one.zip(two).map(|(one, two)| wider(one, two)).or(one).or(two),
            left_out: self.left().left_out.max(other.left().left_out),
            have_names: self.facts.have_names && other.facts.have_names,
            columns: self.facts.columns.take().or(other.facts.columns),
            excluded_classes: BTreeSet::new(),
            ..self.facts.of_count(count)
        };
        self.record_limit = self.record_limit.min(other.record_limit);
        self.taken = 0;
        self.size = self.size.saturating_add(other.size);
        self.has_failed |= other.has_failed;
        self.formats.extend(other.formats);
        self.steps.append(other.steps);
        self
    }

    /// Returns the same records with their columns in the order of `others`, if the names are the same.
    pub(crate) fn in_columns_of(self, others: &Facts) -> Self {
        let (Some(names), Some(wanted)) = (&self.facts.columns, &others.columns) else {
            return self;
        };
        let places: BTreeMap<&str, usize> = names.iter().map(String::as_str).zip(0..).gather();
        let order: Option<Vec<usize>> =
            wanted.iter().map(|name| places.get(name.as_str()).copied()).collect();
        let is_same_order = |order: &Vec<usize>| order.iter().copied().eq(0..order.len());
        let is_whole = places.len() == names.len() && wanted.len() == names.len();
        let Some(order) = order.filter(|order| is_whole && !is_same_order(order)) else {
            return self;
        };
        let mut facts = Facts { columns: Some(Arc::clone(wanted)), ..self.left() };
        let text = "columns in the order of the first input";
        facts.reading.say(Subject::Records, Evidence::Header, text);
        let (size, mut before) = (facts.layout.dtype.size(), Vec::new());
        self.mapped(facts, move |record| {
            swap(&mut before, &mut record.bytes);
            record.bytes.clear();
            for place in &order {
                let start = place.saturating_mul(size);
                let element = before.get(start..start.saturating_add(size));
                record.bytes.extend_from_slice(element.unwrap_or_default());
            }
            Ok(())
        })
    }

    /// Checks that the records of another source can follow these.
    fn expect_like(&self, other: &Self) -> Result<(), Error> {
        let (found, expected) = (&other.facts.layout, &self.facts.layout);
        if found.dtype != expected.dtype || found.record_shape() != expected.record_shape() {
            let (advice, hint) = match () {
                () if found.dtype != expected.dtype => {
                    ("convert only this one to that type first", Some(Hint::ElementType))
                }
                () if found.record_size() == expected.record_size() => {
                    ("give the shape of a record", Some(Hint::Shape))
                }
                () => ("give inputs with records of the same shape", None),
            };
            let sentence = format!(
                "cannot join inputs: the records of this one are {found}, those before are {expected}; {advice}"
            );
            return Err(other.error(ErrorKind::Mismatch { sentence, hint }));
        }
        if other.facts.has_labels != self.facts.has_labels {
            let question =
                "some inputs have labels and some do not; give labels for all, or for none";
            let question = Question::new(question).or(ReadingOption::NoLabels, "to leave them out");
            return Err(other.error(question));
        }
        Ok(())
    }

    /// Checks that the named columns of both sources, which belong to one set, have the same names.
    pub(crate) fn expect_columns_of(&self, other: &Self) -> Result<(), Error> {
        let [before, found] =
            [self, other].map(|source| source.facts.columns.as_deref().unwrap_or_default());
        let mut columns = before.iter().zip(found).enumerate();
        if let Some((column, (before, name))) = columns.find(|(_, (before, name))| before != name) {
            let message = format!(
                "column {column} is {name:?} here, and was {before:?} in {}; order the columns alike, or if both mean the \
                 same, give the shape of a record",
                file_name(self.path())
            );
            return Err(other.error(ErrorKind::mismatch(message).advising(Hint::Shape)));
        }
        // Tables without column names may have any shapes with the same number of numbers.
        let is_other = !before.is_empty() && !found.is_empty();
        let are_tables = [self, other].iter().all(|source| source.formats.contains(&Format::Csv));
        let [expected, found_length] =
            [self, other].map(|source| source.facts.layout.record_length());
        let first = file_name(self.path());
        let question = match (before.get(found.len()), found.get(before.len())) {
            (Some(name), _) if is_other => {
                let column = Column::from(name.as_str());
                let name = shown(name);
                Question::new(format!("`{name}` is a column of {first}, but not of this part"))
                    .or(ReadingOption::LabelColumn(column.clone()), "if it is the label")
                    .or(ReadingOption::Skip(vec![column]), "to leave it out")
            }
            (_, Some(name)) if is_other => {
                let name = shown(name);
                Question::new(format!(
                    "`{name}` is a column of this part, but not of {first}; give each file on its own"
                ))
            }
            _ if are_tables && expected != found_length => {
                let numbers = |length: Option<u64>| counted(length.unwrap_or_default(), "number");
                let [expected, found] = [numbers(expected), numbers(found_length)];
                Question::new(format!(
                    "the records of this part have {found}, and those of {first} {expected}; write names above the columns \
                     of both, or give each file on its own"
                ))
            }
            _ => return Ok(()),
        };
        Err(other.error(question))
    }
}
