use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::term::failure::Failure as Stop;

/// Refuses to write into a folder with files.
pub(crate) fn refuse_to_replace(path: &Path) -> Result<(), Stop> {
    let mut entries = fs::read_dir(path).into_iter().flatten();
    match entries.next() {
        Some(_) => Err(Stop::file(
            path,
            "the folder is not empty; name another one, or replace its files with --force",
        )),
        None => Ok(()),
    }
}

/// A folder that appears under its name when all its files are there.
pub(crate) struct NewFolder {
    path: PathBuf,
    /// Beside it, or within it if it is there.
    folder: TempDir,
}

impl NewFolder {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let mut prefix = OsString::from(".");
        prefix.push(path.file_name().unwrap_or_default());
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for a folder that is made by mkdir; the process's umask applies to both.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let folder = match path.parent() {
            _ if path.is_dir() => builder.tempdir_in(path),
            Some(parent) if !parent.as_os_str().is_empty() => builder.tempdir_in(parent),
            _ => builder.tempdir_in("."),
        };
        Ok(Self {
            path: path.to_path_buf(),
            // The words of the system without the name of this folder, which nobody asked for.
            folder: folder.map_err(|error| io::Error::from(error.kind()))?,
        })
    }

    /// Where to write a file of this name.
    pub(crate) fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Makes the files appear in place of those that are `replaced`.
    pub(crate) fn finish(self, replaced: impl Fn(&Path) -> bool) -> io::Result<()> {
        if !self.path.is_dir() {
            return fs::rename(self.folder.keep(), &self.path);
        }
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if replaced(&path) {
                fs::remove_file(path)?;
            }
        }
        for entry in fs::read_dir(self.folder.path())? {
            let entry = entry?;
            fs::rename(entry.path(), self.path.join(entry.file_name()))?;
        }
        Ok(())
    }
}

/// Sorts by the names, in which 9.png comes before 10.png.
pub(crate) fn sort(paths: &mut [PathBuf]) {
    paths.sort_by(|one, other| order(one).cmp(&order(other)).then_with(|| one.cmp(other)));
}

fn order(path: &Path) -> Vec<(bool, usize, &[u8])> {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let parts = name.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
    let key = parts.map(|part| {
        if part.first().is_some_and(u8::is_ascii_digit) {
            let zeros = part.iter().take_while(|digit| **digit == b'0').count();
            let number = part.get(zeros..).unwrap_or_default();
            (false, number.len(), number)
        } else {
            (true, 0, part)
        }
    });
    key.collect()
}
