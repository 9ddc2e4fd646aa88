//! Makes several outputs appear together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::atomic::disk::{Folder, is_locked_by_another};
use crate::atomic::hidden::hold_signals;
use crate::atomic::place::{at, location, parent};
use crate::atomic::staged::{Pending, Staged};
use crate::error::{Error, ErrorKind};

/// The maximum time to wait for another command that commits to the same folders.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The time between two attempts.
const STEP: Duration = Duration::from_millis(10);

/// Makes outputs appear under their names: records, and the files that belong to them, labels before class names.
///
/// Whenever the process or the machine stops, the disk has the old files, the new ones, or no records: old records
/// disappear first, and new ones appear after everything else, the first of them last. A hidden file may be left for
/// each output.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = |name| folder.path().join(name);
/// use std::io::Write;
/// use idx_std::AtomicFile;
/// use idx_std::__private::commit;
///
/// let mut images = AtomicFile::create(path("images"))?;
/// let mut labels = AtomicFile::create(path("labels"))?;
/// images.write_all(b"1")?;
/// labels.write_all(b"2")?;
/// commit([images.stage()?], [labels.stage()?])?;
/// assert_eq!(std::fs::read(path("labels"))?, b"2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// An error of the system ([`ErrorKind::Io`]), and two outputs in one place ([`same_output`](ErrorKind::code)), which
/// leave all files as they were; an error of the system after which they cannot be restored
/// ([`left_over`](ErrorKind::code)).
pub fn commit(
    records: impl IntoIterator<Item = Staged>,
    beside: impl IntoIterator<Item = Staged>,
) -> Result<(), Error> {
    let mut outputs = to_name(records)?;
    let record_count = outputs.len();
    outputs.extend(to_name(beside)?);
    expect_apart(&outputs)?;
    let folders = folders(&outputs)?;
    if outputs.len() > 1 {
        lock(&folders);
    }
    let _held = hold_signals();
    let done = match &mut *outputs {
        [only] => only.step(Pending::replace).and_then(|()| sync(&folders)),
        all => match name_all(all, record_count, &folders) {
            Ok(()) => remove_old(all),
            Err(error) => Err(undo(all, &folders, error)),
        },
    };
    outputs.into_iter().for_each(Pending::keep);
    done
}

impl Staged {
    /// Makes the output appear under its name, synced to the disk.
    ///
    /// # Errors
    ///
    /// The errors of [`commit`].
    pub fn commit(self) -> Result<(), Error> {
        commit([self], [])
    }
}

/// Copies streams to their destinations, and returns the other outputs, which get names.
fn to_name(staged: impl IntoIterator<Item = Staged>) -> Result<Vec<Pending>, Error> {
    staged.into_iter().filter_map(|staged| staged.into_output().transpose()).collect()
}

fn expect_apart(outputs: &[Pending]) -> Result<(), Error> {
    let mut places = BTreeSet::new();
    match outputs.iter().find(|output| !places.insert(location(&output.place))) {
        None => Ok(()),
        Some(output) => Err(Error::from(ErrorKind::SameOutput).with_path(&output.path)),
    }
}

/// A folder, and the path of an output in it.
type Named = (Folder, PathBuf);

/// Returns the folders of the outputs, each once, in the same order for all commands.
fn folders(outputs: &[Pending]) -> Result<Vec<Named>, Error> {
    let mut folders = BTreeMap::new();
    for output in outputs {
        let opened = Folder::open(parent(&output.place)).map_err(|error| at(&output.path, error));
        if let Some(folder) = opened? {
            folders.entry(folder.identity).or_insert((folder, output.path.clone()));
        }
    }
    Ok(folders.into_values().collect())
}

/// Locks these folders, waiting for other commands for at most [`MAX_WAIT`].
fn lock(folders: &[Named]) {
    let end = Instant::now() + MAX_WAIT;
    for (folder, _) in folders {
        while is_locked_by_another(&folder.file) && Instant::now() < end {
            thread::sleep(STEP);
        }
    }
}

fn sync(folders: &[Named]) -> Result<(), Error> {
    let mut folders = folders.iter();
    folders.try_for_each(|(folder, path)| folder.sync().map_err(|error| at(path, error)))
}

/// Gives the outputs their names; the first `record_count` of them are records.
fn name_all(outputs: &mut [Pending], record_count: usize, folders: &[Named]) -> Result<(), Error> {
    outputs.iter_mut().try_for_each(|output| output.step(Pending::check))?;
    let (records, beside) = outputs.split_at_mut(record_count);
    for part in [&mut *records, &mut *beside] {
        part.iter_mut().try_for_each(|output| output.step(Pending::set_aside))?;
        if part.iter().any(|output| output.old.is_some()) {
            sync(folders)?;
        }
    }
    for part in [beside, records] {
        part.iter_mut().rev().try_for_each(|output| output.step(Pending::appear))?;
        if !part.is_empty() {
            sync(folders)?;
        }
    }
    Ok(())
}

/// Undoes all steps, the last one first, until one fails.
fn undo(outputs: &mut [Pending], folders: &[Named], error: Error) -> Error {
    let disappeared = outputs.iter_mut().try_for_each(Pending::disappear);
    let undone =
        disappeared.and_then(|()| outputs.iter_mut().rev().try_for_each(Pending::put_back));
    // If the disk cannot sync this either, its error is already known.
    let _ = sync(folders);
    match undone {
        Ok(()) => error,
        Err(_) => left_over(error, false, outputs),
    }
}

fn remove_old(outputs: &mut [Pending]) -> Result<(), Error> {
    let removed = outputs.iter_mut().map(|output| output.step(Pending::remove_old));
    // Removes all files that can be removed.
    let errors: Vec<Error> = removed.filter_map(Result::err).collect();
    match errors.into_iter().next() {
        None => Ok(()),
        Some(error) => Err(left_over(error, true, outputs)),
    }
}

/// Returns the error with the files that somebody has to look at.
fn left_over(error: Error, are_complete: bool, outputs: &[Pending]) -> Error {
    let new = outputs.iter().filter(|_| !are_complete).filter_map(Pending::named);
    let old = outputs.iter().filter_map(|output| output.old.as_deref());
    let files = new.chain(old).map(Path::to_path_buf).collect();
    let path = error.path().map(Path::to_path_buf);
    let kind = ErrorKind::LeftOver { error: Box::new(error.into_kind()), are_complete, files };
    Error::from(kind).at(path.as_deref())
}
