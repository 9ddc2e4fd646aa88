//! Refuses options that have no effect on the files of a job.

use idx_data::{Outputs, Reading};

use crate::args::{Opening, ReadingArguments, usage};
use crate::term::failure::Failure;

/// The library's names of options, and the command's. All other options have their effect on records of any format.
const OPTIONS: [(&str, &str); 15] = [
    ("raw", "--raw"),
    ("shape", "--shape"),
    ("column", "--column"),
    ("label_column", "--label-column"),
    ("skip", "--skip"),
    ("labels_in_names", "--labels"),
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
    /// Returns the options that have no effect on inputs with this reading.
    fn unused(&self, reading: &Reading) -> Vec<&'static str> {
        let mut unused = self.records.unused(reading);
        // Both have the same option for the header.
        let of_labels = self.labels.unused(reading).into_iter();
        unused.extend(of_labels.filter(|name| ["label_column", "skip"].contains(name)));
        unused
    }
}

impl ReadingArguments {
    /// Refuses an option that has no effect on any of the inputs, which have these readings, or on an output.
    pub(crate) fn expect_effect(
        &self,
        command: &str,
        inputs: &Opening,
        readings: &[Reading],
        outputs: Option<&Outputs>,
    ) -> Result<(), Failure> {
        let mut of_inputs = readings.iter().map(|reading| inputs.unused(reading));
        let mut unused = of_inputs.next().unwrap_or_default();
        of_inputs.for_each(|other| unused.retain(|name| other.contains(name)));
        unused.extend(outputs.map(Outputs::unused).unwrap_or_default());
        // The option is for csv that is read and for csv that is written.
        let places = if self.no_header && outputs.is_some() { 2 } else { 1 };
        let named =
            OPTIONS.iter().find(|(name, _)| unused.contains(name)).map(|(_, option)| *option);
        let option = match unused.iter().filter(|name| **name == "header").count() == places {
            true if self.no_header => Some("--no-header"),
            true => Some("--header"),
            false if unused.contains(&"layout") => Some("--layout"),
            false => named,
        };
        let error = |option| {
            usage(command, &format!("{option} has no effect on these files; leave it out"))
        };
        option.map_or(Ok(()), |option| Err(error(option)))
    }
}
