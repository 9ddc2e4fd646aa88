use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The labels of the pictures in a folder.
#[cfg(feature = "pictures")]
pub(super) const LABELS: &str = "labels.csv";

/// The names of classes, in a folder of pictures or beside labels.
pub(super) const CLASSES: &str = "classes.txt";

/// The files with this extension, sorted by name.
pub(super) fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if has_extension(Path::new(&entry.file_name()), extension) && !entry.path().is_dir() {
            files.push(entry.path());
        }
    }
    sort(&mut files);
    Ok(files)
}

pub(super) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Sorts the paths of one folder by name, with 9.png before 10.png.
pub(super) fn sort(paths: &mut [PathBuf]) {
    paths.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default();
        (natural_key(name), name.to_owned())
    });
}

/// Bytes in the order of the names: numbers come first, ordered by value. Names need not be UTF-8.
fn natural_key(name: &OsStr) -> Vec<u8> {
    let name = name.as_encoded_bytes();
    let mut key = Vec::with_capacity(2 * name.len());
    for part in name.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit()) {
        if part.first().is_some_and(u8::is_ascii_digit) {
            let zeros = part.iter().take_while(|digit| **digit == b'0').count();
            let number = part.get(zeros..).unwrap_or_default();
            // A zero, which no name has, is before all text; of two numbers the shorter one is smaller.
            key.push(0);
            key.extend((number.len() as u64).to_be_bytes());
            key.extend(number);
        } else {
            key.extend(part);
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_in_their_order() {
        let sorted = [
            "1", "1.png", "09.png", "9.png", "10.png", "a", "a2.png", "a2b", "a2b3", "a10.png",
            "a.png", "b.png",
        ];
        let mut paths: Vec<PathBuf> = sorted.iter().rev().map(PathBuf::from).collect();
        sort(&mut paths);
        assert_eq!(paths, sorted.map(PathBuf::from));
    }
}
