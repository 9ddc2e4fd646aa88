use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use super::error::NpyError;
use super::header::Header;
use crate::error::{Error, ErrorKind};
use idx_std::__private::RecordStream;
use idx_std::__private::Source;
use idx_std::__private::to_usize;
use idx_std::__private::wide;

/// The maximum number of dimensions; NumPy itself has at most 64.
const MAX_DIMENSIONS: usize = 255;

/// Reads the records of an npy file, NumPy's format, one by one as big-endian bytes.
///
/// An array in C order is read in constant memory. One in Fortran order is read whole, as its records
/// are scattered over the file. A truncated file gives its whole records, then one error.
///
/// ```
/// use idx_std::ElementType;
/// use idx_data::npy::{Header, Reader};
///
/// let mut file = Header::new(ElementType::I16, vec![2, 2]).to_bytes();
/// file.extend([1, 0, 2, 0, 3, 0, 4, 0]);
/// let mut reader = Reader::new(&file[..])?;
/// assert_eq!(reader.next_record().transpose()?, Some(&[0, 1, 0, 2][..]));
/// # Ok::<(), idx_data::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R: Read = File> {
    header: Header,
    /// The records; for an array in Fortran order the whole array as one record.
    stream: RecordStream<R>,
    /// The index of the next record of an array in Fortran order, and where the array is, once it was read.
    scattered: Option<(u64, Option<Range<usize>>)>,
    /// The current record.
    record: Vec<u8>,
}

impl Reader {
    /// Opens a file, plain or gzip by its content, and reads its header.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Npy`], and those of [`idx_std::Reader`](crate::Reader).
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        match Source::open(path).map_err(ErrorKind::from).and_then(Self::from_source) {
            Ok(reader) => Ok(Self { stream: reader.stream.with_path(path), ..reader }),
            Err(kind) => Err(Error::from(kind).with_path(path)),
        }
    }
}

impl<R: Read> Reader<R> {
    /// Reads a header from anything that can be read, plain or gzip by its content.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Npy`], and those of [`idx_std::Reader`](crate::Reader).
    pub fn new(read: R) -> Result<Self, Error> {
        Ok(Self::from_source(Source::new(read)?)?)
    }

    fn from_source(mut source: Source<R>) -> Result<Self, ErrorKind> {
        let mut bytes = Vec::new();
        source.append(&mut bytes, 12)?;
        let size = Header::size(&bytes)?;
        let rest = size.saturating_sub(bytes.len());
        source.append(&mut bytes, rest as u64)?;
        let header = Header::parse(&bytes)?;
        if header.shape.len() > MAX_DIMENSIONS {
            let found = header.shape.len();
            return Err(NpyError::TooManyDimensions { found }.into());
        }
        let payload_size = header.payload_size().ok_or(NpyError::TooLarge)?;
        let is_scattered = header.fortran_order && header.shape.len() > 1 && payload_size > 0;
        let (record_size, record_count) = match is_scattered {
            true => (payload_size, 1),
            // A record too large for 64 bits occurs only in an empty array.
            false => (header.record_size().unwrap_or(0), header.record_count()),
        };
        let start = bytes.len() as u64;
        Ok(Self {
            stream: RecordStream::new(source, start, record_size, record_count, payload_size),
            header,
            scattered: is_scattered.then_some((0, None)),
            record: Vec::new(),
        })
    }

    /// Rejects a file whose records have more than `bytes` bytes, because a reader holds one record in memory; and an
    /// array of more than that in Fortran order, which it holds as a whole, unless it is a plain file that has them.
    ///
    /// # Errors
    ///
    /// [`idx_std::ErrorKind::RecordLimitExceeded`], [`NpyError::FortranOrder`].
    pub fn record_limit(self, bytes: u64) -> Result<Self, Error> {
        if self.scattered.is_none() {
            self.stream.check_record_limit(bytes)?;
            return Ok(self);
        }
        let needed = self.header.payload_size().unwrap_or(u64::MAX);
        let record = self.header.record_size().unwrap_or(u64::MAX);
        if record > bytes || needed > bytes && !self.stream.can_seek() {
            let error = NpyError::FortranOrder { needed, limit: bytes };
            return Err(ErrorKind::from(error).into());
        }
        Ok(self)
    }

    /// The type, the order and the sizes.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next record, big-endian, the last dimension fastest; `None` once all were given and the
    /// end was checked.
    pub fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        self.record.clear();
        let next = match self.scattered.take() {
            None => self.advance(),
            Some((next, array)) => self.gather(next, array),
        };
        match next {
            Ok(true) => {
                if !self.header.big_endian {
                    let size = self.header.dtype.size();
                    wide::reverse_each(&mut self.record, size);
                }
                Some(Ok(&self.record))
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Skips this many of the next records, or the remaining ones if there are fewer. Returns their number.
    pub(crate) fn skip(&mut self, records: u64) -> Result<u64, Error> {
        if let Some((next, _)) = &mut self.scattered {
            let skipped = records.min(self.header.record_count() - *next);
            *next += skipped;
            return Ok(skipped);
        }
        let next = self.stream.next_index();
        let skipped = records.min(self.header.record_count() - next);
        self.stream.select(next + skipped..)?;
        Ok(skipped)
    }

    fn advance(&mut self) -> Result<bool, Error> {
        let Some(record) = self.stream.next_record().transpose()? else {
            return Ok(false);
        };
        self.record.extend_from_slice(record);
        Ok(true)
    }

    /// Collects the elements of a record of an array in Fortran order, which is read first.
    fn gather(&mut self, next: u64, array: Option<Range<usize>>) -> Result<bool, Error> {
        let array = match array {
            Some(array) => array,
            None => {
                let range = self.stream.next_range().transpose();
                range.map_err(|error| error.with_records(0))?.unwrap_or_default()
            }
        };
        if next == self.header.record_count() {
            let end = self.stream.next_range().transpose();
            end.map_err(|error| error.with_records(next))?;
            return Ok(false);
        }
        let bytes = self.stream.bytes(array.clone());
        let gathered = gather_record(&self.header, bytes, next, &mut self.record);
        gathered.map_err(|error| self.stream.error(error.into()))?;
        self.scattered = Some((next + 1, Some(array)));
        Ok(true)
    }
}

/// Appends the elements of record `index` of a whole array in Fortran order, the last dimension fastest.
fn gather_record(
    header: &Header,
    array: &[u8],
    index: u64,
    record: &mut Vec<u8>,
) -> Result<(), idx_std::FormatError> {
    let size = header.dtype.size();
    let elements = (array.len() / size) as u64;
    let count = elements / header.record_count();
    let mut position = vec![0u64; header.record_shape().len()];
    let mut element = to_usize(index)?;
    for _ in 0..count {
        let bytes = array.get(element * size..(element + 1) * size);
        debug_assert!(bytes.is_some(), "the whole array was read");
        record.extend_from_slice(bytes.unwrap_or_default());
        // Increments the index, the last dimension fastest.
        let mut stride = elements;
        for (index, length) in position.iter_mut().zip(header.record_shape()).rev() {
            stride /= length;
            *index += 1;
            element += to_usize(stride)?;
            if *index < *length {
                break;
            }
            *index = 0;
            element -= to_usize(stride * length)?;
        }
    }
    Ok(())
}
