//! Labels from a table, in the order of the pictures that it names.

use std::io::Read;
use std::path::{Path, PathBuf};

use idx_std::ElementType;

use crate::error::Error;
use crate::formats::pictures::labels_file::{ListedLabels, NamedPictures};
use crate::reading::Reading;
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordLayout, RecordSource};

/// The labels in a table, each for the picture that its line names, or in their order if no column names pictures.
pub(crate) struct NamedLabels {
    facts: Facts,
    labels: std::vec::IntoIter<i128>,
}

impl NamedLabels {
    pub(crate) fn open(
        path: &Path,
        read: Box<dyn Read>,
        pictures: &[PathBuf],
        options: &OpenOptions,
    ) -> Result<Self, Error> {
        let named = NamedPictures::new(pictures.iter().map(PathBuf::as_path).collect(), false);
        let ListedLabels { numbers, classes, have_names, said } =
            ListedLabels::read(read, None, &named, None, options)?;
        let count = Some(numbers.len() as u64);
        let layout = RecordLayout::of_records(ElementType::U8, count, &[0]);
        let mut reading = Reading::of(path, said);
        if let Some(classes) = &classes {
            reading.count_names(classes.iter().count());
        }
        let facts =
            Facts { has_labels: true, classes, have_names, reading, ..Facts::new(layout, count) };
        Ok(Self { facts, labels: numbers.into_iter() })
    }
}

impl RecordSource for NamedLabels {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        record.bytes.clear();
        record.label = self.labels.next();
        Ok(record.label.is_some())
    }
}
