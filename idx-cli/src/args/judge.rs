use std::path::{Path, PathBuf};

use idx_data::{Fit, Format, ImageLayout, OpenOptions, Source};

use super::{ClassArguments, LabelArguments, PictureArguments, ReadingArguments};
use crate::term::console::is_standard_input;
use crate::term::failure::Failure;

/// What a command reads and writes, by which its options are judged before anything is written.
#[derive(Default)]
pub(crate) struct Job {
    inputs: Vec<Format>,
    outputs: Vec<Format>,
    /// Whether the inputs hold files of pictures.
    pub(crate) has_pictures: bool,
    /// Whether the records are images.
    are_images: bool,
    has_labels: bool,
}

impl Job {
    pub(crate) fn new(source: &Source, outputs: impl IntoIterator<Item = Format>) -> Self {
        Self {
            inputs: source.formats().to_vec(),
            outputs: outputs.into_iter().collect(),
            has_pictures: source.facts().are_pictures,
            are_images: ImageLayout::from_shape(source.facts().layout.record_shape()).is_some(),
            has_labels: source.facts().has_labels,
        }
    }

    /// A file of IDX, of which only the header or the numbers are read.
    pub(crate) fn of_idx() -> Self {
        Self { inputs: vec![Format::Idx], ..Self::default() }
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

    /// Refuses an option that only images take.
    pub(crate) fn judge_images(&self, is_given: bool, option: &'static str) -> Result<(), String> {
        let needs = "records that are images; give their shape with --shape";
        judge(&[(is_given, option, self.are_images, needs)])
    }
}

/// An option that is given, whether a stage of the job takes it, and what it would need.
pub(crate) type Rule<'a> = (bool, &'a str, bool, &'a str);

pub(crate) const NEEDS_LABELS: &str = "labels; give them with --labels";

/// Refuses the first option that nothing takes.
pub(crate) fn judge(rules: &[Rule<'_>]) -> Result<(), String> {
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
        let has_files = !labels.files.is_empty();
        // Files of labels may be csv.
        let may_have_header = job.reads_csv() || job.outputs.contains(&Format::Csv) || has_files;
        let has_numbers = job.inputs.iter().any(|format| *format != Format::Png);
        let has_columns = job.reads_csv() || job.inputs.contains(&Format::Parquet);
        let has_labels = job.has_labels || has_files;
        let columns = "csv or Parquet as input, or --labels";
        let csv = if job.outputs.is_empty() { "csv as input" } else { "csv as input or output" };
        judge(&[
            (self.header, "--header", may_have_header, csv),
            (labels.column.is_some(), "--label-column", has_columns || has_files, columns),
            (self.record_column.is_some(), "--column", has_numbers, "an input of numbers"),
            (labels.classes.is_some(), "--classes", has_labels, NEEDS_LABELS),
        ])
    }
}

impl ClassArguments {
    /// The first option by which labels are needed.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (!self.only.is_empty(), "--only"),
            (!self.except.is_empty(), "--except"),
            (self.per_class.is_some(), "--per-class"),
        ];
        options.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
    }

    pub(crate) fn judge(&self, job: &Job) -> Result<(), String> {
        let option = self.given();
        judge(&[(option.is_some(), option.unwrap_or_default(), job.has_labels, NEEDS_LABELS)])
    }
}

impl PictureArguments {
    /// Refuses options that exclude each other.
    pub(crate) fn judge_fit(&self) -> Result<(), String> {
        let is_free = self.fit != Some(Fit::Mnist);
        let alone = "another --fit: that of mnist decides it";
        judge(&[
            (self.size.is_some(), "--size", is_free, alone),
            (self.channels.is_some(), "--channels", is_free, alone),
        ])
    }

    /// Refuses options that nothing here can take.
    pub(crate) fn judge(&self, job: &Job) -> Result<(), String> {
        let pads = self.pad.is_some() || self.fit == Some(Fit::Contain);
        let has_background = job.has_pictures || pads;
        let background = "pictures as input, --pad or --fit contain";
        let fits = matches!(self.fit, Some(Fit::Contain | Fit::Cover | Fit::Fill));
        judge(&[
            (self.skip_bad, "--skip-bad", job.has_pictures, "pictures as input"),
            (self.background.is_some(), "--background", has_background, background),
            (fits, "--fit", self.size.is_some(), "--size, into which it fits pictures"),
        ])
    }
}
