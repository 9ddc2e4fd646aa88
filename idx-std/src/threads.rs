//! Chooses a number of threads, and runs work on them.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Returns the given number of threads, or by default one for each core.
pub(crate) fn count(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    threads.unwrap_or(NonZeroUsize::MIN)
}

/// Runs `work` on each item, on at most `threads` threads, including the caller's.
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

/// Runs a function on `threads` threads, including the caller's. Not generic, so that it is compiled only once.
fn run_on(threads: usize, run: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..threads {
            // If one cannot start, the others do its work.
            let _ = Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
}
