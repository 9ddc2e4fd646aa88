//! The records that `idx show` shows, chosen, changed and read one by one.

use std::ops::Range;
use std::path::Path;

use idx_data::{ClassNames, ElementType, ImageLayout, Record, RecordSelection, Set, Source};

use crate::args::ShowArguments;
use crate::draw::drawing::Look;
use crate::term::failure::{Failure, note, print_note};
use crate::term::progress::Progress;
use crate::term::report::grouped_count;

/// The records that a command shows, with their labels.
pub(crate) struct Selection {
    source: Source,
    /// The maximum number of records that are still shown.
    left: u64,
    is_inverted: bool,
    progress: Option<Progress>,
    /// The range to compare with the number of records read, if that is not known in advance.
    range: Option<RecordSelection>,
    /// The number of records and the index of the last one, if they are known before reading.
    pub(crate) size: Option<(u64, u64)>,
}

/// Opens the set of a file or folder, or the built-in sample.
pub(crate) fn open(path: Option<&Path>, arguments: &ShowArguments) -> Result<Set, Failure> {
    let opening = arguments.reading.opening(&arguments.labels)?;
    let set = match path {
        Some(path) => opening.open(path, &arguments.labels, 0)?,
        None => opening.sample(arguments)?,
    };
    arguments.reading.expect_effect("show", &opening, &[set.reading()], None)?;
    opening.name_classes("show", &arguments.labels, set)
}

/// The length of a part, as far as it is known.
#[derive(Clone, Copy)]
pub(crate) enum Length {
    /// It has so many records.
    All(u64),
    /// So many records of the range were read.
    Read(u64),
}

/// Returns the note that a range goes beyond the records of a part.
pub(crate) fn beyond(path: &Path, records: &RecordSelection, length: Length) -> Option<String> {
    let size = |ranges: &[Range<u64>]| ranges.iter().map(|range| range.end - range.start).sum();
    let (is_beyond, taken) = match length {
        Length::All(all) => (records.exceeds(all), size(&records.ranges(Some(all)).ok()?)),
        Length::Read(read) => {
            let ranges = records.ranges(None).ok()?;
            let is_open = ranges.last().is_some_and(|range| range.end == u64::MAX);
            (!is_open && read < size(&ranges), read)
        }
    };
    let taken_records = grouped_count(taken, "record");
    let text = format!("the range goes beyond the last record, so it has only {taken_records}");
    // An empty selection has a note of its own.
    (is_beyond && taken > 0).then(|| note(path, text))
}

impl Selection {
    /// Selects these records of a part, or its first ones.
    pub(crate) fn new(
        source: Source,
        arguments: &ShowArguments,
        records: Option<&RecordSelection>,
        first: u64,
    ) -> Result<Self, Failure> {
        let ShowArguments { reading, classes, .. } = arguments;
        let first = arguments.range.first.unwrap_or(first);
        // The first records of chosen classes may lie anywhere; otherwise no more are read.
        let chosen = match (records, classes.are_given()) {
            (Some(records), _) => records.clone(),
            (None, true) => RecordSelection::from(0..),
            (None, false) => RecordSelection::from(0..first),
        };
        let count = source.facts().count;
        let source = source.select(chosen.clone())?;
        if let Some(records) = records {
            let note = count.and_then(|all| beyond(source.path(), records, Length::All(all)));
            note.iter().for_each(print_note);
        }
        let is_whole = count.is_none() && !classes.are_given() && arguments.range.first.is_none();
        let range = records.filter(|_| is_whole).cloned();
        // Records counted from an end that is not known in advance have no indices.
        let ranges = chosen.ranges(count).ok();
        let last = ranges.and_then(|ranges| ranges.last()?.end.checked_sub(1));
        let source = classes.of_classes(source)?;
        let source = source.changed(&reading.changes(arguments.transpose))?;
        let is_limited = records.is_none() || arguments.range.first.is_some();
        let left = if is_limited { first } else { u64::MAX };
        let size = source.facts().count.map(|count| count.min(left)).zip(last);
        // Only a sheet takes long; other output appears as it is read.
        let progress = arguments.output.is_some().then(|| Progress::of(source.path(), &source));
        Ok(Self { source, left, is_inverted: arguments.invert, progress, range, size })
    }

    /// Returns the [`size`](Self::size), by reading all records.
    pub(crate) fn counted(mut self) -> Result<(u64, u64), Failure> {
        let (mut count, mut last) = (0, 0);
        while let Some(record) = self.next()? {
            (count, last) = (count + 1, record.index);
        }
        Ok((count, last))
    }

    /// Returns the note that the range goes beyond the last record, after `taken` records were read.
    pub(crate) fn note_after(&self, taken: u64) -> Option<String> {
        beyond(self.path(), self.range.as_ref()?, Length::Read(taken))
    }

    /// Returns the names of the classes, if they are known.
    pub(crate) fn names(&self) -> Option<&ClassNames> {
        self.source.facts().classes.as_ref()
    }

    pub(crate) fn has_labels(&self) -> bool {
        self.source.facts().has_labels
    }

    pub(crate) fn path(&self) -> &Path {
        self.source.path()
    }

    /// Returns an error about these records.
    pub(crate) fn fail(&self, text: impl Into<String>) -> Failure {
        Failure::file(self.path(), text)
    }

    pub(crate) fn element_type(&self) -> ElementType {
        let element_type = self.source.facts().layout.dtype.element_type();
        debug_assert!(element_type.is_some(), "changed records have a type that IDX has");
        element_type.unwrap_or(ElementType::U8)
    }

    /// Returns how the records are drawn, if they are pictures.
    pub(crate) fn look(&self) -> Option<Look> {
        let image = ImageLayout::from_shape(self.source.facts().layout.record_shape())?;
        let (element_type, is_inverted) = (self.element_type(), self.is_inverted);
        Some(Look { element_type, image, is_inverted })
    }

    /// Returns the maximum number of records that are shown.
    pub(crate) fn most(&self) -> u64 {
        self.size.map_or(self.left, |(count, _)| count)
    }

    /// Reads the next record; `None` after the last one. After the last one of the file, its end is checked.
    pub(crate) fn next(&mut self) -> Result<Option<Record>, Failure> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut record = Record::default();
        let is_read = self.source.read(&mut record);
        if !matches!(is_read, Ok(true)) {
            // Frees the line of the bar for a message.
            self.progress = None;
        }
        if !is_read? {
            return Ok(None);
        }
        self.left -= 1;
        if let Some(progress) = &mut self.progress {
            progress.advance_record(record.bytes.len() as u64);
        }
        Ok(Some(record))
    }
}
