use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::{disk, unnamed};

/// How many bytes of a file's name the temporary name has: with the rest of it, fewer than the 255 that
/// file systems allow, and than the 143 of encrypted ones.
const MAX_PREFIX: usize = 100;

/// What to do when a file is finished.
#[derive(Debug)]
pub(crate) enum Target {
    /// The bytes are in another file of the same folder, which takes the target's name.
    Rename {
        file: File,
        /// Removes the other file when it is dropped; `None` if that has no name.
        temporary: Option<TempPath>,
        path: PathBuf,
        /// Whether nothing may be replaced.
        create_new: bool,
    },
    /// The target is not a regular file, but a pipe or a device: the bytes are in a file without a
    /// name, because the header is filled in at the end, and are copied.
    Copy { file: File, target: File },
}

impl Target {
    /// A file to write, and the way to make it appear under `path`.
    pub(crate) fn create(path: &Path, create_new: bool) -> io::Result<(File, Self)> {
        let path = match create_new {
            true => path.to_path_buf(),
            false => follow_symlinks(path)?,
        };
        let metadata = match fs::symlink_metadata(&path) {
            Ok(_) if create_new => return Err(io::ErrorKind::AlreadyExists.into()),
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
        // With the mode that any new file gets.
        let (file, temporary) = match unnamed::create(parent(&path)) {
            Some(file) => (file, None),
            None => {
                let (file, temporary) = named(&path, |path| File::create_new(path))?.into_parts();
                (file, Some(temporary))
            }
        };
        if let Some(metadata) = metadata {
            file.set_permissions(metadata.permissions())?;
        }
        let written = file.try_clone()?;
        let target = Self::Rename {
            file,
            temporary,
            path,
            create_new,
        };
        Ok((written, target))
    }

    /// Makes the file appear under its name, whole and on the disk.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self {
            Self::Rename {
                file,
                temporary,
                path,
                create_new,
            } => {
                file.sync_all()?;
                match temporary {
                    Some(temporary) => rename(temporary, &path, create_new)?,
                    None => link(&file, &path, create_new)?,
                }
                disk::sync_folder(parent(&path))
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

fn rename(temporary: TempPath, path: &Path, create_new: bool) -> io::Result<()> {
    let renamed = match create_new {
        true => temporary.persist_noclobber(path),
        false => temporary.persist(path),
    };
    renamed.map_err(|error| error.error)
}

/// Gives a file without a name this one.
fn link(file: &File, path: &Path, create_new: bool) -> io::Result<()> {
    match unnamed::link(file, path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !create_new => {
            // No system replaces a file by one without a name: for a moment it has a temporary one.
            let temporary = named(path, |temporary| unnamed::link(file, temporary))?;
            rename(temporary.into_temp_path(), path, create_new)
        }
        linked => linked,
    }
}

/// A file with a temporary name beside this path; errors do not have that name.
fn named<F>(
    path: &Path,
    create: impl FnMut(&Path) -> io::Result<F>,
) -> io::Result<NamedTempFile<F>> {
    temporary(&prefix_of(path)).make_in(parent(path), create)
}

/// What the names of temporary files and folders for this path start with.
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

/// Where a symlink leads, so that the link stays and the file behind it is replaced.
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
