//! Work on several threads, with the results in the order of the items.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use idx_std::__private::threads;

/// The maximum number of bytes of the items after the first, unless a few items are larger: all together are at most
/// twice this number, or one item for each thread.
pub(crate) const BYTES: u64 = 8 << 20;

/// The maximum number of items at a time: enough to make the time to start threads negligible.
pub(crate) const ITEMS: usize = 512;

/// Works ahead of the results that are asked for. Between two calls no thread is running.
pub(crate) struct Ahead<O> {
    threads: usize,
    /// The number of items to work on next: few at first, for a program that needs only the first results.
    items: usize,
    results: VecDeque<O>,
}

impl<O: Send> Ahead<O> {
    /// Uses at most `threads` threads; 0 is one for each core.
    pub(crate) fn new(threads: usize) -> Self {
        Self { threads: count(threads), items: 1, results: VecDeque::new() }
    }

    /// Drops the results of the first items, as far as they are ready.
    pub(crate) fn skip(&mut self, items: usize) {
        self.results.drain(..items.min(self.results.len()));
    }

    /// Returns the result of the first item; `None` if there is no item. If the result is not ready, works on this item
    /// and the next ones, as [`in_order`] does.
    pub(crate) fn next<'a, I: Sync, P>(
        &mut self,
        items: &'a [I],
        prepare: impl Fn(&'a I) -> (P, u64) + Sync,
        work: impl Fn(P) -> O + Sync,
    ) -> Option<O> {
        if self.results.is_empty() {
            let some = items.get(..self.items).unwrap_or(items);
            self.results = in_order(self.threads, some, prepare, work);
            self.items = if self.threads > 1 { ITEMS.min(2 * self.items) } else { 1 };
        }
        self.results.pop_front()
    }
}

/// Returns the number of threads for an option; 0 is one for each core.
pub(crate) fn count(threads: usize) -> usize {
    let threads = NonZeroUsize::new(threads).or_else(|| available_parallelism().ok());
    threads.map_or(1, NonZeroUsize::get)
}

/// Returns the results of the first items, at least one, in their order. Stops before an item that would take too much
/// memory.
///
/// A thread prepares an item, which tells how many bytes the work takes, and then works on it. The caller's thread is
/// one of them, so the work is done even if the system cannot start any other.
pub(crate) fn in_order<'a, I: Sync, P, O: Send>(
    threads: usize,
    items: &'a [I],
    prepare: impl Fn(&'a I) -> (P, u64) + Sync,
    work: impl Fn(P) -> O + Sync,
) -> VecDeque<O> {
    // The bytes of the items after the first, and of the largest item.
    let bytes = Mutex::new((0, 0));
    let has_room = |index, size: u64| {
        let (used, largest) = &mut *bytes.lock().unwrap_or_else(PoisonError::into_inner);
        *largest = size.max(*largest);
        let of_each_thread = largest.saturating_mul(threads as u64 - 1);
        let is_room = index == 0 || size <= BYTES.max(of_each_thread).saturating_sub(*used);
        *used += if index > 0 && is_room { size } else { 0 };
        is_room
    };
    let is_full = AtomicBool::new(false);
    let mut results: Vec<Option<O>> = items.iter().map(|_| None).collect();
    let next = items.iter().zip(&mut results).enumerate();
    let next = next.take_while(|_| !is_full.load(Ordering::Relaxed));
    threads::for_each(threads.min(items.len()), next, |(index, (item, result))| {
        let (prepared, size) = prepare(item);
        match has_room(index, size) {
            true => *result = Some(work(prepared)),
            false => is_full.store(true, Ordering::Relaxed),
        }
    });
    results.into_iter().map_while(|result| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, AtomicUsize};
    use std::thread::sleep;
    use std::time::Duration;

    /// Returns the results for items of these sizes, and the most bytes in use at a time.
    fn run(threads: usize, sizes: &[u64]) -> (Vec<u64>, u64) {
        let (used, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let mut ahead = Ahead::new(threads);
        let mut results = Vec::new();
        loop {
            // All results so far were taken.
            if ahead.results.is_empty() {
                used.store(0, Ordering::SeqCst);
            }
            let prepare = |size: &u64| (*size, *size);
            let work = |size: u64| {
                let now = used.fetch_add(size, Ordering::SeqCst) + size;
                most.fetch_max(now, Ordering::SeqCst);
                sleep(Duration::from_micros(size % 97));
                size
            };
            match ahead.next(&sizes[results.len()..], prepare, work) {
                Some(result) => results.push(result),
                None => return (results, most.into_inner()),
            }
        }
    }

    #[test]
    fn results_are_in_order_and_bounded() {
        const MIB: u64 = 1 << 20;
        let small: Vec<u64> = (0..2000).map(|index| index * 7919 % 5000).collect();
        let mixed: Vec<u64> =
            (0..300).map(|index| [1, 9 * MIB, 5 * MIB, 40 * MIB][index % 4]).collect();
        let large: Vec<u64> = (0..60).map(|index| 121 * MIB + index).collect();
        for threads in [1, 2, 3, 8] {
            for sizes in [&small, &mixed, &large] {
                let largest = *sizes.iter().max().unwrap();
                let (results, most) = run(threads, sizes);
                assert_eq!(results, *sizes);
                assert!(most <= (2 * BYTES).max(threads as u64 * largest), "{threads} {most}");
            }
        }
    }

    /// A program may need only the first of many large pictures.
    #[test]
    fn few_items_are_worked_on_for_the_first_results() {
        let worked = AtomicUsize::new(0);
        let mut ahead = Ahead::new(8);
        for taken in 1..100 {
            let items = &[(); 200][taken - 1..];
            ahead.next(items, |()| ((), 0), |()| worked.fetch_add(1, Ordering::SeqCst));
            assert!(worked.load(Ordering::SeqCst) < 2 * taken);
        }
    }
}
