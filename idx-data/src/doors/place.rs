//! The paths that lead to a file: its own, and those of symbolic links.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::names::path::folder_of;

/// Returns the absolute paths that lead to a file: first its own; then its target, if it is a symbolic link; then the
/// links to it in the folders of both.
pub(super) fn places(path: &Path) -> Vec<PathBuf> {
    let own = from_root(path);
    let target = |link: &PathBuf| {
        let target = fs::read_link(link).ok()?;
        Some(from_root(&link.parent()?.join(target)))
    };
    let mut places = vec![own.clone()];
    // A link may point to a file that does not exist yet.
    let Some(led) = own.canonicalize().ok().or_else(|| target(&own)) else {
        return places;
    };
    let own_folder = own.parent().filter(|folder| Some(*folder) != led.parent());
    let folders = [own_folder, led.parent()].into_iter().flatten();
    let entries = folders.filter_map(|folder| folder.read_dir().ok()).flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    let links: Vec<_> = links
        .map(|link| link.path())
        .filter(|link| link.canonicalize().is_ok_and(|found| found == led))
        .collect();
    for place in [led].into_iter().chain(links) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Resolves the links in the folder of a path, but not its last name.
fn from_root(path: &Path) -> PathBuf {
    match (folder_of(path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// Returns these paths as they are, followed by all paths that lead to the files.
pub(super) fn with_places(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let places: Vec<_> = paths.iter().flat_map(|path| places(path)).collect();
    [paths, places].concat()
}

/// Returns the path for comparison with others: with its last name in lower case if its folder ignores case.
pub(super) fn spelled(path: &Path) -> PathBuf {
    match ignores_case(folder_of(path)) {
        true => lowercased(path),
        false => path.to_path_buf(),
    }
}

/// Returns whether this folder ignores case in names, as by default on Windows and macOS. In a folder without files it
/// does not matter.
pub(super) fn ignores_case(folder: &Path) -> bool {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut spellings = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let [lower, upper] = [name.to_ascii_lowercase(), name.to_ascii_uppercase()];
        let other = if name == lower { upper } else { lower };
        (name != other).then(|| [entry.path(), folder.join(other)])
    });
    spellings.next().is_some_and(|[one, other]| are_one_file(&one, &other).unwrap_or_default())
}

/// Returns the path with its last name in lower case.
pub(super) fn lowercased(path: &Path) -> PathBuf {
    let name = path.file_name().and_then(OsStr::to_str);
    name.map_or_else(|| path.to_path_buf(), |name| path.with_file_name(name.to_ascii_lowercase()))
}

#[cfg(unix)]
fn are_one_file(one: &Path, other: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let [one, other] = [fs::symlink_metadata(one)?, fs::symlink_metadata(other)?];
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// A canonical path has the case that the folder stores.
#[cfg(not(unix))]
fn are_one_file(one: &Path, other: &Path) -> io::Result<bool> {
    Ok(one.canonicalize()? == other.canonicalize()?)
}
