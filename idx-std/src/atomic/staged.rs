//! Outputs that are complete and synced, and wait for their names.

use std::fs::{self, File, Permissions};
use std::io::{self, Seek};
use std::path::{Path, PathBuf};

use crate::atomic::hidden::{Hidden, HiddenFolder, name_beside};
use crate::atomic::place::{at, is_there, rename_new};
use crate::atomic::unnamed;
use crate::error::Error;

/// A complete output that has not appeared yet. Dropping it removes it.
#[derive(Debug)]
#[must_use = "it appears under its name only when it is committed"]
pub struct Staged(Complete);

#[derive(Debug)]
enum Complete {
    /// A file that gets no name, but is copied to a pipe or device.
    Stream {
        file: File,
        stream: File,
        path: PathBuf,
    },
    Pending(Pending),
}

impl Staged {
    pub(super) fn stream(file: File, stream: File, path: PathBuf) -> Self {
        Self(Complete::Stream { file, stream, path })
    }

    pub(super) fn output(
        path: PathBuf,
        place: PathBuf,
        create_new: bool,
        content: NewContent,
    ) -> Self {
        let (is_named, old) = (false, None);
        Self(Complete::Pending(Pending { path, place, create_new, content, is_named, old }))
    }

    /// Returns the file to read its bytes from the start, instead of giving it its name.
    ///
    /// # Errors
    ///
    /// An error of the system.
    pub fn into_content(self) -> io::Result<File> {
        let mut file = match self.0 {
            Complete::Stream { file, .. }
            | Complete::Pending(Pending { content: NewContent::Unnamed(file), .. }) => file,
            Complete::Pending(Pending { content: NewContent::HiddenFile(hidden), .. }) => {
                File::open(hidden.path())?
            }
            Complete::Pending(_) => return Err(io::ErrorKind::IsADirectory.into()),
        };
        file.rewind()?;
        Ok(file)
    }

    /// Returns an output that gets a name; a stream is copied to its destination, and the result is `None`.
    pub(super) fn into_output(self) -> Result<Option<Pending>, Error> {
        match self.0 {
            Complete::Pending(output) => Ok(Some(output)),
            Complete::Stream { mut file, mut stream, path } => {
                let copied = file.rewind().and_then(|()| io::copy(&mut file, &mut stream));
                copied.map(|_| None).map_err(|error| at(&path, error))
            }
        }
    }
}

/// A complete and synced file or folder that is about to get its name.
#[derive(Debug)]
pub(super) struct Pending {
    /// The path as the caller gave it.
    pub(super) path: PathBuf,
    pub(super) place: PathBuf,
    create_new: bool,
    content: NewContent,
    /// True if it has its name.
    is_named: bool,
    /// The hidden name of the file that it replaces.
    pub(super) old: Option<PathBuf>,
}

#[derive(Debug)]
pub(super) enum NewContent {
    Unnamed(File),
    HiddenFile(Hidden),
    /// A folder, and the permissions of the empty one at its place.
    Folder {
        files: HiddenFolder,
        old: Option<Permissions>,
    },
}

impl Pending {
    /// Returns its place, if it has its name.
    pub(super) fn named(&self) -> Option<&Path> {
        self.is_named.then_some(&*self.place)
    }

    /// Takes one of the steps below, and adds the path to its error.
    pub(super) fn step(&mut self, take: fn(&mut Self) -> io::Result<()>) -> Result<(), Error> {
        take(self).map_err(|error| at(&self.path, error))
    }

    /// Gives the output its name, replacing an old file in the same step.
    pub(super) fn replace(&mut self) -> io::Result<()> {
        match self.appear() {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !self.create_new => {}
            appeared => return appeared,
        }
        // No system replaces a file with an unnamed one, so it gets a hidden name first.
        if let NewContent::Unnamed(file) = &self.content {
            let hidden = Hidden::make(&self.place, |path| unnamed::link(file, path))?.1;
            self.content = NewContent::HiddenFile(hidden);
        }
        if let NewContent::HiddenFile(hidden) = &self.content {
            fs::rename(hidden.path(), &self.place)?;
            self.is_named = true;
        }
        Ok(())
    }

    /// Checks that the output may still take its name.
    pub(super) fn check(&mut self) -> io::Result<()> {
        match (fs::symlink_metadata(&self.place), &self.content) {
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            (Err(error), _) => Err(error),
            // The system replaces only an empty folder.
            (Ok(found), NewContent::Folder { .. }) if found.is_dir() => Ok(()),
            (Ok(found), _) if found.is_file() && !self.create_new => Ok(()),
            (Ok(_), _) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    /// Moves an old file aside, to a hidden name.
    pub(super) fn set_aside(&mut self) -> io::Result<()> {
        if !self.create_new && is_there(&self.place) {
            let renamed = name_beside(&self.place, ".old", |old| rename_new(&self.place, old));
            self.old = Some(renamed?.1);
        }
        Ok(())
    }

    /// Gives the output its name, which only an empty folder may have already.
    pub(super) fn appear(&mut self) -> io::Result<()> {
        match &self.content {
            NewContent::Unnamed(file) => unnamed::link(file, &self.place),
            NewContent::HiddenFile(hidden) => rename_new(hidden.path(), &self.place),
            NewContent::Folder { files, .. } => fs::rename(files.path(), &self.place),
        }?;
        self.is_named = true;
        Ok(())
    }

    /// Takes its name away again.
    pub(super) fn disappear(&mut self) -> io::Result<()> {
        match &self.content {
            _ if !self.is_named => {}
            NewContent::Unnamed(_) | NewContent::HiddenFile(_) => fs::remove_file(&self.place)?,
            NewContent::Folder { files, old } => {
                fs::rename(&self.place, files.path())?;
                if let Some(old) = old {
                    fs::create_dir(&self.place)?;
                    fs::set_permissions(&self.place, old.clone())?;
                }
            }
        }
        self.is_named = false;
        Ok(())
    }

    /// Moves the old file back.
    pub(super) fn put_back(&mut self) -> io::Result<()> {
        if let Some(old) = &self.old {
            rename_new(old, &self.place)?;
            self.old = None;
        }
        Ok(())
    }

    pub(super) fn remove_old(&mut self) -> io::Result<()> {
        if let Some(old) = &self.old {
            fs::remove_file(old)?;
            self.old = None;
        }
        Ok(())
    }

    /// Keeps the output, if it has its name.
    pub(super) fn keep(self) {
        match self.content {
            NewContent::HiddenFile(hidden) if self.is_named => hidden.keep(),
            NewContent::Folder { files, .. } if self.is_named => files.keep(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an output of each kind with a hidden name, and that name.
    fn outputs(folder: &Path) -> io::Result<[(Pending, PathBuf); 2]> {
        let pending = |name: &str, content, hidden: &Path| {
            let place = folder.join(name);
            let (is_named, old) = (false, None);
            let path = place.clone();
            let pending = Pending { path, place, create_new: true, content, is_named, old };
            (pending, hidden.to_path_buf())
        };
        let (_, hidden) = Hidden::make(&folder.join("file"), |path| File::create_new(path))?;
        let files = HiddenFolder::create(&folder.join("folder"))?;
        let [name, name_of_folder] = [hidden.path().to_path_buf(), files.path().to_path_buf()];
        Ok([
            pending("file", NewContent::HiddenFile(hidden), &name),
            pending("folder", NewContent::Folder { files, old: None }, &name_of_folder),
        ])
    }

    /// Once an output has its name, the hidden one is free, and what has it then belongs to somebody else.
    #[test]
    fn only_what_has_no_other_name_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        for (mut output, hidden) in outputs(folder.path()).unwrap() {
            output.appear().unwrap();
            fs::write(&hidden, "of somebody else").unwrap();
            let place = output.place.clone();
            output.keep();
            assert!(hidden.exists() && place.exists(), "{}", place.display());
            fs::remove_file(hidden).unwrap();
            if place.is_dir() { fs::remove_dir(place) } else { fs::remove_file(place) }.unwrap();
        }
        for (output, hidden) in outputs(folder.path()).unwrap() {
            output.keep();
            assert!(!hidden.exists(), "{}", hidden.display());
        }
    }
}
