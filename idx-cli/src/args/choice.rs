use clap::Args;
use idx_std::formats::{Choice, Part};

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
    pub(crate) fn choice(&self) -> Choice {
        Choice {
            only: self.only.clone(),
            except: self.except.clone(),
            per_class: self.per_class,
            part: self.split,
            sample: self.sample,
            seed: self.shuffle,
        }
    }
}
