use std::fmt;
use std::path::Path;

use idx_data::OpenOptions;
use idx_data::dataset::{CheckedFile, DataSetFiles, KnownFile};
use serde::Serialize;

use crate::args::{CheckArguments, LimitArguments};
use crate::records::input::{Input, not_idx};
use crate::term::console::{Console, is_standard_input};
use crate::term::failure::Failure;
use crate::term::progress::Progress;
use crate::term::report::{known_text, report};
use crate::term::text::{PathText, printable};

mod duplicates;

pub(crate) fn run(arguments: &CheckArguments, console: &mut Console) -> Result<(), Failure> {
    if arguments.duplicates {
        return duplicates::run(arguments, console);
    }
    let json = arguments.input.json;
    let is_pair = arguments.input.files.len() == 2;
    let mut first: Option<Checked> = None;
    for path in &arguments.input.files {
        if path.is_dir() && !is_standard_input(path) {
            check_folder(path, json, console)?;
            continue;
        }
        let checked = check_file(path, &arguments.limit);
        let checked = checked.and_then(|checked| match &first {
            Some(first) => checked.paired_with(first),
            None => Ok(checked),
        });
        first = checked.as_ref().ok().cloned().filter(|_| is_pair);
        report(checked, json, console)?;
    }
    Ok(())
}

fn check_file(path: &Path, limit: &LimitArguments) -> Result<Checked, Failure> {
    let checked = match Input::open(path, &OpenOptions::new(), false)? {
        Input::Idx(file) => file.limited(limit.record_limit)?.checked()?,
        Input::Other(format, _) => return Err(not_idx(path, format)),
    };
    checked.expect_name()?;
    let labels = checked.find_labels()?;
    let labels = labels.map(|labels| labels.path.display().to_string());
    Ok(Checked { labels, ..checked.into() })
}

/// Checks the data sets in a folder.
pub(crate) fn check_folder(path: &Path, json: bool, console: &mut Console) -> Result<(), Failure> {
    let data_sets = match DataSetFiles::find(path) {
        Ok(data_sets) => data_sets,
        Err(error) => return report(Err::<Checked, _>(error.into()), json, console),
    };
    for data_set in data_sets {
        let mut progress = Progress::new(path, None);
        let results = data_set.check(|path, bytes, size| progress.reach(path, bytes, size));
        drop(progress);
        let whole: Option<Vec<_>> = results.iter().map(|file| file.as_ref().ok()).collect();
        let set = whole.map(|files| CheckedSet::new(path, data_set.prefix(), &files));
        for result in results {
            report(result.map(Checked::from).map_err(Failure::from), json, console)?;
        }
        if let Some(set) = set {
            report(Ok(set), json, console)?;
        }
    }
    Ok(())
}

/// The report of `check` on a file without errors; the names are those of `--json`.
#[derive(Clone, Serialize)]
struct Checked {
    #[serde(flatten)]
    text: PathText,
    element_type: &'static str,
    shape: Vec<u32>,
    known: Option<String>,
    /// The file beside these images, with as many labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<String>,
    /// The images that have as many records as these labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<String>,
    #[serde(skip)]
    file: CheckedFile,
}

impl From<CheckedFile> for Checked {
    fn from(file: CheckedFile) -> Self {
        Self {
            text: file.path.as_path().into(),
            element_type: file.header.element_type().name(),
            shape: file.header.dims().to_vec(),
            known: file.known.map(|known| known.to_string()),
            labels: None,
            images: None,
            file,
        }
    }
}

impl Checked {
    /// Compares it with another file, where one has images and the other their labels.
    fn paired_with(mut self, other: &Self) -> Result<Self, Failure> {
        let name = || Some(other.file.path.display().to_string());
        if other.file.are_labels_of(&self.file)? {
            self.labels = name();
        } else if self.file.are_labels_of(&other.file)? {
            self.images = name();
        }
        Ok(self)
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = known_text(self.known.as_deref());
        write!(f, "{}: ok: {}, {known}", self.text, self.file.header)?;
        for (what, path) in [("labels", &self.labels), ("images", &self.images)] {
            if let Some(path) = path {
                write!(f, ", as many {what} in {}", printable(path))?;
            }
        }
        writeln!(f)
    }
}

/// The report of `check` on a data set in a folder.
#[derive(Serialize)]
struct CheckedSet {
    #[serde(flatten)]
    path: PathText,
    /// The start of the names of the files.
    prefix: String,
    training: u32,
    test: u32,
    /// The well-known data set, if all files belong to it.
    known: Option<String>,
}

impl CheckedSet {
    fn new(path: &Path, prefix: &str, files: &[&CheckedFile]) -> Self {
        let records =
            |index| files.get(index).map_or(0, |file: &&CheckedFile| file.header.record_count());
        let known: Option<Vec<KnownFile>> = files.iter().map(|file| file.known).collect();
        let known = known.and_then(|known| known.first().map(|known| known.data_set.to_string()));
        Self {
            path: path.into(),
            prefix: prefix.to_string(),
            // Images and labels, for training and for testing.
            training: records(0),
            test: records(2),
            known,
        }
    }
}

impl fmt::Display for CheckedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.as_deref().unwrap_or("a data set");
        let Self { path, prefix, .. } = self;
        write!(f, "{path}: ok: {known}, complete, {} training ", self.training)?;
        write!(f, "and {} test records", self.test)?;
        match prefix.as_str() {
            "" => writeln!(f),
            _ => writeln!(f, ", the files {}*", printable(prefix)),
        }
    }
}
