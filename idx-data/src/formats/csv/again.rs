//! The bytes of a table that are read once more: a file, from its start, or from any place.

use std::fs::File;
use std::io::{self, Read, Seek};

use crate::error::ErrorKind;
use crate::formats::bytes::Bytes;
use idx_std::is_gzip;

/// Reads a file from its start again.
pub(super) type Again = Box<dyn FnOnce() -> Result<Box<dyn Read + Send>, ErrorKind>>;

impl Bytes {
    /// Returns a function that reads the bytes of a file once more, from its start.
    pub(super) fn again(&self, start: &[u8]) -> io::Result<Option<Again>> {
        let Self::File(file) = self else {
            return Ok(None);
        };
        let (mut file, start) = (file.try_clone()?, start.to_vec());
        Ok(Some(Box::new(move || {
            file.rewind()?;
            Ok(Self::File(file).into_decompressed(&start)?)
        })))
    }

    /// Returns a plain file, to understand a table by its middle and its end.
    pub(super) fn plain_file(&self, start: &[u8]) -> io::Result<Option<File>> {
        match self {
            Self::File(file) if !is_gzip(start) => file.try_clone().map(Some),
            _ => Ok(None),
        }
    }
}
