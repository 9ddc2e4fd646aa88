//! Work that Ctrl-C can interrupt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long a signal waits at most.
const PATIENCE: Duration = Duration::from_millis(50);

/// Does work on another thread, without the lock of the interpreter. A signal, such as that of Ctrl-C, ends the wait and
/// raises the flag; what the thread reads until it looks at it nobody sees.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let (give, mut given) = sync_channel(1);
    // It fails where nobody waits any more.
    Builder::new().spawn(move || drop(give.send(work(&flag))))?;
    loop {
        let done;
        (done, given) = py.detach(move || (given.recv_timeout(PATIENCE), given));
        match done {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread that reads has panicked"));
            }
        }
    }
}
