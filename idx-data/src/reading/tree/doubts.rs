//! What the names of folders leave in doubt: each is asked about.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::ReadingOption;
use crate::names::Part;
use crate::reading::question::Question;
use crate::reading::skip::skip;
use crate::reading::spelling::shown;
use crate::reading::tree::{Branch, MOST_LISTED, Tree, label_column};
use crate::reading::words::{
    is_beside_pictures, is_record_folder, listed, part_in_folder, part_of_folder,
};

impl<'a> Tree<'a> {
    /// Checks that no level has some parts beside other folders (P6): two parts, or one with the classes below.
    pub(super) fn expect_all_parts(&self, varied: &[usize]) -> Result<(), Question> {
        for level in varied {
            self.expect_only_parts(*level)?;
            let mut groups: BTreeMap<Vec<String>, Vec<(Part, &str)>> = BTreeMap::new();
            for name in self.names(*level) {
                if let Some((part, rest)) = part_of_folder(name) {
                    groups.entry(rest).or_default().push((part, name));
                }
            }
            let is_below = |name: &str| {
                let of_name =
                    |branch: &&&Branch| branch.folders.get(*level).is_some_and(|own| own == name);
                let below = self
                    .branches
                    .iter()
                    .filter(of_name)
                    .filter_map(|branch| branch.folders.get(level + 1));
                below.collect::<BTreeSet<_>>().len() > 1
            };
            let is_varied = varied.iter().any(|other| other > level);
            let are_parts = |rest: &[String], parts: &[(Part, &str)]| {
                let has_two = parts
                    .iter()
                    .any(|(part, _)| Some(part) != parts.first().map(|(first, _)| first));
                let has_classes = || {
                    rest.is_empty() && (is_varied || parts.iter().any(|(_, name)| is_below(name)))
                };
                has_two || has_classes()
            };
            let Some(parts) = groups
                .into_iter()
                .find_map(|(rest, parts)| are_parts(&rest, &parts).then_some(parts))
            else {
                continue;
            };
            let others: Vec<&str> = self
                .names(*level)
                .filter(|name| parts.iter().all(|(_, part)| part != name))
                .collect();
            if let (Some((_, part)), Some(other)) = (parts.first(), others.first()) {
                let question = Question::new(format!(
                    "the folder {} is a part of a data set, and {} beside it is none",
                    shown(part),
                    shown(other)
                ));
                return Err(question
                    .or(skip(&others), "if it does not belong to the set")
                    .or(label_column(*level), "if all of them are classes"));
            }
        }
        Ok(())
    }

    /// Checks that the folders of a level are not parts and classes in one, such as trainA, trainB, testA and testB.
    pub(super) fn expect_only_parts(&self, level: usize) -> Result<(), Question> {
        let mut parts: BTreeMap<Vec<String>, BTreeSet<Part>> = BTreeMap::new();
        for name in self.names(level) {
            let Some((part, rest)) = part_in_folder(name) else {
                return Ok(());
            };
            parts.entry(rest).or_default().insert(part);
        }
        match parts.len() > 1 && parts.values().any(|parts| parts.len() > 1) {
            true => Err(Question::new(format!(
                "the folders {} name parts and more; move them into a folder for each part",
                listed(self.names(level), MOST_LISTED)
            ))
            .or(label_column(level), "if they are the classes")),
            false => Ok(()),
        }
    }

    /// Checks that no class has other names in other parts or inputs: numbers for words, or capitals.
    pub(super) fn expect_same_names(&self, level: usize) -> Result<(), Question> {
        let parts = self.parts()?;
        let mut names: BTreeMap<(usize, Part), BTreeSet<&str>> = BTreeMap::new();
        for (branch, part) in self.branches.iter().zip(parts) {
            let name = branch.folders.get(level).map(String::as_str);
            names.entry((branch.input, part)).or_default().extend(name);
        }
        let are_numbers =
            |names: &&BTreeSet<&str>| names.iter().all(|name| name.parse::<i128>().is_ok());
        let are_words =
            |names: &&BTreeSet<&str>| !names.iter().any(|name| name.parse::<i128>().is_ok());
        let first = |names: Option<&BTreeSet<&'a str>>| Some(shown(names?.first()?));
        let question = if let (Some(number), Some(word)) =
            (first(names.values().find(are_numbers)), first(names.values().find(are_words)))
        {
            Question::new(format!(
                "the classes of one input or part are numbers, such as {number}, and those of another are names, such as {word}"
            ))
        } else if let Some((one, other)) = other_capitals(names.values()) {
            Question::new(format!(
                "the classes {} and {} are never in one part, and differ by capitals alone; rename one of them",
                shown(one),
                shown(other)
            ))
        } else {
            return Ok(());
        };
        Err(question.or(label_column(level), "if they are different classes"))
    }

    /// Checks that the folders of this level may be classes (P7).
    pub(super) fn expect_classes(&self, level: usize) -> Result<(), Question> {
        match self.names(level).find(|name| is_beside_pictures(name)) {
            Some(odd) => {
                let mut question =
                    Question::new(format!("the folder {} may be no class", shown(odd)));
                // To keep one of two folders is to leave the other out.
                if let (Some(first), Some(second), 2) = {
                    let mut names = self.names(level);
                    (names.next(), names.next(), self.levels.get(level).map_or(0, BTreeSet::len))
                } {
                    question = question.or(skip([second]), format!("for {} alone", shown(first)));
                    question = question.or(skip([first]), format!("for {} alone", shown(second)));
                } else {
                    question = question.or(skip([odd]), "if it is left out");
                }
                Err(question.or(label_column(level), "if it is one"))
            }
            None => self.expect_no_copy(level),
        }
    }

    /// Checks that no class has folders of the names of the other classes in it, as an archive has that was unpacked
    /// twice.
    pub(super) fn expect_no_copy(&self, level: usize) -> Result<(), Question> {
        let names: BTreeSet<&str> = self.names(level).collect();
        for branch in &self.branches {
            let Some((class, below)) =
                branch.folders.get(level..).and_then(<[String]>::split_first)
            else {
                continue;
            };
            if let Some(copy) =
                below.iter().find(|name| *name != class && names.contains(name.as_str()))
            {
                return Err(Question::new(format!(
                    "the folder {} has a folder {} in it, as it has one beside it",
                    shown(class),
                    shown(copy)
                ))
                .or(skip([class]), "if it is a copy")
                .or(label_column(level), "if it is a class"));
            }
        }
        Ok(())
    }

    /// Checks that pictures without classes are in one folder of each part, whose name says no class (P2 and P9).
    pub(super) fn expect_flat(&self) -> Result<(), Question> {
        let last = self.levels.len().checked_sub(1);
        if let Some((last, name)) = last.and_then(|last| Some((last, self.names(last).next()?)))
            && self.is_part.get(last) == Some(&false)
            && !is_record_folder(name)
        {
            let question = format!("all pictures are in the folder {}", shown(name));
            return Err(Question::new(question)
                .or(label_column(last), "if it is their class")
                .or(ReadingOption::NoLabels, "if they have none"));
        }
        if !self.is_uneven {
            return Ok(());
        }
        let deeper = self.branches.iter().find(|branch| branch.folders.len() > self.levels.len());
        let folder = deeper.and_then(|branch| branch.folders.get(self.levels.len()));
        let folder = folder.map(String::as_str).unwrap_or_default();
        let question = format!("there are pictures beside the folder {}", shown(folder));
        Err(Question::new(question)
            .or(skip([folder]), "if they are the records")
            .or(ReadingOption::NoLabels, "if all are, and have no labels"))
    }
}

/// Returns two names of different groups that differ by capitals alone, and are never in one group together.
fn other_capitals<'a, 'b: 'a>(
    groups: impl Iterator<Item = &'a BTreeSet<&'b str>> + Clone,
) -> Option<(&'b str, &'b str)> {
    let mut spellings: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for name in groups.clone().flatten() {
        spellings.entry(name.to_lowercase()).or_default().insert(name);
    }
    spellings.into_values().find_map(|names| {
        let (one, other) = (names.first().copied()?, names.last().copied()?);
        let are_apart = groups
            .clone()
            .all(|group| names.iter().filter(|name| group.contains(*name)).count() < 2);
        (one != other && are_apart).then_some((one, other))
    })
}
