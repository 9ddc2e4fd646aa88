use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;
use super::step::{Adapter, Joined, Step};
use crate::class_names::ClassNames;
use crate::error::{Error, ErrorKind};
use crate::record::Record;
use idx_std::__private::counted;

/// Which records to take by their labels.
enum Choice {
    Only(BTreeSet<i128>),
    Except(BTreeSet<i128>),
    /// The first records of each class.
    PerClass(u64),
}

/// Records by their labels.
struct Classes {
    choice: Choice,
    /// The number of records of each class so far, taken or not.
    seen: BTreeMap<i128, u64>,
}

impl Adapter for Classes {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        while before.read(record)? {
            if record.label.is_some_and(|label| self.take(label)) {
                return Ok(true);
            }
        }
        self.check().map(|()| false).map_err(|kind| before.error(kind))
    }
}

impl Classes {
    /// Whether to take the next record, which has this label.
    fn take(&mut self, label: i128) -> bool {
        let seen = self.seen.entry(label).or_default();
        *seen += 1;
        match &self.choice {
            Choice::Only(labels) => labels.contains(&label),
            Choice::Except(labels) => !labels.contains(&label),
            Choice::PerClass(count) => *seen <= *count,
        }
    }

    /// The error for records that were requested and do not exist.
    fn check(&self) -> Result<(), ErrorKind> {
        match &self.choice {
            Choice::Only(labels) | Choice::Except(labels) => self.expect_classes(labels),
            Choice::PerClass(count) => self.expect_records(*count),
        }
    }

    fn expect_classes(&self, labels: &BTreeSet<i128>) -> Result<(), ErrorKind> {
        let mut labels = labels.iter();
        let Some(label) = labels.find(|label| !self.seen.contains_key(label)) else {
            return Ok(());
        };
        let records = counted(self.seen.values().sum(), "record");
        let message =
            format!("the label {label} does not occur in the {records}; choose labels that occur");
        Err(ErrorKind::mismatch(message))
    }

    fn expect_records(&self, count: u64) -> Result<(), ErrorKind> {
        match self.seen.iter().min_by_key(|(_, seen)| **seen) {
            Some((label, seen)) if *seen < count => {
                let records = counted(*seen, "record");
                let message =
                    format!("label {label} has only {records}; take {seen} or fewer per class");
                Err(ErrorKind::mismatch(message))
            }
            _ => Ok(()),
        }
    }
}

/// The labels of these classes.
fn labels(
    classes: impl IntoIterator<Item: AsRef<str>>,
    names: Option<&ClassNames>,
) -> Result<BTreeSet<i128>, ErrorKind> {
    let label = |class: &str| {
        let named = names.and_then(|names| names.label(class));
        named.or_else(|| class.parse().ok()).ok_or_else(|| {
            let known = names.map(|names| {
                let names: Vec<&str> = names.iter().map(|(_, name)| name).take(20).collect();
                format!("; some are {}", names.join(", "))
            });
            ErrorKind::mismatch(format!(
                "`{class}` is not the label or name of a class{}; give one of the set, or the file of \
                 names",
                known.unwrap_or_default()
            ))
        })
    };
    classes.into_iter().map(|class| label(class.as_ref())).collect()
}

impl Source {
    /// Only the records of these classes, given by their labels or names; of no classes, none.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) for a class without a label, and for records without labels.
    pub fn only(self, classes: impl IntoIterator<Item: AsRef<str>>) -> Result<Self, Error> {
        let labels = labels(classes, self.facts().classes.as_ref());
        self.chosen(labels.map(Choice::Only))
    }

    /// Without the records of these classes, given by their labels or names.
    ///
    /// # Errors
    ///
    /// As [`only`](Self::only).
    pub fn except(self, classes: impl IntoIterator<Item: AsRef<str>>) -> Result<Self, Error> {
        let labels = labels(classes, self.facts().classes.as_ref());
        self.chosen(labels.map(Choice::Except))
    }

    /// Only the first records of each class, as many as this; fewer are an error when the end is reached.
    ///
    /// # Errors
    ///
    /// [`mismatch`](ErrorKind::code) for records without labels.
    pub fn per_class(self, count: u64) -> Result<Self, Error> {
        self.chosen(Ok(Choice::PerClass(count)))
    }

    fn chosen(self, choice: Result<Choice, ErrorKind>) -> Result<Self, Error> {
        if !self.facts().has_labels {
            let message = "these records have no labels to choose by; give their labels";
            return self.mismatch(message);
        }
        let choice = choice.map_err(|kind| self.error(kind))?;
        let facts = self.facts().of_count(None);
        Ok(self.then(facts, Classes { choice, seen: BTreeMap::new() }))
    }
}
