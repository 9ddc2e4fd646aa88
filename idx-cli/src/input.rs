use std::io::{self, Read};
use std::path::Path;

use idx_std::{DynReader, Error, Header};

/// Images and labels that are part of the program, as `sample/draw.rs` draws them.
pub(crate) const SAMPLE_IMAGES: &[u8] = include_bytes!("../sample/digits-images-idx3-ubyte");
pub(crate) const SAMPLE_LABELS: &[u8] = include_bytes!("../sample/digits-labels-idx1-ubyte");

/// A file, or bytes that can only be read from their start.
pub(crate) enum Input {
    File(DynReader),
    Stream(DynReader<Box<dyn Read>>),
}

impl Input {
    /// Opens a file, or standard input if the path is `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        if path.as_os_str() == "-" {
            Self::stream(Box::new(io::stdin().lock()))
        } else {
            Ok(Self::File(DynReader::open(path)?))
        }
    }

    pub(crate) fn from_static(bytes: &'static [u8]) -> Result<Self, Error> {
        Self::stream(Box::new(bytes))
    }

    fn stream(read: Box<dyn Read>) -> Result<Self, Error> {
        Ok(Self::Stream(DynReader::new(read)?))
    }

    pub(crate) fn header(&self) -> Header<'_> {
        match self {
            Self::File(reader) => reader.header(),
            Self::Stream(reader) => reader.header(),
        }
    }

    pub(crate) fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        match self {
            Self::File(reader) => reader.next_record(),
            Self::Stream(reader) => reader.next_record(),
        }
    }

    /// Goes forward to a record of the file.
    pub(crate) fn skip_to(&mut self, index: u64) -> Result<(), Error> {
        match self {
            Self::File(reader) => reader.skip_to(index),
            Self::Stream(reader) => {
                for _ in 0..index {
                    if let Some(record) = reader.next_record() {
                        record?;
                    }
                }
                Ok(())
            }
        }
    }
}
