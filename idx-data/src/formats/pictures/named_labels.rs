//! Labels alone, in the order of the pictures that their table names.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use idx_std::ElementType;

use crate::error::Error;
use crate::formats::pictures::labels_file::{Labels, NamedPictures, Table, text_of};
use crate::formats::{Again, csv};
use crate::record::options::OpenOptions;
use crate::record::{Facts, Record, RecordLayout, RecordSource};

struct NamedLabels {
    facts: Facts,
    labels: std::vec::IntoIter<i128>,
}

/// The labels in a table, each for the picture that its line names, or in their order if no column names pictures.
pub(crate) fn labels_of_pictures(
    path: &Path,
    read: Box<dyn Read + Send>,
    pictures: &[PathBuf],
    options: &OpenOptions,
) -> Result<Box<dyn RecordSource>, Error> {
    let text: Arc<[u8]> = text_of(read, options)?.into();
    let read = || Box::new(Cursor::new(Arc::clone(&text)));
    let named = NamedPictures::new(Path::new(""), pictures.iter().map(PathBuf::as_path));
    let table = Table::read(read(), &named, options)?;
    let Some(Labels { numbers, classes, have_names }) = table.labels(&named, None, options)? else {
        let again: Again = Box::new({
            let text = Arc::clone(&text);
            move || Ok(Box::new(Cursor::new(text)))
        });
        return Ok(Box::new(csv::open(
            path,
            csv::TableText { read: read(), again: Some(again), elsewhere: String::new() },
            options,
        )?));
    };
    let count = Some(numbers.len() as u64);
    let layout = RecordLayout::of_records(ElementType::U8, count, &[0]);
    let facts = Facts { has_labels: true, classes, have_names, ..Facts::new(layout, count) };
    Ok(Box::new(NamedLabels { facts, labels: numbers.into_iter() }))
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
