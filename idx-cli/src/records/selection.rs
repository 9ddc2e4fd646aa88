use std::collections::VecDeque;
use std::ops::Range;

use idx_std::formats::{LabelColumn, RecordSelection};

use crate::args::ShowArguments;
use crate::records::input::{Input, sample_labels};
use crate::term::failure::Failure;

/// The records that a command reads, and their labels.
pub(crate) struct Selection {
    pub(crate) images: Input,
    labels: Option<LabelColumn>,
    /// The ranges that were not read yet; the current one starts with the next record.
    ranges: VecDeque<Range<u64>>,
    is_to_the_end: bool,
}

pub(crate) struct SelectedRecord<'a> {
    pub(crate) index: u64,
    pub(crate) label: Option<i128>,
    pub(crate) bytes: &'a [u8],
}

impl Selection {
    /// Opens a file, or the built-in sample; selects the first records if the arguments have no range.
    pub(crate) fn open(arguments: &ShowArguments, first: u64) -> Result<Self, Failure> {
        let (images, labels) = match &arguments.file {
            Some(path) => {
                let images = Input::open(path)?.limited(&arguments.limit)?;
                (images, arguments.labels.open()?)
            }
            None => (Input::sample_images()?, Some(sample_labels()?)),
        };
        let count = images.header().record_count().into();
        let records = arguments.range.selection();
        let records = records.unwrap_or_else(|| RecordSelection::first(first));
        let ranges = records.ranges(Some(count));
        let ranges = ranges.map_err(|kind| images.formats_error(kind))?;
        if let Some(labels) = &labels {
            labels.expect_count(count)?;
        }
        let mut selection = Self {
            images,
            labels,
            is_to_the_end: ranges.last().is_some_and(|range| range.end == count),
            ranges: ranges.into(),
        };
        selection.go_to(0)?;
        Ok(selection)
    }

    /// Goes from this record to the first of the next range.
    fn go_to(&mut self, position: u64) -> Result<(), Failure> {
        if let Some(range) = self.ranges.front() {
            self.images.select(range.clone())?;
            if let Some(labels) = &mut self.labels {
                labels.skip(range.start - position)?;
            }
        }
        Ok(())
    }

    /// How many records are left.
    pub(crate) fn count(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| range.end - range.start)
            .sum()
    }

    /// The next record; `None` once all were given, and the end was checked if the last of the file
    /// was among them.
    pub(crate) fn next(&mut self) -> Result<Option<SelectedRecord<'_>>, Failure> {
        // The last range stays, for the check of the end.
        while self.ranges.len() > 1
            && let Some(range) = self.ranges.front().filter(|range| range.is_empty())
        {
            let position = range.start;
            self.ranges.pop_front();
            self.go_to(position)?;
        }
        let record = self.images.next_record().transpose()?;
        let label = match &mut self.labels {
            // After the last one of the file, its end is checked, too.
            Some(labels) if record.is_some() || self.is_to_the_end => labels.next_label()?,
            _ => None,
        };
        let Some(range) = self.ranges.front_mut() else {
            return Ok(None);
        };
        let index = range.start;
        range.start += u64::from(record.is_some());
        Ok(record.map(|bytes| SelectedRecord {
            index,
            label,
            bytes,
        }))
    }

    /// Reads the labels in advance, if there are any, and tells the index of the last record; then `next`
    /// gives no labels.
    pub(crate) fn take_labels(&mut self) -> Result<Vec<i128>, Failure> {
        let Some(mut labels) = self.labels.take() else {
            return Ok(Vec::new());
        };
        let mut taken = Vec::new();
        let mut next = self.ranges.front().map_or(0, |range| range.start);
        for range in &self.ranges {
            labels.skip(range.start - next)?;
            for _ in range.clone() {
                taken.extend(labels.next_label()?);
            }
            next = range.end;
        }
        if self.is_to_the_end {
            labels.next_label()?;
        }
        Ok(taken)
    }

    /// The index of the last record.
    pub(crate) fn last(&self) -> u64 {
        self.ranges
            .back()
            .map_or(0, |range| range.end.saturating_sub(1))
    }
}
