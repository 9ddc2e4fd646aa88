//! Records and files that several tests use.

use std::fs;

use std::path::Path;

use idx_data::{
    CreateOptions, Facts, Format, OpenOptions, PictureOptions, Record, RecordLayout, Sink, Source,
    open,
};
use idx_std::ElementType;
use idx_tests::file;
use tempfile::TempDir;

/// A folder of some files.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Numbers from 0 to 11 as records.
pub(crate) const NUMBERS: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/// Twelve records that are their numbers, with labels 0, 1, 2, 0, ...
pub(crate) fn numbers() -> (TempDir, Source) {
    let labels = NUMBERS.map(|number| number % 3);
    let files = [("a", file(8, &[12, 1, 1], &NUMBERS)), ("l", file(8, &[12], &labels))];
    let folder = folder(&files.each_ref().map(|(name, bytes)| (*name, &**bytes)));
    let source = opened(&folder, "a").with_labels(opened(&folder, "l")).unwrap();
    (folder, source)
}

/// The same records with a number added to their labels, which are at most 9.
#[track_caller]
pub(crate) fn added(source: Source, number: i128) -> Source {
    source.relabel(&*format!("0..9={number}..{}", number + 9)).unwrap()
}

pub(crate) fn opened(folder: &TempDir, name: &str) -> Source {
    open(folder.path().join(name)).unwrap()
}

/// The first bytes of the remaining records.
#[track_caller]
pub(crate) fn read(source: &mut Source) -> Vec<u8> {
    let mut record = Record::default();
    let mut found = Vec::new();
    while source.read(&mut record).unwrap() {
        found.push(record.bytes[0]);
    }
    found
}

/// Four pictures that are their numbers, one of them damaged, with labels.
pub(crate) fn pictures(path: &Path) -> Source {
    let layout = RecordLayout::new(ElementType::U8, &[0, 1, 1]);
    let mut facts = Facts::new(layout, None);
    facts.has_labels = true;
    let mut sink = Sink::create(path, &facts, &CreateOptions::new().format(Format::Png)).unwrap();
    for number in 0..4 {
        let label = Some(i128::from(number % 2));
        sink.push(&Record::new(vec![number], label)).unwrap();
    }
    sink.finish().unwrap();
    fs::write(path.join("1/00003.png"), "damaged").unwrap();
    let options = OpenOptions::new().pictures(PictureOptions::new().skip_bad(true));
    options.open(path).unwrap()
}

/// The labels of the remaining records.
#[track_caller]
pub(crate) fn labels(mut source: Source) -> Vec<i128> {
    let mut record = Record::default();
    let mut found = Vec::new();
    while source.read(&mut record).unwrap() {
        found.extend(record.label);
    }
    found
}

/// An output for records without labels.
pub(crate) fn sink(
    path: &Path,
    format: Format,
    layout: &RecordLayout,
) -> Result<Sink, idx_data::Error> {
    let options = CreateOptions::new().format(format);
    Sink::create(path, &Facts::new(layout.clone(), None), &options)
}
