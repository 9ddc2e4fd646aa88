//! Syncs files and their names to the disk.

#[cfg(not(target_os = "linux"))]
use std::fs;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

use crate::atomic::place::is_unsupported;

/// Syncs a file or folder to the disk.
pub(crate) fn sync_all(file: &File) -> io::Result<()> {
    or_on_its_server(file, file.sync_all())
}

/// Syncs the bytes of a file to the disk.
pub(crate) fn sync_data(file: &File) -> io::Result<()> {
    or_on_its_server(file, file.sync_data())
}

/// Syncs a file on a network share, if syncing it as usual failed: macOS cannot flush the cache of the server's disk,
/// but with fsync(2) it tells the server to sync the file.
#[cfg(target_vendor = "apple")]
fn or_on_its_server(file: &File, synced: io::Result<()>) -> io::Result<()> {
    match synced {
        Err(error) if is_unsupported(&error) => Ok(rustix::fs::fsync(file)?),
        synced => synced,
    }
}

/// Returns the result: other systems sync both in the same way.
#[cfg(not(target_vendor = "apple"))]
fn or_on_its_server(_: &File, synced: io::Result<()>) -> io::Result<()> {
    synced
}

/// Returns the device and inode numbers of a file or folder, which identify it whatever its path.
#[cfg(unix)]
pub(crate) fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;

    (metadata.dev(), metadata.ino())
}

/// Returns zeros, as other systems have no such numbers.
#[cfg(not(unix))]
pub(crate) fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// A folder in which names change, opened in advance so that no descriptor is missing later.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) file: File,
    pub(super) identity: (u64, u64),
}

impl Folder {
    /// Opens a folder; `None` if it may be written but not read, and on Windows, which writes names in order.
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        let opened = File::open(path).and_then(|file| Ok((identity(&file.metadata()?), file)));
        match opened {
            Ok((identity, file)) => Ok(Some(Self { file, identity })),
            Err(error) if cannot_sync(&error) || !cfg!(unix) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Syncs the names in it: a file whose bytes were synced can still lose its name.
    pub(super) fn sync(&self) -> io::Result<()> {
        match sync_all(&self.file) {
            Err(error) if cannot_sync(&error) => Ok(()),
            synced => synced,
        }
    }
}

/// Locks a file or folder against other writers until it is closed, or returns true if another writer has locked it.
/// Some file systems have no locks.
#[cfg(unix)]
pub(crate) fn is_locked_by_another(file: &File) -> bool {
    matches!(fs4::FileExt::try_lock(file), Err(fs4::TryLockError::WouldBlock))
}

/// Locks nothing: Windows would lock out readers as well.
#[cfg(not(unix))]
pub(crate) fn is_locked_by_another(_: &File) -> bool {
    false
}

/// Returns whether the system does not support syncing this, which is not a failure of the disk: some file systems,
/// such as network file systems, cannot sync folders, and a folder that may be written but not read cannot be opened.
fn cannot_sync(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied)
        || is_unsupported(error)
}

/// Syncs the files in a folder with one call: syncing thousands of small files one by one takes minutes.
#[cfg(target_os = "linux")]
pub(super) fn sync_files(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Syncs the files in a folder, and their names.
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
            sync_all(&file)?;
        }
    }
    Folder::open(folder)?.map_or(Ok(()), |folder| folder.sync())
}
