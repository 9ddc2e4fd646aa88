//! The bytes of a plain or gzip file whose header can still change at the end.

use std::io::{self, Seek, SeekFrom, Write};

use crate::error::ErrorKind;
use crate::io::CHUNK_SIZE;
use crate::write::gzip::{Gzip, GzipOptions};
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
    pub(crate) fn new(sink: W, header: &[u8], gzip: Option<GzipOptions>) -> io::Result<Self> {
        Ok(match gzip {
            None => Self::Plain(Plain::new(sink, header)?),
            Some(options) => Self::Gzip(Gzip::new(sink, header, options)?),
        })
    }

    /// Returns the alignment of the positions at which writes should end.
    ///
    /// Linux caches a new file in pages that are as large as the writes and their positions allow: if each write ends a
    /// few bytes after an aligned position, writing takes a third longer.
    pub(crate) fn alignment(&self) -> usize {
        match self {
            Self::Plain(_) => CHUNK_SIZE,
            Self::Gzip(_) | Self::InPlace(_) => 1,
        }
    }

    /// Returns how many of the next `count` bytes come after the last aligned position.
    pub(crate) fn unaligned(&self, count: usize) -> usize {
        let Self::Plain(plain) = self else { return 0 };
        let end = plain.position.wrapping_add(count as u64);
        let unaligned = usize::try_from(end % CHUNK_SIZE as u64);
        debug_assert!(unaligned.is_ok(), "less than the size of a chunk");
        unaligned.map_or(0, |unaligned| unaligned.min(count))
    }

    /// Writes a part of the payload, after which the file has `count` records.
    pub(crate) fn write(&mut self, payload: &[u8], count: u64) -> Result<(), ErrorKind> {
        match self {
            Self::InPlace(file) => {
                file.write(payload, u32::try_from(count).map_err(io::Error::other)?)
            }
            Self::Plain(plain) => Ok(plain.write(payload)?),
            Self::Gzip(gzip) => Ok(gzip.write(payload)?),
        }
    }

    /// Writes the final header over the preliminary one, of the same length.
    pub(crate) fn finish(self, header: &[u8]) -> io::Result<W> {
        match self {
            Self::Plain(plain) => overwrite(plain.sink, plain.start, header),
            Self::Gzip(gzip) => {
                let (sink, position) = gzip.finish(header)?;
                overwrite(sink, position, header)
            }
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
}

/// Overwrites bytes at a position, and seeks back to the end.
fn overwrite<W: Write + Seek>(mut sink: W, position: u64, bytes: &[u8]) -> io::Result<W> {
    let end = sink.stream_position()?;
    sink.seek(SeekFrom::Start(position))?;
    sink.write_all(bytes)?;
    if sink.stream_position()? != position.wrapping_add(bytes.len() as u64) {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "the header was written after the records, because the file was opened in append mode; open it without, \
             or use `Writer::append`",
        ));
    }
    sink.seek(SeekFrom::Start(end))?;
    sink.flush()?;
    Ok(sink)
}
