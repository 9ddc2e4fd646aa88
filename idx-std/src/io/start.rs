//! The start of a source: its header, or what it is instead.

use std::io::Read;

use idx_core::Header;

use super::CHUNK_SIZE;
use super::source::{Source, Stream};
use super::whole::MAX_COUNTED;
use crate::error::ErrorKind;
use crate::header::HeaderBuf;
use crate::signature::FileSignature;

impl<R: Read> Source<R> {
    /// Reads the header of an IDX file that is finished.
    pub(crate) fn read_header(&mut self) -> Result<HeaderBuf, ErrorKind> {
        match self.read_any_header()? {
            (header, true) => Ok(header),
            (header, false) => Err(ErrorKind::Unfinished {
                records: self.count_records(&header),
            }),
        }
    }

    /// Reads the header of an IDX file, and whether it is finished; if not, it counts no records.
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
        match Header::parse(&bytes) {
            Ok((header, _)) => {
                let header = HeaderBuf::from(header);
                if is_finished {
                    let header_size = header.header_size() as u64;
                    self.promised_size = header.payload_size().checked_add(header_size);
                }
                self.fault = result.err().map(|kind| self.with_missing(kind));
                Ok((header, is_finished))
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

    /// The number of whole records behind a header that does not count them, as far as it can be known:
    /// records without bytes cannot be counted, and a stream may have no end.
    fn count_records(&mut self, header: &HeaderBuf) -> Option<u64> {
        let size = header.record_size()?;
        let payload = match (&self.stream, self.file_size) {
            (Stream::Plain(_), Some(file_size)) => file_size.saturating_sub(self.position),
            (_, Some(_)) => self.count_bytes(u64::MAX)?,
            (_, None) => self.count_bytes(MAX_COUNTED)?,
        };
        let whole = payload.checked_div(size)?;
        Some(if header.rank() == 0 {
            whole.min(1)
        } else {
            whole
        })
    }

    /// Reads to the end, or to the error that ends the bytes; `None` if there are more than `max`.
    fn count_bytes(&mut self, max: u64) -> Option<u64> {
        let start = self.position;
        let mut chunk = vec![0; CHUNK_SIZE];
        while self.position - start <= max {
            let (filled, result) = self.fill(&mut chunk);
            if filled < chunk.len() || result.is_err() {
                return Some(self.position - start);
            }
        }
        None
    }
}

/// The error for a file that the parser rejects with `error`; `start` is its first bytes, with its header.
pub(crate) fn diagnose(start: &[u8], error: idx_core::Error) -> ErrorKind {
    use idx_core::Error::{NotIdx, TrailingBytes, UnknownElementType};

    match (error, FileSignature::detect(start)) {
        (NotIdx { .. } | UnknownElementType { .. }, Some(signature)) => {
            ErrorKind::OtherFormat { signature, error }
        }
        (NotIdx { .. } | UnknownElementType { .. }, None) => ErrorKind::BadMagic {
            start: start.iter().copied().take(16).collect(),
            error,
        },
        (TrailingBytes { offset, count }, _) => {
            let header = Header::parse(start);
            let payload_size = header.map_or(0, |(header, _)| header.payload_size());
            ErrorKind::trailing_bytes(offset, count, payload_size)
        }
        _ => error.into(),
    }
}
