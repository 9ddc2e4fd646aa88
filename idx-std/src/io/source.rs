//! The bytes of a file, plain or gzip, in order or at a position, and how many there are, as far as is known.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "public only to idx-data"
)]

use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek};
use std::num::NonZeroUsize;
use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::access::{self, Access};
use crate::io::gunzip::{self, Gunzip};
use crate::io::{CHUNK_SIZE, alloc, to_usize};

/// An upper bound for deflate: one byte decompresses to fewer bytes than this.
const MAX_EXPANSION: u64 = 1032;

/// The number of bytes by which memory grows for bytes that may not exist: with everything else that a reader
/// allocates, less than 1 MiB.
pub(super) const GROWTH: u64 = 512 * 1024;

/// The decompressed bytes of a file. Its first two bytes decide whether it is gzip.
#[derive(Debug)]
pub struct Source<R> {
    stream: Stream<R>,
    /// The way to read at a position, if the reader can.
    pub(super) access: Option<Access<R>>,
    /// The number of decompressed bytes read so far.
    pub(crate) position: u64,
    /// The stored length in bytes, if the reader can seek.
    pub(super) file_size: Option<u64>,
    /// The decompressed length, modulo 2^32, as stated at the end of a gzip file, if the reader can seek.
    stated_size: Option<u32>,
    /// The decompressed length of a gzip file that was already read to its end.
    pub(super) counted_size: Option<u64>,
    /// The header of a finished IDX file, after it was read.
    pub(super) header: Option<HeaderBuf>,
    /// The decompressed length according to the header, of any format, after it was read.
    pub(crate) whole_size: Option<u64>,
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
    /// Opens the file, pipe or device that the user named; see [`access::open`].
    pub fn open(path: &Path) -> Result<Self, ErrorKind> {
        Self::of_file(access::open(path)?)
    }

    /// Opens a regular file only; see [`access::open_regular`].
    pub fn open_regular(path: &Path) -> Result<Self, ErrorKind> {
        Self::of_file(access::open_regular(path)?)
    }

    /// Reads an open file from its current position.
    pub fn of_file(file: File) -> Result<Self, ErrorKind> {
        if !file.metadata()?.is_file() {
            return Self::new(file); // a device may seek and still have no length
        }
        let source = Self::seekable(file)?;
        Ok(Self { access: source.access.map(Access::in_one_call), ..source })
    }

    /// Returns the file and the offset of its first byte, if it is plain and can seek.
    pub fn file(&self) -> Option<(&File, u64)> {
        let access = self.access.as_ref().filter(|_| !self.is_gzip())?;
        Some((self.get_ref(), access.offset(0)))
    }
}

impl<R: Read + Seek> Source<R> {
    /// Creates a source that can seek if it is plain and the reader can.
    pub fn seekable(mut reader: R) -> Result<Self, ErrorKind> {
        let access = Access::new(&mut reader);
        Self::with_access(reader, access)
    }
}

impl<R: Read> Source<R> {
    /// Reads the bytes from the reader's current position.
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
            whole_size: None,
            fault: None,
            threads: None,
        })
    }

    /// Reads a large payload on at most `threads` threads.
    pub fn with_threads(self, threads: Option<NonZeroUsize>) -> Self {
        Self { threads, ..self }
    }

    /// Starts again from the first byte, if the reader can seek.
    pub(super) fn rewound(mut self) -> Result<Self, ErrorKind> {
        let (mut access, threads) = (self.access.take(), self.threads);
        let mut reader = self.into_inner();
        if let Some(access) = &mut access {
            access.seek(&mut reader, 0)?;
        }
        Ok(Self::with_access(reader, access)?.with_threads(threads))
    }

    /// Returns the reader, positioned after the bytes that were read from it.
    fn into_inner(self) -> R {
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

    /// Returns whether the bytes are compressed by gzip.
    pub fn is_gzip(&self) -> bool {
        matches!(self.stream, Stream::Gzip(_))
    }

    /// Returns the best number of bytes to read at a time: fewer for gzip data, which also needs memory for its input
    /// and its window, so that streaming it takes less than 1 MiB.
    pub fn chunk_size(&self) -> usize {
        match self.stream {
            Stream::Plain(_) => CHUNK_SIZE,
            Stream::Gzip(_) => CHUNK_SIZE / 2,
        }
    }

    /// Returns the length in bytes as it is stored, if the reader can seek.
    pub fn file_size(&self) -> Option<u64> {
        self.file_size
    }

    /// Returns how many of the next `count` bytes are known to exist before they are read: in a plain file by its
    /// length; in a gzip file all, if they end at the length stated at its end and the file is large enough for that,
    /// otherwise none.
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

    /// Adds to the error of truncated gzip data how many bytes are missing according to the header.
    pub(super) fn with_missing(&self, kind: ErrorKind) -> ErrorKind {
        match kind {
            ErrorKind::GzipTruncated { decompressed, .. } => ErrorKind::GzipTruncated {
                decompressed,
                missing: self.whole_size.map(|whole| whole.saturating_sub(decompressed)),
            },
            _ => kind,
        }
    }

    /// Appends up to `count` bytes, fewer before the end or an error.
    ///
    /// Whatever a header claims, this allocates only a little more than the bytes that have arrived.
    pub fn append(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<(), ErrorKind> {
        let end = (bytes.len() as u64).saturating_add(count);
        while (bytes.len() as u64) < end {
            // Memory for bytes that may not exist is allocated only after the first of them has arrived.
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

    /// Counts the bytes up to the end or an error, or until there are more than `max`. Also returns whether this is the
    /// end.
    pub(crate) fn count_bytes(&mut self, max: u64) -> (u64, Result<bool, ErrorKind>) {
        let start = self.position;
        let mut chunk = vec![0; CHUNK_SIZE];
        loop {
            let (filled, result) = self.fill(&mut chunk);
            let count = self.position - start;
            let is_end = filled < chunk.len();
            if is_end || result.is_err() || count > max {
                return (count, result.map(|()| is_end));
            }
        }
    }

    /// Returns whether [`seek`](Self::seek) works.
    pub fn can_seek(&self) -> bool {
        !self.is_gzip() && self.access.is_some()
    }

    /// Seeks to a position, or to the end if that comes first, and returns where it is then; `None` if this source
    /// cannot seek.
    pub fn seek(&mut self, position: u64) -> Result<Option<u64>, ErrorKind> {
        let (Stream::Plain(peeked), Some(access)) = (&mut self.stream, &mut self.access) else {
            return Ok(None);
        };
        let (_, reader) = peeked.get_mut();
        self.position = position.min(access.size(reader)?);
        debug_assert!(
            self.fault.is_none(),
            "only gzip data has an error together with its last bytes"
        );
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
