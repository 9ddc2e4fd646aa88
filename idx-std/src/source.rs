use std::fs::File;
use std::io::{self, Chain, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use idx_core::Header;

use crate::gzip::Gunzip;
use crate::{ErrorKind, Foreign};

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

/// The decompressed bytes of a file, gzip or not by its first two bytes.
#[derive(Debug)]
pub(crate) struct Source<R> {
    stream: Stream<R>,
    /// Decompressed bytes read so far.
    position: u64,
    /// An error that came after some bytes of a read; told when these were delivered.
    fault: Option<ErrorKind>,
    /// The length of a regular file in bytes.
    file_size: Option<u64>,
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
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let mut source = Self::new(file)?;
        source.file_size = metadata.is_file().then_some(metadata.len());
        Ok(source)
    }
}

impl<R: Read> Source<R> {
    pub(crate) fn new(mut reader: R) -> Result<Self, ErrorKind> {
        let mut start = Vec::with_capacity(2);
        reader.by_ref().take(2).read_to_end(&mut start)?;
        let is_gzip = start == [0x1F, 0x8B];
        let peeked = Cursor::new(start).chain(reader);
        Ok(Self {
            stream: if is_gzip {
                Stream::Gzip(Box::new(Gunzip::new(peeked)))
            } else {
                Stream::Plain(peeked)
            },
            position: 0,
            fault: None,
            file_size: None,
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

    /// The bytes that are left, if that is known: those of a plain, regular file.
    pub(crate) fn remaining(&self) -> Option<u64> {
        match self.stream {
            Stream::Plain(_) => Some(self.file_size?.saturating_sub(self.position)),
            Stream::Gzip(_) => None,
        }
    }

    /// Fills the buffer, or as much of it as there are bytes before the end or an error.
    ///
    /// An error is given when no byte came before it, so that no byte is lost.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let mut filled = 0;
        while let Some(rest @ [_, ..]) = buffer.get_mut(filled..) {
            let result = match &mut self.stream {
                Stream::Plain(reader) => match reader.read(rest) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    result => result.map_err(ErrorKind::from),
                },
                Stream::Gzip(reader) => reader.read(rest),
            };
            match result {
                Ok(0) => break,
                Ok(count) => {
                    filled += count;
                    self.position += count as u64;
                }
                Err(error) if filled == 0 => return Err(error),
                Err(error) => {
                    self.fault = Some(error);
                    break;
                }
            }
        }
        Ok(filled)
    }

    /// Appends up to `count` bytes, as many as there are before the end.
    ///
    /// Memory is taken as bytes come, so that a header that promises too much gets none of it.
    pub(crate) fn append(&mut self, bytes: &mut Vec<u8>, count: u64) -> Result<(), ErrorKind> {
        let end = (bytes.len() as u64).saturating_add(count);
        while (bytes.len() as u64) < end {
            let start = bytes.len();
            let step = match self.remaining() {
                Some(remaining) => remaining.max(1), // one more, to see the end
                None => start.max(CHUNK_SIZE) as u64,
            };
            let size = to_usize((start as u64).saturating_add(step).min(end))?;
            bytes.reserve_exact(size - start);
            bytes.resize(size, 0);
            let filled = self.fill(bytes.get_mut(start..).unwrap_or_default());
            bytes.truncate(start + *filled.as_ref().unwrap_or(&0));
            if filled? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// Reads a header: its bytes, which [`Header::parse`] takes.
    pub(crate) fn header(&mut self) -> Result<Vec<u8>, ErrorKind> {
        let mut bytes = Vec::with_capacity(16);
        self.append(&mut bytes, 4)?;
        if let Err(idx_core::Error::HeaderTruncated { needed, .. }) = Header::parse(&bytes) {
            self.append(&mut bytes, needed as u64 - 4)?;
        }
        match Header::parse(&bytes) {
            Ok(_) => Ok(bytes),
            Err(idx_core::Error::Gzip) if self.compression().is_some() => {
                Err(ErrorKind::GzipInGzip)
            }
            Err(error @ idx_core::Error::NotIdx { .. }) => {
                // What it is can be told even if the rest of it is damaged.
                let _ = self.append(&mut bytes, Foreign::START as u64);
                match Foreign::recognise(&bytes) {
                    Some(foreign) => Err(ErrorKind::Foreign { foreign, error }),
                    None => Err(error.into()),
                }
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Checks that nothing follows the payload, and that the checksum is right.
    pub(crate) fn expect_end(&mut self) -> Result<(), ErrorKind> {
        let offset = self.position;
        let mut left_over = vec![0];
        while self.position - offset < MOST_COUNTED {
            match self.fill(&mut left_over)? {
                0 => break,
                _ => left_over.resize(CHUNK_SIZE, 0),
            }
        }
        match self.position - offset + self.remaining().unwrap_or(0) {
            0 => Ok(()),
            count => Err(idx_core::Error::TrailingBytes { offset, count }.into()),
        }
    }
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
