//! New folders. Each appears with all files in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::doors::sink::{StagedSink, Written, name_all};
use crate::error::{At, Error};
use crate::gather::Gather;
use crate::names::path::folder_of;
use idx_std::__private::{Staged, is_within};
use idx_std::AtomicFolder;

/// The new folders of a job. Files are in one of them by its index, or in none.
#[derive(Default)]
pub(super) struct NewFolders(Vec<NewFolder>);

/// A new folder, whose files have other paths until it appears.
struct NewFolder {
    path: PathBuf,
    files: AtomicFolder,
}

impl NewFolders {
    /// Returns the place of the bytes of a file or folder until it appears, in a new folder if its folder does not
    /// exist.
    pub(super) fn place(&mut self, path: &Path) -> Result<(PathBuf, Option<usize>), Error> {
        let folder = folder_of(path);
        match path.file_name().filter(|_| !folder.exists()) {
            Some(name) => {
                let (place, index) = self.create(folder)?;
                Ok((place.join(name), Some(index)))
            }
            None => Ok((path.to_path_buf(), None)),
        }
    }

    /// Returns the place of the files of a new folder until it appears, with the folders above it that do not exist
    /// either; and the index of the first of these, which other outputs may be in, too.
    pub(super) fn create(&mut self, path: &Path) -> Result<(PathBuf, usize), Error> {
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
        Ok((place, index))
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.0.iter().map(|folder| folder.path.clone())
    }

    /// Returns the final path of a file in this folder.
    pub(super) fn path(&self, folder: Option<usize>, path: &Path) -> PathBuf {
        let folder = folder.and_then(|index| self.0.get(index));
        let inside = folder.and_then(|folder| {
            Some(folder.path.join(path.strip_prefix(folder.files.join("")).ok()?))
        });
        inside.unwrap_or_else(|| path.to_path_buf())
    }

    /// Returns what was written, with the final paths.
    pub(super) fn shown(&self, folder: Option<usize>, written: &Written) -> Written {
        let path = |path: &PathBuf| self.path(folder, path);
        Written {
            path: path(&written.path),
            labels: written.labels.as_ref().map(path),
            classes: written.classes.as_ref().map(path),
            ..written.clone()
        }
    }

    /// Returns an error about a file in this folder with the final path.
    pub(super) fn error(&self, folder: Option<usize>, error: Error) -> Error {
        let path = error.path().map(|path| self.path(folder, path));
        error.at(path.as_deref())
    }

    /// Names the files in the folders. Returns the other files, and the folders. A folder without files was made for
    /// outputs that were refused.
    pub(super) fn stage(
        self,
        mut files: Vec<(StagedSink, Option<usize>)>,
    ) -> Result<(Vec<StagedSink>, Vec<Staged>), Error> {
        let used: BTreeSet<usize> = files.iter().filter_map(|(_, folder)| *folder).gather();
        for index in used.iter().copied() {
            let own = files.extract_if(.., |(_, folder)| *folder == Some(index));
            let own = own.map(|(file, _)| file).collect();
            name_all(own, Vec::new()).map_err(|error| self.error(Some(index), error))?;
        }
        let folders = (0..).zip(self.0).filter(|(index, _)| used.contains(index));
        let staged = folders.map(|(_, folder)| Ok(folder.files.stage()?));
        let others = files.into_iter().map(|(file, _)| file).collect();
        Ok((others, staged.collect::<Result<_, Error>>()?))
    }
}
