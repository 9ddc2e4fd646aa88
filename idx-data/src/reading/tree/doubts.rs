//! The questions about what the names of folders leave open.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;

use crate::answer::ReadingOption;
use crate::gather::Gather;
use crate::names::Part;
use crate::reading::classes::other_names;
use crate::reading::question::Question;
use crate::reading::skip::skip;
use crate::reading::spelling::shown;
use crate::reading::tree::{Branch, Tree, label_column, path_of};
use crate::reading::words::{
    MOST_LISTED, are_pieces, is_beside_pictures, is_part, is_record_folder, listed, original,
    part_in_folder,
};

impl<'a> Tree<'a> {
    /// Checks that no level has some parts next to other folders.
    pub(super) fn expect_all_parts(&self, varied: &[usize]) -> Result<(), Question> {
        for level in varied.iter().filter(|level| self.named != Some(**level)) {
            let parts = self.parts_at(*level);
            let others: Vec<&str> = self
                .names(*level)
                .filter(|name| !parts.iter().any(|(_, part)| part == name))
                .collect();
            let (Some((_, name)), Some(other)) = (parts.first(), others.first()) else {
                continue;
            };
            let (name, other) = (shown(name), shown(other));
            let of_parts: Vec<&str> = parts.iter().map(|(_, name)| *name).collect();
            let of_parts = self.inputs_of(*level, &of_parts);
            if of_parts.is_disjoint(&self.inputs_of(*level, &others)) {
                return Err(Question::new(format!(
                    "one input has the part {name}, and another the folder {other}, which is not a part; give only one \
                     part of the first"
                )));
            }
            let skipped = others.iter().flat_map(|other| self.paths(*level, other));
            let question = Question::new(format!(
                "the folder {name} is a part of a data set, but {other} next to it may not belong to the set; move all \
                 files of a part into one folder"
            ))
            .or_skip(skip(skipped), "if it does not belong to the set");
            // They may be classes, next to pictures to test with.
            let question = match (&parts[..], others.len()) {
                ([(_, part)], 2..) => {
                    let others = listed(others.iter().copied(), MOST_LISTED);
                    question.or(skip(self.paths(*level, part)), format!("to read only {others}"))
                }
                _ => question,
            };
            return Err(question.or(label_column(*level), "if all of them are classes"));
        }
        Ok(())
    }

    /// Returns the folders of a level that are parts although others are not: those of two different parts, those with
    /// classes below, or `test`. `train` may be a class.
    fn parts_at(&self, level: usize) -> Vec<(Part, &'a str)> {
        let mut groups: BTreeMap<Vec<String>, Vec<(Part, &str)>> = BTreeMap::new();
        for name in self.names(level) {
            if let Some((part, rest)) = part_in_folder(name) {
                groups.entry(rest).or_default().push((part, name));
            }
        }
        let has_classes = |name: &str| {
            let of_name = self.branches.iter().filter(|branch| is_at(branch, level, &[name]));
            let below = of_name.filter_map(|branch| branch.folders.get(level + 1));
            let below: BTreeSet<&str> = below.map(String::as_str).gather();
            below.len() > 1
        };
        // Such as plants/train, next to test.
        let mut deeper =
            self.branches.iter().flat_map(|branch| branch.folders.iter().skip(level + 1));
        let is_test_a_part = !deeper.any(|name| is_part(name));
        let are_parts = |rest: &[String], parts: &[(Part, &str)]| {
            let different: BTreeSet<Part> = parts.iter().map(|(part, _)| *part).gather();
            let are_several = different.len() > 1;
            if !rest.is_empty() {
                return are_several && different.contains(&Part::Train);
            }
            are_several
                || is_test_a_part && different.contains(&Part::Test)
                || parts.iter().any(|(_, name)| has_classes(name))
        };
        let found = groups.into_iter().find(|(rest, parts)| are_parts(rest, parts));
        found.map(|(_, parts)| parts).unwrap_or_default()
    }

    /// Returns the inputs that have folders of these names at a level.
    fn inputs_of(&self, level: usize, names: &[&str]) -> BTreeSet<usize> {
        let branches = self.branches.iter().filter(|branch| is_at(branch, level, names));
        branches.map(|branch| branch.input).gather()
    }

    /// Checks that no class has other names in other parts or inputs: numbers for words, or another spelling.
    pub(super) fn expect_same_names(&self, level: usize) -> Result<(), Question> {
        let parts = self.parts()?;
        let mut names: BTreeMap<(usize, Part), BTreeSet<&str>> = BTreeMap::new();
        for (branch, part) in self.branches.iter().zip(parts) {
            let name = branch.folders.get(level).map(String::as_str);
            names.entry((branch.input, part)).or_default().extend(name);
        }
        match other_names(&names) {
            Some(question) => {
                Err(question.or(label_column(level), "if they are different classes"))
            }
            None => self.expect_common_names(level, &names),
        }
    }

    /// Checks that no part has all of its pictures in one folder that no other part has, such as test/other.
    fn expect_common_names(
        &self,
        level: usize,
        names: &BTreeMap<(usize, Part), BTreeSet<&'a str>>,
    ) -> Result<(), Question> {
        for ((input, part), own) in names {
            let others = || names.iter().filter(|((of, other), _)| of == input && other != part);
            let is_elsewhere = |name: &str| others().any(|(_, names)| names.contains(name));
            let only = own.first().filter(|only| own.len() == 1 && !is_elsewhere(only));
            let have_classes = others().any(|(_, names)| names.len() > 1);
            let Some(only) = only.filter(|_| have_classes) else {
                continue;
            };
            let of = self.branches.iter().find(|branch| is_at(branch, level, &[only]));
            let mut folders = of.into_iter().flat_map(|branch| &branch.folders);
            let folder = folders.find(|folder| is_part(folder)).map_or(*only, String::as_str);
            let (part, only) = (part.name(), shown(only));
            return Err(Question::new(format!(
                "all pictures of {part} are in the folder {only}, which no other part has; move them out of it if they \
                 have no labels"
            ))
            .or(label_column(level), "if it is a class")
            .or(skip([folder]), "to leave them out"));
        }
        Ok(())
    }

    /// Checks that the folders of this level, one of those that vary, may be classes.
    pub(super) fn expect_classes(&self, level: usize, varied: &[usize]) -> Result<(), Question> {
        let names: Vec<&str> = self.names(level).collect();
        let are_pieces = are_pieces(&names);
        let mut odd = names.iter().filter(|name| are_pieces || is_beside_pictures(name));
        let Some(odd) = odd.next() else {
            self.expect_no_copy(level)?;
            self.expect_no_masks_below(level)?;
            return self.expect_no_classes_below(level);
        };
        let question = Question::new(format!("the folder {} may not be a class", shown(odd)));
        let are_records = are_pieces || names.iter().all(|name| is_record_folder(name));
        let others = varied.iter().copied().filter(|other| are_records && *other != level);
        let question = self.choose_level(question, others);
        let question = match are_records && varied.len() == 1 {
            true => question.or(ReadingOption::NoLabels, "if there are none"),
            false => {
                let others = names.iter().filter(|name| *name != odd);
                let others = others.flat_map(|name| self.paths(level, name));
                let question = match is_record_folder(odd) {
                    true => question.or_skip(skip(others), format!("to read only {}", shown(odd))),
                    false => question,
                };
                question.or(skip(self.paths(level, odd)), "if it is left out")
            }
        };
        Err(question.or(label_column(level), "if it is one"))
    }

    /// Returns the folders of this name at a level: by name, or by path if the name means others as well.
    fn paths(&self, level: usize, name: &str) -> BTreeSet<String> {
        let has = |branch: &Branch| branch.folders.iter().any(|folder| folder == name);
        if self.branches.iter().all(|branch| is_at(branch, level, &[name]) || !has(branch)) {
            return BTreeSet::from([name.to_string()]);
        }
        let at = self.branches.iter().filter(|branch| is_at(branch, level, &[name]));
        at.map(|branch| path_of(branch, level)).collect()
    }

    /// Checks that no picture lies next to one that belongs to it and is not a record: `1_mask.png` next to `1.png`, or
    /// `1_any.png` or `1.jpg` if each picture of a folder has one.
    pub(super) fn expect_no_masks(&self, level: Option<&usize>) -> Result<(), Question> {
        let option = || level.map_or(ReadingOption::NoLabels, |level| label_column(*level));
        for branch in &self.branches {
            if let Some([first, second]) = pair_in(&branch.pictures) {
                let question = format!(
                    "each picture has another of the same name next to it (*.{first} and *.{second})"
                );
                let only = |extension: &str| format!("to read only *.{extension}");
                return Err(Question::new(question)
                    .or(skip([format!("*.{second}")]), only(&first))
                    .or(skip([format!("*.{first}")]), only(&second))
                    .or(option(), "if all are records"));
            }
            if let Some((stem, mask)) = mask_in(&branch.pictures) {
                let question =
                    format!("{}{mask} may belong to {} next to it", shown(stem), shown(stem));
                return Err(Question::new(question)
                    .or(skip([format!("*{mask}*")]), "if it is left out")
                    .or(option(), "if it is a record"));
            }
        }
        Ok(())
    }

    /// Checks that no class has masks or thumbnails in it, in a folder of their own.
    fn expect_no_masks_below(&self, level: usize) -> Result<(), Question> {
        let is_odd = |name: &&String| is_beside_pictures(name) && !is_record_folder(name);
        for branch in &self.branches {
            let mut below = branch.folders.iter().skip(self.levels.len());
            if let Some(odd) = below.find(is_odd) {
                let class = branch.folders.get(level).map_or("", String::as_str);
                let question = format!(
                    "the pictures in the folder {} may not be of {}",
                    shown(odd),
                    shown(class)
                );
                return Err(Question::new(question)
                    .or(skip([odd]), "if they are left out")
                    .or(label_column(level), "if they are"));
            }
        }
        Ok(())
    }

    /// Checks that no class has parts in it, or only several folders, while another one has pictures of its own.
    fn expect_no_classes_below(&self, level: usize) -> Result<(), Question> {
        let depth = self.levels.len();
        let mut below: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let (mut with, mut flat) = (BTreeSet::new(), BTreeSet::new());
        for branch in &self.branches {
            let Some(class) = branch.folders.get(level).map(String::as_str) else {
                continue;
            };
            match branch.folders.get(depth..) {
                Some([first, ..]) => below.entry(class).or_default().insert(first),
                _ => flat.insert(class),
            };
            if branch.folders.iter().skip(depth).any(|name| is_part(name)) {
                with.insert(class);
            }
        }
        let several =
            below.iter().filter(|(class, names)| names.len() > 1 && !flat.contains(*class));
        with.extend(several.map(|(class, _)| *class));
        let others: Vec<&str> = flat.into_iter().filter(|class| !with.contains(class)).collect();
        let (Some(with), Some(other)) = (with.first(), others.first()) else {
            return Ok(());
        };
        let names = below.get(with).into_iter().flatten().copied();
        Err(Question::new(format!(
            "the folder {} has folders in it ({}), and {} next to it has pictures of its own",
            shown(with),
            listed(names, 2),
            shown(other)
        ))
        .or_skip(skip(&others), "if it does not belong to the set")
        .or(label_column(level), "if all of them are classes"))
    }

    /// Checks that no class has the name of a copy of another one, or has folders in it that are named like other
    /// classes, as after unpacking an archive twice.
    fn expect_no_copy(&self, level: usize) -> Result<(), Question> {
        let names: BTreeSet<&str> = self.names(level).gather();
        let mut copies = names.iter().filter_map(|name| Some((*name, original(name)?)));
        if let Some((copy, of)) = copies.find(|(_, of)| names.contains(of)) {
            let [of, shown_copy] = [of, copy].map(shown);
            return Err(Question::new(format!(
                "the folder {shown_copy} may be a copy of {of}; move its pictures there if they are other ones"
            ))
            .or(skip([copy]), "to leave it out")
            .or(label_column(level), "if it is a class"));
        }
        for branch in &self.branches {
            let Some((class, below)) =
                branch.folders.get(level..).and_then(<[String]>::split_first)
            else {
                continue;
            };
            // An archive may have been unpacked into a folder of its name, and next to it.
            let above = branch.folders.get(..=level).unwrap_or_default();
            if below.first() == Some(class) && self.branches.iter().any(|one| one.folders == above)
            {
                let class = shown(class);
                return Err(Question::new(format!(
                    "the folder {class} has pictures in it, and a folder {class} with others"
                ))
                .or(skip([path_of(branch, level + 1)]), "if they are copies")
                .or(label_column(level), format!("if all are of {class}")));
            }
            if let Some(copy) =
                below.iter().find(|name| *name != class && names.contains(name.as_str()))
            {
                return Err(Question::new(format!(
                    "the folder {} has a folder {} in it, and one next to it",
                    shown(class),
                    shown(copy)
                ))
                .or(skip(self.paths(level, class)), "if it is a copy")
                .or(label_column(level), "if it is a class"));
            }
        }
        Ok(())
    }

    /// Checks that pictures without classes are in one folder of each part, and that its name says no class.
    pub(super) fn expect_flat(&self) -> Result<(), Question> {
        let last = self.levels.len().checked_sub(1);
        if let Some((last, name)) = last.and_then(|last| Some((last, self.names(last).next()?)))
            && !self.are_parts(last)
            && !is_record_folder(name)
        {
            let question = format!("all pictures are in the folder {}", shown(name));
            return Err(Question::new(question)
                .or(label_column(last), "if it is their class")
                .or(ReadingOption::NoLabels, "if they have none"));
        }
        self.expect_one_depth()
    }

    /// Checks that no pictures are next to folders with pictures.
    fn expect_one_depth(&self) -> Result<(), Question> {
        let depth = self.levels.len();
        let (flat, deep): (Vec<&Branch>, Vec<&Branch>) =
            self.branches.iter().partition(|branch| branch.folders.len() == depth);
        let below = |flat: &Branch| -> BTreeSet<String> {
            let below = deep.iter().filter(|one| one.folders.starts_with(&flat.folders));
            below.filter_map(|branch| Some(branch.folders.get(..=depth)?.join("/"))).gather()
        };
        let flat: Vec<&Branch> = flat.into_iter().filter(|flat| !below(flat).is_empty()).collect();
        let Some(folders) = flat.first().map(|flat| below(flat)) else {
            return Ok(());
        };
        let first = folders.first().map_or("", String::as_str);
        let has_both = |flat: &&Branch| deep.iter().any(|one| one.input == flat.input);
        if !flat.iter().any(has_both) {
            let question = Question::new(format!(
                "one input has only pictures, and another has them in the folder {}; convert each on its own",
                shown(first)
            ));
            return Err(question.or(ReadingOption::NoLabels, "if all have no labels"));
        }
        let question = format!("there are pictures next to the folder {}", shown(first));
        Err(Question::new(question)
            .or_skip(skip(&folders), "if they are the records")
            .or(skip(strays(&flat)), "if they are not")
            .or(ReadingOption::NoLabels, "if all are, and have no labels"))
    }
}

/// Returns two extensions of the pictures in a folder if each name occurs with several.
fn pair_in(pictures: &[PathBuf]) -> Option<[String; 2]> {
    let extensions: BTreeSet<&OsStr> = pictures.iter().filter_map(|path| path.extension()).gather();
    let mut extensions =
        extensions.into_iter().map(|extension| extension.to_string_lossy().into_owned());
    let (first, second) = (extensions.next()?, extensions.next()?);
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    pictures.iter().for_each(|path| *counts.entry(path.file_stem()).or_default() += 1);
    counts.into_values().all(|count| count > 1).then_some([first, second])
}

/// Returns patterns of paths for the pictures in these folders, one for each extension.
fn strays(folders: &[&Branch]) -> BTreeSet<String> {
    let path = |folder: &Branch, picture: &PathBuf| {
        let folders = folder.folders.iter().map(|name| format!("{name}/")).collect::<String>();
        format!("./{folders}*.{}", picture.extension().unwrap_or_default().to_string_lossy())
    };
    let all = folders.iter().flat_map(|folder| folder.pictures.iter().map(|one| path(folder, one)));
    all.gather()
}

/// Returns the name of a picture, and what follows it in the name of a picture that belongs to it: a word for such
/// pictures, or the same text for each of several.
fn mask_in<'a>(pictures: &'a [PathBuf]) -> Option<(&'a str, &'a str)> {
    let all: BTreeSet<&'a str> =
        pictures.iter().filter_map(|path| path.file_stem()?.to_str()).gather();
    // Numbers only count pictures.
    let splits = |stem: &&'a str| {
        let stem: &'a str = stem;
        let splits = stem.match_indices(|letter: char| !letter.is_alphanumeric());
        let splits = splits.filter_map(|(place, _)| stem.split_at_checked(place));
        let is_split = |(of, more): &(&'a str, &'a str)| {
            more.contains(char::is_alphabetic) && all.contains(of)
        };
        splits.filter(is_split).collect::<Vec<_>>()
    };
    let mut counts: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for (of, more) in all.iter().flat_map(splits) {
        counts.entry(more).or_insert((0, of)).0 += 1;
    }
    let others = all.iter().filter(|stem| splits(stem).is_empty()).count();
    let is_word =
        |more: &str| is_beside_pictures(more.trim_matches(|one: char| !one.is_alphanumeric()));
    let is_mask = |(more, (count, _)): &(&str, (usize, &str))| {
        is_word(more) || *count > 1 && *count == others
    };
    // `_mask` comes before `_mask_1`.
    let (more, (_, of)) = counts.into_iter().find(is_mask)?;
    Some((of, more))
}

/// Returns whether the folder of a branch at a level has one of these names.
fn is_at(branch: &Branch, level: usize, names: &[&str]) -> bool {
    branch.folders.get(level).is_some_and(|own| names.contains(&own.as_str()))
}
