//! Refuses options that have no effect on the files of a job.

use idx_data::{CreateOptions, InputReading, Reading, ReadingOption};

use crate::args::{Opening, ReadingArguments, usage};
use crate::term::failure::Failure;

/// The library's names of options, and the command's. All other options have their effect on records of any format.
const OPTIONS: [(&str, &str); 13] = [
    ("raw", "--raw"),
    ("shape", "--shape"),
    ("column", "--column"),
    ("label_column", "--label-column"),
    ("label_type", "--labels-as"),
    ("color", "--channels"),
    ("size", "--size"),
    ("fit", "--fit"),
    ("invert", "--invert"),
    ("threshold", "--threshold"),
    ("background", "--background"),
    ("skip_damaged", "--skip-bad"),
    ("shards", "--shards"),
];

impl Opening {
    /// Returns the options that nothing took.
    fn unread(&self) -> Vec<&'static str> {
        let mut unread = self.records.unread();
        // Both have the same option for the header.
        unread.extend(self.labels.unread().into_iter().filter(|name| *name == "label_column"));
        unread
    }
}

impl ReadingArguments {
    /// Refuses `--skip` if the reading of the inputs skips nothing.
    pub(crate) fn expect_skipped(&self, command: &str, reading: &Reading) -> Result<(), Failure> {
        let mut options = reading.inputs().iter().flat_map(InputReading::options);
        let is_skip = |option: &ReadingOption| {
            matches!(option, ReadingOption::Skip(_) | ReadingOption::SkipNone)
        };
        match self.skips() && !options.any(is_skip) {
            true => Err(usage(command, "--skip has no effect on these files; leave it out")),
            false => Ok(()),
        }
    }

    /// Refuses an option that neither an input nor an output took.
    pub(crate) fn expect_effect(
        &self,
        command: &str,
        inputs: &Opening,
        outputs: Option<&CreateOptions>,
    ) -> Result<(), Failure> {
        let mut unread = inputs.unread();
        unread.extend(outputs.map(CreateOptions::unread).unwrap_or_default());
        // The option is for csv that is read and for csv that is written.
        let places = if self.no_header && outputs.is_some() { 2 } else { 1 };
        let named =
            OPTIONS.iter().find(|(name, _)| unread.contains(name)).map(|(_, option)| *option);
        let option = match unread.iter().filter(|name| **name == "header").count() == places {
            true if self.no_header => Some("--no-header"),
            true => Some("--header"),
            false if unread.contains(&"layout") => Some("--layout"),
            false => named,
        };
        let error = |option| {
            usage(command, &format!("{option} has no effect on these files; leave it out"))
        };
        option.map_or(Ok(()), |option| Err(error(option)))
    }
}
