//! IDX files as a source of records.

use std::any::Any;
use std::fs::File;
use std::io::Read;

use crate::error::Error;
use crate::formats::RecordSink;
use crate::known::file::KnownFile;
use crate::record::options::RECORD_LIMIT;
use crate::record::{Facts, Record, RecordLayout, RecordSource};
use idx_std::__private::Staged;
use idx_std::{Reader, Writer};

/// An IDX file, plain or gzip.
pub(crate) struct IdxSource<R: Read + Send> {
    reader: Reader<R>,
    facts: Facts,
}

impl<R: Read + Send> IdxSource<R> {
    pub(crate) fn new(reader: Reader<R>, known: Option<KnownFile>) -> Result<Self, Error> {
        let header = reader.header();
        // A file too short for the large record that it claims is truncated, not over the limit.
        if header.record_size().is_none_or(|size| size > RECORD_LIMIT) {
            reader.check_length()?;
        }
        let layout = RecordLayout::new(header.element_type(), header.dims());
        let facts = Facts::new(layout, Some(header.record_count().into()));
        Ok(Self { facts: Facts { known, ..facts }, reader })
    }
}

impl<R: Read + Send + 'static> RecordSource for IdxSource<R> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        Ok(self.reader.skip(records)?)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(bytes) = self.reader.next_record().transpose()? else {
            return Ok(false);
        };
        record.set_bytes(bytes);
        Ok(true)
    }

    fn read_many(&mut self, records: &mut Record) -> Result<bool, Error> {
        let file = (&mut self.reader as &mut dyn Any).downcast_mut::<Reader<File>>();
        if file.is_some_and(|file| file.fill(&mut records.bytes)) {
            return Ok(true);
        }
        let Some(bytes) = self.reader.next_records().transpose()? else {
            return Ok(false);
        };
        records.set_bytes(bytes);
        Ok(true)
    }
}

impl RecordSink for Writer {
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        let pushed = match count {
            1 => self.push_bytes(&records.bytes),
            _ => self.push_records(&records.bytes),
        };
        Ok(pushed?)
    }

    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error> {
        Ok(Self::stage(*self)?)
    }
}
