use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::early_sync::EarlySync;
use super::temporary::Registered;
use super::unnamed;

/// The maximum number of bytes of the file's name in the temporary name: in all fewer than the 255 that file
/// systems allow, and the 143 that encrypted ones allow.
const MAX_PREFIX: usize = 100;

/// How a finished file gets to its path.
#[derive(Debug)]
pub(crate) enum Target {
    Rename(NewFile),
    /// The target is not a regular file, but a pipe or a device: the bytes are in a file without a
    /// name, because the header is filled in at the end, and are copied.
    Copy {
        file: File,
        target: File,
    },
}

/// The bytes are in another file of the same folder, which takes this path.
#[derive(Debug)]
pub(crate) struct NewFile {
    file: File,
    early_sync: EarlySync,
    /// The name of the other file, if it has one.
    temporary: Option<TemporaryName>,
    path: PathBuf,
    /// Whether nothing may be replaced.
    create_new: bool,
}

/// A file under a temporary name, which takes this path.
#[derive(Debug)]
pub(super) struct NamedFile {
    pub(super) temporary: TemporaryName,
    pub(super) path: PathBuf,
    pub(super) create_new: bool,
}

/// The temporary name of a file. If it is dropped, the file is removed.
#[derive(Debug)]
pub(crate) struct TemporaryName {
    path: TempPath,
    _registered: Registered,
}

impl Target {
    /// A file to write, and the way to make it appear under `path`.
    pub(crate) fn create(path: &Path, create_new: bool) -> io::Result<(File, Self)> {
        // A pipe or a device is written to, not replaced.
        let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        if is_special {
            let target = OpenOptions::new().write(true).open(path)?;
            let file = tempfile::tempfile()?;
            let written = file.try_clone()?;
            return Ok((written, Self::Copy { file, target }));
        }
        let path = match create_new {
            true => path.to_path_buf(),
            false => follow_symlinks(path)?,
        };
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(_) if create_new => return Err(io::ErrorKind::AlreadyExists.into()),
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        // With the mode of any new file.
        let (file, temporary) = match unnamed::create(parent(&path)) {
            Some(file) => (file, None),
            None => {
                let (file, temporary) = named(&path, |path| File::create_new(path))?;
                (file, Some(temporary))
            }
        };
        if let Some(metadata) = metadata {
            file.set_permissions(metadata.permissions())?;
        }
        let written = file.try_clone()?;
        let file = NewFile { file, early_sync: EarlySync::default(), temporary, path, create_new };
        Ok((written, Self::Rename(file)))
    }

    /// Call this before `count` bytes are written to the file.
    pub(crate) fn before_write(&mut self, count: usize) -> io::Result<()> {
        match self {
            Self::Rename(new) => new.early_sync.before_write(&new.file, count),
            Self::Copy { .. } => Ok(()),
        }
    }

    /// Syncs the bytes to the disk, or copies them to the pipe or device.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        match self {
            Self::Rename(new) => {
                new.early_sync.finish()?;
                new.file.sync_all()
            }
            Self::Copy { file, target } => {
                file.seek(SeekFrom::Start(0))?;
                io::copy(file, target).map(drop)
            }
        }
    }

    /// Gives the file its name; returns the name if its folder still has to be synced.
    pub(super) fn appear(self) -> io::Result<Option<PathBuf>> {
        match self {
            Self::Rename(file) => file.appear().map(Some),
            Self::Copy { .. } => Ok(None),
        }
    }

    /// The file under a temporary name, unless it is copied to a pipe or device.
    pub(super) fn into_named(self) -> io::Result<Option<NamedFile>> {
        match self {
            Self::Rename(file) => file.into_named().map(Some),
            Self::Copy { .. } => Ok(None),
        }
    }
}

impl NewFile {
    fn appear(self) -> io::Result<PathBuf> {
        match self.temporary {
            Some(temporary) => temporary.rename(&self.path, self.create_new)?,
            None => link(&self.file, &self.path, self.create_new)?,
        }
        Ok(self.path)
    }

    fn into_named(self) -> io::Result<NamedFile> {
        let temporary = match self.temporary {
            Some(temporary) => temporary,
            None => named(&self.path, |temporary| unnamed::link(&self.file, temporary))?.1,
        };
        Ok(NamedFile { temporary, path: self.path, create_new: self.create_new })
    }
}

impl TemporaryName {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the file.
    pub(super) fn keep(self) -> io::Result<()> {
        Ok(self.path.keep().map(drop)?)
    }

    fn rename(self, path: &Path, create_new: bool) -> io::Result<()> {
        let renamed = match create_new {
            true => self.path.persist_noclobber(path),
            false => self.path.persist(path),
        };
        renamed.map_err(|error| error.error)
    }
}

/// Gives this name to a file without a name.
fn link(file: &File, path: &Path, create_new: bool) -> io::Result<()> {
    match unnamed::link(file, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !create_new => {
            // No system replaces a file by one without a name, so it gets a temporary name first.
            let (_, temporary) = named(path, |temporary| unnamed::link(file, temporary))?;
            temporary.rename(path, create_new)
        }
        linked => linked,
    }
}

/// A file with a temporary name beside this path; errors do not have that name.
fn named<F>(
    path: &Path,
    create: impl FnMut(&Path) -> io::Result<F>,
) -> io::Result<(F, TemporaryName)> {
    let named: NamedTempFile<F> = temporary(&prefix_of(path)).make_in(parent(path), create)?;
    let (file, path) = named.into_parts();
    let registered = Registered::new(&path);
    let name = TemporaryName { path, _registered: registered };
    Ok((file, name))
}

/// The start of the names of temporary files and folders for this path.
pub(super) fn prefix_of(path: &Path) -> OsString {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut start = String::from(".");
    for letter in name.chars() {
        if start.len() + letter.len_utf8() > MAX_PREFIX {
            break;
        }
        start.push(letter);
    }
    start.push('.');
    start.into()
}

pub(super) fn temporary(prefix: &OsString) -> tempfile::Builder<'_, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix).suffix(".tmp");
    builder
}

/// The folder that holds the path.
pub(super) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Whether a path leads to another one, or into that folder. Neither need exist.
pub(crate) fn is_within(path: &Path, other: &Path) -> bool {
    location(path).starts_with(location(other))
}

/// The canonical path of a file, whether it exists or not.
fn location(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.file_name()) {
        (Ok(path), _) => path,
        (Err(_), Some(name)) => location(parent(path)).join(name),
        (Err(_), None) => path.to_path_buf(),
    }
}

/// The target of a symlink, so that the link stays and its target is replaced.
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
            // It is not a symlink, or does not exist.
            Err(_) => return Ok(path),
        }
    }
    // The system's own error for links in a circle.
    fs::metadata(&path).map(|_| path)
}
