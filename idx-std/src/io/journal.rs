//! Renames several files one after the other, so that after a crash in between the rest can be completed.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::disk;
use super::target::{parent, prefix_of};

/// The start of a journal, an explanation for people who find one.
const START: &[u8] =
    b"A command was stopped while it gave files their names; `idx repair` completes it.\n\0";

/// The maximum size in bytes, since a journal may be untrusted: the paths of many thousand files.
const MAX_SIZE: usize = 4 << 20;

/// In a folder of new files: those before them go first.
const REPLACE: &str = ".replace";

/// A file or folder under a temporary name, and the path that it gets.
#[derive(Debug)]
pub(super) struct Move {
    pub(super) from: PathBuf,
    pub(super) to: PathBuf,
    /// Whether the file must not replace another one.
    pub(super) create_new: bool,
}

impl Move {
    /// Whether it adds the files of a folder to another one.
    pub(super) fn is_merge(&self) -> bool {
        self.from.is_dir() && self.to.is_dir()
    }

    /// Makes a merge remove what it replaces.
    pub(super) fn mark(&self) -> io::Result<()> {
        File::create(self.from.join(REPLACE))?.sync_all()
    }

    /// Makes the move, or completes one that was interrupted.
    pub(super) fn make(&self, is_replaced: fn(&Path) -> bool) -> io::Result<()> {
        if self.is_merge() {
            let mark = self.from.join(REPLACE);
            if mark.exists() {
                remove_replaced(&self.to, is_replaced)?;
                fs::remove_file(mark)?;
            }
            merge(&self.from, &self.to)?;
            return disk::sync_folder(&self.to);
        }
        match self.create_new && self.from.is_file() {
            true => rename_new(&self.from, &self.to)?,
            false => fs::rename(&self.from, &self.to)?,
        }
        disk::sync_folder(parent(&self.to))
    }

    /// Undoes the move, if it replaced nothing.
    pub(super) fn take_back(&self) -> io::Result<()> {
        match self.create_new {
            true => rename_new(&self.to, &self.from),
            false => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    /// Whether its temporary name is one for its path: a journal may be untrusted.
    fn is_sound(&self) -> bool {
        let folder = self.from.parent();
        let within = folder == Some(self.to.as_path());
        let name = self.from.file_name().unwrap_or_default();
        let name = name.as_encoded_bytes();
        (within || folder == Some(parent(&self.to)))
            && name.starts_with(prefix_of(&self.to).as_encoded_bytes())
            && name.ends_with(b".tmp")
    }
}

/// Where a file would be replaced that is not `is_replaced`.
pub(super) fn conflict(
    from: &Path,
    to: &Path,
    is_replaced: fn(&Path) -> bool,
) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        match entry.path().is_dir() && there.is_dir() {
            true => {
                if let Some(conflict) = conflict(&entry.path(), &there, is_replaced)? {
                    return Ok(Some(conflict));
                }
            }
            false if fs::symlink_metadata(&there).is_ok() && !is_replaced(&there) => {
                return Ok(Some(there));
            }
            false => {}
        }
    }
    Ok(None)
}

/// Removes the files of a folder and of its folders that are replaced, and folders that become empty.
fn remove_replaced(folder: &Path, is_replaced: fn(&Path) -> bool) -> io::Result<()> {
    // All are checked first, because some are recognised only with the help of others.
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    let is_hidden = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()? {
            found if found.is_dir() && !is_hidden(&entry.path()) => folders.push(entry.path()),
            found if found.is_file() && is_replaced(&entry.path()) => files.push(entry.path()),
            _ => {}
        }
    }
    for inner in folders {
        let mut replaced = Vec::new();
        for entry in fs::read_dir(&inner)? {
            let entry = entry?;
            if entry.file_type()?.is_file() && is_replaced(&entry.path()) {
                replaced.push(entry.path());
            }
        }
        for file in &replaced {
            fs::remove_file(file)?;
        }
        if !replaced.is_empty() {
            // It stays if something else is in it.
            let _ = fs::remove_dir(&inner);
        }
    }
    files.iter().try_for_each(fs::remove_file)
}

/// Moves the files of one folder to another, in which these names are free, and removes the first folder.
fn merge(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true if target.is_dir() => merge(&entry.path(), &target)?,
            true => fs::rename(entry.path(), target)?,
            false => rename_new(&entry.path(), &target)?,
        }
    }
    fs::remove_dir(from)
}

/// Renames a file to a name that is free.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        return match fs::symlink_metadata(to) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        };
    }
    let renamed = TempPath::try_from_path(from)?.persist_noclobber(to);
    renamed.map_err(|error| {
        // It would be removed.
        let _ = error.path.keep();
        error.error
    })
}

/// The moves of a command, kept on the disk until all are made.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
}

impl Journal {
    /// Writes the moves to the disk; the path of the first one leads to the journal.
    pub(super) fn write(moves: &[Move]) -> io::Result<Self> {
        let first = moves.first().map_or(Path::new(""), |first| &first.to);
        let mut bytes = START.to_vec();
        for Move { from, to, create_new } in moves {
            for path in [from, to] {
                bytes.extend(std::path::absolute(path)?.as_os_str().as_encoded_bytes());
                bytes.push(0);
            }
            bytes.extend(if *create_new { b"new\0" } else { b"any\0" });
        }
        bytes.push(0); // an empty path ends the list
        if bytes.len() > MAX_SIZE {
            let message = "the paths of all files take more than 4 MiB; write fewer files together";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let path = within(first).unwrap_or_else(|| beside(first));
        let mut file = tempfile::Builder::new()
            .prefix(&prefix_of(first))
            .suffix(".tmp")
            .tempfile_in(parent(&path))?;
        file.write_all(&bytes)?;
        file.as_file().sync_all()?;
        file.persist_noclobber(&path)?;
        disk::sync_folder(parent(&path))?;
        Ok(Self { path })
    }

    /// The journal of a command that was stopped while it wrote this path.
    pub(super) fn find(path: &Path) -> Option<Self> {
        let mut paths = [within(path), Some(beside(path))].into_iter().flatten();
        let path = paths.find(|path| path.is_file())?;
        Some(Self { path })
    }

    /// The moves that were not made yet.
    pub(super) fn read(&self) -> io::Result<Vec<Move>> {
        let mut bytes = Vec::new();
        File::open(&self.path)?.take(MAX_SIZE as u64).read_to_end(&mut bytes)?;
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "not a list of files to rename");
        let mut parts = bytes.strip_prefix(START).ok_or_else(wrong)?;
        let mut next = || {
            let end = parts.iter().position(|byte| *byte == 0)?;
            let (part, rest) = parts.split_at_checked(end)?;
            parts = rest.get(1..)?;
            Some(part)
        };
        let mut moves = Vec::new();
        loop {
            let from = next().ok_or_else(wrong)?;
            if from.is_empty() {
                break;
            }
            let (to, kind) = next().zip(next()).ok_or_else(wrong)?;
            let (from, to) = path_of(from).zip(path_of(to)).ok_or_else(wrong)?;
            let create_new = kind == b"new";
            let moved = Move { from, to, create_new };
            if !moved.is_sound() {
                return Err(wrong());
            }
            moves.push(moved);
        }
        moves.retain(|moved| fs::symlink_metadata(&moved.from).is_ok());
        Ok(moves)
    }

    pub(super) fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)?;
        disk::sync_folder(parent(&self.path))
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;

    Some(std::ffi::OsStr::from_bytes(bytes).into())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The place of a journal in a folder that exists.
fn within(path: &Path) -> Option<PathBuf> {
    path.is_dir().then(|| path.join(".idx.unfinished"))
}

/// The place of a journal beside a path.
fn beside(path: &Path) -> PathBuf {
    let mut name = prefix_of(path);
    name.push("unfinished");
    parent(path).join(name)
}
