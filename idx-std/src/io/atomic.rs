use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{TempDir, TempPath};

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
        let path = path.as_ref();
        let (file, target) = Target::create(path).map_err(|error| at(path, error))?;
        Ok(Self {
            file,
            target,
            path: path.to_path_buf(),
        })
    }

    /// Makes the file appear under its name, whole and on the disk.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`]. An existing file of that name then stays as it was.
    pub fn finish(self) -> Result<(), Error> {
        let path = self.path;
        self.target.commit().map_err(|error| at(&path, error))
    }
}

fn at(path: &Path, error: io::Error) -> Error {
    Error::from(ErrorKind::from(error)).with_path(path)
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
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

/// What to do when a file is finished.
#[derive(Debug)]
pub(crate) enum Target {
    /// The bytes are in a temporary file beside the target, which takes the target's name.
    Rename {
        file: File,
        /// Removes the temporary file when it is dropped.
        temporary: TempPath,
        path: PathBuf,
    },
    /// The target is not a regular file, but a pipe or a device: the bytes are in a file without a
    /// name, because the header is filled in at the end, and are copied.
    Copy { file: File, target: File },
}

impl Target {
    /// A file to write, and the way to make it appear under `path`.
    pub(crate) fn create(path: &Path) -> io::Result<(File, Self)> {
        let path = follow_symlinks(path)?;
        let metadata = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(metadata) if !metadata.is_file() => {
                let target = OpenOptions::new().write(true).open(&path)?;
                let file = tempfile::tempfile()?;
                let written = file.try_clone()?;
                return Ok((written, Self::Copy { file, target }));
            }
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        // With the mode that any new file gets, and errors that do not name the temporary one.
        let new =
            temporary(&prefix_of(&path)).make_in(parent(&path), |path| File::create_new(path))?;
        let (file, temporary) = new.into_parts();
        if let Some(metadata) = metadata {
            file.set_permissions(metadata.permissions())?;
        }
        let written = file.try_clone()?;
        Ok((
            written,
            Self::Rename {
                file,
                temporary,
                path,
            },
        ))
    }

    /// Makes the file appear under its name, whole and on the disk.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self {
            Self::Rename {
                file,
                temporary,
                path,
            } => {
                file.sync_all()?;
                temporary.persist(&path).map_err(|error| error.error)
            }
            Self::Copy {
                mut file,
                mut target,
            } => {
                file.seek(SeekFrom::Start(0))?;
                io::copy(&mut file, &mut target)?;
                Ok(())
            }
        }
    }
}

/// A folder whose files appear together when [`finish`](Self::finish) succeeds; until then an existing
/// folder stays as it was.
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
    /// The temporary folder: beside the folder, or within it if that exists.
    temporary: TempDir,
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
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for a folder that is made by mkdir; the process's umask applies to both.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let parent = if path.is_dir() { path } else { parent(path) };
        let temporary = builder.tempdir_in(parent).map_err(|error| {
            // The words of the system without the name of the temporary folder.
            at(path, error.kind().into())
        })?;
        Ok(Self {
            path: path.to_path_buf(),
            temporary,
        })
    }

    /// The path to write a file of this name to.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.temporary.path().join(name)
    }

    /// Makes the files appear, and removes earlier files of the folder for which `replaced` is true.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`].
    pub fn finish(self, replaced: impl Fn(&Path) -> bool) -> Result<(), Error> {
        let path = self.path.clone();
        self.commit(replaced).map_err(|error| at(&path, error))
    }

    fn commit(self, replaced: impl Fn(&Path) -> bool) -> io::Result<()> {
        if !self.path.is_dir() {
            return fs::rename(self.temporary.keep(), &self.path);
        }
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if replaced(&path) {
                fs::remove_file(path)?;
            }
        }
        for entry in fs::read_dir(self.temporary.path())? {
            let entry = entry?;
            fs::rename(entry.path(), self.path.join(entry.file_name()))?;
        }
        Ok(())
    }
}

/// The prefix of the names of temporary files and folders for this path.
fn prefix_of(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

fn temporary(prefix: &OsString) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(".tmp");
    builder
}

/// The folder that holds the path.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The target of a symlink, so that the link stays and the file behind it is replaced.
fn follow_symlinks(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    // Linux follows as many.
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
    // The system's own error for links in a circle.
    fs::metadata(&path).map(|_| path)
}
