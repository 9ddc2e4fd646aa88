//! Files that are mapped into memory in place of being read.

#![allow(unsafe_code)]

use std::path::Path;

use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::io::access;
use crate::read::IdxBuf;

impl IdxBuf {
    /// Maps a plain file into memory, in constant time whatever its size, in place of reading it.
    ///
    /// A gzip file is an error; use [`open`](crate::open), which decompresses.
    ///
    /// ```no_run
    /// use idx_std::IdxBuf;
    ///
    /// // SAFETY: nobody changes the file while this program runs.
    /// let images = unsafe { IdxBuf::map("train-images-idx3-ubyte") }?;
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`open`](crate::open), and [`ErrorKind::Format`] with `Gzip`.
    ///
    /// # Safety
    ///
    /// Nobody may change or shorten the file while it is mapped: the bytes behind a shared slice
    /// would change, and reading beyond a new end stops the process (`SIGBUS` on Unix).
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let map = || {
            let file = access::open(path)?;
            // SAFETY: the caller promises that the file does not change, which is what `Mmap::map` asks for.
            Self::of_map(unsafe { memmap2::Mmap::map(&file) }?)
        };
        match map() {
            Ok(file) => Ok(file.with_path(path)),
            Err(error) => Err(error.with_path(path)),
        }
    }
}
