use std::collections::VecDeque;
use std::path::Path;

use idx_data::{ClassNames, ElementType, ImageLayout, Record, RecordSelection, Source};

use crate::args::ShowArguments;
use crate::draw::drawing::{Drawing, Look};
use crate::records::input::sample;
use crate::term::failure::Failure;
use crate::term::progress::Progress;

/// The first records, up to so many and so many bytes, decide whether the lowest value is white.
const SEEN: usize = 10;
const SEEN_BYTES: usize = 1 << 20;

/// The lowest value is white if the edges of the pictures have at least one of so many pixels with it.
const IS_DRAWN: usize = 4;

/// The records that a command shows, with their labels.
pub(crate) struct Selection {
    source: Source,
    names: Option<ClassNames>,
    /// How many records are shown at most.
    left: u64,
    /// Records that were read to look at them, and the error after them.
    seen: VecDeque<Result<SelectedRecord, Failure>>,
    look: Option<Look>,
    progress: Option<Progress>,
    size: Option<(u64, u64)>,
}

/// A record, and its index in the file.
type SelectedRecord = (u64, Record);

impl Selection {
    /// Opens a file, or the built-in sample: these records of it, or its first ones.
    pub(crate) fn open(
        path: Option<&Path>,
        arguments: &ShowArguments,
        records: Option<&RecordSelection>,
        first: u64,
    ) -> Result<Self, Failure> {
        let ShowArguments { reading, classes, labels, .. } = arguments;
        let first = arguments.range.first.unwrap_or(first);
        let opening = reading.opening(labels);
        let source = match path {
            Some(path) => opening.open(path, labels, 0)?.only_part()?,
            None => sample()?,
        };
        reading.expect_effect("show", &opening, None)?;
        let names = labels.names()?.or_else(|| source.facts().classes.clone());
        let mut source = match names.clone() {
            Some(names) => source.with_classes(names),
            None => source,
        };
        // Of chosen classes, these are the first; otherwise no more are read.
        let chosen = match (records, classes.are_given()) {
            (Some(records), _) => records.clone(),
            (None, true) => RecordSelection::from(0..),
            (None, false) => RecordSelection::from(0..first),
        };
        let count = source.facts().count;
        source = source.select(chosen.clone())?;
        let ranges = chosen.ranges(count)?;
        let last = ranges.last().and_then(|range| range.end.checked_sub(1));
        source = classes.of_classes(source)?;
        source = source.changed(&reading.changes(arguments.transpose))?;
        let is_limited = records.is_none() || arguments.range.first.is_some();
        let left = if is_limited { first } else { u64::MAX };
        let size = source.facts().count.map(|count| count.min(left)).zip(last);
        // A sheet takes long; what is printed comes as it is read.
        let progress = arguments.output.is_some().then(|| Progress::of(source.path(), &source));
        let seen = VecDeque::new();
        let mut selection = Self { source, names, left, seen, look: None, progress, size };
        selection.look = selection.decide(arguments.invert);
        Ok(selection)
    }

    /// How pictures are drawn, if the records are some: the content says whether they are digits on white or
    /// photographs.
    fn decide(&mut self, is_inverted: bool) -> Option<Look> {
        let image = ImageLayout::from_shape(self.source.facts().layout.record_shape())?;
        let element_type = self.element_type();
        let look = Look { element_type, image, is_inverted: false };
        if image.is_color() {
            return Some(Look { is_inverted, ..look });
        }
        let (mut bytes, mut edge, mut lowest) = (0, 0, 0);
        while self.seen.len() < SEEN && bytes < SEEN_BYTES {
            let Some(record) = self.read().transpose() else { break };
            if let Ok((_, record)) = &record {
                bytes += record.bytes.len();
                let found = Drawing::new(look, &record.bytes, 1).edge(|rgb| rgb == [0; 3]);
                (edge, lowest) = (edge + found[0], lowest + found[1]);
            }
            let is_end = record.is_err();
            self.seen.push_back(record);
            if is_end {
                break;
            }
        }
        Some(Look { is_inverted: is_inverted != (lowest * IS_DRAWN >= edge), ..look })
    }

    /// The number of the records and the index of the last one, if they are known before they are read.
    pub(crate) const fn size(&self) -> Option<(u64, u64)> {
        self.size
    }

    /// As [`size`](Self::size), by reading all records.
    pub(crate) fn counted(mut self) -> Result<(u64, u64), Failure> {
        let (mut count, mut last) = (0, 0);
        while let Some((index, _)) = self.next()? {
            (count, last) = (count + 1, index);
        }
        Ok((count, last))
    }

    /// The names of the classes, if they are known.
    pub(crate) const fn names(&self) -> Option<&ClassNames> {
        self.names.as_ref()
    }

    pub(crate) fn has_labels(&self) -> bool {
        self.source.facts().has_labels
    }

    /// The error of these records.
    pub(crate) fn fail(&self, text: impl Into<String>) -> Failure {
        Failure::file(self.source.path(), text)
    }

    pub(crate) fn element_type(&self) -> ElementType {
        let element_type = self.source.facts().layout.dtype.element_type();
        debug_assert!(element_type.is_some(), "what is changed, IDX has");
        element_type.unwrap_or(ElementType::U8)
    }

    /// How records are drawn, if they are pictures.
    pub(crate) const fn look(&self) -> Option<Look> {
        self.look
    }

    /// The next record; `None` after the last one. If that is the last one of the file, its end is checked.
    pub(crate) fn next(&mut self) -> Result<Option<SelectedRecord>, Failure> {
        match self.seen.pop_front() {
            Some(record) => record.map(Some),
            None => self.read(),
        }
    }

    fn read(&mut self) -> Result<Option<SelectedRecord>, Failure> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut record = Record::default();
        let is_read = self.source.read(&mut record);
        if !matches!(is_read, Ok(true)) {
            // Its line is free for a message.
            self.progress = None;
        }
        if !is_read? {
            return Ok(None);
        }
        self.left -= 1;
        if let Some(progress) = &mut self.progress {
            progress.advance(record.bytes.len() as u64);
        }
        Ok(Some((record.index, record)))
    }
}
