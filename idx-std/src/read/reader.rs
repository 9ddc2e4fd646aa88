use std::fs::File;
use std::io::{Read, Seek};
use std::ops::{Bound, Range, RangeBounds};
use std::path::{Path, PathBuf};

use idx_core::IdxRecord;

use super::records::RecordReader;
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::source::Source;
use crate::io::{CHUNK_SIZE, to_usize};

/// Reads records one by one as bytes, in constant memory; the type need not be known at compile time.
///
/// A truncated file gives its whole records, then one error, then nothing. So does a file with a wrong
/// checksum or an extra byte, which shows only after the last record: a file is valid once you have read
/// until `None`.
///
/// Where the type is known, [`records`](Self::records) reads values.
///
/// ```
/// use idx_std::Reader;
///
/// let file = [0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 2, 0xFF, 0xFF, 0, 4];
/// let mut reader = Reader::new(&file[..])?;
/// assert_eq!(reader.header().dims(), [2, 2]);
/// while let Some(record) = reader.next_record() {
///     println!("{:02X?}", record?);
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R: Read = File> {
    pub(super) header: HeaderBuf,
    pub(super) stream: RecordStream<R>,
}

impl Reader {
    /// Opens a file, plain or gzip by its content, and reads its header.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`]; the path is in the sentence.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        match Source::open(path).and_then(Self::from_source) {
            Ok(mut reader) => {
                reader.stream.path = Some(path.to_path_buf());
                Ok(reader)
            }
            Err(kind) => Err(Error::from(kind).with_path(path)),
        }
    }
}

impl<R: Read> Reader<R> {
    /// Reads a header from anything that can be read, plain or gzip by its content.
    ///
    /// It reads in large pieces, so `read` needs no buffer of its own.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    pub fn new(read: R) -> Result<Self, Error> {
        Ok(Source::new(read).and_then(Self::from_source)?)
    }

    /// As [`new`](Self::new), for what can also go to a position: then the size is known, and
    /// [`select`](Self::select) need not read what comes before.
    ///
    /// # Errors
    ///
    /// See [`ErrorKind`].
    pub fn seekable(read: R) -> Result<Self, Error>
    where
        R: Seek,
    {
        Ok(Source::seekable(read).and_then(Self::from_source)?)
    }

    fn from_source(mut source: Source<R>) -> Result<Self, ErrorKind> {
        let header = source.read_header()?;
        let stream = RecordStream::new(
            source,
            header.header_size() as u64,
            header.record_size().unwrap_or(0), // then there are no records
            header.record_count().into(),
            header.payload_size(),
        );
        Ok(Self { header, stream })
    }

    /// The records as values of type `T`, from the next one on.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] if the file's element type or shape is not that of `T`.
    pub fn records<T: IdxRecord>(self) -> Result<RecordReader<T, R>, Error> {
        RecordReader::new(self.header, self.stream)
    }

    /// The element type and the sizes.
    #[must_use]
    pub fn header(&self) -> &HeaderBuf {
        &self.header
    }

    /// Whether the bytes are compressed by gzip.
    #[must_use]
    pub fn is_gzip(&self) -> bool {
        self.stream.source.is_gzip()
    }

    /// The size of the file in bytes as it is stored; `None` of a stream.
    #[must_use]
    pub fn file_size(&self) -> Option<u64> {
        self.stream.source.file_size()
    }

    /// Compares the length of a plain file with its header, without reading the payload.
    ///
    /// Gzip data and streams do not know their length; for them this is `Ok`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Format`] with `Truncated` or `TrailingBytes`.
    pub fn check_length(&self) -> Result<(), Error> {
        let (false, Some(size)) = (self.is_gzip(), self.file_size()) else {
            return Ok(());
        };
        let needed = self.header.payload_size();
        let found = size.saturating_sub(self.header.header_size() as u64);
        let error = if found < needed {
            idx_core::Error::Truncated { needed, found }
        } else if found > needed {
            idx_core::Error::TrailingBytes {
                offset: size - (found - needed),
                count: found - needed,
            }
        } else {
            return Ok(());
        };
        let whole = self.header.whole_records(found.min(needed));
        Err(self.stream.error(error.into()).with_records(whole))
    }

    /// Divides the records into this many ranges that cover them exactly; 0 counts as 1.
    ///
    /// They differ by at most one record, and some are empty if there are more parts than records.
    /// If each of several threads or processes [`select`](Self::select)s one range with a reader of its own,
    /// they read the whole file together.
    ///
    /// ```
    /// use std::thread;
    /// use idx_std::{Error, Reader};
    /// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../idx-cli/sample/digits-images-idx3-ubyte");
    ///
    /// let parts = Reader::open(path)?.partition(3);
    /// let ink = |part| -> Result<u64, Error> {
    ///     let mut reader = Reader::open(path)?;
    ///     reader.select(part)?;
    ///     let images = reader.records::<[[u8; 28]; 28]>()?;
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
        let count = u64::from(self.header.record_count());
        let parts = parts.max(1);
        let (size, larger) = (count / parts as u64, count % parts as u64);
        let start = move |part: usize| part as u64 * size + larger.min(part as u64);
        (0..parts).map(move |part| start(part)..start(part + 1))
    }

    /// Selects the records that come next, and returns their number. In a plain file it seeks; in gzip data
    /// or a stream it reads up to the first of them.
    ///
    /// It replaces any earlier selection. The bytes after the range are not checked; a range that includes
    /// the last record also checks the end of the file.
    ///
    /// ```
    /// use idx_std::Reader;
    ///
    /// let file = [0, 0, 0x08, 1, 0, 0, 0, 5, 10, 20, 30, 40, 50];
    /// let mut reader = Reader::new(&file[..])?;
    /// assert_eq!(reader.select(1..3)?, 2);
    /// assert_eq!(reader.next_record().unwrap()?, [20]);
    /// assert_eq!(reader.next_record().unwrap()?, [30]);
    /// assert!(reader.next_record().is_none());
    /// reader.select(4..)?;
    /// assert_eq!(reader.next_record().unwrap()?, [50]);
    /// # Ok::<(), idx_std::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidRange`] and [`ErrorKind::IndexOutOfRange`], and [`ErrorKind::CannotGoBack`] in
    /// gzip data or a stream, which leave the reader as it was. A file that ends before the range is
    /// [`ErrorKind::Format`] with `Truncated`; after that and after [`ErrorKind::Io`] no record comes.
    pub fn select(&mut self, records: impl RangeBounds<u64>) -> Result<u64, Error> {
        self.stream.select(records)
    }

    /// The bytes of the next record, big-endian; `None` once all were given and the end was checked.
    pub fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        self.stream.next_record()
    }

    /// The bytes of the next records, as many whole ones as were read at a time; otherwise as
    /// [`next_record`](Self::next_record). For small records this is much faster.
    pub fn next_records(&mut self) -> Option<Result<&[u8], Error>> {
        self.stream.next_records()
    }
}

/// Records of equal size in a source, whatever the format: the selected ones, and their bytes.
#[derive(Debug)]
pub(crate) struct RecordStream<R> {
    source: Source<R>,
    /// Where the first record starts, in decompressed bytes.
    start: u64,
    record_size: u64,
    record_count: u64,
    payload_size: u64,
    /// The records that come: up to `end`, or if that is all, up to the end of the file.
    next: u64,
    end: u64,
    /// Bytes read in advance, usually whole records, and which of them come next.
    chunk: Vec<u8>,
    unread: Range<usize>,
    /// An error that comes after the unread records.
    fault: Option<ErrorKind>,
    /// Whether everything was given: the end of the file was checked, or an error was reported.
    ended: bool,
    /// Whether the source reported an error, so that it cannot be read on.
    failed: bool,
    path: Option<PathBuf>,
}

impl<R: Read> RecordStream<R> {
    /// The records of a source whose header was read.
    pub(crate) fn new(
        source: Source<R>,
        start: u64,
        record_size: u64,
        record_count: u64,
        payload_size: u64,
    ) -> Self {
        Self {
            source,
            start,
            record_size,
            record_count,
            payload_size,
            next: 0,
            end: record_count,
            chunk: Vec::new(),
            unread: 0..0,
            fault: None,
            ended: false,
            failed: false,
            path: None,
        }
    }

    pub(crate) fn with_path(self, path: &Path) -> Self {
        Self {
            path: Some(path.to_path_buf()),
            ..self
        }
    }

    pub(crate) fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        Some(match self.next_range()? {
            Ok(range) => Ok(self.bytes(range)),
            Err(error) => Err(error),
        })
    }

    pub(crate) fn next_records(&mut self) -> Option<Result<&[u8], Error>> {
        let first = match self.next_range()? {
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
        Some(Ok(self.bytes(first.start..self.unread.start)))
    }

    /// Where in the chunk the next record is; `None` once all were given and the end was checked.
    pub(crate) fn next_range(&mut self) -> Option<Result<Range<usize>, Error>> {
        let is_all = self.end == self.record_count;
        if self.ended || self.next >= self.end && !is_all {
            return None;
        }
        let result = if self.next < self.end {
            self.advance().map(Some)
        } else {
            let fault = self.fault.take().map_or(Ok(()), Err);
            fault.and_then(|()| self.source.expect_end()).map(|()| None)
        };
        self.ended = !matches!(result, Ok(Some(_)));
        self.failed |= result.is_err();
        result
            .map_err(|kind| self.error(kind).with_records(self.next))
            .transpose()
    }

    pub(crate) fn bytes(&self, range: Range<usize>) -> &[u8] {
        let bytes = self.chunk.get(range);
        debug_assert!(
            bytes.is_some(),
            "the range is that of a record that was read"
        );
        bytes.unwrap_or_default()
    }

    /// The index of the record that comes next.
    pub(super) fn next_index(&self) -> u64 {
        self.next
    }

    /// Ends the stream at a record whose type does not allow this value.
    pub(crate) fn reject(&mut self, record: u64, value: i64) -> Error {
        self.ended = true;
        let error = idx_core::Error::ValueNotAllowed { record, value };
        self.error(error.into()).with_records(record)
    }

    /// The maximum number of items that an iterator can still return.
    pub(crate) fn max_remaining(&self) -> u64 {
        if self.ended {
            return 0;
        }
        // There may be an error after the last record.
        self.end.saturating_sub(self.next) + 1
    }

    pub(crate) fn select(&mut self, records: impl RangeBounds<u64>) -> Result<u64, Error> {
        let range = self
            .checked_range(records)
            .map_err(|kind| self.error(kind))?;
        let moved = match self.seek(range.start) {
            Ok(true) => Ok(()),
            Ok(false) => self.read_on(range.start),
            Err(kind) => Err(kind),
        };
        if let Err(kind) = moved {
            self.ended = true;
            self.failed = true;
            return Err(self.error(kind).with_records(self.next));
        }
        self.ended = false;
        self.end = range.end;
        Ok(range.end - range.start)
    }

    /// The range in numbers, if nothing that is known in advance keeps the reader from going there.
    pub(crate) fn checked_range(
        &mut self,
        records: impl RangeBounds<u64>,
    ) -> Result<Range<u64>, ErrorKind> {
        let count = self.record_count;
        let start = match records.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match records.end_bound() {
            Bound::Included(last) => last.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => count.max(start),
        };
        if end < start {
            return Err(ErrorKind::InvalidRange { start, end });
        }
        if end > count {
            let record = start.max(end - 1);
            return Err(ErrorKind::IndexOutOfRange { record, count });
        }
        if !self.source.can_seek() {
            if start < self.next {
                return Err(ErrorKind::CannotGoBack {
                    record: start,
                    next: self.next,
                    is_gzip: self.source.is_gzip(),
                });
            }
            if self.failed {
                return Err(ErrorKind::ReadFailedEarlier);
            }
        }
        Ok(start..end)
    }

    /// Moves past the next record, and returns its range in the chunk.
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
            let remaining = self.record_count - self.next;
            let records = (CHUNK_SIZE / size).max(1);
            let records = usize::try_from(remaining).map_or(records, |all| all.min(records));
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
                needed: self.payload_size,
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

    /// Goes to a record by reading all records before it.
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
        let position = self.start.saturating_add(payload_position);
        let Some(position) = self.source.seek(position)? else {
            return Ok(false);
        };
        self.unread = 0..0;
        self.fault = None;
        self.failed = false;
        let found = position.saturating_sub(self.start);
        if found < payload_position {
            self.next = found.checked_div(self.record_size).unwrap_or(0);
            let needed = self.payload_size;
            return Err(idx_core::Error::Truncated { needed, found }.into());
        }
        self.next = index;
        Ok(true)
    }

    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind).at(self.path())
    }
}
