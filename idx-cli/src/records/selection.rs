use std::ops::Range;

use idx_std::formats::LabelColumn;

use crate::args::{LabelArguments, RecordRange, ShowArguments};
use crate::records::input::{Input, open_labels, sample_labels};
use crate::term::failure::Failure;

/// The records that a command reads, and their labels.
pub(crate) struct Selection {
    pub(crate) images: Input,
    labels: Option<LabelColumn>,
    pub(crate) range: Range<u64>,
    next: u64,
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
        let (mut images, mut labels) = match &arguments.file {
            Some(path) => {
                let LabelArguments { file, column } = &arguments.labels;
                let labels = file.as_deref().map(|file| open_labels(file, *column));
                (Input::open(path)?, labels.transpose()?)
            }
            None => (Input::sample_images()?, Some(sample_labels()?)),
        };
        let count = images.header().record_count();
        let count = u64::from(count);
        let range = match arguments.range.records {
            None => 0..first.min(count),
            Some(RecordRange { start, end }) => start..end.unwrap_or(count).max(start),
        };
        if range.end > count {
            return Err(images.out_of_range());
        }
        images.select(range.clone())?;
        if let Some(labels) = &mut labels {
            labels.expect_count(count)?;
            labels.skip(range.start)?;
        }
        Ok(Self {
            images,
            labels,
            next: range.start,
            is_to_the_end: range.end == count,
            range,
        })
    }

    /// The next record; `None` once all were given, and the end was checked if the last of the file
    /// was among them.
    pub(crate) fn next(&mut self) -> Result<Option<SelectedRecord<'_>>, Failure> {
        let record = self.images.next_record().transpose()?;
        let label = match &mut self.labels {
            // After the last one of the file, its end is checked, too.
            Some(labels) if record.is_some() || self.is_to_the_end => labels.next_label()?,
            _ => None,
        };
        let index = self.next;
        self.next += 1;
        Ok(record.map(|bytes| SelectedRecord {
            index,
            label,
            bytes,
        }))
    }

    /// Reads the labels in advance, if there are any; then `next` gives none.
    pub(crate) fn take_labels(&mut self) -> Result<Vec<i128>, Failure> {
        let Some(mut labels) = self.labels.take() else {
            return Ok(Vec::new());
        };
        let mut taken = Vec::new();
        for _ in self.range.clone() {
            taken.extend(labels.next_label()?);
        }
        if self.is_to_the_end {
            labels.next_label()?;
        }
        Ok(taken)
    }
}
