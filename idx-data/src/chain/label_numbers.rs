//! The labels of many records, stored compactly.

use std::collections::BTreeSet;

use crate::gather::Gather;

/// The labels of records, stored as numbers of classes, because a label takes 16 bytes.
#[derive(Default)]
pub(crate) struct Labels {
    /// The distinct labels, sorted.
    classes: Vec<i128>,
    /// For each record, the index of its label in `classes`.
    numbers: Vec<u32>,
}

impl Labels {
    pub(crate) fn of(labels: impl IntoIterator<Item = i128>) -> Self {
        let labels: Vec<i128> = labels.into_iter().collect();
        let classes: BTreeSet<i128> = labels.iter().copied().gather();
        let classes: Vec<i128> = classes.into_iter().collect();
        let number = |label: &i128| classes.binary_search(label).unwrap_or_default();
        // More classes than this do not fit in memory.
        let number = |label| u32::try_from(number(label)).unwrap_or(u32::MAX);
        Self { numbers: labels.iter().map(number).collect(), classes }
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the label of a record, if it has one.
    pub(super) fn get(&self, record: usize) -> Option<i128> {
        self.numbers.get(record)?;
        self.classes.get(self.class(record)).copied()
    }

    /// Returns the number of a record's class, in the order of the labels. It is 0 without labels.
    pub(crate) fn class(&self, record: usize) -> usize {
        self.numbers.get(record).map_or(0, |number| *number as usize)
    }

    /// Returns the labels that none of these records has.
    pub(super) fn absent_from(&self, records: &[usize]) -> impl Iterator<Item = i128> {
        let mut is_absent = vec![true; self.classes.len()];
        for record in records {
            is_absent.get_mut(self.class(*record)).into_iter().for_each(|absent| *absent = false);
        }
        self.classes.iter().zip(is_absent).filter_map(|(label, absent)| absent.then_some(*label))
    }
}
