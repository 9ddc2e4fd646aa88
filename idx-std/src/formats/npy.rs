use std::io::Read;
use std::path::{Path, PathBuf};

use super::error::{At, Error, ErrorKind};
use super::options::SourceOptions;
use super::record::{Record, RecordFacts, RecordLayout, RecordSink, RecordSource};
use crate::io::Staged;
use crate::npy::{Reader, Writer};

/// An array of NumPy.
pub(super) struct NpySource {
    reader: Reader<Box<dyn Read>>,
    path: PathBuf,
    facts: RecordFacts,
}

impl NpySource {
    pub(super) fn open(
        path: &Path,
        read: Box<dyn Read>,
        options: &SourceOptions,
    ) -> Result<Self, Error> {
        let reader = Reader::new(read).at(path)?;
        let mut limit = options.record_limit;
        if reader.header().fortran_order
            && let Ok(metadata) = path.metadata()
        {
            limit = limit.max(metadata.len());
        }
        let reader = reader.record_limit(limit).at(path)?;
        let header = reader.header();
        let sizes = header.record_shape().iter().copied().map(u32::try_from);
        let shape: Vec<u32> = sizes.collect::<Result<_, _>>().map_err(|_| {
            let message = "a size of the records exceeds the 32 bits of IDX; split the array";
            Error::from(ErrorKind::unsupported(message)).with_path(path)
        })?;
        let layout = match header.shape.first() {
            Some(count) => RecordLayout::of_records(header.dtype, Some(*count), &shape),
            None => RecordLayout::new(header.dtype, &[]),
        };
        Ok(Self {
            facts: RecordFacts::new(layout, Some(header.record_count())),
            path: path.to_path_buf(),
            reader,
        })
    }
}

impl RecordSource for NpySource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        self.reader.skip(records).at(&self.path)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(bytes) = self.reader.next_record().transpose().at(&self.path)? else {
            return Ok(false);
        };
        record.set_bytes(bytes);
        Ok(true)
    }
}

impl RecordSink for Writer {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        Ok(self.push_bytes(&record.bytes)?)
    }

    fn push_empty(&mut self, records: u64) -> Result<(), Error> {
        Ok(Self::push_empty(self, records)?)
    }

    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error> {
        Ok(Self::stage(*self)?)
    }
}
