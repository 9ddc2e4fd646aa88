use std::fs::File;
use std::io::{Read, Seek};
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use idx_core::{Header, IdxRecord};

use crate::{DynReader, Error};

/// Reads records of type `T` one by one, in constant memory: an iterator of results.
///
/// Element type and shape are checked when it is made, the values of a record when it is read. A
/// file that is cut gives its whole records, then one error, then nothing; so does a wrong checksum,
/// a byte too many, or a value that `T` does not allow.
///
/// ```
/// use idx_std::{IdxRecord, Reader};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Label(#[idx(range = 0..=9)] u8);
///
/// let cut = [0, 0, 0x08, 1, 0, 0, 0, 3, 7, 2];
/// let mut labels = Reader::<Label, _>::new(&cut[..])?;
/// assert_eq!(labels.next().unwrap()?, Label(7));
/// assert_eq!(labels.next().unwrap()?, Label(2));
/// let error = labels.next().unwrap().unwrap_err();
/// assert_eq!(error.records(), Some(2));
/// assert!(labels.next().is_none());
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<T, R: Read = File> {
    reader: DynReader<R>,
    record: PhantomData<fn() -> T>,
}

impl<T: IdxRecord> Reader<T> {
    /// Opens a file, plain or gzip by its content, and checks that it holds records of type `T`.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind); the path is in the sentence.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_dyn(DynReader::open(path)?)
    }
}

impl<T: IdxRecord, R: Read> Reader<T, R> {
    /// Reads a header from anything that can be read, and checks that it is that of records of type
    /// `T`.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`](crate::ErrorKind).
    pub fn new(read: R) -> Result<Self, Error> {
        Self::from_dyn(DynReader::new(read)?)
    }

    fn from_dyn(reader: DynReader<R>) -> Result<Self, Error> {
        match idx_core::__private::mismatch::<T>(&reader.header()) {
            Some(error) => Err(reader.error(error.into())),
            None => Ok(Self {
                reader,
                record: PhantomData,
            }),
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.reader.path()
    }

    /// The element type and the sizes.
    #[must_use]
    pub fn header(&self) -> Header<'_> {
        self.reader.header()
    }
}

impl<T: IdxRecord, R: Read + Seek> Reader<T, R> {
    /// Goes to record `index`, so that it comes next; see [`DynReader::skip_to`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn skip_to(&mut self, index: u64) -> Result<(), Error> {
        self.reader.skip_to(index)
    }

    /// Goes to the first of these records, and ends after the last; see [`DynReader::select`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn select(&mut self, records: Range<u64>) -> Result<(), Error> {
        self.reader.select(records)
    }
}

impl<T: IdxRecord, R: Read> Reader<T, R> {
    /// The next record where it lies in the reader's memory, without a copy; otherwise as the
    /// iterator's `next`.
    ///
    /// For records whose memory is laid out as the file is; see [`ZeroCopy`](idx_core::ZeroCopy).
    ///
    /// ```
    /// use idx_std::{IdxRecord, Reader};
    ///
    /// #[derive(IdxRecord, Clone, Copy)]
    /// #[repr(transparent)]
    /// struct Image([[u8; 2]; 2]);
    ///
    /// let file = [0, 0, 0x08, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4];
    /// let mut images = Reader::<Image, _>::new(&file[..])?;
    /// let mut sum = 0;
    /// while let Some(image) = images.next_ref() {
    ///     sum += image?.0.as_flattened().iter().map(|pixel| u32::from(*pixel)).sum::<u32>();
    /// }
    /// assert_eq!(sum, 10);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    #[cfg(feature = "zero-copy")]
    pub fn next_ref(&mut self) -> Option<Result<&T, Error>>
    where
        T: idx_core::ZeroCopy,
    {
        let place = match self.reader.next_place()? {
            Ok(place) => place,
            Err(error) => return Some(Err(error)),
        };
        let bytes = self.reader.bytes(place.clone());
        if let Some((_, value)) = T::CONSTRAINT.first_violation(T::ELEMENT, bytes) {
            return Some(Err(self.reader.refuse(value)));
        }
        let bytes = self.reader.bytes(place);
        idx_core::__private::ref_from_bytes(bytes).map(Ok)
    }
}

impl<T: IdxRecord, R: Read> Iterator for Reader<T, R> {
    type Item = Result<T, Error>;

    // Inlined into its caller, a large record would be copied from one place of the stack to another;
    // as it is, it is decoded to where the caller gets it.
    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let bytes = match self.reader.next_record()? {
            Ok(bytes) => bytes,
            Err(error) => return Some(Err(error)),
        };
        if let Some(record) = T::decode(bytes) {
            return Some(Ok(record));
        }
        let refused = T::CONSTRAINT.first_violation(T::ELEMENT, bytes);
        Some(Err(self
            .reader
            .refuse(refused.map_or(0, |(_, value)| value))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The file may be cut.
        (0, usize::try_from(self.reader.most_left()).ok())
    }
}

impl<T: IdxRecord, R: Read> FusedIterator for Reader<T, R> {}
