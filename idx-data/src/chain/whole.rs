//! Reads all records of a source and their labels into memory.

use std::{io, mem};

use crate::chain::source::Source;
use crate::chain::step::Step;
use crate::error::Error;
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
        let mut block = mem::take(&mut self.block);
        let count = self.read_with(&mut block, |steps, records| steps.read_many(records, labels));
        let appended = count.and_then(|count| self.append_to(bytes, &block.bytes, count));
        self.block = block;
        appended
    }

    /// Appends a block of so many records.
    fn append_to(&self, bytes: &mut Vec<u8>, block: &[u8], count: u64) -> Result<u64, Error> {
        if count == 0 {
            return Ok(0);
        }
        let left = self.remaining().unwrap_or(0).saturating_add(count);
        let size = left.saturating_mul(self.facts.layout.record_size().unwrap_or(0));
        let reserved = match usize::try_from(size) {
            // Not more later: memory of huge pages would be copied where it grows.
            Ok(whole) if bytes.is_empty() && size <= self.size => alloc::reserve(bytes, whole),
            _ => bytes.try_reserve(block.len()).map_err(|error| io::Error::from(error).into()),
        };
        reserved.map_err(|kind| self.error(kind))?;
        bytes.extend_from_slice(block);
        Ok(count)
    }
}
