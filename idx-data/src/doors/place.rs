//! The paths by which a file is read: its own, and those of symbolic links.

use std::fs;
use std::path::{Path, PathBuf};

use crate::names::folder::folder_of;

/// Returns the paths by which a file is read, each from the root: its own, which is the first; the one to which it leads,
/// if it is a symbolic link; and the links beside these that lead to it.
pub(super) fn places(path: &Path) -> Vec<PathBuf> {
    let own = from_root(path);
    let target = |link: &PathBuf| {
        let target = fs::read_link(link).ok()?;
        Some(from_root(&link.parent()?.join(target)))
    };
    let mut places = vec![own.clone()];
    // A link may lead to a file that does not exist yet.
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

/// Returns the path of a file in the folder to which its links lead.
fn from_root(path: &Path) -> PathBuf {
    match (folder_of(path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// Returns these paths as they are, and then all others by which the files are read.
pub(super) fn with_places(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let places: Vec<_> = paths.iter().flat_map(|path| places(path)).collect();
    [paths, places].concat()
}
