//! The formats that `idx_std::formats` knows, by the names of files.

use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use idx_std::ElementType;
use idx_std::formats::{
    ErrorKind, Format, Labels, Language, Record, RecordLayout, RecordSource, SinkOptions,
    SourceOptions, create, detect, open, open_stream, write_source_code,
};
use idx_tests::{file, gzip};

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
        ("a.tsv.gz", None),
        ("images-idx3-ubyte.tsv", None),
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
    assert_eq!(Format::from_name("gz"), Some(Format::IdxGz));
    for name in ["IDX", "bmp", ""] {
        assert_eq!(Format::from_name(name), None, "{name}");
    }
}

#[test]
fn the_content_tells_whether_idx_is_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels");
    let labels = file(8, &[1], &[7]);
    for (bytes, format) in [(gzip(&labels), Format::IdxGz), (labels, Format::Idx)] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(detect(&path, &SourceOptions::default()).unwrap(), format);
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

/// Failed before: a Parquet file at its end started again.
#[test]
fn a_source_at_its_end_stays_there() {
    let folder = tempfile::tempdir().unwrap();
    for format in Format::ALL {
        for (records, threads) in [(0, 1), (300, 1), (0, 2), (300, 2)] {
            let path = folder.path().join(format!("{format}-{records}-{threads}"));
            let layout = RecordLayout::new(ElementType::U8, &[records, 2]);
            let Ok(mut sink) = create(&path, format, &layout, &SinkOptions::default()) else {
                continue; // its feature is off
            };
            for _ in 0..records {
                let bytes = vec![1, 2];
                sink.push(&Record { bytes, label: None }).unwrap();
            }
            sink.finish().unwrap();
            let options =
                SourceOptions { threads: NonZeroUsize::new(threads), ..SourceOptions::default() };
            let Ok(mut source) = open(&path, &options) else {
                assert_eq!(records, 0, "{format}: records that were just written");
                continue;
            };
            let mut record = Record::default();
            for _ in 0..records {
                assert!(source.read(&mut record).unwrap(), "{format}");
            }
            for _ in 0..3 {
                assert!(!source.read(&mut record).unwrap(), "{format}");
            }
        }
    }
}

/// All records of csv with their labels, and then the error if there is one.
fn records_of(text: impl Read + 'static, threads: usize) -> (Vec<u8>, Vec<i128>, Option<String>) {
    let options = SourceOptions {
        labels: Labels::Expected,
        threads: NonZeroUsize::new(threads),
        ..SourceOptions::default()
    };
    let mut source = open_stream("a.csv", Box::new(text), &options).unwrap();
    let (mut record, mut bytes, mut labels) = (Record::default(), Vec::new(), Vec::new());
    loop {
        match source.read(&mut record) {
            Ok(true) => {
                bytes.extend(&record.bytes);
                labels.extend(record.label);
            }
            Ok(false) => return (bytes, labels, None),
            Err(error) => return (bytes, labels, Some(error.to_string())),
        }
    }
}

/// Fails where the text ends, and before the first byte that is written.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is broken"))
    }
}

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is broken"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All of it is in memory until the end.
#[test]
fn short_source_code_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels");
    fs::write(&path, file(8, &[1], &[7])).unwrap();
    for language in [Language::Rust, Language::C, Language::Verilog] {
        let error = write_source_code(&path, language, &mut Broken).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Output(_)), "{error}");
    }
}

/// Is interrupted by a signal before each byte.
struct Interrupted<'a>(&'a [u8], bool);

impl Read for Interrupted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        match self.1 {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => self.0.read(&mut buffer[..1]),
        }
    }
}

#[test]
fn an_interrupted_read_of_csv_goes_on() {
    let records = records_of(Interrupted(b"7,1,2\n8,3,4\n", false), 1);
    assert_eq!(records, (vec![1, 2, 3, 4], vec![7, 8], None));
}

/// A number in quotes is complete only with the second one.
#[test]
fn csv_that_ends_within_quotes_is_truncated() {
    let (bytes, labels, error) = records_of(&b"7,1,2\n8,3,\"45\""[..], 1);
    assert_eq!((bytes, labels, error), (vec![1, 2, 3, 45], vec![7, 8], None));
    for last in ["8,3,\"4", "8,\"3,45\n9,1,2\n", "8,3,\"", "\"", "8,3,\"4\"\""] {
        let text = Cursor::new(format!("7,1,2\n{last}"));
        let (bytes, labels, error) = records_of(text, 1);
        assert_eq!((bytes, labels), (vec![1, 2], vec![7]), "{last}");
        let error = error.unwrap();
        assert!(error.contains("quotes that line 2 opens"), "{error}");
    }
    let names = SourceOptions { header: true, ..SourceOptions::default() };
    let text = Box::new(&b"\"label,pixel\n7,1\n8,2\n"[..]);
    let error = open_stream("a.csv", text, &names).map(drop).unwrap_err();
    assert!(error.to_string().contains("quotes that line 1 opens"), "{error}");
}

/// Threads parse plain lines ahead. Any other line may begin a field of several lines, or be an error.
#[test]
fn the_number_of_threads_changes_no_record_and_no_error_of_csv() {
    const COUNT: usize = 6_000;
    let line = |number: usize| -> String {
        let mut line = (number % 10).to_string();
        for column in 0..50 {
            line += &format!(",{}", (number * 7 + column * 13) % 256);
        }
        line + "\n"
    };
    let text: Vec<String> = (0..COUNT).map(line).collect();
    let with = |number: usize, line: &str| {
        let mut text = text.clone();
        text[number] = line.to_string();
        text.concat()
    };
    let elements = ",1".repeat(49);
    let not_plain = [
        format!("5{elements}, 1\n"),
        format!("5{elements},1\r\n"),
        format!("5{elements},\"1\n\"\n"),
        format!("5{elements},\"1\n2,3\"\n"),
        format!("5{elements},256\n"),
        format!("5{elements}\n"),
        format!("5{elements},x"),
        format!("5{elements},{}1\n", "0".repeat(600_000)),
        "\n\n".to_string(),
        "\"".to_string(),
        String::new(),
    ];
    let mut texts = vec![text.concat(), text.concat().trim_end().to_string()];
    for number in [COUNT / 2, COUNT - 1] {
        texts.extend(not_plain.iter().map(|line| with(number, line)));
    }
    for text in texts {
        let of_one = records_of(Cursor::new(text.clone()), 1);
        let broken = records_of(Cursor::new(text.clone()).chain(Broken), 1);
        assert_eq!(of_one.0.len() % 50, 0);
        for threads in [2, 3] {
            assert!(records_of(Cursor::new(text.clone()), threads) == of_one);
            let broken_too = records_of(Cursor::new(text.clone()).chain(Broken), threads);
            assert!(broken_too == broken);
        }
    }
}
