//! The options that choose records, by class or at random.

use std::ops::Range;

use clap::Args;
use idx_data::{Chance, Error, Source};

use crate::args::values::whole;

/// The classes whose records are taken.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ClassArguments {
    /// Only these classes, such as 3,7 or cat,dog
    ///
    /// Classes are labels or names, with commas between them.
    #[arg(long, value_name = "CLASSES", value_delimiter = ',', conflicts_with = "no_labels")]
    #[arg(allow_negative_numbers = true)]
    only: Vec<String>,

    /// All classes except these
    #[arg(long, value_name = "CLASSES", value_delimiter = ',', conflicts_with = "no_labels")]
    #[arg(allow_negative_numbers = true)]
    except: Vec<String>,

    /// The first N records of each class
    #[arg(long, value_name = "N", value_parser = whole, conflicts_with = "no_labels")]
    pub(crate) per_class: Option<u64>,
}

/// The records that are taken.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Choosing (in this order, after --records and before -n)")]
pub(crate) struct ChoiceArguments {
    #[command(flatten)]
    pub(crate) classes: ClassArguments,

    /// A random part of each class, such as 80%
    ///
    /// --rest gets the other records. 0.8..0.9 is the tenth that follows ..0.8.
    #[arg(long, value_name = "PART", value_parser = part)]
    split: Option<Range<f64>>,

    /// N random records, or all if there are fewer
    #[arg(long, value_name = "N", value_parser = count)]
    sample: Option<u64>,

    /// Shuffle the records
    ///
    /// The same seed, 0 by default, gives the same order in every version, also with --split and --sample.
    #[arg(long, value_name = "SEED", num_args = 0..=1, default_missing_value = "0")]
    #[arg(value_parser = whole)]
    shuffle: Option<u64>,
}

fn count(text: &str) -> Result<u64, &'static str> {
    let wrong = "write a number of records, such as 1000; a part of them is `--split 10%`";
    text.parse().map_err(|_| wrong)
}

/// Parses a fraction, a percentage, or a range between two of them.
fn part(text: &str) -> Result<Range<f64>, &'static str> {
    let wrong = "write a fraction from 0 to 1, such as 0.8 or 80%, or a part A..B, such as 0.8.. or 0.8..0.9";
    let fraction = |text: &str, default: f64| {
        let (text, whole) = text.strip_suffix('%').map_or((text, 1.0), |percent| (percent, 100.0));
        match text {
            "" if whole == 1.0 => Ok(default),
            _ => text.parse::<f64>().map(|number| number / whole).map_err(|_| wrong),
        }
    };
    let (start, end) = match text.split_once("..") {
        Some((start, end)) => (fraction(start, 0.0)?, fraction(end, 1.0)?),
        None => (0.0, fraction(text, f64::NAN)?),
    };
    let is_part = 0.0 <= start && start <= end && end <= 1.0;
    is_part.then_some(start..end).ok_or(wrong)
}

impl ClassArguments {
    /// Returns whether classes are chosen.
    pub(crate) fn are_given(&self) -> bool {
        !self.only.is_empty() || !self.except.is_empty() || self.per_class.is_some()
    }

    /// Chooses the records of the given classes.
    pub(crate) fn of_classes(&self, mut source: Source) -> Result<Source, Error> {
        if !self.only.is_empty() {
            source = source.only(&self.only)?;
        }
        if !self.except.is_empty() {
            source = source.except(&self.except)?;
        }
        Ok(match self.per_class {
            Some(count) => source.per_class(count)?,
            None => source,
        })
    }
}

impl ChoiceArguments {
    pub(crate) fn chance(&self) -> Chance {
        Chance { part: self.split.clone(), sample: self.sample, seed: self.shuffle }
    }
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn parts_are_fractions() {
        for (text, expected) in [
            ("0.8", 0.0..0.8),
            ("80%", 0.0..0.8),
            ("..", 0.0..1.0),
            ("0.8..", 0.8..1.0),
            ("0.8..0.9", 0.8..0.9),
            ("50%..80%", 0.5..0.8),
            ("..80%", 0.0..0.8),
            ("0.5..80%", 0.5..0.8),
        ] {
            assert_eq!(part(text), Ok(expected), "{text}");
        }
        for wrong in ["", "1.1", "0.9..0.8", "..2", "x..", "-1..", "NaN..", "101%", "%"] {
            assert!(part(wrong).is_err(), "{wrong}");
        }
    }
}
