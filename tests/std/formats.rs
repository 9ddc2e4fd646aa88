//! The formats that `idx_std::formats` knows, by the names of files.

use std::path::Path;

use idx_std::ElementType;
use idx_std::formats::{
    Format, Record, RecordLayout, RecordSource, SinkOptions, SourceOptions, create, open,
};

#[test]
fn names_tell_the_format() {
    let table = [
        ("a.idx", Some(Format::Idx)),
        ("a.IDX", Some(Format::Idx)),
        ("train-images-idx3-ubyte", Some(Format::Idx)),
        ("train-images.idx3-ubyte", Some(Format::Idx)),
        ("labels-idx1-int", Some(Format::Idx)),
        ("train-images-idx3-ubyte.gz", Some(Format::IdxGz)),
        ("a.gz", Some(Format::IdxGz)),
        ("a.npy", Some(Format::Npy)),
        ("folder/a.csv", Some(Format::Csv)),
        ("a.parquet", Some(Format::Parquet)),
        ("a.csv/", Some(Format::Png)),
        (".", Some(Format::Png)),
        ("a.npy.gz", None),
        ("a.csv.gz", None),
        ("a.parquet.gz", None),
        ("idx-idx", None),
        ("idx3", None),
        ("a", None),
        ("-", None),
    ];
    for (name, format) in table {
        assert_eq!(Format::from_path(Path::new(name)), format, "{name}");
    }
    for format in Format::ALL {
        assert_eq!(Format::from_name(&format.to_string()), Some(format));
    }
}

/// Pictures are decoded ahead, on several threads: those that are skipped must not come, and no other is lost.
#[test]
fn pictures_are_skipped_before_and_after_they_are_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    let layout = RecordLayout::new(ElementType::U8, &[0, 1, 1]);
    let mut sink = create(&path, Format::Png, &layout, &SinkOptions::default()).unwrap();
    for number in 0..=255 {
        let bytes = vec![number];
        sink.push(&Record { bytes, label: None }).unwrap();
    }
    sink.finish().unwrap();
    for (records, expected) in [
        ("..", (0..=255).collect::<Vec<u8>>()),
        ("0,1,3,200..203,255", vec![0, 1, 3, 200, 201, 202, 255]),
        ("100..102,150..152", vec![100, 101, 150, 151]),
        ("-2..", vec![254, 255]),
    ] {
        let mut source = open(&path, &SourceOptions::default()).unwrap();
        source.select_records(&records.parse().unwrap()).unwrap();
        let mut record = Record::default();
        let mut found: Vec<u8> = Vec::new();
        while source.read(&mut record).unwrap() {
            found.extend(&record.bytes);
        }
        assert_eq!(found, expected, "{records}");
    }
}
