//! Older records that would be read with a new file, as their labels or class names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::doors::folder::is_list_of_labels;
use crate::doors::place::{ignores_case, lowercased, places, spelled, with_places};
use crate::error::{At, Error, ErrorKind};
use crate::gather::Gather;
use crate::names::class_names::{CLASSES, ClassNames};
use crate::names::folder::{Entries, Tree, existing};
use crate::names::format::is_table;
use crate::names::path::{folder_of, has_extension};
use crate::names::{classes_beside, labels_beside};
use crate::record::Facts;
use crate::record::options::OpenOptions;
use idx_std::ErrorKind as FileErrorKind;

/// A new file that records may be read with.
pub(crate) struct NewFile {
    pub(crate) path: PathBuf,
    /// The paths that lead to it.
    places: Vec<PathBuf>,
    /// Files with the same content. Records that are read with one of them do not change.
    same: Vec<PathBuf>,
    /// The class names, if it is a list of them.
    pub(crate) names: Option<ClassNames>,
}

/// The files of a job, and the older records next to them, which must keep their labels and class names.
#[derive(Default)]
pub(crate) struct Older {
    files: Vec<NewFile>,
    job: Vec<PathBuf>,
    /// The records that are known not to change.
    unchanged: BTreeSet<PathBuf>,
}

impl Older {
    /// Checks the older records next to these files; `job` lists all files of the job.
    pub(crate) fn check(files: Vec<NewFile>, job: Vec<PathBuf>) -> Result<Self, Error> {
        let job = with_places(job).iter().map(|path| spelled(path)).collect();
        let mut older = Self { files, job, unchanged: BTreeSet::new() };
        older.check_again()?;
        Ok(older)
    }

    /// Checks that no file of the job would become the list of labels of older pictures, and no records their list of
    /// classes.
    fn check_lists(&self) -> Result<(), Error> {
        let no_names = Some(ClassNames::default());
        let records = self.files.iter().filter(|file| file.names == no_names);
        let lists = records.map(|file| &file.path).filter(|path| path.ends_with(CLASSES));
        for list in self.job.iter().filter(|path| is_list_of_labels(path)).chain(lists) {
            let folder = folder_of(list);
            if folder.is_dir()
                && let Some(picture) = Tree::walk(folder, &|_| false)?.picture()
            {
                return Err(conflict(list, picture));
            }
        }
        Ok(())
    }

    /// Checks the records that have appeared since.
    pub(crate) fn check_again(&mut self) -> Result<(), Error> {
        self.check_lists()?;
        let places = self.files.iter().flat_map(|file| &file.places);
        let folders = places.filter_map(|place| place.parent()).map(Path::to_path_buf);
        for folder in folders.gather::<BTreeSet<PathBuf>>() {
            let entries = match fs::read_dir(&folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                entries => entries.at(&folder)?,
            };
            let spelling = if ignores_case(&folder) { lowercased } else { Path::to_path_buf };
            for entry in entries {
                let records = spelling(&entry.at(&folder)?.path());
                if self.job.contains(&records) || self.unchanged.contains(&records) {
                    continue;
                }
                for file in self.files.iter().filter(|file| file.is_named_for(&records)) {
                    if file.would_change(&records)? {
                        return Err(conflict(&file.path, &file.shown(&records)));
                    }
                    self.unchanged.insert(records.clone());
                }
            }
        }
        Ok(())
    }
}

impl NewFile {
    /// Describes a file of labels, or of class names. `same` are files with the same labels.
    pub(crate) fn new(path: &Path, same: &[PathBuf], names: Option<ClassNames>) -> Self {
        let spelled_places = |path: &Path| places(path).into_iter().map(|place| spelled(&place));
        Self {
            path: path.to_path_buf(),
            places: spelled_places(path).collect(),
            same: same.iter().flat_map(|path| spelled_places(path)).collect(),
            names,
        }
    }

    /// Returns whether these records are read with it, by the rule of names. Their path is absolute and [`spelled`].
    pub(crate) fn is_named_for(&self, records: &Path) -> bool {
        let beside = match self.names {
            None => labels_beside(records),
            Some(_) => classes_beside(records),
        };
        beside.iter().any(|path| self.places.contains(path))
    }

    /// Returns the path of records, written like the path of this file if they are in its folder.
    fn shown(&self, records: &Path) -> PathBuf {
        let own = self.places.first().filter(|place| place.parent() == records.parent());
        match own.and(records.file_name()) {
            Some(name) => self.path.with_file_name(name),
            None => records.to_path_buf(),
        }
    }

    /// Returns whether older records would get labels or class names that they do not have.
    fn would_change(&self, records: &Path) -> Result<bool, Error> {
        let Some(names) = &self.names else {
            let stay = labels_beside(records).iter().any(|labels| self.same.contains(labels));
            return Ok(records.is_file() && !stay);
        };
        let lists = classes_beside(records);
        let earlier = lists.iter().take_while(|list| !self.places.contains(list)).cloned();
        let is_shard = |path: &PathBuf| has_extension(path, "parquet");
        let has_shards = |found: Entries| found.files.iter().any(is_shard);
        let are_records = records.is_file() || Entries::read(records).is_ok_and(has_shards);
        // Only the first list is read.
        if !are_records || !existing(earlier.collect())?.is_empty() {
            return Ok(false);
        }
        let may_have_column = is_table(records) || !records.is_file() || is_shard(&records.into());
        let source = match OpenOptions::new().open(records) {
            Ok(source) => source,
            // What cannot be read now may have labels.
            Err(error) if matches!(error.kind(), ErrorKind::File(FileErrorKind::Io(_))) => {
                return Err(error);
            }
            // A link to nothing may lead to the new file.
            Err(error) if matches!(error.kind(), ErrorKind::MissingFile(_)) => return Ok(true),
            // An option may choose the column of the labels. Other records do not change.
            Err(error) => {
                return Ok(may_have_column || matches!(error.kind(), ErrorKind::Question { .. }));
            }
        };
        let Facts { has_labels, classes, .. } = source.facts();
        if !has_labels || classes.as_ref() == Some(names) {
            return Ok(!has_labels && may_have_column);
        }
        // Names in the records themselves take precedence.
        let old = existing(lists)?.first().and_then(|list| ClassNames::open(list).ok());
        Ok(*classes == old)
    }
}

/// Returns the error about records that would be read with a new file.
pub(crate) fn conflict(file: &Path, records: &Path) -> Error {
    let records = records.display();
    let message =
        format!("{records} would be read with this new file; keep the two in different folders");
    Error::from(ErrorKind::mismatch(message)).with_path(file)
}
