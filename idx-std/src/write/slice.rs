use std::io::{Seek, Write};

use idx_core::{Element, IdxRecord};

use super::file::RecordFile;
use super::writer::Writer;
use crate::error::{Error, ErrorKind};

impl<W: Write + Seek> Writer<W> {
    /// Appends the records of these elements, of any number of whole records.
    ///
    /// For code that knows the type of the elements, but not the shape of the records.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use idx_std::{ElementType, Writer};
    ///
    /// let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::F32, &[0, 2])?;
    /// writer.push_elements(&[0.5f32, 1.0, 2.0, 4.0])?;
    /// assert_eq!(writer.header().dims(), [2, 2]);
    /// assert!(writer.push_elements(&[0.5f64, 1.0]).is_err());
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type is not that of `E`, and
    /// [`ErrorKind::PartialRecord`], which leave the file as it was; those of
    /// [`RecordWriter::push_all`](crate::RecordWriter::push_all).
    pub fn push_elements<E: Element>(&mut self, elements: &[E]) -> Result<(), Error> {
        let checked = self.header.check_element::<E>();
        checked.map_err(|kind| self.file.error(kind))?;
        let (expected, found) = (self.file.record_size() / E::SIZE, elements.len());
        match found.checked_rem(expected) {
            Some(0) => self.file.push_slice(elements, expected),
            None if found == 0 => Ok(()),
            _ => Err(self
                .file
                .error(ErrorKind::PartialRecord { expected, found })),
        }
    }
}

impl<W: Write + Seek> RecordFile<W> {
    /// Appends records that are this many values each, many at a time. Those before one that is rejected
    /// are appended.
    pub(super) fn push_slice<T: IdxRecord>(
        &mut self,
        values: &[T],
        per_record: usize,
    ) -> Result<(), Error> {
        for chunk in values.chunks(self.records_at_a_time() * per_record) {
            let encode = |bytes: &mut [u8]| T::encode_slice(chunk, bytes);
            let pushed = match self.push_with(chunk.len() / per_record, encode) {
                // There may be room for some of them.
                Err(error) if matches!(error.kind(), ErrorKind::TooManyRecords { .. }) => None,
                pushed => pushed?,
            };
            if pushed.is_none() {
                // One of them is rejected; those before it are not.
                for record in chunk.chunks(per_record) {
                    self.push_values(record)?;
                }
            }
        }
        Ok(())
    }

    /// Appends one record, given as its values.
    #[inline]
    pub(super) fn push_values<T: IdxRecord>(&mut self, values: &[T]) -> Result<(), Error> {
        let mut violation = None;
        let pushed = self.push_with(1, |bytes| {
            let encoded = T::encode_slice(values, bytes);
            if encoded.is_none() {
                // The constraint applies to the bytes of the record.
                violation = T::CONSTRAINT.first_violation(T::ELEMENT, bytes);
            }
            encoded
        })?;
        match pushed {
            Some(()) => Ok(()),
            None => {
                debug_assert!(violation.is_some(), "only a value rule makes `encode` fail");
                let value = violation.map_or(0, |(_, value)| value);
                Err(self.value_not_allowed(value))
            }
        }
    }
}
