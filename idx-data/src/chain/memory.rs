//! Reads all records of a source, with their labels, into memory.

use std::{io, mem};

use crate::chain::source::Source;
use crate::error::Error;
use idx_std::__private::alloc;

impl Source {
    /// Reserves memory for all remaining records, if they take at most `limit` bytes and the size of the input confirms
    /// that they exist. [`read_onto`](Self::read_onto) reads a large plain file into this memory on several threads.
    ///
    /// # Errors
    ///
    /// Too little memory ([`io`](idx_std::ErrorKind::code)).
    pub fn reserve(&self, bytes: &mut Vec<u8>, limit: Option<u64>) -> Result<(), Error> {
        let size = self.facts.layout.record_size().unwrap_or(0);
        let size = self.remaining().unwrap_or(0).saturating_mul(size);
        match usize::try_from(size) {
            Ok(whole) if size <= self.size.min(limit.unwrap_or(u64::MAX)) => {
                alloc::reserve(bytes, whole).map_err(|kind| self.error(kind))
            }
            _ => Ok(()),
        }
    }

    /// Appends the bytes and labels of the next records, as many as are available at once, and returns their number; 0
    /// after the last one, when the end is checked. With memory from [`reserve`](Self::reserve), this is the fastest
    /// way to read all records.
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
    /// own.reserve(&mut bytes, None)?;
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
        // The first records are read directly into `bytes`.
        let is_first = bytes.is_empty();
        if is_first {
            mem::swap(bytes, &mut block.bytes);
        }
        let read = self.read_some(&mut block, Some(labels));
        if is_first {
            mem::swap(bytes, &mut block.bytes);
        }
        if !matches!(read, Ok(1..)) {
            if is_first {
                bytes.clear();
            }
        } else if !is_first {
            if let Err(error) = bytes.try_reserve(block.bytes.len()) {
                // The block is lost, and its labels are already appended.
                self.has_failed = true;
                return Err(self.error(io::Error::from(error)));
            }
            bytes.extend_from_slice(&block.bytes);
        }
        self.block = block;
        read
    }
}
