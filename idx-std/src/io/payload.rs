//! Reads and checks an IDX file: its header, or else what the file is instead, and a payload that is complete, within a
//! limit, and followed by nothing.

use std::fs::File;
use std::io::Read;

use idx_core::Header;

use crate::error::{Error, ErrorKind, MAX_MULTIPLE};
use crate::header::HeaderBuf;
use crate::io::parallel::read_exact;
use crate::io::source::{GROWTH, Source};
use crate::io::{CHUNK_SIZE, alloc, to_usize};
use crate::signature::FileSignature;

/// The number of bytes after which counting them may stop, if the end is not known.
const MAX_COUNTED: u64 = 1 << 20;

impl<R: Read> Source<R> {
    /// Reads the header of a finished IDX file.
    pub(crate) fn read_header(&mut self) -> Result<HeaderBuf, ErrorKind> {
        match self.read_any_header()? {
            (header, true) => Ok(header),
            (header, false) => Err(ErrorKind::Unfinished { records: self.count_records(&header) }),
        }
    }

    /// Reads the header of an IDX file, and returns whether the file is finished; if not, the header has 0 records.
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
        match Header::parse(&bytes).map_err(|error| error.kind()) {
            Ok((header, _)) => {
                let header = HeaderBuf::from(header);
                self.header = is_finished.then(|| header.clone());
                self.whole_size = is_finished.then(|| header.file_size());
                self.fault = result.err().map(|kind| self.with_missing(kind));
                Ok((header, is_finished))
            }
            Err(
                error @ (idx_core::ErrorKind::Empty | idx_core::ErrorKind::HeaderTruncated { .. }),
            ) => Err(result.err().unwrap_or(error.into())),
            Err(idx_core::ErrorKind::Gzip) if self.is_gzip() => Err(ErrorKind::GzipInGzip),
            Err(error) => {
                // The format can be detected even if the rest of the file is corrupt.
                let _ = self.append(&mut bytes, FileSignature::START as u64);
                Err(diagnose(&bytes, error))
            }
        }
    }

    /// Returns the number of whole records after the header of an unfinished file; `None` for records without bytes,
    /// which cannot be counted, and for a long stream, which may never end.
    fn count_records(&mut self, header: &HeaderBuf) -> Option<u64> {
        let size = header.record_size()?;
        let payload = match (self.is_gzip(), self.file_size) {
            (false, Some(file_size)) => file_size.saturating_sub(self.position),
            (_, Some(_)) => self.count_bytes(u64::MAX).0,
            (_, None) => {
                Some(self.count_bytes(MAX_COUNTED).0).filter(|count| *count <= MAX_COUNTED)?
            }
        };
        let whole = payload.checked_div(size)?;
        Some(if header.dims().is_empty() { whole.min(1) } else { whole })
    }

    /// Reads a whole file: its header, and all its bytes, header included.
    pub(crate) fn read_whole(mut self, limit: Option<u64>) -> Result<(HeaderBuf, Vec<u8>), Error> {
        let header = self.read_header()?;
        let mut source = self.checked_ahead(&header, limit)?;
        let bytes = source.read_payload(&header, &header.to_bytes(), Self::fill)?;
        Ok((header, bytes))
    }

    /// Checks the size of the file against the limit, right after its header was read. If the reader can seek, this
    /// also makes sure that the payload exists, so that its memory can be allocated at once.
    ///
    /// A gzip file whose end and header state different lengths has several members or is corrupt. It is first read to
    /// its end in constant memory, and if it is complete, from its start again.
    pub(crate) fn checked_ahead(
        mut self,
        header: &HeaderBuf,
        limit: Option<u64>,
    ) -> Result<Self, Error> {
        header.check_limit(limit)?;
        let needed = header.payload_size();
        // It is small, known to exist, or cannot be read twice.
        if needed <= GROWTH || self.expected(needed) > 0 || self.access.is_none() {
            return Ok(self);
        }
        self.payload_by_chunks(header, |_| Ok(()))?;
        let mut again = self.rewound()?;
        again.read_header()?;
        again.counted_size = Some(again.position + needed);
        Ok(again)
    }

    /// Reads the payload into memory, after the bytes of `front`, and checks that it is complete and nothing follows;
    /// `fill` reads the bytes that are known to exist.
    pub(crate) fn read_payload(
        &mut self,
        header: &HeaderBuf,
        front: &[u8],
        fill: impl FnOnce(&mut Self, &mut [u8]) -> (usize, Result<(), ErrorKind>),
    ) -> Result<Vec<u8>, Error> {
        let needed = header.payload_size();
        let expected = to_usize(self.expected(needed))?;
        let mut bytes = alloc::zeroed(front.len().saturating_add(expected))?;
        let (start, payload) = bytes.split_at_mut_checked(front.len()).unwrap_or_default();
        start.copy_from_slice(front);
        let (mut filled, mut result) = fill(self, payload);
        bytes.truncate(front.len() + filled);
        if filled == expected && result.is_ok() {
            result = self.append(&mut bytes, needed - expected as u64);
            filled = bytes.len() - front.len();
        }
        let found = filled as u64;
        result
            .and_then(|()| match found {
                _ if found < needed => Err(idx_core::ErrorKind::Truncated { needed, found }.into()),
                _ => self.expect_end(needed),
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
        let mut chunk = vec![0; CHUNK_SIZE.min(to_usize(needed).unwrap_or(CHUNK_SIZE))];
        while found < needed {
            let left = to_usize(needed - found).unwrap_or(CHUNK_SIZE);
            chunk.truncate(left);
            let (filled, result) = self.fill(&mut chunk);
            found += filled as u64;
            result
                .and_then(|()| match filled < chunk.len() {
                    true => Err(idx_core::ErrorKind::Truncated { needed, found }.into()),
                    false => Ok(()),
                })
                .map_err(|kind| after_bytes(kind, header, found))?;
            take(&chunk)?;
        }
        self.expect_end_after(header)
    }

    /// Checks that nothing follows the payload, all of which was read, and that the checksum is right.
    pub(crate) fn expect_end_after(&mut self, header: &HeaderBuf) -> Result<(), Error> {
        let size = header.payload_size();
        let end = self.expect_end(size);
        end.map_err(|kind| after_bytes(kind, header, size))
    }

    /// Reads the header of a plain file again, and returns whether at most its number of records grew: then another
    /// writer appends to the file, and did not replace it.
    fn has_more_records(&mut self) -> bool {
        let (before, position) = (self.header.clone(), self.position);
        self.position = 0;
        let now = self.read_any_header();
        (self.header, self.position, self.fault) = (before, position, None);
        self.header.as_ref().zip(now.ok()).is_some_and(|(before, (now, _))| {
            let count = before.record_count();
            now.record_count() >= count && now.with_record_count(count) == *before
        })
    }

    /// Checks that nothing follows a payload of this size, and that the checksum is right.
    pub(crate) fn expect_end(&mut self, payload_size: u64) -> Result<(), ErrorKind> {
        let offset = self.position;
        let was_whole = !self.is_gzip() && self.file_size == Some(offset);
        let (filled, result) = self.fill(&mut [0]);
        if filled == 0 || was_whole && self.has_more_records() {
            // Records appended after the file was opened are not part of this payload.
            self.position = offset;
            return result;
        }
        // Counts no more bytes than missing channels could have, because a stream may never end.
        let max = payload_size.saturating_mul(MAX_MULTIPLE - 1).max(MAX_COUNTED);
        let rest = self.expected(u64::MAX - self.position);
        let is_end = match result {
            Ok(()) if rest == 0 => self.count_bytes(max - 1).1,
            result => result.map(|()| true),
        };
        let count = self.position - offset + rest;
        let record_size = self.header.as_ref().and_then(HeaderBuf::record_size);
        Err(match is_end {
            Ok(true) => ErrorKind::trailing_bytes(offset, count, payload_size, record_size),
            _ => ErrorKind::TrailingBytes {
                offset,
                count,
                at_least: true,
                records: None,
                times: None,
                error: is_end.err().map(Box::new),
            },
        })
    }
}

/// Returns the error that came after `bytes` bytes of the payload.
fn after_bytes(kind: ErrorKind, header: &HeaderBuf, bytes: u64) -> Error {
    Error::from(kind).with_records(header.whole_records(bytes))
}

/// Returns the error for a file that the parser rejects with `error`; `start` is its first bytes.
fn diagnose(start: &[u8], error: idx_core::ErrorKind) -> ErrorKind {
    use idx_core::ErrorKind::{NotIdx, TooLarge, UnknownElementType};

    match (error, FileSignature::detect(start)) {
        // Videos and color profiles start with their sizes, which may look like an IDX header.
        (NotIdx { .. } | UnknownElementType { .. }, signature)
        | (TooLarge { .. }, signature @ Some(_)) => {
            ErrorKind::NotIdx { signature, start: start.iter().copied().take(16).collect(), error }
        }
        _ => error.into(),
    }
}

impl Source<File> {
    /// Reads a whole file as [`read_whole`](Self::read_whole) does, in one call or on several threads where that is
    /// possible.
    pub(crate) fn read_whole_file(
        mut self,
        limit: Option<u64>,
    ) -> Result<(HeaderBuf, Vec<u8>), Error> {
        let header = self.read_header()?;
        let mut source = self.checked_ahead(&header, limit)?;
        let bytes = source.read_file_payload(&header, &header.to_bytes())?;
        Ok((header, bytes))
    }

    /// Reads a payload as [`read_payload`](Self::read_payload) does, in one call or on several threads where that is
    /// possible.
    pub(crate) fn read_file_payload(
        &mut self,
        header: &HeaderBuf,
        front: &[u8],
    ) -> Result<Vec<u8>, Error> {
        #[cfg(feature = "libdeflate")]
        if let Some(mut file) = self.inflated_in_one_call(header) {
            file.drain(..header.header_size().saturating_sub(front.len()));
            return Ok(file);
        }
        self.read_payload(header, front, |source, payload| {
            if source.fill_in_parts(payload, read_exact) {
                return (payload.len(), Ok(()));
            }
            source.fill(payload)
        })
    }
}
