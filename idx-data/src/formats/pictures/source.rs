//! Pictures of a folder, or of a column, as records.

use std::collections::VecDeque;
use std::path::Path;

use crate::error::Error;
use crate::formats::pictures::reader::{LabeledFile, PictureReader};
use crate::names::class_names::ClassNames;
use crate::reading::Reading;
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordLayout, RecordSource, Skipped, skip_by_reading};
use idx_std::ElementType;

/// Pictures in their order, with their labels.
#[derive(Default)]
pub(crate) struct Pictures {
    pub(crate) files: Vec<LabeledFile>,
    pub(crate) has_labels: bool,
    pub(crate) classes: Option<ClassNames>,
    /// True if the classes have these names where the pictures are, and the labels only number them.
    pub(crate) have_names: bool,
    /// The files and folders that were left out beside them.
    pub(crate) skipped: Vec<Skipped>,
    /// The reading of a list of their labels.
    pub(crate) reading: Reading,
}

/// Returns some more files; none after the last one.
pub(crate) type More = Box<dyn FnMut() -> Result<Vec<LabeledFile>, Error> + Send>;

/// Pictures as records.
pub(crate) struct PicturesSource {
    facts: Facts,
    reader: PictureReader,
    /// The files that are at hand, and not read yet.
    files: VecDeque<LabeledFile>,
    /// The files after them, if these are not all.
    more: Option<More>,
}

impl PicturesSource {
    /// Opens these pictures, which are in this folder or below it.
    pub(crate) fn open(path: &Path, found: Pictures, options: &OpenOptions) -> Result<Self, Error> {
        let unread = RecordLayout::new(ElementType::U8, &[]);
        let facts = Facts {
            has_labels: found.has_labels,
            classes: found.classes,
            have_names: found.have_names,
            reading: found.reading,
            pictures: Some(found.files.iter().map(|file| file.path.clone()).collect()),
            ..Facts::new(unread, Some(found.files.len() as u64))
        };
        let mut source = Self::new(path, found.files, None, facts, options)?;
        source.reader.skipped = found.skipped;
        Ok(source)
    }

    /// Takes these files first, which have these facts.
    pub(crate) fn new(
        path: &Path,
        files: Vec<LabeledFile>,
        more: Option<More>,
        facts: Facts,
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let reader = PictureReader::new(path, &files, options)?;
        Ok(Self { facts: reader.facts(facts), reader, files: files.into(), more })
    }
}

impl RecordSource for PicturesSource {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn skipped(&self) -> Vec<&Skipped> {
        self.reader.skipped.iter().collect()
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        // The damaged ones are not known yet.
        if self.facts.count.is_none() || self.more.is_some() {
            return skip_by_reading(records, |record| self.read(record));
        }
        let left = self.files.len();
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        self.reader.skip(skipped);
        self.files.drain(..skipped);
        Ok(skipped as u64)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        loop {
            if let (true, Some(more)) = (self.files.is_empty(), &mut self.more) {
                self.files = more()?.into();
            }
            let pixels = self.reader.next(self.files.make_contiguous())?;
            match (pixels, self.files.pop_front()) {
                (_, None) => return Ok(false),
                (None, Some(_)) => record.left_out += 1,
                (Some(bytes), Some(file)) => {
                    (record.bytes, record.label) = (bytes, file.label);
                    return Ok(true);
                }
            }
        }
    }
}
