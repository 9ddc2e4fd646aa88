use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use fs4::TryLockError;
use same_file::Handle;

use crate::error::ErrorKind;
use crate::io::access::open_or_create_regular;
use crate::io::disk::sync_folder;

/// A part of a file on its way to its final name: `NAME.partial`, which one download at a time writes.
///
/// The system releases the lock of a process that died, so its part is there to resume from.
#[derive(Debug)]
pub(super) struct PartialFile {
    file: File,
    path: PathBuf,
}

impl PartialFile {
    /// Opens the part of this file, or starts one; `None` while another download writes it.
    pub(super) fn open(final_path: &Path) -> Result<Option<Self>, ErrorKind> {
        let mut path = final_path.as_os_str().to_os_string();
        path.push(".partial");
        let path = PathBuf::from(path);
        loop {
            let file = open_or_create_regular(&path)?;
            match fs4::FileExt::try_lock(&file) {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
            // Between opening and locking, another download may have given the file its final name, or
            // have removed it.
            if is_at(&file, &path)? {
                return Ok(Some(Self { file, path }));
            }
        }
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    pub(super) fn len(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Keeps this many bytes, after which the next ones are written.
    pub(super) fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len)?;
        self.file.seek(SeekFrom::Start(len))?;
        Ok(())
    }

    /// Gives the whole file its final name; nobody else can lock it before.
    pub(super) fn finish(self, final_path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, final_path)?;
        final_path.parent().map_or(Ok(()), sync_folder)
    }

    /// Keeps a part to resume from; an empty file would be litter.
    pub(super) fn keep(self) -> io::Result<()> {
        match self.len()? {
            0 => fs::remove_file(&self.path),
            _ => Ok(()),
        }
    }
}

/// Whether an open file is still the one of this name.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match Handle::from_path(path) {
        Ok(named) => Ok(Handle::from_file(file.try_clone()?)? == named),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
