//! Counts the labels that a step sees in all parts of a set, because a class that one part lacks may be in another.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of records with each label.
pub(super) type Seen = BTreeMap<i128, u64>;

/// A step on one of the parts of a set, which all get the same steps. The default is a step on records without parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfSet {
    others: usize,
    /// The number of earlier steps on the same part.
    step: usize,
    has_ended: bool,
    /// For each step, the number of parts that ended, and what the step saw in them.
    ended: Arc<Mutex<Vec<(usize, Seen)>>>,
}

impl OfSet {
    /// Returns the first step on a set with this number of parts.
    pub(crate) fn of_parts(parts: usize) -> Self {
        Self { others: parts.saturating_sub(1), ..Self::default() }
    }

    /// Returns this step, and advances to the next one on the same part.
    pub(super) fn next_step(&mut self) -> Self {
        let this = self.clone();
        self.step += 1;
        this
    }

    /// Adds what the step saw in a part that ended. Returns what it saw in all parts if this is the last one.
    pub(super) fn end(&mut self, seen: &Seen) -> Option<Seen> {
        // A caller that skips records reaches the end twice.
        if mem::replace(&mut self.has_ended, true) {
            return None;
        }
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.len() <= self.step {
            ended.resize_with(self.step + 1, Default::default);
        }
        let (parts, all) = ended.get_mut(self.step)?;
        seen.iter().for_each(|(label, count)| *all.entry(*label).or_default() += count);
        *parts += 1;
        (*parts > self.others).then(|| mem::take(all))
    }
}
