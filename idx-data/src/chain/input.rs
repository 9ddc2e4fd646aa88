//! An input that can be closed until its records are read, and must not change until then.

use std::path::{Path, PathBuf};

use crate::chain::step::{Step, with_label};
use crate::error::{Error, ErrorKind};
use crate::record::{Facts, LeftOut, Record, RecordSource, Skipped, skip_by_reading};
use idx_std::__private::counted;

/// The message for a file that has other records when it is opened again.
pub(crate) const CHANGED: &str = "the file changed while it was read; convert it again";

type Open = Box<dyn Fn() -> Result<Box<dyn RecordSource>, Error> + Send>;

/// A file or folder. It may be closed until its records are read, because the number of open files is limited.
pub(crate) struct Input {
    path: PathBuf,
    source: Option<Box<dyn RecordSource>>,
    /// Opens it again.
    open: Option<Open>,
    pub(super) facts: Facts,
    /// The size of each record in bytes.
    record_size: Option<u64>,
    /// The index of the first record.
    first: u64,
    /// The number of records that were read or skipped.
    next: u64,
    /// The number of records that the source left out. These count in the index of a record.
    left_out: u64,
    /// The records left out before it was closed.
    skipped: Vec<Skipped>,
}

impl Input {
    pub(crate) fn new(path: &Path, source: Box<dyn RecordSource>, open: Option<Open>) -> Self {
        let facts = source.facts().clone();
        let record_size = facts.layout.record_size();
        Self {
            path: path.to_path_buf(),
            source: Some(source),
            open,
            facts,
            record_size,
            first: 0,
            next: 0,
            left_out: 0,
            skipped: Vec::new(),
        }
    }

    /// Gives the first record this index.
    pub(crate) fn from(self, first: u64) -> Self {
        Self { first, ..self }
    }

    fn source(&mut self) -> Result<&mut dyn RecordSource, Error> {
        let source = match (self.source.take(), &self.open) {
            (Some(source), _) => source,
            (None, Some(open)) => {
                let source = open()?;
                if *source.facts() != self.facts {
                    return Err(self.error(ErrorKind::mismatch(CHANGED)));
                }
                source
            }
            // Only an input that can be opened again is closed.
            (None, None) => return Err(self.error(ErrorKind::mismatch("the input was closed"))),
        };
        Ok(self.source.insert(source).as_mut())
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind).with_path(&self.path)
    }

    /// Adds the path to an error of the source, if it has none.
    fn located(&self, error: Error) -> Error {
        match error.path() {
            Some(_) => error,
            None => error.with_path(&self.path),
        }
    }

    /// Checks that the caller's own source has as many records as it says, and skipped no more than it was asked to.
    fn expect_count(&self, is_over: bool, skipped: u64, asked: u64) -> Result<(), Error> {
        let found = self.next;
        let message = match self.facts.count {
            _ if skipped > asked => {
                format!(
                    "the source skipped {}, but was asked to skip {asked}",
                    counted(skipped, "record")
                )
            }
            Some(count) if found > count || (is_over && found < count) => {
                let found = counted(found, "record");
                format!("the source has {found}, but its facts say {count}")
            }
            _ => return Ok(()),
        };
        // An input that can be opened again is a file, not the caller's own source.
        let message = match self.open {
            Some(_) => CHANGED.to_string(),
            None => format!("{message}; correct the source"),
        };
        Err(self.error(ErrorKind::mismatch(message)))
    }

    /// Reads the next record or, if `one` gives the size of a record, as many as are available at once. Returns their
    /// number.
    fn read_some(&mut self, records: &mut Record, one: Option<u64>) -> Result<u64, Error> {
        (records.label, records.left_out) = (None, 0);
        let source = self.source()?;
        let read = if one.is_some() { source.read_many(records) } else { source.read(records) };
        let is_read = read.map_err(|error| self.located(error))?;
        let size = records.bytes.len() as u64;
        let count = if is_read { one.map_or(1, |one| (size / one).max(1)) } else { 0 };
        self.next += count;
        self.expect_count(!is_read, 0, 0)?;
        if !is_read {
            self.release();
            return Ok(0);
        }
        self.left_out += records.left_out;
        records.index = self.first + self.next - count + self.left_out;
        let expected = self.record_size.and_then(|size| size.checked_mul(count));
        let checked = self.facts.expect_record(records, expected, "source");
        checked.map(|()| count).map_err(|kind| self.error(kind))
    }

    /// Closes the file, and keeps what it has left out.
    fn release(&mut self) {
        let source = self.source.take();
        self.skipped.extend(source.iter().flat_map(|source| source.skipped()).cloned());
    }
}

impl Step for Input {
    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        Ok(self.read_some(record, None)? > 0)
    }

    fn read_many(&mut self, records: &mut Record, labels: &mut Vec<i128>) -> Result<u64, Error> {
        match self.record_size {
            Some(1..) if !self.facts.has_labels => self.read_some(records, self.record_size),
            _ => Ok(with_label(self.read(records)?, records, labels)),
        }
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        if self.facts.left_out != LeftOut::None {
            return skip_by_reading(records, |record| self.read(record));
        }
        let skipped = self.source()?.skip(records).map_err(|error| self.located(error))?;
        self.next = self.next.saturating_add(skipped);
        self.expect_count(false, skipped, records)?;
        Ok(skipped)
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn skipped(&self) -> Vec<&Skipped> {
        let source = self.source.iter().flat_map(|source| source.skipped());
        self.skipped.iter().chain(source).collect()
    }

    fn close(&mut self) {
        if self.next == 0 && self.open.is_some() {
            self.release();
        }
    }
}
