use std::collections::VecDeque;
use std::fmt;
use std::ops::{Bound, Range, RangeBounds};
use std::path::{Path, PathBuf};

use super::error::{Error, ErrorKind, Position};
use super::labels::LabelColumn;
use super::record::{Record, RecordFacts, RecordLayout, RecordSource, Skipped};
use super::selection::RecordSelection;
use crate::words::counted;

/// One input, or several of the same type and shape joined, with their own labels or those of another file.
///
/// [`open`](super::open) makes it. Records are numbered from 0 through all inputs.
pub struct JoinedSource {
    inputs: Vec<(PathBuf, Box<dyn RecordSource>)>,
    /// The facts about all inputs together.
    facts: RecordFacts,
    labels: Option<LabelColumn>,
    /// The next record, and the first one after the selection.
    next: u64,
    end: Option<u64>,
    /// The ranges after the current one.
    later: VecDeque<Range<u64>>,
    /// The number of records that must exist, if their number is not known.
    required: u64,
    /// The current input, and the number of records read from it.
    current: usize,
    position: u64,
}

impl fmt::Debug for JoinedSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<&PathBuf> = self.inputs.iter().map(|(path, _)| path).collect();
        f.debug_struct("JoinedSource")
            .field("inputs", &paths)
            .field("layout", self.layout())
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

impl JoinedSource {
    /// A single source.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, source: Box<dyn RecordSource>) -> Self {
        let facts = source.facts().clone();
        Self::of(vec![(path.into(), source)], facts)
    }

    fn of(inputs: Vec<(PathBuf, Box<dyn RecordSource>)>, facts: RecordFacts) -> Self {
        Self {
            inputs,
            facts,
            labels: None,
            next: 0,
            end: None,
            later: VecDeque::new(),
            required: 0,
            current: 0,
            position: 0,
        }
    }

    /// Appends the records of another input.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`] if they are of another type or shape, or if only one of the two has
    /// labels.
    pub fn append(&mut self, other: Self) -> Result<(), Error> {
        let (found, expected) = (other.layout(), self.layout());
        if found.dtype != expected.dtype || found.record_shape() != expected.record_shape() {
            return Err(other.error(ErrorKind::mismatch(format!(
                "cannot join inputs: the records of this one are {found}, those before are {expected}"
            ))));
        }
        if other.has_labels() != self.has_labels() {
            let message = "some inputs have labels and some do not; convert them separately";
            return Err(other.error(ErrorKind::mismatch(message)));
        }
        if other.classes() != self.classes() {
            let message = "its classes differ from those of the previous inputs; convert them separately, or put \
                           the same classes.txt into each if they are folders";
            return Err(other.error(ErrorKind::mismatch(message)));
        }
        if let Some(labels) = self.labels.take() {
            // The labels of a file stay with its records.
            let path = self.path().to_path_buf();
            let mut first = Self::of(std::mem::take(&mut self.inputs), self.facts.clone());
            first.labels = Some(labels);
            self.inputs.push((path, Box::new(first)));
        }
        let counts = self.count().zip(other.count());
        let count = counts.map(|(sum, count)| sum.saturating_add(count));
        self.facts = self.facts.of_count(count);
        let inputs = match other.labels {
            Some(_) => vec![(other.path().to_path_buf(), Box::new(other) as Box<_>)],
            None => other.inputs,
        };
        let closed = inputs.into_iter().map(|(path, mut source)| {
            source.close();
            (path, source)
        });
        self.inputs.extend(closed);
        Ok(())
    }

    /// Changes the shape of the records.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`] if the shape has another number of elements.
    pub fn reshape(&mut self, record_shape: &[u32]) -> Result<(), Error> {
        let Some(layout) = self.layout().reshaped(record_shape) else {
            let wanted = RecordLayout::of_records(self.layout().dtype, None, record_shape);
            return Err(self.error(ErrorKind::mismatch(format!(
                "a record of {} cannot have the shape {}; give sizes that multiply to the same",
                self.layout().shape_text(),
                wanted.shape_text()
            ))));
        };
        self.facts.layout = layout;
        Ok(())
    }

    /// Uses the labels of another file, one for each record.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Mismatch`] if their number differs.
    pub fn with_labels(mut self, labels: LabelColumn) -> Result<Self, Error> {
        if let Some(records) = self.count() {
            labels.expect_count(records)?;
        }
        self.facts = RecordFacts {
            has_labels: true,
            label_type: labels.element_type(),
            classes: None,
            ..self.facts
        };
        self.labels = Some(labels);
        Ok(self)
    }

    /// Selects the records to read. This only goes forward, from the next record.
    ///
    /// ```
    /// use idx_std::formats::{RecordSource, SourceOptions, open};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = &folder.path().join("digits-images-idx3-ubyte");
    /// # idx_std::save(path, &[200, 28, 28], &[7_u8; 200 * 784]).unwrap();
    ///
    /// let mut images = open(path, &SourceOptions::default())?;
    /// images.select(2..5)?;
    /// assert_eq!(images.remaining(), Some(3));
    /// assert!(images.select(1..).is_err());
    /// # Ok::<(), idx_std::formats::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotEnoughRecords`], and [`ErrorKind::Mismatch`] for a range that goes back.
    /// They leave everything as it was if the number of records is known.
    pub fn select(&mut self, records: impl RangeBounds<u64>) -> Result<(), Error> {
        let start = match records.start_bound() {
            Bound::Included(start) => *start,
            Bound::Excluded(before) => before.saturating_add(1),
            Bound::Unbounded => 0,
        };
        let end = match records.end_bound() {
            Bound::Included(last) => Some(last.saturating_add(1)),
            Bound::Excluded(end) => Some(*end),
            Bound::Unbounded => None,
        };
        if let Some(count) = self.count()
            && end.unwrap_or(start).max(start) > count
        {
            return Err(self.error(ErrorKind::NotEnoughRecords { count }));
        }
        if start < self.next || end.is_some_and(|end| end < start) {
            let message =
                format!("records can be selected forward only, from record {} on", self.next);
            return Err(self.error(ErrorKind::mismatch(message)));
        }
        self.required = end.unwrap_or(start);
        self.go_to(start, end)
    }

    fn go_to(&mut self, start: u64, end: Option<u64>) -> Result<(), Error> {
        // Reading the last record includes the check of the end of the file.
        self.end = end.filter(|_| end != self.count());
        let skipped = self.skip(start - self.next)?;
        if self.next < start {
            debug_assert!(self.count().is_none(), "{skipped} of a known number of records");
            return Err(self.error(ErrorKind::NotEnoughRecords { count: self.next }));
        }
        Ok(())
    }

    /// Selects the records to read, from the next one on.
    ///
    /// # Errors
    ///
    /// Those of [`RecordSelection::ranges`] and [`select`](Self::select).
    pub fn select_records(&mut self, records: &RecordSelection) -> Result<(), Error> {
        let ranges = records.ranges(self.count());
        let ranges = ranges.map_err(|kind| self.error(kind))?;
        if let Some(range) = ranges.first()
            && range.start < self.next
        {
            return self.select(range.clone());
        }
        self.later = ranges.into();
        self.required = records.required();
        self.next_range().map(drop)
    }

    /// Goes to the next selected range, if there is one.
    fn next_range(&mut self) -> Result<bool, Error> {
        let Some(range) = self.later.pop_front() else {
            return Ok(false);
        };
        let end = Some(range.end).filter(|end| *end < u64::MAX);
        self.go_to(range.start, end).map(|()| true)
    }

    /// The ranges of the selected records that are still to be read. The end of the last may be [`u64::MAX`]
    /// if the number of records is not known.
    #[must_use]
    pub fn selected(&self) -> Vec<Range<u64>> {
        let end = self.end.or(self.count()).unwrap_or(u64::MAX);
        let current = self.next..end.max(self.next);
        let later = self.later.iter().cloned();
        std::iter::once(current).chain(later).collect()
    }

    /// The index of the record that was read last, through all inputs; `None` before the first.
    #[must_use]
    pub fn last_index(&self) -> Option<u64> {
        self.next.checked_sub(1)
    }

    /// The number of selected records that are still to be read, if it is known.
    #[must_use]
    pub fn remaining(&self) -> Option<u64> {
        let current = self.end.or(self.count())?.checked_sub(self.next)?;
        let later = self.later.iter().map(|range| range.end - range.start);
        let later = later.reduce(u64::saturating_add).unwrap_or(0);
        Some(current.saturating_add(later)).filter(|sum| *sum < u64::MAX)
    }

    /// Skips the selected records that are still to be read, and returns their number.
    ///
    /// # Errors
    ///
    /// As [`skip`](RecordSource::skip).
    pub fn skip_remaining(&mut self) -> Result<u64, Error> {
        let mut skipped = 0u64;
        loop {
            let end = self.end.or(self.count()).unwrap_or(u64::MAX);
            skipped = skipped.saturating_add(self.skip(end - self.next)?);
            if !self.next_range()? {
                return Ok(skipped);
            }
        }
    }

    /// The size of these records in bytes, if it is known.
    #[must_use]
    pub fn remaining_size(&self) -> Option<u64> {
        self.remaining()?.checked_mul(self.layout().record_size()?)
    }

    /// The current input.
    #[must_use]
    pub fn path(&self) -> &Path {
        let input = self.inputs.get(self.current);
        debug_assert!(input.is_some(), "there is at least one");
        input.map_or(Path::new(""), |(path, _)| path)
    }

    /// An error about the current input.
    pub(super) fn error(&self, kind: impl Into<ErrorKind>) -> Error {
        let kind: ErrorKind = kind.into();
        Error::from(kind).with_path(self.path())
    }

    /// An error about the current record.
    #[must_use]
    pub fn record_error(&self, kind: impl Into<ErrorKind>) -> Error {
        let position = Position::from(self.position.saturating_sub(1));
        self.error(kind.into().at_position(position))
    }

    /// Reads a record without the label from another file; `false` after the last input.
    fn read_unlabeled(&mut self, record: &mut Record) -> Result<bool, Error> {
        let last = self.inputs.len() - 1;
        while let Some((_, source)) = self.inputs.get_mut(self.current) {
            record.label = None;
            if source.read(record)? {
                self.position += 1;
                self.next += 1;
                return Ok(true);
            }
            if self.current == last {
                break;
            }
            source.close();
            self.current += 1;
            self.position = 0;
        }
        Ok(false)
    }

    /// The checks at the end of the last input.
    fn check_end(&mut self) -> Result<(), Error> {
        if self.next < self.required {
            return Err(self.error(ErrorKind::NotEnoughRecords { count: self.next }));
        }
        if let Some(labels) = &mut self.labels
            && labels.next_label()?.is_some()
        {
            return Err(
                labels.mismatch(&format!("more labels than the {}", counted(self.next, "record")))
            );
        }
        Ok(())
    }
}

impl RecordSource for JoinedSource {
    fn facts(&self) -> &RecordFacts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        let sources = self.inputs.iter();
        sources.flat_map(|(_, source)| source.skipped()).collect()
    }

    fn close(&mut self) {
        self.inputs.iter_mut().for_each(|(_, source)| source.close());
        if let Some(labels) = &mut self.labels {
            labels.close();
        }
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let start = self.next;
        let end = start.saturating_add(records);
        let mut record = Record::default();
        while self.next < end {
            let Some((_, source)) = self.inputs.get_mut(self.current) else {
                break;
            };
            let skipped = source.skip(end - self.next)?;
            self.next += skipped;
            self.position += skipped;
            // The end of an input is checked on the way to the next one.
            if self.next < end && !self.read_unlabeled(&mut record)? {
                break;
            }
        }
        let skipped = self.next - start;
        if let Some(labels) = &mut self.labels {
            labels.skip(skipped)?;
        }
        Ok(skipped)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        while self.end == Some(self.next) {
            if !self.next_range()? {
                return Ok(false);
            }
        }
        if !self.read_unlabeled(record)? {
            return self.check_end().map(|()| false);
        }
        if let Some(labels) = &mut self.labels {
            record.label = labels.next_label()?;
            if record.label.is_none() {
                let count = self.next - 1;
                return Err(labels.mismatch(&format!("fewer labels than records, only {count}")));
            }
        }
        Ok(true)
    }
}
