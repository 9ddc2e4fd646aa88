use std::ops::Range;

use crate::args::ShowArguments;
use crate::labels::Labels;
use crate::records::input::Input;
use crate::term::failure::Failure;

/// The records that a command reads, and their labels.
pub(crate) struct Selection {
    pub(crate) images: Input,
    labels: Option<Labels>,
    pub(crate) range: Range<u64>,
    next: u64,
}

pub(crate) struct SelectedRecord<'a> {
    pub(crate) index: u64,
    pub(crate) label: Option<i64>,
    pub(crate) bytes: &'a [u8],
}

impl Selection {
    /// Opens a file, or the built-in sample; selects the first records if the arguments have no range.
    pub(crate) fn open(arguments: &ShowArguments, first: u64) -> Result<Self, Failure> {
        let (mut images, labels) = match &arguments.file {
            Some(path) => {
                let labels = arguments.labels.file.as_deref().map(Input::open);
                (Input::open(path)?, labels.transpose()?)
            }
            None => (Input::sample_images()?, Some(Input::sample_labels()?)),
        };
        let count = images.header().record_count();
        let range = match arguments.range.records {
            Some(range) => range
                .within(count.into())
                .map_err(|text| images.fail(text))?,
            None => 0..first.min(count.into()),
        };
        let labels = labels.map(|labels| Labels::new(labels, arguments.labels.column, count));
        let mut labels = labels.transpose()?;
        images.select(range.clone())?;
        if let Some(labels) = &mut labels {
            labels.select(range.clone())?;
        }
        Ok(Self {
            images,
            labels,
            next: range.start,
            range,
        })
    }

    /// The next record; `None` once all were given, and the end was checked if the last of the file
    /// was among them.
    pub(crate) fn next(&mut self) -> Result<Option<SelectedRecord<'_>>, Failure> {
        let record = self.images.next_record().transpose()?;
        let label = match &mut self.labels {
            Some(labels) => labels.next_label()?,
            None => None,
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
    pub(crate) fn take_labels(&mut self) -> Result<Vec<i64>, Failure> {
        let mut taken = Vec::new();
        if let Some(mut labels) = self.labels.take() {
            while let Some(label) = labels.next_label()? {
                taken.push(label);
            }
        }
        Ok(taken)
    }
}
