use std::collections::{BTreeMap, BTreeSet};

use super::class_names::ClassNames;
use super::error::ErrorKind;
use idx_std::__private::counted;

/// Which records to take by their labels.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// All if there is no set.
    only: Option<BTreeSet<i128>>,
    except: BTreeSet<i128>,
    /// The first records of each class.
    per_class: Option<u64>,
    /// The number of records of each class so far, taken or not.
    seen: BTreeMap<i128, u64>,
}

impl Classes {
    /// The labels of these classes.
    pub(super) fn labels(
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

    /// Only these of the classes so far.
    pub(super) fn only(&mut self, mut labels: BTreeSet<i128>) {
        labels.retain(|label| self.only.as_ref().is_none_or(|only| only.contains(label)));
        self.only = Some(labels);
    }

    /// Without these of the classes so far.
    pub(super) fn except(&mut self, labels: BTreeSet<i128>) {
        self.except.extend(labels);
    }

    /// At most so many records of each class.
    pub(super) fn per_class(&mut self, count: u64) {
        self.per_class = Some(self.per_class.map_or(count, |before| before.min(count)));
    }

    /// Whether to take the next record, which has this label.
    pub(super) fn take(&mut self, label: Option<i128>) -> bool {
        let Some(label) = label else {
            return false;
        };
        let seen = self.seen.entry(label).or_default();
        *seen += 1;
        let has_room = self.per_class.is_none_or(|max| *seen <= max);
        has_room && self.is_wanted(label)
    }

    fn is_wanted(&self, label: i128) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&label)) && !self.except.contains(&label)
    }

    /// The error for records that were requested and do not exist.
    pub(super) fn check(&self) -> Result<(), ErrorKind> {
        let mut asked = self.only.iter().flatten().chain(&self.except);
        if let Some(label) = asked.find(|label| !self.seen.contains_key(label)) {
            let records = counted(self.seen.values().sum(), "record");
            let message = format!(
                "the label {label} does not occur in the {records}; choose labels that occur"
            );
            return Err(ErrorKind::mismatch(message));
        }
        let wanted = self.seen.iter().filter(|(label, _)| self.is_wanted(**label));
        let few = wanted.filter(|(_, seen)| self.per_class.is_some_and(|max| **seen < max));
        let few = few.min_by_key(|(_, seen)| **seen);
        few.map_or(Ok(()), |(label, seen)| {
            let records = counted(*seen, "record");
            let message =
                format!("label {label} has only {records}; take {seen} or fewer per class");
            Err(ErrorKind::mismatch(message))
        })
    }
}
