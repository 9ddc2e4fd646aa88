use std::fs::File;
use std::io::{Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};

use idx_core::Header;
use sha2::{Digest, Sha256};

use crate::source::{CHUNK_SIZE, Compression, Source, to_usize};
use crate::{Error, ErrorKind, KnownFile};

/// Reads records one by one as their bytes, in constant memory; the type is known at run time.
///
/// A file that is cut gives its whole records, then one error, then nothing. So does a wrong
/// checksum, or a byte too many, which can be seen only after the last record: read on until `None`
/// to be sure of a file.
///
/// ```
/// use idx_std::DynReader;
///
/// let file = [0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 2, 0xFF, 0xFF, 0, 4];
/// let mut reader = DynReader::new(&file[..])?;
/// assert!(reader.header().dims().iter().eq([2, 2]));
/// while let Some(record) = reader.next_record() {
///     println!("{:02X?}", record?);
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
pub struct DynReader<R: Read = File> {
    source: Source<R>,
    /// The bytes of the header.
    header: Vec<u8>,
    record_size: u64,
    record_count: u64,
    /// The record that comes next; also how many whole ones came before.
    next: u64,
    /// The first record that is not wanted; if there is none, the number of records.
    end: u64,
    /// Bytes read in advance, whole records most of the time, and which of them come next.
    chunk: Vec<u8>,
    unread: Range<usize>,
    /// An error that comes after the unread records.
    fault: Option<ErrorKind>,
    /// Whether everything was said: the end of the file was checked, or an error was given.
    ended: bool,
    path: Option<PathBuf>,
}

impl DynReader {
    /// Opens a file, plain or gzip by its content, and reads its header.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`]; the path is in the sentence.
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

impl<R: Read> DynReader<R> {
    /// Reads a header from anything that can be read, plain or gzip by its content.
    ///
    /// The bytes are read in large pieces, `read` needs no buffer of its own.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    pub fn new(read: R) -> Result<Self, Error> {
        Ok(Source::new(read).and_then(Self::from_source)?)
    }

    fn from_source(mut source: Source<R>) -> Result<Self, ErrorKind> {
        let bytes = source.header()?;
        let (header, _) = Header::parse(&bytes)?;
        Ok(Self {
            record_size: header.record_size().unwrap_or(0), // then there are no records
            record_count: u64::from(header.record_count()),
            end: u64::from(header.record_count()),
            source,
            header: bytes,
            next: 0,
            chunk: Vec::new(),
            unread: 0..0,
            fault: None,
            ended: false,
            path: None,
        })
    }

    /// The element type and the sizes.
    #[must_use]
    #[expect(
        clippy::expect_used,
        clippy::missing_panics_doc,
        reason = "the same bytes were parsed when the reader was made"
    )]
    pub fn header(&self) -> Header<'_> {
        let (header, _) = Header::parse(&self.header).expect("the header of a reader is valid");
        header
    }

    /// How the bytes are compressed, or `None` if they are not.
    #[must_use]
    pub fn compression(&self) -> Option<Compression> {
        self.source.compression()
    }

    /// The size of the file in bytes as it is stored, if this is a regular file that was opened by
    /// its path.
    #[must_use]
    pub fn file_size(&self) -> Option<u64> {
        self.source.file_size()
    }

    /// Compares the length of a plain file with its header, without reading the payload.
    ///
    /// Gzip data and streams do not know their length; for them this is `Ok`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] with `Truncated` or `TrailingBytes`.
    pub fn check_length(&self) -> Result<(), Error> {
        let (None, Some(size)) = (self.compression(), self.file_size()) else {
            return Ok(());
        };
        let header = self.header();
        let needed = header.payload_size();
        let found = size.saturating_sub(header.header_size() as u64);
        if found < needed {
            let whole = found.checked_div(self.record_size).unwrap_or(0);
            let error = idx_core::Error::Truncated { needed, found };
            Err(self.error(error.into()).with_records(whole))
        } else if found > needed {
            let error = idx_core::Error::TrailingBytes {
                offset: size - (found - needed),
                count: found - needed,
            };
            Err(self.error(error.into()).with_records(self.record_count))
        } else {
            Ok(())
        }
    }

    /// Ranges that cover the records exactly, as many as there are to be parts; 0 counts as 1.
    ///
    /// They differ by one record at most, and some are empty if there are more parts than records.
    /// Threads or processes that [`select`](Self::select) one each, with a reader of their own, read
    /// the whole file together.
    ///
    /// ```
    /// use std::thread;
    /// use idx_std::{DynReader, Error, Reader};
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../idx-cli/sample/digits-images-idx3-ubyte");
    ///
    /// let parts = DynReader::open(path)?.partition(3);
    /// let ink = |part| -> Result<u64, Error> {
    ///     let mut images = Reader::<[[u8; 28]; 28]>::open(path)?;
    ///     images.select(part)?;
    ///     images.map(|image| Ok(image?.as_flattened().iter().map(|pixel| u64::from(*pixel)).sum::<u64>())).sum()
    /// };
    /// let ink: u64 = thread::scope(|scope| {
    ///     let threads: Vec<_> = parts.map(|part| scope.spawn(move || ink(part))).collect();
    ///     threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<Result<_, Error>>()
    /// })?;
    /// # let all: u64 = idx_std::load::<u8>(path)?.iter().map(|pixel| u64::from(*pixel)).sum();
    /// # assert_eq!(ink, all);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn partition(
        &self,
        parts: usize,
    ) -> impl DoubleEndedIterator<Item = Range<u64>> + ExactSizeIterator + use<R> {
        let count = self.record_count;
        let parts = parts.max(1);
        let (size, larger) = (count / parts as u64, count % parts as u64);
        let start = move |part: usize| part as u64 * size + larger.min(part as u64);
        (0..parts).map(move |part| start(part)..start(part + 1))
    }

    /// The bytes of the next record, big-endian; `None` once all were given and the end was checked.
    pub fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        Some(match self.next_place()? {
            Ok(place) => Ok(self.bytes(place)),
            Err(error) => Err(error),
        })
    }

    /// The bytes of the next records, as many whole ones as were read at a time; otherwise as
    /// [`next_record`](Self::next_record). For small records this is much faster.
    pub fn next_records(&mut self) -> Option<Result<&[u8], Error>> {
        Some(match self.next_places()? {
            Ok(places) => Ok(self.bytes(places)),
            Err(error) => Err(error),
        })
    }

    /// Where in the chunk the next record lies; `None` as in [`next_record`](Self::next_record).
    pub(crate) fn next_place(&mut self) -> Option<Result<Range<usize>, Error>> {
        let has_more = self.next < self.record_count;
        if self.ended || has_more && self.next >= self.end {
            return None;
        }
        let result = if has_more {
            self.advance().map(Some)
        } else {
            let fault = self.fault.take().map_or(Ok(()), Err);
            fault.and_then(|()| self.source.expect_end()).map(|()| None)
        };
        self.ended = !matches!(result, Ok(Some(_)));
        result
            .map_err(|kind| self.error(kind).with_records(self.next))
            .transpose()
    }

    /// Reads all records, and tells which well-known file this is; see [`identify`](crate::identify).
    ///
    /// ```
    /// let file = [0, 0, 0x08, 1, 0, 0, 0, 2, 7, 3];
    /// assert_eq!(idx_std::DynReader::new(&file[..])?.identify()?, None);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the file, and [`ErrorKind::CannotGoBack`] if records were read before.
    pub fn identify(self) -> Result<Option<KnownFile>, Error> {
        self.identify_with(|_| ())
    }

    /// As [`identify`](Self::identify); `take` is given the records on the way, as
    /// [`next_records`](Self::next_records) gives them.
    ///
    /// ```
    /// let file = [0, 0, 0x08, 1, 0, 0, 0, 2, 7, 3];
    /// let mut sum = 0;
    /// let known = idx_std::DynReader::new(&file[..])?
    ///     .identify_with(|records| sum += records.iter().map(|label| u64::from(*label)).sum::<u64>())?;
    /// assert_eq!((known, sum), (None, 10));
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`identify`](Self::identify).
    pub fn identify_with(
        mut self,
        mut take: impl FnMut(&[u8]),
    ) -> Result<Option<KnownFile>, Error> {
        if self.next > 0 {
            return Err(self.error(ErrorKind::CannotGoBack {
                record: 0,
                next: self.next,
                compression: self.compression(),
            }));
        }
        self.end = self.record_count;
        let mut hash = Sha256::new_with_prefix(&self.header);
        while let Some(place) = self.next_places().transpose()? {
            let records = self.bytes(place);
            hash.update(records);
            take(records);
        }
        Ok(KnownFile::of_sha256(&hash.finalize()))
    }

    /// Where in the chunk the next records lie, as many as there are; otherwise as
    /// [`next_place`](Self::next_place).
    fn next_places(&mut self) -> Option<Result<Range<usize>, Error>> {
        let first = match self.next_place()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error)),
        };
        match self.unread.len().checked_div(first.len()) {
            Some(more) => {
                let wanted = self.end - self.next;
                let more = usize::try_from(wanted).map_or(more, |wanted| more.min(wanted));
                self.next += more as u64;
                self.unread.start += more * first.len();
            }
            // Records of no bytes: all of them.
            None => self.next = self.end,
        }
        Some(Ok(first.start..self.unread.start))
    }

    pub(crate) fn bytes(&self, place: Range<usize>) -> &[u8] {
        self.chunk.get(place).unwrap_or_default()
    }

    /// Ends at the record that was given last, as its type does not allow this value in it.
    pub(crate) fn refuse(&mut self, value: i64) -> Error {
        self.ended = true;
        let record = self.next - 1;
        let error = idx_core::Error::ValueNotAllowed { record, value };
        self.error(error.into()).with_records(record)
    }

    /// How many times `next_record` can give something at most.
    pub(crate) fn most_left(&self) -> u64 {
        if self.ended {
            return 0;
        }
        // There may be an error after the last record.
        self.end.saturating_sub(self.next) + 1
    }

    /// Passes over the next record, and gives its place in the chunk.
    fn advance(&mut self) -> Result<Range<usize>, ErrorKind> {
        let size = to_usize(self.record_size)?;
        if self.unread.len() < size {
            self.read_chunk(size)?;
        }
        let record = self.unread.start..self.unread.start + size;
        self.unread.start = record.end;
        self.next += 1;
        Ok(record)
    }

    /// Reads as many whole records as a chunk holds, at least one.
    #[inline(never)]
    fn read_chunk(&mut self, size: usize) -> Result<(), ErrorKind> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.unread.is_empty() {
            let records_left = self.record_count - self.next;
            let records = (CHUNK_SIZE / size).max(1);
            let records = usize::try_from(records_left).map_or(records, |left| left.min(records));
            let (filled, result) = self.fill_chunk(records * size);
            self.unread = 0..filled;
            if filled < size {
                result?;
            } else {
                // The records before it come first.
                self.fault = result.err();
            }
        }
        // Whole records were asked for, so a part of one is where the file ends.
        if self.unread.len() < size {
            return Err(idx_core::Error::Truncated {
                needed: self.header().payload_size(),
                found: self.next * self.record_size + self.unread.len() as u64,
            }
            .into());
        }
        Ok(())
    }

    /// Reads up to `wanted` bytes; gives their number, and the error that came after them.
    fn fill_chunk(&mut self, wanted: usize) -> (usize, Result<(), ErrorKind>) {
        if wanted <= CHUNK_SIZE {
            self.chunk.resize(wanted, 0);
            self.source.fill(&mut self.chunk)
        } else {
            // A record of more than a chunk gets its memory as its bytes come.
            self.chunk.clear();
            let result = self.source.append(&mut self.chunk, wanted as u64);
            (self.chunk.len(), result)
        }
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind).with_path(self.path.as_deref())
    }
}

impl<R: Read + Seek> DynReader<R> {
    /// Goes to record `index`, so that it comes next: by position in a plain file, by reading on in
    /// gzip data or a pipe.
    ///
    /// The number of records is a valid index, too; then only the end is left to be checked.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoRecord`] beyond that, and [`ErrorKind::CannotGoBack`] in gzip data or a pipe;
    /// both leave the reader where it was. A file that ends before the record is
    /// [`ErrorKind::Format`] with `Truncated`.
    pub fn skip_to(&mut self, index: u64) -> Result<(), Error> {
        if index > self.record_count {
            return Err(self.error(ErrorKind::NoRecord {
                record: index,
                count: self.record_count,
            }));
        }
        match self.seek(index) {
            Ok(true) => Ok(()),
            Ok(false) if index < self.next => {
                return Err(self.error(ErrorKind::CannotGoBack {
                    record: index,
                    next: self.next,
                    compression: self.compression(),
                }));
            }
            Ok(false) => self.read_on(index),
            Err(kind) => Err(kind),
        }
        .map_err(|kind| {
            self.ended = true;
            self.error(kind).with_records(self.next)
        })
    }

    /// Goes to the first of these records, as [`skip_to`](Self::skip_to) does, and ends after the last.
    ///
    /// Of what follows them nothing is known then: that the file ends as it should is checked by the
    /// range that has its last record.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use idx_std::DynReader;
    ///
    /// let file = [0, 0, 0x08, 1, 0, 0, 0, 5, 10, 20, 30, 40, 50];
    /// let mut reader = DynReader::new(Cursor::new(file))?;
    /// reader.select(1..3)?;
    /// assert_eq!(reader.next_record().unwrap()?, [20]);
    /// assert_eq!(reader.next_record().unwrap()?, [30]);
    /// assert!(reader.next_record().is_none());
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`skip_to`](Self::skip_to).
    pub fn select(&mut self, records: Range<u64>) -> Result<(), Error> {
        if records.end > self.record_count {
            return Err(self.error(ErrorKind::NoRecord {
                record: records.end,
                count: self.record_count,
            }));
        }
        self.skip_to(records.start)?;
        self.end = records.end;
        Ok(())
    }

    /// Goes to a record by reading all before it.
    fn read_on(&mut self, index: u64) -> Result<(), ErrorKind> {
        let size = to_usize(self.record_size)?;
        if size == 0 {
            self.next = index;
        }
        while self.next < index {
            if self.unread.len() < size {
                self.read_chunk(size)?;
            }
            let whole = self.unread.len() / size;
            let passed = usize::try_from(index - self.next).map_or(whole, |left| left.min(whole));
            self.unread.start += passed * size;
            self.next += passed as u64;
        }
        Ok(())
    }

    /// Goes to a record by position; `false` if these bytes cannot do that.
    fn seek(&mut self, index: u64) -> Result<bool, ErrorKind> {
        // An index of at most the number of records, and a payload that fits 64 bits.
        let payload_position = index * self.record_size;
        let header_size = self.header.len() as u64;
        let Some(position) = self
            .source
            .seek(header_size.saturating_add(payload_position))?
        else {
            return Ok(false);
        };
        self.unread = 0..0;
        self.fault = None;
        let found = position.saturating_sub(header_size);
        if found < payload_position {
            self.next = found.checked_div(self.record_size).unwrap_or(0);
            return Err(idx_core::Error::Truncated {
                needed: self.header().payload_size(),
                found,
            }
            .into());
        }
        self.next = index;
        self.ended = false;
        Ok(true)
    }
}
