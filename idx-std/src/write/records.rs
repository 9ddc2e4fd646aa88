//! `RecordWriter`: typed records, one by one.

use std::fs::File;
use std::io::{Cursor, Seek, Write};
use std::marker::PhantomData;
use std::path::Path;
use std::slice;

use idx_core::IdxRecord;

use crate::error::Error;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::read::IdxBuf;
use crate::write::writer::Writer;

/// Writes records of type `T` to a file of its element type and shape.
///
/// The number of records need not be known in advance. A file appears under its name only when
/// [`finish`](Self::finish) succeeds; an existing file is untouched until then.
///
/// ```
/// use std::io::Cursor;
/// use idx_std::{IdxRecord, Reader, RecordWriter};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Point { x: i16, y: i16 }
///
/// let mut writer = RecordWriter::<Point, _>::new(Cursor::new(Vec::new()))?;
/// writer.push(&Point { x: 1, y: -1 })?;
/// let file = writer.finish()?.into_inner();
///
/// let points: Result<Vec<Point>, _> = Reader::new(&file[..])?.records()?.collect();
/// assert_eq!(points?, [Point { x: 1, y: -1 }]);
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct RecordWriter<T: IdxRecord, W: Write = File> {
    pub(super) writer: Writer<W>,
    record: PhantomData<fn(&T)>,
}

impl<W: Write + Seek> Writer<W> {
    /// Converts this to a writer of `T` records for the same file.
    ///
    /// # Errors
    ///
    /// A file whose element type or shape is not that of `T` ([`ErrorKind::Format`]).
    pub fn records<T: IdxRecord>(self) -> Result<RecordWriter<T, W>, Error> {
        match self.header.check::<T>() {
            Ok(()) => Ok(RecordWriter { writer: self, record: PhantomData }),
            Err(kind) => Err(self.file.error(kind)),
        }
    }
}

impl<T: IdxRecord> RecordWriter<T> {
    /// Starts a file, gzip if its name ends in `.gz`.
    ///
    /// ```no_run
    /// use idx_std::RecordWriter;
    ///
    /// let mut log = RecordWriter::<[f32; 2]>::create("readings-idx2-flt")?;
    /// log.push(&[0.0, 20.5])?;
    /// log.finish()?;
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Writer::create`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        Writer::create(path, T::ELEMENT, &dims::<T>())?.records()
    }
}

impl<T: IdxRecord, W: Write + Seek> RecordWriter<T, W> {
    /// Starts a plain file in a sink, at its current position.
    ///
    /// # Errors
    ///
    /// The errors of [`Writer::new`].
    pub fn new(sink: W) -> Result<Self, Error> {
        Writer::new(sink, T::ELEMENT, &dims::<T>())?.records()
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// A value that `T` does not allow ([`ErrorKind::Format`] with `ValueNotAllowed`), and a full file
    /// ([`too_many_records`](ErrorKind::code)), which leave the file as it was; an error of the system
    /// ([`ErrorKind::Io`]), after which it cannot be finished.
    #[doc(alias = "write")]
    #[inline]
    pub fn push(&mut self, record: &T) -> Result<(), Error> {
        self.writer.file.push_values(slice::from_ref(record))
    }

    /// Appends a record, given as its big-endian bytes, such as the pixels of another program's image.
    ///
    /// # Errors
    ///
    /// The errors of [`push`](Self::push), and bytes that do not have the length of a record
    /// ([`wrong_length`](ErrorKind::code)), which leave the file as it was.
    ///
    /// ```
    /// # use std::io::Cursor;
    /// # use idx_std::RecordWriter;
    /// let mut writer = RecordWriter::<[[u8; 2]; 2], _>::new(Cursor::new(Vec::new()))?;
    /// writer.push_bytes(&[1, 2, 3, 4])?;
    /// assert!(writer.push_bytes(&[1, 2]).is_err());
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    pub fn push_bytes(&mut self, record: &[u8]) -> Result<(), Error> {
        if record.len() == T::SIZE
            && let violation @ Some(_) = T::CONSTRAINT.first_violation(T::ELEMENT, record)
        {
            return Err(self.writer.file.value_not_allowed(violation));
        }
        self.writer.push_bytes(record)
    }

    /// Appends all records of a slice, encoding many at a time.
    ///
    /// # Errors
    ///
    /// The errors of [`push`](Self::push); the records before the one that is rejected are appended.
    ///
    /// ```
    /// # use std::io::Cursor;
    /// # use idx_std::RecordWriter;
    /// let mut writer = RecordWriter::<f32, _>::new(Cursor::new(Vec::new()))?;
    /// writer.push_all(&[0.5, 1.0])?;
    /// let file = writer.finish()?.into_inner();
    /// assert_eq!(file[8..], [0x3F, 0, 0, 0, 0x3F, 0x80, 0, 0]);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    pub fn push_all(&mut self, records: &[T]) -> Result<(), Error> {
        self.writer.file.push_slice(records, 1)
    }

    /// Fills in the number of records and completes the file; see [`Writer::finish`].
    ///
    /// # Errors
    ///
    /// The errors of [`Writer::finish`].
    pub fn finish(self) -> Result<W, Error> {
        self.writer.finish()
    }
}

impl IdxBuf {
    /// Makes a file of these records in memory, for a test, or to train with records of your own.
    ///
    /// ```
    /// use idx_std::IdxBuf;
    ///
    /// let file = IdxBuf::from_records(&[[1_i16, 2], [3, 4]])?;
    /// assert_eq!(file.header().to_string(), "i16, 2 x 2");
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`RecordWriter::push_all`].
    pub fn from_records<T: IdxRecord>(records: &[T]) -> Result<Self, Error> {
        let mut writer = RecordWriter::new(Cursor::new(Vec::new()))?;
        writer.push_all(records)?;
        Self::from_bytes(writer.finish()?.into_inner())
    }
}

/// Returns the sizes of a file of `T` records, without any records yet.
fn dims<T: IdxRecord>() -> Vec<u32> {
    [&[0], T::SHAPE].concat()
}
