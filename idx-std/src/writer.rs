use std::fs::File;
use std::io::{Seek, Write};
use std::marker::PhantomData;
use std::path::Path;

use idx_core::IdxRecord;

use crate::{DynWriter, Error, WriteOptions};

/// Writes records of type `T`: the file's element type and shape are those of `T`.
///
/// The number of records need not be known in advance. A file appears under its name only when
/// [`finish`](Self::finish) succeeds; until then a file of that name stays as it was.
///
/// ```
/// use std::io::Cursor;
/// use idx_std::{IdxRecord, Reader, Writer};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Point { x: i16, y: i16 }
///
/// let mut writer = Writer::<Point, _>::new(Cursor::new(Vec::new()))?;
/// writer.push(&Point { x: 1, y: -1 })?;
/// let file = writer.finish()?.into_inner();
///
/// let points: Result<Vec<Point>, _> = Reader::new(&file[..])?.collect();
/// assert_eq!(points?, [Point { x: 1, y: -1 }]);
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a file appears under its name only when `finish` is called"]
pub struct Writer<T, W: Write = File> {
    writer: DynWriter<W>,
    record: PhantomData<fn(&T)>,
}

impl<T: IdxRecord> Writer<T> {
    /// Starts a file: gzip if its name ends in `.gz`.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::create`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::create_with(path, WriteOptions::new())
    }

    /// Starts a file with options.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::create`].
    pub fn create_with(path: impl AsRef<Path>, options: WriteOptions) -> Result<Self, Error> {
        let writer = DynWriter::create_with(path, T::ELEMENT, T::SHAPE, options)?;
        Ok(Self {
            writer,
            record: PhantomData,
        })
    }
}

impl<T: IdxRecord, W: Write + Seek> Writer<T, W> {
    /// Starts a file in a sink, at its current position; plain.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::new`].
    pub fn new(sink: W) -> Result<Self, Error> {
        Self::new_with(sink, WriteOptions::new())
    }

    /// Starts a file in a sink, with options.
    ///
    /// # Errors
    ///
    /// As [`DynWriter::new`].
    pub fn new_with(sink: W, options: WriteOptions) -> Result<Self, Error> {
        Ok(Self {
            writer: DynWriter::new_with(sink, T::ELEMENT, T::SHAPE, options)?,
            record: PhantomData,
        })
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// [`Format`] with `ValueNotAllowed`, and [`TooManyRecords`], which leave the file as it was;
    /// [`Io`], after which it cannot be finished.
    ///
    /// [`Format`]: crate::ErrorKind::Format
    /// [`TooManyRecords`]: crate::ErrorKind::TooManyRecords
    /// [`Io`]: crate::ErrorKind::Io
    #[inline]
    pub fn push(&mut self, record: &T) -> Result<(), Error> {
        self.writer.make_room()?;
        let bytes = self.writer.next_bytes(1);
        if record.encode(bytes).is_none() {
            // A rule that refuses is checked on the bytes, which are those of the record.
            let refused = T::CONSTRAINT.first_violation(T::ELEMENT, bytes);
            return Err(self.writer.refused(refused.map_or(0, |(_, value)| value)));
        }
        self.writer.append(1);
        Ok(())
    }

    /// Appends all records of a slice, which are encoded many at a time.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push); the records before the one that is refused are appended.
    ///
    /// ```
    /// # use std::io::Cursor;
    /// # use idx_std::Writer;
    /// let mut writer = Writer::<f32, _>::new(Cursor::new(Vec::new()))?;
    /// writer.push_all(&[0.5, 1.0])?;
    /// let file = writer.finish()?.into_inner();
    /// assert_eq!(file[8..], [0x3F, 0, 0, 0, 0x3F, 0x80, 0, 0]);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    pub fn push_all(&mut self, records: &[T]) -> Result<(), Error> {
        let mut rest = records;
        while !rest.is_empty() {
            self.writer.make_room()?;
            let room = self.writer.room();
            let count = u32::try_from(rest.len()).map_or(room, |len| len.min(room));
            let (chunk, after) = rest.split_at_checked(count as usize).unwrap_or_default();
            if T::encode_slice(chunk, self.writer.next_bytes(count)).is_some() {
                self.writer.append(count);
            } else {
                // One of them is refused; those before it are not.
                for record in chunk {
                    self.push(record)?;
                }
            }
            rest = after;
        }
        Ok(())
    }

    /// Fills in the number of records and completes the file; see [`DynWriter::finish`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn finish(self) -> Result<W, Error> {
        self.writer.finish()
    }
}
