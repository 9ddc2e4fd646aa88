//! Processes items on several threads, and returns the results in the order of the items.

use std::collections::VecDeque;
use std::io;
use std::mem::take;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use crate::threads::{self, ended};

/// The maximum number of batches of a thread, which wait, are processed, or whose results wait, if they have one item:
/// enough that no thread waits for a slow one of another, and few enough for memory, and for a program that needs only
/// the first results.
const DEPTH: usize = 16;

/// The number of bytes of small items to pass at a time.
#[cfg(feature = "pictures")]
const BATCH_BYTES: usize = 64 * 1024;

/// The maximum number of items in a batch.
#[cfg(feature = "pictures")]
const BATCH_ITEMS: usize = 32;

/// Applies a function to items on several threads in turn, so that the results have the order of the items.
pub(super) struct Ordered<I, O> {
    work: Arc<dyn Fn(I) -> O + Send + Sync>,
    /// Empty if one thread is enough: then the caller's thread does the work.
    workers: Vec<Worker<I, O>>,
    /// The maximum number of batches of a thread.
    depth: usize,
    batch_size: usize,
    /// The batch that no thread has yet.
    batch: Vec<I>,
    /// Results that were not returned yet.
    results: VecDeque<O>,
    /// The number of batches that threads got, and that came back.
    given: usize,
    taken: usize,
}

struct Worker<I, O> {
    /// `None` when the thread has to end.
    items: Option<Sender<Vec<I>>>,
    results: Receiver<Vec<O>>,
    thread: Option<JoinHandle<()>>,
}

impl<I: Send + 'static, O: Send + 'static> Ordered<I, O> {
    /// Starts this many threads, by default one for each core, or fewer if the system cannot start more.
    pub(super) fn new(
        threads: Option<NonZeroUsize>,
        work: impl Fn(I) -> O + Send + Sync + 'static,
    ) -> Self {
        let work: Arc<dyn Fn(I) -> O + Send + Sync> = Arc::new(work);
        let threads = threads::count(threads).get();
        let workers = (0..threads).map_while(|_| Worker::new(Arc::clone(&work)));
        Self {
            workers: if threads > 1 { workers.collect() } else { Vec::new() },
            work,
            depth: DEPTH,
            batch_size: 1,
            batch: Vec::new(),
            results: VecDeque::new(),
            given: 0,
            taken: 0,
        }
    }

    /// Limits the number of batches that a thread has, for large items.
    pub(super) fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Passes several items of this size in bytes at a time, if it is small: waking a thread can take longer than
    /// the work for one.
    #[cfg(feature = "pictures")]
    pub(super) fn for_items_of(mut self, size: usize) -> Self {
        self.batch_size = (BATCH_BYTES / size.max(1)).clamp(1, BATCH_ITEMS);
        // A thread needs a batch to work on, one that waits, and one whose results wait.
        self.depth = (DEPTH / self.batch_size).max(3);
        self
    }

    /// Passes an item to a thread. Returns the oldest result if enough are waiting.
    pub(super) fn give(&mut self, item: I) -> io::Result<Option<O>> {
        if self.workers.is_empty() {
            return Ok(Some((self.work)(item)));
        }
        self.batch.push(item);
        if self.batch.len() >= self.batch_size {
            if self.given - self.taken >= self.depth * self.workers.len() {
                self.receive()?;
            }
            self.send()?;
        }
        Ok(self.results.pop_front())
    }

    /// Waits for the oldest result; `None` if all were returned.
    pub(super) fn take(&mut self) -> io::Result<Option<O>> {
        if self.results.is_empty() {
            if self.taken == self.given && !self.batch.is_empty() {
                self.send()?;
            }
            if self.taken < self.given {
                self.receive()?;
            }
        }
        Ok(self.results.pop_front())
    }

    /// Passes the batch to the next thread.
    fn send(&mut self) -> io::Result<()> {
        let next = self.given.checked_rem(self.workers.len());
        let worker = next.and_then(|next| self.workers.get(next));
        let items = worker.and_then(|worker| worker.items.as_ref());
        let batch = take(&mut self.batch);
        self.given += 1;
        match items.is_some_and(|items| items.send(batch).is_ok()) {
            true => Ok(()),
            false => Err(ended()),
        }
    }

    /// Waits for the results of the oldest batch.
    fn receive(&mut self) -> io::Result<()> {
        let next = self.taken.checked_rem(self.workers.len());
        let worker = next.and_then(|next| self.workers.get(next));
        let results = worker.and_then(|worker| worker.results.recv().ok());
        self.taken += 1;
        self.results.extend(results.ok_or_else(ended)?);
        Ok(())
    }
}

impl<I: Send + 'static, O: Send + 'static> Worker<I, O> {
    fn new(work: Arc<dyn Fn(I) -> O + Send + Sync>) -> Option<Self> {
        let (items, to_do) = channel::<Vec<I>>();
        let (done, results) = channel::<Vec<O>>();
        let run = move || {
            for batch in to_do {
                if done.send(batch.into_iter().map(&*work).collect()).is_err() {
                    return; // nobody waits for it
                }
            }
        };
        let thread = thread::Builder::new().spawn(run).ok()?;
        Some(Self { items: Some(items), results, thread: Some(thread) })
    }
}

/// After this no thread is running, so files can be removed safely.
impl<I, O> Drop for Ordered<I, O> {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            worker.items = None;
        }
        for thread in self.workers.iter_mut().filter_map(|worker| worker.thread.take()) {
            // Its errors were reported with the results.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for (threads, batch) in [(1, 1), (2, 1), (3, 1), (8, 1), (1, 3), (2, 3), (3, 64), (2, 200)]
        {
            let mut squares = Ordered::new(NonZeroUsize::new(threads), |item: u64| {
                thread::sleep(std::time::Duration::from_micros(item * 7919 % 50));
                item * item
            });
            squares.batch_size = batch;
            let mut results = Vec::new();
            for item in 0..100 {
                results.extend(squares.give(item).unwrap());
            }
            while let Some(result) = squares.take().unwrap() {
                results.push(result);
            }
            assert!(results.into_iter().eq((0..100).map(|item| item * item)));
        }
    }

    /// A program may need only the first of many large pictures.
    #[test]
    #[cfg(feature = "pictures")]
    fn few_items_are_given_before_the_first_result() {
        for size in [1, BATCH_BYTES / 3, BATCH_BYTES] {
            for threads in [1, 2, 3] {
                let work = Ordered::new(NonZeroUsize::new(threads), |item: usize| item);
                let mut work = work.for_items_of(size);
                let given = (0..).find(|item| work.give(*item).unwrap().is_some());
                assert!(given.unwrap() <= 4 * BATCH_ITEMS * threads);
            }
        }
    }

    #[test]
    fn a_thread_that_ends_is_an_error() {
        let mut work = Ordered::new(NonZeroUsize::new(2), |item: u32| assert!(item < 3));
        let mut results = (0..100).map(|item| work.give(item));
        assert!(results.any(|result| result.is_err()));
    }
}
