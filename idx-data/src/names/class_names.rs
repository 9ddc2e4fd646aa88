//! The names of classes by label: read, written and looked up.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{Read, Write};
use std::iter::repeat_n;
use std::path::Path;

use crate::error::{At, Error, ErrorKind, Hint};
use crate::names::path::is_read;
use crate::reading::class_list::class_names;
use idx_std::__private::{Staged, access};
use idx_std::{AtomicFile, ErrorKind as FileErrorKind};

/// The file of labels in a folder of pictures.
pub(crate) const LABELS: &str = "labels.csv";

/// The file of class names, in a folder and next to records.
pub(crate) const CLASSES: &str = "classes.txt";

/// The names of classes, by their labels.
///
/// In a file, such as the `classes.txt` of a folder, line N (from 0) is the name of label N. An empty line is a label
/// without a name. A line may also begin with its label, as in `0 cat` or in a table `index,name`; the numbers in
/// EMNIST's lists, such as `1 65`, are code points of characters. Lists of JSON and Python are read as well; names that
/// lines cannot hold, such as `'cat'`, are written as JSON.
///
/// ```
/// use idx_data::dataset::DataSet;
/// use idx_data::ClassNames;
///
/// let names = ClassNames::from(DataSet::FashionMnist);
/// assert_eq!(names.name(9), Some("Ankle boot"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassNames(pub(crate) BTreeMap<i128, String>);

/// The distinct labels that are text: the classes, numbered in byte order as folders are.
#[derive(Default)]
pub(crate) struct Texts {
    pub(crate) texts: BTreeSet<String>,
    size: u64,
}

impl Texts {
    pub(crate) fn insert(&mut self, text: &str) -> Result<(), ErrorKind> {
        if self.texts.contains(text) {
            return Ok(());
        }
        // Two labels may differ only in the bytes that are not UTF-8.
        if text.contains(char::REPLACEMENT_CHARACTER) {
            let message = format!("the label `{text}` is not UTF-8; save the file as UTF-8");
            return Err(ErrorKind::malformed(message));
        }
        self.size += text.len() as u64;
        if self.size > ClassNames::MAX_SIZE {
            let message = "the labels have more than 1 MiB of different names; use numbers";
            return Err(ErrorKind::unsupported(message));
        }
        self.texts.insert(text.to_string());
        Ok(())
    }
}

impl ClassNames {
    /// The maximum size of a list of names in bytes, so that a wrong file is not read to its end.
    const MAX_SIZE: u64 = 1 << 20;

    /// Creates names for the labels 0, 1 and so on; an empty name stands for none.
    ///
    /// ```
    /// use idx_data::ClassNames;
    ///
    /// let names = ClassNames::new(["cat", "dog"])?;
    /// assert_eq!(names.name(1), Some("dog"));
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No names, or a name twice ([`malformed`](ErrorKind::code)).
    pub fn new(names: impl IntoIterator<Item: Into<String>>) -> Result<Self, Error> {
        Self::of((0..).zip(names.into_iter().map(Into::into)))
    }

    /// Creates names with their labels.
    ///
    /// # Errors
    ///
    /// No names, or a label or a name twice ([`malformed`](ErrorKind::code)).
    pub fn of(classes: impl IntoIterator<Item = (i128, String)>) -> Result<Self, Error> {
        Self::of_all(&mut classes.into_iter())
    }

    /// Does the work of [`of`](Self::of), compiled once and not for each type of iterator.
    fn of_all(classes: &mut dyn Iterator<Item = (i128, String)>) -> Result<Self, Error> {
        let mut names = Self::default();
        for (label, name) in classes.filter(|(_, name)| !name.is_empty()) {
            if names.0.insert(label, name).is_some() {
                let message = format!("two lines name class {label}; remove one of them");
                return Err(ErrorKind::malformed(message).into());
            }
        }
        let mut known = BTreeSet::new();
        if let Some((_, name)) = names.iter().find(|(_, name)| !known.insert(*name)) {
            let message = format!("two classes have the name `{name}`; rename one of them");
            return Err(ErrorKind::malformed(message).into());
        }
        if names.0.is_empty() {
            let message = "there are no class names; give at least one";
            return Err(ErrorKind::malformed(message).into());
        }
        Ok(names)
    }

    /// Adds the name of a class; a second, different name is an error.
    pub(crate) fn insert(&mut self, label: i128, name: &str) -> Result<(), ErrorKind> {
        let known = self.0.entry(label).or_insert_with(|| name.to_string());
        match known == name {
            true => Ok(()),
            false => Err(ErrorKind::malformed(format!(
                "the label {label} has the names `{known}` and `{name}`; correct the line"
            ))),
        }
    }

    /// Returns the same names; an error if two classes share one.
    pub(crate) fn checked(self) -> Result<Self, Error> {
        Self::of(self.0)
    }

    /// Reads a file of names, one in each line, with or without their labels.
    ///
    /// # Errors
    ///
    /// A file that cannot be read ([`ErrorKind::File`]); one that is not text, or has more than 1 MiB, no names, or a
    /// name twice ([`malformed`](ErrorKind::code)); one with several readings, or none ([`question`](ErrorKind::code)).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::read(access::open(path).at(path)?).and_then(|names| names.not_named(path)).at(path)
    }

    /// Reads a list that was found in a folder, if it is a regular file: opening a pipe would block forever.
    pub(crate) fn open_listed(path: &Path) -> Result<Self, Error> {
        let file = access::open_regular(path).at(path)?;
        Self::read(file).and_then(|names| names.not_named(path)).at(path)
    }

    /// Checks that no class is named after the list itself, as with `ls > classes.txt`.
    fn not_named(self, path: &Path) -> Result<Self, Error> {
        match path.file_name().and_then(|name| self.label(name.to_str()?)) {
            Some(label) => Err(ErrorKind::malformed(format!(
                "the name of class {label} is that of this file; remove the line"
            ))
            .into()),
            None => Ok(self),
        }
    }

    /// Returns whether any class has a name other than its label.
    pub(crate) fn says_more(&self) -> bool {
        self.iter().any(|(label, name)| name != label.to_string())
    }

    fn read(file: File) -> Result<Self, Error> {
        let mut text = Vec::new();
        file.take(Self::MAX_SIZE + 1).read_to_end(&mut text)?;
        let is_long = text.len() as u64 > Self::MAX_SIZE;
        let found = match String::from_utf8(text) {
            _ if is_long => "it is longer than 1 MiB".to_string(),
            Ok(text) => match text.split_once(UNREAD) {
                None => return Self::parse(&text),
                Some((before, _)) => {
                    let found = text.get(before.len()..).and_then(|rest| rest.chars().next());
                    let found = found.map_or(0, u32::from);
                    format!("line {} has U+{found:04X}", line_after(before.as_bytes()))
                }
            },
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let before = error.as_bytes().get(..valid).unwrap_or_default();
                format!("line {} is not UTF-8", line_after(before))
            }
        };
        let message = format!(
            "not a list of class names: {found}; save it as UTF-8 with one name in each line, at most 1 MiB"
        );
        Err(ErrorKind::malformed(message).into())
    }

    fn parse(text: &str) -> Result<Self, Error> {
        Self::of(class_names(text)?)
    }

    /// Returns the name of the class with this label, if it has one.
    #[doc(alias = "get")]
    #[must_use]
    pub fn name(&self, label: i128) -> Option<&str> {
        self.0.get(&label).map(String::as_str)
    }

    /// Returns the label of the class with this name, if there is one.
    pub(crate) fn label(&self, name: &str) -> Option<i128> {
        self.iter().find(|(_, known)| *known == name).map(|(label, _)| label)
    }

    /// Returns the labels by name.
    pub(crate) fn labels_by_name(&self) -> HashMap<String, i128> {
        self.iter().map(|(label, name)| (name.to_string(), label)).collect()
    }

    /// Returns the labels by class name and by folder name, which has `_` in place of some characters.
    pub(crate) fn labels_with_folders(&self) -> HashMap<String, i128> {
        let folders = self.folders().unwrap_or_default();
        let folders = folders.into_iter().map(|(label, name)| (name, label));
        // The later ones count.
        folders.chain(self.labels_by_name()).collect()
    }

    /// Returns the labels by name, both as written and in lower case.
    pub(crate) fn labels_of_any_case(&self) -> HashMap<String, i128> {
        let lower = self.iter().map(|(label, name)| (name.to_lowercase(), label));
        // The later ones count.
        lower.chain(self.labels_by_name()).collect()
    }

    /// Returns names for the known classes, if each of them is the first word of a name here, as in `n01440764 tench`.
    pub(crate) fn names_after(&self, known: &Self) -> Option<Self> {
        let is_mark = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ':' | ';');
        let split = |(_, name)| str::split_once(name, is_mark);
        let after: HashMap<&str, &str> = self.iter().filter_map(split).collect();
        let new_name = |(label, name)| {
            // A number there is a count.
            let new = after.get(name)?.trim();
            new.contains(char::is_alphabetic).then(|| (label, new.to_string()))
        };
        let new: Option<Vec<_>> = known.iter().map(new_name).collect();
        Self::of(new?).ok()
    }

    /// Returns the labels that have names, with their names.
    pub fn iter(&self) -> impl Iterator<Item = (i128, &str)> {
        self.0.iter().map(|(label, name)| (*label, name.as_str()))
    }

    /// Returns the folder name of each class by label; characters that some system does not allow become `_`. `None` if
    /// two names would differ only in case, or if one cannot be a folder name.
    pub(crate) fn folders(&self) -> Option<BTreeMap<i128, String>> {
        // The files next to the folders.
        let (mut seen, mut folders) = (BTreeSet::new(), BTreeMap::new());
        seen.extend([LABELS, CLASSES].map(str::to_string));
        for (label, name) in self.iter() {
            let folder = folder_name(name);
            let is_name = (1..=MAX_NAME).contains(&folder.len()) && is_read(&folder);
            if !is_name || !seen.insert(folder.to_lowercase()) {
                return None;
            }
            folders.insert(label, folder);
        }
        Some(folders)
    }

    /// Returns the names of the labels from 0 on, empty for a label without one; an error if that takes more names than
    /// a list of classes can have.
    pub(crate) fn to_list(&self) -> Result<Vec<&str>, ErrorKind> {
        let mut list = Vec::new();
        for (label, name) in self.iter() {
            let place =
                usize::try_from(label).ok().filter(|place| (*place as u64) < Self::MAX_SIZE);
            let place = place.ok_or_else(|| {
                ErrorKind::unsupported(format!(
                    "the list of names in Parquet has a place for each label from 0 to {}, and none for class {label}; \
                     use these labels",
                    Self::MAX_SIZE - 1
                ))
            })?;
            list.resize(place, "");
            list.push(name);
        }
        Ok(list)
    }

    /// Returns the text of a list, one name per line. Where that would be read differently, the names follow their
    /// labels, or else are in quotes as in JSON. More than 1 MiB, and labels that no list can have, are errors.
    pub(crate) fn to_text(&self) -> Result<String, ErrorKind> {
        // With its label before it, a name such as `1 cat` is not split.
        let numbered = self.iter().map(|(label, name)| format!("{label} {name}\n")).collect();
        let quoted = self.iter().map(|(label, name)| format!("\"{label}\": {name:?}"));
        let quoted = format!("{{\n{}\n}}\n", quoted.collect::<Vec<_>>().join(",\n"));
        let is_read = |text: &String| {
            text.len() as u64 <= Self::MAX_SIZE
                && !text.contains(UNREAD)
                && Self::parse(text).is_ok_and(|names| names == *self)
        };
        let mut texts = self.to_lines().into_iter().chain([numbered, quoted]);
        texts.find(is_read).ok_or_else(|| {
            let is_beyond = |label: &i128| u32::try_from(*label).is_err();
            let problem = match self.iter().map(|(label, _)| label).find(is_beyond) {
                Some(label) => {
                    format!("the class {label} has a name, and classes.txt names 0 to {}", u32::MAX)
                }
                None => "these names cannot be read back from a classes.txt of at most 1 MiB"
                    .to_string(),
            };
            ErrorKind::unsupported(format!("{problem}; give another list"))
        })
    }

    /// Returns one line for each label from 0 on, empty for a label without a name; `None` if that takes too many.
    fn to_lines(&self) -> Option<String> {
        let (mut lines, mut next) = (String::new(), 0);
        for (label, name) in self.iter() {
            let empty = usize::try_from(label - next).ok()?;
            let size = lines.len().saturating_add(empty);
            if size as u64 > Self::MAX_SIZE {
                return None;
            }
            lines.extend(repeat_n('\n', empty));
            lines += name;
            lines.push('\n');
            next = label + 1;
        }
        Some(lines)
    }

    /// Writes a list to be committed; `None` if the same list is there already. A list of other names is an error if
    /// `create_new`.
    pub(crate) fn stage(&self, path: &Path, create_new: bool) -> Result<Option<Staged>, Error> {
        let text = self.to_text().at(path)?;
        match access::open_regular(path) {
            Ok(file) => {
                if Self::read(file).is_ok_and(|old| old == *self) {
                    return Ok(None);
                }
                if create_new {
                    let message = "this list has other class names; write to another folder, or if its names are \
                                   right, give them";
                    return Err(ErrorKind::mismatch(message).advising(Hint::Classes)).at(path);
                }
            }
            // Opening a pipe would wait for a reader forever.
            Err(kind @ FileErrorKind::NotARegularFile) => return Err(kind).at(path),
            // The new file reports any other error.
            Err(_) => {}
        }
        let mut file = AtomicFile::start(path, create_new)?;
        file.write_all(text.as_bytes()).at(path)?;
        Ok(Some(file.stage()?))
    }
}

/// The characters that no list may have: NUL, as in binary files, and the replacement character, which can make two
/// names equal.
const UNREAD: [char; 2] = ['\0', char::REPLACEMENT_CHARACTER];

/// Returns the number of the line after these bytes, from 1.
fn line_after(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count()
}

/// The maximum size of a folder name in bytes, on most systems.
const MAX_NAME: usize = 255;

fn folder_name(name: &str) -> String {
    let is_allowed = |letter: char| !letter.is_control() && !r#"<>:"/\|?*"#.contains(letter);
    let letters = name.chars().map(|letter| if is_allowed(letter) { letter } else { '_' });
    let folder: String = letters.collect();
    let folder =
        folder.trim_start().trim_end_matches(|end: char| end == '.' || end.is_whitespace());
    match folder.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None => folder.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_labels_have_at_most_1_mib() {
        let half = 1 << 19;
        let mut texts = Texts::default();
        for label in ["a".repeat(half), "a".repeat(half), "b".repeat(half)] {
            texts.insert(&label).unwrap();
        }
        assert!(texts.insert("c").is_err());
    }

    #[test]
    fn a_list_that_could_not_be_read_is_not_written() {
        for name in ["a".repeat(1 << 20), "a\0b".to_string(), "a\u{FFFD}b".to_string()] {
            let names = ClassNames::new([name]).unwrap();
            names.to_text().unwrap_err();
        }
    }

    #[test]
    fn a_list_has_places_for_the_labels_from_0_on() {
        let list = |label| {
            let names = [(1, "cat"), (label, "dog")];
            let names = names.map(|(label, name)| (label, name.to_string()));
            let names = ClassNames::of(names).unwrap();
            names.to_list().map(|list| (list.len(), list[..3].join(", "))).ok()
        };
        assert_eq!(list(2), Some((3, ", cat, dog".to_string())));
        let most = 1 << 20;
        assert_eq!(list(most - 1), Some((1 << 20, ", cat, ".to_string())));
        assert_eq!([list(most), list(-1)], [None, None]);
    }
}
