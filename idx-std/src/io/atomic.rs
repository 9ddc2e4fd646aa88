use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::staged::{Staged, StagedFolder};
use super::target::{Target, parent, prefix_of, temporary};
use super::temporary::Registered;
use crate::error::{Error, ErrorKind};

/// A file of any format that appears under its name only when [`finish`](Self::finish) succeeds;
/// until then a file of that name stays as it was.
///
/// If the path is not that of a regular file, but of a pipe or a device, `finish` writes to it. Use a
/// [`BufWriter`](io::BufWriter) around this if you write small pieces.
///
/// ```no_run
/// use std::io::Write;
///
/// let mut file = idx_std::io::AtomicFile::create("classes.txt")?;
/// file.write_all(b"T-shirt\nTrouser\n")?;
/// file.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct AtomicFile {
    file: File,
    target: Target,
    path: PathBuf,
}

impl AtomicFile {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] and [`ErrorKind::IsADirectory`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::start(path.as_ref(), false)
    }

    /// Starts a file that replaces nothing: it is an error if the path exists, now and when the file is
    /// finished.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("classes.txt");
    /// use idx_std::io::AtomicFile;
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
    /// [`ErrorKind::Io`], of the kind `AlreadyExists` if the path exists.
    pub fn create_new(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::start(path.as_ref(), true)
    }

    fn start(path: &Path, create_new: bool) -> Result<Self, Error> {
        let (file, target) = Target::create(path, create_new).map_err(|error| at(path, error))?;
        Ok(Self { file, target, path: path.to_path_buf() })
    }

    /// Makes the complete file appear under its name, with its bytes and its name synced to the disk.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]. An existing file of that name then stays as it was, unless only syncing the new
    /// name failed.
    pub fn finish(self) -> Result<(), Error> {
        self.stage().commit()
    }

    /// The complete file, to [`commit`](super::commit) it together with others.
    pub fn stage(self) -> Staged {
        Staged::file(&self.path, self.target)
    }
}

/// The mode that mkdir uses; the umask of the process applies.
#[cfg(unix)]
fn permit_as_mkdir(builder: &mut Builder<'_, '_>) {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    builder.permissions(Permissions::from_mode(0o777));
}

#[cfg(not(unix))]
fn permit_as_mkdir(_: &mut Builder<'_, '_>) {}

fn at(path: &Path, error: io::Error) -> Error {
    Error::from(ErrorKind::from(error)).with_path(path)
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target.before_write(bytes.len())?;
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

/// A folder of files that appear under its name together, when [`finish`](Self::finish) succeeds;
/// until then what is there stays as it was.
///
/// ```
/// # let parent = tempfile::tempdir()?;
/// # let path = parent.path().join("letters");
/// use std::fs;
///
/// let folder = idx_std::io::AtomicFolder::create(&path)?;
/// fs::write(folder.join("a.txt"), "alpha")?;
/// assert!(!path.exists());
/// folder.finish(|_| false)?;
/// assert_eq!(fs::read_to_string(path.join("a.txt"))?, "alpha");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a folder appears under its name only when `finish` is called"]
pub struct AtomicFolder {
    path: PathBuf,
    content: StagedFolder,
}

impl AtomicFolder {
    /// Starts a folder, or adds files to an existing one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let prefix = prefix_of(path);
        let mut builder = temporary(&prefix);
        permit_as_mkdir(&mut builder);
        let parent = if path.is_dir() { path } else { parent(path) };
        let temporary = builder.tempdir_in(parent).map_err(|error| {
            // The error of the system, without the name of the temporary folder.
            at(path, error.kind().into())
        })?;
        let registered = Registered::new(temporary.path());
        Ok(Self {
            path: path.to_path_buf(),
            content: StagedFolder { temporary, _registered: registered, is_replaced: |_| false },
        })
    }

    /// The path to write a file of this name to.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.content.temporary.path().join(name)
    }

    /// Makes the files appear, synced to the disk, and removes earlier files of the folder and its subfolders
    /// for which `replaced` is true.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]; [`ErrorKind::NotReplaced`] if a file that is not `replaced` has the name of one of
    /// these, and everything stays as it was.
    pub fn finish(self, replaced: fn(&Path) -> bool) -> Result<(), Error> {
        self.stage(replaced).commit()
    }

    /// The complete folder, to [`commit`](super::commit) it together with others; `replaced` is as for
    /// [`finish`](Self::finish).
    pub fn stage(mut self, replaced: fn(&Path) -> bool) -> Staged {
        self.content.is_replaced = replaced;
        Staged::folder(&self.path, self.content)
    }
}
