//! The part and the class of the pictures in folders. A path is a row, and its folders are the columns, counted from 0
//! below the input; all inputs are understood together.

mod doubts;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::answer::Column;
use crate::answer::ReadingOption;
use crate::gather::Gather;
use crate::names::Part;
use crate::reading::pattern::Pattern;
use crate::reading::question::Question;
use crate::reading::skip::skip;
use crate::reading::spelling::shown;
use crate::reading::words::{
    MOST_LISTED, is_beside_pictures, is_record_folder, is_unlabeled, listed, part_of_folder,
    parts_of_folders,
};
use crate::reading::{Evidence, Said, Subject};

/// A folder with pictures in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Branch {
    /// The input, counted from 0.
    pub(crate) input: usize,
    /// The names of the folders from its input down to it.
    pub(crate) folders: Vec<String>,
    /// Its own pictures.
    pub(crate) pictures: Vec<PathBuf>,
    /// The list in it, or in a folder above, that has their labels.
    pub(crate) list: Option<PathBuf>,
    /// The levels of its folders that a list of classes names, next to them or in a folder above.
    pub(crate) named: Vec<usize>,
}

impl Branch {
    /// Removes the folder at a level that no list names; those below it move up.
    fn remove_level(&mut self, level: usize) {
        self.folders.remove(level);
        self.named.iter_mut().filter(|named| **named > level).for_each(|named| *named -= 1);
    }
}

/// The place of the labels that the options name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LabelsFrom<'a> {
    /// Wherever the rules find them.
    #[default]
    Anywhere,
    /// At this level of the folders.
    Level(&'a Column),
    /// In the names of files, or in another input.
    Elsewhere,
    /// Nowhere: there are no labels.
    Nowhere,
}

/// The part and class that the folder of a picture says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) part: Part,
    pub(crate) class: Option<String>,
}

/// Gives each branch its part and class.
pub(crate) fn understand(
    branches: &[Branch],
    labels: LabelsFrom<'_>,
) -> Result<(Vec<Place>, Said), Question> {
    let tree = Tree::new(branches.iter().collect());
    let parts = tree.parts()?;
    let (branches, wrappers) = tree.without_wrappers(branches, &parts);
    let all: Vec<&Branch> = branches.iter().collect();
    let bare = Tree::new(all.clone()).bare_parts(&parts);
    let labeled = all.into_iter().zip(&parts).filter(|(_, part)| !bare.contains(part));
    let labeled = Tree::new(labeled.map(|(branch, _)| branch).collect());
    let (level, by) = labeled.class_level(labels)?;
    if let (Some(level), Evidence::Content) = (level, by) {
        labeled.expect_same_names(level)?;
    }
    let place = |branch: &Branch, part: Part| {
        let level = level.filter(|_| !bare.contains(&part));
        Place { part, class: level.and_then(|level| branch.folders.get(level)).cloned() }
    };
    let found: Vec<Place> =
        branches.iter().zip(&parts).map(|(branch, part)| place(branch, *part)).collect();
    let mut said = labeled.said(&found, level, by, labels, &wrappers);
    let bare: Vec<&str> = bare.into_iter().map(Part::name).collect();
    if !bare.is_empty() && level.is_some() {
        let text = format!("{} without labels", bare.join(", "));
        said.say(Subject::Labels, Evidence::Content, text);
    }
    Ok((found, said))
}

/// The folders as a table.
struct Tree<'a> {
    branches: Vec<&'a Branch>,
    /// The names at each level that all branches have.
    levels: Vec<BTreeSet<&'a str>>,
    /// The part of each name at each level, if all names of the level say one.
    parts: Vec<BTreeMap<&'a str, Part>>,
    /// The level whose folders are classes because a list names all of them.
    named: Option<usize>,
}

impl<'a> Tree<'a> {
    fn new(branches: Vec<&'a Branch>) -> Self {
        let depths = branches.iter().map(|branch| branch.folders.len());
        let depth = depths.min().unwrap_or_default();
        let mut levels = vec![BTreeSet::new(); depth];
        for branch in &branches {
            for (names, name) in levels.iter_mut().zip(&branch.folders) {
                names.insert(name.as_str());
            }
        }
        let parts = levels.iter().map(|names| parts_of_folders(names).unwrap_or_default());
        let mut parts: Vec<_> = parts.collect();
        let is_named = |level: &usize| branches.iter().all(|one| one.named.contains(level));
        let mut named: Vec<usize> = (0..depth).filter(is_named).collect();
        // A list of classes may name the folders of parts, too.
        if let [_, .., last] = named[..] {
            named.retain(|level| parts.get(*level).is_some_and(BTreeMap::is_empty));
            named.extend(named.is_empty().then_some(last));
        }
        let named = if let [level] = named[..] { Some(level) } else { None };
        if let Some(parts) = named.and_then(|level| parts.get_mut(level)) {
            parts.clear();
        }
        Self { branches, levels, parts, named }
    }

    /// Returns whether the folders of a level are parts.
    fn are_parts(&self, level: usize) -> bool {
        self.parts.get(level).is_some_and(|parts| !parts.is_empty())
    }

    /// Returns the parts without folders of classes where others have them, such as a test part on Kaggle: all pictures
    /// are at the top, or in a folder such as `images`, `unknown` or `test`.
    fn bare_parts(&self, parts: &[Part]) -> BTreeSet<Part> {
        // This folder has all pictures of the part, and no others.
        let is_own = |of: Part, level: usize, name: &String| {
            let mut all = self.branches.iter().zip(parts);
            all.all(|(branch, part)| (*part == of) == (branch.folders.get(level) == Some(name)))
        };
        let says_no_class = |of: Part, level: usize, name: &String| {
            let is_one = self.levels.get(level).is_some_and(|names| names.len() == 1);
            let is_of_part = || part_of_folder(name) == Some(of);
            is_one
                || is_record_folder(name)
                || (is_unlabeled(name) || is_of_part()) && is_own(of, level, name)
        };
        let has_class = |branch: &Branch, part: Part| {
            branch.folders.iter().enumerate().any(|(level, name)| {
                let may_be = branch.named.contains(&level) || !says_no_class(part, level, name);
                may_be && !self.are_parts(level)
            })
        };
        let all = self.branches.iter().zip(parts);
        let labeled = all.filter(|(branch, part)| has_class(branch, **part));
        let labeled: BTreeSet<Part> = labeled.map(|(_, part)| *part).gather();
        if labeled.is_empty() || parts.contains(&Part::None) {
            return BTreeSet::new();
        }
        parts.iter().copied().filter(|part| !labeled.contains(part)).gather()
    }

    /// Finds the part of each branch.
    fn parts(&self) -> Result<Vec<Part>, Question> {
        for parts in &self.parts {
            let mut known: BTreeMap<Part, &str> = BTreeMap::new();
            for (name, part) in parts {
                if let Some(other) = known.insert(*part, name) {
                    return Err(Question::new(format!(
                        "the folders {} and {} are both the part {}",
                        shown(other),
                        shown(name),
                        part.name()
                    ))
                    .or(skip([name]), "if only the other one is meant")
                    .or(skip([other]), "if only this one is meant"));
                }
            }
        }
        self.branches.iter().map(|branch| self.part_of(branch)).collect()
    }

    fn part_of(&self, branch: &Branch) -> Result<Part, Question> {
        let levels = branch.folders.iter().zip(&self.parts).enumerate();
        let mut parts = levels
            .filter_map(|(level, (name, parts))| Some((*parts.get(name.as_str())?, level, name)));
        let Some((part, _, first)) = parts.next() else {
            return Ok(Part::None);
        };
        match parts.find(|(other, ..)| *other != part) {
            Some((_, level, other)) => {
                let [one, two] = [first, other].map(|name| shown(name));
                let question = format!("the folders {one} and {two} in it name two parts");
                let (path, above) = (branch.folders.get(..=level), branch.folders.get(..level));
                let is_in_it =
                    |one: &&Branch| path.is_some_and(|path| one.folders.starts_with(path));
                if self.branches.iter().all(is_in_it) {
                    let above = above.unwrap_or_default().join("/");
                    return Err(Question::new(format!("{question}; give only {}", shown(&above))));
                }
                // The name alone may also be that of a part.
                let option = skip([path_of(branch, level)]);
                Err(Question::new(question).or(option, "if it is left out"))
            }
            None => Ok(part),
        }
    }

    /// Returns the branches without folders that wrap all pictures of one part or input, if inside is what others have
    /// at that level: train/images/cat is train/cat where there is test/cat. Also returns the names of these folders.
    fn without_wrappers<'b>(
        &self,
        branches: &'b [Branch],
        parts: &[Part],
    ) -> (Cow<'b, [Branch]>, Vec<String>) {
        let (mut branches, mut wrappers) = (Cow::Borrowed(branches), Vec::new());
        let groups = branches.iter().zip(parts).map(|(branch, part)| (branch.input, *part));
        let groups: Vec<(usize, Part)> = groups.collect();
        let kinds: BTreeSet<(usize, Part)> = groups.iter().copied().gather();
        for group in kinds {
            // Within a wrapper, there may be another one.
            while let Some((level, name)) = self.wrapper(&branches, &groups, group) {
                let all = branches.to_mut().iter_mut().zip(&groups);
                let own = all.filter(|(_, of)| **of == group);
                own.for_each(|(branch, _)| branch.remove_level(level));
                wrappers.push(name);
            }
        }
        wrappers.dedup();
        (branches, wrappers)
    }

    /// Returns the level and the name of such a folder in a group.
    fn wrapper(
        &self,
        branches: &[Branch],
        groups: &[(usize, Part)],
        group: (usize, Part),
    ) -> Option<(usize, String)> {
        let own = || branches.iter().zip(groups).filter(|(_, of)| **of == group);
        // The names at a level in each group.
        let names_at = |level: usize| {
            let mut names: BTreeMap<(usize, Part), BTreeSet<&str>> = BTreeMap::new();
            for (branch, of) in branches.iter().zip(groups) {
                let name = branch.folders.get(level).map(String::as_str);
                names.entry(*of).or_default().extend(name);
            }
            names
        };
        let wrapper_at = |level: usize| {
            let all = names_at(level);
            let only = all.get(&group).filter(|names| names.len() == 1)?;
            let name = *only.first()?;
            // Others may have the same folder around theirs.
            let others = all.values().filter(|names| *names != only).flatten().copied();
            let others: BTreeSet<&str> = others.gather();
            let is_part = part_of_folder(name).is_some_and(|part| part != group.1);
            let is_odd = is_beside_pictures(name) && !is_record_folder(name);
            let is_named = own().any(|(branch, _)| branch.named.contains(&level));
            if is_part || is_odd || is_named || others.contains(name) {
                return None;
            }
            let has_theirs = !names_at(level + 1).get(&group)?.is_disjoint(&others);
            // Each may have its own, such as `imgs` and `images`.
            let are_records = is_record_folder(name)
                && !others.is_empty()
                && others.iter().all(|other| is_record_folder(other));
            (has_theirs || are_records).then(|| (level, name.to_string()))
        };
        let last = (0..self.levels.len()).rfind(|level| self.are_parts(*level));
        let first = last.map_or(0, |last| last + 1);
        let depth = own().map(|(branch, _)| branch.folders.len()).min()?;
        (first..depth.saturating_sub(1)).find_map(wrapper_at)
    }

    /// Returns the levels that are not parts and have several names. Of levels with the same name for each picture,
    /// only the last counts.
    fn varied(&self) -> Vec<usize> {
        let mut varied: Vec<usize> = Vec::new();
        for (level, names) in self.levels.iter().enumerate() {
            if names.len() < 2 || self.are_parts(level) {
                continue;
            }
            let is_like = |other: &usize| {
                self.branches.iter().all(|one| one.folders.get(*other) == one.folders.get(level))
            };
            varied.retain(|other| !is_like(other));
            varied.push(level);
        }
        varied
    }

    fn names(&self, level: usize) -> impl Iterator<Item = &'a str> + '_ {
        self.levels.get(level).into_iter().flatten().copied()
    }

    /// Returns the level of the folders that are the classes, if there is one.
    fn class_level(&self, labels: LabelsFrom<'_>) -> Result<(Option<usize>, Evidence), Question> {
        let is_listed = self.is_listed()?;
        match labels {
            LabelsFrom::Level(column) if !is_listed => {
                return Ok((Some(self.level(column)?), Evidence::Option));
            }
            LabelsFrom::Elsewhere | LabelsFrom::Nowhere => return Ok((None, Evidence::Option)),
            _ if is_listed => return Ok((None, Evidence::Name)),
            LabelsFrom::Level(_) | LabelsFrom::Anywhere => {}
        }
        let varied = self.varied();
        self.expect_all_parts(&varied)?;
        self.expect_no_masks(self.named.as_ref().or(varied.first()))?;
        if self.named.is_some() {
            return Ok((self.named, Evidence::Name));
        }
        varied.iter().try_for_each(|level| self.expect_classes(*level, &varied))?;
        match varied[..] {
            [] => self.expect_flat().map(|()| (None, Evidence::Content)),
            [level] => Ok((Some(level), Evidence::Content)),
            _ => {
                let which = Question::new("several levels of folders may be the classes");
                Err(self.choose_level(which, varied))
            }
        }
    }

    /// Returns whether lists have the labels.
    fn is_listed(&self) -> Result<bool, Question> {
        let parts = self.parts()?;
        for part in parts.iter().copied().gather::<BTreeSet<Part>>() {
            let of_part = || {
                let branches = self.branches.iter().zip(&parts);
                branches.filter(|(_, of)| **of == part).map(|(one, _)| *one)
            };
            let list = of_part().find_map(|branch| branch.list.as_ref());
            let lacking = of_part().find(|branch| branch.list.is_none());
            if let (Some(list), Some(lacking)) = (list, lacking) {
                let list = list.file_name().unwrap_or_default().to_string_lossy();
                let folder = lacking.folders.last().map_or("the top folder", String::as_str);
                return Err(Question::new(format!(
                    "{} has labels for some folders and not for the pictures in {}",
                    shown(&list),
                    shown(folder)
                ))
                .or(skip([&*list]), "if the folders are the classes")
                .or(ReadingOption::NoLabels, "if there are none"));
            }
        }
        Ok(self.branches.iter().any(|branch| branch.list.is_some()))
    }

    /// Returns the level that an option names.
    fn level(&self, column: &Column) -> Result<usize, Question> {
        match column {
            Column::Index(level) if *level < self.levels.len() => Ok(*level),
            _ => {
                let question = Question::new(format!(
                    "there is no {column} among the folders of all pictures, whose levels are counted from 0 at the top"
                ));
                Err(self.choose_level(question, 0..self.levels.len()))
            }
        }
    }

    /// Adds each of these levels as an answer, with the names of its folders.
    fn choose_level(
        &self,
        question: Question,
        levels: impl IntoIterator<Item = usize>,
    ) -> Question {
        levels.into_iter().fold(question, |question, level| {
            question.or(label_column(level), format!("({})", listed(self.names(level), 3)))
        })
    }

    /// Returns the statements about the places.
    fn said(
        &self,
        places: &[Place],
        level: Option<usize>,
        by: Evidence,
        labels: LabelsFrom<'_>,
        wrappers: &[String],
    ) -> Said {
        let mut said = Said::default();
        let parts: BTreeSet<Part> = places.iter().map(|place| place.part).gather();
        let parts: Vec<&str> =
            parts.into_iter().filter(|part| *part != Part::None).map(Part::name).collect();
        if !parts.is_empty() {
            said.say(Subject::Parts, Evidence::Name, parts.join(", "));
        }
        self.say_classes(&mut said, level, by, wrappers);
        let has_lists = self.branches.iter().any(|branch| branch.list.is_some());
        match labels {
            _ if level.is_some() => {}
            LabelsFrom::Elsewhere => {}
            LabelsFrom::Nowhere => {
                said.say(Subject::Labels, Evidence::Option, "no label");
                said.options.push(ReadingOption::NoLabels);
            }
            LabelsFrom::Anywhere | LabelsFrom::Level(_) if has_lists => {
                let lists = self.branches.iter().filter_map(|branch| branch.list.as_ref());
                let lists = lists.filter_map(|list| list.file_name());
                let lists: BTreeSet<String> =
                    lists.map(|name| name.to_string_lossy().into_owned()).gather();
                let lists = lists.iter().map(String::as_str);
                let text = format!("labels are in {}", listed(lists, 2));
                said.say(Subject::Labels, Evidence::Name, text);
            }
            LabelsFrom::Anywhere | LabelsFrom::Level(_) => {
                let hint = self.names_with_labels().map(|hint| format!("; {hint}"));
                let text = format!("no label{}", hint.unwrap_or_default());
                said.say(Subject::Labels, Evidence::Content, text);
                said.options.push(ReadingOption::NoLabels);
            }
        }
        said
    }

    /// Says which folders are classes, and which are neither classes nor parts.
    fn say_classes(
        &self,
        said: &mut Said,
        level: Option<usize>,
        by: Evidence,
        wrappers: &[String],
    ) {
        let others =
            (0..self.levels.len()).filter(|other| level != Some(*other) && !self.are_parts(*other));
        let others: Vec<&str> = others.flat_map(|other| self.names(other)).collect();
        // A level that matches the one of the classes has their names.
        let classes: BTreeSet<&str> =
            level.into_iter().flat_map(|level| self.names(level)).gather();
        let others = wrappers.iter().map(String::as_str).chain(others);
        let mut others: Vec<&str> = others.filter(|name| !classes.contains(name)).collect();
        // An archive may have a folder of its own name in it.
        others.dedup();
        if let Some(first) = others.first() {
            let text = match others.len() {
                1 => format!("{} is not a class", shown(first)),
                _ => format!("{} are not classes", listed(others.iter().copied(), MOST_LISTED)),
            };
            let by = if level.is_some() { by } else { Evidence::Content };
            said.say(Subject::Classes, by, text);
        }
        if let Some(level) = level {
            let names = listed(classes, MOST_LISTED);
            said.say(Subject::Classes, by, format!("classes are the folders {names}"));
            said.options.push(label_column(level));
            let deeper: BTreeSet<&str> = self
                .branches
                .iter()
                .flat_map(|branch| branch.folders.iter().skip(self.levels.len()))
                .map(String::as_str)
                .gather();
            if !deeper.is_empty() {
                let names = listed(deeper, MOST_LISTED);
                let text =
                    format!("pictures in the folders {names} below are of the classes above");
                said.say(Subject::Classes, Evidence::Content, text);
            }
        }
    }

    /// Returns a sentence if the names of the files seem to have the labels, as `cat_0.png` and `cat_1.png` do.
    fn names_with_labels(&self) -> Option<String> {
        let pictures = self.branches.iter().flat_map(|branch| &branch.pictures);
        let stems: Vec<Cow<'_, str>> =
            pictures.map(|path| path.file_stem().unwrap_or_default().to_string_lossy()).collect();
        let separators: BTreeSet<char> =
            stems.first()?.chars().filter(|letter| !letter.is_alphanumeric()).gather();
        let patterns = separators.into_iter().flat_map(|separator| {
            let counts = stems.iter().map(|stem| stem.matches(separator).count());
            let least = counts.min().unwrap_or_default();
            let first = format!("{{}}{}", format!("{separator}*").repeat(least));
            let last = format!("*{separator}{{}}");
            [("begin", first), ("end", last)].into_iter().filter(move |_| least > 0)
        });
        let found = patterns.filter_map(|(verb, pattern)| {
            let label = Pattern::parse(&pattern).ok()?;
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for stem in &stems {
                *counts.entry(label.label(stem)?).or_default() += 1;
            }
            let are_shared = counts.len() > 1 && counts.values().all(|count| *count > 1);
            are_shared.then(|| (counts.into_keys().collect::<Vec<_>>(), verb, pattern))
        });
        // In `0_cat.png`, the number only counts.
        let is_number = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
        let (words, verb, pattern) = found.min_by_key(|(words, ..)| words.iter().any(is_number))?;
        Some(format!(
            "the names of the files {verb} with {}, which would be their labels by the pattern `{pattern}`",
            listed(words, 3)
        ))
    }
}

/// Returns the path of the folder of a branch at a level, from its input on.
fn path_of(branch: &Branch, level: usize) -> String {
    format!("./{}", branch.folders.get(..=level).unwrap_or_default().join("/"))
}

fn label_column(level: usize) -> ReadingOption {
    ReadingOption::LabelColumn(Column::Index(level))
}
