use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use idx_core::Header;

use super::gunzip::{self, Gunzip};
use super::{CHUNK_SIZE, alloc, to_usize};
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::signature::FileSignature;

/// The maximum number of extra bytes to count, so that an endless stream ends.
const MAX_COUNTED: u64 = 1 << 20;

/// The maximum expansion of deflate: one byte becomes fewer than this many.
const MAX_EXPANSION: u64 = 1032;

/// Memory for bytes that may not exist grows by this size: with everything else that a reader allocates,
/// less than 1 MiB.
const GROWTH: u64 = 512 * 1024;

/// The decompressed bytes of a file. Its first two bytes decide whether it is gzip.
#[derive(Debug)]
pub(crate) struct Source<R> {
    stream: Stream<R>,
    /// How to seek, if the reader can.
    seek: Option<Seeker<R>>,
    /// Decompressed bytes read so far.
    position: u64,
    /// The length in bytes, as it is stored, if the reader can seek.
    file_size: Option<u64>,
    /// The decompressed length, modulo 2^32, that the end of a regular gzip file states.
    stated_size: Option<u32>,
    /// The decompressed length of a gzip file that was already read to its end.
    counted_size: Option<u64>,
    /// The decompressed length that the header states, once it was read.
    promised_size: Option<u64>,
    /// An error that came together with the last bytes of the header.
    fault: Option<ErrorKind>,
}

type Seeker<R> = fn(&mut R, SeekFrom) -> io::Result<u64>;

/// The first bytes, which were read to detect gzip, and then the rest.
type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

#[derive(Debug)]
enum Stream<R> {
    Plain(Peeked<R>),
    Gzip(Box<Gunzip<Peeked<R>>>),
}

impl Source<File> {
    pub(crate) fn open(path: &Path) -> Result<Self, ErrorKind> {
        // First, because some systems report only that a folder cannot be opened.
        if path.is_dir() {
            return Err(ErrorKind::IsADirectory);
        }
        let file = File::open(path)?;
        match file.metadata()?.is_file() {
            true => Self::seekable(file),
            // A device may seek and still have no length.
            false => Self::new(file),
        }
    }

    /// Reads the whole file at a path: its header, and all its bytes, header included.
    pub(crate) fn read_path(
        path: &Path,
        limit: Option<u64>,
    ) -> Result<(HeaderBuf, Vec<u8>), Error> {
        let mut source = Self::open(path)?;
        let header = source.read_header()?;
        check_limit(&header, limit)?;
        let mut source = source.assured(path, &header)?;
        let bytes = source.read_payload(&header, &header.to_bytes())?;
        Ok((header, bytes))
    }

    /// Makes sure, right after the header, that memory for the whole payload can be allocated at once.
    ///
    /// A gzip file whose end and header state different lengths has several members or is corrupt. It is
    /// read to its end in constant memory, and opened again if it is complete.
    pub(crate) fn assured(mut self, path: &Path, header: &HeaderBuf) -> Result<Self, Error> {
        let needed = header.payload_size();
        let can_be_read_again = self.file_size.is_some();
        if needed <= GROWTH || self.expected(needed) > 0 || !can_be_read_again {
            return Ok(self);
        }
        self.payload_by_chunks(header, |_| Ok(()))?;
        let mut again = Self::open(path)?;
        again.read_header()?;
        again.counted_size = Some(again.position + needed);
        Ok(again)
    }
}

impl<R: Read> Source<R> {
    pub(crate) fn new(mut reader: R) -> Result<Self, ErrorKind> {
        let mut start = Vec::with_capacity(2);
        reader.by_ref().take(2).read_to_end(&mut start)?;
        let is_gzip = start == gunzip::START;
        let peeked = Cursor::new(start).chain(reader);
        Ok(Self {
            stream: if is_gzip {
                Stream::Gzip(Box::new(Gunzip::new(peeked)))
            } else {
                Stream::Plain(peeked)
            },
            seek: None,
            position: 0,
            file_size: None,
            stated_size: None,
            counted_size: None,
            promised_size: None,
            fault: None,
        })
    }

    pub(crate) fn is_gzip(&self) -> bool {
        matches!(self.stream, Stream::Gzip(_))
    }

    /// The length in bytes as it is stored, if the reader can seek.
    pub(crate) fn file_size(&self) -> Option<u64> {
        self.file_size
    }

    /// How many of the next `count` bytes exist, as far as this is known before they are read: for a plain
    /// file by its length, for a gzip file if its end states the same length as its header and the file
    /// is large enough for that.
    pub(crate) fn expected(&self, count: u64) -> u64 {
        let file_size = self.file_size.unwrap_or(0);
        match self.stream {
            Stream::Plain(_) => count.min(file_size.saturating_sub(self.position)),
            Stream::Gzip(_) => {
                let whole = self.position.saturating_add(count);
                let is_stated = self.stated_size.map(u64::from) == Some(whole % (1 << 32));
                let is_possible = whole / MAX_EXPANSION <= file_size;
                if self.counted_size == Some(whole) || is_stated && is_possible {
                    count
                } else {
                    0
                }
            }
        }
    }

    /// Fills the buffer up to the end of the bytes or an error.
    ///
    /// Returns the number of bytes, and the error that came after them.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> (usize, Result<(), ErrorKind>) {
        if let Some(fault) = self.fault.take() {
            return (0, Err(fault));
        }
        let (filled, result) = match &mut self.stream {
            Stream::Plain(reader) => fill_plain(reader, buffer),
            Stream::Gzip(gunzip) => gunzip.fill(buffer),
        };
        self.position += filled as u64;
        (filled, result.map_err(|kind| self.with_missing(kind)))
    }

    /// Adds the number of missing bytes, by the header, to the error of truncated gzip data.
    fn with_missing(&self, kind: ErrorKind) -> ErrorKind {
        match kind {
            ErrorKind::GzipTruncated { decompressed, .. } => ErrorKind::GzipTruncated {
                decompressed,
                missing: self
                    .promised_size
                    .map(|promised| promised.saturating_sub(decompressed)),
            },
            _ => kind,
        }
    }

    /// Appends up to `count` bytes, fewer before the end or an error.
    ///
    /// A header gets no memory for what it claims: this allocates only a little in advance of bytes that
    /// have not arrived and are not known to exist.
    pub(crate) fn append(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<(), ErrorKind> {
        let end = (bytes.len() as u64).saturating_add(count);
        while (bytes.len() as u64) < end {
            // Memory for bytes that may not exist is allocated once the first of them has arrived.
            let mut first = [0];
            let (filled, result) = self.fill(&mut first);
            if filled == 0 {
                return result;
            }
            let step = to_usize((end - bytes.len() as u64).min(GROWTH))?;
            alloc::reserve(bytes, step)?;
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

    /// Reads the header of an IDX file.
    pub(crate) fn read_header(&mut self) -> Result<HeaderBuf, ErrorKind> {
        let mut bytes = Vec::with_capacity(16);
        let mut result = self.append(&mut bytes, 4);
        if let ([0, 0, _, rank], true) = (bytes.as_slice(), result.is_ok()) {
            let sizes = 4 * u64::from(*rank);
            result = self.append(&mut bytes, sizes);
        }
        // The result must not depend on how many bytes arrive at a time: an error after enough bytes to
        // parse is reported when more are read.
        match Header::parse(&bytes) {
            Ok((header, _)) => {
                let header = HeaderBuf::from(header);
                let header_size = header.header_size() as u64;
                self.promised_size = header.payload_size().checked_add(header_size);
                self.fault = result.err().map(|kind| self.with_missing(kind));
                Ok(header)
            }
            Err(error @ (idx_core::Error::Empty | idx_core::Error::HeaderTruncated { .. })) => {
                Err(result.err().unwrap_or(error.into()))
            }
            Err(idx_core::Error::Gzip) if self.is_gzip() => Err(ErrorKind::GzipInGzip),
            Err(error) => {
                // The format can be detected even if the rest of the file is corrupt.
                let _ = self.append(&mut bytes, FileSignature::START as u64);
                Err(diagnose(&bytes, error))
            }
        }
    }

    /// Reads a whole file: its header, and all its bytes, header included.
    pub(crate) fn read_file(mut self, limit: Option<u64>) -> Result<(HeaderBuf, Vec<u8>), Error> {
        let header = self.read_header()?;
        check_limit(&header, limit)?;
        let bytes = self.read_payload(&header, &header.to_bytes())?;
        Ok((header, bytes))
    }

    /// Reads the payload behind `front`, and checks that it is complete and nothing follows.
    pub(crate) fn read_payload(
        &mut self,
        header: &HeaderBuf,
        front: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let needed = header.payload_size();
        let expected = to_usize(self.expected(needed)).map_err(ErrorKind::from)?;
        let mut bytes = alloc::zeroed(front.len().saturating_add(expected))?;
        let (start, payload) = bytes.split_at_mut_checked(front.len()).unwrap_or_default();
        start.copy_from_slice(front);
        let (mut filled, mut result) = self.fill(payload);
        bytes.truncate(front.len() + filled);
        if filled == expected && result.is_ok() {
            result = self.append(&mut bytes, needed - expected as u64);
            filled = bytes.len() - front.len();
        }
        let found = filled as u64;
        result
            .and_then(|()| match found {
                _ if found < needed => Err(idx_core::Error::Truncated { needed, found }.into()),
                _ => self.expect_end(),
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
        let mut chunk = vec![0; to_usize(needed.min(CHUNK_SIZE as u64)).map_err(ErrorKind::from)?];
        while found < needed {
            let size =
                to_usize((needed - found).min(CHUNK_SIZE as u64)).map_err(ErrorKind::from)?;
            chunk.truncate(size);
            let (filled, result) = self.fill(&mut chunk);
            found += filled as u64;
            result
                .and_then(|()| match filled < size {
                    true => Err(idx_core::Error::Truncated { needed, found }.into()),
                    false => Ok(()),
                })
                .map_err(|kind| after_bytes(kind, header, found))?;
            take(&chunk)?;
        }
        self.expect_end()
            .map_err(|kind| after_bytes(kind, header, found))
    }

    /// Checks that nothing follows the payload, and that the checksum is right.
    pub(crate) fn expect_end(&mut self) -> Result<(), ErrorKind> {
        let offset = self.position;
        let mut left_over = vec![0];
        while self.position - offset < MAX_COUNTED {
            let (filled, result) = self.fill(&mut left_over);
            result?;
            if filled == 0 {
                break;
            }
            left_over.resize(CHUNK_SIZE, 0);
        }
        let count = self.position - offset;
        match count + self.expected(u64::MAX - count) {
            0 => Ok(()),
            count => Err(idx_core::Error::TrailingBytes { offset, count }.into()),
        }
    }
}

/// The error that came after that many bytes of the payload.
fn after_bytes(kind: ErrorKind, header: &HeaderBuf, bytes: u64) -> Error {
    Error::from(kind).with_records(header.whole_records(bytes))
}

fn check_limit(header: &HeaderBuf, limit: Option<u64>) -> Result<(), ErrorKind> {
    let needed = header.file_size();
    match limit {
        Some(limit) if needed > limit => Err(ErrorKind::LimitExceeded { limit, needed }),
        _ => Ok(()),
    }
}

/// Fills the buffer from a reader; the number of bytes, and the error that came after them.
fn fill_plain(reader: &mut impl Read, buffer: &mut [u8]) -> (usize, Result<(), ErrorKind>) {
    let mut filled = 0;
    while let Some(rest @ [_, ..]) = buffer.get_mut(filled..) {
        match reader.read(rest) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Err(error.into())),
        }
    }
    (filled, Ok(()))
}

impl<R: Read + Seek> Source<R> {
    /// A source that can go to a position, if it is plain and the reader can.
    pub(crate) fn seekable(mut reader: R) -> Result<Self, ErrorKind> {
        let file_size = length(&mut reader);
        let stated_size = match file_size {
            Some(_) => gunzip::stated_size(&mut reader)?,
            None => None,
        };
        Ok(Self {
            seek: Some(R::seek),
            file_size,
            stated_size,
            ..Self::new(reader)?
        })
    }
}

/// The number of bytes from here to the end; `None` of a pipe.
fn length(reader: &mut impl Seek) -> Option<u64> {
    let here = reader.stream_position().ok()?;
    let end = reader.seek(SeekFrom::End(0)).ok()?;
    reader.seek(SeekFrom::Start(here)).ok()?;
    Some(end.saturating_sub(here))
}

impl<R: Read> Source<R> {
    /// Whether [`seek`](Self::seek) works for these bytes.
    pub(crate) fn can_seek(&mut self) -> bool {
        match (&mut self.stream, self.seek) {
            (Stream::Plain(peeked), Some(seek)) => {
                seek(peeked.get_mut().1, SeekFrom::Current(0)).is_ok()
            }
            _ => false,
        }
    }

    /// Seeks to a position of plain bytes, or to their end if they end before it, and returns the position;
    /// `None` if these bytes cannot seek.
    pub(crate) fn seek(&mut self, position: u64) -> Result<Option<u64>, ErrorKind> {
        let (Stream::Plain(peeked), Some(seek)) = (&mut self.stream, self.seek) else {
            return Ok(None);
        };
        let (_, reader) = peeked.get_mut();
        let Ok(here) = seek(reader, SeekFrom::Current(0)) else {
            return Ok(None); // a pipe
        };
        // The first two bytes have been consumed, so the two positions advance together.
        let start = here.saturating_sub(self.position);
        let size = seek(reader, SeekFrom::End(0))?.saturating_sub(start);
        self.position = position.min(size);
        seek(reader, SeekFrom::Start(start + self.position))?;
        self.fault = None;
        Ok(Some(self.position))
    }
}

/// The error for a file that the parser rejects with `error`; `start` is its first bytes.
pub(crate) fn diagnose(start: &[u8], error: idx_core::Error) -> ErrorKind {
    use idx_core::Error::{NotIdx, UnknownElementType};

    match (error, FileSignature::detect(start)) {
        (NotIdx { .. } | UnknownElementType { .. }, Some(signature)) => {
            ErrorKind::OtherFormat { signature, error }
        }
        (NotIdx { .. } | UnknownElementType { .. }, None) => ErrorKind::BadMagic {
            start: start.iter().copied().take(16).collect(),
            error,
        },
        _ => error.into(),
    }
}
