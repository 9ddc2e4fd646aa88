//! Sources from bytes in memory, and to any writer.

use std::fs;
use std::io::{self, Cursor, Write};

use idx_data::{Format, OpenOptions, Set, Source, open};
use idx_tests::file;
use image::{DynamicImage, GrayImage, ImageFormat, Luma};

use crate::common::{folder, labels, numbers, opened, read};

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

#[test]
fn an_archive_has_its_labels_from_memory_as_well() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.idx"), file(8, &[2, 2], b"abcd")).unwrap();
    fs::write(path("a-labels.idx"), file(8, &[2], &[7, 9])).unwrap();
    open(path("a.idx")).unwrap().write(path("a.npz")).unwrap();
    let in_memory = |name: &str| OpenOptions::new().open_bytes("-", fs::read(path(name)).unwrap());
    assert_eq!(labels(in_memory("a.npz").unwrap()), [7, 9]);
    assert_eq!(read(&mut in_memory("a.npz").unwrap()), b"ac");
    let parts = ["train", "test"].map(|part| (part, open(path("a.idx")).unwrap()));
    Set::from_parts(parts).unwrap().write(path("set.npz")).unwrap();
    let error = in_memory("set.npz").unwrap_err().to_string();
    assert!(error.contains("the parts train, test, and a stream is read as one"), "{error}");
}
