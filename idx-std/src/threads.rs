//! How many threads to use, and an iterator that runs ahead on another thread.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    clippy::should_implement_trait,
    reason = "public to idx-data alone"
)]

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, Builder, JoinHandle};

/// A number of threads; the default is one for each core.
pub fn count(threads: Option<NonZeroUsize>) -> NonZeroUsize {
    let threads = threads.or_else(|| thread::available_parallelism().ok());
    threads.unwrap_or(NonZeroUsize::MIN)
}

/// The items of an iterator, which another thread takes from it ahead of their use.
#[derive(Debug)]
pub struct Ahead<T> {
    /// `None` when the thread has to end: otherwise it could wait for room.
    items: Option<Receiver<T>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> Ahead<T> {
    /// Starts a thread that waits when this many items are ready, and one more.
    pub fn start(
        iterator: impl Iterator<Item = T> + Send + 'static,
        count: usize,
    ) -> io::Result<Self> {
        let (sender, items) = sync_channel(count);
        let run = move || {
            for item in iterator {
                if sender.send(item).is_err() {
                    return; // nobody waits for more
                }
            }
        };
        Ok(Self { items: Some(items), thread: Some(Builder::new().spawn(run)?) })
    }
}

impl<T> Ahead<T> {
    /// Waits for the next item; `None` after the last one. The error is a panic of the iterator.
    pub fn next(&mut self) -> thread::Result<Option<T>> {
        match self.items.as_ref().map(Receiver::recv) {
            Some(Ok(item)) => Ok(Some(item)),
            _ => self.join().map(|()| None),
        }
    }

    fn join(&mut self) -> thread::Result<()> {
        self.items = None;
        self.thread.take().map_or(Ok(()), JoinHandle::join)
    }
}

/// After this the thread has ended, so files can be removed safely.
impl<T> Drop for Ahead<T> {
    fn drop(&mut self) {
        // A panic that nobody came to is not passed on.
        let _ = self.join();
    }
}

/// The error for a thread that panicked.
pub fn ended() -> io::Error {
    io::Error::other("a thread ended before its work did")
}
