//! A complete file that grows, and is complete again after every step.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::atomic::{identity, sync_data};
use crate::error::ErrorKind;

/// The position of the number of records in the header.
const COUNT_POSITION: u64 = 4;

/// A plain IDX file to which records are appended.
///
/// The records are on the disk before the header counts them. So whenever the power fails, all records that the header
/// counts are there. There are uncounted bytes only between these two steps.
#[derive(Debug)]
pub(crate) struct InPlace<W> {
    sink: W,
    /// The end of the last counted record, and the number of counted records.
    end: u64,
    count: u32,
    /// The name under which the file was opened.
    path: PathBuf,
    disk: Disk<W>,
}

/// File operations that a general sink lacks.
#[derive(Debug)]
struct Disk<W> {
    sync: fn(&mut W) -> io::Result<()>,
    truncate: fn(&mut W, u64) -> io::Result<()>,
    /// True if the file still has this name and this size.
    is_as_left: fn(&W, &Path, u64) -> io::Result<bool>,
}

impl InPlace<File> {
    /// Continues a file whose header counts `count` records, the last of which ends at `end`.
    pub(crate) fn new(sink: File, path: PathBuf, end: u64, count: u32) -> Self {
        let disk = Disk {
            sync: |file: &mut File| sync_data(file),
            truncate: |file: &mut File, size| file.set_len(size),
            is_as_left,
        };
        Self { sink, end, count, path, disk }
    }
}

impl<W: Write + Seek> InPlace<W> {
    /// Appends records, so that the file has `count` of them. After an error the file is as it was, if the
    /// disk still allows that.
    ///
    /// It is an error if the file was removed or replaced, because the records would be lost, or if its size changed,
    /// because the header would count other bytes; even if there is no record to append.
    pub(crate) fn write(&mut self, records: &[u8], count: u32) -> Result<(), ErrorKind> {
        if !(self.disk.is_as_left)(&self.sink, &self.path, self.end)? {
            return Err(ErrorKind::ChangedMeanwhile);
        }
        if count == self.count {
            return Ok(());
        }
        let result = self.append(records).and_then(|()| self.set_count(count));
        match result {
            Ok(()) => {
                self.end += records.len() as u64;
                self.count = count;
            }
            Err(_) => self.restore(),
        }
        Ok(result?)
    }

    pub(crate) fn into_inner(self) -> W {
        self.sink
    }

    fn append(&mut self, records: &[u8]) -> io::Result<()> {
        self.sink.seek(SeekFrom::Start(self.end))?;
        self.sink.write_all(records)?;
        self.sync()
    }

    fn set_count(&mut self, count: u32) -> io::Result<()> {
        self.sink.seek(SeekFrom::Start(COUNT_POSITION))?;
        self.sink.write_all(&count.to_be_bytes())?;
        self.sync()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sink.flush()?;
        (self.disk.sync)(&mut self.sink)
    }

    /// Restores the count, and then removes the uncounted bytes: too many bytes are better than too few.
    fn restore(&mut self) {
        if self.set_count(self.count).is_ok() {
            // The error that led here is the one to report.
            let _ = (self.disk.truncate)(&mut self.sink, self.end);
        }
    }
}

/// Returns whether the path still names this file, with this size. On systems without inode numbers, any file of that
/// name counts.
pub(super) fn is_as_left(file: &File, path: &Path, size: u64) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(found) => {
            let own = file.metadata()?;
            Ok(identity(&found) == identity(&own) && own.len() == size)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    /// Only a name that is gone is another file; an error of the system is not an answer.
    #[test]
    fn a_path_that_cannot_be_looked_up_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let file = File::create_new(&path).unwrap();
        assert!(is_as_left(&file, &path, 0).unwrap());
        assert!(!is_as_left(&file, &folder.path().join("gone"), 0).unwrap());
        #[cfg(unix)]
        assert!(is_as_left(&file, &path.join("below"), 0).is_err());
    }

    /// A disk on which some calls fail, and then the power. Any of the unsynced changes may be lost.
    #[derive(Clone, Debug, Default)]
    struct Forgetful {
        synced: Vec<u8>,
        /// The changes since the last sync: positions and bytes, or a size to which the file was cut.
        unsynced: Vec<(usize, Option<Vec<u8>>)>,
        position: usize,
        calls: usize,
        failing: Range<usize>,
    }

    impl Forgetful {
        fn call(&mut self) -> io::Result<()> {
            self.calls += 1;
            match self.failing.contains(&(self.calls - 1)) {
                true => Err(io::Error::other("no power")),
                false => Ok(()),
            }
        }

        /// Returns the content of the disk if only the unsynced changes in `kept` arrived, the last of them cut to
        /// `bytes`.
        fn after_the_crash(&self, kept: u32, bytes: usize) -> Vec<u8> {
            let mut disk = self.synced.clone();
            for (index, (position, written)) in self.unsynced.iter().enumerate() {
                if kept >> index & 1 == 1 {
                    let written =
                        written.as_ref().map(|written| &written[..written.len().min(bytes)]);
                    change(&mut disk, *position, written);
                }
            }
            disk
        }
    }

    /// Writes bytes at a position, or cuts the disk to that size.
    fn change(disk: &mut Vec<u8>, position: usize, bytes: Option<&[u8]>) {
        let Some(bytes) = bytes else {
            disk.truncate(position);
            return;
        };
        let end = position + bytes.len();
        disk.resize(disk.len().max(end), 0);
        disk[position..end].copy_from_slice(bytes);
    }

    impl Write for Forgetful {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.call()?;
            // Not all at once.
            let bytes = &bytes[..bytes.len().min(3)];
            self.unsynced.push((self.position, Some(bytes.to_vec())));
            self.position += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Forgetful {
        fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
            match position {
                SeekFrom::Start(position) => self.position = usize::try_from(position).unwrap(),
                _ => return Err(io::ErrorKind::Unsupported.into()),
            }
            Ok(self.position as u64)
        }
    }

    #[test]
    fn committed_records_survive_a_power_failure_at_any_call() {
        let start = b"\0\0\x08\x02\0\0\0\x01\0\0\0\x05ABCDE".to_vec();
        let disk = || Disk {
            sync: |disk: &mut Forgetful| {
                disk.call()?;
                for (position, bytes) in std::mem::take(&mut disk.unsynced) {
                    change(&mut disk.synced, position, bytes.as_deref());
                }
                Ok(())
            },
            truncate: |disk, size| {
                disk.call()?;
                disk.unsynced.push((usize::try_from(size).unwrap(), None));
                Ok(())
            },
            is_as_left: |_, _, _| Ok(true),
        };
        let mut states = 0;
        // Calls fail once, while the count is restored, or from then on.
        let lengths = [1, 2, 3, usize::MAX];
        for (calls, length) in (0..40).flat_map(|calls| lengths.map(|length| (calls, length))) {
            let failing = calls..length.saturating_add(calls);
            let sink = Forgetful { synced: start.clone(), failing, ..Forgetful::default() };
            let (end, path) = (start.len() as u64, PathBuf::new());
            let mut file = InPlace { sink, end, count: 1, path, disk: disk() };
            let mut committed = 1;
            for (records, count) in [(&b"FGHIJ"[..], 2), (b"KLMNOPQRST", 4), (b"UVWXY", 5)] {
                match file.write(records, count) {
                    Ok(()) => committed = count,
                    Err(_) => break,
                }
            }
            let sink = file.into_inner();
            for kept in 0..1 << sink.unsynced.len().min(10) {
                for bytes in 1..=3 {
                    let disk = sink.after_the_crash(kept, bytes);
                    let count = u32::from_be_bytes(disk[4..8].try_into().unwrap());
                    assert!(count >= committed, "{calls}, {length}: {committed} were committed");
                    let payload = &disk[12..][..5 * count as usize];
                    assert_eq!(payload, &b"ABCDEFGHIJKLMNOPQRSTUVWXY"[..payload.len()]);
                    states += 1;
                }
            }
        }
        assert!(states > 200, "{states}");
    }
}
