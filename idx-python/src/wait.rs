//! Work that Ctrl-C can interrupt.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The maximum delay of a signal.
const PATIENCE: Duration = Duration::from_millis(50);

/// The maximum number of bytes between two looks for a signal: they may decompress to a thousand times as many.
const READ: usize = 1 << 12;

/// Does work on another thread, without the interpreter's lock. A signal, such as Ctrl-C, ends the wait and sets the
/// flag; what the thread reads until it sees the flag is dropped.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let given = Arc::new(Mutex::new(None));
    let place = Arc::clone(&given);
    let work = move |stop: &AtomicBool| {
        let done = work(stop);
        *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
    };
    work_and_wait(py, Box::new(work))?;
    // The thread has dropped its place.
    let done = Arc::into_inner(given).and_then(|place| place.into_inner().ok()?);
    done.ok_or_else(|| PyRuntimeError::new_err("the thread that reads has panicked"))
}

/// Returns when the thread has ended, or a signal has come. One function for all work keeps the wheel small.
fn work_and_wait(py: Python<'_>, work: Box<dyn FnOnce(&AtomicBool) + Send>) -> PyResult<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let (is_alive, mut end) = sync_channel::<()>(0);
    Builder::new().spawn(move || {
        work(&flag);
        drop(is_alive); // also if the work panics
    })?;
    loop {
        let waited;
        (waited, end) = py.detach(move || (end.recv_timeout(PATIENCE), end));
        match waited {
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            _ => return Ok(()),
        }
    }
}

/// Checks for signals on this thread, which works without the interpreter's lock.
pub(crate) struct Watch(Instant);

impl Watch {
    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    /// Returns an error that holds the exception of a signal, if one has come.
    pub(crate) fn check(&mut self) -> io::Result<()> {
        if self.0.elapsed() >= PATIENCE {
            Python::attach(|py| py.check_signals()).map_err(io::Error::other)?;
            self.0 = Instant::now();
        }
        Ok(())
    }
}

/// A file whose reads end at a signal.
pub(crate) struct Watched<F> {
    file: F,
    watch: Watch,
}

impl<F> Watched<F> {
    pub(crate) fn new(file: F) -> Self {
        Self { file, watch: Watch::new() }
    }
}

impl<F: Read> Read for Watched<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.watch.check()?;
        let most = buffer.len().min(READ);
        self.file.read(buffer.get_mut(..most).unwrap_or_default())
    }
}

/// Returns the exception in an error of reading or writing: from a signal, or from a file object.
pub(crate) fn raised(py: Python<'_>, error: &io::Error) -> Option<PyErr> {
    Some(error.get_ref()?.downcast_ref::<PyErr>()?.clone_ref(py))
}
