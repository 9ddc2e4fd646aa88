use clap::Args;
use idx_data::{Chance, ClassNames, Part, Source};

use crate::term::failure::Failure;

/// Which records are taken.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Choosing (in this order)")]
pub(crate) struct ChoiceArguments {
    /// Only these classes, labels or names, separated by commas
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    only: Vec<String>,

    /// Not these classes
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    except: Vec<String>,

    /// Only the first N records of each label
    #[arg(long, value_name = "N")]
    per_class: Option<u64>,

    /// A random part of each class: 0.8 for training, and the other fifth into --rest; or A..B of several
    #[arg(long, value_name = "PART")]
    split: Option<Part>,

    /// N random records, or all if there are fewer
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// Shuffle; a seed gives the same order in every version, also for --split and --sample [default: 0]
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
}

impl ChoiceArguments {
    /// Whether records are chosen by their labels.
    pub(crate) fn needs_labels(&self) -> bool {
        self.per_class.is_some() || !self.only.is_empty() || !self.except.is_empty()
    }

    /// Whether chance leaves records for another output.
    pub(crate) fn leaves_rest(&self) -> bool {
        self.split.is_some() || self.sample.is_some()
    }

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

    pub(crate) fn chance(&self) -> Chance {
        Chance { part: self.split, sample: self.sample, seed: self.shuffle }
    }
}
