//! A record that a sink refuses leaves nothing behind, whatever the format and wherever it is.

use std::fs;
use std::num::NonZeroU64;
use std::path::Path;

use idx_data::{CreateOptions, Error, Facts, Format, Record, RecordLayout, Sink, open};
use idx_std::ElementType;
use idx_tests::{file, gzip};

/// The pairs that a sink accepts: the number in a record, and its label.
const GOOD: [(u8, i128); 3] = [(10, 1), (20, 0), (30, 1)];

fn bad(has_labels: bool, has_type: bool) -> Vec<(&'static str, Record)> {
    let label = |label| if has_labels { label } else { None };
    let mut bad = vec![
        ("short", Record::new([7], label(Some(1)))),
        ("long", Record::new([7, 7, 7, 7, 7, 7, 7, 7], label(Some(1)))),
        ("empty", Record::new([], label(Some(1)))),
        match has_labels {
            true => ("no label", Record::new([7; 4], None)),
            false => ("a label", Record::new([7; 4], 1)),
        },
    ];
    if has_labels && has_type {
        bad.push(("a large label", Record::new([7; 4], 300)));
        bad.push(("a negative label", Record::new([7; 4], -1)));
    }
    bad
}

/// Writes the good records. Before the one at `position`, the sink refuses `record` several times.
fn write(
    path: &Path,
    options: &CreateOptions,
    has_labels: bool,
    (record, position, times): (&Record, usize, usize),
) -> Result<(), Error> {
    let layout = RecordLayout::new(ElementType::U8, &[0, 2, 2]);
    let mut facts = Facts::new(layout, Some(3));
    facts.has_labels = has_labels;
    facts.label_type = has_labels.then_some(ElementType::U8);
    let mut sink = Sink::create(path, &facts, options)?;
    for place in 0..=GOOD.len() {
        for _ in 0..if place == position { times } else { 0 } {
            sink.push(record).unwrap_err();
        }
        if let Some((number, label)) = GOOD.get(place) {
            sink.push(&Record::new([*number; 4], has_labels.then_some(*label)))?;
        }
    }
    assert_eq!(sink.finish()?.records, 3);
    Ok(())
}

fn read(path: &Path) -> Vec<(u8, Option<i128>)> {
    let (mut source, mut record) = (open(path).unwrap(), Record::default());
    let mut found = Vec::new();
    while source.read(&mut record).unwrap() {
        found.push((record.bytes[0], record.label));
    }
    found.sort_unstable();
    found
}

#[test]
fn a_record_that_is_refused_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut formats = Vec::new();
    for (name, format, shards) in [
        ("a.idx", Format::Idx, None),
        ("a-images-idx3-ubyte.gz", Format::IdxGz, None),
        ("a.npy", Format::Npy, None),
        ("a.npz", Format::Npz, None),
        ("a.csv", Format::Csv, None),
        ("a.parquet", Format::Parquet, None),
        ("a", Format::Parquet, NonZeroU64::new(2)),
        ("a", Format::Png, None),
    ] {
        let has_type = !matches!(format, Format::Csv | Format::Png);
        let options = CreateOptions::new().format(format).shards(shards);
        for has_labels in [true, false] {
            for (what, record) in bad(has_labels, has_type) {
                for position in 0..=GOOD.len() {
                    let times = 1 + position % 2;
                    let out = folder.path().join("out");
                    fs::create_dir(&out).unwrap();
                    let case = format!("{name} {format} {what} at {position}");
                    let path = out.join(name);
                    match write(&path, &options, has_labels, (&record, position, times)) {
                        Err(error) if error.kind().code() == "disabled" => {}
                        written => {
                            written.unwrap();
                            formats.push((format, shards));
                            let mut expected =
                                GOOD.map(|(number, label)| (number, has_labels.then_some(label)));
                            expected.sort_unstable();
                            assert_eq!(read(&path), expected, "{case}");
                        }
                    }
                    fs::remove_dir_all(&out).unwrap();
                }
            }
        }
    }
    formats.dedup();
    assert!(formats.len() >= 4, "{formats:?}");
}

/// A picture that is refused gets no number.
#[test]
fn the_names_of_pictures_have_no_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let options = CreateOptions::new().format(Format::Png);
    let record = Record::new([7; 4], None);
    match write(&path, &options, true, (&record, 1, 2)) {
        Err(error) if error.kind().code() == "disabled" => {}
        written => {
            written.unwrap();
            assert_eq!(idx_tests::names(&path.join("1")), ["00000.png", "00002.png"]);
            assert_eq!(idx_tests::names(&path.join("0")), ["00001.png"]);
        }
    }
}

/// A new file that lacks a record is not a copy of the file next to it.
#[test]
fn a_file_beside_is_not_like_the_records_that_were_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let pixels: Vec<u8> = [10, 20, 30].into_iter().flat_map(|number| [number; 4]).collect();
    fs::write(path("a.idx.gz"), gzip(&file(8, &[3, 2, 2], &pixels))).unwrap();
    let facts = Facts::new(RecordLayout::new(ElementType::U8, &[0, 2, 2]), None);
    let mut sink = Sink::create(path("a.idx"), &facts, &CreateOptions::new()).unwrap();
    sink.push(&Record::new([10; 4], None)).unwrap();
    sink.push(&Record::new([7; 4], None)).unwrap_err();
    let _ = sink.push(&Record::new([30; 4], None));
    let error = sink.finish().unwrap_err();
    assert!(error.to_string().contains("would be read with the new file"), "{error}");
    assert!(!path("a.idx").exists());
}
