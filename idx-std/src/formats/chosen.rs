use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use super::choice::Choice;
use super::class_names::ClassNames;
use super::error::{Error, ErrorKind};
use super::joined::JoinedSource;
use super::record::{Record, RecordFacts, RecordSource, Skipped};
use crate::words::counted;

impl JoinedSource {
    /// The records that are chosen. Classes are given by their labels or by these names.
    ///
    /// If records are chosen at random, all are read now and written to a temporary file without a name,
    /// because the source may be a stream; their labels and positions are in memory.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`] for a class without a label, and for labels where there are none; those of
    /// reading records.
    pub fn choose(self, choice: &Choice, names: Option<&ClassNames>) -> Result<Self, Error> {
        match choice.is_random() {
            true => {
                let [chosen, _] = self.divide(choice, names)?;
                Ok(chosen)
            }
            false => self.of_classes(choice, names),
        }
    }

    /// The records that are chosen, and those that chance leaves: of the classes that are taken, no record is in
    /// both, and each in one.
    ///
    /// ```
    /// use idx_std::formats::{Choice, RecordSource, SourceOptions, open};
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.idx");
    /// # idx_std::save(&path, &[10, 1], &[0_u8, 1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    ///
    /// let choice = Choice { part: Some("0.8".parse()?), ..Choice::default() };
    /// let records = open(&path, &SourceOptions::default())?;
    /// let [training, test] = records.divide(&choice, None)?;
    /// assert_eq!((training.count(), test.count()), (Some(8), Some(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`choose`](Self::choose).
    pub fn divide(self, choice: &Choice, names: Option<&ClassNames>) -> Result<[Self; 2], Error> {
        let path = self.path().to_path_buf();
        let spool = Rc::new(Spool::new(self.of_classes(choice, names)?)?);
        let source = |positions| {
            let source = SpooledSource::new(Rc::clone(&spool), positions);
            Self::new(&path, Box::new(source))
        };
        Ok(choice.positions(spool.count, &spool.labels).map(source))
    }

    /// The records of the classes that are chosen.
    fn of_classes(self, choice: &Choice, names: Option<&ClassNames>) -> Result<Self, Error> {
        if !choice.needs_labels() {
            return Ok(self);
        }
        if !self.has_labels() {
            let message = "these records have no labels to choose by; give their labels";
            return Err(self.error(ErrorKind::mismatch(message)));
        }
        let labels = |classes| Choice::labels(classes, names).map_err(|error| self.error(error));
        let classes = Classes {
            only: labels(&choice.only)?,
            except: labels(&choice.except)?,
            max: choice.per_class,
            seen: BTreeMap::new(),
        };
        let path = self.path().to_path_buf();
        let filtered = FilteredSource { facts: self.facts().of_count(None), source: self, classes };
        Ok(Self::new(path, Box::new(filtered)))
    }
}

/// The records of some classes.
struct FilteredSource {
    source: JoinedSource,
    facts: RecordFacts,
    classes: Classes,
}

struct Classes {
    only: BTreeSet<i128>,
    except: BTreeSet<i128>,
    /// The maximum number of records of each class.
    max: Option<u64>,
    /// The number of records of each class so far, taken or not.
    seen: BTreeMap<i128, u64>,
}

impl Classes {
    fn take(&mut self, label: Option<i128>) -> bool {
        let Some(label) = label else {
            return false;
        };
        let seen = self.seen.entry(label).or_default();
        *seen += 1;
        let is_only = self.only.is_empty() || self.only.contains(&label);
        let has_room = self.max.is_none_or(|max| *seen <= max);
        is_only && !self.except.contains(&label) && has_room
    }

    /// The error for records that were requested and do not exist.
    fn check(&self) -> Result<(), ErrorKind> {
        let mut asked = self.only.iter().chain(&self.except);
        if let Some(label) = asked.find(|label| !self.seen.contains_key(label)) {
            let message = format!("no record has the label {label}; choose labels that occur");
            return Err(ErrorKind::mismatch(message));
        }
        let is_wanted = |label: &i128| {
            (self.only.is_empty() || self.only.contains(label)) && !self.except.contains(label)
        };
        let mut wanted = self.seen.iter().filter(|(label, _)| is_wanted(label));
        let few = wanted.find(|(_, seen)| self.max.is_some_and(|max| **seen < max));
        match few {
            None => Ok(()),
            Some((label, seen)) => {
                let records = counted(*seen, "record");
                let message =
                    format!("label {label} has only {records}; take {seen} or fewer per class");
                Err(ErrorKind::mismatch(message))
            }
        }
    }
}

impl RecordSource for FilteredSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.source.skipped()
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        while self.source.read(record)? {
            if self.classes.take(record.label) {
                return Ok(true);
            }
        }
        let checked = self.classes.check();
        checked.map(|()| false).map_err(|error| self.source.error(error))
    }
}

/// All records of a source, in a temporary file.
struct Spool {
    source: JoinedSource,
    file: File,
    count: usize,
    /// Of all records, if they have labels.
    labels: Vec<Option<i128>>,
}

impl Spool {
    fn new(mut source: JoinedSource) -> Result<Self, Error> {
        // With labels, their number is that of the labels.
        if source.layout().record_size() == Some(0) && !source.has_labels() {
            let message = "records without elements are all the same, and there can be 2^64 of them; choose among \
                           records that have some";
            return Err(source.error(ErrorKind::unsupported(message)));
        }
        let file = tempfile::tempfile().map_err(spooled)?;
        let mut writer = BufWriter::new(file);
        let mut labels = Vec::new();
        let mut count = 0;
        let mut record = Record::default();
        while source.read(&mut record)? {
            writer.write_all(&record.bytes).map_err(spooled)?;
            if source.has_labels() {
                labels.push(record.label);
            }
            count += 1;
        }
        let file = writer.into_inner().map_err(|error| spooled(error.into_error()))?;
        Ok(Self { source, file, count, labels })
    }
}

/// That the temporary file cannot be written or read.
fn spooled(error: io::Error) -> Error {
    Error::from(ErrorKind::from(error)).with_path(std::env::temp_dir())
}

/// Records in another order.
struct SpooledSource {
    spool: Rc<Spool>,
    facts: RecordFacts,
    positions: Vec<usize>,
    next: usize,
}

impl SpooledSource {
    fn new(spool: Rc<Spool>, positions: Vec<usize>) -> Self {
        Self {
            facts: spool.source.facts().of_count(Some(positions.len() as u64)),
            spool,
            positions,
            next: 0,
        }
    }
}

impl RecordSource for SpooledSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.spool.source.skipped()
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(&position) = self.positions.get(self.next) else {
            return Ok(false);
        };
        self.next += 1;
        let size = self.layout().record_size().unwrap_or_default();
        record.bytes.resize(usize::try_from(size).unwrap_or_default(), 0);
        record.label = self.spool.labels.get(position).copied().flatten();
        let mut file = &self.spool.file;
        file.seek(SeekFrom::Start(size * position as u64))
            .and_then(|_| file.read_exact(&mut record.bytes))
            .map_err(spooled)?;
        Ok(true)
    }
}
