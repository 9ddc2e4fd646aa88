//! An adapter for files that can seek, such as those on an SD card.

use core::fmt;

use embedded_io::{Read, ReadExactError, Seek, SeekFrom};
use embedded_storage::ReadStorage;

/// An adapter that makes a file on an SD card, or anything else that is `Read + Seek`, a storage for
/// [`Located`](crate::storage::Located).
///
/// ```
/// use embedded_io::{Read, Seek};
/// use idx_core::storage::{Located, Seekable};
///
/// fn last(file: impl Read + Seek) -> Option<[i16; 3]> {
///     let mut storage = Seekable::new(file).ok()?;
///     let steps = Located::<[i16; 3]>::open(&mut storage, 0).ok()?;
///     steps.read(&mut storage, steps.len().checked_sub(1)?).ok()
/// }
/// ```
pub struct Seekable<F> {
    file: F,
    size: u64,
}

impl<F: Read + Seek> Seekable<F> {
    /// Wraps a file, and finds its size by seeking to its end.
    ///
    /// # Errors
    ///
    /// The error of the file if it cannot seek.
    pub fn new(mut file: F) -> Result<Self, F::Error> {
        let size = file.seek(SeekFrom::End(0))?;
        Ok(Self { file, size })
    }
}

impl<F> Seekable<F> {
    /// Returns the file.
    #[must_use]
    pub fn into_inner(self) -> F {
        self.file
    }
}

impl<F: Read + Seek> ReadStorage for Seekable<F> {
    type Error = ReadExactError<F::Error>;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.file.seek(SeekFrom::Start(offset.into())).map_err(ReadExactError::Other)?;
        self.file.read_exact(bytes)
    }

    fn capacity(&self) -> usize {
        usize::try_from(self.size).unwrap_or(usize::MAX)
    }
}

impl<F> fmt::Debug for Seekable<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seekable").field("size", &self.size).finish_non_exhaustive()
    }
}
