//! The number of threads, and work on several of them.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Returns a number of threads; the default is one for each core.
pub(crate) fn count(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    threads.unwrap_or(NonZeroUsize::MIN)
}

/// Works on each item, on at most `threads` threads, the caller's among them.
pub fn for_each<I: Send>(
    threads: usize,
    items: impl Iterator<Item = I> + Send,
    work: impl Fn(I) + Sync,
) {
    let items = Mutex::new(items);
    run_on(threads, &|| {
        loop {
            let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(item) = next else { return };
            work(item);
        }
    });
}

/// Runs a function on this number of threads, the caller's among them. It is compiled once, not for each kind of work.
fn run_on(threads: usize, run: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..threads {
            // The others do its work if it cannot start.
            let _ = Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
}
