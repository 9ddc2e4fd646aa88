//! Finds the data sets in a folder by the names of its files, for `open_set`, `Mnist` and checks alike.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::answer::ReadingOption;
use crate::error::{At, Error, file_name};
use crate::names::folder::{Entries, raw_folders};
use crate::names::{FileKind, Name, Part, SEPARATORS, ends_with_words, split_part_word};
use crate::reading::question::Question;
use crate::reading::spelling::shown;

/// The files of a data set, by part and kind; several of one differ only in how its name is spelled.
pub(crate) type Files = BTreeMap<(Part, FileKind), Vec<PathBuf>>;

/// Data sets by the prefix of their file names, without its final separator.
pub(crate) type Sets<'a> = BTreeMap<&'a str, Files>;

/// Groups the files that `is_of_set` accepts into data sets. A file belongs to none if its name says no kind.
pub(crate) fn by_prefix<'a>(files: &'a [PathBuf], is_of_set: fn(&Name<'a>) -> bool) -> Sets<'a> {
    let mut sets = Sets::new();
    // Plain files come first; the files are sorted, so a hyphen comes before a dot.
    for is_gzip in [false, true] {
        let names = files.iter().filter_map(|path| Some((path, Name::parse(path)?)));
        for (path, name) in names.filter(|(_, name)| name.is_gzip == is_gzip) {
            if let Some(kind) = name.kind.filter(|_| is_of_set(&name)) {
                let (prefix, part) = name.part();
                let set = sets.entry(prefix.trim_end_matches(SEPARATORS)).or_default();
                set.entry((part, kind)).or_default().push(path.clone());
            }
        }
    }
    sets
}

/// Returns the data sets with arrays of images.
pub(crate) fn of_images(files: &[PathBuf]) -> Sets<'_> {
    by_prefix(files, |name| name.kind == Some(FileKind::Images))
}

/// Returns the data sets with labels.
pub(crate) fn of_labels(files: &[PathBuf]) -> Sets<'_> {
    by_prefix(files, |name| name.kind == Some(FileKind::Labels))
}

/// Returns the name of the only set, or of the only one that ends in the wanted words, and the wanted part. Otherwise,
/// the question lists the names to choose from.
pub(crate) fn choose<'a>(
    sets: &BTreeMap<&'a str, BTreeSet<Part>>,
    wanted: Option<&str>,
) -> Result<(&'a str, Part), Question> {
    let (words, part) = split_part_word(wanted.unwrap_or_default());
    let words = words.trim_end_matches(SEPARATORS);
    let mut found: Vec<&str> =
        sets.keys().copied().filter(|name| ends_with_words(name, words)).collect();
    // Where there is MNIST itself, `mnist` does not mean the set of EMNIST.
    if let Some((name, _)) = sets.get_key_value(words).filter(|_| wanted.is_some()) {
        found = vec![name];
    }
    if let [name] = found[..]
        && (part == Part::None || sets.get(name).is_some_and(|parts| parts.contains(&part)))
    {
        return Ok((name, part));
    }
    let names = sets.iter().flat_map(|(name, parts)| match name.is_empty() || sets.len() == 1 {
        true => parts.iter().filter(|part| **part != Part::None).map(|part| part.name()).collect(),
        false => vec![*name],
    });
    let names: Vec<&str> = names.collect();
    let question = match wanted.filter(|_| found.len() < 2) {
        Some(wanted) if names.is_empty() => format!(
            "there is no {} in this folder, and its only part has no name; give only the folder",
            shown(wanted)
        ),
        Some(wanted) => format!("there is no {} in this folder", shown(wanted)),
        None => "this folder has several data sets".to_string(),
    };
    let names = names.into_iter().map(|name| ReadingOption::Part(name.to_string()));
    Err(names.fold(Question::new(question), |asked, name| asked.or(name, "")))
}

/// Returns the `raw` folder of torchvision in this folder, or in that of the only data set in it.
pub(crate) fn torchvision(folder: &Path) -> Result<Option<PathBuf>, Error> {
    let mut found = Vec::new();
    for raw in raw_folders(folder).at(folder)? {
        if !of_images(&Entries::read(&raw).at(&raw)?.files).is_empty() {
            found.push(raw);
        }
    }
    if let [first, _, ..] = &found[..] {
        let names = found.iter().filter_map(|raw| Some(file_name(raw.parent()?).to_string()));
        let message = format!(
            "this folder has several data sets: {}; give one of them, such as {}",
            names.collect::<Vec<_>>().join(", "),
            first.parent().unwrap_or(first).display()
        );
        return Err(Question::new(message)).at(folder);
    }
    Ok(found.pop())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_with_names_are_offered() {
        let sets = BTreeMap::from([("", BTreeSet::from([Part::None, Part::Train]))]);
        let question = choose(&sets, Some("test")).unwrap_err();
        assert_eq!(question.sentence, "there is no test in this folder");
        let answers = question.answers.iter().map(|answer| answer.option.to_string());
        assert_eq!(answers.collect::<Vec<_>>(), ["part(\"train\")"]);
    }
}
