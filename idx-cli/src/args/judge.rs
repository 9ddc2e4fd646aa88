use std::path::{Path, PathBuf};

use idx_data::{Fit, Format, OpenOptions, RecordSource, Source};

use super::{LabelArguments, PictureArguments, ReadingArguments};
use crate::term::console::is_standard_input;
use crate::term::failure::Failure;

/// What a command reads and writes, by which its options are judged before anything is written.
pub(crate) struct Job {
    inputs: Vec<Format>,
    outputs: Vec<Format>,
    /// Whether the inputs hold files of pictures.
    has_pictures: bool,
    has_labels: bool,
}

impl Job {
    pub(crate) fn new(source: &Source, outputs: impl IntoIterator<Item = Format>) -> Self {
        Self {
            inputs: source.formats().collect(),
            outputs: outputs.into_iter().collect(),
            has_pictures: source.facts().are_pictures,
            has_labels: source.has_labels(),
        }
    }

    /// A file of IDX, of which only the header or the numbers are read.
    pub(crate) fn of_idx() -> Self {
        Self {
            inputs: vec![Format::Idx],
            outputs: Vec::new(),
            has_pictures: false,
            has_labels: false,
        }
    }

    /// The job for one of these files: an option that another of them takes has its effect there.
    pub(crate) fn beside(mut self, files: &[PathBuf], options: &OpenOptions) -> Self {
        let others = files.iter().filter(|_| files.len() > 1);
        self.inputs.extend(others.filter_map(|path| match path.is_file() {
            true => options.detect(path).ok(),
            // It is read only once, and may be csv.
            false => is_standard_input(path).then_some(Format::Csv),
        }));
        self
    }

    fn reads_csv(&self) -> bool {
        self.inputs.contains(&Format::Csv)
    }
}

/// An option that is given, whether a stage of the job takes it, and what it would need.
type Rule = (bool, &'static str, bool, &'static str);

fn judge(rules: &[Rule]) -> Result<(), String> {
    let broken = rules.iter().find(|(is_given, _, is_taken, _)| *is_given && !is_taken);
    broken.map_or(Ok(()), |(_, option, _, needs)| Err(format!("{option} needs {needs}")))
}

impl ReadingArguments {
    /// As [`judge`](Self::judge), for a command that reads one file after the other.
    pub(crate) fn judge_file(
        &self,
        path: &Path,
        job: &Job,
        labels: &LabelArguments,
    ) -> Result<(), Failure> {
        self.judge(job, labels).map_err(|text| Failure::file(path, text))
    }

    /// Refuses options that nothing here can take. `labels` are files of labels.
    pub(crate) fn judge(&self, job: &Job, labels: &LabelArguments) -> Result<(), String> {
        let has_csv = job.reads_csv() || job.outputs.contains(&Format::Csv);
        // Files of labels may be csv.
        let may_have_header = has_csv || !labels.files.is_empty();
        let has_columns = job.reads_csv() || job.inputs.contains(&Format::Parquet);
        judge(&[
            (self.header, "--header", may_have_header, "csv as input or output"),
            (
                labels.column.is_some(),
                "--label-column",
                has_columns || !labels.files.is_empty(),
                "csv or Parquet as input, or --labels",
            ),
            (self.record_column.is_some(), "--column", has_columns, "csv or Parquet as input"),
            (
                labels.classes.is_some(),
                "--classes",
                job.has_labels || !labels.files.is_empty(),
                "labels; give them with --labels",
            ),
        ])
    }
}

impl PictureArguments {
    /// Refuses options that nothing here can take.
    pub(crate) fn judge(&self, job: &Job) -> Result<(), String> {
        let pictures = "pictures as input";
        let scales = self.size.is_some();
        let pads = self.pad.is_some() || self.fit == Some(Fit::Contain);
        let fits_mnist = self.fit == Some(Fit::Mnist);
        let is_free = !fits_mnist;
        let alone = "another --fit: that of mnist decides it";
        judge(&[
            (self.skip_bad, "--skip-bad", job.has_pictures, pictures),
            (
                self.background.is_some(),
                "--background",
                job.has_pictures || pads,
                "pictures as input, --pad or --fit contain",
            ),
            (scales, "--size", is_free, alone),
            (self.channels.is_some(), "--channels", is_free, alone),
            (
                matches!(self.fit, Some(Fit::Contain | Fit::Cover | Fit::Fill)),
                "--fit",
                scales,
                "--size, into which it fits pictures",
            ),
        ])
    }
}
