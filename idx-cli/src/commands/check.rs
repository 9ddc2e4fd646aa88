use std::fmt;
use std::path::Path;

use idx_std::HeaderBuf;
use idx_std::dataset::{CheckedFile, DataSetFiles, KnownFile, Split, find_labels};
use serde::Serialize;

use crate::args::CheckArguments;
use crate::records::input::Input;
use crate::term::console::Console;
use crate::term::failure::Failure;
use crate::term::progress::Progress;
use crate::term::report::{known_text, report};
use crate::term::text::PathText;

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
    let header = input.header().clone();
    let known = input.identify()?;
    let labels = find_labels(path, &header)?;
    let labels = labels.map(|labels| labels.display().to_string());
    let checked = Checked::new(path, header, known);
    Ok(Checked { labels, ..checked })
}

fn check_folder(path: &Path, json: bool, console: &mut Console) -> Result<(), Failure> {
    let data_sets = match DataSetFiles::find(path) {
        Ok(data_sets) => data_sets,
        Err(error) => {
            return report(Err::<Checked, _>(error.into()), json, console);
        }
    };
    for data_set in data_sets {
        let mut progress = Progress::new(path, None);
        let results = data_set.check(|read| progress.reach(read.path, read.bytes, read.size));
        drop(progress);
        let whole: Option<Vec<&CheckedFile>> =
            results.iter().map(|file| file.as_ref().ok()).collect();
        let set = whole.map(|files| CheckedSet::new(path, data_set.prefix(), &files));
        for result in results {
            report(
                result
                    .map(|file| Checked::new(&file.path, file.header, file.known))
                    .map_err(Failure::from),
                json,
                console,
            )?;
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
    #[serde(flatten)]
    path: PathText,
    element_type: &'static str,
    shape: Vec<u32>,
    known: Option<String>,
    /// The file beside these images that has as many labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<String>,
    #[serde(skip)]
    header: HeaderBuf,
}

impl Checked {
    fn new(path: &Path, header: HeaderBuf, known: Option<KnownFile>) -> Self {
        Self {
            path: path.into(),
            element_type: header.element_type().name(),
            shape: header.dims().to_vec(),
            known: known.map(|known| known.to_string()),
            labels: None,
            header,
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = known_text(self.known.as_deref());
        write!(f, "{}: ok: {}, {known}", self.path, self.header)?;
        match &self.labels {
            Some(labels) => writeln!(f, ", as many labels in {labels}"),
            None => writeln!(f),
        }
    }
}

/// What `check` reports of a data set in a folder.
#[derive(Serialize)]
struct CheckedSet {
    #[serde(flatten)]
    path: PathText,
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
                .map_or(0, |file| file.header.record_count())
        };
        let known: Option<Vec<KnownFile>> = files.iter().map(|file| file.known).collect();
        let known = known.and_then(|known| known.first().map(|known| known.data_set.to_string()));
        Self {
            path: path.into(),
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
        let Self { path, prefix, .. } = self;
        write!(f, "{path}: ok: {known}, whole, {} training ", self.training)?;
        write!(f, "and {} test records", self.test)?;
        match prefix.as_str() {
            "" => writeln!(f),
            _ => writeln!(f, ", the files {prefix}*"),
        }
    }
}
