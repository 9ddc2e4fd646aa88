//! Refuses options that have no effect on the files of a job.

use idx_data::{Outputs, Reading, Set, Source};

use crate::args::{LabelArguments, Opening, ReadingArguments, usage};
use crate::term::failure::Failure;

/// Returns the option of the command for an option of the library.
fn option(name: &str, no_header: bool) -> String {
    let name = match name {
        "header" if no_header => "no_header",
        "labels_in_names" => "labels",
        "label_type" => "labels_as",
        "color" => "channels",
        name => name,
    };
    format!("--{}", name.replace('_', "-"))
}

impl Opening {
    /// Returns the options that have no effect on inputs with this reading.
    fn unused(&self, reading: &Reading) -> Vec<&'static str> {
        let mut unused = self.records.unused(reading);
        // The option for the header is the same for both.
        let of_labels = self.labels.unused(reading).into_iter();
        unused.extend(of_labels.filter(|name| ["label_column", "skip"].contains(name)));
        unused
    }

    /// Gives the names of `--classes` also to sets whose labels come from another file. The inputs were opened with
    /// these names.
    pub(crate) fn name_classes(
        &self,
        command: &str,
        labels: &LabelArguments,
        set: Set,
    ) -> Result<Set, Failure> {
        let Some(names) = &self.names else { return Ok(set) };
        if set.parts().all(|(_, source)| !source.facts().has_labels) {
            let text = "--classes has no effect on these files, which have no labels";
            return Err(usage(command, text));
        }
        // If a set without such a file has names, the list gave them, such as `cat` for `n01 cat`.
        let is_named = |source: &Source| match &source.facts().classes {
            Some(classes) => labels.files().is_empty() || classes == names,
            None => false,
        };
        Ok(set.map(|source| match is_named(&source) {
            true => Ok(source),
            false => Ok(source.with_classes(names.clone())),
        })?)
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
        if let Some(outputs) = outputs {
            let of_outputs = outputs.unused();
            // `--no-header` applies both to csv that is read and to csv that is written; one of them is enough.
            let affects_one = unused.contains(&"header") != of_outputs.contains(&"header");
            unused.extend(of_outputs);
            if self.no_header && affects_one {
                unused.retain(|name| *name != "header");
            }
        }
        // A type has an effect on records of any format.
        match unused.into_iter().find(|name| *name != "element_type") {
            Some(name) => {
                let option = option(name, self.no_header);
                let advice = match name {
                    "label_column" => {
                        "leave it out, or convert an array with such a column to csv first"
                    }
                    _ => "leave it out",
                };
                let text = format!("{option} has no effect on these files; {advice}");
                Err(usage(command, &text))
            }
            None => Ok(()),
        }
    }
}
