//! The labels of many records in little memory.

use std::collections::BTreeMap;

/// The labels of records by the numbers of their classes, because a label itself takes 16 bytes.
#[derive(Default)]
pub(crate) struct Labels {
    /// The labels that occur, in their order.
    classes: Vec<i128>,
    /// For each record the place of its label there.
    numbers: Vec<u32>,
}

impl Labels {
    pub(crate) fn of(labels: impl Iterator<Item = i128>) -> Self {
        let mut all = LabelNumbers::default();
        labels.for_each(|label| all.push(label));
        all.finish()
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the label of a record, if it has one.
    pub(super) fn get(&self, record: usize) -> Option<i128> {
        self.numbers.get(record)?;
        self.classes.get(self.class(record)).copied()
    }

    /// Returns the number of a record's class, in the order of the labels; 0 without labels.
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

/// Labels that are collected one by one.
#[derive(Default)]
pub(super) struct LabelNumbers {
    known: BTreeMap<i128, u32>,
    /// For each record the number of its label, in the order in which they first came.
    numbers: Vec<u32>,
}

impl LabelNumbers {
    pub(super) fn push(&mut self, label: i128) {
        let next = u32::try_from(self.known.len());
        debug_assert!(next.is_ok(), "no memory is large enough for as many classes");
        let number = self.known.entry(label).or_insert(next.unwrap_or(u32::MAX));
        self.numbers.push(*number);
    }

    pub(super) fn finish(mut self) -> Labels {
        let mut places = vec![0; self.known.len()];
        for (place, number) in (0..).zip(self.known.values()) {
            places.get_mut(*number as usize).into_iter().for_each(|old| *old = place);
        }
        for number in &mut self.numbers {
            *number = places.get(*number as usize).copied().unwrap_or_default();
        }
        Labels { classes: self.known.into_keys().collect(), numbers: self.numbers }
    }
}
