use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use idx_core::ElementType;

use super::error::{At, Error};
use super::record::{Record, RecordLayout, RecordSink, RecordSource};
use crate::dyn_reader::DynReader;
use crate::dyn_writer::{DynWriter, WriteOptions};

/// A file of IDX, plain or gzip.
pub(super) struct IdxSource<R: Read> {
    reader: DynReader<R>,
    /// Passes over these records, of which the first comes next.
    skip: fn(&mut DynReader<R>, Range<u64>) -> Result<(), crate::Error>,
    next: u64,
    count: u64,
    path: PathBuf,
    layout: RecordLayout,
}

impl IdxSource<File> {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let reader = DynReader::open(path).at(path)?;
        Ok(Self::new(path, reader, |reader, records| {
            reader.skip_to(records.end)
        }))
    }
}

impl IdxSource<Box<dyn Read>> {
    pub(super) fn stream(path: &Path, read: Box<dyn Read>) -> Result<Self, Error> {
        let reader = DynReader::new(read).at(path)?;
        Ok(Self::new(path, reader, |reader, mut records| {
            records.try_for_each(|_| reader.next_record().map_or(Ok(()), |read| read.map(|_| ())))
        }))
    }
}

impl<R: Read> IdxSource<R> {
    fn new(
        path: &Path,
        reader: DynReader<R>,
        skip: fn(&mut DynReader<R>, Range<u64>) -> Result<(), crate::Error>,
    ) -> Self {
        let header = reader.header();
        let dims: Vec<u32> = header.dims().iter().collect();
        Self {
            layout: RecordLayout::new(header.element_type(), &dims),
            count: header.record_count().into(),
            reader,
            skip,
            next: 0,
            path: path.to_path_buf(),
        }
    }
}

impl<R: Read> RecordSource for IdxSource<R> {
    fn layout(&self) -> &RecordLayout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        Some(self.count)
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let skipped = records.min(self.count - self.next);
        let end = self.next + skipped;
        (self.skip)(&mut self.reader, self.next..end).at(&self.path)?;
        self.next = end;
        Ok(skipped)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(bytes) = self.reader.next_record().transpose().at(&self.path)? else {
            return Ok(false);
        };
        record.bytes.clear();
        record.bytes.extend_from_slice(bytes);
        self.next += 1;
        Ok(true)
    }
}

/// Starts a file of IDX.
pub(super) fn create(
    path: &Path,
    element_type: ElementType,
    layout: &RecordLayout,
    gzip: bool,
) -> Result<DynWriter, crate::Error> {
    let options = WriteOptions::new().gzip(gzip);
    match layout.shape_if_ranked() {
        Some(shape) => DynWriter::create_with(path, element_type, shape, options),
        None => DynWriter::scalar_with(path, element_type, options),
    }
}

impl RecordSink for DynWriter {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        Ok(self.push_bytes(&record.bytes)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        Self::finish(*self)?;
        Ok(())
    }
}
