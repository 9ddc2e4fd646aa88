//! `idx check`: reads files, pairs and folders of data sets to their ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use idx_data::dataset::{self, CheckedFile, DataSetFiles, KnownFile};
use idx_data::{Error, ErrorKind, OpenOptions, Reading, RecordLayout, Set, Shape, Source};
use serde::Serialize;

use crate::args::CheckArguments;
use crate::records::input::{Input, found, parts, read_all};
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::progress::Progress;
use crate::term::reading::ReadingReport;
use crate::term::report::{Verdict, grouped, grouped_count, known_text};
use crate::term::text::printable;

mod duplicates;

pub(crate) fn run(arguments: &CheckArguments, console: &mut Console) -> Result<(), Failure> {
    console.is_json = arguments.input.json;
    if arguments.duplicates {
        return duplicates::run(arguments, console);
    }
    let mut files = Files::new(arguments);
    for path in &arguments.input.files {
        let checked = files.check(path, console);
        checked.or_else(|failure| console.print_failure(failure))?;
    }
    // A damaged file might have used the options.
    match console.code {
        0 => arguments.expect_effect(&files.readings),
        _ => Ok(()),
    }
}

/// The given files, by their absolute paths. Some are the labels of others.
struct Files<'a> {
    arguments: &'a CheckArguments,
    given: BTreeSet<PathBuf>,
    /// Files that are named like labels, each with the files whose labels they may be.
    images: BTreeMap<PathBuf, Vec<PathBuf>>,
    /// The files that were read without an error.
    before: BTreeMap<PathBuf, CheckedFile>,
    /// The readings of the files of other formats.
    readings: Vec<Reading>,
}

impl<'a> Files<'a> {
    fn new(arguments: &'a CheckArguments) -> Self {
        let given: BTreeSet<PathBuf> =
            arguments.input.files.iter().map(|path| absolute(path)).collect();
        let mut images = BTreeMap::<PathBuf, Vec<PathBuf>>::new();
        for path in &given {
            for labels in dataset::label_paths(path) {
                if given.contains(&labels) {
                    images.entry(labels).or_default().push(path.clone());
                }
            }
        }
        Self { arguments, given, images, before: BTreeMap::new(), readings: Vec::new() }
    }

    /// Checks a file or folder, and reports what it is.
    fn check(&mut self, path: &Path, console: &mut Console) -> Result<(), Failure> {
        let limit = self.arguments.limit.record_limit;
        let options = self.arguments.opening();
        if found(path)?.is_some_and(|found| found.is_dir()) {
            return match check_data_sets(path, &options, console)? {
                true => Ok(()),
                false => self.check_records(path, options.open_set(path)?, console),
            };
        }
        let file = match Input::open(path, &options, false)? {
            Input::Idx(file) => file.limited(limit)?.checked()?,
            Input::Other(set) => return self.check_records(path, set, console),
        };
        file.expect_name()?;
        let checked = self.paired(file.clone())?;
        self.before.insert(absolute(path), file);
        Verdict::ok(path, checked).print(console)
    }

    /// Checks the records of each part of a set in any format.
    fn check_records(
        &mut self,
        path: &Path,
        set: Set,
        console: &mut Console,
    ) -> Result<(), Failure> {
        self.readings.push(set.reading());
        check_parts(parts(Some(path), set), console)
    }

    /// Compares records with their labels, which are among the given files or next to the records.
    fn paired(&self, file: CheckedFile) -> Result<Checked, Failure> {
        let path = absolute(&file.path);
        let labels_named: Vec<PathBuf> = dataset::label_paths(&path)
            .into_iter()
            .filter(|labels| *labels != path && self.given.contains(labels))
            .collect();
        let images_named = self.images.get(&path).map_or(&[][..], Vec::as_slice);
        let name = |file: &CheckedFile| Some(file.path.display().to_string());
        let (mut labels, mut images) = (None, None);
        for other in self.read_before(&labels_named) {
            if other.are_labels_of(&file)? {
                labels = name(other);
            }
        }
        for other in self.read_before(images_named) {
            if file.are_labels_of(other)? {
                images = name(other);
            }
        }
        if labels.is_none() && labels_named.is_empty() {
            labels = file.find_labels()?.and_then(|labels| name(&labels));
        }
        let is_alone = self.arguments.input.files.len() > 1
            && images.is_none()
            && dataset::is_named_like_labels(&file.path)
            && images_named.is_empty();
        Ok(Checked { labels, images, is_alone, ..file.into() })
    }

    /// Returns those of these files that were already read; if two files are given, the first whatever its name.
    fn read_before(&self, named: &[PathBuf]) -> Vec<&CheckedFile> {
        match self.arguments.input.files.len() {
            2 => self.before.values().collect(),
            _ => named.iter().filter_map(|path| self.before.get(path)).collect(),
        }
    }
}

/// Returns the absolute path of a file, which need not exist.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_default()
}

/// Checks the records of parts in any format, each with its path.
fn check_parts(parts: Vec<(PathBuf, Source)>, console: &mut Console) -> Result<(), Failure> {
    parts.into_iter().try_for_each(|(path, source)| {
        let checked = CheckedRecords::read(source);
        let checked = checked.and_then(|checked| Verdict::ok(&path, checked).print(console));
        checked.or_else(|failure| console.print_failure(failure))
    })
}

/// Checks the data sets in a folder; false if it has none.
pub(crate) fn check_data_sets(
    folder: &Path,
    options: &OpenOptions,
    console: &mut Console,
) -> Result<bool, Failure> {
    let data_sets = match DataSetFiles::find(folder) {
        Err(error) if matches!(error.kind(), ErrorKind::NoDataSet) => return Ok(false),
        data_sets => data_sets?,
    };
    let is_only = data_sets.len() == 1;
    for data_set in data_sets {
        let mut progress = Progress::new(folder, None);
        let results = data_set.check(|path, bytes, size| progress.reach(path, bytes, size));
        drop(progress);
        let whole: Option<Vec<_>> = results.iter().map(|file| file.as_ref().ok()).collect();
        let set = whole.map(|files| {
            let set = CheckedSet::new(&data_set, &files);
            let parts = open_parts(&data_set, &files, &set, is_only, options);
            (set, parts)
        });
        for result in results {
            let checked = result.map_err(Failure::from).and_then(|file| {
                Verdict::ok(&file.path.clone(), Checked::from(file)).print(console)
            });
            checked.or_else(|failure| console.print_failure(failure))?;
        }
        match set {
            Some((set, Ok(parts))) if set.has_labels_of(&parts) => {
                Verdict::ok(folder, set).print(console)?;
            }
            // Some labels are in other files than those that were checked.
            Some((_, Ok(parts))) => check_parts(parts, console)?,
            Some((_, Err(error))) => console.print_failure(error.into())?,
            None => {}
        }
    }
    Ok(true)
}

/// Opens the parts of a data set as the other commands do, each with its path: the whole folder, or only the parts if
/// there are other records next to them.
fn open_parts(
    data_set: &DataSetFiles,
    files: &[&CheckedFile],
    set: &CheckedSet,
    is_only: bool,
    options: &OpenOptions,
) -> Result<Vec<(PathBuf, Source)>, Error> {
    let folder = files.first().and_then(|file| file.path.parent()).unwrap_or(Path::new(""));
    // A table has no files of labels.
    let are_tables = data_set.others().iter().all(|path| dataset::label_paths(path).is_empty());
    if is_only && are_tables {
        return Ok(parts(Some(folder), options.open_set(folder)?));
    }
    let mut opened = Vec::new();
    for (part, _) in set.counts().into_iter().filter(|(_, count)| count.is_some()) {
        let path = folder.join(format!(":{}{part}", data_set.prefix()));
        opened.extend(parts(Some(&path), options.open_set(&path)?));
    }
    Ok(opened)
}

/// The report of `check` on a file without errors; its fields are the keys of `--json`.
#[derive(Serialize)]
struct Checked {
    element_type: &'static str,
    shape: Vec<u32>,
    known: Option<String>,
    /// The file with the labels of these records.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<String>,
    /// The file with the records of these labels, of the same number.
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<String>,
    /// True if these are labels, and their records are not among the files.
    #[serde(skip)]
    is_alone: bool,
}

impl From<CheckedFile> for Checked {
    fn from(file: CheckedFile) -> Self {
        Self {
            element_type: file.header.element_type().name(),
            shape: file.header.dims().to_vec(),
            known: file.known.map(|known| known.to_string()),
            labels: None,
            images: None,
            is_alone: false,
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = known_text(self.known.as_deref());
        let shape = Shape(&self.shape);
        write!(f, "{}, {shape}, {known}", self.element_type)?;
        for (what, path) in [("labels", &self.labels), ("records", &self.images)] {
            if let Some(path) = path {
                write!(f, ", as many {what} in {}", printable(path))?;
            }
        }
        match self.is_alone {
            true => write!(f, ", without their records among these files"),
            false => Ok(()),
        }
    }
}

/// The report of `check` on the records of a part, in a format other than IDX.
#[derive(Serialize)]
struct CheckedRecords {
    element_type: String,
    shape: Vec<u64>,
    has_labels: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reading: Vec<ReadingReport>,
    #[serde(skip)]
    layout: RecordLayout,
}

impl CheckedRecords {
    fn read(mut source: Source) -> Result<Self, Failure> {
        let facts = source.facts().clone();
        let inputs = source.reading().inputs();
        let reading = match source.reading().is_plain() {
            true => Vec::new(),
            false => inputs.iter().map(ReadingReport::without_records).collect(),
        };
        let count = read_all(&mut source, |_| Ok(()))?;
        let record_shape = facts.layout.record_shape().iter().copied().map(u64::from);
        Ok(Self {
            element_type: facts.layout.dtype.to_string(),
            shape: [count].into_iter().chain(record_shape).collect(),
            has_labels: facts.has_labels,
            reading,
            layout: facts.layout,
        })
    }
}

impl fmt::Display for CheckedRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.shape.first().copied().unwrap_or_default();
        let labels = if self.has_labels { " with labels" } else { "" };
        let records = grouped_count(count, "record");
        write!(f, "{records} of {}{labels}", self.layout)?;
        let texts: Vec<String> = self.reading.iter().map(ToString::to_string).collect();
        match texts.is_empty() {
            true => Ok(()),
            false => write!(f, "; {}", texts.join("; ")),
        }
    }
}

/// The report of `check` on a data set in a folder.
#[derive(Serialize)]
struct CheckedSet {
    /// The prefix of the names of the files.
    prefix: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    training: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation: Option<u32>,
    /// The parts whose records have no labels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_labels: Vec<&'static str>,
    /// The other files of records in the folder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_checked: Vec<String>,
    /// The well-known data set, if all files belong to it.
    known: Option<String>,
}

impl CheckedSet {
    fn new(data_set: &DataSetFiles, files: &[&CheckedFile]) -> Self {
        let find = |part: &str, are_labels: bool| {
            files.iter().find(|file| {
                file.part() == Some(part) && dataset::is_named_like_labels(&file.path) == are_labels
            })
        };
        let records = |part| find(part, false).map(|file| file.header.record_count());
        let is_bare = |part: &&str| find(part, false).is_some() && find(part, true).is_none();
        let known: Option<Vec<KnownFile>> = files.iter().map(|file| file.known).collect();
        let known = known.and_then(|known| known.first().map(|known| known.data_set.to_string()));
        let name = |path: &PathBuf| path.file_name().map(|name| name.display().to_string());
        Self {
            prefix: data_set.prefix().to_string(),
            training: records("train"),
            test: records("test"),
            validation: records("val"),
            without_labels: ["train", "test", "val"].into_iter().filter(is_bare).collect(),
            not_checked: data_set.others().iter().filter_map(name).collect(),
            known,
        }
    }

    /// Returns the number of records of each part.
    const fn counts(&self) -> [(&'static str, Option<u32>); 3] {
        [("train", self.training), ("test", self.test), ("val", self.validation)]
    }

    /// Returns whether those of the opened parts have labels whose labels were checked.
    fn has_labels_of(&self, opened: &[(PathBuf, Source)]) -> bool {
        let counted = self.counts().into_iter().filter(|(_, count)| count.is_some());
        let have_labels = counted.map(|(part, _)| !self.without_labels.contains(&part));
        have_labels.eq(opened.iter().map(|(_, source)| source.facts().has_labels))
    }
}

impl fmt::Display for CheckedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.as_deref().unwrap_or("a data set");
        let Self { training, test, validation, prefix, without_labels, not_checked, .. } = self;
        let is_complete = training.is_some() && test.is_some() && without_labels.is_empty();
        let complete = if is_complete { ", complete" } else { "" };
        let counts = [(training, "training"), (test, "test"), (validation, "validation")];
        let counts = counts.into_iter().filter_map(|(count, part)| Some((count.as_ref()?, part)));
        let mut counts: Vec<String> =
            counts.map(|(count, part)| format!("{} {part}", grouped((*count).into()))).collect();
        let last = counts.pop().unwrap_or_default();
        let first = if counts.is_empty() { "" } else { " and " };
        write!(f, "{known}{complete}, {}{first}{last} records", counts.join(", "))?;
        if !without_labels.is_empty() {
            write!(f, ", {} without labels", without_labels.join(", "))?;
        }
        if !prefix.is_empty() {
            write!(f, ", the files {}*", printable(prefix))?;
        }
        match not_checked.is_empty() {
            true => Ok(()),
            false => write!(f, "; not checked: {}", printable(&not_checked.join(", "))),
        }
    }
}
