//! Names in a folder of pictures: which are pictures, and which have the labels.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::error::{At, Error, ErrorKind};
use idx_std::__private::access;
use idx_std::ErrorKind::NotARegularFile;

/// The labels of the pictures in a folder.
pub(crate) const LABELS: &str = "labels.csv";

/// The extensions of pictures.
const PICTURES: [&str; 8] = ["png", "jpg", "jpeg", "bmp", "gif", "tif", "tiff", "webp"];

/// Whether a file has the name of a picture.
pub(crate) fn is_picture(path: &Path) -> bool {
    PICTURES.into_iter().any(|extension| has_extension(path, extension))
}

/// Whether a name in a folder is hidden by the system or by editors, or one of those that macOS adds to archives.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name == "__MACOSX"
}

/// The files and folders in a folder, each sorted by name, without hidden ones.
#[derive(Default)]
pub(crate) struct Entries {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) folders: Vec<PathBuf>,
}

impl Entries {
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut entries = Self::default();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            match kind.is_dir() || kind.is_symlink() && path.is_dir() {
                _ if is_hidden(&entry.file_name()) => {}
                true => entries.folders.push(path),
                false => entries.files.push(path),
            }
        }
        sort(&mut entries.files);
        sort(&mut entries.folders);
        Ok(entries)
    }

    /// A picture in this folder.
    pub(crate) fn picture(&self) -> Option<&Path> {
        self.files.iter().map(PathBuf::as_path).find(|path| is_picture(path))
    }
}

/// Those of these files that exist. A folder is none of them: Kaggle's MNIST has folders of such names.
pub(crate) fn existing(paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in paths {
        if is_file(&path)? {
            found.push(path);
        }
    }
    Ok(found)
}

/// Whether this is a file, and not a folder or missing. A pipe or a device is an error: it would be waited for.
fn is_file(path: &Path) -> Result<bool, Error> {
    match access::found(path).at(path)? {
        Some(found) if found.is_dir() => Ok(false),
        Some(found) if !found.is_file() => Err(ErrorKind::from(NotARegularFile)).at(path),
        found => Ok(found.is_some()),
    }
}

/// The folders in which torchvision keeps the files of a data set: `raw` in this folder, or in the folders in it.
pub(crate) fn raw_folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let folders = Entries::read(folder)?.folders;
    let mut raw: Vec<_> = folders.into_iter().map(|folder| folder.join("raw")).collect();
    raw.insert(0, folder.join("raw"));
    raw.retain(|raw| raw.is_dir());
    Ok(raw)
}

/// The files of Parquet in a folder, sorted by name. Cluster engines skip hidden files as well: these are not finished.
pub(crate) fn shards(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut shards = Vec::new();
    for entry in fs::read_dir(folder).at(folder)? {
        let entry = entry.at(folder)?;
        let name = entry.file_name();
        let is_hidden = matches!(name.as_encoded_bytes(), [b'.' | b'_', ..]);
        let is_shard = has_extension(Path::new(&name), "parquet") && !is_hidden;
        if is_shard && is_file(&entry.path())? {
            shards.push(entry.path());
        }
    }
    sort(&mut shards);
    Ok(shards)
}

pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Sorts the paths of one folder by name, with 9.png before 10.png.
pub(crate) fn sort(paths: &mut [PathBuf]) {
    paths.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default();
        (natural_key(name), name.to_owned())
    });
}

/// Bytes in the order of the names: numbers come first, ordered by value. Names need not be UTF-8.
pub(crate) fn natural_key(name: &OsStr) -> Vec<u8> {
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
