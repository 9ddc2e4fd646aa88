//! Syncs files and their names to the disk.

#[cfg(not(target_os = "linux"))]
use std::fs;
use std::fs::File;
use std::io;
use std::path::Path;

/// A folder in which names change. Who opens it before has a descriptor for all that follows.
#[derive(Debug)]
pub(super) struct Folder {
    file: File,
    /// The numbers of its device and inode, which tell it from others whatever its path.
    pub(super) identity: (u64, u64),
}

impl Folder {
    /// `None` if the system cannot open it, because it may be written but not read.
    #[cfg(unix)]
    pub(super) fn open(path: &Path) -> io::Result<Option<Self>> {
        use std::os::unix::fs::MetadataExt;

        match File::open(path) {
            Ok(file) => {
                let found = file.metadata()?;
                Ok(Some(Self { file, identity: (found.dev(), found.ino()) }))
            }
            Err(error) if cannot_sync(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Windows cannot sync a folder: it writes names in order. Nor can it lock one.
    #[cfg(not(unix))]
    pub(super) fn open(_: &Path) -> io::Result<Option<Self>> {
        Ok(None)
    }

    /// Syncs the names in it: a file whose bytes were synced can still lose its name.
    pub(super) fn sync(&self) -> io::Result<()> {
        match self.file.sync_all() {
            Err(error) if cannot_sync(&error) => Ok(()),
            synced => synced,
        }
    }

    /// Locks it against other commands, until it is dropped; whether another one has locked it. Some file systems
    /// have no locks.
    pub(super) fn is_locked_by_another(&self) -> bool {
        #[cfg(unix)]
        let is_locked =
            matches!(fs4::FileExt::try_lock(&self.file), Err(fs4::TryLockError::WouldBlock));
        #[cfg(not(unix))]
        let is_locked = false;
        is_locked
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
            file.sync_all()?;
        }
    }
    Folder::open(folder)?.map_or(Ok(()), |folder| folder.sync())
}
