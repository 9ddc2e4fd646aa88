//! The bytes of an input: a file or a stream.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::error::Error;
use idx_std::__private::Source as FileBytes;
use idx_std::is_gzip;

/// The bytes of an input that is not a folder, from the first one on.
pub(crate) enum Bytes {
    File(File),
    Stream(Box<dyn Read + Send>),
}

impl Read for Bytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Stream(stream) => stream.read(buffer),
        }
    }
}

impl Seek for Bytes {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(position),
            Self::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
        }
    }
}

impl Bytes {
    /// Returns the bytes, decompressed if they start like gzip.
    pub(crate) fn into_decompressed(
        self,
        start: &[u8],
    ) -> Result<Box<dyn Read + Send>, idx_std::ErrorKind> {
        Ok(match is_gzip(start) {
            true => Box::new(FileBytes::new(self)?),
            false => Box::new(self),
        })
    }

    /// Returns a second handle to a file, at the same position, to read it again.
    pub(crate) fn same_file(&self) -> io::Result<Option<File>> {
        match self {
            Self::File(file) => file.try_clone().map(Some),
            Self::Stream(_) => Ok(None),
        }
    }

    /// Returns the number of bytes, if it is known before they are read.
    pub(crate) fn size(&self, start: &[u8]) -> io::Result<Option<u64>> {
        match self {
            Self::File(file) if !is_gzip(start) => Ok(Some(file.metadata()?.len())),
            _ => Ok(None),
        }
    }

    /// Returns the file, or a temporary copy of the stream, to read it in another order or twice.
    pub(crate) fn into_file(self) -> Result<File, Error> {
        match self {
            Self::File(file) => Ok(file),
            Self::Stream(mut stream) => {
                let mut file = tempfile::tempfile().map_err(Error::temporary)?;
                io::copy(&mut stream, &mut file)?;
                file.rewind().map_err(Error::temporary)?;
                Ok(file)
            }
        }
    }
}
