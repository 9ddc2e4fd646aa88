//! The temporary files and folders of this process, so that one that is stopped leaves none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Taken while files get their names.
static COMMITTING: Mutex<()> = Mutex::new(());

/// A temporary path, known to [`remove_temporaries`] until this is dropped.
#[derive(Debug)]
pub(super) struct Registered(PathBuf);

impl Registered {
    pub(super) fn new(path: &Path) -> Self {
        // The process may change its folder.
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

/// Until this is dropped [`remove_temporaries`] waits.
pub(super) fn committing() -> MutexGuard<'static, ()> {
    lock(&COMMITTING)
}

/// Removes the temporary files and folders of this process, which then cannot finish what it writes.
///
/// This is for a program that ends because of a signal, as nothing is dropped then. Call it from a thread
/// that waits for the signal, not from a signal handler. If files are just getting their names, it
/// waits until they have them.
pub fn remove_temporaries() {
    let _waited = committing();
    for path in std::mem::take(&mut *lock(&ALL)) {
        // What still writes may add a file while the others are removed.
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

/// A set of paths is as good after a panic.
fn lock<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
