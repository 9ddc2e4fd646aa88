//! The files and folders that are left out of a tree: by an option, or because of their names.

use std::ffi::OsStr;
use std::path::Path;

use crate::answer::Column;
use crate::answer::ReadingOption;
use crate::reading::pattern::is_match;
use crate::reading::spelling::words;

/// The first words of the names of files that tell people about a data set.
const ABOUT: [&str; 5] = ["readme", "license", "licence", "citation", "changelog"];

/// Returns whether options leave out a file or folder, by its name or by its path from a folder of the tree on, in which
/// `*` stands for anything.
pub(crate) fn leaves_out(names: Option<&[Column]>, path: &Path) -> bool {
    let text = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let below = text.match_indices('/').filter_map(|(at, _)| text.get(at + 1..));
    let ends: Vec<&str> = below.chain([&*text]).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    names.into_iter().flatten().any(|left_out| match left_out {
        // A name of digits, such as that of a class.
        Column::Index(index) => name.parse() == Ok(*index),
        Column::Name(pattern) => ends.iter().any(|end| is_match(pattern, end)),
    })
}

/// Returns whether the name of a file says that the file is about the records, or is left over from writing them.
pub(crate) fn is_clutter(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let is_about = words(stem).first().is_some_and(|word| ABOUT.contains(&word.as_str()));
    name.starts_with('_') || is_about || Path::new(name).extension() == Some(OsStr::new("md"))
}

/// Returns the option that leaves out these names.
pub(crate) fn skip(names: impl IntoIterator<Item: AsRef<str>>) -> ReadingOption {
    // Commas are between names.
    let name = |name: &str| Column::Name(name.replace(',', "*"));
    ReadingOption::Skip(names.into_iter().map(|text| name(text.as_ref())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_paths_and_patterns() {
        let names = ["masks", "a/b.csv", "*.heic"].map(|name| Column::Name(name.to_string()));
        let names = [&names[..], &[Column::Index(7)]].concat();
        for (path, expected) in [
            ("masks", true),
            ("train/masks", true),
            ("masks2", false),
            ("a/b.csv", true),
            ("b.csv", false),
            ("c/b.csv", false),
            ("c/a/b.csv", true),
            ("ca/b.csv", false),
            ("c/x.heic", true),
            ("7", true),
            ("c/07", true),
            ("17", false),
        ] {
            assert_eq!(leaves_out(Some(&names), Path::new(path)), expected, "{path}");
        }
        assert!(!leaves_out(None, Path::new("a")) && !leaves_out(Some(&[]), Path::new("a")));
    }

    #[test]
    fn names_of_files_that_are_no_records() {
        for name in
            ["README", "readme.txt", "README.md", "notes.md", "LICENSE", "_SUCCESS", "CITATION.cff"]
        {
            assert!(is_clutter(name), "{name}");
        }
        for name in ["train.csv", "read.csv", "labels.csv", "md", "cat.png"] {
            assert!(!is_clutter(name), "{name}");
        }
    }
}
