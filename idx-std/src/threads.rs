//! The number of threads.

use std::num::NonZeroUsize;
use std::thread;

/// Returns a number of threads; the default is one for each core.
#[must_use]
pub fn count(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    threads.unwrap_or(NonZeroUsize::MIN)
}
