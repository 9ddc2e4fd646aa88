//! The words in the names of files, folders and arrays, and their meaning by convention.

use std::collections::{BTreeMap, BTreeSet};

use crate::gather::Gather;
use crate::names::Part;
use crate::reading::question::Question;
use crate::reading::spelling::{shown, words};

/// The words for records, as opposed to their labels.
const RECORDS: [&str; 16] = [
    "x", "images", "image", "imgs", "img", "data", "features", "inputs", "values", "pictures",
    "records", "archive", "dataset", "jpeg", "jpg", "png",
];

/// The words for labels.
const LABELS: [&str; 6] = ["y", "labels", "label", "lbls", "targets", "target"];

/// The words for things that belong to pictures and are not classes, besides those for labels. Words such as `old`,
/// `trash` and `thumb` may be classes.
const BESIDE_PICTURES: [&str; 19] = [
    "masks",
    "mask",
    "segmentations",
    "segmentation",
    "groundtruth",
    "gt",
    "annotations",
    "annotation",
    "thumbnails",
    "thumbs",
    "results",
    "outputs",
    "predictions",
    "samples",
    "examples",
    "backup",
    "backups",
    "temp",
    "tmp",
];

/// The words for pictures without classes.
const UNLABELED: [&str; 3] = ["unlabeled", "unlabelled", "unsup"];

/// Returns the part that a word names, such as `train` and `trainset`.
fn part_of_word(word: &str) -> Option<Part> {
    Part::of(word.strip_suffix("set").unwrap_or(word))
}

/// Returns whether a name is MNIST's own word for its test part, which has digits in it.
fn is_t10k(name: &str) -> bool {
    name.to_ascii_lowercase().contains("t10k")
}

pub(super) fn is_record_word(word: &str) -> bool {
    RECORDS.contains(&word)
}

pub(super) fn is_label_word(word: &str) -> bool {
    LABELS.contains(&word)
}

/// Returns the part of each folder, if their names are otherwise equal. The last word of each names the part, or any
/// word, as in `train_v2` and `test_v2`, if they name several parts and one is for training: a `dev board` and a
/// `test board` are things.
pub(super) fn parts_of_folders<'a>(names: &BTreeSet<&'a str>) -> Option<BTreeMap<&'a str, Part>> {
    let found: Option<Vec<_>> = names.iter().map(|name| part_in_folder(name)).collect();
    let (parts, others): (Vec<Part>, Vec<Vec<String>>) = found?.into_iter().unzip();
    let different: BTreeSet<Part> = parts.iter().copied().gather();
    let are_several = different.len() > 1 && different.contains(&Part::Train);
    let are_parts = are_several || names.iter().all(|name| is_part(name));
    let are_like = others.iter().common().is_some();
    (are_like && are_parts).then(|| names.iter().copied().zip(parts).gather())
}

/// Returns the part that the last word of a folder names, apart from `data`, `images` and `set`: `seg_train`,
/// `test_images` and `trainingSet`.
pub(super) fn part_of_folder(name: &str) -> Option<Part> {
    let is_last = folder_words(name).last().is_some_and(|word| part_of_word(word).is_some());
    part_in_folder(name).filter(|_| is_last || is_t10k(name)).map(|(part, _)| part)
}

/// Returns the part that any word of a folder's name says, the last of several, and the other words.
pub(super) fn part_in_folder(name: &str) -> Option<(Part, Vec<String>)> {
    if is_t10k(name) {
        return Some((Part::Test, Vec::new()));
    }
    let mut words = folder_words(name);
    let at = words.iter().rposition(|word| part_of_word(word).is_some())?;
    let part = part_of_word(&words.remove(at))?;
    Some((part, words))
}

/// Returns the words of the name of a folder without `data`, `images` and `set`.
fn folder_words(name: &str) -> Vec<String> {
    let mut words = words(name);
    words.retain(|word| !is_record_word(word) && word != "set");
    words
}

/// Returns whether a folder is named after a part.
pub(crate) fn is_part(name: &str) -> bool {
    part_of_folder(name).is_some()
}

/// Returns the part that a word of a file or array names, if one does.
pub(crate) fn part_of_file(name: &str) -> Result<Option<Part>, Question> {
    let words = words(name);
    let parts = words.iter().filter_map(|word| part_of_word(word));
    let mut parts: BTreeSet<Part> = parts.chain(is_t10k(name).then_some(Part::Test)).gather();
    match (parts.pop_first(), parts.pop_first()) {
        (Some(one), Some(other)) => Err(Question::new(format!(
            "the name {name} says {} and {}; rename it to one of train, test and val",
            one.name(),
            other.name()
        ))),
        (part, _) => Ok(part),
    }
}

/// Returns whether a folder holds pictures without being a class of them: `images`, `data_1`.
pub(super) fn is_record_folder(name: &str) -> bool {
    let words = words(name);
    let mut longer = words.iter().filter(|word| word.len() > 1);
    words.iter().all(|word| is_record_word(word)) && longer.next().is_some()
}

/// Returns whether folders are the pieces of an archive of pictures: their names have a word for records, and differ
/// only by numbers, as `set_images_1` and `set_images_2` do.
pub(super) fn are_pieces(names: &[&str]) -> bool {
    let words = names.iter().map(|name| words(name)).common();
    words.iter().flatten().any(|word| word.len() > 1 && is_record_word(word))
}

/// Returns whether the pictures in a folder have no class if it is the only one of its part. Among others, `unknown`
/// may be a class.
pub(super) fn is_unlabeled(name: &str) -> bool {
    let mut words = UNLABELED.into_iter().chain(["unknown"]);
    words.any(|word| name.eq_ignore_ascii_case(word))
}

/// Returns whether a folder is named after labels: `labels`, but not `label_0`.
pub(super) fn is_label_folder(name: &str) -> bool {
    let name_of = words(name).concat();
    is_label_word(&name_of) && name_of.len() > 1 && name_of.len() == name.len()
}

/// Returns whether a folder among others is probably not a class: `images`, `masks`, `unlabeled` and `labels`, but not
/// `label_0`.
pub(super) fn is_beside_pictures(name: &str) -> bool {
    let name_of = words(name).concat();
    let mut others = BESIDE_PICTURES.into_iter().chain(UNLABELED);
    is_record_folder(name) || is_label_folder(name) || others.any(|word| word == name_of)
}

/// Returns the original name of a folder that is named as systems name copies: `cat (1)`, `cat - Copy (2)`,
/// `cat copy 2`, `Copy of cat`.
pub(super) fn original(name: &str) -> Option<&str> {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let numbered = name.strip_suffix(')').map(|front| front.trim_end_matches(is_digit));
    let numbered = numbered.and_then(|front| front.strip_suffix('(')).map(str::trim_end);
    let front = numbered.unwrap_or(name);
    let copied = || front.trim_end_matches(is_digit).trim_end().strip_suffix(" copy");
    let of = front.strip_prefix("Copy of ").or_else(|| front.strip_suffix(" - Copy"));
    of.or_else(copied).or(numbered)
}

/// Returns the name of a file without its part, the words for records and labels, and separate numbers: the name of its
/// data set, in lower case with hyphens.
pub(super) fn set_of_file(stem: &str) -> String {
    let said =
        |word: &String| is_record_word(word) || is_label_word(word) || part_of_word(word).is_some();
    let tokens = stem.split(|letter: char| !letter.is_alphanumeric());
    let left = tokens.filter(|token| !is_t10k(token)).filter_map(|token| {
        let words = words(token);
        let left: Vec<&str> = words.iter().filter(|word| !said(word)).map(String::as_str).collect();
        match left.len() {
            0 => None,
            // A name with its digits, as in mnist8m.
            all if all == words.len() => Some(token.to_lowercase()),
            _ => Some(left.join("-")),
        }
    });
    left.collect::<Vec<_>>().join("-")
}

/// The usual number of names in a sentence.
pub(crate) const MOST_LISTED: usize = 4;

/// Returns the first of some names, for a sentence: `cat, dog, ..`.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let mut names = names.into_iter();
    let mut text = names.by_ref().take(most).map(shown).collect::<Vec<_>>().join(", ");
    if names.next().is_some() {
        text.push_str(", ..");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_folders_and_files() {
        for (name, part, rest) in [
            ("train", Some(Part::Train), ""),
            ("seg_test", Some(Part::Test), "seg"),
            ("trainingSet", Some(Part::Train), ""),
            ("Validation", Some(Part::Val), ""),
            ("dev", Some(Part::Val), ""),
            ("holdout", Some(Part::Test), ""),
            ("test_images", Some(Part::Test), ""),
            ("train-jpg", Some(Part::Train), ""),
            ("testset", Some(Part::Test), ""),
            ("t10k", Some(Part::Test), ""),
            ("bullet_train", Some(Part::Train), "bullet"),
            ("train_station", None, ""),
            ("trains", None, ""),
            ("valley", None, ""),
            ("cat", None, ""),
            ("images", None, ""),
            ("0", None, ""),
        ] {
            assert_eq!(part_of_folder(name), part, "{name}");
            let rest_of = part_in_folder(name).filter(|_| part.is_some());
            let rest_of: Vec<String> = rest_of.into_iter().flat_map(|(_, rest)| rest).collect();
            assert_eq!(rest_of.join(" "), rest, "{name}");
        }
        assert_eq!(part_of_file("digits-train").unwrap(), Some(Part::Train));
        assert_eq!(part_of_file("train_digits").unwrap(), Some(Part::Train));
        assert_eq!(part_of_file("t10k-images").unwrap(), Some(Part::Test));
        assert_eq!(part_of_file("digits").unwrap(), None);
        assert!(part_of_file("train_test").is_err());
    }

    #[test]
    fn folders_that_are_no_classes() {
        for name in ["images", "data_1", "image-data", "Archive", "images_001", "JPEGImages", "jpg"]
        {
            assert!(is_record_folder(name) && is_beside_pictures(name), "{name}");
        }
        for name in [
            "masks",
            "Annotations",
            "labels",
            "results",
            "Unlabeled",
            "unsup",
            "tmp",
            "ground_truth",
        ] {
            assert!(!is_record_folder(name) && is_beside_pictures(name), "{name}");
        }
        for name in ["label_0", "x", "y", "cat", "cat_images", "0", "猫", "unknown", "old", "trash"]
        {
            assert!(!is_record_folder(name) && !is_beside_pictures(name), "{name}");
        }
    }

    #[test]
    fn pieces_of_an_archive() {
        for names in [
            &["images_001", "images_002"][..],
            &["HAM10000_images_part_1", "HAM10000_images_part_2"],
        ] {
            assert!(are_pieces(names), "{names:?}");
        }
        for names in [
            &["x_1", "x_2"][..],
            &["cat_1", "cat_2"],
            &["cat_images", "dog_images"],
            &["images", "masks"],
        ] {
            assert!(!are_pieces(names), "{names:?}");
        }
    }

    #[test]
    fn copies_of_folders() {
        for name in
            ["cat (1)", "cat(2)", "cat - Copy", "cat - Copy (2)", "cat copy 2", "Copy of cat"]
        {
            assert_eq!(original(name), Some("cat"), "{name}");
        }
        for name in ["cat", "cat 2", "cat_1", "hard_copy", "copy", "1", "f(x)"] {
            assert_eq!(original(name), None, "{name}");
        }
        assert_eq!(original("0 (1)"), Some("0"));
    }

    #[test]
    fn sets_of_files() {
        for (stem, set) in [
            ("train", ""),
            ("digits-train", "digits"),
            ("FashionTrain", "fashion"),
            ("mnist8m_train_images", "mnist8m"),
            ("train (1)", ""),
            ("train2", ""),
            ("x_train", ""),
            ("sample_submission", "sample-submission"),
            ("arr_0", "arr"),
        ] {
            assert_eq!(set_of_file(stem), set, "{stem}");
        }
    }
}
