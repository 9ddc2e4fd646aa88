//! Finds the pictures of a folder, and their classes.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{At, Error, ErrorKind};
use crate::formats::pictures::labels_file::{LabeledFile, read_labels};
use crate::names::Part;
use crate::names::class_names::CLASSES;
use crate::names::class_names::ClassNames;
use crate::names::folder::{LABELS, has_extension, is_hidden, is_picture, sort};
use crate::reading::Reading;
use crate::record::Skipped;
use crate::record::options::OpenOptions;
use idx_std::__private::access;

/// What macOS and Windows put into folders that somebody looked at.
const CLUTTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 64;

/// The pictures of a folder in order, and its other files.
#[derive(Default)]
pub(super) struct Pictures {
    pub(super) files: Vec<LabeledFile>,
    pub(super) has_labels: bool,
    pub(super) classes: Option<ClassNames>,
    /// Whether the folders or the table have names of classes, not numbers.
    pub(super) have_names: bool,
    pub(super) skipped: Vec<Skipped>,
    /// How a list of labels was understood.
    pub(super) reading: Reading,
}

/// A folder in a folder of pictures, all of whose pictures have one label.
struct Class {
    folder: PathBuf,
    label: Option<i128>,
    files: Vec<PathBuf>,
}

impl Class {
    fn name(&self) -> Result<&str, Error> {
        let name = self.folder.file_name().unwrap_or_default().to_str();
        let name = name.filter(|name| !name.contains(char::is_control) && name.trim() == *name);
        name.ok_or_else(|| {
            let message = "the name of this class is not UTF-8, or has control characters or spaces at its ends; \
                           rename the folder";
            Error::from(ErrorKind::unsupported(message)).with_path(&self.folder)
        })
    }

    fn into_files(self) -> impl Iterator<Item = LabeledFile> {
        let label = self.label;
        self.files.into_iter().map(move |path| LabeledFile { path, label })
    }

    /// The folders in it, if no picture is beside them.
    fn folders(&self) -> Option<BTreeSet<String>> {
        let folder_of = |file: &PathBuf| {
            let name = file.strip_prefix(&self.folder).ok()?.parent()?.iter().next()?;
            Some(name.to_string_lossy().into_owned())
        };
        self.files.iter().map(folder_of).collect()
    }
}

/// Finds the pictures of a folder, or those of its folders, where each folder is a class.
pub(super) fn find(path: &Path, options: &OpenOptions) -> Result<Pictures, Error> {
    let labels = *options.labels;
    let mut found = Pictures::default();
    let top = Entries::read(path, &mut found.skipped).at(path)?;
    let list = path.join(LABELS);
    let is_listed = access::found(&list).at(&list)?.is_some_and(|found| found.is_file());
    let is_flat = !top.pictures.is_empty();
    found.has_labels = labels && (is_listed || !is_flat);
    let (mut classes, mut empty) = (Vec::new(), None);
    for folder in top.folders {
        let mut files = Vec::new();
        add_pictures(&folder, &mut files, &mut found.skipped, 1)?;
        if files.is_empty() {
            empty.get_or_insert(folder);
            continue;
        }
        if is_flat && !(is_listed && found.has_labels) {
            let message = "this folder has pictures beside folders of classes; move them into one";
            return Err(ErrorKind::unsupported(message)).at(path);
        }
        classes.push(Class { folder, label: None, files });
    }
    // Where no folder has a picture, none is that of a class.
    if let Some(folder) = empty.filter(|_| is_flat || !classes.is_empty()) {
        let message = "this folder has no pictures; add some, or remove it";
        return Err(ErrorKind::malformed(message)).at(&folder);
    }
    if found.has_labels && !is_listed {
        if let Some((split, name)) = shared_folder(&classes) {
            let message = format!(
                "its folders have the same folders in them, such as {name}, which are the classes; name the parts of \
                 a data set train, test and val, or give one of its folders, such as {}",
                split.display()
            );
            return Err(ErrorKind::unsupported(message)).at(path);
        }
        if let [class] = &classes[..]
            && class.folders().is_some_and(|folders| folders.len() > 1)
        {
            let message = format!(
                "all its pictures are in folders of {}, which may be the classes; give that folder",
                class.folder.display()
            );
            return Err(ErrorKind::unsupported(message)).at(path);
        }
        found.classes = label_classes(path, &mut classes)?;
        found.have_names = have_names(&classes);
    }
    let unlabeled = top.pictures.into_iter().map(|path| LabeledFile { path, label: None });
    found.files.extend(unlabeled);
    found.files.extend(classes.into_iter().flat_map(Class::into_files));
    if found.files.is_empty() {
        let message = "this folder has no pictures (PNG, JPEG, GIF, BMP, TIFF, WebP) and no .parquet files; \
                       choose one with pictures or shards, or specify a file in it";
        return Err(ErrorKind::malformed(message)).at(path);
    }
    if found.has_labels && is_listed {
        let (listed, wrong) = match ClassNames::find(path) {
            Ok(listed) => (listed, None),
            Err(error) => (None, Some(error)),
        };
        let table = access::open_regular(&list).at(&list)?;
        let labels = read_labels(table, &mut found.files, listed, options).at(&list)?;
        (found.classes, found.have_names) = (labels.classes, labels.have_names);
        found.reading = Reading::of(list, labels.statements, labels.options);
        if let Some(error) = wrong {
            // Words have the numbers of that list.
            if found.classes.is_some() {
                return Err(error);
            }
            found.skipped.push(Skipped::new(path.join(CLASSES), error.kind().to_string()));
        }
    }
    Ok(found)
}

/// Pictures that are given as files and folders, all of them in this folder or in its folders: then these are their
/// classes.
pub(super) fn of_files(path: &Path, files: &[PathBuf], labels: bool) -> Result<Pictures, Error> {
    let mut found = Pictures::default();
    let mut classes: Vec<Class> = Vec::new();
    for file in files {
        let is_folder = file.is_dir();
        let folder = if is_folder { Some(file.as_path()) } else { file.parent() };
        let inside = folder.and_then(|folder| folder.strip_prefix(path).ok()?.iter().next());
        let folder = inside.map_or_else(|| path.to_path_buf(), |inside| path.join(inside));
        let mut pictures = Vec::new();
        match is_folder {
            true => add_pictures(file, &mut pictures, &mut found.skipped, 1)?,
            false => pictures.push(file.clone()),
        }
        match classes.iter_mut().find(|class| class.folder == folder) {
            Some(class) => class.files.extend(pictures),
            None => classes.push(Class { folder, label: None, files: pictures }),
        }
    }
    if classes.len() > 1 && labels {
        if classes.iter().any(|class| class.folder == path) {
            let message = "there are pictures beside folders of classes; move them into one";
            return Err(ErrorKind::unsupported(message)).at(path);
        }
        found.has_labels = true;
        found.classes = label_classes(path, &mut classes)?;
        found.have_names = have_names(&classes);
    }
    found.files.extend(classes.into_iter().flat_map(Class::into_files));
    Ok(found)
}

/// The first of several folders, and a folder that all of them have, if no picture is beside such folders: they are
/// the splits `train` and `val`, in which the classes are.
fn shared_folder(splits: &[Class]) -> Option<(&Path, String)> {
    let mut names = splits.iter().map(Class::folders);
    let first = names.next()??;
    let shared = names.try_fold(first, |shared, names| Some(&shared & &names?))?;
    let split = splits.first().filter(|_| splits.len() > 1)?;
    Some((&split.folder, shared.into_iter().next()?))
}

/// Labels each class: by the number that is its name; by its line in `classes.txt`, if there is one; or else by its
/// position among the names.
fn label_classes(path: &Path, classes: &mut [Class]) -> Result<Option<ClassNames>, Error> {
    let mut known = HashMap::new();
    for class in &mut *classes {
        class.label = class.name()?.parse().ok();
        // On file systems that ignore case, as on Windows and macOS, the two would be one.
        let same = match class.label {
            Some(number) => number.to_string(),
            None => class.name()?.to_lowercase(),
        };
        if let Some(other) = known.insert(same, class.folder.clone()) {
            let message = format!(
                "this class and {} differ only by case, or by leading zeros; rename or join them",
                other.display()
            );
            return Err(ErrorKind::unsupported(message)).at(&class.folder);
        }
    }
    if let Some(names) = ClassNames::find(path)? {
        let folders = names.folders().unwrap_or_default();
        for class in classes {
            let name = class.name()?;
            let known = folders.iter().find(|(_, known)| *known == name);
            class.label = known.map(|(label, _)| *label).or(class.label);
            if class.label.is_none() {
                let message =
                    "this class is not in classes.txt; add a line, or remove one of the two";
                return Err(ErrorKind::mismatch(message)).at(&class.folder);
            }
        }
        return Ok(Some(names));
    }
    let numbers = classes.iter().filter(|class| class.label.is_some()).count();
    if numbers == classes.len() {
        return Ok(None);
    }
    if numbers > 0 {
        let message = "some folders of classes are named by numbers and some by words; rename them to one or the \
                       other";
        return Err(ErrorKind::unsupported(message)).at(path);
    }
    if let [first, second, ..] = &*classes
        && let (first, second) = (first.name()?, second.name()?)
        && classes.iter().all(|class| class.name().is_ok_and(Part::begins))
    {
        let message = format!(
            "the folders {first} and {second} have the names of parts of a data set, not of classes; name them train, \
             test and val if their folders are the classes, else give one of them"
        );
        return Err(ErrorKind::unsupported(message)).at(path);
    }
    // Sorted by bytes, as Python does, so that other programs assign the same numbers.
    classes.sort_by(|one, other| one.folder.file_name().cmp(&other.folder.file_name()));
    let mut names = Vec::new();
    for (label, class) in (0..).zip(classes) {
        names.push(class.name()?.to_string());
        class.label = Some(label);
    }
    ClassNames::new(names).map(Some).at(path)
}

fn have_names(classes: &[Class]) -> bool {
    let is_number = |class: &Class| class.name().is_ok_and(|name| name.parse::<i128>().is_ok());
    !classes.iter().all(is_number)
}

/// Adds the pictures of a folder, and then those of the folders in it.
fn add_pictures(
    folder: &Path,
    files: &mut Vec<PathBuf>,
    skipped: &mut Vec<Skipped>,
    depth: usize,
) -> Result<(), Error> {
    if depth > MAX_DEPTH {
        let message =
            format!("more than {MAX_DEPTH} folders are nested in each other; move the pictures up");
        return Err(ErrorKind::unsupported(message)).at(folder);
    }
    let entries = Entries::read(folder, skipped).at(folder)?;
    files.extend(entries.pictures);
    for folder in entries.folders {
        match folder.is_symlink() {
            // The link may lead to a folder above it.
            true => skipped.push(Skipped::new(folder, "a link to a folder within a class")),
            false => add_pictures(&folder, files, skipped, depth + 1)?,
        }
    }
    Ok(())
}

/// The files and folders in a folder, each sorted by name.
#[derive(Default)]
struct Entries {
    pictures: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Entries {
    fn read(folder: &Path, skipped: &mut Vec<Skipped>) -> Result<Self, ErrorKind> {
        let mut entries = Self::default();
        let mut others = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            let reason = match path.metadata() {
                _ if CLUTTER.into_iter().any(|clutter| name == clutter) => continue,
                _ if is_hidden(&name) => Some("a hidden file"),
                Err(_) if path.is_symlink() => Some("a link to nothing"),
                Err(error) => return Err(error.into()),
                Ok(metadata) if metadata.is_dir() => {
                    entries.folders.push(path);
                    continue;
                }
                Ok(_) if name == LABELS || name == CLASSES => continue,
                Ok(metadata) if !metadata.is_file() => Some("not a regular file"),
                Ok(_) => no_picture(&path),
            };
            match reason {
                Some(reason) => others.push((path, reason)),
                None => entries.pictures.push(path),
            }
        }
        sort(&mut entries.pictures);
        sort(&mut entries.folders);
        others.sort();
        skipped.extend(others.into_iter().map(|(path, reason)| Skipped::new(path, reason)));
        Ok(entries)
    }
}

/// Why the name of a file is not that of a picture, if it is not.
fn no_picture(path: &Path) -> Option<&'static str> {
    let is = |extension: &str| has_extension(path, extension);
    match is_picture(path) {
        true => None,
        false if is("heic") || is("heif") || is("avif") => {
            Some("HEIC and AVIF are not supported, export it as JPEG")
        }
        false => Some("not named like a picture"),
    }
}
