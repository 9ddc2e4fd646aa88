//! Reads all records of a source and their labels into memory.

use std::{io, mem};

use crate::chain::source::Source;
use crate::chain::step::Step;
use crate::error::Error;
use crate::record::Record;
use idx_std::__private::alloc;

impl Source {
    /// Appends the bytes and the labels of the next records, as many as are at hand, and returns their number; 0 after
    /// the last one, when the end was checked. This is the fastest way to get all of them.
    ///
    /// If the size of the input confirms that all records exist, bytes that are empty get memory for them at once.
    ///
    /// ```
    /// use idx_data::open_set;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// # idx_std::save(path("own-images-idx3-ubyte"), &[2, 1, 2], &[1_u8, 2, 3, 4])?;
    /// # idx_std::save(path("own-labels-idx1-ubyte"), &[2], &[5_u8, 0])?;
    ///
    /// let mut own = open_set(path("own-images-idx3-ubyte"))?.only_part()?;
    /// let (mut bytes, mut labels) = (Vec::new(), Vec::new());
    /// while own.read_onto(&mut bytes, &mut labels)? > 0 {}
    /// assert_eq!((bytes, labels), (vec![1, 2, 3, 4], vec![5, 0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`read`](Self::read), and too little memory ([`io`](idx_std::ErrorKind::code)).
    pub fn read_onto(&mut self, bytes: &mut Vec<u8>, labels: &mut Vec<i128>) -> Result<u64, Error> {
        // Not more later: memory of huge pages would be copied where it grows.
        if bytes.is_empty() {
            let size = self.confirmed_size().unwrap_or(0);
            alloc::reserve(bytes, size).map_err(|kind| self.error(kind))?;
        }
        let mut block = mem::take(&mut self.block);
        let appended = self.read_block(&mut block, labels).and_then(|count| {
            let more = if count > 0 { &block.bytes[..] } else { &[] };
            bytes.try_reserve(more.len()).map_err(|error| self.error(io::Error::from(error)))?;
            bytes.extend_from_slice(more);
            Ok(count)
        });
        self.block = block;
        appended
    }

    /// Reads as many of the next records as are at hand, appends their labels, and returns their number.
    pub(crate) fn read_block(
        &mut self,
        records: &mut Record,
        labels: &mut Vec<i128>,
    ) -> Result<u64, Error> {
        self.read_with(records, |steps, records| steps.read_many(records, labels))
    }

    /// Returns the size of the remaining records in bytes, if the size of the input confirms that they exist.
    pub(crate) fn confirmed_size(&self) -> Option<usize> {
        let size = self.remaining()?.checked_mul(self.facts.layout.record_size()?)?;
        usize::try_from(size).ok().filter(|_| size <= self.size)
    }
}
