//! A list of record numbers that subsets, shuffles and batches share.

use std::ops::Range;
use std::sync::Arc;

use crate::chain::shuffle;

/// Records of a file, in an order: a slice of a list that several orders share.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// `None` is the order of the file, which takes no memory.
    list: Option<Arc<[usize]>>,
    range: Range<usize>,
}

impl Order {
    pub(super) fn of_file(len: usize) -> Self {
        Self { list: None, range: 0..len }
    }

    pub(super) fn of_records(list: Vec<usize>) -> Self {
        Self { range: 0..list.len(), list: Some(list.into()) }
    }

    pub(super) fn len(&self) -> usize {
        self.range.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<usize> {
        let position = self.range.clone().nth(index)?;
        Some(self.at(position))
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator {
        self.range.clone().map(|position| self.at(position))
    }

    fn at(&self, position: usize) -> usize {
        let Some(list) = &self.list else {
            return position;
        };
        let record = list.get(position);
        debug_assert!(record.is_some(), "the range is within the list");
        record.copied().unwrap_or(position)
    }

    /// Returns a slice of the order.
    pub(super) fn slice(&self, range: Range<usize>) -> Self {
        Self {
            list: self.list.clone(),
            range: self.range.start + range.start..self.range.start + range.end,
        }
    }

    /// Returns a random order.
    pub(super) fn shuffled(&self, seed: u64) -> Self {
        let mut list: Vec<usize> = self.iter().collect();
        shuffle(&mut list, seed);
        Self::of_records(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffled_slice_keeps_its_records() {
        let order = Order::of_file(100).slice(20..50);
        let mut records: Vec<usize> = order.shuffled(3).iter().collect();
        assert_ne!(records, order.iter().collect::<Vec<_>>());
        records.sort_unstable();
        assert_eq!(records, (20..50).collect::<Vec<_>>());
    }
}
