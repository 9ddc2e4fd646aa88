//! Hidden names next to the final ones, and their removal after a signal.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use tempfile::{Builder, NamedTempFile};

use crate::atomic::place::parent;

/// The maximum number of bytes of the final name in the hidden one, which then has fewer than the 255 bytes that file
/// systems allow, and than the 143 that encrypted ones allow.
const MAX_PREFIX: usize = 100;

/// The hidden names of this process.
static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Held while outputs get their names.
static NAMING: RwLock<()> = RwLock::new(());

/// The hidden name of a new file or folder: a dot, its name, six random characters and `.tmp`. Dropping it removes the
/// file or folder.
#[derive(Debug)]
pub(super) struct Hidden(PathBuf);

impl Hidden {
    /// Creates a file or folder with a hidden name next to this place. Errors do not contain that name.
    pub(super) fn make<F>(
        place: &Path,
        create: impl FnMut(&Path) -> io::Result<F>,
    ) -> io::Result<(F, Self)> {
        // A signal waits until the name is known.
        let mut all = lock_all();
        let (file, path) = name_beside(place, ".tmp", create)?;
        all.insert(path.clone());
        Ok((file, Self(path)))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Keeps the file or folder, whether or not it still has the hidden name.
    pub(super) fn keep(self) {
        lock_all().remove(&self.0);
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // A signal waits until it is removed.
        let mut all = lock_all();
        if all.remove(&self.0) {
            let _ = remove(&self.0);
        }
    }
}

/// A hidden folder. Dropping it removes it with its files.
#[derive(Debug)]
pub(super) struct HiddenFolder {
    /// Descriptors kept for removing nested folders, because all others may be in use. Dropped before the name.
    _spare: [Option<File>; 2],
    name: Hidden,
}

impl HiddenFolder {
    /// Creates an empty folder next to this place, with the mode of any new folder. Errors do not contain the hidden
    /// name.
    pub(super) fn create(place: &Path) -> io::Result<Self> {
        let ((), name) = Hidden::make(place, |path| fs::create_dir(path))?;
        // Some systems cannot open folders.
        let spare = || match File::open(name.path()) {
            Err(error) if cfg!(unix) => Err(error),
            opened => Ok(opened.ok()),
        };
        let spare = [spare()?, spare()?];
        Ok(Self { _spare: spare, name })
    }

    /// Returns the path with the hidden name.
    pub(super) fn path(&self) -> &Path {
        self.name.path()
    }

    pub(super) fn keep(self) {
        self.name.keep();
    }
}

/// Creates a file or folder with a hidden name next to this place, and returns that name.
pub(super) fn name_beside<F>(
    place: &Path,
    suffix: &str,
    create: impl FnMut(&Path) -> io::Result<F>,
) -> io::Result<(F, PathBuf)> {
    let prefix = prefix_of(place);
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(suffix).disable_cleanup(true);
    let named: NamedTempFile<F> = builder.make_in(parent(place), create)?;
    let (made, path) = named.into_parts();
    Ok((made, path.to_path_buf()))
}

/// Returns the start of the hidden names for this place.
fn prefix_of(place: &Path) -> OsString {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let mut start = String::from(".");
    for letter in name.chars() {
        if start.len() + letter.len_utf8() > MAX_PREFIX {
            break;
        }
        start.push(letter);
    }
    start.push('.');
    start.into()
}

/// Makes a signal wait until the result is dropped.
pub(super) fn hold_signals() -> RwLockReadGuard<'static, ()> {
    NAMING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files and folders of this process. From then on, none of its outputs appears: a call that
/// starts or names one blocks forever.
///
/// Call this when a signal ends the program, because nothing is dropped then. Call it from a thread that waits for the
/// signal, not from a signal handler. If outputs are just getting their names, it waits until all have them.
pub fn remove_temporaries() {
    std::mem::forget(NAMING.write().unwrap_or_else(PoisonError::into_inner));
    let all = lock_all();
    for path in &*all {
        // Another thread may add a file to the folder while its files are being removed.
        for _ in 0..100 {
            if remove(path).is_ok() {
                break;
            }
        }
    }
    std::mem::forget(all);
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        // An empty one needs no descriptor.
        true => fs::remove_dir(path).or_else(|_| fs::remove_dir_all(path)),
        false => fs::remove_file(path),
    }
}

/// Locks the set of paths, which a panic cannot leave inconsistent.
fn lock_all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}
