//! The parts of a set that one step is for: a class that one part lacks may be in another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// A part of a set, while all parts get a step.
#[derive(Clone, Debug)]
pub(crate) struct OfSet {
    part: usize,
    parts: usize,
    /// The parts that lack a label, of those that were read.
    lacking: Arc<Mutex<BTreeMap<i128, BTreeSet<usize>>>>,
}

impl OfSet {
    /// Returns the parts of a set of this number of them.
    pub(crate) fn all(parts: usize) -> impl Iterator<Item = Self> {
        let lacking = Arc::default();
        (0..parts).map(move |part| Self { part, parts, lacking: Arc::clone(&lacking) })
    }

    /// Notes that this part lacks a label, and returns whether all parts do.
    pub(super) fn lacks(&self, label: i128) -> bool {
        let mut lacking = self.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = lacking.entry(label).or_default();
        parts.insert(self.part);
        parts.len() == self.parts
    }
}
