use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use idx_core::Header;

use crate::gzip::{self, Gunzip};
use crate::{Error, ErrorKind, Foreign, foreign, memory};

/// How the bytes of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// gzip (RFC 1952), of one or more members.
    Gzip,
}

/// How to open a file.
///
/// ```
/// let options = idx_std::Options::new().limit(1 << 30);
/// # let file = b"\0\0\x08\x01\0\0\0\x02\x01\x02".to_vec();
/// # let path = std::env::temp_dir().join(format!("idx-options-{}", std::process::id()));
/// # std::fs::write(&path, file).unwrap();
/// let idx = idx_std::open_with(&path, options)?;
/// # std::fs::remove_file(&path).unwrap();
/// assert_eq!(idx.as_idx().payload(), [1, 2]);
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    limit: Option<u64>,
}

impl Options {
    /// The options of [`open`](crate::open): no limit.
    #[must_use]
    pub const fn new() -> Self {
        Self { limit: None }
    }

    /// Refuses a file whose header and payload, decompressed, have more than `bytes` bytes.
    #[must_use]
    pub const fn limit(self, bytes: u64) -> Self {
        Self { limit: Some(bytes) }
    }

    pub(crate) fn check(self, header: &Header<'_>) -> Result<(), ErrorKind> {
        let needed = (header.header_size() as u64).saturating_add(header.payload_size());
        match self.limit {
            Some(limit) if needed > limit => Err(ErrorKind::Limit { limit, needed }),
            _ => Ok(()),
        }
    }
}

/// How many of the bytes that are left over are counted, so that an endless stream ends.
const MOST_COUNTED: u64 = 1 << 20;

/// The most that deflate expands: a byte may stand for a little less than this many.
const MOST_EXPANSION: u64 = 1032;

/// Memory is taken in pieces of this size for bytes that may or may not come: with all else that is
/// held while reading, less than 1 MiB.
const GROWTH: u64 = 512 * 1024;

/// The decompressed bytes of a file, gzip or not by its first two bytes.
#[derive(Debug)]
pub(crate) struct Source<R> {
    stream: Stream<R>,
    /// Decompressed bytes read so far.
    position: u64,
    /// The length of a regular file in bytes.
    file_size: Option<u64>,
    /// What the end of a regular gzip file says of its decompressed length: the number modulo 2^32.
    stated_size: Option<u32>,
    /// The decompressed length of a gzip file that was read to its end before.
    counted_size: Option<u64>,
    /// The decompressed length by the header, once that was read.
    promised_size: Option<u64>,
    /// An error that came together with the last bytes of the header.
    fault: Option<ErrorKind>,
}

/// The bytes that were read to see what they are, and then the others.
type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

#[derive(Debug)]
enum Stream<R> {
    Plain(Peeked<R>),
    Gzip(Box<Gunzip<Peeked<R>>>),
}

impl Source<File> {
    pub(crate) fn open(path: &Path) -> Result<Self, ErrorKind> {
        // First, as some systems answer that a folder may not be opened.
        if path.is_dir() {
            return Err(ErrorKind::Folder);
        }
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        let file_size = metadata.is_file().then_some(metadata.len());
        let stated_size = file_size
            .map(|_| gzip::stated_size(&mut file))
            .transpose()?;
        Ok(Self {
            file_size,
            stated_size: stated_size.flatten(),
            ..Self::new(file)?
        })
    }

    /// Makes sure, right after the header, that memory for the payload may be taken at once.
    ///
    /// A gzip file that does not state what its header does has several members or is damaged. It is
    /// read to its end in constant memory, and opened again if it is whole.
    pub(crate) fn assured(mut self, path: &Path, header: &Header<'_>) -> Result<Self, Error> {
        let needed = header.payload_size();
        let can_be_read_again = self.file_size.is_some();
        if needed <= GROWTH || self.expected(needed) > 0 || !can_be_read_again {
            return Ok(self);
        }
        self.payload_by_chunks(header, |_| Ok(()))?;
        let mut again = Self::open(path)?;
        again.header()?;
        again.counted_size = Some(again.position + needed);
        Ok(again)
    }
}

impl<R: Read> Source<R> {
    pub(crate) fn new(mut reader: R) -> Result<Self, ErrorKind> {
        let mut start = Vec::with_capacity(2);
        reader.by_ref().take(2).read_to_end(&mut start)?;
        let is_gzip = start == gzip::START;
        let peeked = Cursor::new(start).chain(reader);
        Ok(Self {
            stream: if is_gzip {
                Stream::Gzip(Box::new(Gunzip::new(peeked)))
            } else {
                Stream::Plain(peeked)
            },
            position: 0,
            file_size: None,
            stated_size: None,
            counted_size: None,
            promised_size: None,
            fault: None,
        })
    }

    pub(crate) fn compression(&self) -> Option<Compression> {
        match self.stream {
            Stream::Plain(_) => None,
            Stream::Gzip(_) => Some(Compression::Gzip),
        }
    }

    /// The length of the file in bytes as it is stored, if it is a regular file.
    pub(crate) fn file_size(&self) -> Option<u64> {
        self.file_size
    }

    /// How many of the next `count` bytes are there for all that can be known before they are read:
    /// those of a plain file by its length, those of a gzip file if its end says the same as its
    /// header and it is large enough for them.
    pub(crate) fn expected(&self, count: u64) -> u64 {
        let file_size = self.file_size.unwrap_or(0);
        match self.stream {
            Stream::Plain(_) => count.min(file_size.saturating_sub(self.position)),
            Stream::Gzip(_) => {
                let whole = self.position.saturating_add(count);
                let is_stated = self.stated_size.map(u64::from) == Some(whole % (1 << 32));
                let is_possible = whole / MOST_EXPANSION <= file_size;
                if self.counted_size == Some(whole) || is_stated && is_possible {
                    count
                } else {
                    0
                }
            }
        }
    }

    /// Fills the buffer, or as much of it as there are bytes before the end or an error.
    ///
    /// Gives the number of bytes, and the error that came after them.
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

    /// Gzip data knows where it is cut, and the header how much there should be.
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

    /// Appends up to `count` bytes, as many as there are before the end or an error.
    ///
    /// No header gets memory for what it promises: until bytes have come, or are known to be there,
    /// there is a little in advance and no more.
    pub(crate) fn append(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<(), ErrorKind> {
        let end = (bytes.len() as u64).saturating_add(count);
        while (bytes.len() as u64) < end {
            // Memory for bytes that may not come is taken when the first of them has.
            let mut first = [0];
            let (filled, result) = self.fill(&mut first);
            if filled == 0 {
                return result;
            }
            let step = to_usize((end - bytes.len() as u64).min(GROWTH))?;
            memory::reserve(bytes, step)?;
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

    /// Reads a header: its bytes, which [`Header::parse`] takes.
    pub(crate) fn header(&mut self) -> Result<Vec<u8>, ErrorKind> {
        let mut bytes = Vec::with_capacity(16);
        let mut result = self.append(&mut bytes, 4);
        if let Err(idx_core::Error::HeaderTruncated { needed, .. }) = Header::parse(&bytes)
            && result.is_ok()
        {
            result = self.append(&mut bytes, needed as u64 - 4);
        }
        // What is wrong must not depend on how many bytes came at a time: a fault that comes after
        // enough of them to tell is told when more are read.
        match Header::parse(&bytes) {
            Ok((header, _)) => {
                let header_size = header.header_size() as u64;
                self.promised_size = header.payload_size().checked_add(header_size);
                self.fault = result.err().map(|kind| self.with_missing(kind));
                Ok(bytes)
            }
            Err(error @ (idx_core::Error::Empty | idx_core::Error::HeaderTruncated { .. })) => {
                Err(result.err().unwrap_or(error.into()))
            }
            Err(idx_core::Error::Gzip) if self.compression().is_some() => {
                Err(ErrorKind::GzipInGzip)
            }
            Err(error) => {
                if foreign::is_of_start(error) {
                    // What it is can be told even if the rest of it is damaged.
                    let _ = self.append(&mut bytes, Foreign::START as u64);
                }
                Err(foreign::diagnose(&bytes, error))
            }
        }
    }

    /// Reads the payload behind `start`, and checks that it is whole and the last.
    pub(crate) fn payload(&mut self, header: &Header<'_>, start: &[u8]) -> Result<Vec<u8>, Error> {
        let needed = header.payload_size();
        let expected = to_usize(self.expected(needed)).map_err(ErrorKind::from)?;
        let mut bytes = memory::zeroed(start.len().saturating_add(expected))?;
        let (front, payload) = bytes.split_at_mut_checked(start.len()).unwrap_or_default();
        front.copy_from_slice(start);
        let (mut filled, mut result) = self.fill(payload);
        bytes.truncate(start.len() + filled);
        if filled == expected && result.is_ok() {
            result = self.append(&mut bytes, needed - expected as u64);
            filled = bytes.len() - start.len();
        }
        let found = filled as u64;
        result
            .and_then(|()| match found {
                _ if found < needed => Err(idx_core::Error::Truncated { needed, found }.into()),
                _ => self.expect_end(),
            })
            .map_err(|kind| Error::from(kind).with_records(whole_records(header, found)))?;
        Ok(bytes)
    }

    /// Gives the payload to `take` in chunks of whole elements, and checks that it is whole and the
    /// last.
    pub(crate) fn payload_by_chunks(
        &mut self,
        header: &Header<'_>,
        mut take: impl FnMut(&[u8]) -> Result<(), ErrorKind>,
    ) -> Result<(), Error> {
        let needed = header.payload_size();
        let mut found = 0;
        let mut chunk = vec![0; to_usize(needed.min(CHUNK_SIZE as u64)).map_err(ErrorKind::from)?];
        let mut read = || {
            while found < needed {
                let size = to_usize((needed - found).min(CHUNK_SIZE as u64))?;
                chunk.truncate(size);
                let (filled, result) = self.fill(&mut chunk);
                found += filled as u64;
                result?;
                if filled < size {
                    return Err(idx_core::Error::Truncated { needed, found }.into());
                }
                take(&chunk)?;
            }
            self.expect_end()
        };
        read().map_err(|kind| Error::from(kind).with_records(whole_records(header, found)))
    }

    /// Checks that nothing follows the payload, and that the checksum is right.
    pub(crate) fn expect_end(&mut self) -> Result<(), ErrorKind> {
        let offset = self.position;
        let mut left_over = vec![0];
        while self.position - offset < MOST_COUNTED {
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

/// How many whole records these bytes of the payload are: all, where a record has none.
pub(crate) fn whole_records(header: &Header<'_>, bytes: u64) -> u64 {
    let whole = header
        .record_size()
        .and_then(|size| bytes.checked_div(size));
    whole.unwrap_or(header.record_count().into())
}

impl<R: Read + Seek> Source<R> {
    /// Goes to a position of plain bytes, or to their end if they end before; `None` if these bytes
    /// cannot do that. Gives the position.
    pub(crate) fn seek(&mut self, position: u64) -> Result<Option<u64>, ErrorKind> {
        let Stream::Plain(peeked) = &mut self.stream else {
            return Ok(None);
        };
        let (_, reader) = peeked.get_mut();
        let Ok(here) = reader.stream_position() else {
            return Ok(None); // a pipe
        };
        // The first two bytes are long delivered, so the two positions go together.
        let start = here.saturating_sub(self.position);
        let size = reader.seek(SeekFrom::End(0))?.saturating_sub(start);
        self.position = position.min(size);
        reader.seek(SeekFrom::Start(start + self.position))?;
        self.fault = None;
        Ok(Some(self.position))
    }
}

/// How many bytes are read or written at a time: more than one read(2) needs to be fast, and little
/// enough to stay in the processor's cache until they are decoded.
pub(crate) const CHUNK_SIZE: usize = 256 * 1024;

/// A number of bytes or records as this machine can address them.
pub(crate) fn to_usize(size: u64) -> Result<usize, idx_core::Error> {
    usize::try_from(size).map_err(|_| idx_core::Error::Unaddressable { size })
}
