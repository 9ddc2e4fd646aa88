//! Processes items on several threads, and returns the results in the order of the items.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// The maximum number of items of a thread, which wait, are processed, or whose results wait: enough that no thread
/// waits for a slow item of another, and few enough for memory.
const DEPTH: usize = 16;

/// A number of threads; the default is one for each core.
pub(super) fn thread_count(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    threads.unwrap_or(NonZeroUsize::MIN)
}

/// Applies a function to items on several threads in turn, so that the results have the order of the items.
pub(super) struct Ordered<I, O> {
    work: Arc<dyn Fn(I) -> O + Send + Sync>,
    /// Empty if one thread is enough: then the caller's thread does the work.
    workers: Vec<Worker<I, O>>,
    depth: usize,
    given: usize,
    taken: usize,
}

struct Worker<I, O> {
    /// `None` when the thread has to end.
    items: Option<Sender<I>>,
    results: Receiver<O>,
    thread: Option<JoinHandle<()>>,
}

impl<I: Send + 'static, O: Send + 'static> Ordered<I, O> {
    /// Starts this many threads, by default one for each core, or fewer if the system cannot start more.
    pub(super) fn new(
        threads: Option<NonZeroUsize>,
        work: impl Fn(I) -> O + Send + Sync + 'static,
    ) -> Self {
        let work: Arc<dyn Fn(I) -> O + Send + Sync> = Arc::new(work);
        let threads = thread_count(threads).get();
        let workers = (0..threads).map_while(|_| Worker::new(Arc::clone(&work)));
        Self {
            workers: if threads > 1 {
                workers.collect()
            } else {
                Vec::new()
            },
            work,
            depth: DEPTH,
            given: 0,
            taken: 0,
        }
    }

    /// Limits the number of items that a thread has, for large ones.
    #[cfg(feature = "parquet")]
    pub(super) fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Passes an item to a thread. Returns the oldest result if enough are waiting.
    pub(super) fn give(&mut self, item: I) -> io::Result<Option<O>> {
        if self.workers.is_empty() {
            return Ok(Some((self.work)(item)));
        }
        let is_enough = self.given - self.taken >= self.depth * self.workers.len();
        let result = if is_enough { self.take()? } else { None };
        let next = self.given % self.workers.len();
        let items = self
            .workers
            .get(next)
            .and_then(|worker| worker.items.as_ref());
        let sent = items.is_some_and(|items| items.send(item).is_ok());
        self.given += 1;
        if sent { Ok(result) } else { Err(ended()) }
    }

    /// Waits for the oldest result; `None` if all were returned.
    pub(super) fn take(&mut self) -> io::Result<Option<O>> {
        let next = self.taken.checked_rem(self.workers.len());
        let Some(worker) = next.and_then(|next| self.workers.get(next)) else {
            return Ok(None);
        };
        if self.taken == self.given {
            return Ok(None);
        }
        self.taken += 1;
        worker.results.recv().map(Some).map_err(|_| ended())
    }
}

impl<I: Send + 'static, O: Send + 'static> Worker<I, O> {
    fn new(work: Arc<dyn Fn(I) -> O + Send + Sync>) -> Option<Self> {
        let (items, to_do) = channel();
        let (done, results) = channel();
        let run = move || {
            for item in to_do {
                if done.send(work(item)).is_err() {
                    return; // nobody waits for it
                }
            }
        };
        let thread = thread::Builder::new().spawn(run).ok()?;
        Some(Self {
            items: Some(items),
            results,
            thread: Some(thread),
        })
    }
}

/// After this no thread is running, so files can be removed safely.
impl<I, O> Drop for Ordered<I, O> {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            worker.items = None;
        }
        for thread in self
            .workers
            .iter_mut()
            .filter_map(|worker| worker.thread.take())
        {
            // Its errors were reported with the results.
            let _ = thread.join();
        }
    }
}

fn ended() -> io::Error {
    io::Error::other("a thread ended before its work did")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for threads in [1, 2, 3, 8] {
            let mut squares = Ordered::new(NonZeroUsize::new(threads), |item: u64| {
                thread::sleep(std::time::Duration::from_micros(item * 7919 % 50));
                item * item
            });
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

    #[test]
    fn a_thread_that_ends_is_an_error() {
        let mut work = Ordered::new(NonZeroUsize::new(2), |item: u32| assert!(item < 3));
        let mut results = (0..100).map(|item| work.give(item));
        assert!(results.any(|result| result.is_err()));
    }
}
