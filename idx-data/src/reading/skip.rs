//! The files and folders that are left out of a tree: by an option, or because of their names.

use std::ffi::OsStr;
use std::path::Path;

use crate::answer::Column;
use crate::answer::ReadingOption;
use crate::reading::pattern::is_match;
use crate::reading::spelling::words;

/// The first words of the names of files that tell people about a data set.
const ABOUT: [&str; 5] = ["readme", "license", "licence", "citation", "changelog"];

/// Returns whether options leave out a file or folder, given its path below the input: by its name, by the end of its
/// path, or by all of it after `./`. `*` stands for anything in a name.
pub(crate) fn leaves_out(names: Option<&[Column]>, path: &Path) -> bool {
    let path = path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let path: Vec<&str> = path.split('/').collect();
    names.into_iter().flatten().any(|left_out| match left_out {
        // The name may be digits, such as that of a class.
        Column::Index(index) => path.last().is_some_and(|name| *name == index.to_string()),
        Column::Name(pattern) => {
            let (pattern, is_whole) = match pattern.strip_prefix("./") {
                Some(whole) => (whole, true),
                None => (pattern.as_str(), false),
            };
            let pattern: Vec<&str> = pattern.trim_end_matches('/').split('/').collect();
            let end = path.len().checked_sub(pattern.len()).and_then(|above| path.get(above..));
            end.filter(|end| !is_whole || end.len() == path.len()).is_some_and(|end| {
                pattern.iter().zip(end).all(|(pattern, name)| is_match(pattern, name))
            })
        }
    })
}

/// The name that says that nothing else is left out, on its own or among others.
pub(crate) const NONE: &str = "none";

/// Returns whether options leave out nothing but what they name.
pub(crate) fn keeps_others(names: Option<&[Column]>) -> bool {
    names.is_some_and(|names| names.is_empty() || names.contains(&Column::from(NONE)))
}

/// Returns whether the name of a file says that the file is about the records, or is left over from writing them.
pub(crate) fn is_clutter(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let is_about = words(stem).first().is_some_and(|word| ABOUT.contains(&word.as_str()));
    name.starts_with('_') || is_about || Path::new(name).extension() == Some(OsStr::new("md"))
}

/// Returns the option that leaves out columns besides the names that the user gives.
pub(crate) fn and_skip(
    names: Option<&[Column]>,
    columns: impl IntoIterator<Item = Column>,
) -> ReadingOption {
    let none = matches!(names, Some([])).then(|| Column::from(NONE));
    let given = names.into_iter().flatten().cloned();
    ReadingOption::Skip(none.into_iter().chain(given).chain(columns).collect())
}

/// Returns whether a file has the name of Kaggle's sample submission, which has made-up labels.
pub(crate) fn is_submission(name: &str) -> bool {
    words(name).iter().any(|word| word == "submission")
}

/// Returns the option that leaves out these names.
pub(crate) fn skip(names: impl IntoIterator<Item: AsRef<str>>) -> ReadingOption {
    // Commas separate names.
    let name = |name: &str| Column::Name(name.replace(',', "*"));
    ReadingOption::Skip(names.into_iter().map(|text| name(text.as_ref())).collect())
}

/// Returns the option that leaves out these files by their paths: a bare name would also mean files in folders.
pub(crate) fn skip_files<'a>(names: impl IntoIterator<Item = &'a str>) -> ReadingOption {
    skip(names.into_iter().map(|name| format!("./{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_paths_and_patterns() {
        let names =
            ["masks", "a/b.csv", "*.heic", "./*.bmp", "./x/*.gif", "below/", "a*/y*", "7", "00"];
        let names = names.map(|name| name.parse().unwrap());
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
            ("a.bmp", true),
            ("c/a.bmp", false),
            ("x/a.gif", true),
            ("a.gif", false),
            ("c/x/a.gif", false),
            ("c/below", true),
            ("c/ab/yz", true),
            ("ab/c/yz", false),
            ("7", true),
            ("c/7", true),
            ("c/07", false),
            ("17", false),
            ("00", true),
            ("0", false),
        ] {
            assert_eq!(leaves_out(Some(&names), Path::new(path)), expected, "{path}");
        }
        assert!(!leaves_out(None, Path::new("a")) && !leaves_out(Some(&[]), Path::new("a")));
    }

    /// Failed before: one option left out both.
    #[test]
    fn a_number_is_not_another_one_with_zeros() {
        for (given, left_out, read) in [("1", "a/1", "a/01"), ("01", "a/01", "a/1")] {
            let names = [given.parse().unwrap()];
            assert!(leaves_out(Some(&names), Path::new(left_out)), "{given}");
            assert!(!leaves_out(Some(&names), Path::new(read)), "{given}");
        }
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
