use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

use idx_core::ElementType;

use super::choice::Choice;
use super::class_names::ClassNames;
use super::error::{Error, ErrorKind};
use super::joined::JoinedSource;
use super::record::{Record, RecordLayout, RecordSource, Skipped};

impl JoinedSource {
    /// The records that are chosen. Classes are given by their labels or by these names.
    ///
    /// Records that are chosen by chance are all read now, and written to a temporary file without a name, as
    /// the source may be a stream; their labels and positions are in memory.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`] for a class without a label, and for labels where there are none; those of
    /// reading records.
    pub fn choose(self, choice: &Choice, names: Option<&ClassNames>) -> Result<Self, Error> {
        let path = self.path().to_path_buf();
        if choice.needs_labels() && !self.has_labels() {
            let message = "these records have no labels to choose by; give their labels";
            return Err(self.error(ErrorKind::mismatch(message)));
        }
        let mut chosen = self;
        if choice.needs_labels() {
            let labels =
                |classes| Choice::labels(classes, names).map_err(|error| chosen.error(error));
            let (only, except) = (labels(&choice.only)?, labels(&choice.except)?);
            let classes = Classes {
                only,
                except,
                max: choice.per_class,
                seen: BTreeMap::new(),
            };
            chosen = Self::new(
                &path,
                Box::new(FilteredSource {
                    source: chosen,
                    classes,
                }),
            );
        }
        if choice.is_random() {
            chosen = Self::new(&path, Box::new(SpooledSource::new(chosen, choice)?));
        }
        Ok(chosen)
    }
}

/// The records of some classes.
struct FilteredSource {
    source: JoinedSource,
    classes: Classes,
}

struct Classes {
    only: Vec<i128>,
    except: Vec<i128>,
    /// How many records of each may be taken.
    max: Option<u64>,
    /// How many records of each class were seen, whether taken or not.
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

    /// What was asked for, and was not there.
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
                let message = format!(
                    "label {label} has only {seen} records; take {seen} or fewer per class"
                );
                Err(ErrorKind::mismatch(message))
            }
        }
    }
}

impl RecordSource for FilteredSource {
    fn layout(&self) -> &RecordLayout {
        self.source.layout()
    }

    fn count(&self) -> Option<u64> {
        None
    }

    fn has_labels(&self) -> bool {
        self.source.has_labels()
    }

    fn label_type(&self) -> Option<ElementType> {
        self.source.label_type()
    }

    fn classes(&self) -> Option<&ClassNames> {
        self.source.classes()
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
        checked
            .map(|()| false)
            .map_err(|error| self.source.error(error))
    }
}

/// Records in another order, from a temporary file.
struct SpooledSource {
    source: JoinedSource,
    layout: RecordLayout,
    file: File,
    labels: Vec<Option<i128>>,
    positions: Vec<usize>,
    next: usize,
}

impl SpooledSource {
    fn new(mut source: JoinedSource, choice: &Choice) -> Result<Self, Error> {
        let spooled = |error: io::Error| {
            let kind: ErrorKind = error.into();
            Error::from(kind).with_path(std::env::temp_dir())
        };
        let file = tempfile::tempfile().map_err(spooled)?;
        let mut writer = BufWriter::new(file);
        let mut labels = Vec::new();
        let mut record = Record::default();
        while source.read(&mut record)? {
            writer.write_all(&record.bytes).map_err(spooled)?;
            labels.push(record.label);
        }
        let file = writer
            .into_inner()
            .map_err(|error| spooled(error.into_error()))?;
        let positions = choice.positions(&labels);
        let shape = source.layout().record_shape();
        let count = Some(positions.len() as u64);
        Ok(Self {
            layout: RecordLayout::of_records(source.layout().dtype, count, shape),
            source,
            file,
            labels,
            positions,
            next: 0,
        })
    }
}

impl RecordSource for SpooledSource {
    fn layout(&self) -> &RecordLayout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        Some(self.positions.len() as u64)
    }

    fn has_labels(&self) -> bool {
        self.source.has_labels()
    }

    fn label_type(&self) -> Option<ElementType> {
        self.source.label_type()
    }

    fn classes(&self) -> Option<&ClassNames> {
        self.source.classes()
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.source.skipped()
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(&position) = self.positions.get(self.next) else {
            return Ok(false);
        };
        self.next += 1;
        let size = self.layout.record_size().unwrap_or_default();
        record
            .bytes
            .resize(usize::try_from(size).unwrap_or_default(), 0);
        record.label = self.labels.get(position).copied().flatten();
        let start = SeekFrom::Start(size * position as u64);
        let read = self
            .file
            .seek(start)
            .and_then(|_| self.file.read_exact(&mut record.bytes));
        read.map_err(|error| Error::from(ErrorKind::from(error)).with_path(std::env::temp_dir()))?;
        Ok(true)
    }
}
