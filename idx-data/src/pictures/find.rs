use std::collections::{BTreeSet, HashMap};
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};

use super::labels_file::{PictureFile, read_labels};
use crate::class_names::ClassNames;
use crate::error::{At, Error, ErrorKind};
use crate::folder::{CLASSES, LABELS, has_extension, sort};
use crate::options::Labels;
use crate::record::Skipped;

const EXTENSIONS: [&str; 8] = ["png", "jpg", "jpeg", "bmp", "gif", "tif", "tiff", "webp"];

/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 64;

/// The pictures of a folder in order, and its other files.
#[derive(Default)]
pub(super) struct Pictures {
    pub(super) files: Vec<PictureFile>,
    pub(super) has_labels: bool,
    pub(super) leaves_labels: bool,
    pub(super) classes: Option<ClassNames>,
    pub(super) skipped: Vec<Skipped>,
}

/// Finds the pictures of a folder, or those of its folders, each of which is a class.
pub(super) fn find(path: &Path, labels: Labels) -> Result<Pictures, Error> {
    let mut found = Pictures::default();
    let top = Entries::read(path, &mut found.skipped).at(path)?;
    let is_flat = !top.pictures.is_empty();
    let is_listed = path.join(LABELS).is_file();
    let has_list = labels.come_with_records() && is_listed;
    let (mut classes, mut empty) = (Vec::new(), None);
    for folder in top.folders {
        let mut files = Vec::new();
        add_pictures(&folder, &mut files, &mut found.skipped, 1)?;
        if files.is_empty() {
            empty.get_or_insert(folder);
            continue;
        }
        if is_flat && !has_list {
            let message = "there are pictures here and in folders; keep them in one place";
            return Err(ErrorKind::unsupported(message)).at(path);
        }
        classes.push((folder, files));
    }
    // Where no folder has a picture, none is that of a class.
    if let Some(folder) = empty.filter(|_| is_flat || !classes.is_empty()) {
        let message = "this folder has no pictures; add some, or remove it";
        return Err(ErrorKind::malformed(message)).at(&folder);
    }
    let unlabeled = |path| PictureFile { path, label: None };
    found.files.extend(top.pictures.into_iter().map(unlabeled));
    if has_list || !labels.come_with_records() || is_flat {
        let files = classes.into_iter().flat_map(|(_, files)| files);
        found.files.extend(files.map(unlabeled));
    } else if let Some((split, name)) = shared_folder(&classes) {
        let message = format!(
            "its folders have the same folders in them, such as {name}, which are the classes; give one of its folders, \
             such as {}",
            split.display()
        );
        return Err(ErrorKind::unsupported(message)).at(path);
    } else if !classes.is_empty() {
        label_by_folder(path, classes, &mut found)?;
    }
    if has_list {
        let file = path.join(LABELS);
        found.classes = read_labels(path, &file, &mut found.files).at(&file)?;
    }
    let marks_labels = is_listed || !is_flat;
    found.leaves_labels = marks_labels && !labels.come_with_records();
    found.has_labels = has_list || found.files.iter().any(|file| file.label.is_some());
    if found.files.is_empty() {
        let message = "this folder has no pictures (PNG, JPEG, GIF, BMP, TIFF, WebP) and no .parquet files; \
                       choose one with pictures or shards, or specify a file in it";
        return Err(ErrorKind::malformed(message)).at(path);
    }
    Ok(found)
}

/// The first of several folders, and a folder that all of them have, if no picture is beside such folders: they are
/// the splits `train` and `val`, in which the classes are.
fn shared_folder(splits: &[(PathBuf, Vec<PathBuf>)]) -> Option<(&Path, String)> {
    let folder_of = |file: &Path, split| {
        let name = file.strip_prefix(split).ok()?.parent()?.iter().next()?;
        Some(name.to_string_lossy().into_owned())
    };
    let mut names = splits.iter().map(|(split, files)| {
        files.iter().map(|file| folder_of(file, split)).collect::<Option<BTreeSet<_>>>()
    });
    let first = names.next()??;
    let shared = names.try_fold(first, |shared, names| Some(&shared & &names?))?;
    let (split, _) = splits.first().filter(|_| splits.len() > 1)?;
    Some((split, shared.into_iter().next()?))
}

/// Labels the pictures of each folder: by the number that is its name; by its place in `classes.txt`, if there
/// is one; or else by its place among the names.
fn label_by_folder(
    path: &Path,
    mut classes: Vec<(PathBuf, Vec<PathBuf>)>,
    found: &mut Pictures,
) -> Result<(), Error> {
    let mut known: HashMap<String, PathBuf> = HashMap::new();
    for (folder, _) in &classes {
        let name = class_name(folder).at(folder)?;
        // On file systems that ignore case, as on Windows and macOS, the two would be one.
        let same = match name.parse::<i128>() {
            Ok(number) => number.to_string(),
            Err(_) => name.to_lowercase(),
        };
        if let Some(other) = known.insert(same, folder.clone()) {
            let message = format!(
                "this class and {} differ only by case, or by leading zeros; rename or join them",
                other.display()
            );
            return Err(ErrorKind::unsupported(message)).at(folder);
        }
    }
    let number = |folder: &Path| class_name(folder).ok()?.parse::<i128>().ok();
    let list = path.join(CLASSES);
    if list.is_file() {
        let names = ClassNames::open_regular(&list)?;
        let folders = names.folders().unwrap_or_default();
        for (folder, files) in classes {
            let name = class_name(&folder).at(&folder)?;
            let known = folders.iter().find(|(_, known)| *known == name);
            let label = known.map(|(label, _)| *label);
            let Some(label) = label.or_else(|| number(&folder)) else {
                let message =
                    "this class is not in classes.txt; add a line, or remove one of the two";
                return Err(ErrorKind::mismatch(message)).at(&folder);
            };
            add_class(found, label, files);
        }
        found.classes = Some(names);
        return Ok(());
    }
    let numbers = classes.iter().filter(|(folder, _)| number(folder).is_some());
    match numbers.count() {
        0 => {
            // Sorted by bytes, as Python does, so that other programs assign the same numbers.
            classes.sort_by(|(one, _), (other, _)| one.file_name().cmp(&other.file_name()));
            let mut names = Vec::new();
            for (label, (folder, files)) in (0..).zip(classes) {
                names.push(class_name(&folder).at(&folder)?.to_string());
                add_class(found, label, files);
            }
            found.classes = Some(ClassNames::new(names).at(path)?);
        }
        count if count == classes.len() => {
            for (folder, files) in classes {
                add_class(found, number(&folder).unwrap_or_default(), files);
            }
        }
        _ => {
            let message = "some folders of classes are named by numbers and some by words; rename them to \
                           one or the other";
            return Err(ErrorKind::unsupported(message)).at(path);
        }
    }
    Ok(())
}

fn add_class(found: &mut Pictures, label: i128, files: Vec<PathBuf>) {
    let label = Some(label);
    let files = files.into_iter().map(|path| PictureFile { path, label });
    found.files.extend(files);
}

fn class_name(folder: &Path) -> Result<&str, ErrorKind> {
    let name = folder.file_name().unwrap_or_default().to_str();
    let name = name.filter(|name| !name.contains(char::is_control) && name.trim() == *name);
    name.ok_or_else(|| {
        let message = "the name of this class is not UTF-8, or has control characters or spaces at its ends; \
                       rename the folder";
        ErrorKind::unsupported(message)
    })
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
            format!("more than {MAX_DEPTH} folders within each other; move the pictures up");
        return Err(ErrorKind::unsupported(message)).at(folder);
    }
    let entries = Entries::read(folder, skipped).at(folder)?;
    files.extend(entries.pictures);
    for folder in entries.folders {
        match is_link(&folder) {
            // The link may lead to a folder above it.
            true => skipped.push(Skipped::new(folder, "a link to a folder within a class")),
            false => add_pictures(&folder, files, skipped, depth + 1)?,
        }
    }
    Ok(())
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

/// The files and folders in a folder, each sorted by name.
struct Entries {
    pictures: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Entries {
    fn read(folder: &Path, skipped: &mut Vec<Skipped>) -> Result<Self, ErrorKind> {
        let (mut pictures, mut folders) = (Vec::new(), Vec::new());
        let mut others = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            // Hidden files of the system or of editors, and those that macOS adds to archives.
            if name.as_encoded_bytes().starts_with(b".") || name == "__MACOSX" {
                others.push((path, "a hidden file"));
                continue;
            }
            let mut kind = entry.file_type()?;
            if kind.is_symlink() {
                kind = match fs::metadata(&path) {
                    Ok(metadata) => metadata.file_type(),
                    Err(_) => {
                        others.push((path, "a link to nothing"));
                        continue;
                    }
                };
            }
            if kind.is_dir() {
                folders.push(path);
            } else if name == LABELS || name == CLASSES {
            } else if let Some(reason) = other(&path, kind) {
                others.push((path, reason));
            } else {
                pictures.push(path);
            }
        }
        sort(&mut pictures);
        sort(&mut folders);
        others.sort();
        skipped.extend(others.into_iter().map(|(path, reason)| Skipped::new(path, reason)));
        Ok(Self { pictures, folders })
    }
}

/// Why a file is not read as a picture; `None` if it is one.
fn other(path: &Path, kind: FileType) -> Option<&'static str> {
    if !kind.is_file() {
        return Some("not a regular file");
    }
    let is = |extension: &str| has_extension(path, extension);
    match EXTENSIONS.into_iter().any(is) {
        true => None,
        false if is("heic") || is("heif") || is("avif") => {
            Some("HEIC and AVIF are not supported, export it as JPEG")
        }
        false => Some("not named like a picture"),
    }
}
