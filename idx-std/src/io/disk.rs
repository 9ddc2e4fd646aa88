//! Syncs names and folders to the disk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A folder in which names change.
#[derive(Debug)]
pub(super) struct Folder {
    /// `None` where folders cannot be opened.
    file: Option<File>,
    identity: Identity,
}

/// What tells one folder from another, whatever its path: the numbers of its device and inode, or else its canonical
/// path.
type Identity = (u64, u64, PathBuf);

impl Folder {
    /// Opens a folder: who opens it before it is changed has a descriptor for all that follows.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = match File::open(path) {
            Ok(file) => Some(file),
            Err(error) if cannot_sync(&error) || !cfg!(unix) => None,
            Err(error) => return Err(error),
        };
        Ok(Self { file, identity: identity(path)? })
    }

    pub(super) fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Syncs the names in it: a file whose bytes were synced can still lose its name.
    pub(super) fn sync(&self) -> io::Result<()> {
        // Windows has no such call; it writes names in order.
        match self.file.as_ref().filter(|_| cfg!(unix)).map_or(Ok(()), File::sync_all) {
            Err(error) if cannot_sync(&error) => Ok(()),
            synced => synced,
        }
    }

    /// Locks it against other commands, until it is dropped; whether another one has locked it. Some file systems
    /// have no locks.
    #[cfg(unix)]
    pub(super) fn is_locked_by_another(&self) -> bool {
        use fs4::{FileExt, TryLockError};

        let locked = self.file.as_ref().map(FileExt::try_lock);
        matches!(locked, Some(Err(TryLockError::WouldBlock)))
    }

    #[cfg(not(unix))]
    pub(super) fn is_locked_by_another(&self) -> bool {
        false
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;

    let found = fs::metadata(path)?;
    Ok((found.dev(), found.ino(), PathBuf::new()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> io::Result<Identity> {
    Ok((0, 0, fs::canonicalize(path)?))
}

/// Whether the error does not mean a failure of the disk: some file systems, such as network file systems,
/// cannot sync folders, and a folder that may be written but not read cannot be opened.
fn cannot_sync(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
    )
}

/// Syncs the files in a folder with one call: one call for each of thousands of small files takes minutes.
#[cfg(target_os = "linux")]
pub(super) fn sync_files(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Syncs the files in a folder.
#[cfg(not(target_os = "linux"))]
pub(super) fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_files(&entry.path())?;
        } else {
            let mut options = fs::OpenOptions::new();
            // Windows syncs only files that are open for writing.
            let file = options.read(true).write(cfg!(windows)).open(entry.path())?;
            file.sync_all()?;
        }
    }
    sync_folder(folder)
}
