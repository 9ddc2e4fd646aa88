//! A folder of pictures as records.

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

/// Pictures as records.
pub(crate) struct PicturesSource {
    facts: Facts,
    reader: PictureReader,
    files: Vec<LabeledFile>,
    /// The number of files that were read or skipped.
    next: usize,
}

impl PicturesSource {
    /// Opens these pictures, which are in this folder or below it.
    pub(crate) fn open(path: &Path, found: Pictures, options: &OpenOptions) -> Result<Self, Error> {
        let mut reader = PictureReader::new(path, &found.files, options)?;
        reader.skipped = found.skipped;
        let unread = RecordLayout::new(ElementType::U8, &[]);
        let facts = reader.facts(Facts {
            has_labels: found.has_labels,
            classes: found.classes,
            have_names: found.have_names,
            reading: found.reading,
            pictures: Some(found.files.iter().map(|file| file.path.clone()).collect()),
            ..Facts::new(unread, Some(found.files.len() as u64))
        });
        Ok(Self { facts, reader, files: found.files, next: 0 })
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
        if self.facts.count.is_none() {
            return skip_by_reading(records, |record| self.read(record));
        }
        let left = self.files.len() - self.next;
        let skipped = usize::try_from(records).map_or(left, |records| records.min(left));
        self.reader.skip(skipped);
        self.next += skipped;
        Ok(skipped as u64)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        // Large pictures that are worked on now need its memory.
        record.bytes = Vec::new();
        while let Some(files @ [file, ..]) = self.files.get(self.next..) {
            self.next += 1;
            if let Some(pixels) = self.reader.next(files)? {
                record.bytes = pixels;
                record.label = file.label;
                return Ok(true);
            }
            record.left_out += 1;
        }
        Ok(false)
    }
}
