//! `RecordReader`: typed records, one by one, in constant memory.

use std::fs::File;
use std::io::Read;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::RangeBounds;

use idx_core::IdxRecord;

use crate::error::Error;
#[cfg(feature = "zero-copy")]
use crate::error::ErrorKind;
use crate::read::reader::Reader;

/// Reads records of type `T` one by one, in constant memory: an iterator of results.
///
/// [`Reader::records`](crate::Reader::records) creates it, and checks element type and shape; the values of a record
/// are checked when it is read. A truncated file yields its whole records, then one error, then nothing; so does a file
/// with a wrong checksum, an extra byte, or a value that `T` does not allow.
///
/// ```
/// use idx_std::{IdxRecord, Reader};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Label(#[idx(range = 0..=9)] u8);
///
/// let truncated = [0, 0, 0x08, 1, 0, 0, 0, 3, 7, 2];
/// let mut labels = Reader::new(&truncated[..])?.records::<Label>()?;
/// assert_eq!(labels.next().unwrap()?, Label(7));
/// assert_eq!(labels.next().unwrap()?, Label(2));
/// let error = labels.next().unwrap().unwrap_err();
/// assert_eq!(error.records(), Some(2));
/// assert!(labels.next().is_none());
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<T, R: Read = File> {
    reader: Reader<R>,
    record: PhantomData<fn() -> T>,
}

impl<R: Read> Reader<R> {
    /// Returns the records as values of type `T`, starting with the next one.
    ///
    /// # Errors
    ///
    /// A file whose element type or shape is not that of `T` ([`ErrorKind::Format`]).
    pub fn records<T: IdxRecord>(self) -> Result<RecordReader<T, R>, Error> {
        match self.header.check::<T>() {
            Ok(()) => Ok(RecordReader { reader: self, record: PhantomData }),
            Err(kind) => Err(self.stream.error(kind)),
        }
    }
}

impl<T: IdxRecord> RecordReader<T> {
    /// Returns any record of a plain file. The records that come next stay the same; see
    /// [`Reader::read_at`](crate::Reader::read_at).
    ///
    /// # Errors
    ///
    /// The errors of [`Reader::read_at`](crate::Reader::read_at), and a value that `T` does not allow
    /// ([`ErrorKind::Format`](crate::ErrorKind::Format) with `ValueNotAllowed`).
    pub fn read_at(&self, index: u64) -> Result<T, Error> {
        let bytes = self.reader.stream.read_at(index)?;
        if let Some(record) = T::decode(&bytes) {
            return Ok(record);
        }
        let (record, value) = (index, rejected_value::<T>(&bytes));
        Err(self.reader.stream.error(idx_core::ErrorKind::ValueNotAllowed { record, value }.into()))
    }
}

impl<T: IdxRecord, R: Read> RecordReader<T, R> {
    /// Selects the records that come next, and returns their number; see
    /// [`Reader::select`](crate::Reader::select).
    ///
    /// # Errors
    ///
    /// The errors of [`Reader::select`](crate::Reader::select).
    pub fn select(&mut self, records: impl RangeBounds<u64>) -> Result<u64, Error> {
        self.reader.stream.select(records)
    }

    /// Returns the next record, borrowed from the reader's memory without a copy; `None` after the last one.
    ///
    /// Only for records laid out in memory as in the file; see [`ZeroCopy`](idx_core::ZeroCopy).
    ///
    /// ```
    /// use idx_std::{IdxRecord, Reader};
    ///
    /// #[derive(IdxRecord, Clone, Copy)]
    /// #[repr(transparent)]
    /// struct Image([[u8; 2]; 2]);
    ///
    /// let file = [0, 0, 0x08, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4];
    /// let mut images = Reader::new(&file[..])?.records::<Image>()?;
    /// let mut sum = 0;
    /// while let Some(image) = images.next_ref() {
    ///     sum += image?.0.as_flattened().iter().map(|pixel| u32::from(*pixel)).sum::<u32>();
    /// }
    /// assert_eq!(sum, 10);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Reader::next_record`](crate::Reader::next_record), and a value that `T` does not allow
    /// ([`ErrorKind::Format`](crate::ErrorKind::Format) with `ValueNotAllowed`).
    #[cfg(feature = "zero-copy")]
    pub fn next_ref(&mut self) -> Option<Result<&T, Error>>
    where
        T: idx_core::ZeroCopy,
    {
        let range = match self.reader.stream.next_range()? {
            Ok(range) => range,
            Err(error) => return Some(Err(error)),
        };
        let bytes = self.reader.stream.bytes(range.clone());
        if let Some((_, value)) = T::CONSTRAINT.first_violation(T::ELEMENT, bytes) {
            return Some(Err(self.reader.stream.reject(value)));
        }
        let bytes = self.reader.stream.bytes(range);
        let record = idx_core::__private::ref_from_bytes(bytes);
        debug_assert!(record.is_some(), "the bytes of one record");
        Some(record.ok_or_else(|| ErrorKind::record_size(T::SIZE as u64, bytes.len()).into()))
    }
}

impl<T: IdxRecord, R: Read> Iterator for RecordReader<T, R> {
    type Item = Result<T, Error>;

    // If this were inlined, a large record would be copied from one place on the stack to another; a function of its
    // own decodes it in its final place.
    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let bytes = match self.reader.stream.next_record()? {
            Ok(bytes) => bytes,
            Err(error) => return Some(Err(error)),
        };
        if let Some(record) = T::decode(bytes) {
            return Some(Ok(record));
        }
        let value = rejected_value::<T>(bytes);
        Some(Err(self.reader.stream.reject(value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The file may be truncated.
        (0, usize::try_from(self.reader.stream.max_remaining()).ok())
    }
}

impl<T: IdxRecord, R: Read> FusedIterator for RecordReader<T, R> {}

/// Returns the first value in the bytes of a record that `T` does not allow.
fn rejected_value<T: IdxRecord>(bytes: &[u8]) -> i64 {
    let violation = T::CONSTRAINT.first_violation(T::ELEMENT, bytes);
    debug_assert!(violation.is_some(), "only a value rule makes `decode` fail");
    violation.map_or(0, |(_, value)| value)
}
