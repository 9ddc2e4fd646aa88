//! Files mapped into memory: the one place with `unsafe`.

#![allow(unsafe_code)]

use std::fs::File;
use std::path::Path;

use crate::{Error, ErrorKind, IdxBuf};

impl IdxBuf {
    /// Maps a plain file into memory: at once, whatever its size.
    ///
    /// A gzip file is refused, [`open`](crate::open) decompresses it.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    ///
    /// # Safety
    ///
    /// Nobody may change or shorten the file while the buffer lives: the bytes behind a shared slice
    /// would change, and reading beyond a new end stops the process (`SIGBUS` on Unix).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let map = || -> Result<Self, Error> {
            if path.is_dir() {
                return Err(ErrorKind::Folder.into());
            }
            let file = File::open(path).map_err(ErrorKind::from)?;
            // SAFETY: the caller promises that the file does not change, which is what `Mmap::map`
            // asks for.
            let map = unsafe { memmap2::Mmap::map(&file) }.map_err(ErrorKind::from)?;
            Self::mapped(map)
        };
        map()
            .map(|buffer| buffer.named(path))
            .map_err(|error| error.with_path(Some(path)))
    }
}
