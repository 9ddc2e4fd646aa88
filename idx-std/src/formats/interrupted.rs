use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::io::find_interrupted;

/// Checks that no program was stopped while it gave this file or folder and others their names.
///
/// # Errors
///
/// [`ErrorKind::Interrupted`]; [`repair`] completes what is left.
pub fn check_interrupted(path: impl AsRef<Path>) -> Result<(), Error> {
    let path = path.as_ref();
    match find_interrupted(path) {
        Some(_) => Err(Error::from(ErrorKind::Interrupted).with_path(path)),
        None => Ok(()),
    }
}

/// Completes what a program began that was stopped while it gave several files their names: the first of
/// them, or the folder, has this path. Returns whether anything was left.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let images = folder.path().join("images.idx");
/// assert!(!idx_std::formats::repair(&images)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`ErrorKind::Io`].
pub fn repair(path: impl AsRef<Path>) -> Result<bool, Error> {
    match find_interrupted(path) {
        Some(interrupted) => interrupted.complete(is_own).map(|()| true),
        None => Ok(false),
    }
}

/// Whether a file in a folder is one that new pictures or shards replace.
fn is_own(path: &Path) -> bool {
    #[cfg(feature = "pictures")]
    if super::pictures::is_own(path) {
        return true;
    }
    #[cfg(feature = "parquet")]
    if super::parquet::is_own(path) {
        return true;
    }
    let _ = path;
    false
}
