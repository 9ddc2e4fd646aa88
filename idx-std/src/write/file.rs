//! Writes records as bytes in any format: buffered, counted, and with the header last.

#![allow(
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "public only to idx-data"
)]

use std::fmt;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use idx_core::IdxRecord;

use crate::atomic::{AtomicFile, Staged};
use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::{CHUNK_SIZE, alloc, to_usize};
use crate::wide;
use crate::write::gzip::GzipOptions;
use crate::write::in_place::InPlace;
use crate::write::sink::Sink;

/// The preliminary header of a file, the size of its records, and their maximum number.
#[derive(Debug)]
pub struct FileLayout {
    /// The header until the file is finished: as long as the final one, and rejected by every reader.
    pub header: Vec<u8>,
    /// The size of a record in bytes.
    pub record_size: u64,
    /// The maximum number of records.
    pub max_records: u64,
}

impl FileLayout {
    pub(super) fn of(header: &HeaderBuf) -> Self {
        Self {
            header: header.to_unfinished_bytes(),
            record_size: header.payload_size(), // of one record
            max_records: if header.dims().is_empty() { 1 } else { u32::MAX.into() },
        }
    }
}

/// Writes records of equal size to a file of any format, and its header last.
pub struct RecordFile<W: Write> {
    sink: Sink<W>,
    record_size: usize,
    record_count: u64,
    max_records: u64,
    /// Memory for records.
    buffer: Vec<u8>,
    /// The number of bytes at the start of `buffer` that are not in the sink yet. They can begin in the middle of a
    /// record.
    filled: usize,
    /// True if a write failed, so that the file cannot be finished.
    failed: bool,
    target: Option<AtomicFile>,
    path: Option<PathBuf>,
}

/// Shows the number of records: those in memory would be long.
impl<W: Write> fmt::Debug for RecordFile<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordFile")
            .field("record_count", &self.record_count)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

impl RecordFile<File> {
    /// Starts a file that appears under its name when it is finished.
    pub fn create(
        target: AtomicFile,
        layout: &FileLayout,
        gzip: Option<GzipOptions>,
    ) -> Result<Self, ErrorKind> {
        let file = Self::start(target.file()?, layout, gzip)?;
        let path = target.path().to_path_buf();
        Ok(Self { path: Some(path), target: Some(target), ..file })
    }

    /// Continues a complete file of `record_count` records.
    pub(super) fn append(
        path: &Path,
        file: InPlace<File>,
        layout: &FileLayout,
        record_count: u64,
    ) -> Result<Self, ErrorKind> {
        Ok(Self {
            record_count,
            path: Some(path.to_path_buf()),
            ..Self::with_sink(Sink::InPlace(file), layout)?
        })
    }
}

impl<W: Write + Seek> RecordFile<W> {
    /// Starts a file in a sink, at its current position.
    pub fn start(
        sink: W,
        layout: &FileLayout,
        gzip: Option<GzipOptions>,
    ) -> Result<Self, ErrorKind> {
        // Before anything is written.
        to_usize(layout.record_size)?;
        Self::with_sink(Sink::new(sink, &layout.header, gzip)?, layout)
    }

    fn with_sink(sink: Sink<W>, layout: &FileLayout) -> Result<Self, ErrorKind> {
        Ok(Self {
            sink,
            record_size: to_usize(layout.record_size)?,
            record_count: 0,
            max_records: layout.max_records,
            buffer: Vec::new(),
            filled: 0,
            failed: false,
            target: None,
            path: None,
        })
    }

    /// Returns the number of records so far.
    pub fn record_count(&self) -> u64 {
        self.record_count
    }

    /// Returns the header of an IDX file with these records.
    pub fn header(&self, header: &HeaderBuf) -> HeaderBuf {
        let count = u32::try_from(self.record_count);
        debug_assert!(count.is_ok(), "an IDX file counts with 32 bits");
        header.with_record_count(count.unwrap_or(u32::MAX))
    }

    /// Appends whole records, at least one; `order` puts their bytes into the order of the file.
    pub fn push_bytes(
        &mut self,
        records: &[u8],
        order: impl FnOnce(&mut [u8]),
    ) -> Result<(), Error> {
        let (size, found) = (self.record_size, records.len());
        let count = found.checked_div(size).unwrap_or(0).max(1);
        if found != size * count {
            return Err(self.error(ErrorKind::record_size(size as u64, found)));
        }
        self.push_with(count, |bytes| {
            bytes.copy_from_slice(records);
            order(bytes);
            Some(())
        })
        .map(|_| ())
    }

    /// Appends `records` records; `write` fills in their bytes. If it returns `None`, nothing is appended.
    #[inline]
    pub fn push_with(
        &mut self,
        records: usize,
        write: impl FnOnce(&mut [u8]) -> Option<()>,
    ) -> Result<Option<()>, Error> {
        let size = records * self.record_size;
        let max = self.max_records - self.record_count;
        let room = self.buffer.get_mut(self.filled..).unwrap_or_default();
        let bytes = match room.get_mut(..size) {
            Some(bytes) if records as u64 <= max => bytes,
            _ => self.make_room(records, size)?,
        };
        let written = write(bytes);
        if written.is_some() {
            self.filled += size;
            self.record_count += records as u64;
        }
        Ok(written)
    }

    /// Appends records of `per_record` values each, many at a time. If one is rejected, the records before it
    /// are appended.
    pub(super) fn push_slice<T: IdxRecord>(
        &mut self,
        values: &[T],
        per_record: usize,
    ) -> Result<(), Error> {
        for chunk in values.chunks(self.records_at_a_time() * per_record) {
            let encode = |bytes: &mut [u8]| wide::encode(chunk, bytes);
            let records = chunk.len() / per_record;
            // There may be room for only some of them.
            let has_room = records as u64 <= self.max_records - self.record_count;
            if !has_room || self.push_with(records, encode)?.is_none() {
                // One of them is rejected; those before it are not.
                for record in chunk.chunks(per_record) {
                    self.push_values(record)?;
                }
            }
        }
        Ok(())
    }

    /// Appends one record, given as its values.
    #[inline]
    pub(super) fn push_values<T: IdxRecord>(&mut self, values: &[T]) -> Result<(), Error> {
        let mut violation = None;
        let pushed = self.push_with(1, |bytes| {
            let encoded = wide::encode(values, bytes);
            if encoded.is_none() {
                // The constraint applies to the bytes of the record.
                violation = T::CONSTRAINT.first_violation(T::ELEMENT, bytes);
            }
            encoded
        })?;
        match pushed {
            Some(()) => Ok(()),
            None => Err(self.value_not_allowed(violation)),
        }
    }

    pub(super) fn record_size(&self) -> usize {
        self.record_size
    }

    /// Returns the best number of records to push at a time.
    fn records_at_a_time(&self) -> usize {
        let records = CHUNK_SIZE.checked_div(self.record_size);
        records.unwrap_or(CHUNK_SIZE).max(1)
    }

    /// Writes buffered bytes, and returns room for `records` records.
    // A function of its own, so that `push` is small enough to be inlined.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, records: usize, size: usize) -> Result<&mut [u8], Error> {
        if self.max_records - self.record_count < records as u64 {
            return Err(self.error(ErrorKind::TooManyRecords { max: self.max_records }));
        }
        let unaligned = self.sink.unaligned(self.filled);
        self.flush(unaligned).map_err(|kind| self.error(kind))?;
        // Enough to reach the next aligned position, or to write at least a chunk.
        let enough = size.saturating_add(self.sink.alignment() - 1);
        let room = enough.max(CHUNK_SIZE);
        if self.buffer.is_empty() {
            // The system has zeros at hand, and a short file never touches most of them.
            self.buffer = vec![0; CHUNK_SIZE];
        }
        let more = room.saturating_sub(self.buffer.len());
        // A header may claim records of any size.
        alloc::reserve(&mut self.buffer, more).map_err(|kind| self.error(kind))?;
        self.buffer.resize(room, 0);
        let bytes = self.buffer.get_mut(self.filled..self.filled + size);
        debug_assert!(bytes.is_some(), "the buffer was made large enough");
        Ok(bytes.unwrap_or_default())
    }

    /// Returns the error for the first value of the next record that its type does not allow, given its position and
    /// the value.
    #[cold]
    #[inline(never)]
    pub(super) fn value_not_allowed(&self, violation: Option<(usize, i64)>) -> Error {
        debug_assert!(violation.is_some(), "only a value rule makes `encode` fail");
        let value = violation.map_or(0, |(_, value)| value);
        let record = self.record_count;
        self.error(idx_core::ErrorKind::ValueNotAllowed { record, value }.into())
    }

    /// Writes the buffered bytes to the sink, except the last `kept`.
    fn flush(&mut self, kept: usize) -> Result<(), ErrorKind> {
        if self.failed {
            return Err(ErrorKind::FailedEarlier);
        }
        let bytes = self.buffer.get(..self.filled - kept).unwrap_or_default();
        let target = self.target.as_mut();
        let written = target
            .map_or(Ok(()), |target| target.before_write(bytes.len()))
            .map_err(ErrorKind::from)
            .and_then(|()| self.sink.write(bytes, self.record_count));
        if written.is_err() {
            self.failed = true;
            // Without a buffer the next `push` comes here as well, and gets an error.
            self.buffer = Vec::new();
            self.filled = 0;
        } else {
            self.buffer.copy_within(self.filled - kept..self.filled, 0);
            self.filled = kept;
        }
        written
    }

    /// Writes the buffered records of a file that grows in place, and counts them in its header.
    pub(super) fn commit(&mut self) -> Result<(), Error> {
        let committed = match self.sink {
            Sink::InPlace(_) => self.flush(0),
            _ => Err(ErrorKind::CannotCommit),
        };
        committed.map_err(|kind| self.error(kind))
    }

    /// Writes the final header, and makes the file appear under its name.
    pub fn finish(self, header: &[u8]) -> Result<W, Error> {
        let (sink, staged) = self.stage(header)?;
        staged.map_or(Ok(()), Staged::commit)?;
        Ok(sink)
    }

    /// Writes the final header; the file gets its name when it is committed, if it has one.
    pub fn stage(mut self, header: &[u8]) -> Result<(W, Option<Staged>), Error> {
        let path = self.path.take();
        let completed = self.complete(header);
        let (sink, target) = completed.map_err(|kind| Error::from(kind).at(path.as_deref()))?;
        Ok((sink, target.map(AtomicFile::stage).transpose()?))
    }

    fn complete(mut self, header: &[u8]) -> Result<(W, Option<AtomicFile>), ErrorKind> {
        self.flush(0)?;
        if self.max_records == 1 && self.record_count == 0 {
            return Err(ErrorKind::WrongLength {
                of: "the file",
                unit: "element",
                expected: 1,
                found: 0,
            });
        }
        Ok((self.sink.finish(header)?, self.target))
    }

    /// Returns an error of this file.
    #[cold]
    pub fn error(&self, kind: ErrorKind) -> Error {
        let error = Error::from(kind).with_records(self.record_count);
        error.at(self.path.as_deref())
    }
}
