use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::io::find_interrupted;

/// Checks that no program was stopped while it renamed this file or folder, together with others, to its
/// final name.
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

/// Completes the renaming of several files by a program that was stopped; this is the path of the first of
/// them, or of the folder. Returns whether anything was left to do.
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

/// Whether new pictures or shards may replace this file of a folder.
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
