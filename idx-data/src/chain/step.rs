//! The trait of all steps, and joined inputs.

use std::path::Path;
use std::sync::Arc;

use crate::chain::label_numbers::Labels;
use crate::error::{Error, ErrorKind};
use crate::record::{Change, Record, Skipped, skip_by_reading};
use idx_std::__private::counted;

/// Appends the label of a record if one was read, and returns the number of records.
pub(crate) fn with_label(is_read: bool, record: &Record, labels: &mut Vec<i128>) -> u64 {
    labels.extend(record.label.filter(|_| is_read));
    is_read.into()
}

/// An origin of records: an input, or a step that works on the records of earlier steps.
pub(super) trait Step: Send {
    /// Reads the next record with its label. Returns `false` after the last one, when the end is checked.
    fn read(&mut self, record: &mut Record) -> Result<bool, Error>;

    /// Reads as many of the next records as are available at once, appends their labels, and returns their number.
    fn read_many(&mut self, records: &mut Record, labels: &mut Vec<i128>) -> Result<u64, Error> {
        Ok(with_label(self.read(records)?, records, labels))
    }

    /// Skips the next `records` records, or the remaining ones if there are fewer. Returns their number.
    fn skip(&mut self, records: u64) -> Result<u64, Error>;

    /// Returns the labels of the remaining records, in order, if they can be known before the records are read.
    fn labels(&mut self) -> Result<Option<Arc<Labels>>, Error> {
        Ok(None)
    }

    /// Returns the input of the last record read, or of the first record.
    fn path(&self) -> &Path;

    /// Returns the files and records that were left out so far.
    fn skipped(&self) -> Vec<&Skipped>;

    /// Closes files that were not read yet and can be opened again.
    fn close(&mut self);
}

/// The records of several steps, one after the other.
pub(super) struct Joined {
    steps: Vec<Box<dyn Step>>,
    current: usize,
}

impl Joined {
    pub(super) fn one(step: impl Step + 'static) -> Self {
        Self { steps: vec![Box::new(step)], current: 0 }
    }

    /// Appends the records of another.
    pub(super) fn append(&mut self, mut other: Self) {
        other.close();
        self.steps.append(&mut other.steps.split_off(other.current));
    }

    pub(super) fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        let kind: ErrorKind = kind.into();
        Error::from(kind).with_path(self.path())
    }

    /// Reads from the first step that has more: a record or, with a list for labels, as many as are available at once.
    /// Returns their number.
    pub(super) fn read_some(
        &mut self,
        records: &mut Record,
        mut labels: Option<&mut Vec<i128>>,
    ) -> Result<u64, Error> {
        let mut left_out = 0;
        while let Some(step) = self.steps.get_mut(self.current) {
            // Only the records that this step leaves out now count.
            records.left_out = 0;
            let count = match &mut labels {
                Some(labels) => step.read_many(records, labels)?,
                None => step.read(records)?.into(),
            };
            left_out += records.left_out;
            records.left_out = left_out;
            if count > 0 {
                return Ok(count);
            }
            self.current += 1;
        }
        Ok(0)
    }
}

impl Step for Joined {
    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        Ok(self.read_some(record, None)? > 0)
    }

    fn read_many(&mut self, records: &mut Record, labels: &mut Vec<i128>) -> Result<u64, Error> {
        self.read_some(records, Some(labels))
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let mut skipped = 0;
        let mut record = Record::default();
        while let Some(step) = self.steps.get_mut(self.current) {
            skipped += step.skip(records - skipped)?;
            // Reading on checks the end of an input before the next one.
            if skipped == records || !self.read(&mut record)? {
                break;
            }
            skipped += 1;
        }
        Ok(skipped)
    }

    fn labels(&mut self) -> Result<Option<Arc<Labels>>, Error> {
        match self.steps.get_mut(self.current..) {
            Some([step]) => step.labels(),
            _ => Ok(None),
        }
    }

    fn path(&self) -> &Path {
        let step = self.steps.get(self.current).or(self.steps.last());
        debug_assert!(step.is_some(), "there is at least one");
        step.map_or(Path::new(""), |step| step.path())
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.steps.iter().flat_map(|step| step.skipped()).collect()
    }

    fn close(&mut self) {
        self.steps.iter_mut().for_each(|step| step.close());
    }
}

/// A change to the records of earlier steps.
pub(super) trait Adapter: Send {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error>;

    /// See [`Step::read_many`].
    fn read_many(
        &mut self,
        before: &mut Joined,
        records: &mut Record,
        labels: &mut Vec<i128>,
    ) -> Result<u64, Error> {
        Ok(with_label(self.read(before, records)?, records, labels))
    }

    /// Skips records, and returns their number; `None` if they must be read to know which ones to skip.
    fn skip(&mut self, _before: &mut Joined, _records: u64) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    /// Returns the files and records that it left out so far.
    fn skipped(&self) -> &[Skipped] {
        &[]
    }

    /// Returns the labels, if they come from this step or are not changed by it.
    fn labels(&mut self, _before: &mut Joined) -> Result<Option<Arc<Labels>>, Error> {
        Ok(None)
    }

    /// Closes its own files that were not read yet.
    fn close(&mut self) {}
}

/// Earlier steps, and the adapter for their records.
pub(super) struct Then {
    pub(super) before: Joined,
    pub(super) adapter: Box<dyn Adapter>,
}

impl Step for Then {
    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        self.adapter.read(&mut self.before, record)
    }

    fn read_many(&mut self, records: &mut Record, labels: &mut Vec<i128>) -> Result<u64, Error> {
        self.adapter.read_many(&mut self.before, records, labels)
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        match self.adapter.skip(&mut self.before, records)? {
            Some(skipped) => Ok(skipped),
            None => skip_by_reading(records, |record| self.read(record)),
        }
    }

    fn labels(&mut self) -> Result<Option<Arc<Labels>>, Error> {
        self.adapter.labels(&mut self.before)
    }

    fn path(&self) -> &Path {
        self.before.path()
    }

    fn skipped(&self) -> Vec<&Skipped> {
        let mut skipped = self.before.skipped();
        skipped.extend(self.adapter.skipped());
        skipped
    }

    fn close(&mut self) {
        self.before.close();
        self.adapter.close();
    }
}

/// The maximum number of records to leave out: each takes some memory, although it may have only one byte.
const MAX_LEFT_OUT: usize = 1 << 16;

/// Changes each record.
pub(super) struct Map {
    pub(super) change: Change,
    /// True if it can change several records at a time.
    pub(super) takes_many: bool,
    /// The records left out because they cannot be changed; `None` if such a record is an error.
    pub(super) skipped: Option<Vec<Skipped>>,
    /// True if a record was changed.
    pub(super) has_changed: bool,
}

impl Map {
    pub(super) fn each(change: Change) -> Self {
        Self { change, takes_many: false, skipped: None, has_changed: false }
    }

    fn end(&self, before: &Joined) -> Result<(), Error> {
        let skipped = self.skipped.as_ref().map_or(0, Vec::len);
        if self.has_changed || skipped == 0 {
            return Ok(());
        }
        let records = counted(skipped as u64, "record");
        let message = format!("none of {records} can be changed; to see why, skip none");
        Err(before.error(ErrorKind::malformed(message)))
    }
}

impl Adapter for Map {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        let mut left_out = 0;
        loop {
            let is_read = before.read(record)?;
            left_out += record.left_out;
            record.left_out = left_out;
            if !is_read {
                return self.end(before).map(|()| false);
            }
            let Err(kind) = (self.change)(record) else {
                self.has_changed = true;
                return Ok(true);
            };
            let error = before.error(kind).with_position(record.index);
            match &mut self.skipped {
                Some(skipped) if skipped.len() < MAX_LEFT_OUT => {
                    skipped.push(Skipped::new(before.path().to_path_buf(), error.sentence()));
                    left_out += 1;
                }
                _ => return Err(error),
            }
        }
    }

    fn read_many(
        &mut self,
        before: &mut Joined,
        records: &mut Record,
        labels: &mut Vec<i128>,
    ) -> Result<u64, Error> {
        if !self.takes_many {
            return Ok(with_label(self.read(before, records)?, records, labels));
        }
        let count = before.read_many(records, labels)?;
        if count > 0 {
            let changed = (self.change)(records);
            changed.map_err(|kind| before.error(kind).with_position(records.index))?;
        }
        Ok(count)
    }

    fn skip(&mut self, before: &mut Joined, records: u64) -> Result<Option<u64>, Error> {
        match self.skipped {
            Some(_) => Ok(None),
            None => before.skip(records).map(Some),
        }
    }

    fn skipped(&self) -> &[Skipped] {
        self.skipped.as_deref().unwrap_or_default()
    }
}
