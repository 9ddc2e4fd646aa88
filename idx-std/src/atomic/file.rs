//! A file that appears, or replaces another, when it is complete.

use std::env::temp_dir;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf, absolute};

use crate::atomic::disk::sync_all;
use crate::atomic::early_sync::EarlySync;
use crate::atomic::hidden::Hidden;
use crate::atomic::place::{at, follow_symlinks, parent};
use crate::atomic::staged::{NewContent, Staged};
use crate::atomic::unnamed;
use crate::error::Error;

/// A file of any format that appears under its name only when [`finish`](Self::finish) succeeds;
/// an existing file of that name is untouched until then.
///
/// If the path is a pipe or a device, `finish` writes to it. To write small pieces, wrap this in a
/// [`BufWriter`](io::BufWriter).
///
/// ```no_run
/// use std::io::Write;
///
/// let mut file = idx_std::AtomicFile::create("classes.txt")?;
/// file.write_all(b"T-shirt\nTrouser\n")?;
/// file.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct AtomicFile {
    file: File,
    path: PathBuf,
    destination: Destination,
}

/// The way in which the finished file gets to its path.
#[derive(Debug)]
enum Destination {
    /// The file gets its name at this place. Until then it has no name, or a hidden one in the same folder.
    Name { place: PathBuf, hidden: Option<Hidden>, create_new: bool, early_sync: EarlySync },
    /// The path is a pipe or a device. The file has no name, and is copied there at the end, because its header is
    /// filled in last.
    Stream(File),
}

impl AtomicFile {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`](crate::ErrorKind::Io)).
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::start(path.as_ref(), false)
    }

    /// Starts a file that replaces nothing: a path that exists, now or when the file is finished, is an error.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("classes.txt");
    /// use idx_std::AtomicFile;
    ///
    /// let file = AtomicFile::create_new(&path)?;
    /// std::fs::write(&path, "of somebody else")?;
    /// assert!(file.finish().is_err());
    /// assert_eq!(std::fs::read(&path)?, b"of somebody else");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`](crate::ErrorKind::Io)), of the kind `AlreadyExists` if the path
    /// exists.
    pub fn create_new(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::start(path.as_ref(), true)
    }

    /// Starts a file as [`create_new`](Self::create_new) does if `create_new` is true, otherwise as
    /// [`create`](Self::create) does.
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`](crate::ErrorKind::Io)).
    pub fn start(path: &Path, create_new: bool) -> Result<Self, Error> {
        let (file, destination) = open(path, create_new).map_err(|error| at(path, error))?;
        Ok(Self { file, path: path.to_path_buf(), destination })
    }

    /// Makes the complete file appear under its name, with its bytes and its name synced to the disk.
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`](crate::ErrorKind::Io)). An existing file of that name is then
    /// untouched, unless only syncing the new name failed.
    pub fn finish(self) -> Result<(), Error> {
        self.stage()?.commit()
    }

    /// Returns the complete file, synced to the disk, to [commit](crate::atomic::commit) it together with others.
    #[doc(hidden)]
    #[allow(clippy::missing_errors_doc)]
    pub fn stage(self) -> Result<Staged, Error> {
        let Self { file, path, destination } = self;
        match destination {
            Destination::Stream(stream) => Ok(Staged::stream(file, stream, path)),
            Destination::Name { place, hidden, create_new, mut early_sync } => {
                let synced = early_sync.finish().and_then(|()| sync_all(&file));
                synced.map_err(|error| at(&path, error))?;
                let content = match hidden {
                    Some(hidden) => NewContent::HiddenFile(hidden),
                    None => NewContent::Unnamed(file),
                };
                Ok(Staged::output(path, place, create_new, content))
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file, for callers of [`before_write`](Self::before_write).
    pub(crate) fn file(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Prepares for the next `count` bytes that the caller writes to the [`file`](Self::file).
    pub(crate) fn before_write(&mut self, count: usize) -> io::Result<()> {
        match &mut self.destination {
            Destination::Name { early_sync, .. } => early_sync.before_write(&self.file, count),
            Destination::Stream(_) => Ok(()),
        }
    }
}

/// Returns a file to write, and the way to make it appear under `path`.
fn open(path: &Path, create_new: bool) -> io::Result<(File, Destination)> {
    // A pipe or a device is written to, not replaced.
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let stream = OpenOptions::new().write(true).open(path)?;
        return Ok((temporary()?, Destination::Stream(stream)));
    }
    let place = match create_new {
        true => path.to_path_buf(),
        false => follow_symlinks(path)?,
    };
    // This process may go to another folder before the file is finished.
    let place = absolute(&place).unwrap_or(place);
    let old = match fs::symlink_metadata(&place) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) if create_new => return Err(io::ErrorKind::AlreadyExists.into()),
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // The file has the mode of any new file.
    let (file, hidden) = match unnamed::create(parent(&place)) {
        Some(file) => (file, None),
        None => {
            let (file, hidden) = Hidden::make(&place, |path| File::create_new(path))?;
            (file, Some(hidden))
        }
    };
    // Some file systems cannot set a mode, not even to its current value.
    if let Some(old) = old.as_ref().map(fs::Metadata::permissions)
        && old != file.metadata()?.permissions()
    {
        file.set_permissions(old)?;
    }
    let early_sync = EarlySync::default();
    Ok((file, Destination::Name { place, hidden, create_new, early_sync }))
}

/// Returns an unnamed file for the bytes of a stream. An error here is not about the path of the stream.
fn temporary() -> io::Result<File> {
    tempfile::tempfile().map_err(|error| {
        let folder = temp_dir();
        let folder = folder.display();
        io::Error::other(format!(
            "temporary files cannot be kept in {folder}: {error}; free some space, or name another folder in TMPDIR"
        ))
    })
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.before_write(bytes.len())?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.file.seek(position)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::fd::OwnedFd;
    use std::time::{Duration, Instant};

    use super::*;

    /// Little of a large file is left to sync at the end. Here a sync fails: Linux cannot sync a pipe.
    #[test]
    fn a_large_file_is_synced_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(folder.path().join("file")).unwrap();
        let (_, pipe) = io::pipe().unwrap();
        file.file = OwnedFd::from(pipe).into();
        let end = Instant::now() + Duration::from_secs(10);
        while file.before_write(1 << 30).is_ok() {
            assert!(Instant::now() < end, "no sync began");
        }
    }
}
