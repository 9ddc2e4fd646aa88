//! The place of an output: its path after all symbolic links.

use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::TempPath;

use crate::error::{Error, ErrorKind};

/// Adds the path to an error of the system.
pub(super) fn at(path: &Path, error: io::Error) -> Error {
    Error::from(ErrorKind::from(error)).with_path(path)
}

/// Returns the target of a symbolic link, so that the link stays and its target is replaced. It need not exist.
pub(super) fn follow_symlinks(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) => {
                path = match path.parent() {
                    Some(folder) => folder.join(target),
                    None => target,
                };
            }
            // It is not a symlink, or does not exist.
            Err(_) => return Ok(path),
        }
    }
    // The system's own error for a loop of links.
    fs::metadata(&path).map(|_| path)
}

/// Returns the folder that holds the path.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns whether a path leads to `other`, or into that folder. Neither need exist.
#[must_use]
pub fn is_within(path: &Path, other: &Path) -> bool {
    location(path).starts_with(location(other))
}

/// Returns the canonical path of a file, to compare it with others. The file need not exist.
pub(super) fn location(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    // A symbolic link may lead to a file that does not exist yet.
    let path = follow_symlinks(path).unwrap_or_else(|_| path.to_path_buf());
    match path.file_name() {
        // On some systems, names that differ only in case name the same file.
        Some(name) => location(parent(&path)).join(match name.to_str() {
            Some(name) => name.to_lowercase().into(),
            None => name.to_os_string(),
        }),
        None => path,
    }
}

/// Renames a file, but never replaces another.
pub(super) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    let mut path = TempPath::try_from_path(from)?;
    path.disable_cleanup(true);
    match path.persist_noclobber(to) {
        // The file system has neither such a call nor hard links.
        Err(error) if is_impossible(&error.error) => match is_there(to) {
            true => Err(io::ErrorKind::AlreadyExists.into()),
            false => fs::rename(from, to),
        },
        renamed => renamed.map_err(|error| error.error),
    }
}

fn is_impossible(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied || is_unsupported(error)
}

/// Returns whether the file system does not support the call, such as exFAT or a network share.
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    // macOS has three numbers for this, and the standard library knows one.
    #[cfg(unix)]
    let has_number = |number| [libc::ENOTSUP, libc::EOPNOTSUPP, libc::ENOTTY].contains(&number);
    #[cfg(not(unix))]
    let has_number = |_| false;
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error().is_some_and(has_number)
}

/// Returns whether this name is taken, even by a broken symbolic link.
pub(super) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Without this, macOS could not write any file to exFAT or to a network share.
    #[test]
    fn what_a_file_system_lacks_is_recognized_by_each_number() {
        for number in [libc::ENOTSUP, libc::EOPNOTSUPP, libc::ENOTTY, libc::ENOSYS] {
            assert!(is_unsupported(&io::Error::from_raw_os_error(number)), "{number}");
        }
        assert!(!is_unsupported(&io::Error::from_raw_os_error(libc::EIO)));
    }
}
