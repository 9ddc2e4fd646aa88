use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk;
use super::journal::{Journal, Move, conflict};
use super::target::{NamedFile, Target, parent};
use super::temporary::{Registered, committing};
use crate::error::{Error, ErrorKind};

/// A file or folder that is complete, but not under its name yet. If it is dropped, nothing of it remains.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// use std::io::Write;
/// use idx_std::io::{AtomicFile, commit};
///
/// let mut one = AtomicFile::create(path("one"))?;
/// let mut other = AtomicFile::create(path("other"))?;
/// one.write_all(b"1")?;
/// other.write_all(b"2")?;
/// commit([one.stage(), other.stage()])?;
/// assert_eq!(std::fs::read(path("other"))?, b"2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "it appears under its name only when it is committed"]
pub struct Staged {
    path: PathBuf,
    content: Content,
}

#[derive(Debug)]
enum Content {
    File(Target),
    Folder(StagedFolder),
}

/// Files in a temporary folder: beside their folder, or within it if that exists.
#[derive(Debug)]
pub(super) struct StagedFolder {
    pub(super) temporary: tempfile::TempDir,
    pub(super) _registered: Registered,
    /// Which files of an existing folder are removed.
    pub(super) is_replaced: fn(&Path) -> bool,
}

impl Staged {
    pub(crate) fn file(path: &Path, target: Target) -> Self {
        let path = path.to_path_buf();
        let content = Content::File(target);
        Self { path, content }
    }

    pub(super) fn folder(path: &Path, folder: StagedFolder) -> Self {
        let path = path.to_path_buf();
        let content = Content::Folder(folder);
        Self { path, content }
    }

    /// Makes it appear under its name, synced to the disk.
    ///
    /// # Errors
    ///
    /// As [`commit`].
    pub fn commit(self) -> Result<(), Error> {
        commit([self])
    }

    /// Syncs the bytes to the disk.
    fn sync(&mut self) -> Result<(), Error> {
        let synced = match &mut self.content {
            Content::File(target) => target.sync(),
            Content::Folder(folder) => disk::sync_files(folder.temporary.path()),
        };
        synced.map_err(|error| at(&self.path, error))
    }

    /// Whether a single system call gives it its name.
    fn is_one_step(&self) -> bool {
        matches!(self.content, Content::File(_)) || !self.path.is_dir()
    }

    /// Gives it its name in one step.
    fn appear(self) -> Result<(), Error> {
        let appeared = match self.content {
            Content::File(target) => target.appear(),
            Content::Folder(folder) => fs::rename(folder.temporary.path(), &self.path).map(|()| {
                // It has its final name now, and must not be removed.
                let _ = folder.temporary.keep();
                Some(self.path.clone())
            }),
        };
        let synced = appeared.and_then(|path| match path {
            Some(path) => disk::sync_folder(parent(&path)),
            None => Ok(()),
        });
        synced.map_err(|error| at(&self.path, error))
    }
}

/// Makes files and folders appear under their names together, synced to the disk.
///
/// If the process is killed before, none of them appears. If it is killed while they get their names,
/// [`find_interrupted`] finds the rest by the path of the first one, or by that of a folder that existed.
///
/// # Errors
///
/// [`ErrorKind::Io`], and [`ErrorKind::NotReplaced`]. Existing files then stay as they were; if the system
/// fails in the middle of several files, the rest can be completed as after a kill.
pub fn commit(staged: impl IntoIterator<Item = Staged>) -> Result<(), Error> {
    let mut staged: Vec<Staged> = staged.into_iter().collect();
    let _signals_wait = committing();
    staged.iter_mut().try_for_each(Staged::sync)?;
    staged.retain(|staged| !matches!(staged.content, Content::File(Target::Copy { .. })));
    match staged.pop() {
        None => Ok(()),
        Some(only) if staged.is_empty() && only.is_one_step() => only.appear(),
        Some(last) => {
            staged.push(last);
            commit_with_journal(staged)
        }
    }
}

fn commit_with_journal(staged: Vec<Staged>) -> Result<(), Error> {
    let mut moves = Vec::new();
    for staged in staged {
        moves.extend(StagedMove::new(staged)?);
    }
    let plan: Vec<Move> = moves.iter().map(StagedMove::plan).collect();
    let first = plan.first().map(|first| first.to.clone()).unwrap_or_default();
    let journal = Journal::write(&plan).map_err(|error| at(&first, error))?;
    // From the last to the first, because the path of the first leads to the journal.
    for (index, (moved, step)) in moves.iter().zip(&plan).enumerate().rev() {
        let is_merge = step.is_merge();
        let Err(error) = step.make(moved.is_replaced()) else {
            continue;
        };
        let mut done = plan.iter().skip(index + 1);
        if !is_merge && done.all(|step| step.take_back().is_ok()) {
            let _ = journal.remove();
        } else {
            moves.into_iter().for_each(StagedMove::keep);
        }
        return Err(at(&step.to, error));
    }
    moves.into_iter().for_each(StagedMove::keep);
    journal.remove().map_err(|error| at(&first, error))
}

/// A file or folder under a temporary name.
enum StagedMove {
    File(NamedFile),
    Folder(StagedFolder, PathBuf),
}

impl StagedMove {
    fn new(staged: Staged) -> Result<Option<Self>, Error> {
        let Staged { path, content } = staged;
        match content {
            Content::File(target) => {
                let named = target.into_named().map_err(|error| at(&path, error))?;
                Ok(named.map(Self::File))
            }
            Content::Folder(folder) => {
                let moved = Self::Folder(folder, path);
                moved.prepare()?;
                Ok(Some(moved))
            }
        }
    }

    /// Checks that a folder replaces nothing else, while nothing has changed.
    fn prepare(&self) -> Result<(), Error> {
        let plan = self.plan();
        if !plan.is_merge() {
            return Ok(());
        }
        let is_replaced = self.is_replaced();
        let conflict = conflict(&plan.from, &plan.to, is_replaced);
        if let Some(path) = conflict.map_err(|error| at(&plan.to, error))? {
            return Err(Error::from(ErrorKind::NotReplaced).with_path(path));
        }
        plan.mark().map_err(|error| at(&plan.to, error))
    }

    fn plan(&self) -> Move {
        match self {
            Self::File(file) => Move {
                from: file.temporary.path().to_path_buf(),
                to: file.path.clone(),
                create_new: file.create_new,
            },
            Self::Folder(folder, path) => Move {
                from: folder.temporary.path().to_path_buf(),
                to: path.clone(),
                create_new: true,
            },
        }
    }

    fn is_replaced(&self) -> fn(&Path) -> bool {
        match self {
            Self::File(_) => |_| false,
            Self::Folder(folder, _) => folder.is_replaced,
        }
    }

    /// Keeps the files that still have their temporary names.
    fn keep(self) {
        match self {
            // Files that have their final names are not there any more.
            Self::File(file) => drop(file.temporary.keep()),
            Self::Folder(folder, _) => drop(folder.temporary.keep()),
        }
    }
}

/// The rest of a [`commit`] that was killed.
#[derive(Debug)]
#[must_use = "the files get their names only when it is completed"]
pub struct Interrupted {
    path: PathBuf,
    journal: Journal,
}

/// Finds the rest of a [`commit`] whose process was killed, by the path of its first file or of a folder that
/// it added files to.
#[must_use]
pub fn find_interrupted(path: impl AsRef<Path>) -> Option<Interrupted> {
    let path = path.as_ref();
    let journal = Journal::find(path)?;
    let path = path.to_path_buf();
    Some(Interrupted { path, journal })
}

impl Interrupted {
    /// Gives the remaining files their names. Before, it removes the files of the folder for which
    /// `is_replaced` is true, if the process had not done so.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`].
    pub fn complete(self, is_replaced: fn(&Path) -> bool) -> Result<(), Error> {
        let Self { path, journal } = self;
        let complete = || {
            for step in journal.read()?.iter().rev() {
                step.make(is_replaced)?;
            }
            journal.remove()
        };
        complete().map_err(|error| at(&path, error))
    }
}

fn at(path: &Path, error: io::Error) -> Error {
    Error::from(ErrorKind::from(error)).with_path(path)
}
