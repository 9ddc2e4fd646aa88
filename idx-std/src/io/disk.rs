//! Names and folders that are on the disk, and not only in memory.

use std::fs::File;
use std::io;
use std::path::Path;

/// Brings the names in a folder to the disk: a file that was synced can still be lost by its name.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Windows has no such call, and writes names in order.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if cannot_sync(&error) => Ok(()),
        synced => synced,
    }
}

/// Whether this is no failure of the disk: some file systems, of networks for example, have no such call
/// for folders, and a folder in which one may write but not read cannot be opened.
fn cannot_sync(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied
    )
}

/// Brings the files in a folder to the disk, with one call: one for each of thousands of small files
/// takes minutes.
#[cfg(target_os = "linux")]
pub(crate) fn sync_files(folder: &Path) -> io::Result<()> {
    Ok(rustix::fs::syncfs(File::open(folder)?)?)
}

/// Brings the files in a folder to the disk.
#[cfg(not(target_os = "linux"))]
pub(crate) fn sync_files(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_files(&entry.path())?;
        } else {
            let mut options = std::fs::OpenOptions::new();
            // Windows syncs only what may be written.
            let file = options.read(true).write(cfg!(windows)).open(entry.path())?;
            file.sync_all()?;
        }
    }
    sync_folder(folder)
}
