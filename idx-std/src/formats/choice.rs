use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::str::FromStr;

use super::class_names::ClassNames;
use super::error::ErrorKind;
use crate::random::SplitMix64;

/// Which records of a source to take: by their labels, or at random.
///
/// Random choices never change between versions: they use the generator `SplitMix64`, started with the seed,
/// and the shuffle of Fisher and Yates, from the last position to the first. It first shuffles the records of
/// each class for the part, in the order of the labels; then all of these for the sample; then the sample,
/// and the remaining records, for the order. To choose at random, the records are first written to a temporary
/// file, and each takes about 20 bytes of memory, or 50 with its label.
///
/// ```
/// use idx_std::formats::{Choice, Labels, RecordSource, SourceOptions, open};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.idx");
/// # idx_std::save(&path, &[10, 1], &[0_u8, 1, 2, 3, 4, 5, 6, 7, 8, 9])?;
///
/// let choice = Choice { sample: Some(3), seed: Some(7), ..Choice::default() };
/// let chosen = open(&path, &SourceOptions::default())?.choose(&choice, None)?;
/// assert_eq!(chosen.count(), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Only these classes, by their labels or names; all if there are none.
    pub only: Vec<String>,
    /// Not these classes, by their labels or names.
    pub except: Vec<String>,
    /// The first records of each label, as many as this; fewer are an error.
    pub per_class: Option<u64>,
    /// A random part of each class.
    pub part: Option<Part>,
    /// This many random records, or all if there are fewer.
    pub sample: Option<u64>,
    /// Shuffles the records. Without a seed they keep their order, and the part and the sample are those of the
    /// seed 0.
    pub seed: Option<u64>,
}

/// A part of the whole, from one fraction to another. Parts that meet, such as `..0.8` and `0.8..`, have no
/// record in common, and together they have all. A fraction alone is the part up to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    start: f64,
    end: f64,
}

impl FromStr for Part {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong =
            "write a fraction from 0 to 1, such as 0.8, or a part A..B, such as 0.8.. or 0.8..0.9";
        let (start, end) = match text.split_once("..") {
            Some(part) => part,
            None if text.is_empty() => return Err(wrong),
            None => ("", text),
        };
        let fraction = |text: &str, default| match text {
            "" => Ok(default),
            _ => text.parse::<f64>().map_err(|_| wrong),
        };
        let (start, end) = (fraction(start, 0.0)?, fraction(end, 1.0)?);
        let is_part = 0.0 <= start && start <= end && end <= 1.0;
        is_part.then_some(Self { start, end }).ok_or(wrong)
    }
}

impl Part {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "a fraction of the count; rounding moves both parts that meet alike"
    )]
    fn of(self, count: usize) -> Range<usize> {
        let position = |fraction: f64| ((fraction * count as f64).round() as usize).min(count);
        position(self.start)..position(self.end)
    }
}

impl Choice {
    /// Whether the choice needs labels.
    #[must_use]
    pub fn needs_labels(&self) -> bool {
        self.per_class.is_some() || !self.only.is_empty() || !self.except.is_empty()
    }

    /// Whether all records must be known before the first can be chosen.
    pub(super) fn is_random(&self) -> bool {
        self.part.is_some() || self.sample.is_some() || self.seed.is_some()
    }

    /// The labels of these classes.
    pub(super) fn labels(
        classes: &[String],
        names: Option<&ClassNames>,
    ) -> Result<BTreeSet<i128>, ErrorKind> {
        let label = |class: &String| {
            let named = names.and_then(|names| names.label(class));
            named.or_else(|| class.parse().ok()).ok_or_else(|| {
                let known = names.map(|names| {
                    let names: Vec<&str> = names.iter().map(|(_, name)| name).take(20).collect();
                    format!("; some are {}", names.join(", "))
                });
                ErrorKind::mismatch(format!(
                    "`{class}` is not the label or name of a class{}; give one of the set, or the file of \
                     names",
                    known.unwrap_or_default()
                ))
            })
        };
        classes.iter().map(label).collect()
    }

    /// The positions of the chosen records in their new order, and those of the rest, of `count` records with
    /// these labels, or without any.
    pub(super) fn positions(&self, count: usize, labels: &[Option<i128>]) -> [Vec<usize>; 2] {
        let mut generator = SplitMix64(self.seed.unwrap_or_default());
        let mut positions: Vec<usize> = (0..count).collect();
        if let Some(part) = self.part {
            let mut classes: BTreeMap<Option<i128>, Vec<usize>> = BTreeMap::new();
            for position in 0..count {
                let label = labels.get(position).copied().flatten();
                classes.entry(label).or_default().push(position);
            }
            positions.clear();
            for mut class in classes.into_values() {
                generator.shuffle(&mut class);
                positions.extend(class.get(part.of(class.len())).unwrap_or_default());
            }
            positions.sort_unstable();
        }
        if let Some(sample) = self.sample {
            generator.shuffle(&mut positions);
            positions.truncate(usize::try_from(sample).unwrap_or(usize::MAX));
            positions.sort_unstable();
        }
        // Still in the order of the records.
        let mut is_chosen = vec![false; count];
        for position in &positions {
            if let Some(chosen) = is_chosen.get_mut(*position) {
                *chosen = true;
            }
        }
        let all = is_chosen.iter().enumerate();
        let mut rest: Vec<usize> =
            all.filter_map(|(position, chosen)| (!chosen).then_some(position)).collect();
        if self.seed.is_some() {
            generator.shuffle(&mut positions);
            generator.shuffle(&mut rest);
        }
        [positions, rest]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels() -> Vec<Option<i128>> {
        (0..10).map(|number| Some(number % 2)).collect()
    }

    /// These orders must stay the same in every version. Another program computed them too, from the
    /// description of `Choice`.
    #[test]
    fn the_same_seed_chooses_the_same_records() {
        let mut choice = Choice { seed: Some(7), ..Choice::default() };
        let positions = |choice: &Choice| {
            let [chosen, _] = choice.positions(10, &labels());
            chosen
        };
        assert_eq!(positions(&choice), [9, 5, 8, 6, 1, 2, 4, 7, 0, 3]);
        choice.sample = Some(4);
        assert_eq!(positions(&choice), [8, 9, 5, 6]);
        choice.seed = None;
        assert_eq!(positions(&choice), [2, 4, 5, 9]);
        choice.sample = None;
        choice.part = Some("..0.4".parse().unwrap());
        assert_eq!(choice.positions(10, &labels()), [vec![4, 5, 6, 7], vec![0, 1, 2, 3, 8, 9]]);
    }

    #[test]
    fn parts_are_stratified_and_together_everything() {
        let positions = |part: &str| {
            let part = Some(part.parse().unwrap());
            let labels: Vec<_> = (0..1000).map(|number| Some(number % 7)).collect();
            let choice = Choice { part, ..Choice::default() };
            let [chosen, _] = choice.positions(labels.len(), &labels);
            chosen
        };
        let parts = ["..0.8", "0.8..0.9", "0.9.."].map(positions);
        for part in &parts {
            let of_class = |class| part.iter().filter(|&&position| position % 7 == class).count();
            let counts: Vec<usize> = (0..7).map(of_class).collect();
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{counts:?}");
        }
        let mut all = parts.concat();
        all.sort_unstable();
        assert_eq!(all, (0..1000).collect::<Vec<_>>());
        for wrong in ["", "1.1", "0.9..0.8", "..2", "x..", "-1..", "NaN.."] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
