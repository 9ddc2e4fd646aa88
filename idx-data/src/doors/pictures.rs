//! Opens pictures: files, and folders named after parts and classes.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::{iter, ptr};

use crate::answer::{Column, ReadingOption};
use crate::chain::Input;
use crate::doors::folder::{LIST_OF_FOLDER, LISTS, expect_read};
use crate::doors::open::finish;
use crate::doors::picture_tables::names_folders;
use crate::doors::set::Set;
use crate::error::{At, Error, ErrorKind, file_name};
use crate::formats::pictures::{
    LabeledFile, ListedLabels, NamedPictures, Pictures, PicturesSource,
};
use crate::gather::Gather;
use crate::names::class_names::{CLASSES, ClassNames, LABELS};
use crate::names::folder::{Entries, Folder, Tree, existing};
use crate::names::format::Format;
use crate::names::path::{common_folder, is_picture, is_unread_picture};
use crate::names::{Part, sets};
use crate::reading::classes::{Dictionary, number, other_names};
use crate::reading::members::is_label_file;
use crate::reading::pattern::Pattern;
use crate::reading::question::Question;
use crate::reading::roles::names::is_label;
use crate::reading::skip::{skip, skip_files};
use crate::reading::tree::{Branch, LabelsFrom, Place, understand};
use crate::reading::words::{MOST_LISTED, is_part, listed};
use crate::reading::{Evidence, Reading, Said, Subject};
use crate::record::Skipped;
use crate::record::options::OpenOptions;
use idx_std::__private::access;

/// The pictures of one part of an input that get their labels from the same place.
struct Group {
    part: Part,
    /// The list of their labels.
    list: Option<PathBuf>,
    /// The list of their class names.
    classes: Option<PathBuf>,
    runs: Vec<Run>,
}

/// Pictures of the same class, if they have one.
struct Run {
    pictures: Vec<PathBuf>,
    class: Option<String>,
}

impl OpenOptions {
    /// Opens the set of the pictures in these folders, each an input. Folders at the same level mean the same in all
    /// inputs.
    pub(super) fn open_trees(
        &self,
        inputs: &[(PathBuf, Tree)],
        wanted: Option<&str>,
    ) -> Result<Set, Error> {
        let mut branches = Vec::new();
        for (index, (path, tree)) in inputs.iter().enumerate() {
            branches.extend(self.branches(index, path, tree)?);
        }
        self.open_branches(inputs, branches, wanted)
    }

    /// Opens pictures given as files, or as folders without subfolders, as one input in the given order. The folders
    /// below their common parent mean the same as if this parent were given.
    pub(super) fn open_files(&self, paths: &[PathBuf]) -> Result<Set, Error> {
        let folder_of = |path: &PathBuf| match path.is_dir() {
            true => path.clone(),
            false => path.parent().unwrap_or(Path::new("")).to_path_buf(),
        };
        let folders: Vec<PathBuf> = paths.iter().map(folder_of).collect();
        let common = common_folder(&folders.iter().map(PathBuf::as_path).collect::<Vec<_>>());
        let (mut branches, mut tree) = (Vec::<Branch>::new(), Tree::default());
        for (path, folder) in paths.iter().zip(&folders) {
            let inside = folder.strip_prefix(&common).unwrap_or(folder);
            let names: Vec<String> =
                inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            let mut pictures = vec![path.clone()];
            let is_left_out = |file: &mut PathBuf| self.leaves_out(&common, file);
            if path == folder {
                let mut entries = Entries::read(path).at(path)?;
                tree.left_out.extend(entries.files.extract_if(.., is_left_out));
                pictures = entries.pictures().map(Path::to_path_buf).collect();
                tree.folders.push(Folder { path: path.clone(), names: names.clone(), entries });
            } else {
                tree.left_out.extend(pictures.extract_if(.., is_left_out));
            }
            match branches.last_mut().filter(|last| last.folders == names) {
                Some(last) => last.pictures.extend(pictures),
                None => branches.push(Branch { folders: names, pictures, ..Branch::default() }),
            }
        }
        let common = if common.as_os_str().is_empty() { PathBuf::from(".") } else { common };
        self.open_branches(&[(common, tree)], branches, None)
    }

    /// Returns the folders with pictures, and the lists of their labels.
    fn branches(&self, input: usize, top: &Path, tree: &Tree) -> Result<Vec<Branch>, Error> {
        if !self.pictures.skip_bad {
            expect_read(tree).at(top)?;
        }
        let mut lists: HashMap<&[String], PathBuf> = HashMap::new();
        let mut known: HashMap<&[String], HashMap<String, i128>> = HashMap::new();
        for folder in &tree.folders {
            for list in self.listed(folder, &[CLASSES])? {
                // A list that cannot be read is reported where it is needed.
                let names = ClassNames::open_listed(&list).unwrap_or_default();
                known.insert(&folder.names, names.labels_with_folders());
            }
        }
        let is_named = |folders: &[String], level: &usize| {
            let above = folders.get(..*level).unwrap_or_default();
            let (Some(name), Some(names)) = (folders.get(*level), nearest(&known, above)) else {
                return false;
            };
            let is_label = |label: &i128| name.parse() == Ok(*label);
            names.contains_key(name) || names.values().any(is_label)
        };
        let mut branches = Vec::new();
        for folder in &tree.folders {
            let pictures: Vec<PathBuf> = folder.entries.pictures().map(Path::to_path_buf).collect();
            let mut found = self.listed(folder, &LISTS)?;
            // The file may be the list of class names that an option gives.
            let is_of_classes = |list: &PathBuf| ClassNames::open_listed(list).ok() == self.classes;
            found.retain(|list| self.classes.is_none() || !is_of_classes(list));
            let above = nearest(&lists, &folder.names).cloned();
            if !pictures.is_empty() {
                found.extend(self.listed(folder, &[LIST_OF_FOLDER])?);
            }
            if let [first, second, ..] = &found[..] {
                let [first, second] = [first, second].map(|list| file_name(list).to_string());
                let question =
                    format!("{first} and {second} may both be the labels of the pictures");
                let question = Question::new(question)
                    .or(skip([&*second]), format!("for {first}"))
                    .or(skip([&*first]), format!("for {second}"));
                return Err(question).at(&folder.path);
            }
            let own = found.pop();
            if let Some(list) = own.clone().filter(|list| !list.ends_with(LIST_OF_FOLDER)) {
                lists.insert(&folder.names, list);
            }
            if !pictures.is_empty() {
                let (folders, list) = (folder.names.clone(), own.or(above));
                let levels = 0..folders.len();
                let named = levels.filter(|level| is_named(&folders, level)).collect();
                branches.push(Branch { input, folders, pictures, list, named });
            }
        }
        Ok(branches)
    }

    /// Returns the files with these names in a folder. A file that cannot be examined is an error if labels are wanted.
    fn listed(&self, folder: &Folder, names: &[&str]) -> Result<Vec<PathBuf>, Error> {
        let is_named = |path: &&PathBuf| names.iter().any(|name| path.ends_with(name));
        let mut lists: Vec<_> = folder.entries.files.iter().filter(is_named).cloned().collect();
        if !self.labels {
            lists.retain(|list| list.is_file());
        }
        existing(lists).map_err(|error| error.beside(&folder.path))
    }

    fn open_branches(
        &self,
        inputs: &[(PathBuf, Tree)],
        branches: Vec<Branch>,
        wanted: Option<&str>,
    ) -> Result<Set, Error> {
        let first = inputs.first().map_or(Path::new(""), |(path, _)| path.as_path());
        let pattern = self.labels_in_names.as_deref().map(Pattern::parse).transpose().at(first)?;
        let labels = match (self.label_column.as_ref(), &pattern) {
            _ if !self.labels || self.are_labels() => LabelsFrom::Nowhere,
            (_, Some(_)) => LabelsFrom::Elsewhere,
            (Some(column), None) => LabelsFrom::Level(column),
            (None, None) => LabelsFrom::Anywhere,
        };
        let mut found = understand(&branches, labels);
        if let (LabelsFrom::Anywhere, [(_, tree)]) = (labels, inputs)
            && let Some(question) = self.ask_list(tree, &branches, &found)
        {
            found = Err(question);
        }
        let (places, said) = found.at(first)?;
        let level = match said.label_column() {
            Some(Column::Index(level)) => Some(*level),
            _ => None,
        };
        let mut placed = branches.into_iter().zip(places).peekable();
        let mut groups = Vec::new();
        let mut readings = Vec::new();
        for (index, (path, tree)) in inputs.iter().enumerate() {
            let next = || placed.next_if(|(branch, _)| branch.input == index);
            let of_input: Vec<(Branch, Place)> = iter::from_fn(next).collect();
            expect_pictures(tree, &of_input, level, self.labels).at(path)?;
            let lists = of_input.iter().filter_map(|(branch, _)| branch.list.clone()).gather();
            let found = self.groups(tree, of_input, level, labels, pattern.as_ref())?;
            readings.push(self.reading_of(path, tree, &lists, &found, said.clone()));
            groups.push(found);
        }
        if pattern.is_some() && self.classes.is_none() {
            expect_same_names(&groups).at(first)?;
        }
        // A word has the same number in all inputs and parts, even in those that are not wanted.
        let unlisted = groups.iter().flatten().filter(|group| group.classes.is_none());
        let dictionary = number(&texts(unlisted), None, self.label_column.is_some());
        let dictionary = dictionary.map_err(|question| {
            let level = level.map(|level| ReadingOption::LabelColumn(Column::Index(level)));
            level
                .into_iter()
                .fold(question, |asked, level| asked.or(level, "if they are one class"))
        });
        let dictionary = dictionary.at(first)?;
        let part = wanted.map(|wanted| part_of(&groups, wanted)).transpose().at(first)?;
        let mut sets = Vec::new();
        for (((path, tree), groups), reading) in inputs.iter().zip(&groups).zip(&readings) {
            let mut skipped = skipped(tree);
            let mut parts = Vec::new();
            for group in groups.iter().filter(|group| part.is_none_or(|part| group.part == part)) {
                let mut pictures = labeled(path, group, groups, &dictionary, self)?;
                pictures.skipped.append(&mut skipped);
                let source = Box::new(PicturesSource::open(path, pictures, self)?);
                let source = finish(Format::Png, Input::new(path, source, None), 0, self)?;
                // A part that was asked for has no name.
                let named = if wanted.is_some() { Part::None } else { group.part };
                parts.push((named, self.named(source).with_reading(reading)));
            }
            sets.push(Set::of_parts(path, Set::in_order(parts))?);
        }
        Set::joined(sets)
    }

    /// Returns the reading of an input with these lists of labels: what its folders say, and what is left out.
    fn reading_of(
        &self,
        path: &Path,
        tree: &Tree,
        lists: &BTreeSet<PathBuf>,
        groups: &[Group],
        mut said: Said,
    ) -> Reading {
        if let Some(pattern) = &self.labels_in_names {
            let texts = listed(texts(groups), MOST_LISTED);
            let text = format!("labels are in the names of the files: {texts}");
            said.say(Subject::Labels, Evidence::Option, text);
            said.options.push(ReadingOption::LabelsFrom(pattern.clone()));
        }
        let is_read = |path: &PathBuf| {
            let is_list = lists.contains(path) || path.ends_with(CLASSES);
            is_list || is_picture(path) || is_unread_picture(path)
        };
        self.say_left_out(tree, is_read, &mut said);
        let mut runs = groups.iter().flat_map(|group| &group.runs);
        let are_bare = lists.is_empty() && runs.all(|run| run.class.is_none());
        let are_wanted = self.labels && !self.are_labels();
        if are_bare && are_wanted && may_have_labels(tree, is_read) {
            let text = "for labels, write lines like 0.png,7 into labels.csv";
            said.say(Subject::Labels, Evidence::Name, text);
        }
        let mut reading = Reading::of(path, said);
        let of_lists = ["header"].into_iter().filter(|_| !lists.is_empty());
        reading.uses(of_lists.chain(["label_column", "labels_in_names"]));
        reading
    }

    /// Groups the pictures of an input by part and by where their labels come from.
    fn groups(
        &self,
        tree: &Tree,
        branches: Vec<(Branch, Place)>,
        level: Option<usize>,
        labels: LabelsFrom<'_>,
        pattern: Option<&Pattern>,
    ) -> Result<Vec<Group>, Error> {
        let mut lists: HashMap<&[String], PathBuf> = HashMap::new();
        for folder in &tree.folders {
            let found = self.listed(folder, &[CLASSES])?;
            lists.extend(found.into_iter().map(|list| (&folder.names[..], list)));
        }
        for (branch, place) in &branches {
            let folder = branch.pictures.first().and_then(|picture| picture.parent());
            expect_name(place.class.as_deref()).at(folder.unwrap_or(Path::new("")))?;
        }
        let are_found = matches!(labels, LabelsFrom::Anywhere | LabelsFrom::Level(_));
        let mut groups: Vec<Group> = Vec::new();
        for (Branch { folders, pictures, list, .. }, Place { part, class }) in branches {
            let list = list.filter(|_| are_found);
            let above_class = level.and_then(|level| folders.get(..level)).unwrap_or(&folders);
            let classes = nearest(&lists, above_class).cloned();
            let classes =
                classes.filter(|_| list.is_some() || class.is_some() || pattern.is_some());
            let runs = match pattern {
                None => vec![Run { pictures, class }],
                Some(pattern) => {
                    let run = |path: PathBuf| {
                        let class = Some(label_in_name(pattern, &path)?);
                        Ok(Run { pictures: vec![path], class })
                    };
                    pictures.into_iter().map(run).collect::<Result<_, Error>>()?
                }
            };
            let same = groups
                .iter_mut()
                .find(|group| group.part == part && group.list == list && group.classes == classes);
            match same {
                Some(group) => group.runs.extend(runs),
                None => groups.push(Group { part, list, classes, runs }),
            }
        }
        Ok(groups)
    }
}

/// Returns whether a file that is not read may have labels, judging by its name, or because a picture next to it has
/// the same name, such as `0.jpg` and `0.json`.
fn may_have_labels(tree: &Tree, is_read: impl Fn(&PathBuf) -> bool) -> bool {
    let mut folders = tree.folders.iter().map(|folder| &folder.entries);
    folders.any(|entries| {
        let unread: Vec<&PathBuf> = entries.files.iter().filter(|path| !is_read(path)).collect();
        let stem =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let named: BTreeSet<String> = match unread.is_empty() {
            true => BTreeSet::new(),
            false => entries.pictures().map(stem).collect(),
        };
        unread
            .into_iter()
            .map(|path| stem(path))
            .any(|stem| is_label_file(&stem) || stem == "metadata" || named.contains(&stem))
    })
}

/// Returns the list of a folder, or else that of the nearest folder above it.
fn nearest<'a, L>(lists: &'a HashMap<&[String], L>, folders: &[String]) -> Option<&'a L> {
    let mut depths = (0..=folders.len()).rev();
    depths.find_map(|depth| lists.get(folders.get(..depth)?))
}

/// Checks that the name of a folder can be a class name.
fn expect_name(class: Option<&str>) -> Result<(), ErrorKind> {
    let is_name = |name: &str| {
        let is_bad = |letter: char| letter.is_control() || letter == char::REPLACEMENT_CHARACTER;
        !name.contains(is_bad) && name.trim() == name
    };
    match class.is_none_or(is_name) {
        true => Ok(()),
        false => Err(ErrorKind::unsupported(
            "the name of this class is not UTF-8, or has control characters or spaces at its ends; rename the folder",
        )),
    }
}

/// Returns the distinct classes, as texts.
fn texts<'a>(groups: impl IntoIterator<Item = &'a Group>) -> BTreeSet<&'a str> {
    let runs = groups.into_iter().flat_map(|group| &group.runs);
    runs.filter_map(|run| run.class.as_deref()).gather()
}

/// Checks that classes in the names of pictures are spelled the same in all inputs and parts.
fn expect_same_names(inputs: &[Vec<Group>]) -> Result<(), Question> {
    let mut names: BTreeMap<(usize, Part), BTreeSet<&str>> = BTreeMap::new();
    for (index, groups) in inputs.iter().enumerate() {
        for group in groups.iter().filter(|group| group.classes.is_none()) {
            names.entry((index, group.part)).or_default().extend(texts([group]));
        }
    }
    let question = other_names(&names).map(|question| {
        question.or(ReadingOption::Classes(None), "with a file that names them all")
    });
    question.map_or(Ok(()), Err)
}

/// Returns the label in the name of a picture.
fn label_in_name(pattern: &Pattern, path: &Path) -> Result<String, Error> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let message =
        "the name does not match the pattern for labels; rename it, or write another pattern";
    let label = pattern.label(&stem).map(str::to_string);
    label.ok_or_else(|| ErrorKind::mismatch(message)).at(path)
}

/// Returns the part with this name.
fn part_of(groups: &[Vec<Group>], wanted: &str) -> Result<Part, Question> {
    let known: BTreeSet<Part> = groups.iter().flatten().map(|group| group.part).gather();
    sets::choose(&BTreeMap::from([("", known)]), Some(wanted)).map(|(_, part)| part)
}

/// Checks that no folder of a part is empty and, if `may_be_class`, no folder of a class.
fn expect_pictures(
    tree: &Tree,
    branches: &[(Branch, Place)],
    level: Option<usize>,
    may_be_class: bool,
) -> Result<(), ErrorKind> {
    let mut filled: HashSet<&[String]> = HashSet::new();
    for (branch, _) in branches {
        let above =
            (0..=branch.folders.len()).rev().filter_map(|depth| branch.folders.get(..depth));
        // The folders above a known one are known, too.
        above.take_while(|folders| filled.insert(folders)).for_each(drop);
    }
    let depth_of_classes = level.unwrap_or_default();
    let is_empty = |folder: &&Folder| {
        let Some((name, above)) = folder.names.split_last() else {
            return false;
        };
        // Next to a folder around all classes there may be others, such as devkit and annotations. The folders in an
        // empty one are not asked about.
        let is_of_classes = may_be_class && above.len() == depth_of_classes;
        (is_of_classes || above.len() <= depth_of_classes && is_part(name))
            && filled.contains(above)
            && !filled.contains(&folder.names[..])
    };
    let Some(empty) = tree.folders.iter().find(is_empty) else {
        return Ok(());
    };
    let path = empty.names.join("/");
    let question =
        Question::new(format!("the folder {path} has no pictures; add some, or leave it out"));
    // Other parts may have the class.
    Err(question.or(skip_files([&*path]), "").into())
}

/// Returns the files and folders that are left out although they may belong to the data.
fn skipped(tree: &Tree) -> Vec<Skipped> {
    let mut skipped = Vec::new();
    for Folder { entries, .. } in &tree.folders {
        for path in &entries.hidden {
            skipped.push(Skipped::new(path.clone(), "a hidden file"));
        }
        for path in entries.irregular.iter().filter(|path| is_picture(path)) {
            let reason = match path.exists() {
                true => "not a regular file",
                false => "a link to nothing",
            };
            skipped.push(Skipped::new(path.clone(), reason));
        }
        for path in entries.files.iter().filter(|path| is_unread_picture(path)) {
            let reason = "this format is not read; export it as PNG or JPEG";
            skipped.push(Skipped::new(path.clone(), reason));
        }
    }
    for path in &tree.links {
        skipped.push(Skipped::new(path.clone(), "a link to a folder within a class"));
    }
    skipped
}

/// Returns the pictures of a group with their labels.
fn labeled(
    input: &Path,
    group: &Group,
    groups: &[Group],
    dictionary: &Dictionary,
    options: &OpenOptions,
) -> Result<Pictures, Error> {
    let names = group.classes.as_deref().map(ClassNames::open_listed).transpose()?;
    match &group.list {
        Some(list) => labeled_by_list(list, group, groups, names, options),
        None => labeled_by_class(input, group, names, dictionary, options),
    }
}

/// Returns the pictures of a group with the labels in a list, which may also label other groups of the input.
fn labeled_by_list(
    list: &Path,
    group: &Group,
    groups: &[Group],
    names: Option<ClassNames>,
    options: &OpenOptions,
) -> Result<Pictures, Error> {
    let (mut paths, mut own) = (Vec::new(), 0..0);
    for other in groups.iter().filter(|other| other.list.as_deref() == Some(list)) {
        let start = paths.len();
        paths.extend(other.runs.iter().flat_map(|run| &run.pictures).map(PathBuf::as_path));
        if ptr::eq(other, group) {
            own = start..paths.len();
        }
    }
    let is_shared = own.len() < paths.len();
    let pictures = NamedPictures::new(paths.clone(), is_shared);
    let table = access::open_regular(list).at(list)?;
    let name = file_name(list).to_string();
    let found = ListedLabels::read(Box::new(table), Some(&name), &pictures, names, options);
    if found.is_err() && names_folders(list, &paths) {
        let question = Question::new("this list may have class names, not labels")
            .or(ReadingOption::Classes(Some(list.to_string_lossy().into_owned())), "")
            .or(skip([name]), "to leave it out");
        return Err(question).at(list);
    }
    let found = found.at(list)?;
    let ListedLabels { numbers, classes, have_names, said } = found;
    if options.label_column.is_none() {
        expect_no_classes(list, &paths, &said).at(list)?;
    }
    let files = paths.iter().zip(numbers).skip(own.start).take(own.len());
    let files = files.map(|(path, label)| LabeledFile::new(path.to_path_buf(), Some(label)));
    Ok(Pictures {
        files: files.collect(),
        has_labels: true,
        classes,
        have_names,
        reading: Reading::of(list, said),
        ..Pictures::default()
    })
}

/// Checks that a list has labels if the folders of its pictures may be the classes. By its name and column it may have
/// something else, such as sizes.
fn expect_no_classes(list: &Path, pictures: &[&Path], said: &Said) -> Result<(), Question> {
    let column = said.label_column().filter(|_| !list.ends_with(LABELS));
    let is_other = |column: &&Column| !matches!(column, Column::Name(name) if is_label(name));
    let folders = pictures.iter().filter_map(|picture| picture.parent()?.file_name()?.to_str());
    let folders: BTreeSet<&str> = folders.filter(|name| !is_part(name)).gather();
    match column.filter(is_other).filter(|_| folders.len() > 1) {
        Some(column) => Err(Question::new(format!(
            "the folders {} may be the classes, or {column} in this list",
            listed(folders, MOST_LISTED)
        ))
        .or(skip([file_name(list).to_string()]), "if the folders are")
        .or(ReadingOption::LabelColumn(column.clone()), "if the list has the labels")),
        None => Ok(()),
    }
}

/// Returns the pictures of a group with their class numbers, if they have classes: those in its list of class names, or
/// else those in the dictionary of all groups.
fn labeled_by_class(
    input: &Path,
    group: &Group,
    names: Option<ClassNames>,
    dictionary: &Dictionary,
    options: &OpenOptions,
) -> Result<Pictures, Error> {
    let own = match names {
        Some(names) => {
            let path = group.classes.as_deref().unwrap_or(input);
            let texts = texts([group]);
            // An option may name the numbers that the list does not.
            let is_unnamed =
                |text: &&str| text.parse().is_ok_and(|label| names.name(label).is_none());
            let is_other = options.classes.is_some() && texts.iter().any(is_unnamed);
            let names = Some(&names).filter(|_| !is_other);
            Some(number(&texts, names, options.label_column.is_some()).at(path)?)
        }
        None => None,
    };
    let Dictionary { labels, classes, have_names } = own.as_ref().unwrap_or(dictionary);
    let mut runs: Vec<&Run> = group.runs.iter().collect();
    if own.is_none() && *have_names {
        // In the order of their numbers.
        runs.sort_by_key(|run| &run.class);
    }
    let has_labels = runs.iter().any(|run| run.class.is_some());
    let files = runs.into_iter().flat_map(|Run { pictures, class }| {
        let label = class.as_ref().and_then(|class| labels.get(class).copied());
        pictures.iter().map(move |path| LabeledFile::new(path.clone(), label))
    });
    Ok(Pictures {
        files: files.collect(),
        has_labels,
        classes: classes.clone().filter(|_| has_labels),
        have_names: *have_names && has_labels,
        ..Pictures::default()
    })
}
