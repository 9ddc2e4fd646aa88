//! The format of a file, and the options that a format takes.

use std::fs;
use std::num::NonZeroU64;
use std::path::Path;

use idx_data::{
    Color, ColumnLayout, CreateOptions, DType, Facts, Fit, Format, OpenOptions, Outputs,
    PictureOptions, Record, RecordLayout, RecordSelection, Sink, open,
};
use idx_std::ElementType;
use idx_tests::{file, gzip};

use crate::common::sink;

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
        assert_eq!(format.to_string().parse::<Format>().unwrap(), format);
    }
    assert_eq!("gz".parse::<Format>().unwrap(), Format::IdxGz);
    for name in ["IDX", "bmp", ""] {
        assert!(name.parse::<Format>().is_err(), "{name}");
    }
}

#[test]
fn the_content_tells_whether_idx_is_compressed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels");
    let labels = file(8, &[1], &[7]);
    for (bytes, format) in [(gzip(&labels), Format::IdxGz), (labels, Format::Idx)] {
        fs::write(&path, bytes).unwrap();
        assert_eq!(open(&path).unwrap().formats(), [format]);
    }
}

/// Each format says in the same way that a record has another size, and how many are complete.
#[test]
fn a_record_of_another_size_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let layout = RecordLayout::new(ElementType::U8, &[0, 1, 2]);
    for format in [Format::Idx, Format::Npy, Format::Npz, Format::Csv, Format::Png] {
        let path = folder.path().join(format!("a.{format}"));
        let mut sink = sink(&path, format, &layout).unwrap();
        sink.push(&Record::new([7, 8], None)).unwrap();
        for wrong in [&[7][..], &[7, 8, 9], &[7, 8, 9, 0]] {
            let error = sink.push(&Record::new(wrong, None)).unwrap_err();
            let sentence = format!(
                "a record has 2 bytes, but {} were given; give exactly 2 (after 1 whole record)",
                wrong.len()
            );
            assert_eq!((error.path(), error.sentence()), (Some(&*path), sentence), "{format}");
        }
        assert_eq!(sink.finish().unwrap().records, 1);
    }
}

/// Pictures are decoded ahead, on several threads: skipped ones must not be returned, and no other may be lost.
#[test]
fn pictures_are_skipped_before_and_after_they_are_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    let layout = RecordLayout::new(ElementType::U8, &[0, 1, 1]);
    let mut sink = sink(&path, Format::Png, &layout).unwrap();
    for number in 0..=255 {
        let bytes = vec![number];
        sink.push(&Record::new(bytes, None)).unwrap();
    }
    sink.finish().unwrap();
    for (records, expected) in [
        ("..", (0..=255).collect::<Vec<u8>>()),
        ("0,1,3,200..203,255", vec![0, 1, 3, 200, 201, 202, 255]),
        ("100..102,150..152", vec![100, 101, 150, 151]),
        ("-2..", vec![254, 255]),
    ] {
        let mut source = open(&path).unwrap();
        source = source.select(records.parse::<RecordSelection>().unwrap()).unwrap();
        let mut record = Record::default();
        let mut found: Vec<u8> = Vec::new();
        while source.read(&mut record).unwrap() {
            found.extend(&record.bytes);
        }
        assert_eq!(found, expected, "{records}");
    }
}

/// Failed before: positions did not count damaged pictures, so corrections went to other pictures.
#[test]
fn pictures_that_are_left_out_have_positions() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("1.png", &b"damaged"[..]), ("4.png", b"damaged, too")] {
        let mut source = crate::common::pictures(&folder.path().join("set"));
        assert_eq!(source.facts().count, None);
        drop(source);
        let damaged = folder.path().join("set/0").join(name);
        fs::write(damaged, bytes).unwrap();
        let options = OpenOptions::new().pictures(PictureOptions::new().skip_bad(true));
        source = options.open(folder.path().join("set")).unwrap();
        let indices = |source: &mut idx_data::Source| {
            let (mut record, mut found) = (Record::default(), Vec::new());
            while source.read(&mut record).unwrap() {
                found.push((record.bytes[0], record.index));
            }
            found
        };
        let all = indices(&mut source);
        let last = options.open(folder.path().join("set")).unwrap();
        assert_eq!(indices(&mut last.select(1..).unwrap()), all[1..]);
        // Class 0 has the damaged one between its own or after them; then comes class 1.
        let expected = [(0, 0), (2, if name == "1.png" { 2 } else { 1 }), (1, 3)];
        assert_eq!(all, expected, "{name}");
        fs::remove_dir_all(folder.path().join("set")).unwrap();
    }
}

/// `color_of_files` changes picture files. Pictures in IDX files keep their colors.
#[test]
fn the_color_of_files_is_not_that_of_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // Gray after a red pixel, and a picture that is gray.
    fs::write(path("color.idx"), file(8, &[1, 1, 2, 3], &[255, 0, 0, 9, 9, 9])).unwrap();
    fs::write(path("gray.idx"), file(8, &[1, 1, 2], &[7, 8])).unwrap();
    fs::create_dir(path("both")).unwrap();
    for name in ["gray", "color"] {
        let written = open(path(&format!("{name}.idx"))).unwrap();
        written.write(path(name).join("")).unwrap();
        fs::copy(path(name).join("00000.png"), path("both").join(format!("{name}.png"))).unwrap();
    }
    let options = PictureOptions::new().color_of_files(Color::Gray);
    let options = OpenOptions::new().pictures(options);
    for (name, shape, pixels) in [
        ("color", &[1, 2][..], &[76, 9][..]),
        ("both", &[1, 2], &[76, 9, 7, 8]),
        ("color.idx", &[1, 2, 3], &[255, 0, 0, 9, 9, 9]),
        ("gray.idx", &[1, 2], &[7, 8]),
    ] {
        let (mut source, mut record) = (options.open(path(name)).unwrap(), Record::default());
        assert_eq!(source.facts().layout.record_shape(), shape, "{name}");
        let mut found: Vec<u8> = Vec::new();
        while source.read(&mut record).unwrap() {
            found.extend(&record.bytes);
        }
        assert_eq!(found, pixels, "{name}");
    }
    let given = PictureOptions::new().color_of_files(Color::Gray).color(Color::Rgb);
    let source = OpenOptions::new().pictures(given).open(path("gray")).unwrap();
    assert_eq!(source.facts().layout.record_shape(), [1, 2, 3]);
}

/// The number of records that can be changed is known only at the end. Each other one takes memory, so there is a
/// limit.
#[test]
fn records_that_cannot_be_changed_are_not_counted_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blank.idx");
    let options = PictureOptions::new().fit(Fit::Mnist).skip_bad(true);
    let options = OpenOptions::new().pictures(options);
    let mut record = Record::default();
    for (blank, expected) in [(2, "none of 2 records"), (1 << 17, "nothing in this picture")] {
        fs::write(&path, file(8, &[blank, 1, 1], &vec![0; blank as usize])).unwrap();
        let mut source = options.open(&path).unwrap();
        assert_eq!(source.facts().count, None);
        let error = source.read(&mut record).unwrap_err();
        assert!(error.kind().to_string().starts_with(expected), "{error}");
    }
    // Labels of records that are left out are left out, too.
    fs::write(&path, file(8, &[3, 2, 2], &[0, 255, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0])).unwrap();
    let numbers = folder.path().join("l.idx");
    fs::write(&numbers, file(8, &[3], &[5, 6, 7])).unwrap();
    let labeled = options.open(&path).unwrap().with_labels(open(numbers).unwrap()).unwrap();
    let set = labeled.collect::<[[u8; 28]; 28], u8>().unwrap();
    assert!(set.labels().eq([5, 7]));
}

/// The label of a row is not part of its record, even if labels are not read.
#[test]
fn rows_without_a_header_have_labels_that_are_asked_for() {
    let options = OpenOptions::new().raw(ElementType::U8).shape([2]).label_column(1);
    for has_labels in [true, false] {
        let options = options.clone().labels(has_labels);
        let mut source = options.open_stream("rows", Box::new(&[1, 7, 2, 3, 8, 4][..])).unwrap();
        assert_eq!(source.facts().has_labels, has_labels);
        let mut record = Record::default();
        for (bytes, label) in [([1, 2], 7), ([3, 4], 8)] {
            assert!(source.read(&mut record).unwrap());
            assert_eq!(record.bytes, bytes);
            assert_eq!(record.label, has_labels.then_some(label));
        }
        assert!(!source.read(&mut record).unwrap());
    }
    // Whole numbers in fractions have the narrowest type.
    let fractions =
        options.clone().raw(ElementType::F32).open_stream("rows", Box::new(&[0; 12][..]));
    let fractions = fractions.unwrap();
    assert_eq!((fractions.facts().has_labels, fractions.facts().label_type), (true, None));
    let error = options.label_column(3).open_stream("rows", Box::new(&[0; 6][..]));
    let error = error.unwrap_err();
    assert!(error.to_string().contains("there is no column 3"), "{error}");
    let error = OpenOptions::new().raw(ElementType::U8).shape([2, 0]);
    let error = error.open_stream("rows", Box::new(&[0; 6][..])).unwrap_err();
    assert!(error.to_string().contains("has no size in bytes"), "{error}");
}

/// Programs dump sensors as u16, which IDX does not have.
#[test]
fn rows_without_a_header_have_numbers_of_any_type() {
    let mut record = Record::default();
    for (dtype, rows, read_as, number) in [
        (DType::U16, &[7, 0, 2, 1][..], DType::U16, &[1, 2][..]),
        (
            DType::U64,
            &[7, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0],
            DType::U64,
            &[0, 0, 0, 0, 0, 0, 1, 2],
        ),
        (DType::F16, &[0, 0x47, 0, 0x3C], ElementType::F32.into(), &[0x3F, 0x80, 0, 0]),
    ] {
        let options = OpenOptions::new().raw(dtype).shape([1]).label_column(0);
        let mut source = options.open_stream("rows", Box::new(rows)).unwrap();
        assert_eq!(source.facts().layout.dtype, read_as);
        assert!(source.read(&mut record).unwrap());
        assert_eq!((&record.bytes[..], record.label), (number, Some(7)));
        assert!(!source.read(&mut record).unwrap());
    }
}

#[test]
fn outputs_take_labels_if_they_are_made_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let layout = RecordLayout::new(ElementType::U8, &[0, 1, 2]);
    for format in [Format::Csv, Format::Png, Format::Parquet] {
        for label_type in [None, Some(ElementType::U8)] {
            let name = format!("{format}-{}", label_type.is_some());
            let mut facts = Facts::new(layout.clone(), None);
            facts.has_labels = label_type.is_some();
            let options = CreateOptions::new().format(format);
            let Ok(mut sink) = Sink::create(folder.path().join(name), &facts, &options) else {
                continue; // its feature is off
            };
            for label in [None, Some(7)] {
                let pushed = sink.push(&Record::new(vec![1, 2], label));
                let code = pushed.map_err(|error| error.kind().code());
                let is_taken = label.is_some() == label_type.is_some();
                assert_eq!(code, if is_taken { Ok(()) } else { Err("mismatch") }, "{format}");
            }
            sink.finish().unwrap();
        }
    }
}

#[test]
fn options_that_a_format_does_not_take_have_no_effect() {
    let folder = tempfile::tempdir().unwrap();
    let layout = RecordLayout::new(ElementType::U8, &[0, 1, 2]);
    let (new, one) = (CreateOptions::new, NonZeroU64::MIN);
    let none = folder.path().join("none.idx");
    idx_std::save(&none, &[0, 1, 2], &[0_u8; 0]).unwrap();
    let mut facts = Facts::new(layout.clone(), None);
    for (format, options, unused) in [
        (Format::Idx, new().shards(one), "shards"),
        (Format::Npy, new().layout(ColumnLayout::Binary), "layout"),
        (Format::Csv, new().layout(ColumnLayout::List), "layout"),
        (Format::Csv, new().shards(one), "shards"),
        (Format::Csv, new().label_type(ElementType::I16), "label_type"),
        (Format::Idx, new().label_type(ElementType::I16), "label_type"),
        (Format::IdxGz, new().header(false), "header"),
    ] {
        let options = options.format(format);
        let mut outputs = Outputs::new(&options);
        outputs.add(open(&none).unwrap(), folder.path().join("a")).unwrap();
        assert_eq!(outputs.unused(), [unused]);
    }
    facts.has_labels = true;
    let fractions = new().label_type(ElementType::F32);
    let created = Sink::create(folder.path().join("a.npy"), &facts, &fractions).map(drop);
    let message = "labels are integers, and f32 is for fractions; choose another label type";
    assert_eq!(created.unwrap_err().kind().to_string(), message);

    let set = folder.path().join("set");
    let mut sink = sink(&set, Format::Png, &layout).unwrap();
    sink.push(&Record::new(vec![1, 2], None)).unwrap();
    sink.finish().unwrap();
    let mnist = || PictureOptions::new().fit(Fit::Mnist);
    let fit = "`mnist` makes gray pictures of 28 x 28, bright on black; leave out the size, the colors and the inversion";
    for (options, message) in [
        (OpenOptions::new().pictures(mnist().size([32, 32])), fit),
        (OpenOptions::new().pictures(mnist().color(Color::Rgb)), fit),
        (OpenOptions::new().pictures(mnist().invert(true)), fit),
    ] {
        assert_eq!(options.open(&set).map(drop).unwrap_err().kind().to_string(), message);
    }
    let column = OpenOptions::new().column(1);
    let opened = column.open(&set).unwrap();
    assert_eq!(column.unused(opened.reading()), ["column"]);
}
