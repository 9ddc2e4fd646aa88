use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::source::{CHUNK_SIZE, Source, to_usize};
use crate::{Error, ErrorKind, NpyError, NpyHeader};

/// Reads the records of an npy file, NumPy's format, one by one as big-endian bytes.
///
/// An array in C order is read in constant memory. One in Fortran order is held, as its records lie
/// scattered over the file. A file that is cut gives its whole records, then one error.
///
/// ```
/// use idx_std::{ElementType, NpyHeader, NpyReader};
///
/// let mut file = NpyHeader::new(ElementType::I16, vec![2, 2]).to_bytes();
/// file.extend([1, 0, 2, 0, 3, 0, 4, 0]);
/// let mut reader = NpyReader::new(&file[..])?;
/// assert_eq!(reader.next_record().transpose()?, Some(&[0, 1, 0, 2][..]));
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
pub struct NpyReader<R: Read = File> {
    source: Source<R>,
    header: NpyHeader,
    record_size: usize,
    payload_size: u64,
    /// The record that comes next.
    next: u64,
    /// Records in the order of the file, or all of an array in Fortran order.
    chunk: Vec<u8>,
    /// Where in the chunk the next record starts.
    position: usize,
    /// The record that was given last.
    record: Vec<u8>,
    /// An error that comes after the records of the chunk.
    fault: Option<ErrorKind>,
    ended: bool,
    path: Option<PathBuf>,
}

impl NpyReader {
    /// Opens a file, plain or gzip by its content, and reads its header.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Npy`], and those of reading.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Source::open(path)
            .and_then(Self::from_source)
            .map(|reader| Self {
                path: Some(path.to_path_buf()),
                ..reader
            })
            .map_err(|kind| Error::from(kind).with_path(Some(path)))
    }
}

impl<R: Read> NpyReader<R> {
    /// Reads a header from anything that can be read, plain or gzip by its content.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Npy`], and those of reading.
    pub fn new(read: R) -> Result<Self, Error> {
        Ok(Source::new(read).and_then(Self::from_source)?)
    }

    fn from_source(mut source: Source<R>) -> Result<Self, ErrorKind> {
        let mut bytes = Vec::new();
        source.append(&mut bytes, 12)?;
        let size = NpyHeader::size(&bytes)?;
        let rest = size.saturating_sub(bytes.len());
        source.append(&mut bytes, rest as u64)?;
        let header = NpyHeader::parse(&bytes)?;
        let payload_size = header.payload_size().ok_or(NpyError::TooLarge)?;
        // A record that could not exist is one of an empty array.
        let record_size = header.record_size().unwrap_or(0);
        Ok(Self {
            record_size: to_usize(record_size)?,
            payload_size,
            source,
            header,
            next: 0,
            chunk: Vec::new(),
            position: 0,
            record: Vec::new(),
            fault: None,
            ended: false,
            path: None,
        })
    }

    /// The type, the order and the sizes.
    #[must_use]
    pub fn header(&self) -> &NpyHeader {
        &self.header
    }

    /// The next record, big-endian, the last dimension fastest; `None` once all were given and the
    /// end was checked.
    pub fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        if self.ended {
            return None;
        }
        let result = if self.next < self.header.record_count() {
            self.advance().map(Some)
        } else {
            let fault = self.fault.take().map_or(Ok(()), Err);
            fault.and_then(|()| self.source.expect_end()).map(|()| None)
        };
        self.ended = !matches!(result, Ok(Some(())));
        match result {
            Ok(Some(())) => Some(Ok(&self.record)),
            Ok(None) => None,
            Err(kind) => Some(Err(Error::from(kind)
                .with_path(self.path.as_deref())
                .with_records(self.next))),
        }
    }

    fn advance(&mut self) -> Result<(), ErrorKind> {
        self.record.clear();
        if self.header.fortran_order && self.header.shape.len() > 1 {
            self.gather()?;
        } else {
            if self.chunk.len() - self.position < self.record_size {
                self.read_chunk()?;
            }
            let end = self.position + self.record_size;
            let record = self.chunk.get(self.position..end).unwrap_or_default();
            self.record.extend_from_slice(record);
            self.position = end;
        }
        if !self.header.big_endian {
            let size = self.header.number_type.size();
            self.record.chunks_exact_mut(size).for_each(<[u8]>::reverse);
        }
        self.next += 1;
        Ok(())
    }

    /// Reads as many whole records as a chunk holds, at least one.
    fn read_chunk(&mut self) -> Result<(), ErrorKind> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        self.chunk.drain(..self.position);
        self.position = 0;
        let left = self.header.record_count() - self.next;
        let records = left.min((CHUNK_SIZE / self.record_size).max(1) as u64);
        let wanted = records * self.record_size as u64 - self.chunk.len() as u64;
        let result = self.source.append(&mut self.chunk, wanted);
        if self.chunk.len() < self.record_size {
            result?;
            return Err(self.truncated(self.next * self.record_size as u64));
        }
        // The whole records come first.
        self.fault = result.err();
        Ok(())
    }

    /// Takes the elements of the next record together from an array in Fortran order.
    fn gather(&mut self) -> Result<(), ErrorKind> {
        let held = self.chunk.len() as u64;
        if held < self.payload_size {
            self.source
                .append(&mut self.chunk, self.payload_size - held)?;
        }
        if (self.chunk.len() as u64) < self.payload_size {
            return Err(self.truncated(0));
        }
        let size = self.header.number_type.size();
        let count = self.record_size / size;
        // In elements, of which the whole payload is in memory.
        let mut index = vec![0u64; self.header.record_shape().len()];
        let mut element = to_usize(self.next)?;
        for _ in 0..count {
            let bytes = self.chunk.get(element * size..(element + 1) * size);
            self.record.extend_from_slice(bytes.unwrap_or_default());
            // Counts the index up, the last dimension fastest.
            let mut stride = self.payload_size / size as u64;
            for (place, length) in index.iter_mut().zip(self.header.record_shape()).rev() {
                stride /= length;
                *place += 1;
                element += to_usize(stride)?;
                if *place < *length {
                    break;
                }
                *place = 0;
                element -= to_usize(stride * length)?;
            }
        }
        Ok(())
    }

    fn truncated(&self, before: u64) -> ErrorKind {
        idx_core::Error::Truncated {
            needed: self.payload_size,
            found: before + self.chunk.len() as u64,
        }
        .into()
    }
}
