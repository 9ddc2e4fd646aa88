//! New folders, each of which appears together with all its files.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::doors::sink::{StagedSink, Written, name_all};
use crate::error::{At, Error};
use crate::names::path::folder_of;
use idx_std::__private::{Staged, is_within};
use idx_std::AtomicFolder;

/// The new folders of a job. Until they appear, the temporary path of a file tells in which of them it is.
#[derive(Default)]
pub(super) struct NewFolders(Vec<NewFolder>);

/// A new folder. Its files have temporary paths until it appears.
struct NewFolder {
    path: PathBuf,
    files: AtomicFolder,
}

impl NewFolder {
    /// Returns the final path of a file, if this is its temporary path in this folder.
    fn path(&self, file: &Path) -> Option<PathBuf> {
        Some(self.path.join(file.strip_prefix(self.files.join("")).ok()?))
    }

    /// Puts the final path into an error about a file in it.
    fn error(&self, error: Error) -> Error {
        let path = error.path().and_then(|path| self.path(path));
        error.at(path.as_deref())
    }
}

impl NewFolders {
    /// Returns the path to write a file or folder to. If its parent does not exist, this is a temporary path in a new
    /// folder.
    pub(super) fn place(&mut self, path: &Path) -> Result<PathBuf, Error> {
        let folder = folder_of(path);
        match path.file_name().filter(|_| !folder.exists()) {
            Some(name) => Ok(self.create(folder)?.join(name)),
            None => Ok(path.to_path_buf()),
        }
    }

    /// Creates a new folder and its missing parents, and returns the temporary path for its files. Other outputs may be
    /// in the first missing parent, too.
    pub(super) fn create(&mut self, path: &Path) -> Result<PathBuf, Error> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let has_way_back = path.components().any(|part| part == Component::ParentDir);
        let missing = path.ancestors().take_while(is_missing).last();
        let first = missing.filter(|_| !has_way_back).unwrap_or(path);
        let is_known =
            |folder: &NewFolder| is_within(&folder.path, first) && is_within(first, &folder.path);
        let index = match self.0.iter().position(is_known) {
            Some(index) => index,
            None => {
                let files = AtomicFolder::create(first)?;
                self.0.push(NewFolder { path: first.to_path_buf(), files });
                self.0.len() - 1
            }
        };
        let place = match (self.0.get(index), path.strip_prefix(first)) {
            (Some(folder), Ok(inside)) => folder.files.join(inside),
            _ => path.to_path_buf(),
        };
        fs::create_dir_all(&place).at(path)?;
        Ok(place)
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.0.iter().map(|folder| folder.path.clone())
    }

    /// Returns the final path of a file.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        self.0.iter().find_map(|folder| folder.path(path)).unwrap_or_else(|| path.to_path_buf())
    }

    /// Returns what was written, with the final paths.
    pub(super) fn shown(&self, written: &Written) -> Written {
        let path = |path: &PathBuf| self.path(path);
        Written {
            path: path(&written.path),
            labels: written.labels.as_ref().map(path),
            classes: written.classes.as_ref().map(path),
            ..written.clone()
        }
    }

    /// Puts the final path into an error about a file.
    pub(super) fn error(&self, error: Error) -> Error {
        self.0.iter().fold(error, |error, folder| folder.error(error))
    }

    /// Names the files in the folders. Returns the other files, and the staged folders. A folder without files is
    /// dropped: its outputs were refused.
    pub(super) fn stage(
        self,
        mut files: Vec<StagedSink>,
    ) -> Result<(Vec<StagedSink>, Vec<Staged>), Error> {
        let mut staged = Vec::new();
        for folder in self.0 {
            let is_own = |file: &mut StagedSink| folder.path(&file.written.path).is_some();
            let own: Vec<_> = files.extract_if(.., is_own).collect();
            if !own.is_empty() {
                name_all(own, Vec::new()).map_err(|error| folder.error(error))?;
                staged.push(folder.files.stage()?);
            }
        }
        Ok((files, staged))
    }
}
