//! Tables next to pictures that may have their labels or class names.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::answer::{Answer, ReadingOption};
use crate::doors::folder::{is_list_of_classes, is_list_of_labels};
use crate::error::{ErrorKind, file_name};
use crate::formats::pictures::{ListedLabels, NamedPictures};
use crate::gather::Gather;
use crate::names::Part;
use crate::names::class_names::{ClassNames, LABELS};
use crate::names::folder::Tree;
use crate::names::path::has_extension_of;
use crate::reading::Said;
use crate::reading::question::Question;
use crate::reading::skip::is_submission;
use crate::reading::spelling::shown;
use crate::reading::tree::{Branch, Place};
use crate::reading::words::{MOST_LISTED, part_of_file};
use crate::record::options::OpenOptions;
use idx_std::__private::access;

impl OpenOptions {
    /// Asks about a table that may have the labels of all pictures, or of those in one folder, if nothing else has any.
    /// A question that was found gets the table as one more answer.
    pub(super) fn ask_list(
        &self,
        tree: &Tree,
        branches: &[Branch],
        found: &Result<(Vec<Place>, Said), Question>,
    ) -> Option<Question> {
        let no_labels = ReadingOption::NoLabels;
        let are_bare = match found {
            Ok((places, _)) => places.iter().all(|place| place.class.is_none()),
            Err(question) => question.answers.iter().any(|answer| answer.option == no_labels),
        };
        // A list can be given for a single input only.
        let is_one = tree.folders.first().is_some_and(|top| top.names.is_empty());
        if !are_bare || !is_one || branches.iter().any(|branch| branch.list.is_some()) {
            return None;
        }
        let tables = tree.folders.iter().flat_map(|folder| {
            let tables = folder.entries.files.iter().filter(|path| may_be_list(path));
            tables.map(|path| (part_of_table(path, &folder.names), path))
        });
        let tables: Vec<(Option<Part>, &PathBuf)> = tables.collect();
        // Object detection tools write a table for each picture.
        if !(1..=MOST_LISTED).contains(&tables.len()) {
            return None;
        }
        let mut folders: BTreeMap<&[String], Vec<&Path>> = BTreeMap::new();
        for branch in branches {
            for folder in (0..=branch.folders.len()).filter_map(|end| branch.folders.get(..end)) {
                let pictures = branch.pictures.iter().map(PathBuf::as_path);
                folders.entry(folder).or_default().extend(pictures);
            }
        }
        let folders: Vec<(&[String], Vec<&Path>)> =
            folders.into_iter().filter(|(_, pictures)| pictures.len() > 1).collect();
        let list = |folders: &[(&[String], Vec<&Path>)], wanted: Labeled| {
            folders.iter().find_map(|(folder, pictures)| {
                let pictures = NamedPictures::new(pictures.clone(), false);
                let part = part_of(folder);
                let is_list = |(of_table, table): &&(Option<Part>, &PathBuf)| {
                    // Pictures of several parts may have the same names.
                    (part.is_none() || of_table.is_none() || part == *of_table)
                        // A list without names has a line for each picture of the input.
                        && (folder.is_empty() || names_one(table, &pictures))
                        && self.labeled_by(table, &pictures) == Some(wanted)
                };
                tables.iter().find(is_list).map(|(_, table)| (folder.join("/"), *table))
            })
        };
        let have_parts = branches.iter().map(|branch| part_of(&branch.folders)).common().is_none();
        let top = folders.get(..1).filter(|_| !have_parts).unwrap_or_default();
        let (folder, table) = list(&folders, Labeled::All).or_else(|| list(top, Labeled::Some))?;
        let name = file_name(table).to_string();
        // The option is for a single part.
        if folder.is_empty() && have_parts {
            let list = tree.folders.first().map(|top| top.path.join(LABELS)).unwrap_or_default();
            let question =
                format!("{name} may have the labels of all parts; rename it to {}", list.display());
            let question = Question::new(question).or(no_labels, "if they have none");
            return found.is_ok().then_some(question);
        }
        let option = ReadingOption::LabelsFrom(table.to_string_lossy().into_owned());
        let when = match folder.is_empty() {
            true => String::new(),
            false => format!("with only {} as input", shown(&folder)),
        };
        Some(match found {
            Ok(_) => Question::new(format!("{name} may have the labels of the pictures"))
                .or(option, when)
                .or(no_labels, "if they have none"),
            Err(question) => question.clone().or(option, when),
        })
    }

    /// Returns which of these pictures have labels in a table; `None` if none have. Which column has them may be a
    /// question.
    fn labeled_by(&self, table: &Path, pictures: &NamedPictures<'_>) -> Option<Labeled> {
        let file = access::open_regular(table).ok()?;
        let is_column = |answer: &Answer| matches!(answer.option, ReadingOption::LabelColumn(_));
        match ListedLabels::read(Box::new(file), None, pictures, None, self) {
            Ok(_) => Some(Labeled::All),
            Err(error) => match error.kind() {
                ErrorKind::Question { answers, .. } if names_one(table, pictures) => {
                    let has_all = answers.iter().any(is_column);
                    let labeled = if has_all { Labeled::All } else { Labeled::Some };
                    (!answers.is_empty()).then_some(labeled)
                }
                _ => None,
            },
        }
    }
}

/// The pictures that have labels in a table.
#[derive(Clone, Copy, PartialEq)]
enum Labeled {
    All,
    Some,
}

/// The number of bytes of a table that are searched for its first lines.
const MAX_LINES: u64 = 1 << 16;

/// Returns whether the first lines of a table name one of these pictures.
fn names_one(table: &Path, pictures: &NamedPictures<'_>) -> bool {
    let file = access::open_regular(table).into_iter();
    // A line may be as long as the file.
    let lines = file.flat_map(|file| BufReader::new(file.take(MAX_LINES)).lines().take(2));
    lines.map_while(Result::ok).any(|line| {
        let mut cells = line.split([',', ';', '\t', ' ']);
        cells.any(|cell| pictures.find(cell.trim_matches('"')).is_ok())
    })
}

/// Returns the part that a folder among these is named after.
fn part_of(folders: &[String]) -> Option<Part> {
    folders.iter().find_map(|name| part_of_file(name).ok().flatten())
}

/// Returns the part that a table is named after, or else a folder above it.
fn part_of_table(table: &Path, folders: &[String]) -> Option<Part> {
    let stem = table.file_stem().unwrap_or_default().to_string_lossy();
    part_of_file(&stem).ok().flatten().or_else(|| part_of(folders))
}

/// Returns whether a file next to pictures may have their labels, judging by its name.
fn may_be_list(path: &Path) -> bool {
    has_extension_of(path, &["csv", "tsv", "txt"])
        && !is_list_of_classes(path)
        && !is_list_of_labels(path)
        && !is_submission(&file_name(path).to_string())
}

/// Returns whether a list names each folder of these pictures, as a list of classes does.
pub(super) fn names_folders(list: &Path, pictures: &[&Path]) -> bool {
    let names = ClassNames::open_listed(list).unwrap_or_default();
    let folders = names.labels_with_folders();
    let parents = pictures.iter().filter_map(|picture| picture.parent()?.file_name()?.to_str());
    let parents: BTreeSet<&str> = parents.gather();
    let is_label = |text: &str| text.parse().is_ok_and(|label| names.name(label).is_some());
    parents.len() > 1 && parents.iter().all(|name| folders.contains_key(*name) || is_label(name))
}
