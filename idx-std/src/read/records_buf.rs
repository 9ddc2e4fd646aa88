//! A whole file in memory with checked, typed records.

use std::fmt;
use std::marker::PhantomData;
use std::path::Path;

use idx_core::{IdxRecord, Records};

use crate::error::Error;
use crate::read::buffer::IdxBuf;

/// A whole file whose records were checked: the owned twin of [`Records`].
///
/// [`IdxBuf::into_records`] creates it, and checks element type, shape and values once.
///
/// ```
/// use idx_std::{Error, IdxBuf, IdxRecord, RecordsBuf};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Label(#[idx(range = 0..=9)] u8);
///
/// fn labels(file: &[u8]) -> Result<RecordsBuf<Label>, Error> {
///     IdxBuf::from_bytes(file)?.into_records()
/// }
///
/// let labels = labels(&[0, 0, 8, 1, 0, 0, 0, 2, 7, 2])?;
/// assert_eq!(labels.as_records().get(0), Some(Label(7)));
/// # Ok::<(), Error>(())
/// ```
pub struct RecordsBuf<T> {
    file: IdxBuf,
    len: usize,
    record: PhantomData<fn() -> T>,
}

impl IdxBuf {
    /// Returns the records as values of type `T`, which own the bytes of the file.
    ///
    /// # Errors
    ///
    /// The errors of [`records`](Self::records).
    pub fn into_records<T: IdxRecord>(self) -> Result<RecordsBuf<T>, Error> {
        let len = self.records::<T>()?.len();
        Ok(RecordsBuf { file: self, len, record: PhantomData })
    }
}

impl<T: IdxRecord> RecordsBuf<T> {
    /// Returns the records, borrowed in constant time.
    #[must_use]
    pub fn as_records(&self) -> Records<'_, T> {
        let payload = self.file.bytes().get(self.file.header().header_size()..);
        debug_assert!(payload.is_some(), "the file was parsed");
        idx_core::__private::records(payload.unwrap_or_default(), self.len)
    }
}

impl<T> RecordsBuf<T> {
    /// Returns the file without the type of its records.
    #[must_use]
    pub fn into_inner(self) -> IdxBuf {
        self.file
    }

    /// Returns the path of the file, if it has one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file.path()
    }
}

/// Shows header and path, as for [`IdxBuf`].
impl<T> fmt::Debug for RecordsBuf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RecordsBuf").field(&self.file).finish()
    }
}
