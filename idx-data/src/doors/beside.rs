//! The files next to a new file that would be read with it. They must have the content that this job writes.

use std::path::{Path, PathBuf};

use crate::chain::Source;
use crate::doors::place::places;
use crate::error::{At, Error, ErrorKind};
use crate::names::class_names::ClassNames;
use crate::names::format::Format;
use crate::names::{self, Neighbours};
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record};
use idx_std::__private::access::found;

/// The files next to a new file that would be read with it, or instead of it.
pub(crate) struct Beside {
    /// The paths that lead to the new file.
    pub(crate) places: Vec<PathBuf>,
    /// For each of these paths, the names of files that are read with it, or instead of it.
    neighbours: Vec<Neighbours>,
    /// The facts of the new records.
    pub(crate) facts: Facts,
    /// True if the new file is read with labels next to it.
    pub(crate) reads_labels: bool,
    /// True if the new file is read with class names next to it.
    pub(crate) reads_names: bool,
    /// The neighbours that exist, opened to compare them.
    found: Vec<Neighbour>,
    absent: Vec<PathBuf>,
}

/// An existing file that is compared with the new one, record by record.
struct Neighbour {
    path: PathBuf,
    source: Source,
    record: Record,
    are_labels: bool,
    /// True after a record that differs. The new file is then not completed, even if more records follow.
    differs: bool,
}

impl Beside {
    /// Lists the names next to a new file; a stream has none.
    pub(crate) fn new(path: &Path, format: Format, facts: &Facts, is_stream: bool) -> Self {
        let reads_labels = format.is_array() && !is_stream;
        // Class names in the file take precedence.
        let has_none = || format == Format::Parquet && facts.classes.is_none();
        let reads_names = (format.has_class_list() || has_none()) && facts.has_labels && !is_stream;
        // Under its own name, and under those of links to it.
        let places = places(path);
        let others = places.iter().skip(1).map(PathBuf::as_path);
        let neighbours = [path].into_iter().chain(others).map(|path| {
            let Neighbours { mut twins, mut labels, mut classes } = names::neighbours(path);
            twins.retain(|_| reads_labels);
            labels.retain(|_| reads_labels);
            classes.retain(|_| reads_names);
            Neighbours { twins, labels, classes }
        });
        Self {
            neighbours: neighbours.collect(),
            places,
            facts: facts.clone(),
            reads_labels,
            reads_names,
            found: Vec::new(),
            absent: Vec::new(),
        }
    }

    /// Finds the neighbours that exist, except for the files of this job. Returns whether a list has these names
    /// already. If `may_replace`, this job may replace a list with other names.
    pub(crate) fn check(
        &mut self,
        job: &[PathBuf],
        names: Option<&ClassNames>,
        may_replace: bool,
    ) -> Result<bool, Error> {
        let mut has_list = None;
        for neighbours in std::mem::take(&mut self.neighbours) {
            let has = self.check_all(neighbours, job, names, may_replace)?;
            has_list.get_or_insert(has);
        }
        Ok(has_list.unwrap_or_default())
    }

    /// Checks the neighbours of one path.
    fn check_all(
        &mut self,
        Neighbours { twins, labels, classes }: Neighbours,
        job: &[PathBuf],
        names: Option<&ClassNames>,
        may_replace: bool,
    ) -> Result<bool, Error> {
        for (paths, are_labels) in [(twins, false), (labels, true)] {
            for path in paths.into_iter().filter(|path| !job.contains(path)) {
                match is_there(&path, job)? {
                    true => self.found.push(self.neighbour(path, are_labels)?),
                    false => self.absent.push(path),
                }
            }
        }
        for path in classes {
            if is_there(&path, job)? {
                // Opening a pipe would block forever.
                let same = path.is_file()
                    && ClassNames::open(&path).is_ok_and(|found| names == Some(&found));
                return match same {
                    true => Ok(true),
                    false if may_replace && job.contains(&path) => Ok(false),
                    false => Err(conflict(&path)),
                };
            }
            if job.contains(&path) {
                return Ok(false);
            }
            self.absent.push(path);
        }
        Ok(false)
    }

    /// Returns the existing files with the content of the new file, or of its labels.
    pub(crate) fn same(&self, are_labels: bool) -> Vec<PathBuf> {
        let found = self.found.iter().filter(|other| other.are_labels == are_labels);
        found.map(|other| other.path.clone()).collect()
    }

    /// Opens an existing file, if it may have the content that is written.
    fn neighbour(&self, path: PathBuf, are_labels: bool) -> Result<Neighbour, Error> {
        let Facts { layout, has_labels, .. } = &self.facts;
        let is_like = |source: &Source| {
            let found = &source.facts().layout;
            let is_same =
                || (found.dtype, found.record_shape()) == (layout.dtype, layout.record_shape());
            if are_labels { *has_labels } else { is_same() }
        };
        match array(&path, are_labels).filter(is_like) {
            Some(source) => {
                let record = Record::default();
                Ok(Neighbour { path, source, record, are_labels, differs: false })
            }
            None => Err(conflict(&path)),
        }
    }

    /// Compares the next `count` records with those of the existing files.
    pub(crate) fn compare(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        self.found.iter_mut().try_for_each(|other| {
            records.each(count, |record| match other.has(record) {
                true => Ok(()),
                false => Err(conflict(&other.path)),
            })
        })
    }

    /// Checks that no existing file has more records. Returns the files that must not have appeared when this one does.
    pub(crate) fn end(&mut self) -> Result<Vec<PathBuf>, Error> {
        for other in &mut self.found {
            if other.differs || !other.is_over() {
                return Err(conflict(&other.path));
            }
        }
        Ok(std::mem::take(&mut self.absent))
    }
}

impl Neighbour {
    /// Reads the next record, and returns whether it is this one.
    fn has(&mut self, expected: &Record) -> bool {
        let is_there = self.source.read(&mut self.record).is_ok_and(|is_there| is_there);
        let is_like = match self.are_labels {
            true => self.record.label == expected.label,
            false => self.record.bytes == expected.bytes,
        };
        self.differs |= !is_there || !is_like;
        !self.differs
    }

    fn is_over(&mut self) -> bool {
        self.source.read(&mut self.record).is_ok_and(|is_there| !is_there)
    }
}

/// Opens a file as records without labels, or as labels.
pub(crate) fn array(path: &Path, are_labels: bool) -> Option<Source> {
    // Opening a pipe would block forever.
    let opened = path.is_file().then(|| OpenOptions::new().labels(false).open(path))?;
    let labels = |source: Source| if are_labels { source.into_labels() } else { Ok(source) };
    opened.and_then(labels).ok()
}

/// Returns whether there is a file of this name, or a link to nothing, unless this job writes through it. A folder is
/// never read with records.
fn is_there(path: &Path, job: &[PathBuf]) -> Result<bool, Error> {
    Ok(match found(path).at(path)? {
        Some(found) => !found.is_dir(),
        None => path.is_symlink() && !job.iter().any(|own| own == path),
    })
}

/// Returns the error about a file that would be read with the new file.
pub(crate) fn conflict(path: &Path) -> Error {
    let message = "this file has other content, and would be read with the new file; move it away, or write to \
                   another folder";
    Error::from(ErrorKind::mismatch(message)).with_path(path)
}
