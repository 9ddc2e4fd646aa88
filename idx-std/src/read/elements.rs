//! Native numbers from a stream, many at a time.

use std::io::Read;

use idx_core::Element;

use crate::error::{Error, ErrorKind};
use crate::io::alloc;
use crate::read::load::append;
use crate::read::reader::Reader;

impl<R: Read> Reader<R> {
    /// Replaces `elements` with those of the next records that are read together; returns `false`
    /// after the last record, when the end of the file was checked.
    ///
    /// Use it if you know the type of the elements, but not the shape of the records.
    ///
    /// ```
    /// use idx_std::{Element, Error, Reader};
    ///
    /// fn mean<E: Element + Into<f64>>(mut reader: Reader<&[u8]>) -> Result<f64, Error> {
    ///     let (mut sum, mut count, mut elements) = (0.0, 0, Vec::<E>::new());
    ///     while reader.next_elements(&mut elements)? {
    ///         count += elements.len();
    ///         sum += elements.drain(..).map(E::into).sum::<f64>();
    ///     }
    ///     Ok(sum / count as f64)
    /// }
    ///
    /// let file = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4];
    /// assert_eq!(mean::<u8>(Reader::new(&file[..])?)?, 2.5);
    /// assert!(mean::<f32>(Reader::new(&file[..])?).is_err());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A file whose element type or values are not those of `E` ([`ErrorKind::Format`]), and the errors of
    /// [`next_record`](Self::next_record). After an error `elements` is empty.
    pub fn next_elements<E: Element>(&mut self, elements: &mut Vec<E>) -> Result<bool, Error> {
        elements.clear();
        if let Err(kind) = self.header.check_element::<E>() {
            return Err(self.stream.error(kind));
        }
        let first = self.stream.next_index();
        let Some(records) = self.stream.next_records() else {
            return Ok(false);
        };
        let bytes = records?;
        let reserved = alloc::reserve(elements, bytes.len() / E::SIZE);
        let decoded = reserved.and_then(|()| Ok(append(elements, bytes)?));
        match decoded {
            Ok(()) => Ok(true),
            Err(ErrorKind::Format(idx_core::ErrorKind::ValueNotAllowed { record, value })) => {
                let offset = record * E::SIZE as u64;
                let record_size = self.header.record_size();
                let before = record_size.and_then(|size| offset.checked_div(size));
                debug_assert!(before.is_some(), "a record with an element has bytes");
                Err(self.stream.reject(first + before.unwrap_or(0), value))
            }
            Err(kind) => Err(self.stream.error(kind)),
        }
    }
}
