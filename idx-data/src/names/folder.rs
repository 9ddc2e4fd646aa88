//! The files and folders in a folder, and all those below it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::error::{At, Error, ErrorKind};
use crate::names::path::{is_clutter, is_hidden, is_picture, sort};
use crate::reading::words::is_part;
use idx_std::__private::access;
use idx_std::ErrorKind::NotARegularFile;

/// The maximum depth of nested folders.
const MAX_DEPTH: usize = 64;

/// The files and folders in a folder, each sorted by name, without hidden ones.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// Everything that is not a folder.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) folders: Vec<PathBuf>,
    /// The files among these that are pipes, devices or dangling links, which are never opened.
    pub(crate) irregular: Vec<PathBuf>,
    /// Files and folders with hidden names, such as `.git` and the `__MACOSX` of archives.
    pub(crate) hidden: Vec<PathBuf>,
}

impl Entries {
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut entries = Self::default();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let (path, name, kind) = (entry.path(), entry.file_name(), entry.file_type()?);
            // A dangling link is reported when it is opened.
            let found = path.metadata().ok().filter(|_| kind.is_symlink());
            let is_folder = kind.is_dir() || found.as_ref().is_some_and(fs::Metadata::is_dir);
            match is_folder {
                _ if is_clutter(&name) => {}
                _ if is_hidden(&name) => entries.hidden.push(path),
                true => entries.folders.push(path),
                false => {
                    let is_regular = kind.is_file() || found.is_some_and(|found| found.is_file());
                    entries.irregular.extend((!is_regular).then(|| path.clone()));
                    entries.files.push(path);
                }
            }
        }
        for paths in [&mut entries.files, &mut entries.folders, &mut entries.hidden] {
            sort(paths);
        }
        Ok(entries)
    }

    /// Returns the pictures that can be opened.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().map(PathBuf::as_path);
        files.filter(|path| is_picture(path) && !self.irregular.iter().any(|other| other == path))
    }
}

/// A folder in a tree, or its top.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// The names of the folders from the top down to it.
    pub(crate) names: Vec<String>,
    pub(crate) entries: Entries,
}

/// A folder with everything below it: each folder comes before its subfolders, which are sorted by name.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) folders: Vec<Folder>,
    /// Links to folders that are not followed.
    pub(crate) links: Vec<PathBuf>,
    /// The paths that the caller left out.
    pub(crate) left_out: Vec<PathBuf>,
}

impl Tree {
    /// Walks a folder and all folders below it.
    pub(crate) fn walk(top: &Path, leaves_out: &dyn Fn(&Path) -> bool) -> Result<Self, Error> {
        let mut tree = Self::default();
        let mut next = vec![(top.to_path_buf(), Vec::<String>::new())];
        while let Some((path, names)) = next.pop() {
            if names.len() > MAX_DEPTH {
                let message = format!(
                    "more than {MAX_DEPTH} folders are nested in each other; move the files up"
                );
                return Err(ErrorKind::unsupported(message)).at(&path);
            }
            let mut entries = Entries::read(&path).at(&path)?;
            for paths in [&mut entries.files, &mut entries.folders] {
                tree.left_out.extend(paths.extract_if(.., |path| leaves_out(path)));
            }
            // Further down, a link may lead to a folder above it.
            let follows =
                names.is_empty() || names.len() == 1 && names.iter().all(|name| is_part(name));
            // A link up here may do so, too.
            let leads_above = |link: &Path| {
                let paths = top.canonicalize().ok().zip(link.canonicalize().ok());
                paths.is_some_and(|(top, link)| top.starts_with(link))
            };
            for folder in entries.folders.iter().rev() {
                match folder.is_symlink() && (!follows || leads_above(folder)) {
                    true => tree.links.push(folder.clone()),
                    false => {
                        let name = folder.file_name().unwrap_or_default().to_string_lossy();
                        let mut names = names.clone();
                        names.push(name.into_owned());
                        next.push((folder.clone(), names));
                    }
                }
            }
            tree.folders.push(Folder { path, names, entries });
        }
        Ok(tree)
    }

    /// Returns all files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.folders.iter().flat_map(|folder| &folder.entries.files)
    }

    /// Returns a picture, if there is one.
    pub(crate) fn picture(&self) -> Option<&Path> {
        self.folders.iter().find_map(|folder| folder.entries.pictures().next())
    }
}

/// Returns the paths that exist as files. Folders do not count: Kaggle's MNIST has folders with such names.
pub(crate) fn existing(paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in paths {
        if is_file(&path)? {
            found.push(path);
        }
    }
    Ok(found)
}

/// Returns whether this is a file, and neither a folder nor missing. A pipe or device is an error: opening it may
/// block. So is a link to nothing, whose file may be on a disk that is not mounted, or not fetched yet.
pub(crate) fn is_file(path: &Path) -> Result<bool, Error> {
    match access::found(path).at(path)? {
        None if path.is_symlink() => {
            let message = "this link leads to no file; restore the file or remove the link";
            Err(ErrorKind::MissingFile(message.to_string())).at(path)
        }
        Some(found) if found.is_dir() => Ok(false),
        Some(found) if !found.is_file() => Err(ErrorKind::from(NotARegularFile)).at(path),
        found => Ok(found.is_some()),
    }
}

/// Returns the folders in which torchvision keeps the files of a data set: `raw` in this folder, and in its subfolders.
pub(crate) fn raw_folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let folders = Entries::read(folder)?.folders;
    let mut raw: Vec<_> = folders.into_iter().map(|folder| folder.join("raw")).collect();
    raw.insert(0, folder.join("raw"));
    raw.retain(|raw| raw.is_dir());
    Ok(raw)
}
