//! Syncs a large file to the disk while it is being written, so that little is left to sync at the end.

use std::fs::File;
use std::io;
use std::thread::{Builder, JoinHandle};

use crate::atomic::disk::sync_data;

/// The number of bytes between one sync and the next.
const INTERVAL: usize = 16 << 20;

/// The syncs of a file that is being written.
#[derive(Debug, Default)]
pub(super) struct EarlySync {
    /// The number of bytes written since the last sync started.
    written: usize,
    /// The last sync: it waits for the disk, so it has a thread of its own.
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl EarlySync {
    /// Starts a sync if many bytes were written since the last one. Call this before writing the next `count` bytes.
    pub(super) fn before_write(&mut self, file: &File, count: usize) -> io::Result<()> {
        let is_busy = |thread: &JoinHandle<_>| !thread.is_finished();
        if self.written >= INTERVAL && !self.thread.as_ref().is_some_and(is_busy) {
            self.finish()?;
            self.written = 0;
            // Without a thread, the sync at the end does all the work.
            self.thread = file.try_clone().ok().and_then(|file| {
                let sync = Builder::new().spawn(move || sync_data(&file));
                sync.ok()
            });
        }
        self.written = self.written.saturating_add(count);
        Ok(())
    }

    /// Waits for the last sync. The system reports a disk error only once: to this sync, or to the next.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(synced)) => synced,
            Some(Err(_)) => Err(io::Error::other("a thread ended before its work did")),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// Returns a file that Linux cannot sync: a pipe.
    fn file() -> io::Result<File> {
        let (_, pipe) = io::pipe()?;
        Ok(File::from(std::os::fd::OwnedFd::from(pipe)))
    }

    #[test]
    fn an_error_of_the_disk_is_reported_once() {
        let file = file().unwrap();
        let mut sync = EarlySync::default();
        sync.before_write(&file, INTERVAL - 1).unwrap();
        sync.before_write(&file, 1).unwrap();
        assert!(sync.thread.is_none());
        sync.before_write(&file, 1).unwrap();
        assert!(sync.finish().is_err());
        sync.finish().unwrap();
    }

    /// Linux reports a disk error to only one sync.
    #[test]
    fn an_error_of_the_disk_comes_before_another_sync() {
        let file = file().unwrap();
        let mut sync = EarlySync::default();
        sync.before_write(&file, INTERVAL).unwrap();
        sync.before_write(&file, INTERVAL).unwrap();
        while sync.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            std::thread::yield_now();
        }
        assert!(sync.before_write(&file, 1).is_err());
    }
}
