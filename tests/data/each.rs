//! Functions over the records of a source, records one by one, sets of sources, and files in memory.

use std::fs;
use std::io::{self, Cursor, Write};

use idx_data::{
    ClassNames, Format, IdxBuf, Labeled, OpenOptions, Record, Set, Source, open, open_set,
};
use idx_tests::file;
use image::{DynamicImage, GrayImage, ImageFormat, Luma};

use crate::common::{folder, labels, numbers, opened, read};

/// Steps after and before it mean what they mean on a list.
#[test]
fn a_filter_is_a_step_like_any_other() {
    let even = |record: &Record| record.bytes[0].is_multiple_of(2);
    let (_folder, source) = numbers();
    let mut some = source.filter(even).select(1..4).unwrap();
    assert_eq!(read(&mut some), [2, 4, 6]);
    let (_folder, source) = numbers();
    let mut some = source.select(1..4).unwrap().filter(even);
    assert_eq!(some.facts().count, None);
    assert_eq!(read(&mut some), [2]);
    // A function may remember what it saw, and labels stay with their records.
    let (_folder, source) = numbers();
    let mut seen = 0_u32;
    let third = source.filter(move |_| {
        seen += 1;
        seen.is_multiple_of(3)
    });
    assert_eq!(labels(third), [2, 2, 2, 2]);
    let (_folder, source) = numbers();
    assert_eq!(read(&mut source.filter(|_| false)), [] as [u8; 0]);
    // The index is that of the input.
    let (_folder, source) = numbers();
    let indices = source.filter(even).into_iter().map(|record| record.unwrap().index);
    assert_eq!(indices.collect::<Vec<_>>(), [0, 2, 4, 6, 8, 10]);
}

#[test]
fn a_function_changes_records_and_labels() {
    let (_folder, source) = numbers();
    let mut changed = source.map(|record| {
        let label = record.label.map(|label| label + i128::from(record.index == 7));
        Record::new([record.bytes[0] * 2], label)
    });
    assert_eq!(changed.facts().count, Some(12));
    let records: Vec<Record> = changed.records().map(Result::unwrap).collect();
    assert!(records.iter().enumerate().all(|(index, record)| record.index == index as u64));
    assert_eq!(records.iter().map(|record| record.bytes[0]).sum::<u8>(), 132);
    assert_eq!((records[7].label, records[8].label), (Some(2), Some(2)));
    let (_folder, source) = numbers();
    assert_eq!(
        labels(source.map_labels(|label| label.min(1))),
        [0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1]
    );
}

#[test]
fn a_function_keeps_the_size_and_the_label() {
    type Change = fn(Record) -> Record;
    let cases: [(Change, &str); 3] = [
        (|record| Record::new([1, 2], record.label), "2 bytes and a label"),
        (|record| Record::new(record.bytes, None), "1 byte and no label"),
        (|_| Record::default(), "0 bytes and no label"),
    ];
    for (change, found) in cases {
        let (_folder, source) = numbers();
        let mut changed = source.select(3..).unwrap().map(change);
        let error = changed.read(&mut Record::default()).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        let expected = "but the facts of its source say 1 byte and a label; correct the function";
        assert_eq!(error.sentence(), format!("record 3: record 3 has {found}, {expected}"));
    }
    let (folder, _) = numbers();
    let mut unlabeled = opened(&folder, "a").map_labels(|label| label);
    let error = unlabeled.read(&mut Record::default()).unwrap_err();
    assert!(error.sentence().contains("these records have no labels"), "{error}");
}

/// An error ends the iteration, which would else go on for ever.
#[test]
fn an_error_is_the_last_record() {
    let folder = folder(&[("cut", &file(8, &[3, 1], &[1, 2]))]);
    let records: Vec<_> = opened(&folder, "cut").into_iter().collect();
    assert!(matches!(&records[..], [Ok(_), Ok(_), Err(_)]), "{records:?}");
    let mut source = opened(&folder, "cut");
    assert_eq!(source.records().take(2).filter(Result::is_ok).count(), 2);
    assert_eq!(source.records().count(), 1);
    // It has failed before.
    assert!(matches!(&source.records().collect::<Vec<_>>()[..], [Err(_)]));
    let mut sum = 0;
    for record in numbers().1 {
        sum += record.unwrap().bytes[0];
    }
    assert_eq!(sum, 66);
}

#[test]
fn parts_become_one_set() {
    let (folder, source) = numbers();
    let [train, val, test] = source.split([0.5, 0.25, 0.25], 1).unwrap();
    let path = folder.path().join("all.npz");
    let set = Set::from_parts([("training", train), ("val", val), ("t10k", test)]).unwrap();
    set.write(&path).unwrap();
    let set = open_set(&path).unwrap();
    let counts = set.parts().map(|(name, source)| (name.to_string(), source.facts().count));
    let expected = [("train", 6), ("test", 3), ("val", 3)];
    let mut counts: Vec<_> = counts.collect();
    counts.sort();
    let mut expected = expected.map(|(name, count)| (name.to_string(), Some(count)));
    expected.sort();
    assert_eq!(counts, expected);
    let wrong = |names: &[&str]| {
        let parts = names.iter().map(|name| (*name, numbers().1));
        Set::from_parts(parts).unwrap_err().kind().code()
    };
    assert_eq!(wrong(&["first"]), "mismatch");
    assert_eq!(wrong(&["train", "training"]), "mismatch");
    assert_eq!(wrong(&["../train"]), "mismatch");
    assert_eq!(wrong(&[]), "mismatch");
}

/// Words have one number in all parts, though one of them lacks a class.
#[test]
fn parts_have_one_list_of_classes() {
    let folder = folder(&[
        ("a.csv", b"label,a,b\nant,1,1\nbee,2,2\ncow,3,3\n"),
        ("b.csv", b"label,a,b\nant,1,1\ncow,3,3\n"),
    ]);
    let set =
        Set::from_parts([("train", opened(&folder, "a.csv")), ("test", opened(&folder, "b.csv"))]);
    assert_eq!(labels(set.unwrap().part("test").unwrap()), [0, 2]);
}

fn picture() -> Vec<u8> {
    let image = DynamicImage::from(GrayImage::from_pixel(3, 2, Luma([9])));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Each format, from memory to memory.
#[test]
fn bytes_in_and_out() {
    let written = |source: Source, format| {
        let mut bytes = Vec::new();
        source.write_to(format, &mut bytes).unwrap();
        bytes
    };
    for (format, name) in [
        (Format::Idx, "a"),
        (Format::IdxGz, "a.gz"),
        (Format::Npy, "a"),
        (Format::Npz, "a"),
        (Format::Csv, "a.csv"),
    ] {
        let source = match format {
            // One array: a stream has no names to choose among several.
            Format::Npz => numbers().1.without_labels(),
            _ => numbers().1,
        };
        let bytes = written(source, format);
        let mut again = OpenOptions::new().open_bytes(name, bytes).unwrap();
        let is_array = format != Format::Csv;
        assert_eq!(again.facts().has_labels, !is_array, "{format}");
        assert_eq!(again.records().map(|record| record.unwrap().bytes[0]).sum::<u8>(), 66);
    }
    // A picture, with the name of one and without.
    for name in ["a.png", "upload"] {
        let mut one = OpenOptions::new().open_bytes(name, picture()).unwrap();
        assert_eq!(one.facts().layout.to_string(), "2 x 3 u8");
        assert_eq!(read(&mut one), [9]);
    }
    let error = OpenOptions::new().open_bytes("a.png", *b"label,1").unwrap_err();
    assert_eq!(error.kind().code(), "malformed");
    let written = numbers().1.write_to(Format::Npy, io::sink()).unwrap();
    assert!(written.dropped_labels && written.records == 12);
}

/// Nothing is written before the last record is read.
#[test]
fn a_writer_gets_all_or_nothing() {
    let folder = folder(&[("cut", &file(8, &[3, 1], &[1, 2]))]);
    let mut bytes = Vec::new();
    assert!(opened(&folder, "cut").write_to(Format::Csv, &mut bytes).is_err());
    assert!(bytes.is_empty());
    assert_eq!(
        numbers().1.write_to(Format::Png, &mut bytes).unwrap_err().kind().code(),
        "unsupported"
    );
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    assert_eq!(numbers().1.write_to(Format::Npy, Full).unwrap_err().kind().code(), "output");
}

/// Failed before: the names were lost.
#[test]
fn a_set_in_memory_writes_the_names_of_its_classes() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    let records = |dims: &[u32], bytes: &[u8]| IdxBuf::from_bytes(file(8, dims, bytes)).unwrap();
    let set = |names: [&str; 2]| {
        let set = Labeled::<[u8; 1], u8>::new(records(&[2, 1], &[5, 6]), records(&[2], &[1, 0]));
        set.unwrap().with_classes(ClassNames::new(names).unwrap())
    };
    let (images, labels) = (path("own-images-idx2-ubyte"), path("own-labels-idx1-ubyte"));
    set(["cat", "dog"]).write(&images, &labels).unwrap();
    let again = open(&images).unwrap();
    assert_eq!(again.facts().classes.as_ref().and_then(|names| names.name(1)), Some("dog"));
    set(["cat", "dog"]).write(&images, &labels).unwrap();
    // The list may be that of older records.
    let before = fs::read(path("own-classes.txt")).unwrap();
    let error = set(["cat", "owl"]).write(&images, &labels).unwrap_err();
    assert_eq!(error.path(), Some(&*path("own-classes.txt")));
    assert_eq!(fs::read(path("own-classes.txt")).unwrap(), before);
}
