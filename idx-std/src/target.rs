use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

/// A file that appears under its name whole, by [`commit`](Self::commit), or not at all.
///
/// It is written beside its name, and replaces a file of that name in one step, keeping its mode. A
/// symlink is followed; what is no regular file, such as a pipe, is written to at the end.
///
/// ```
/// use std::io::Write;
///
/// let path = std::env::temp_dir().join(format!("idx-atomic-{}", std::process::id()));
/// let mut file = idx_std::AtomicFile::create(&path)?;
/// file.write_all(b"label\n")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"label\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `commit` is called"]
pub struct AtomicFile {
    file: File,
    target: Target,
}

impl AtomicFile {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// Those of the operating system.
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        let (file, target) = Target::create(path.as_ref())?;
        Ok(Self { file, target })
    }

    /// Makes the file appear under its name.
    ///
    /// # Errors
    ///
    /// Those of the operating system; then a file of the name, if there was one, is as it was.
    pub fn commit(self) -> io::Result<()> {
        self.target.commit()
    }
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

/// What remains to be done when a file that is being written is finished.
#[derive(Debug)]
pub(crate) enum Target {
    /// The bytes are in a temporary file beside the target, which takes the target's name.
    Rename {
        file: File,
        /// Removes the temporary file when it is dropped.
        temporary: TempPath,
        path: PathBuf,
    },
    /// The target is no regular file, such as a pipe or a device: the bytes are in a file without a
    /// name, because the header is filled in at the end, and are copied.
    Copy { file: File, target: File },
}

impl Target {
    /// A file to write, and what makes it appear under `path`.
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
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut prefix = std::ffi::OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As `File::create` asks for; the process's umask applies to both.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
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

/// Where a symlink leads, so that the link stays and the file behind it is replaced.
fn follow_symlinks(path: &Path) -> io::Result<PathBuf> {
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
            // It is no symlink, or there is nothing.
            Err(_) => return Ok(path),
        }
    }
    // The system's own error for links that lead in a circle.
    fs::metadata(&path).map(|_| path)
}
