use std::path::{Path, PathBuf};

use super::step::Step;
use crate::error::{Error, ErrorKind};
use crate::record::{Facts, Record, RecordSource, Skipped};

/// What is wrong with a file that is opened again and has other records.
pub(super) const CHANGED: &str = "the file changed while it was read; convert it again";

type Open = Box<dyn Fn() -> Result<Box<dyn RecordSource>, Error> + Send>;

/// A file or folder, which may be closed until its records are read: the number of open files is limited.
pub(crate) struct Input {
    path: PathBuf,
    source: Option<Box<dyn RecordSource>>,
    /// Opens it again.
    open: Option<Open>,
    facts: Facts,
    /// The number of records that were read or skipped.
    next: u64,
    /// What was skipped before it was closed.
    skipped: Vec<Skipped>,
}

impl Input {
    pub(crate) fn new(path: &Path, source: Box<dyn RecordSource>, open: Option<Open>) -> Self {
        let facts = source.facts().clone();
        Self {
            path: path.to_path_buf(),
            source: Some(source),
            open,
            facts,
            next: 0,
            skipped: Vec::new(),
        }
    }

    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The file, if it can be opened again.
    pub(super) fn file(&self) -> Option<&Path> {
        self.open.is_some().then_some(&self.path)
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
            // Only what can be opened again is closed.
            (None, None) => return Err(self.error(ErrorKind::mismatch("the input was closed"))),
        };
        Ok(self.source.insert(source).as_mut())
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error::from(kind).with_path(&self.path)
    }

    /// Closes the file, and keeps what is known about it.
    fn release(&mut self) {
        let source = self.source.take();
        self.skipped.extend(source.iter().flat_map(|source| source.skipped()).cloned());
    }
}

impl Step for Input {
    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        record.label = None;
        if !self.source()?.read(record)? {
            self.release();
            return Ok(false);
        }
        record.index = self.next;
        self.next += 1;
        self.facts.expect(record).map_err(|kind| self.error(kind))?;
        Ok(true)
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let skipped = self.source()?.skip(records)?;
        self.next += skipped;
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
