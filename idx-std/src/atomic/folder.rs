//! A new folder that appears when it is complete.

use std::fs::{self, Permissions};
use std::io;
use std::path::{Path, PathBuf, absolute};

use crate::atomic::disk;
use crate::atomic::hidden::HiddenFolder;
use crate::atomic::place::{at, follow_symlinks};
use crate::atomic::staged::{NewContent, Staged};
use crate::error::{Error, ErrorKind};

/// A new folder of files, which appears under its name when [`finish`](Self::finish) succeeds.
///
/// ```
/// # let parent = tempfile::tempdir()?;
/// # let path = parent.path().join("letters");
/// use std::fs;
///
/// let folder = idx_std::AtomicFolder::create(&path)?;
/// fs::write(folder.join("a.txt"), "alpha")?;
/// assert!(!path.exists());
/// folder.finish()?;
/// assert_eq!(fs::read_to_string(path.join("a.txt"))?, "alpha");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a folder appears under its name only when `finish` is called"]
pub struct AtomicFolder {
    path: PathBuf,
    place: PathBuf,
    /// The permissions of the empty folder that is replaced.
    old: Option<Permissions>,
    files: HiddenFolder,
}

impl AtomicFolder {
    /// Starts a folder. An empty folder of that name is replaced.
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`]); a folder that has files, or that cannot be replaced, such as the
    /// root of a mounted disk ([`folder_in_use`](ErrorKind::code)).
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::start(path).map_err(|kind| Error::from(kind).with_path(path))
    }

    fn start(path: &Path) -> Result<Self, ErrorKind> {
        // Without a slash at the end: with one, the path of a link means its target.
        let place = follow_symlinks(&path.components().collect::<PathBuf>())?;
        // This process may go to another folder before the folder is finished.
        let place = absolute(&place).unwrap_or(place);
        let old = match fs::symlink_metadata(&place) {
            Ok(old) if old.is_dir() => Some(old.permissions()),
            Ok(_) => return Err(io::Error::from(io::ErrorKind::NotADirectory).into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let files = match &old {
            None => HiddenFolder::create(&place)?,
            Some(old) => replacing(&place, old).map_err(ErrorKind::FolderInUse)?,
        };
        Ok(Self { path: path.to_path_buf(), place, old, files })
    }

    /// Returns the path to write a file of this name to.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.files.path().join(name)
    }

    /// Makes the folder appear with its files, synced to the disk.
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`]).
    pub fn finish(self) -> Result<(), Error> {
        self.stage()?.commit()
    }

    /// Returns the complete folder, synced to the disk, to commit it together with others.
    #[doc(hidden)]
    #[allow(clippy::missing_errors_doc)]
    pub fn stage(self) -> Result<Staged, Error> {
        let Self { path, place, old, files } = self;
        disk::sync_files(files.path()).map_err(|error| at(&path, error))?;
        // It replaces at most an empty folder.
        let content = NewContent::Folder { files, old };
        Ok(Staged::output(path, place, true, content))
    }
}

/// Creates a folder to replace an empty one. Only the system knows whether that is possible, so another empty folder
/// replaces it right away.
fn replacing(place: &Path, old: &Permissions) -> io::Result<HiddenFolder> {
    if place.canonicalize()? == std::env::current_dir()? {
        // Every process in it would lose its current folder.
        return Err(io::Error::new(io::ErrorKind::ResourceBusy, "it is the current folder"));
    }
    let create = || {
        let folder = HiddenFolder::create(place)?;
        // Some file systems cannot set a mode, not even to its current value.
        if fs::metadata(folder.path())?.permissions() != *old {
            fs::set_permissions(folder.path(), old.clone())?;
        }
        Ok(folder)
    };
    let empty = create()?;
    fs::rename(empty.path(), place)?;
    empty.keep();
    create()
}
