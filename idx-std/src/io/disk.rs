//! Syncs names and folders to the disk.

use std::fs::File;
use std::io;
use std::path::Path;

/// Syncs the names in a folder: a file whose bytes were synced can still lose its name.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Windows has no such call; it writes names in order.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if cannot_sync(&error) => Ok(()),
        synced => synced,
    }
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
pub(crate) fn sync_files(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Syncs the files in a folder.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_files(&entry.path())?;
        } else {
            let mut options = std::fs::OpenOptions::new();
            // Windows syncs only files that are open for writing.
            let file = options.read(true).write(cfg!(windows)).open(entry.path())?;
            file.sync_all()?;
        }
    }
    sync_folder(folder)
}
