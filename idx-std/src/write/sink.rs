//! The bytes of a plain or gzip file whose header can still change at the end.

use std::io::{self, Seek, SeekFrom, Write};

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use crate::error::ErrorKind;
use crate::io::CHUNK_SIZE;
use crate::write::in_place::InPlace;

/// The destination of a file's bytes: a header that is changed at the end, and a payload.
#[derive(Debug)]
pub(crate) enum Sink<W: Write> {
    Plain(Plain<W>),
    Gzip(Gzip<W>),
    InPlace(InPlace<W>),
}

impl<W: Write + Seek> Sink<W> {
    /// Starts a file with a preliminary header.
    pub(crate) fn new(sink: W, header: &[u8], gzip_level: Option<u32>) -> io::Result<Self> {
        Ok(match gzip_level {
            None => Self::Plain(Plain::new(sink, header)?),
            Some(level) => Self::Gzip(Gzip::new(sink, header, level)?),
        })
    }

    /// Returns the number at whose multiples writes should end.
    ///
    /// Linux caches a new file in pages that are as large as the writes and their positions allow: if each write ends
    /// a few bytes behind such a multiple, all of them take a third longer.
    pub(crate) fn alignment(&self) -> usize {
        match self {
            Self::Plain(_) => CHUNK_SIZE,
            Self::Gzip(_) | Self::InPlace(_) => 1,
        }
    }

    /// Returns the number of the next `count` bytes that come after the last such multiple.
    pub(crate) fn unaligned(&self, count: usize) -> usize {
        let Self::Plain(plain) = self else { return 0 };
        let end = plain.position.wrapping_add(count as u64);
        let unaligned = usize::try_from(end % CHUNK_SIZE as u64);
        debug_assert!(unaligned.is_ok(), "less than the size of a chunk");
        unaligned.map_or(0, |unaligned| unaligned.min(count))
    }

    /// Writes a part of the payload, up to record `count`.
    pub(crate) fn write(&mut self, payload: &[u8], count: u64) -> Result<(), ErrorKind> {
        match self {
            Self::InPlace(file) => {
                file.write(payload, u32::try_from(count).map_err(io::Error::other)?)
            }
            Self::Plain(plain) => Ok(plain.write(payload)?),
            Self::Gzip(gzip) => Ok(gzip.write(payload)?),
        }
    }

    /// Writes the final header over the first one, of the same length.
    pub(crate) fn finish(self, header: &[u8]) -> io::Result<W> {
        match self {
            Self::Plain(plain) => plain.finish(header),
            Self::Gzip(gzip) => gzip.finish(header),
            // Its header is correct after each write.
            Self::InPlace(file) => Ok(file.into_inner()),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Plain<W> {
    sink: W,
    start: u64,
    /// The position in the sink, if all writes succeeded.
    position: u64,
}

impl<W: Write + Seek> Plain<W> {
    fn new(mut sink: W, header: &[u8]) -> io::Result<Self> {
        let start = sink.stream_position()?;
        sink.write_all(header)?;
        let position = start.wrapping_add(header.len() as u64);
        Ok(Self { sink, start, position })
    }

    fn write(&mut self, payload: &[u8]) -> io::Result<()> {
        self.position = self.position.wrapping_add(payload.len() as u64);
        self.sink.write_all(payload)
    }

    fn finish(self, header: &[u8]) -> io::Result<W> {
        overwrite(self.sink, self.start, header)
    }
}

/// One gzip member (RFC 1952) whose first bytes can still change after all others were written.
///
/// The IDX header has a stored deflate block of its own (RFC 1951, 3.2.4), so the file contains it byte for
/// byte. The blocks of the payload come from a compressor that does not see the header. The checksum of
/// the whole is combined from those of the two.
#[derive(Debug)]
pub(crate) struct Gzip<W: Write> {
    payload: DeflateEncoder<W>,
    checksum: Crc,
    payload_size: u64,
    /// The position of the IDX header in the sink.
    header_position: u64,
}

impl<W: Write + Seek> Gzip<W> {
    fn new(mut sink: W, header: &[u8], level: u32) -> io::Result<Self> {
        // Deflate, no flags, no time stamp; the effort of the compressor; an unknown system. So the
        // file does not depend on where or when it was written.
        let extra_flags = match level {
            9 => 2,
            1 => 4,
            _ => 0,
        };
        sink.write_all(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, extra_flags, 255])?;
        // Not the last block, stored; its length, and the complement of the length.
        let length = u16::try_from(header.len()).map_err(io::Error::other)?;
        let [low, high] = length.to_le_bytes();
        sink.write_all(&[0, low, high, !low, !high])?;
        let header_position = sink.stream_position()?;
        sink.write_all(header)?;
        Ok(Self {
            payload: DeflateEncoder::new(sink, Compression::new(level)),
            checksum: Crc::new(),
            payload_size: 0,
            header_position,
        })
    }

    fn write(&mut self, payload: &[u8]) -> io::Result<()> {
        self.payload.write_all(payload)?;
        self.checksum.update(payload);
        self.payload_size += payload.len() as u64;
        Ok(())
    }

    fn finish(mut self, header: &[u8]) -> io::Result<W> {
        // `write_all` retries after an interruption, the compressor does not.
        while let Err(error) = self.payload.try_finish() {
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        let mut sink = self.payload.finish()?;
        let mut checksum = Crc::new();
        checksum.update(header);
        checksum.combine(&self.checksum);
        sink.write_all(&checksum.sum().to_le_bytes())?;
        // The size modulo 2^32.
        #[expect(clippy::cast_possible_truncation, reason = "gzip has 32 bits for it")]
        let size = (header.len() as u64).wrapping_add(self.payload_size) as u32;
        sink.write_all(&size.to_le_bytes())?;
        overwrite(sink, self.header_position, header)
    }
}

/// Overwrites bytes at a position, and seeks back to the end.
fn overwrite<W: Write + Seek>(mut sink: W, position: u64, bytes: &[u8]) -> io::Result<W> {
    let end = sink.stream_position()?;
    sink.seek(SeekFrom::Start(position))?;
    sink.write_all(bytes)?;
    if sink.stream_position()? != position.wrapping_add(bytes.len() as u64) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "the header was written behind the records, as the file was opened in append mode; open it without, \
             or use `Writer::append`",
        ));
    }
    sink.seek(SeekFrom::Start(end))?;
    sink.flush()?;
    Ok(sink)
}
