//! The bytes of a file, plain or gzip, and what they have to be: a header, or the format that the file has
//! instead; and a payload that is complete, within a limit, and followed by nothing.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "public to idx-data alone"
)]

use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek};
use std::num::NonZeroUsize;
use std::path::Path;

use idx_core::Header;

use super::access::{self, Access};
use super::gunzip::{self, Gunzip};
#[cfg(any(unix, windows))]
use super::parallel::read_exact;
use super::{CHUNK_SIZE, alloc, to_usize};
use crate::error::{Error, ErrorKind, MAX_MULTIPLE};
use crate::header::HeaderBuf;
use crate::signature::FileSignature;

/// The maximum expansion of deflate: one byte becomes fewer than this many.
const MAX_EXPANSION: u64 = 1032;

/// Memory for bytes that may not exist is touched in steps of this size: with everything else that a
/// reader allocates, less than 1 MiB.
const GROWTH: u64 = 512 * 1024;

/// The minimum number of extra bytes to count where the end is not known.
const MAX_COUNTED: u64 = 1 << 20;

/// The decompressed bytes of a file. Its first two bytes decide whether it is gzip.
#[derive(Debug)]
pub struct Source<R> {
    stream: Stream<R>,
    /// How to read at a position, if the reader can.
    access: Option<Access<R>>,
    /// Decompressed bytes read so far.
    pub(super) position: u64,
    /// The length in bytes, as it is stored, if the reader can seek.
    file_size: Option<u64>,
    /// The decompressed length, modulo 2^32, that the end of a regular gzip file states.
    stated_size: Option<u32>,
    /// The decompressed length of a gzip file that was already read to its end.
    counted_size: Option<u64>,
    /// The header of a finished IDX file, once it was read.
    header: Option<HeaderBuf>,
    /// An error that came together with the last bytes of the header.
    pub(super) fault: Option<ErrorKind>,
    /// The maximum number of threads for a large payload; the default is one for each core.
    pub(super) threads: Option<NonZeroUsize>,
}

/// The first bytes, which were read to detect gzip, and then the rest.
type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

#[derive(Debug)]
enum Stream<R> {
    Plain(Peeked<R>),
    Gzip(Box<Gunzip<Peeked<R>>>),
}

impl Source<File> {
    /// Opens what the user named; see [`access::open`].
    pub fn open(path: &Path) -> Result<Self, ErrorKind> {
        Self::of_file(access::open(path)?)
    }

    /// Opens a regular file only; see [`access::open_regular`].
    pub fn open_regular(path: &Path) -> Result<Self, ErrorKind> {
        Self::of_file(access::open_regular(path)?)
    }

    fn of_file(file: File) -> Result<Self, ErrorKind> {
        if !file.metadata()?.is_file() {
            return Self::new(file); // a device may seek and still have no length
        }
        let source = Self::seekable(file)?;
        #[cfg(any(unix, windows))]
        let source = Self { access: source.access.map(Access::in_one_call), ..source };
        Ok(source)
    }

    /// The file and the offset of its first byte, if it is plain and supports positions.
    #[cfg(any(unix, windows))]
    pub fn file(&self) -> Option<(&File, u64)> {
        let access = self.access.as_ref().filter(|_| !self.is_gzip())?;
        Some((self.get_ref(), access.offset(0)))
    }

    /// As [`read_whole`](Self::read_whole), in one call or on several threads where that is possible.
    pub(crate) fn read_whole_file(
        mut self,
        limit: Option<u64>,
    ) -> Result<(HeaderBuf, Vec<u8>), Error> {
        let header = self.read_header()?;
        let mut source = self.within(&header, limit)?;
        let bytes = source.read_file_payload(&header, &header.to_bytes())?;
        Ok((header, bytes))
    }

    /// As [`read_payload`](Self::read_payload), in one call or on several threads where that is possible.
    pub(crate) fn read_file_payload(
        &mut self,
        header: &HeaderBuf,
        front: &[u8],
    ) -> Result<Vec<u8>, Error> {
        #[cfg(feature = "libdeflate")]
        if let Some(mut file) = self.inflated_in_one_call(header) {
            file.drain(..header.header_size().saturating_sub(front.len()));
            return Ok(file);
        }
        self.read_payload(header, front, |source, payload| {
            #[cfg(any(unix, windows))]
            if source.fill_in_parts(payload, read_exact) {
                return (payload.len(), Ok(()));
            }
            source.fill(payload)
        })
    }
}

impl<R: Read + Seek> Source<R> {
    /// A source that can go to a position, if it is plain and the reader can.
    pub fn seekable(mut reader: R) -> Result<Self, ErrorKind> {
        let access = Access::new(&mut reader);
        Self::with_access(reader, access)
    }
}

// How the bytes come.
impl<R: Read> Source<R> {
    /// The bytes from the current position of the reader on.
    pub fn new(reader: R) -> Result<Self, ErrorKind> {
        Self::with_access(reader, None)
    }

    fn with_access(mut reader: R, mut access: Option<Access<R>>) -> Result<Self, ErrorKind> {
        let mut start = vec![0; gunzip::START.len()];
        let (filled, result) = access::fill(&mut start, |rest, _| reader.read(rest));
        result?;
        start.truncate(filled);
        let is_gzip = gunzip::is_gzip(&start);
        let (mut file_size, mut stated_size) = (None, None);
        if let Some(access) = &mut access {
            let size = access.size(&mut reader)?;
            if is_gzip {
                stated_size = access.last_number(&mut reader, size);
                access.seek(&mut reader, start.len() as u64)?;
            }
            file_size = Some(size);
        }
        let peeked = Cursor::new(start).chain(reader);
        Ok(Self {
            stream: match is_gzip {
                true => Stream::Gzip(Box::new(Gunzip::new(peeked))),
                false => Stream::Plain(peeked),
            },
            access,
            position: 0,
            file_size,
            stated_size,
            counted_size: None,
            header: None,
            fault: None,
            threads: None,
        })
    }

    /// Reads a large payload on at most this many threads.
    pub fn with_threads(self, threads: Option<NonZeroUsize>) -> Self {
        Self { threads, ..self }
    }

    /// The same bytes from their start on, if the reader can seek.
    fn rewound(mut self) -> Result<Self, ErrorKind> {
        let (mut access, threads) = (self.access.take(), self.threads);
        let mut reader = self.into_inner();
        if let Some(access) = &mut access {
            access.seek(&mut reader, 0)?;
        }
        Ok(Self::with_access(reader, access)?.with_threads(threads))
    }

    /// The reader, positioned after the bytes that were read from it.
    pub fn into_inner(self) -> R {
        let peeked = match self.stream {
            Stream::Plain(peeked) => peeked,
            Stream::Gzip(gunzip) => gunzip.into_inner(),
        };
        peeked.into_inner().1
    }

    pub(super) fn get_ref(&self) -> &R {
        match &self.stream {
            Stream::Plain(peeked) => peeked.get_ref().1,
            Stream::Gzip(gunzip) => gunzip.get_ref().get_ref().1,
        }
    }

    /// Whether the bytes are compressed by gzip.
    pub fn is_gzip(&self) -> bool {
        matches!(self.stream, Stream::Gzip(_))
    }

    /// The best number of bytes to read at a time: fewer of gzip data, which also needs memory for its input and
    /// its window, so that a program that streams it takes less than 1 MiB more.
    pub fn chunk_size(&self) -> usize {
        match self.stream {
            Stream::Plain(_) => CHUNK_SIZE,
            Stream::Gzip(_) => CHUNK_SIZE / 2,
        }
    }

    /// The length in bytes as it is stored, if the reader can seek.
    pub fn file_size(&self) -> Option<u64> {
        self.file_size
    }

    /// How many of the next `count` bytes exist, as far as this is known before they are read: for a plain
    /// file by its length, for a gzip file if its end states the same length as its header and the file
    /// is large enough for that.
    pub fn expected(&self, count: u64) -> u64 {
        let file_size = self.file_size.unwrap_or(0);
        match self.stream {
            Stream::Plain(_) => count.min(file_size.saturating_sub(self.position)),
            Stream::Gzip(_) => {
                let whole = self.position.saturating_add(count);
                let is_stated = self.stated_size.map(u64::from) == Some(whole % (1 << 32));
                let is_possible = whole / MAX_EXPANSION <= file_size;
                if self.counted_size == Some(whole) || is_stated && is_possible { count } else { 0 }
            }
        }
    }

    /// Fills the buffer up to the end of the bytes or an error.
    ///
    /// Returns the number of bytes, and the error that came after them.
    pub fn fill(&mut self, buffer: &mut [u8]) -> (usize, Result<(), ErrorKind>) {
        if let Some(fault) = self.fault.take() {
            return (0, Err(fault));
        }
        let (filled, result) = match &mut self.stream {
            Stream::Gzip(gunzip) => gunzip.fill(buffer),
            Stream::Plain(peeked) => match &mut self.access {
                None => access::fill(buffer, |rest, _| peeked.read(rest)),
                Some(access) => {
                    let (_, reader) = peeked.get_mut();
                    let position = self.position;
                    access::fill(buffer, |rest, filled| {
                        access.read(reader, rest, position + filled as u64)
                    })
                }
            },
        };
        self.position += filled as u64;
        (filled, result.map_err(|kind| self.with_missing(kind)))
    }

    /// Adds the number of missing bytes, by the header, to the error of truncated gzip data.
    fn with_missing(&self, kind: ErrorKind) -> ErrorKind {
        let whole = self.header.as_ref().map(HeaderBuf::file_size);
        match kind {
            ErrorKind::GzipTruncated { decompressed, .. } => ErrorKind::GzipTruncated {
                decompressed,
                missing: whole.map(|whole| whole.saturating_sub(decompressed)),
            },
            _ => kind,
        }
    }

    /// Appends up to `count` bytes, fewer before the end or an error.
    ///
    /// The claim of a header allocates no memory: this allocates only a little more than the bytes that have
    /// arrived or are known to exist.
    pub fn append(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<(), ErrorKind> {
        let end = (bytes.len() as u64).saturating_add(count);
        while (bytes.len() as u64) < end {
            // Memory for bytes that may not exist is allocated only when the first of them has arrived.
            let mut first = [0];
            let (filled, result) = self.fill(&mut first);
            if filled == 0 {
                return result;
            }
            let step = to_usize((end - bytes.len() as u64).min(GROWTH))?;
            alloc::grow(bytes, step, end)?;
            bytes.extend(first);
            result?;
            let start = bytes.len();
            bytes.resize(start + step - 1, 0);
            let (filled, result) = self.fill(bytes.get_mut(start..).unwrap_or_default());
            bytes.truncate(start + filled);
            result?;
        }
        Ok(())
    }

    /// Counts the bytes up to the end or an error, or until there are more than `max`.
    pub(crate) fn count_bytes(&mut self, max: u64) -> (u64, Result<(), ErrorKind>) {
        let start = self.position;
        let mut chunk = vec![0; CHUNK_SIZE];
        loop {
            let (filled, result) = self.fill(&mut chunk);
            let count = self.position - start;
            if filled < chunk.len() || result.is_err() || count > max {
                return (count, result);
            }
        }
    }

    /// Whether [`seek`](Self::seek) works for these bytes.
    pub fn can_seek(&self) -> bool {
        !self.is_gzip() && self.access.is_some()
    }

    /// Seeks to a position of plain bytes, or to their end if they end before it, and returns the position;
    /// `None` if these bytes cannot seek.
    pub fn seek(&mut self, position: u64) -> Result<Option<u64>, ErrorKind> {
        let (Stream::Plain(peeked), Some(access)) = (&mut self.stream, &mut self.access) else {
            return Ok(None);
        };
        let (_, reader) = peeked.get_mut();
        self.position = position.min(access.size(reader)?);
        self.fault = None;
        Ok(Some(self.position))
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.fill(buffer) {
            (0, Err(kind)) => Err(Error::from(kind).into()),
            (count, result) => {
                self.fault = result.err();
                Ok(count)
            }
        }
    }
}

// What they have to be.
impl<R: Read> Source<R> {
    /// Reads the header of an IDX file that is finished.
    pub(crate) fn read_header(&mut self) -> Result<HeaderBuf, ErrorKind> {
        match self.read_any_header()? {
            (header, true) => Ok(header),
            (header, false) => Err(ErrorKind::Unfinished { records: self.count_records(&header) }),
        }
    }

    /// Reads the header of an IDX file, and whether the file is finished; if not, the header has 0 records.
    pub(crate) fn read_any_header(&mut self) -> Result<(HeaderBuf, bool), ErrorKind> {
        let mut bytes = Vec::with_capacity(16);
        let mut result = self.append(&mut bytes, 4);
        let finished_start = HeaderBuf::finished_start(&bytes);
        if let (Some(start), Some(finished)) = (bytes.first_chunk_mut(), finished_start) {
            *start = finished;
        }
        if let ([0, 0, _, rank], true) = (bytes.as_slice(), result.is_ok()) {
            let sizes = 4 * u64::from(*rank);
            result = self.append(&mut bytes, sizes);
        }
        let is_finished = finished_start.is_none();
        if let (Some(count), false) = (bytes.get_mut(4..8), is_finished) {
            count.fill(0);
        }
        // The result must not depend on how many bytes arrive at a time: an error after enough bytes to
        // parse is reported when more are read.
        match Header::parse(&bytes).map_err(|error| error.kind()) {
            Ok((header, _)) => {
                let header = HeaderBuf::from(header);
                self.header = is_finished.then(|| header.clone());
                self.fault = result.err().map(|kind| self.with_missing(kind));
                Ok((header, is_finished))
            }
            Err(
                error @ (idx_core::ErrorKind::Empty | idx_core::ErrorKind::HeaderTruncated { .. }),
            ) => Err(result.err().unwrap_or(error.into())),
            Err(idx_core::ErrorKind::Gzip) if self.is_gzip() => Err(ErrorKind::GzipInGzip),
            Err(error) => {
                // The format can be detected even if the rest of the file is corrupt.
                let _ = self.append(&mut bytes, FileSignature::START as u64);
                Err(diagnose(&bytes, error))
            }
        }
    }

    /// The number of whole records after the header of an unfinished file; `None` for records without bytes,
    /// which cannot be counted, and for a long stream, which may never end.
    fn count_records(&mut self, header: &HeaderBuf) -> Option<u64> {
        let size = header.record_size()?;
        let payload = match (&self.stream, self.file_size) {
            (Stream::Plain(_), Some(file_size)) => file_size.saturating_sub(self.position),
            (_, Some(_)) => self.count_bytes(u64::MAX).0,
            (_, None) => {
                Some(self.count_bytes(MAX_COUNTED).0).filter(|count| *count <= MAX_COUNTED)?
            }
        };
        let whole = payload.checked_div(size)?;
        Some(if header.rank() == 0 { whole.min(1) } else { whole })
    }

    /// Reads a whole file: its header, and all its bytes, header included.
    pub(crate) fn read_whole(mut self, limit: Option<u64>) -> Result<(HeaderBuf, Vec<u8>), Error> {
        let header = self.read_header()?;
        let mut source = self.within(&header, limit)?;
        let bytes = source.read_payload(&header, &header.to_bytes(), Self::fill)?;
        Ok((header, bytes))
    }

    /// Checks, right after the header, that the file is within the limit, and makes sure that memory for the whole
    /// payload can be allocated at once, if the bytes can be read again.
    ///
    /// A gzip file whose end and header state different lengths has several members or is corrupt. It is
    /// read to its end in constant memory, and from its start again if it is complete.
    pub(crate) fn within(mut self, header: &HeaderBuf, limit: Option<u64>) -> Result<Self, Error> {
        header.check_limit(limit)?;
        let needed = header.payload_size();
        if needed <= GROWTH || self.expected(needed) > 0 || self.access.is_none() {
            return Ok(self);
        }
        self.payload_by_chunks(header, |_| Ok(()))?;
        let mut again = self.rewound()?;
        again.read_header()?;
        again.counted_size = Some(again.position + needed);
        Ok(again)
    }

    /// Reads the payload behind `front`, and checks that it is complete and nothing follows; `fill` reads what is
    /// known to exist.
    fn read_payload(
        &mut self,
        header: &HeaderBuf,
        front: &[u8],
        fill: impl FnOnce(&mut Self, &mut [u8]) -> (usize, Result<(), ErrorKind>),
    ) -> Result<Vec<u8>, Error> {
        let needed = header.payload_size();
        let expected = to_usize(self.expected(needed)).map_err(ErrorKind::from)?;
        let mut bytes = alloc::zeroed(front.len().saturating_add(expected))?;
        let (start, payload) = bytes.split_at_mut_checked(front.len()).unwrap_or_default();
        start.copy_from_slice(front);
        let (mut filled, mut result) = fill(self, payload);
        bytes.truncate(front.len() + filled);
        if filled == expected && result.is_ok() {
            result = self.append(&mut bytes, needed - expected as u64);
            filled = bytes.len() - front.len();
        }
        let found = filled as u64;
        result
            .and_then(|()| match found {
                _ if found < needed => Err(idx_core::ErrorKind::Truncated { needed, found }.into()),
                _ => self.expect_end(needed),
            })
            .map_err(|kind| after_bytes(kind, header, found))?;
        Ok(bytes)
    }

    /// Passes the payload to `take` in chunks of whole elements, and checks that it is complete and
    /// nothing follows.
    pub(crate) fn payload_by_chunks(
        &mut self,
        header: &HeaderBuf,
        mut take: impl FnMut(&[u8]) -> Result<(), ErrorKind>,
    ) -> Result<(), Error> {
        let needed = header.payload_size();
        let mut found = 0;
        let mut chunk = vec![0; CHUNK_SIZE.min(to_usize(needed).unwrap_or(CHUNK_SIZE))];
        while found < needed {
            let left = to_usize(needed - found).unwrap_or(CHUNK_SIZE);
            chunk.truncate(left);
            let (filled, result) = self.fill(&mut chunk);
            found += filled as u64;
            result
                .and_then(|()| match filled < chunk.len() {
                    true => Err(idx_core::ErrorKind::Truncated { needed, found }.into()),
                    false => Ok(()),
                })
                .map_err(|kind| after_bytes(kind, header, found))?;
            take(&chunk)?;
        }
        self.expect_end_after(header)
    }

    /// Checks that nothing follows the payload, which was read, and that the checksum is right.
    pub(crate) fn expect_end_after(&mut self, header: &HeaderBuf) -> Result<(), Error> {
        let size = header.payload_size();
        let end = self.expect_end(size);
        end.map_err(|kind| after_bytes(kind, header, size))
    }

    /// Checks that nothing follows a payload of this size, and that the checksum is right.
    pub(crate) fn expect_end(&mut self, payload_size: u64) -> Result<(), ErrorKind> {
        // Only as far as the bytes can be channels that the header lacks, because a stream may never end.
        let max = payload_size.saturating_mul(MAX_MULTIPLE - 1).saturating_add(1).max(MAX_COUNTED);
        let offset = self.position;
        let mut left_over = vec![0];
        loop {
            let (filled, result) = self.fill(&mut left_over);
            let count = self.position - offset;
            let rest = self.expected(u64::MAX - self.position);
            let error = match result {
                Err(kind) if count == 0 => return Err(kind),
                Ok(()) if count == 0 => return Ok(()),
                Err(kind) => Some(Box::new(kind)),
                Ok(()) if filled < left_over.len() || rest > 0 => {
                    let record_size = self.header.as_ref().and_then(HeaderBuf::record_size);
                    let kind = ErrorKind::trailing_bytes(offset, count + rest, payload_size);
                    return Err(kind.of_records(record_size));
                }
                Ok(()) if count >= max => None,
                Ok(()) => {
                    left_over.resize(CHUNK_SIZE, 0);
                    continue;
                }
            };
            let (at_least, records, times) = (true, None, None);
            return Err(ErrorKind::TrailingBytes {
                offset,
                count,
                at_least,
                records,
                times,
                error,
            });
        }
    }
}

/// The error that came after that many bytes of the payload.
fn after_bytes(kind: ErrorKind, header: &HeaderBuf, bytes: u64) -> Error {
    Error::from(kind).with_records(header.whole_records(bytes))
}

/// The error for a file that the parser rejects with `error`; `start` is its first bytes, with its header.
pub(crate) fn diagnose(start: &[u8], error: idx_core::ErrorKind) -> ErrorKind {
    use idx_core::ErrorKind::{NotIdx, TooLarge, TrailingBytes, UnknownElementType};

    match (error, FileSignature::detect(start)) {
        // Films and color profiles start with their sizes, which may look like a header of IDX.
        (NotIdx { .. } | UnknownElementType { .. } | TooLarge { .. }, Some(signature)) => {
            ErrorKind::OtherFormat { signature, error }
        }
        (NotIdx { .. } | UnknownElementType { .. }, None) => {
            ErrorKind::BadMagic { start: start.iter().copied().take(16).collect(), error }
        }
        (TrailingBytes { offset, count }, _) => {
            let header = Header::parse(start).ok();
            let payload_size = header.map_or(0, |(header, _)| header.payload_size());
            let record_size = header.and_then(|(header, _)| header.record_size());
            ErrorKind::trailing_bytes(offset, count, payload_size).of_records(record_size)
        }
        _ => error.into(),
    }
}
