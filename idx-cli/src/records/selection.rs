use std::path::Path;

use idx_data::{ClassNames, Record, RecordLayout, RecordSelection, RecordSource, Source};
use idx_data::{ElementType, ImageLayout};

use crate::args::{Job, ShowArguments};
use crate::records::input::{open_records, sample};
use crate::term::failure::Failure;
use crate::term::progress::Progress;

/// The records that a command shows, with their labels.
pub(crate) struct Selection {
    source: Source,
    record: Record,
    progress: Option<Progress>,
    names: Option<ClassNames>,
}

pub(crate) struct SelectedRecord<'a> {
    pub(crate) index: u64,
    pub(crate) label: Option<i128>,
    pub(crate) bytes: &'a [u8],
}

/// The facts about the records that a sheet needs before the first one is drawn.
pub(crate) struct Survey {
    pub(crate) count: u64,
    /// The index of the last one.
    pub(crate) last: u64,
    pub(crate) labels: Vec<i128>,
}

impl Selection {
    /// Opens a file, or the built-in sample.
    pub(crate) fn open(
        path: Option<&Path>,
        arguments: &ShowArguments,
        records: &RecordSelection,
    ) -> Result<Self, Failure> {
        let source = arguments.labels.join(0, arguments.reading.header, open(path, arguments)?)?;
        Self::new(source, arguments, records)
    }

    fn new(
        source: Source,
        arguments: &ShowArguments,
        records: &RecordSelection,
    ) -> Result<Self, Failure> {
        arguments.reading.judge_file(source.path(), &Job::new(&source, []), &arguments.labels)?;
        Ok(Self {
            names: arguments.labels.names(&source)?,
            source: source.select(records.clone())?.changed(&arguments.reading.changes(false))?,
            record: Record::default(),
            progress: None,
        })
    }

    /// As `open`, but reads the labels first, if they are in a separate file.
    pub(crate) fn survey(
        path: Option<&Path>,
        arguments: &ShowArguments,
        records: &RecordSelection,
    ) -> Result<(Self, Survey), Failure> {
        let source = open(path, arguments)?;
        let (count, has_labels) = (source.count(), source.has_labels());
        let mut selection = Self::new(source, arguments, records)?;
        let mut survey = Survey {
            count: selection.source.count().unwrap_or(u64::MAX),
            last: selection.source.selected().last().map_or(0, |range| range.end.saturating_sub(1)),
            labels: Vec::new(),
        };
        if let Some(labels) = arguments.labels.open(0, arguments.reading.header)? {
            count.map_or(Ok(()), |count| labels.expect_count(count))?;
            let mut labels = labels.select(records.clone())?;
            while let Some(label) = labels.next_label()? {
                survey.labels.push(label);
            }
            survey.count = survey.labels.len() as u64;
            survey.last = labels.last_index().unwrap_or_default();
        } else if has_labels || count.is_none() {
            let mut records = Self::open(path, arguments, records)?;
            survey.count = 0;
            while let Some(record) = records.next()? {
                (survey.count, survey.last) = (survey.count + 1, record.index);
                survey.labels.extend(record.label);
            }
        }
        let size = selection.source.size();
        selection.progress = Some(Progress::new(selection.source.path(), size));
        Ok((selection, survey))
    }

    /// The names of the classes, if they are known.
    pub(crate) fn take_names(&mut self) -> Option<ClassNames> {
        self.names.take()
    }

    /// The error of these records.
    pub(crate) fn fail(&self, text: impl Into<String>) -> Failure {
        Failure::file(self.source.path(), text)
    }

    pub(crate) fn layout(&self) -> &RecordLayout {
        self.source.layout()
    }

    pub(crate) fn element_type(&self) -> ElementType {
        let element_type = self.layout().dtype.element_type();
        debug_assert!(element_type.is_some(), "what is changed, IDX has");
        element_type.unwrap_or(ElementType::U8)
    }

    /// The layout of the pixels in a record, if records are pictures.
    pub(crate) fn image_layout(&self) -> Option<ImageLayout> {
        ImageLayout::from_shape(self.layout().record_shape())
    }

    /// The next record; `None` after the last one. If that is the last one of the file, its end is checked.
    pub(crate) fn next(&mut self) -> Result<Option<SelectedRecord<'_>>, Failure> {
        let (source, record) = (&mut self.source, &mut self.record);
        let is_read = source.read(record);
        if !matches!(is_read, Ok(true)) {
            // Its line is free for a message.
            self.progress = None;
        }
        if !is_read? {
            return Ok(None);
        }
        if let Some(progress) = &mut self.progress {
            progress.advance(record.bytes.len() as u64);
        }
        Ok(Some(SelectedRecord {
            index: source.last_index().unwrap_or(0),
            label: record.label,
            bytes: &record.bytes,
        }))
    }
}

/// Opens a file, or the built-in sample.
fn open(path: Option<&Path>, arguments: &ShowArguments) -> Result<Source, Failure> {
    match path {
        Some(path) => open_records(path, &arguments.reading.options(&arguments.labels)),
        None => sample(),
    }
}
