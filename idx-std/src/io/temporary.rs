//! The temporary files and folders of this process, so that a signal can remove them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Locked while files get their names.
static COMMITTING: Mutex<()> = Mutex::new(());

/// A temporary path, known to [`remove_temporaries`] until this is dropped.
#[derive(Debug)]
pub(super) struct Registered(PathBuf);

impl Registered {
    pub(super) fn new(path: &Path) -> Self {
        // The process may change its working directory.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        lock(&ALL).insert(path.clone());
        Self(path)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        lock(&ALL).remove(&self.0);
    }
}

/// [`remove_temporaries`] waits until this is dropped.
pub(super) fn committing() -> MutexGuard<'static, ()> {
    lock(&COMMITTING)
}

/// Removes the temporary files and folders of this process, which then cannot finish what it writes.
///
/// This is for a program that a signal ends, because nothing is dropped then. Call it from a thread that
/// waits for the signal, not from a signal handler. If files are being renamed, it waits until that is done.
pub fn remove_temporaries() {
    let _waited = committing();
    for path in std::mem::take(&mut *lock(&ALL)) {
        // Another thread may add a file while these are removed.
        for _ in 0..100 {
            let removed = match path.is_dir() {
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            if removed.is_ok() || !path.exists() {
                break;
            }
        }
    }
}

/// A panic cannot leave the set of paths inconsistent.
fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
