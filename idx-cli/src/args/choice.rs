use clap::Args;
use idx_data::{Chance, ClassNames, Part, Source};

use crate::term::failure::Failure;

/// The classes whose records are taken.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClassArguments {
    /// Only these classes, such as 3,7 or cat,dog
    ///
    /// Labels or names, separated by commas.
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    pub(super) only: Vec<String>,

    /// Not these classes
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    pub(super) except: Vec<String>,

    /// The first N records of each class
    #[arg(long, value_name = "N")]
    pub(super) per_class: Option<u64>,
}

/// Which records are taken.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Choosing (in this order, after --records)")]
pub(crate) struct ChoiceArguments {
    #[command(flatten)]
    pub(crate) classes: ClassArguments,

    /// A random part of each class, such as 80%
    ///
    /// A stratified part: 80%, 0.8, or A..B to cut several parts: 0.8..0.9 is the tenth after ..0.8. --rest gets the
    /// others.
    #[arg(long, value_name = "PART", value_parser = part)]
    split: Option<Part>,

    /// N random records, or all if there are fewer
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Shuffle the records
    ///
    /// A seed gives the same order in every version, also for --split and --sample. [default: 0]
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "0")]
    shuffle: Option<u64>,
}

/// A fraction, or a percentage of whole or decimal numbers.
fn part(text: &str) -> Result<Part, String> {
    let fraction = match text.strip_suffix('%').map(str::parse::<f64>) {
        Some(Ok(percent)) => (percent / 100.0).to_string(),
        _ => text.to_string(),
    };
    fraction.parse().map_err(|text: &str| format!("{text}; the others go to --rest"))
}

impl ClassArguments {
    /// The records of the chosen classes.
    pub(crate) fn of_classes(
        &self,
        mut source: Source,
        names: Option<&ClassNames>,
    ) -> Result<Source, Failure> {
        if !self.only.is_empty() {
            source = source.only(&self.only, names)?;
        }
        if !self.except.is_empty() {
            source = source.except(&self.except, names)?;
        }
        Ok(match self.per_class {
            Some(count) => source.per_class(count)?,
            None => source,
        })
    }
}

impl ChoiceArguments {
    /// Whether chance leaves records for another output.
    pub(crate) fn leaves_rest(&self) -> bool {
        self.split.is_some() || self.sample.is_some()
    }

    pub(crate) fn chance(&self) -> Chance {
        Chance { part: self.split, sample: self.sample, seed: self.shuffle }
    }
}
