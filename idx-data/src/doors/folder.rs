//! Opens folders: the files of a data set, or pictures, recognized by their names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::slice;

use crate::answer::{Column, ReadingOption};
use crate::chain::Source;
use crate::doors::open_set::{shown_name, understood_parts};
use crate::doors::set::Set;
use crate::error::{At, Error, ErrorKind, file_name};
use crate::gather::Gather;
use crate::names::class_names::{CLASSES, ClassNames, LABELS};
use crate::names::folder::{Entries, Tree, existing};
use crate::names::format::is_table;
use crate::names::path::{
    has_extension, has_extension_of, is_picture, is_unread_picture, without_gz,
};
use crate::names::{
    Name, Part, classes_beside, format_in_name, labels_beside, neighbours, sets, split_part_word,
};
use crate::reading::classes::number;
use crate::reading::members::{self, Member, Members, NamesOf};
use crate::reading::question::Question;
use crate::reading::skip::{is_clutter, leaves_out, skip};
use crate::reading::spelling::shown;
use crate::reading::words::{MOST_LISTED, listed, part_of_file};
use crate::reading::{Evidence, Reading, Said, Subject};
use crate::record::options::OpenOptions;

/// The extensions of tables and arrays.
const RECORDS: [&str; 6] = ["csv", "tsv", "parquet", "npy", "npz", "idx"];

/// The extensions of text files. They are tables if they are named after parts and there are no other tables.
const TEXTS: [&str; 5] = ["txt", "data", "dat", "labels", "label"];

impl OpenOptions {
    /// Opens the set in a folder, or one part of it.
    pub(super) fn open_folder(&self, path: &Path, wanted: Option<&str>) -> Result<Set, Error> {
        // `beside` is about files next to the folder, not in it.
        let inside = self.clone().beside(true);
        let top = inside.entries(path)?;
        let (sets, labels) = (sets::of_images(&top.files), sets::of_labels(&top.files));
        let have_tables = || self.labels && have_tables(&sets, &top.files);
        if !sets.is_empty() && !have_tables() {
            let tree = inside.walk_near(path)?;
            if let Some(picture) = tree.picture() {
                self.expect_no_tables(path, &tree, picture)?;
            }
            let mut said = Said::default();
            let others = top.files.iter().filter(|file| is_beside_sets(file));
            let others = others.map(PathBuf::as_path).chain(folders_of_records(&tree));
            said.leave_out(others.map(name_of), Evidence::Name);
            return inside.open_one_of(sets, &labels, path, wanted, said);
        }
        if let Some(folder) = sets::torchvision(path)? {
            let mut said = Said::default();
            let others = top.folders.iter().filter(|other| !folder.starts_with(other));
            said.leave_out(others.map(|other| name_of(other)), Evidence::Name);
            return inside.open_folder(&folder, wanted)?.with_reading(&Reading::of(path, said));
        }
        let tree = inside.walk(path)?;
        match tree.picture() {
            Some(picture) => {
                self.expect_no_tables(path, &tree, picture)?;
                inside.open_trees(&[(path.to_path_buf(), tree)], wanted)
            }
            None => inside.open_members(path, &tree, wanted),
        }
    }

    /// Opens the set of these inputs, if all are pictures or folders of pictures. The folders of all are interpreted
    /// together.
    pub(super) fn open_all_pictures(&self, paths: &[PathBuf]) -> Result<Option<Set>, Error> {
        let (mut trees, mut are_flat) = (Vec::new(), true);
        for path in paths {
            if !path.is_dir() {
                if !is_picture(path) || !path.is_file() {
                    return Ok(None);
                }
                continue;
            }
            let top = Entries::read(path).at(path)?;
            if !sets::of_images(&top.files).is_empty() {
                return Ok(None);
            }
            let tree = self.walk(path)?;
            let Some(picture) = tree.picture() else {
                return Ok(None);
            };
            self.expect_no_tables(path, &tree, picture)?;
            let has_list = top.files.iter().any(|path| is_list_of_labels(path));
            are_flat &= top.folders.is_empty() && !has_list;
            trees.push((path.clone(), tree));
        }
        match trees.len() == paths.len() {
            _ if are_flat => self.open_files(paths).map(Some),
            true => self.open_trees(&trees, None).map(Some),
            false => Ok(None),
        }
    }

    /// Checks that pictures are not mixed with IDX arrays, or with tables that are parts of a data set. A list of
    /// labels is allowed, and so is any table if the labels come from elsewhere or are not wanted.
    fn expect_no_tables(&self, folder: &Path, tree: &Tree, picture: &Path) -> Result<(), Error> {
        let tables = self.tables_of_sets(tree);
        let Some((first_part, first)) = tables.iter().min() else {
            return Ok(());
        };
        let names: BTreeSet<String> = tables.iter().map(|(_, path)| name_of(path)).gather();
        let mut question = Question::new(format!(
            "this folder has {}, and pictures, such as {}; give one folder of pictures with the list of its labels",
            listed(names.iter().map(String::as_str), 2),
            picture.strip_prefix(folder).unwrap_or(picture).display()
        ));
        let tops = tops_of_pictures(tree);
        // Kaggle has `train.csv` for the pictures in `train_images`, next to `test_images`.
        let is_of_first = |top: &&String| {
            part_of_file(top).ok().flatten().is_none_or(|own| Some(own) == *first_part)
        };
        let of_first: Vec<&String> = tops.iter().filter(is_of_first).collect();
        if let [top] = of_first[..]
            && is_table(first)
            && folder.join(top).is_dir()
        {
            let labels = ReadingOption::LabelsFrom(first.to_string_lossy().into_owned());
            question = question.or(labels, format!("with only {} as input", shown(top)));
        }
        question = question.or(skip(names), "for the pictures");
        let is_below_top = |(_, path): &(Option<Part>, PathBuf)| {
            let top = path.strip_prefix(folder).ok().and_then(|inside| inside.iter().next());
            top.is_some_and(|top| tops.contains(&*top.to_string_lossy()))
        };
        if !tables.iter().any(is_below_top) {
            question = question.or(skip(&tops), "for the others");
        }
        Err(question).at(folder)
    }

    /// Returns the IDX arrays in a tree, and the tables that are parts of a data set, each with its part.
    fn tables_of_sets(&self, tree: &Tree) -> Vec<(Option<Part>, PathBuf)> {
        let mut tables = Vec::new();
        for path in tree.files().filter(|path| !is_picture(path)) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let may_be_part = self.labels && is_records(path) && !members::is_label_file(&stem);
            let part = part_of_file(&stem).ok().flatten().filter(|_| may_be_part);
            if part.is_some() || !sets::of_images(slice::from_ref(path)).is_empty() {
                tables.push((part, path.clone()));
            }
        }
        tables
    }

    /// Returns whether the options leave out a file or folder below `top`.
    pub(super) fn leaves_out(&self, top: &Path, path: &Path) -> bool {
        leaves_out(self.skip.as_deref(), path.strip_prefix(top).unwrap_or(path))
    }

    /// Lists a folder, without the files that the options leave out.
    fn entries(&self, path: &Path) -> Result<Entries, Error> {
        let mut entries = Entries::read(path).at(path)?;
        entries.files.retain(|file| !self.leaves_out(path, file));
        Ok(entries)
    }

    /// Finds all files and folders in a folder, without those that the options leave out.
    fn walk(&self, path: &Path) -> Result<Tree, Error> {
        Tree::walk(path, &|found| self.leaves_out(path, found))
    }

    /// Finds the files and folders in a folder, and the files in its subfolders.
    fn walk_near(&self, path: &Path) -> Result<Tree, Error> {
        let is_deep =
            |found: &Path| match found.strip_prefix(path).map(|inside| inside.iter().count()) {
                Ok(2) => found.is_dir(),
                depth => depth.is_ok_and(|depth| depth > 2),
            };
        Tree::walk(path, &|found| is_deep(found) || self.leaves_out(path, found))
    }

    /// Returns the names in `skip` that left out files or folders of a tree.
    fn names_of_files(&self, tree: &Tree) -> Vec<Column> {
        let top = tree.folders.first().map_or(Path::new(""), |top| &top.path);
        let left_out = || tree.left_out.iter().map(|path| path.strip_prefix(top).unwrap_or(path));
        let is_file = |column: &&Column| {
            left_out().any(|path| leaves_out(Some(slice::from_ref(*column)), path))
        };
        self.skip.iter().flatten().filter(is_file).cloned().collect()
    }

    /// Returns the options for the files of a folder. They skip only columns: the names that left out files are
    /// removed.
    fn without_left_out(&self, tree: &Tree) -> Self {
        let files = self.names_of_files(tree);
        let mut options = self.clone();
        if let Some(columns) = options.skip.as_mut().filter(|_| !files.is_empty()) {
            columns.retain(|column| !files.contains(column));
            options.skip = options.skip.filter(|columns| !columns.is_empty());
        }
        options
    }

    /// Reports the files that are not read: those that an option leaves out, and those not named like records.
    pub(super) fn say_left_out(
        &self,
        tree: &Tree,
        is_read: impl Fn(&PathBuf) -> bool,
        said: &mut Said,
    ) {
        let unread = tree.files().filter(|path| !is_read(path));
        let unread: BTreeSet<String> = unread.map(|path| name_of(path)).gather();
        let skipped: BTreeSet<String> = tree.left_out.iter().map(|path| name_of(path)).gather();
        said.leave_out(&unread, Evidence::Name);
        said.leave_out(&skipped, Evidence::Option);
        if !skipped.is_empty() {
            said.options.push(ReadingOption::Skip(self.names_of_files(tree)));
        }
    }

    /// Opens the set of the tables or arrays in a folder and its subfolders.
    fn open_members(&self, path: &Path, tree: &Tree, wanted: Option<&str>) -> Result<Set, Error> {
        // Only columns are left to skip.
        let options = self.without_left_out(tree);
        let files = record_files(path, tree);
        if files.is_empty() {
            expect_read(tree).at(path)?;
            let first = tree.files().next().and_then(|file| file.strip_prefix(path).ok());
            let such = first.map(|file| format!(", such as {}", shown(&file.to_string_lossy())));
            return Err(ErrorKind::malformed(format!(
                "this folder has no pictures (.png, .jpg ..), tables (.csv, .parquet) or arrays (.npy, -idx3-ubyte); choose \
                 another, or give a file{}",
                such.unwrap_or_default()
            )))
            .at(path);
        }
        let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
        let are_wanted = self.labels && !self.are_labels();
        let levels = if are_wanted { members::levels_of_classes(&names) } else { Vec::new() };
        let understand =
            |wanted| members::understand(&names, NamesOf::Files, wanted, options.labels);
        let (mut found, mut within) = (understand(wanted), None);
        // An archive whose name says no part may have the wanted one.
        if let (Err(_), [(_, paths)]) = (&found, &files[..])
            && paths.iter().all(|path| has_extension(path, "npz"))
            && let (set, part) = split_part_word(wanted.unwrap_or_default())
            && part != Part::None
            && let Ok((all, said)) = understand(Some(set))
            && all.parts.iter().all(|member| member.part == Part::None)
        {
            (found, within) = (Ok((all, said)), Some(part.name()));
        }
        // The option may instead choose a column of the tables.
        if let (Some(Column::Index(level)), false) = (&self.label_column, levels.is_empty())
            && (found.is_err() || names.iter().all(|name| members::is_array(name)))
        {
            return self.open_classes(path, tree, &files, &names, *level)?.wanted(wanted);
        }
        let (Members { parts: members, wanted: only }, mut said) = match found {
            Ok(found) => found,
            Err(question) => {
                // The tables may be the labels of pictures in a format that is not read.
                expect_read(tree).at(path)?;
                return Err(or_classes(question, &names, &levels)).at(path);
            }
        };
        let spellings = |index: usize| files.get(index).map_or(&[][..], |(_, paths)| &paths[..]);
        let used: BTreeSet<PathBuf> = files.iter().flat_map(|(_, paths)| paths).cloned().gather();
        let is_read = |path: &PathBuf| used.contains(path) || is_list_of_classes(path);
        self.say_left_out(tree, is_read, &mut said);
        // An archive may have parts of its own.
        if let [Member { records, labels: None, .. }] = &members[..]
            && let [file] = records[..]
            && let Some(archive) = spellings(file).first().filter(|path| has_extension(path, "npz"))
        {
            let set = options.open_words(archive)?;
            let has_parts = set.parts().any(|(name, _)| !name.is_empty());
            let of_file = Some(only.name()).filter(|name| has_parts && !name.is_empty());
            let set = set.wanted(within.or(of_file))?;
            return set.with_reading(&Reading::of(path, said));
        }
        let open = |Member { part, records, labels }: &Member, is_first: bool| {
            let shards: Vec<&[PathBuf]> = records.iter().map(|index| spellings(*index)).collect();
            let first = shards.first().and_then(|names| names.first());
            let first = first.map_or(path, PathBuf::as_path);
            // A column that an option names may be in the file of labels, or be one to leave out of another part.
            let is_skipped = members.len() > 1 && options.label_column.is_none() || !is_first;
            let may_lack = options.may_lack || labels.is_some() || is_skipped;
            let of_records = Self { may_lack, ..options.clone() };
            let source = of_records.open_shards(path, *part, &shards)?;
            let source = options.with_own_labels(source, first, labels.map(spellings))?;
            let source = options.named(self.with_classes_above(path, source, first)?);
            Ok::<_, Error>((part.name().to_string(), source))
        };
        let only = members.iter().find(|member| only != Part::None && member.part == only);
        if let Some(member) = only {
            let (_, source) = open(member, true)?;
            if !source.facts().have_names {
                return Ok(source.with_reading(&Reading::of(path, said)).into());
            }
        }
        let parts = members.iter().enumerate().map(|(index, member)| open(member, index == 0));
        let set = understood_parts(path, parts.collect::<Result<_, _>>()?, said)?;
        match only {
            // Words are numbered over all parts.
            Some(member) => Ok(set.part(member.part.name())?.into()),
            None => Ok(set),
        }
    }

    /// Opens the files in a folder as a set. The names at this level of their paths are the classes.
    fn open_classes(
        &self,
        path: &Path,
        tree: &Tree,
        files: &[(String, Vec<PathBuf>)],
        names: &[String],
        level: usize,
    ) -> Result<Set, Error> {
        let options = Self { label_column: None, labels: false, ..self.without_left_out(tree) };
        let places = members::by_class(names, level).at(path)?;
        let texts: BTreeSet<&str> = places.iter().map(|(_, class)| *class).gather();
        let dictionary = number(&texts, None, true).at(path)?;
        let mut parts = Vec::new();
        for ((part, class), (_, spellings)) in places.iter().zip(files) {
            if let Some((file, records)) = options.one_of(spellings.clone())?
                && let Some(label) = dictionary.labels.get(*class)
            {
                let records = records.of_class(*label, &dictionary);
                let mut records = options.named(self.with_classes_above(path, records, &file)?);
                // A process can have only so many open files.
                records.close();
                parts.push((*part, records));
            }
        }
        let mut said = Said::default();
        let text = format!("classes are the names {}", listed(texts, MOST_LISTED));
        said.say(Subject::Classes, Evidence::Option, text);
        said.options.push(ReadingOption::LabelColumn(Column::Index(level)));
        let is_read = |path: &PathBuf| is_records(path) || is_list_of_classes(path);
        self.say_left_out(tree, is_read, &mut said);
        understood_parts(path, Set::in_order(parts), said)
    }

    /// Gives records the labels in one of these files, and the labels and class names next to `first`, their first
    /// file.
    fn with_own_labels(
        &self,
        records: Source,
        first: &Path,
        labels: Option<&[PathBuf]>,
    ) -> Result<Source, Error> {
        let records = match labels.filter(|_| self.labels) {
            Some(labels) => {
                expect_no_labels(&records, first, labels).at(first)?;
                self.with_labels_of(records, labels).map_err(|error| error.beside(first))?
            }
            None => records,
        };
        self.with_neighbours(records, first, true)
    }

    /// Opens an npz archive that holds records with their labels.
    fn open_pair(&self, names: &[PathBuf]) -> Result<Option<Source>, Error> {
        match names {
            [archive] if has_extension(archive, "npz") => {
                self.open_parts(archive, None)?.map(Set::only_part).transpose()
            }
            _ => Ok(None),
        }
    }

    /// Opens the records of a file, or of several in order. Each file may exist under several spellings of its name.
    fn open_shards(
        &self,
        folder: &Path,
        part: Part,
        files: &[&[PathBuf]],
    ) -> Result<Source, Error> {
        let is_parquet = |path: &PathBuf| has_extension(path, "parquet");
        let are_shards = part == Part::None && files.iter().copied().flatten().all(is_parquet);
        if let ([names], false) = (files, are_shards) {
            if let Some(source) = self.open_pair(names)? {
                return Ok(source);
            }
            let found = self.one_of(names.to_vec())?;
            return found.map(|(_, source)| source).ok_or(ErrorKind::NoDataSet).at(folder);
        }
        // They are one input, so its record indexes continue from file to file.
        let mut all: Option<Source> = None;
        for names in files {
            let names = existing(names.to_vec())?;
            let name = names.first().ok_or(ErrorKind::NoDataSet).at(folder)?;
            let before = all.as_ref().and_then(|all| all.facts().count).unwrap_or_default();
            let next = match self.open_pair(&names)? {
                Some(source) => source,
                None => self.open_regular(name, folder, before)?,
            };
            all = Some(match all {
                Some(all) => all.append(next).at(name)?,
                None => next,
            });
        }
        all.ok_or(ErrorKind::NoDataSet).at(folder)
    }

    /// Gives records the class names in a list next to their file, or in a folder above it, up to that of the set.
    fn with_classes_above(&self, top: &Path, source: Source, file: &Path) -> Result<Source, Error> {
        if !self.labels || self.are_labels() {
            return Ok(source);
        }
        let folders = file.ancestors().skip(1).take_while(|folder| folder.starts_with(top));
        let mut lists = classes_beside(file);
        lists.extend(folders.map(|folder| folder.join(CLASSES)));
        lists.retain(|list| !self.leaves_out(top, list));
        self.with_first_list(source, lists).map_err(|error| error.beside(file))
    }

    /// Gives labeled records the class names in the first of these lists that exists, unless they have some. Labels
    /// that are words are names already: a list without any of them is ignored, and any other must have all of them.
    /// Numbers without 0 must have names in the list, because it may count from 0, unless an option gives other names.
    pub(super) fn with_first_list(
        &self,
        records: Source,
        lists: Vec<PathBuf>,
    ) -> Result<Source, Error> {
        let facts = records.facts();
        let words = facts.classes.as_ref().filter(|_| facts.have_names);
        if !facts.has_labels || facts.classes.is_some() && words.is_none() {
            return Ok(records);
        }
        let lists = existing(lists)?;
        let Some(path) = lists.first() else {
            return Ok(records);
        };
        let list = ClassNames::open(path)?;
        let is_listed = |(_, word): (i128, &str)| {
            let number = word.parse().ok();
            list.label(word).is_some() || number.is_some_and(|label| list.name(label).is_some())
        };
        if !words.is_none_or(|words| words.iter().any(is_listed)) {
            return Ok(records);
        }
        Ok(match &self.classes {
            Some(_) => records.in_list(Some(&list)),
            None => records.with_names_of(list, Some(&shown_name(path))),
        })
    }

    /// Gives labels that are numbers the class names in the options. Words get theirs when all inputs and parts are
    /// known.
    pub(super) fn named(&self, source: Source) -> Source {
        let facts = source.facts();
        match &self.classes {
            Some(names) if facts.has_labels && !facts.have_names => {
                source.with_classes(names.clone())
            }
            _ => source,
        }
    }
}

/// The names of lists that label all pictures in and below a folder.
pub(super) const LISTS: [&str; 2] = [LABELS, "metadata.csv"];

/// The name of a list that labels only the pictures directly in its folder. Anywhere else it is a list of class names.
pub(super) const LIST_OF_FOLDER: &str = "labels.txt";

/// Returns whether a file in a folder of pictures is named like a list of their labels.
pub(super) fn is_list_of_labels(path: &Path) -> bool {
    LISTS.into_iter().chain([LIST_OF_FOLDER]).any(|list| path.ends_with(list))
}

/// Returns whether a file is named like a list of class names.
pub(super) fn is_list_of_classes(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(CLASSES.as_bytes()))
}

/// Checks that the records of a file have no labels of their own, because there is a file of labels.
fn expect_no_labels(source: &Source, file: &Path, labels: &[PathBuf]) -> Result<(), ErrorKind> {
    match labels.first().filter(|_| source.facts().has_labels) {
        Some(labels) => {
            // The file of the records may have the same name in another folder.
            let folder = labels.parent().filter(|folder| Some(*folder) != file.parent());
            let folder = folder.map(|folder| format!("{}/", file_name(folder)));
            let name = format!("{}{}", folder.unwrap_or_default(), file_name(labels));
            let question = format!("these records have labels, and so does {name} next to them");
            Err(Question::new(question).or(skip([&*name]), "for their own").into())
        }
        None => Ok(()),
    }
}

/// Adds to a question that the names at one of these levels may be the classes.
fn or_classes(mut question: Question, names: &[String], levels: &[usize]) -> Question {
    for level in levels {
        if let Ok(places) = members::by_class(names, *level) {
            let classes: BTreeSet<&str> = places.into_iter().map(|(_, class)| class).gather();
            let when = format!("if {} are the classes", listed(classes, MOST_LISTED));
            question = question.or(ReadingOption::LabelColumn(Column::Index(*level)), when);
        }
    }
    question
}

/// Returns the files in a folder and its subfolders that are named like tables or arrays: their paths below `top`, and
/// all spellings of each.
fn record_files(top: &Path, tree: &Tree) -> Vec<(String, Vec<PathBuf>)> {
    let is_named = |path: &&PathBuf| !is_list_of_classes(path) && !is_clutter(&name_of(path));
    let mut files: Vec<&PathBuf> =
        tree.files().filter(|path| is_records(path)).filter(is_named).collect();
    if files.is_empty() {
        let is_part = |path: &&PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            has_extension_of(path, &TEXTS) && matches!(part_of_file(&stem), Ok(Some(_)))
        };
        files = tree.files().filter(is_part).filter(is_named).collect();
    }
    let mut found: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for path in files {
        let twins = neighbours(path).twins;
        // Tables have no other spellings, and may be many.
        let is_same =
            |(_, paths): &&mut (String, Vec<PathBuf>)| paths.iter().any(|one| twins.contains(one));
        let same = if twins.is_empty() { None } else { found.iter_mut().find(is_same) };
        match same {
            Some((_, paths)) => paths.push(path.clone()),
            None => {
                let name = path.strip_prefix(top).unwrap_or(path).to_string_lossy();
                found.push((name.replace('\\', "/"), vec![path.clone()]));
            }
        }
    }
    found
}

/// Returns the top-level folders with pictures, and the extensions of the pictures next to them.
fn tops_of_pictures(tree: &Tree) -> BTreeSet<String> {
    let mut tops = BTreeSet::new();
    for folder in &tree.folders {
        for picture in folder.entries.pictures() {
            tops.insert(match folder.names.first() {
                Some(top) => top.clone(),
                None => format!("*.{}", picture.extension().unwrap_or_default().to_string_lossy()),
            });
        }
    }
    tops
}

fn name_of(path: &Path) -> String {
    file_name(path).to_string()
}

/// Returns whether a file is named like a table or an array.
fn is_records(path: &Path) -> bool {
    has_extension_of(without_gz(path), &RECORDS) || format_in_name(path).is_some()
}

/// Returns whether a file is a table or an array, or a text named like labels, but named neither like a file of a set
/// nor like a list for one.
fn is_beside_sets(path: &Path) -> bool {
    let is_text_of_labels = || has_extension_of(path, &TEXTS) && is_named_like_labels(path);
    (is_records(path) || is_text_of_labels()) && !is_of_set(path) && !is_list_of_classes(path)
}

/// Returns whether the name of a table or text says that it has labels.
fn is_named_like_labels(path: &Path) -> bool {
    members::is_label_file(&path.file_stem().unwrap_or_default().to_string_lossy())
}

/// Returns whether a file is named like the images or labels of a set.
fn is_of_set(path: &Path) -> bool {
    Name::parse(path).is_some_and(|name| name.kind.is_some())
}

/// Returns whether a table among these files has the labels of images in these sets that have no array of labels.
fn have_tables(sets: &sets::Sets<'_>, files: &[PathBuf]) -> bool {
    let is_of_labels =
        |file: &&PathBuf| is_records(file) && is_beside_sets(file) && is_named_like_labels(file);
    let tables: Vec<String> = files.iter().filter(is_of_labels).map(|path| name_of(path)).collect();
    let has_array = |images: &Path| labels_beside(images).iter().any(|path| files.contains(path));
    let mut images = sets.values().flat_map(BTreeMap::values).flatten();
    images.any(|images| {
        let has_table = |table: &String| {
            let names = [name_of(images), table.clone()];
            let found = members::understand(&names, NamesOf::Files, None, true);
            found.is_ok_and(|(found, _)| found.parts.iter().all(|part| part.labels.is_some()))
        };
        tables.iter().any(has_table) && !has_array(images)
    })
}

/// Returns the top-level folders with tables or arrays, without those named like a file of a set, as in Kaggle's
/// archive of MNIST.
fn folders_of_records(tree: &Tree) -> impl Iterator<Item = &Path> {
    let folders = tree.folders.iter().filter(|folder| {
        let has_records = || folder.entries.files.iter().any(|file| is_records(file));
        folder.names.len() == 1 && !is_of_set(&folder.path) && has_records()
    });
    folders.map(|folder| folder.path.as_path())
}

/// Refuses pictures in formats that are not read, because they are not clutter.
pub(super) fn expect_read(tree: &Tree) -> Result<(), Question> {
    let unread: Vec<&PathBuf> = tree.files().filter(|path| is_unread_picture(path)).collect();
    if unread.is_empty() {
        return Ok(());
    }
    let kinds: BTreeSet<String> = unread
        .iter()
        .filter_map(|path| Some(format!("*.{}", path.extension()?.to_string_lossy())))
        .gather();
    let names: BTreeSet<String> = unread.iter().map(|path| name_of(path)).gather();
    let names = listed(names.iter().map(String::as_str), 2);
    let question = format!("the format of {names} is not read; export it as PNG or JPEG");
    Err(Question::new(question).or(skip(kinds), "to leave them out"))
}

#[cfg(not(feature = "pictures"))]
impl OpenOptions {
    pub(super) fn open_trees(
        &self,
        trees: &[(PathBuf, Tree)],
        _: Option<&str>,
    ) -> Result<Set, Error> {
        self.open_files(&trees.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>())
    }

    pub(super) fn open_files(&self, paths: &[PathBuf]) -> Result<Set, Error> {
        let path = paths.first().map_or(Path::new(""), PathBuf::as_path);
        Err(ErrorKind::Disabled { feature: "pictures" }).at(path)
    }
}
