//! The rules for a single name of a file or folder: its extensions, whether it is hidden, and the order of names.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The extensions of pictures.
const PICTURES: [&str; 9] = ["png", "jpg", "jpeg", "jfif", "bmp", "gif", "tif", "tiff", "webp"];

/// Returns whether a file has the extension of a picture.
pub(crate) fn is_picture(path: &Path) -> bool {
    has_extension_of(path, &PICTURES)
}

/// The extensions of picture formats that are not read, though such a file may belong to the data. The middle ones are
/// of cameras.
const UNREAD_PICTURES: [&str; 28] = [
    "heic", "heif", "avif", "jxl", "jp2", "pgm", "ppm", "pbm", "pnm", "tga", "ico", "psd", "xcf",
    "exr", //
    "dng", "cr2", "cr3", "nef", "arw", "orf", "rw2", "raf", "pef", "srw", //
    "svg", "pdf", "eps", "ps",
];

/// Returns whether a file has the extension of a picture that cannot be read.
pub(crate) fn is_unread_picture(path: &Path) -> bool {
    has_extension_of(path, &UNREAD_PICTURES)
}

/// The files that macOS and Windows leave in folders that somebody has opened.
const CLUTTER: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// The folders that macOS adds to archives, and Synology to folders of pictures.
const HIDDEN: [&str; 2] = ["__MACOSX", "@eaDir"];

/// Returns whether a name is that of clutter, which is neither read nor reported.
pub(super) fn is_clutter(name: &OsStr) -> bool {
    CLUTTER.into_iter().any(|clutter| name == clutter)
}

/// Returns whether files and folders with this name are hidden.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    let is_named = || HIDDEN.into_iter().any(|hidden| name == hidden);
    name.as_encoded_bytes().starts_with(b".") || is_named()
}

/// Returns whether pictures in a folder of this name are read.
pub(crate) fn is_read(name: &str) -> bool {
    !is_clutter(name.as_ref()) && !is_hidden(name.as_ref())
}

/// Returns the deepest folder that contains all of these folders, or is one of them.
pub(crate) fn common_folder(folders: &[&Path]) -> PathBuf {
    let mut above = folders.first().into_iter().flat_map(|folder| folder.ancestors());
    let is_common = |above: &&Path| folders.iter().all(|folder| folder.starts_with(above));
    above.find(is_common).unwrap_or(Path::new("")).to_path_buf()
}

/// Returns the folder of a path: `.` for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Returns the path without a final `.gz`: what remains says what is compressed.
pub(crate) fn without_gz(path: &Path) -> &Path {
    let stem = path.file_stem().filter(|_| has_extension(path, "gz"));
    stem.map_or(path, Path::new)
}

pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    has_extension_of(path, &[extension])
}

/// Returns whether a path has one of these extensions, in any case.
pub(crate) fn has_extension_of(path: &Path, extensions: &[&str]) -> bool {
    let is_of = |found: &OsStr| extensions.iter().any(|one| found.eq_ignore_ascii_case(one));
    path.extension().is_some_and(is_of)
}

/// Sorts the paths in one folder by name, with 9.png before 10.png.
pub(super) fn sort(paths: &mut [PathBuf]) {
    paths.sort_by_cached_key(|path| {
        let name = path.file_name().unwrap_or_default();
        (natural_key(name), name.as_encoded_bytes().to_vec())
    });
}

/// Returns a sort key for a name: numbers come before text, ordered by value. Names need not be UTF-8.
pub(crate) fn natural_key(name: &OsStr) -> Vec<u8> {
    let name = name.as_encoded_bytes();
    let mut key = Vec::with_capacity(2 * name.len());
    for part in name.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit()) {
        if part.first().is_some_and(u8::is_ascii_digit) {
            let zeros = part.iter().take_while(|digit| **digit == b'0').count();
            let number = part.get(zeros..).unwrap_or_default();
            // A zero byte, which no name has, sorts before all text; of two numbers, the shorter one is smaller.
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
