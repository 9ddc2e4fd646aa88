//! Sources from bytes in memory, and to any writer.

use std::io::{self, Cursor, Write};

use idx_data::{ClassNames, Format, OpenOptions, Set, Source};
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
    // A picture, under the name of a picture and under another one.
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

/// An upload is read as the file would be: its records with their labels, one part, or one array.
#[test]
fn an_archive_in_memory_is_read_as_a_file() {
    let folder = folder(&[]);
    let [train, test] = numbers().1.split([0.5, 0.5], 1).unwrap();
    let set = Set::from_parts([("train", train), ("test", test)]).unwrap();
    set.write(folder.path().join("a.npz")).unwrap();
    let bytes = std::fs::read(folder.path().join("a.npz")).unwrap();
    let records = |source: Source| source.into_iter().map(Result::unwrap).collect::<Vec<_>>();
    for chosen in [":train", ":test", ":x_test", ":y_train"] {
        let of_file = records(opened(&folder, &format!("a.npz{chosen}")));
        let upload = OpenOptions::new().open_bytes(format!("b.npz{chosen}"), bytes.clone());
        assert_eq!(records(upload.unwrap()), of_file, "{chosen}");
        let upload = OpenOptions::new().open_bytes(format!("upload{chosen}"), bytes.clone());
        assert_eq!(records(upload.unwrap()), of_file, "{chosen}");
    }
    for (name, expected) in [
        ("b.npz", "b.npz: this set has several parts; give one, such as b.npz:train or b.npz:test"),
        ("b.npz:z", "b.npz:z: the archive has no array z; choose one of "),
        ("b.npz:val", "b.npz: there is no part val; give one, such as"),
    ] {
        let error = OpenOptions::new().open_bytes(name, bytes.clone()).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    let all = Box::new(Cursor::new(bytes.clone()));
    let all = OpenOptions::new().open_set_stream("b.npz", all).unwrap();
    for (part, source) in all.into_parts() {
        assert_eq!(records(source), records(opened(&folder, &format!("a.npz:{part}"))));
    }
    let labels = OpenOptions::new().as_labels().open_bytes("b.npz:y_train", bytes.clone());
    let with = OpenOptions::new().open_bytes("b.npz:x_train", bytes.clone()).unwrap();
    let with = with.with_labels(labels.unwrap()).unwrap();
    assert_eq!(records(with), records(opened(&folder, "a.npz:train")));
    let without = OpenOptions::new().labels(false).open_bytes("b.npz:train", bytes).unwrap();
    assert!(!without.facts().has_labels);
}

/// Failed before: words of a stream kept the numbers of their order, whatever names were given.
#[test]
fn words_in_memory_get_the_numbers_of_the_given_names() {
    let table = b"label,a\ncat,1\ndog,2\n";
    let folder = folder(&[("a.csv", table)]);
    for (names, expected) in
        [([(0, "dog"), (1, "cat")], [1, 0]), ([(7, "dog"), (3, "cat")], [3, 7])]
    {
        let names = ClassNames::of(names.map(|(label, name)| (label, name.to_string()))).unwrap();
        let options = OpenOptions::new().classes(names.clone());
        let of_file = options.open(folder.path().join("a.csv")).unwrap();
        let upload = options.open_bytes("b.csv", *table).unwrap();
        assert_eq!(upload.facts().classes, Some(names));
        assert_eq!([labels(of_file), labels(upload)], [expected, expected]);
    }
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
