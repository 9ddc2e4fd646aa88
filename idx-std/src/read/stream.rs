//! The stream behind all readers: chunks of records, skips and jumps.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "public only to idx-data"
)]

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::{Bound, Range, RangeBounds};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::access::{self, read_file_at};
use crate::io::parallel::read_exact;
use crate::io::source::Source;
use crate::io::{CHUNK_SIZE, alloc, to_usize};

/// The number of bytes to read first after a jump, when only one record may be wanted.
const FIRST_CHUNK: usize = 4 * 1024;

/// The largest jump, in bytes, after which chunks stay large: small ones would take longer than reading the gap.
const SMALL_GAP: u64 = 32 * 1024;

/// The smallest record in bytes to read on several threads: with smaller ones, the labels would take more memory than
/// the records.
const LARGE_RECORD: usize = 256;

/// The maximum number of bytes that several threads read at once: more would delay an interrupt.
const MAX_AT_ONCE: usize = 1 << 30;

/// The selected records of a source, as bytes. The format may be any in which all records have the same size.
pub struct RecordStream<R> {
    pub(super) source: Source<R>,
    /// The start of the first record, in decompressed bytes.
    start: u64,
    record_size: u64,
    record_count: u64,
    payload_size: u64,
    /// The next record, and the end of the selection; if that is the last record, the end of the file is
    /// checked.
    next: u64,
    end: u64,
    /// The bytes read in advance, usually whole records, and the range of those that come next.
    chunk: Vec<u8>,
    unread: Range<usize>,
    /// The number of bytes to read at a time: few after a jump, then twice as many each time.
    chunk_size: usize,
    /// An error that comes after the unread records.
    fault: Option<ErrorKind>,
    /// True if the stream has ended: the end of the file was checked, or an error was reported.
    ended: bool,
    /// True if the source reported an error, so that it cannot be read on.
    failed: bool,
    path: Option<PathBuf>,
}

impl<R: Read> RecordStream<R> {
    /// Creates the stream of an IDX file whose header was read.
    pub(crate) fn after(header: &HeaderBuf, source: Source<R>) -> Self {
        let start = header.header_size() as u64;
        let record_size = header.record_size().unwrap_or(0); // then there are no records
        let record_count = header.record_count().into();
        Self::new(source, start, record_size, record_count, header.payload_size())
    }

    /// Creates the stream of a source whose header was read.
    pub fn new(
        mut source: Source<R>,
        start: u64,
        record_size: u64,
        record_count: u64,
        payload_size: u64,
    ) -> Self {
        source.whole_size = Some(start.saturating_add(payload_size));
        let chunk_size = source.chunk_size();
        Self {
            source,
            start,
            record_size,
            record_count,
            payload_size,
            next: 0,
            end: record_count,
            chunk: Vec::new(),
            unread: 0..0,
            chunk_size,
            fault: None,
            ended: false,
            failed: false,
            path: None,
        }
    }

    /// Adds this path to the errors of the stream.
    pub fn with_path(self, path: &Path) -> Self {
        Self { path: Some(path.to_path_buf()), ..self }
    }

    /// Returns the bytes of the next record; `None` after the last one, once the end of the file was checked.
    pub fn next_record(&mut self) -> Option<Result<&[u8], Error>> {
        Some(self.next_range()?.map(|range| self.bytes(range)))
    }

    /// Returns the bytes of the next whole records, several at a time.
    pub fn next_records(&mut self) -> Option<Result<&[u8], Error>> {
        let first = match self.next_range()? {
            Ok(first) => first,
            Err(error) => return Some(Err(error)),
        };
        match self.unread.len().checked_div(first.len()) {
            Some(more) => {
                let wanted = self.end - self.next;
                let more = usize::try_from(wanted).map_or(more, |wanted| more.min(wanted));
                self.next += more as u64;
                self.unread.start += more * first.len();
            }
            // Records of no bytes come all at once.
            None => self.next = self.end,
        }
        Some(Ok(self.bytes(first.start..self.unread.start)))
    }

    /// Returns the position of the next record in the chunk; `None` after the last one, once the end was checked.
    pub fn next_range(&mut self) -> Option<Result<Range<usize>, Error>> {
        let is_all = self.end == self.record_count;
        if self.ended || self.next >= self.end && !is_all {
            return None;
        }
        let result = if self.next < self.end {
            self.advance().map(Some)
        } else {
            let fault = self.fault.take().map_or(Ok(()), Err);
            fault.and_then(|()| self.source.expect_end(self.payload_size)).map(|()| None)
        };
        self.ended = !matches!(result, Ok(Some(_)));
        self.failed |= result.is_err();
        result.map_err(|kind| self.error(kind).with_records(self.next)).transpose()
    }

    /// Returns the bytes of a record that was read.
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        let bytes = self.chunk.get(range);
        debug_assert!(bytes.is_some(), "the range is that of a record that was read");
        bytes.unwrap_or_default()
    }

    /// Ends the stream at the record that was read last, because its type does not allow this value.
    pub(super) fn reject(&mut self, value: i64) -> Error {
        self.ended = true;
        let record = self.next - 1;
        let error = idx_core::ErrorKind::ValueNotAllowed { record, value };
        self.error(error.into()).with_records(record)
    }

    /// Returns the maximum number of items that an iterator can still return.
    pub(super) fn max_remaining(&self) -> u64 {
        if self.ended {
            return 0;
        }
        // There may be an error after the last record.
        self.end.saturating_sub(self.next) + 1
    }

    /// Selects the records that come next, and returns their number.
    pub fn select(&mut self, records: impl RangeBounds<u64>) -> Result<u64, Error> {
        let range = self.checked_range(records).map_err(|kind| self.error(kind))?;
        self.end = range.end;
        self.ended = false;
        if let Err(kind) = self.go_to(range.start) {
            self.ended = true;
            self.failed = true;
            return Err(self.error(kind).with_records(self.next));
        }
        Ok(range.end - range.start)
    }

    /// Skips the next `records` records of the selection, or the remaining ones if there are fewer, and returns how
    /// many it skipped.
    pub fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let skipped = records.min(self.end.saturating_sub(self.next));
        self.select(self.next + skipped..self.end)?;
        Ok(skipped)
    }

    /// Resolves a range, and checks that the reader can go there, as far as is known in advance.
    fn checked_range(&mut self, records: impl RangeBounds<u64>) -> Result<Range<u64>, ErrorKind> {
        let count = self.record_count;
        let start = match records.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match records.end_bound() {
            Bound::Included(last) => last.saturating_add(1),
            Bound::Excluded(end) => *end,
            Bound::Unbounded => count.max(start),
        };
        if end < start {
            return Err(ErrorKind::InvalidRange { start, end });
        }
        if end > count {
            return Err(ErrorKind::IndexOutOfRange { record: start.max(end - 1), count });
        }
        if !self.source.can_seek() {
            if start < self.next {
                return Err(self.cannot_seek(start));
            }
            if self.failed {
                return Err(ErrorKind::FailedEarlier);
            }
        }
        Ok(start..end)
    }

    /// Returns the error for a record that does not come next.
    fn cannot_seek(&self, record: u64) -> ErrorKind {
        ErrorKind::CannotSeek { record, next: self.next }
    }

    /// Moves past the next record, and returns its range in the chunk.
    fn advance(&mut self) -> Result<Range<usize>, ErrorKind> {
        let size = to_usize(self.record_size)?;
        if self.unread.len() < size {
            self.read_chunk(size)?;
        }
        let record = self.unread.start..self.unread.start + size;
        self.unread.start = record.end;
        self.next += 1;
        Ok(record)
    }

    /// Reads a chunk of whole records, at least one.
    #[inline(never)]
    fn read_chunk(&mut self, size: usize) -> Result<(), ErrorKind> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        if self.unread.is_empty() {
            // Reads past the selection only if these bytes cannot be read later.
            let end = match self.source.can_seek() {
                true => self.end,
                false => self.record_count,
            };
            let remaining = end - self.next;
            let records = (self.chunk_size / size).max(1);
            let records = usize::try_from(remaining).map_or(records, |all| all.min(records));
            self.chunk_size = self.source.chunk_size().min(self.chunk_size * 2);
            let (filled, result) = self.fill_chunk(records * size);
            self.unread = 0..filled;
            if filled < size {
                result?;
            } else {
                // The records before the error come first.
                self.fault = result.err();
            }
        }
        // Whole records were requested, so an incomplete one means the end of the file.
        if self.unread.len() < size {
            return Err(idx_core::ErrorKind::Truncated {
                needed: self.payload_size,
                found: self.next * self.record_size + self.unread.len() as u64,
            }
            .into());
        }
        Ok(())
    }

    /// Reads up to `wanted` bytes; returns their number, and the error that came after them.
    fn fill_chunk(&mut self, wanted: usize) -> (usize, Result<(), ErrorKind>) {
        if wanted <= CHUNK_SIZE {
            self.chunk.resize(wanted, 0);
            self.source.fill(&mut self.chunk)
        } else {
            // Memory for a record larger than a chunk is allocated as its bytes arrive.
            self.chunk.clear();
            let result = self.source.append(&mut self.chunk, wanted as u64);
            (self.chunk.len(), result)
        }
    }

    /// Returns the size of a record in bytes; 0 if there are no records, because their size need not fit this machine.
    fn size_of_record(&self) -> Result<usize, ErrorKind> {
        Ok(match self.record_count {
            0 => 0,
            _ => to_usize(self.record_size)?,
        })
    }

    /// Goes to a record by reading all records before it.
    fn read_on(&mut self, index: u64) -> Result<(), ErrorKind> {
        let size = self.size_of_record()?;
        if size == 0 {
            self.next = index;
        }
        while self.next < index {
            if self.unread.len() < size {
                self.read_chunk(size)?;
            }
            let whole = self.unread.len() / size;
            let passed = usize::try_from(index - self.next).map_or(whole, |left| left.min(whole));
            self.unread.start += passed * size;
            self.next += passed as u64;
        }
        Ok(())
    }

    /// Goes to a record: in the chunk, by its position, or by reading all records before it.
    fn go_to(&mut self, index: u64) -> Result<(), ErrorKind> {
        if !self.source.can_seek() {
            return self.read_on(index);
        }
        let size = self.size_of_record()?;
        // Records of no bytes are in no chunk.
        let records_in = |bytes: usize| bytes.checked_div(size).unwrap_or(0) as u64;
        let chunk_start = self.next - records_in(self.unread.start);
        let chunk_end = chunk_start + records_in(self.unread.end);
        if (chunk_start..=chunk_end).contains(&index) && size > 0 && !self.failed {
            self.unread.start = to_usize(index - chunk_start)? * size;
            self.next = index;
            return Ok(());
        }
        let gap = index.checked_sub(chunk_end).map(|gap| gap * self.record_size);
        if gap.is_none_or(|gap| gap > SMALL_GAP) {
            self.chunk_size = FIRST_CHUNK;
        }
        self.seek(index)
    }

    /// Goes to a record that is not in the chunk, by its position.
    fn seek(&mut self, index: u64) -> Result<(), ErrorKind> {
        // This cannot overflow: the index is at most the number of records, and the payload fits in 64 bits.
        let payload_position = index * self.record_size;
        let position = self.start.saturating_add(payload_position);
        let reached = self.source.seek(position)?.unwrap_or(position);
        self.unread = 0..0;
        self.fault = None;
        self.failed = false;
        let found = reached.saturating_sub(self.start);
        if found < payload_position {
            self.next = found.checked_div(self.record_size).unwrap_or(0);
            let needed = self.payload_size;
            return Err(idx_core::ErrorKind::Truncated { needed, found }.into());
        }
        self.next = index;
        Ok(())
    }

    /// Returns the path of the file, if it has one.
    pub(super) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns an error of this file.
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind).at(self.path())
    }
}

/// Shows which records come next: those in memory would be long.
impl<R> fmt::Debug for RecordStream<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordStream")
            .field("next", &self.next)
            .field("end", &self.end)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl RecordStream<File> {
    /// Replaces these bytes with as many of the next records as their capacity holds, read on several threads; `false`
    /// if these records have to be read in order: they are few, small, or not in a plain file.
    pub(super) fn fill(&mut self, bytes: &mut Vec<u8>) -> bool {
        let size = usize::try_from(self.record_size).unwrap_or(usize::MAX);
        let room = bytes.capacity();
        let left = usize::try_from(self.end.saturating_sub(self.next)).unwrap_or(usize::MAX);
        let records = room.checked_div(size).unwrap_or(0).min(left);
        let whole = records.saturating_mul(size);
        let is_next = self.unread.is_empty()
            && self.source.position == self.start + self.next * self.record_size;
        let is_suited = size >= LARGE_RECORD && room <= MAX_AT_ONCE;
        if self.ended || !is_next || !is_suited || self.source.threads_for(whole) < 2 {
            return false;
        }
        // New memory, so that each thread is the first to touch what it reads. It keeps the capacity, for later calls.
        let Ok(mut read) = alloc::zeroed(room) else { return false };
        let is_read = read
            .get_mut(..whole)
            .is_some_and(|records| self.source.fill_in_parts(records, read_exact));
        if is_read {
            read.truncate(whole);
            *bytes = read;
            self.next += records as u64;
            // The records right before the next one are no longer those in the chunk.
            self.unread = 0..0;
        }
        is_read
    }

    /// Reads the bytes of any record, and leaves the stream as it is.
    pub(super) fn read_at(&self, index: u64) -> Result<Vec<u8>, Error> {
        let count = self.record_count;
        if index >= count {
            return Err(self.error(ErrorKind::IndexOutOfRange { record: index, count }));
        }
        let Some((file, file_start)) = self.source.file() else {
            return Err(self.error(self.cannot_seek(index)));
        };
        let truncated = |found: u64| {
            let needed = self.payload_size;
            let whole = found.checked_div(self.record_size).unwrap_or(0);
            self.error(idx_core::ErrorKind::Truncated { needed, found }.into()).with_records(whole)
        };
        // Checked before memory is allocated for bytes that may not exist.
        let position = index * self.record_size;
        let file_size = self.source.file_size().unwrap_or(0);
        let payload_found = file_size.saturating_sub(self.start);
        if payload_found < position + self.record_size {
            return Err(truncated(payload_found));
        }
        let read = || {
            let mut record = alloc::zeroed(to_usize(self.record_size)?)?;
            let offset = file_start + self.start + position;
            let (filled, result) = access::fill(&mut record, |rest, filled| {
                read_file_at(file, rest, offset + filled as u64)
            });
            result.map(|()| (record, filled))
        };
        match read() {
            Ok((record, filled)) if filled == record.len() => Ok(record),
            Ok((_, filled)) => Err(truncated(position + filled as u64)), // the file got shorter
            Err(kind) => Err(self.error(kind)),
        }
    }
}
