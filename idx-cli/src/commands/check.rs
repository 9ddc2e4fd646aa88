use std::fmt;
use std::path::Path;

use idx_std::{CheckedFile, DataSetFiles, KnownFile, Split};
use serde::Serialize;

use crate::args::CheckArguments;
use crate::records::input::Input;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::progress::Progress;
use crate::term::report::{known_text, report, shape_text};

pub(crate) fn run(arguments: &CheckArguments, console: &mut Console) -> Result<(), Failure> {
    let json = arguments.input.json;
    for path in &arguments.input.files {
        if path.is_dir() {
            check_folder(path, json, console)?;
        } else {
            report(check_file(path), json, console)?;
        }
    }
    Ok(())
}

fn check_file(path: &Path) -> Result<Checked, Failure> {
    let input = Input::open(path)?;
    let header = input.header();
    let (element_type, shape) = (header.element_type(), header.dims().iter().collect());
    let count = header.record_count();
    let known = input.identify()?;
    let labels = idx_std::labels_beside(path, count).map_err(|error| Failure::data(path, error))?;
    Ok(Checked {
        path: path.display().to_string(),
        element_type: element_type.name(),
        shape,
        known,
        labels: labels.map(|labels| labels.display().to_string()),
    })
}

fn check_folder(path: &Path, json: bool, console: &mut Console) -> Result<(), Failure> {
    let data_sets = match DataSetFiles::find(path) {
        Ok(data_sets) => data_sets,
        Err(error) => {
            let failure = Failure::data(path, error);
            return report(Err::<Checked, _>(failure), json, console);
        }
    };
    for data_set in data_sets {
        let mut progress = Progress::new(path, None);
        let results = data_set.check_with(|read| progress.reach(read.path, read.bytes, read.size));
        drop(progress);
        let whole: Option<Vec<&CheckedFile>> =
            results.iter().map(|file| file.as_ref().ok()).collect();
        let set = whole.map(|files| CheckedSet::new(path, data_set.prefix(), &files));
        for result in results {
            let checked = result
                .map(Checked::from)
                .map_err(|error| Failure::data(path, error));
            report(checked, json, console)?;
        }
        if let Some(set) = set {
            report(Ok(set), json, console)?;
        }
    }
    Ok(())
}

/// What `check` reports of a file in which nothing is wrong; the names are those of `--json`.
#[derive(Serialize)]
struct Checked {
    path: String,
    element_type: &'static str,
    shape: Vec<u32>,
    known: Option<String>,
    /// The file beside these images that has as many labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<String>,
}

impl From<CheckedFile> for Checked {
    fn from(file: CheckedFile) -> Self {
        Self {
            path: file.path.display().to_string(),
            element_type: file.element_type.name(),
            shape: file.shape,
            known: file.known.map(|known| known.to_string()),
            labels: None,
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = known_text(self.known.as_deref());
        let shape = shape_text(&self.shape);
        write!(
            f,
            "{}: ok: {}, {shape}, {known}",
            self.path, self.element_type
        )?;
        match &self.labels {
            Some(labels) => writeln!(f, ", as many labels in {labels}"),
            None => writeln!(f),
        }
    }
}

/// What `check` reports of a data set in a folder.
#[derive(Serialize)]
struct CheckedSet {
    path: String,
    /// What the names of the files start with.
    prefix: String,
    training: u32,
    test: u32,
    /// If all files are those of a well-known set.
    known: Option<String>,
}

impl CheckedSet {
    fn new(path: &Path, prefix: &str, files: &[&CheckedFile]) -> Self {
        let records = |split| {
            files
                .iter()
                .find(|file| file.split == split)
                .map_or(0, |file| file.record_count())
        };
        let known: Option<Vec<KnownFile>> = files.iter().map(|file| file.known).collect();
        let known = known.and_then(|known| known.first().map(|known| known.data_set.to_string()));
        Self {
            path: path.display().to_string(),
            prefix: prefix.to_string(),
            training: records(Split::Training),
            test: records(Split::Test),
            known,
        }
    }
}

impl fmt::Display for CheckedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.as_deref().unwrap_or("a data set");
        let Self {
            path,
            prefix,
            training,
            test,
            ..
        } = self;
        write!(
            f,
            "{path}: ok: {known}, whole, {training} training and {test} test records"
        )?;
        match prefix.as_str() {
            "" => writeln!(f),
            _ => writeln!(f, ", the files {prefix}*"),
        }
    }
}
