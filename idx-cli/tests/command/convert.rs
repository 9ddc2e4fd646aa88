//! `idx convert`: there and back between all formats, and what it refuses.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{Folder, extremes};
use idx_std::ElementType;
use idx_tests::{file, gzip, npy, real_data};

/// Two records of 2 x 3.
fn images(element_type: ElementType) -> Vec<u8> {
    file(element_type.code(), &[2, 2, 3], &extremes(element_type))
}

fn bytes() -> Vec<u8> {
    images(ElementType::U8)
}

#[test]
fn there_and_back_between_all_formats_with_all_types() {
    for element_type in ElementType::ALL {
        let idx = images(element_type);
        let folder = Folder::new(&[("start.idx", &idx)]);
        let mut formats = vec!["a.idx", "a.gz", "a.npy", "a.csv"];
        if element_type == ElementType::U8 {
            formats.push("a/");
        }
        let convert = |from: &str, to: &str| {
            // What a csv file does not state.
            let name = element_type.name();
            let csv = ["--as", name, "--shape", "2x3"];
            let options: &[&str] = if from.ends_with("csv") { &csv } else { &[] };
            if to.ends_with('/') {
                let _ = fs::remove_dir_all(folder.0.path().join(to));
            }
            folder.convert(&[&[from, "--force", "-o", to], options].concat());
        };
        for first in &formats {
            convert("start.idx", first);
            for second in &formats {
                let second = second.replace('a', "b");
                convert(first, &second);
                convert(&second, "end.idx");
                assert!(folder.read("end.idx") == idx, "{element_type} {first} {second}");
                if second.ends_with('/') {
                    continue;
                }
                // From two sources it is the same file, too.
                let once = second.replace('b', "c");
                convert("start.idx", &once);
                assert!(folder.read(&once) == folder.read(&second), "{first} {second}");
            }
        }
    }
}

#[test]
fn all_ranks_and_shapes_that_a_format_holds() {
    for (sizes, count) in [
        (&[][..], 1),
        (&[3], 3),
        (&[0], 0),
        (&[3, 1], 3),
        (&[2, 0, 3], 0),
        (&[0, 28, 28], 0),
        (&[1, 1, 1, 2, 1, 1, 1, 1], 2),
        (&[1; 64], 1),
        (&[1; 255], 1),
    ] {
        let idx = file(0x0B, sizes, &vec![7; 2 * count]);
        let folder = Folder::new(&[("a.idx", &idx)]);
        for between in ["b.idx", "b.gz", "b.npy"] {
            if sizes.len() > 64 && between == "b.npy" {
                continue; // more than NumPy reads
            }
            folder.convert(&["a.idx", "-o", between]);
            folder.convert(&[between, "--force", "-o", "c.idx"]);
            assert_eq!(folder.read("c.idx"), idx, "{sizes:?} {between}");
        }
    }
    // Without columns csv has no line.
    let folder = Folder::new(&[
        ("none.idx", &file(8, &[0, 2, 3], &[])),
        ("empty.idx", &file(8, &[2, 0, 3], &[])),
    ]);
    folder.convert(&["none.idx", "-o", "none.csv"]);
    // The names of its columns are the shape.
    folder.convert(&["none.csv", "-o", "back.idx"]);
    assert_eq!(folder.read("back.idx"), folder.read("none.idx"));
    assert_eq!(
        folder.refused(&["empty.idx", "-o", "empty.csv"]),
        "empty.csv: records of 0 x 3 have no numbers, which csv cannot hold; write npy"
    );
}

#[test]
fn a_nan_keeps_its_bits_but_in_csv() {
    let signalling = file(0x0D, &[1], &[0xFF, 0x80, 0x12, 0x34]);
    let folder = Folder::new(&[("a.idx", &signalling)]);
    for between in ["b.gz", "b.npy"] {
        folder.convert(&["a.idx", "-o", between]);
        folder.convert(&[between, "--as", "f32", "--force", "-o", "c.idx"]);
        assert_eq!(folder.read("c.idx"), signalling);
    }
    folder.convert(&["a.idx", "-o", "b.csv"]);
    assert_eq!(folder.read("b.csv"), b"value\nNaN\n");
    folder.convert(&["b.csv", "--as", "f32", "-o", "d.idx"]);
    assert_eq!(folder.read("d.idx"), file(0x0D, &[1], &f32::NAN.to_be_bytes()));
}

#[test]
fn npy_in_each_order_and_of_each_type() {
    let idx = file(0x0B, &[2, 2, 3], &(1..=12).flat_map(|n| [0, n]).collect::<Vec<u8>>());
    // The element of each place in the file.
    let fortran = [1, 7, 4, 10, 2, 8, 5, 11, 3, 9, 6, 12];
    let plain = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    let folder = Folder::new(&[]);
    for (elements, in_fortran_order) in [(plain, false), (fortran, true)] {
        for big_endian in [false, true] {
            let pair = |n| if big_endian { [0, n] } else { [n, 0] };
            let payload: Vec<u8> = elements.into_iter().flat_map(pair).collect();
            let descr = if big_endian { ">i2" } else { "<i2" };
            folder.write("a.npy", &npy(descr, in_fortran_order, &[2, 2, 3], &payload));
            folder.convert(&["a.npy", "--force", "-o", "a.idx"]);
            assert_eq!(folder.read("a.idx"), idx, "{descr} {in_fortran_order}");
        }
    }
    for (number_type, descr, size) in
        [("u16", "<u2", 2), ("u32", "<u4", 4), ("u64", "<u8", 8), ("i64", "<i8", 8)]
    {
        let wide = |n: u64| n.to_le_bytes().into_iter().take(size);
        let payload: Vec<u8> = plain.into_iter().map(u64::from).flat_map(wide).collect();
        folder.write("a.npy", &npy(descr, false, &[2, 2, 3], &payload));
        assert_eq!(
            folder.refused(&["a.npy", "-o", "b.idx"]),
            format!(
                "a.npy: IDX does not have {number_type}, the type of these numbers; choose another \
                 element type with `--as`"
            )
        );
        folder.convert(&["a.npy", "--as", "i16", "--force", "-o", "a.idx"]);
        assert_eq!(folder.read("a.idx"), idx);
    }
}

#[test]
fn csv_of_other_programs() {
    let folder = Folder::new(&[]);
    for (csv, options, expected) in [
        ("9,2\r\n3,4\r\n", &[][..], file(8, &[2, 2], &[9, 2, 3, 4])),
        ("\u{FEFF}9, 2\n\n 3 ,\"4\"", &[], file(8, &[2, 2], &[9, 2, 3, 4])),
        ("9\n2\n", &[], file(8, &[2], &[9, 2])),
        ("9\n2\n", &["--shape", "1"], file(8, &[2, 1], &[9, 2])),
        ("a,b\n1,2\n", &["--header"], file(8, &[1, 2], &[1, 2])),
        ("a,b\n", &["--header"], file(8, &[0, 2], &[])),
        ("5.000000000000000000e+00,255\n", &[], file(8, &[1, 2], &[5, 255])),
        ("-1,+7\n", &["--as", "i8"], file(9, &[1, 2], &[255, 7])),
        (
            "inf,-infinity\n",
            &["--as", "f32"],
            file(0x0D, &[1, 2], &[0x7F, 0x80, 0, 0, 0xFF, 0x80, 0, 0]),
        ),
    ] {
        folder.write("a.csv", csv.as_bytes());
        folder.convert(&[&["a.csv", "--force", "-o", "a.idx"], options].concat());
        assert_eq!(folder.read("a.idx"), expected, "{csv:?}");
    }
    for (csv, options, message) in [
        (
            "9,2\n3,4,5\n",
            &[][..],
            "record 1 (line 2): the line has 3 columns, the first has 2; correct the line",
        ),
        (
            "9,2\n3\n",
            &[],
            "record 1 (line 2): the line has 1 column, the first has 2; correct the line",
        ),
        (
            "9,2\n3,300\n",
            &[],
            "record 1 (line 2), column 1: 300 does not fit u8; choose another element type with `--as`",
        ),
        ("9,2\n3,x\n", &[], "record 1 (line 2), column 1: \"x\" is not a number"),
        (
            "9,\n",
            &[],
            "record 0 (line 1), column 1: \"\" is not a number; if the first line names the columns, say so with `--header`",
        ),
        ("a,b\nc,2\n", &["--header"], "record 0 (line 2), column 0: \"c\" is not a number"),
        (
            "9\n1.5\n",
            &["--as", "i16"],
            "record 1 (line 2), column 0: 1.5 does not fit i16; choose another element type with `--as`",
        ),
        (
            "0.5,0.25\n",
            &["--as", "f32", "--scale", "-1..1"],
            "record 0 (line 1), column 0: 0.5 does not fit u8; choose another element type with `--as`",
        ),
        (
            "9\n1e39\n",
            &["--as", "f32"],
            "record 1 (line 2), column 0: \"1e39\" does not fit f32; choose another element type with `--as`",
        ),
        (
            "9\n16777217\n",
            &["--as", "f32"],
            "record 1 (line 2), column 0: 16777217 does not fit f32; choose another element type with `--as`",
        ),
        ("9\n1e309\n", &["--as", "f64"], "record 1 (line 2), column 0: \"1e309\" does not fit f64"),
        (
            "9,2\n",
            &["--shape", "3"],
            "a record of 2 cannot have the shape 3, whose sizes multiply to another number; choose sizes that multiply to the same",
        ),
        ("", &[], "there are no numbers; give the shape of a record with `--shape`"),
        (
            "a,b,label\n1,10,20,3\n",
            &["--header"],
            "record 0 (line 2): the line has 4 columns, the header has 3 names; correct the header, or write the \
             table without names of its rows",
        ),
        (
            "label,a\n5\n",
            &["--header"],
            "record 0 (line 2): the line has 1 column, the header has 2 names; correct the header, or write the \
             table without names of its rows",
        ),
        (
            ",label,a\n0,7,1\n",
            &["--header"],
            "the first column has no name, as the row numbers that pandas and R write; write the table without them \
             (`index=False`, `row.names=FALSE`)",
        ),
        (
            ",a,b\n0,7,1\n",
            &["--header"],
            "the first column has no name, as the row numbers that pandas and R write; write the table without them \
             (`index=False`, `row.names=FALSE`)",
        ),
        ("1e-400,2\n", &[], "record 0 (line 1), column 0: \"1e-400\" does not fit u8"),
        (
            "2147483647.00000001\n",
            &["--as", "i32"],
            "record 0 (line 1), column 0: \"2147483647.00000001\" does not fit i32; choose another element type with \
             `--as`",
        ),
        (
            "16777217.0\n",
            &["--as", "f32"],
            "record 0 (line 1), column 0: 16777217 does not fit f32; choose another element type with `--as`",
        ),
        (
            "9007199254740993.0\n",
            &["--as", "f64"],
            "record 0 (line 1), column 0: 9007199254740993 does not fit f64; IDX has no type for it, so round it first",
        ),
    ] {
        folder.write("a.csv", csv.as_bytes());
        let refused = folder.refused(&[&["a.csv", "-o", "b.idx"], options].concat());
        assert_eq!(refused, format!("a.csv: {message}"), "{csv:?}");
    }
}

#[test]
fn ranges_count_through_joined_inputs() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3], &[0, 1, 2])),
        ("b.npy", &npy("|u1", false, &[2], &[3, 4])),
        ("c.csv", b"5\n6\n"),
        ("d.idx", &file(8, &[1, 1], &[0])),
    ]);
    let all = ["a.idx", "b.npy", "c.csv"];
    for (range, expected) in [
        ("..", &[0, 1, 2, 3, 4, 5, 6][..]),
        ("2..4", &[2, 3]),
        ("4..", &[4, 5, 6]),
        ("..1", &[0]),
        ("6", &[6]),
        ("7..7", &[]),
        ("3..3", &[]),
        ("6..8", &[6]),
        ("1,3..5,6", &[1, 3, 4, 6]),
        ("..99", &[0, 1, 2, 3, 4, 5, 6]),
    ] {
        let options = ["--records", range, "--force", "-o", "out.csv"];
        folder.convert(&[&all[..], &options].concat());
        let lines = String::from_utf8(folder.read("out.csv")).unwrap();
        let numbers: Vec<u8> = lines.lines().skip(1).map(|line| line.parse().unwrap()).collect();
        assert_eq!(numbers, expected, "{range}");
    }
    let beyond = "the range goes beyond the last record; there are";
    for range in ["8..", "1,8..9", "0..3,7"] {
        let options = ["--records", range, "-o", "x.idx"];
        let message = folder.refused(&[&all[..], &options].concat());
        assert_eq!(message, format!("c.csv: {beyond} 7 records, counted from 0"), "{range}");
    }
    let message = folder.refused(&["c.csv", "--records", "-1..", "-o", "x.idx"]);
    assert!(
        message.starts_with("c.csv: the number of records is not known in advance"),
        "{message}"
    );
    let message = folder.refused(&["a.idx", "--records", "1,4", "-o", "x.idx"]);
    assert_eq!(message, format!("a.idx: {beyond} 3 records, counted from 0"));
    assert_eq!(
        folder.refused(&["a.idx", "d.idx", "-o", "x.idx"]),
        "d.idx: cannot join inputs: the records of this one are 1 u8, those before are single u8"
    );
    folder.write("wide.idx", &file(0x0B, &[1], &[0, 0]));
    assert_eq!(
        folder.refused(&["a.idx", "wide.idx", "-o", "x.idx"]),
        "wide.idx: cannot join inputs: the records of this one are single i16, those before are single u8"
    );
}

#[test]
fn some_of_each_class() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[6], &[10, 11, 12, 13, 14, 15])),
        ("l.idx", &file(9, &[6], &[1, 0xFF, 1, 1, 0xFF, 0xFF])),
    ]);
    let cut = |count, more: &[&'static str]| {
        let options =
            ["a.idx", "--labels", "l.idx", "--per-class", count, "--force", "-o", "b.idx"];
        [&options[..], more].concat()
    };
    folder.convert(&cut("2", &[]));
    assert_eq!(folder.read("b.idx"), file(8, &[4], &[10, 11, 12, 14]));
    assert_eq!(folder.read("b-labels.idx"), file(9, &[4], &[1, 0xFF, 1, 0xFF]));
    folder.convert(&cut("1", &["--records", "3.."]));
    assert_eq!(folder.read("b.idx"), file(8, &[2], &[13, 14]));
    assert_eq!(
        folder.refused(&cut("4", &[])),
        "a.idx: label -1 has only 3 records; take 3 or fewer per class"
    );
}

// Linux has sparse files nearly everywhere.
#[cfg(target_os = "linux")]
#[test]
fn records_of_a_plain_file_are_found_by_position() {
    // 64 GiB, which take longer to read than this is allowed to.
    let (count, size) = (1_u32 << 26, 1_u32 << 10);
    let folder = Folder::new(&[("a.idx", &file(8, &[count, size], &[]))]);
    let path = folder.0.path().join("a.idx");
    let written = fs::OpenOptions::new().write(true).open(path);
    if let Err(error) = written.unwrap().set_len(12 + u64::from(count) * u64::from(size)) {
        idx_tests::skip(&format!("records by position: no sparse file here: {error}"));
        return;
    }
    let start = Instant::now();
    folder.convert(&["a.idx", "--records", "67108862..", "-o", "b.idx"]);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(folder.read("b.idx"), file(8, &[2, size], &[0; 2048]));
}

#[test]
fn a_type_holds_each_value_or_says_which_not() {
    let numbers: Vec<u8> = [0i16, 7, -1, 300].into_iter().flat_map(i16::to_be_bytes).collect();
    let folder = Folder::new(&[("a.idx", &file(0x0B, &[2, 2], &numbers))]);
    assert_eq!(
        folder.refused(&["a.idx", "--as", "u8", "-o", "b.idx"]),
        "a.idx: record 1: -1 does not fit u8; choose another element type with `--as`"
    );
    assert_eq!(
        folder.refused(&["a.idx", "a.idx", "--records", "3", "--as", "i8", "-o", "b.idx"]),
        "a.idx: record 1: 300 does not fit i8; choose another element type with `--as`"
    );
    for wider in ["i32", "f32", "f64"] {
        folder.convert(&["a.idx", "--as", wider, "--force", "-o", "b.idx"]);
        folder.convert(&["b.idx", "--as", "i16", "--force", "-o", "c.idx"]);
        assert_eq!(folder.read("c.idx"), folder.read("a.idx"));
    }
    folder.convert(&["a.idx", "--records", "0", "--as", "u8", "--force", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[1, 2], &[0, 7]));
}

#[test]
fn images_are_transposed() {
    let folder = Folder::new(&[]);
    for (sizes, transposed, elements) in [
        (&[1, 2, 3][..], &[1, 3, 2][..], [0, 3, 1, 4, 2, 5]),
        (&[1, 2, 1, 3], &[1, 1, 2, 3], [0, 1, 2, 3, 4, 5]),
        (&[1, 3, 1, 2], &[1, 3, 2, 1], [0, 1, 2, 3, 4, 5]),
        (&[1, 3, 2, 1], &[1, 3, 1, 2], [0, 1, 2, 3, 4, 5]),
    ] {
        let wide = |element: u8| [9, element];
        folder.write("a.idx", &file(0x0B, sizes, &(0..6).flat_map(wide).collect::<Vec<u8>>()));
        folder.convert(&["a.idx", "--transpose", "--force", "-o", "b.idx"]);
        let expected: Vec<u8> = elements.into_iter().flat_map(wide).collect();
        assert_eq!(folder.read("b.idx"), file(0x0B, transposed, &expected));
        folder.convert(&["b.idx", "--transpose", "--force", "-o", "c.idx"]);
        assert_eq!(folder.read("c.idx"), folder.read("a.idx"));
    }
    folder.write("l.idx", &file(8, &[1], &[0]));
    assert_eq!(
        folder.refused(&["l.idx", "--transpose", "-o", "x.idx"]),
        "l.idx: records of a single element are not images, so they cannot be transposed"
    );
}

#[test]
fn colours_in_png() {
    let folder = Folder::new(&[]);
    let last = file(8, &[1, 1, 2, 3], &[1, 2, 3, 4, 5, 6]);
    let first = file(8, &[1, 3, 1, 2], &[1, 4, 2, 5, 3, 6]);
    for idx in [&last, &first] {
        folder.write("a.idx", idx);
        folder.convert(&["a.idx", "-o", "a/"]);
        folder.convert(&["a/", "--force", "-o", "b.idx"]);
        fs::remove_dir_all(folder.0.path().join("a")).unwrap();
        assert_eq!(folder.read("b.idx"), last, "png has the colours of a pixel side by side");
    }
    for (idx, message) in [
        (
            images(ElementType::I16),
            "png holds u8, and these records are i16; choose another element type with `--as`",
        ),
        (
            file(8, &[1, 4], &[0; 4]),
            "records of 4 are not images; give the shape of a record with `--shape`",
        ),
        (
            file(8, &[1, 0, 4], &[]),
            "records of 0 x 4 are not images; give the shape of a record with `--shape`",
        ),
    ] {
        folder.write("c.idx", &idx);
        assert_eq!(folder.refused(&["c.idx", "-o", "c/"]), format!("c/: {message}"));
    }
    folder.convert(&["c.idx", "--records", "..0", "--shape", "0x4", "-o", "d.idx"]);
}

#[test]
fn more_than_16_bits_of_records_and_8_of_sides() {
    let count = 70_000;
    let many = file(8, &[count, 1, 1], &[5; 70_000]);
    let large = file(8, &[1, 300, 257], &[3; 300 * 257]);
    let folder = Folder::new(&[("many.idx", &many), ("large.idx", &large)]);
    folder.convert(&["many.idx", "-o", "many.csv"]);
    folder.convert(&["many.csv", "--shape", "1x1", "-o", "b.npy"]);
    folder.convert(&["b.npy", "-o", "b.idx"]);
    assert!(folder.read("b.idx") == many);
    folder.convert(&["large.idx", "-o", "large/"]);
    folder.convert(&["large", "-o", "c.idx"]);
    assert!(folder.read("c.idx") == large);
}

#[test]
fn folders_as_people_keep_them() {
    let folder = Folder::new(&[("a.idx", &file(8, &[12, 1, 1], &(0..12).collect::<Vec<u8>>()))]);
    folder.convert(&["a.idx", "-o", "made/"]);
    for index in 0..12 {
        let picture = folder.read(&format!("made/{index:05}.png"));
        // Two labels, and numbers that are not padded.
        folder.write(&format!("set/{}/{index}.PNG", if index % 2 == 0 { 10 } else { 9 }), &picture);
    }
    folder.convert(&["set", "-o", "b.idx"]);
    let order = [1, 3, 5, 7, 9, 11, 0, 2, 4, 6, 8, 10];
    assert_eq!(folder.read("b.idx"), file(8, &[12, 1, 1], &order));
    assert_eq!(folder.read("b-labels.idx"), file(8, &[12], &[[9; 6], [10; 6]].concat()));

    folder.write("set/cat/1.png", &folder.read("made/00001.png"));
    assert_eq!(
        folder.refused(&["set", "-o", "x.idx"]),
        "set: some folders of classes are named by numbers and some by words; rename them to one or the \
         other"
    );
    folder.convert(&["set", "--no-labels", "-o", "without-labels.idx"]);
    folder.write("set/1.png", &folder.read("made/00001.png"));
    assert_eq!(
        folder.refused(&["set", "-o", "x.idx"]),
        "set: this folder has pictures beside folders of classes; move them into one"
    );
    fs::create_dir(folder.0.path().join("none")).unwrap();
    assert_eq!(
        folder.refused(&["none", "-o", "x.idx"]),
        "none: this folder has no pictures (PNG, JPEG, GIF, BMP, TIFF, WebP) and no .parquet files; choose one with \
         pictures or shards, or specify a file in it"
    );
    for (labels, message) in [
        (
            "file,label\n00000.png,1\n",
            "00001.png has no label here; add a line, or remove the picture",
        ),
        (
            "file,label\n00000.png,\n",
            "`00000.png,` is not a name and a label; write lines like 0.png,7",
        ),
    ] {
        folder.write("made/labels.csv", labels.as_bytes());
        let refused = folder.refused(&["made", "-o", "x.csv"]);
        assert_eq!(refused, format!("made/labels.csv: {message}"));
    }
    folder.write("two/0.png", &folder.read("made/00000.png"));
    folder.write("two/labels.csv", b"file,label\n0.png,1\n1.png,1\n");
    assert_eq!(
        folder.refused(&["two", "-o", "x.csv"]),
        "two/labels.csv: there is no 1.png in the folder; remove the line, or add the picture"
    );
}

#[test]
fn pictures_that_cannot_be_read() {
    let folder = Folder::new(&[("a.idx", &bytes()), ("b.idx", &file(8, &[1, 3, 3], &[0; 9]))]);
    folder.convert(&["a.idx", "-o", "a/"]);
    folder.convert(&["b.idx", "-o", "b/"]);
    folder.write("mixed/0.png", &folder.read("a/00000.png"));
    folder.write("mixed/1.png", &folder.read("b/00000.png"));
    assert_eq!(
        folder.refused(&["mixed", "-o", "x.idx"]),
        "mixed/1.png: the picture is 3 x 3, the first in mixed is 2 x 3; scale the pictures to one \
         size with `--size`"
    );
    let whole = folder.read("a/00000.png");
    for length in 0..whole.len() {
        folder.write("cut/0.png", &whole[..length]);
        let message = folder.refused(&["cut", "-o", "x.idx"]);
        assert!(message.starts_with("cut/0.png: "), "{length} {message}");
    }
    // A header alone, of 2^30 x 2^30 pixels, with the checksum that it has to have.
    let start = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\x40\0\0\0\x40\0\0\0\x08\0\0\0\0\x7D\xFF\xB1\x62\0\0\0\x01IDAT\0";
    folder.write("cut/0.png", start);
    assert!(folder.refused(&["cut", "-o", "x.idx"]).starts_with("cut/0.png: "));
}

fn names_in(folder: &Folder, name: &str) -> Vec<String> {
    idx_tests::names(&folder.0.path().join(name))
}

#[test]
fn a_folder_with_files_is_not_replaced() {
    let folder = Folder::new(&[("a.idx", &bytes())]);
    folder.write("full/notes.txt", b"other");
    folder.convert(&["a.idx", "-o", "pictures/"]);
    for name in ["full", "pictures"] {
        let before = names_in(&folder, name);
        for force in [&[][..], &["--force"]] {
            let message = folder.refused(&[&["a.idx", "-o", name], force].concat());
            assert_eq!(
                message,
                format!("{name}: the folder is not empty; name a new folder in it")
            );
            assert_eq!(names_in(&folder, name), before);
        }
    }
    fs::create_dir(folder.0.path().join("empty")).unwrap();
    folder.convert(&["a.idx", "-o", "empty"]);
    assert_eq!(names_in(&folder, "empty"), names_in(&folder, "pictures"));
}

#[test]
fn a_file_is_converted_in_its_place() {
    let folder = Folder::new(&[("a.idx", &bytes())]);
    // The input is read to its end before its name has other bytes.
    folder.convert(&["a.idx", "--records", "1", "--force", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[1, 2, 3], &bytes()[22..]));
}

#[test]
fn what_is_wrong_with_an_input_leaves_no_output() {
    let npy = npy("|u1", false, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let idx = bytes();
    let folder = Folder::new(&[
        ("cut.idx", &idx[..idx.len() - 1]),
        ("cut.gz", &gzip(&idx)[..30]),
        ("cut.npy", &npy[..npy.len() - 1]),
        ("long.npy", &[&npy[..], &[7]].concat()),
        ("header.npy", &npy[..20]),
        ("page", b"<!DOCTYPE html>"),
        ("empty", b""),
        ("good.idx", &idx),
    ]);
    let again = "download or copy the file again";
    for (input, message) in [
        (
            "cut.idx",
            format!(
                "the payload is truncated: expected 12 bytes, found 11 (1 missing); {again} (after 1 whole record)"
            ),
        ),
        (
            "cut.npy",
            format!(
                "the payload is truncated: expected 6 bytes, found 5 (1 missing); {again} (after 1 whole record)"
            ),
        ),
        ("header.npy", format!("the header of the npy file is truncated; {again}")),
        ("absent", "no such file; check the path".to_string()),
    ] {
        for output in ["x.idx", "x.gz", "x.npy", "x.csv"] {
            assert_eq!(folder.refused(&[input, "-o", output]), format!("{input}: {message}"));
        }
    }
    for input in ["cut.gz", "long.npy", "page", "empty"] {
        let message = folder.refused(&[input, "-o", "x.idx"]);
        assert!(message.starts_with(&format!("{input}: ")), "{message}");
    }
    // A later input, and an output in a folder that does not exist.
    let message = folder.refused(&["good.idx", "cut.idx", "-o", "x/"]);
    assert!(message.starts_with("cut.idx: the payload is truncated"), "{message}");
    for output in ["none/x.idx", "none/x.npy", "none/x.csv", "none/x/"] {
        let message = folder.refused(&["good.idx", "-o", output]);
        assert!(message.starts_with(&format!("{output}: ")), "{message}");
    }
}

#[test]
fn standard_streams() {
    let idx = bytes();
    let folder = Folder::new(&[("a.idx", &idx)]);
    let run = |arguments: &[&str], input: &[u8]| {
        let path = folder.0.path().join("input");
        fs::write(&path, input).unwrap();
        let mut command = folder.command(arguments);
        let output = command.stdin(fs::File::open(path).unwrap()).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        output.stdout
    };
    for format in ["idx", "idx.gz", "npy", "csv"] {
        let written = run(&["convert", "-", "--to", format, "-o", "-"], &idx);
        let options: &[&str] = if format == "csv" { &["--shape", "2x3"] } else { &[] };
        let back = [&["convert", "-", "--to", "idx", "-o", "-"], options].concat();
        assert_eq!(run(&back, &written), idx, "{format}");
    }
    // ESC and other bytes that control a terminal.
    let escapes = file(8, &[4], b"\x1B[1m");
    assert_eq!(run(&["convert", "-", "--to", "idx", "-o", "-"], &escapes), escapes);
    let outcome = folder.run_with(&["convert", "-", "--to", "idx", "-o", "-"], b"<html>");
    assert!(outcome.failure().1.starts_with("-: this is a web page"));
}

#[test]
fn wrong_usage() {
    let folder = Folder::new(&[("a.idx", &bytes())]);
    for arguments in [
        &["-o", "b.idx"][..],
        &["a.idx", "-o", "b.tsv"],
        &["a.idx", "-o", "b.npy.gz"],
        &["a.idx", "--to", "bmp", "-o", "b"],
        &["a.idx", "--as", "u16", "-o", "b.idx"],
        &["a.idx", "--shape", "2*3", "-o", "b.idx"],
        &["a.idx", "--labels", "a.idx"],
        &["a.idx", "--no-labels", "--only", "1", "-o", "b.idx"],
        &["a.idx", "-o", "b.idx", "--labels-as", "u8"],
        &["a.idx", "-o", "b.idx", "--layout", "binary"],
        &["a.idx", "-o", "b.npy", "--column", "1", "--no-labels", "--labels", "a.idx"],
        &["a.idx", "-o", "b/", "--shards", "0"],
        &["a.idx", "-o", "b/", "--shards", "2", "--to", "png"],
    ] {
        let outcome = folder.run(&[&["convert"], arguments].concat());
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.messages.contains("--help"), "{outcome:?}");
    }
    assert_eq!(folder.names(), ["a.idx"]);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_the_feature_it_says_how_to_have_parquet() {
    let folder = Folder::new(&[("a.idx", &bytes()), ("b", b"PAR1")]);
    for (arguments, path) in
        [(&["a.idx", "-o", "c.parquet"], "c.parquet"), (&["b", "-o", "c.idx"], "b")]
    {
        let message = folder.refused(arguments);
        let advice = "install it with `cargo install --locked --path idx-cli --features ";
        let start =
            format!("{path}: this program was built without the feature `parquet`; {advice}");
        assert!(message.starts_with(&start) && message.contains("parquet"), "{message}");
    }
}

#[test]
fn mnist_there_and_back() {
    let Some(images) = real_data("mnist_there_and_back", "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let labels = images.with_file_name("t10k-labels-idx1-ubyte.gz");
    let (images, labels) = (images.to_str().unwrap(), labels.to_str().unwrap());
    let folder = Folder::new(&[]);
    folder.convert(&[images, "-o", "images.idx"]);
    folder.convert(&[images, "-o", "images.npy"]);
    folder.convert(&["images.npy", "-o", "back.idx"]);
    assert!(folder.read("back.idx") == folder.read("images.idx"));
    folder.convert(&[images, "--labels", labels, "--per-class", "10", "-o", "few/"]);
    folder.convert(&["few", "-o", "few.idx"]);
    let mut counts = [0; 10];
    for label in &folder.read("few-labels.idx")[8..] {
        counts[usize::from(*label)] += 1;
    }
    assert_eq!(counts, [10; 10]);
}

/// As `OpenML` and pandas write them.
#[test]
fn labels_of_csv_are_in_the_column_that_is_named_so() {
    let folder = Folder::new(&[("a.csv", b"p1,p2,Label\n10,20,7\n30,40,3\n")]);
    folder.convert(&["a.csv", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[2, 2], &[10, 20, 30, 40]));
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[7, 3]));

    // Labels are left out if that is said.
    folder.convert(&["a.csv", "--no-labels", "-o", "b.idx"]);
    assert!(!folder.names().contains(&"b-labels.idx".to_string()));
    assert_eq!(folder.read("b.idx"), folder.read("a.idx"));
}

#[test]
fn a_column_of_labels_is_not_part_of_the_records() {
    let folder = Folder::new(&[("a.csv", b"10,20,7\n30,40,3\n")]);
    let arguments = ["a.csv", "--label-column", "2", "-o", "a.idx"];
    folder.convert(&arguments);
    assert_eq!(folder.read("a.idx"), file(8, &[2, 2], &[10, 20, 30, 40]));
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[7, 3]));
}

#[test]
fn the_number_of_threads_changes_no_picture() {
    // Of several batches, and a part of one.
    let pixels: Vec<u8> = (0..300u32 * 784).map(|pixel| (pixel / 5 % 251) as u8).collect();
    let images = file(8, &[300, 28, 28], &pixels);
    let labels: Vec<u8> = (0..300u32).map(|record| (record % 7) as u8).collect();
    let labels = file(8, &[300], &labels);
    let folder = Folder::new(&[("a.idx", &images), ("l.idx", &labels)]);
    for threads in ["1", "2", "5"] {
        let out = format!("{threads}/");
        folder.convert(&["a.idx", "--labels", "l.idx", "--threads", threads, "-o", &out]);
        let again = format!("{threads}.idx");
        folder.convert(&[&out, "--only", "0", "-o", &again]);
        assert_eq!(folder.read(&again).len(), 16 + 43 * 784);
        for record in 0..300 {
            let name = format!("{}/{record:05}.png", record % 7);
            let of_one = folder.read(&format!("1/{name}"));
            assert_eq!(folder.read(&format!("{out}{name}")), of_one);
        }
    }
}

#[test]
fn csv_longer_than_what_is_written_at_a_time() {
    // Many lines, one long line, short lines.
    let bytes: Vec<u8> = (0..300_000u32).map(|byte| (byte / 3 % 251) as u8).collect();
    let files = [
        (file(8, &[300, 1000], &bytes), 1000),
        (file(8, &[1, 300_000], &bytes), 300_000),
        (file(8, &[300_000], &bytes), 1),
    ];
    for (images, columns) in files {
        let lines: Vec<&[u8]> = bytes.chunks(columns).collect();
        let labels: Vec<u8> = (0..7).cycle().take(lines.len()).collect();
        let labels = file(8, &[u32::try_from(lines.len()).unwrap()], &labels);
        let folder = Folder::new(&[("a.idx", &images), ("l.idx", &labels)]);
        folder.convert(&["a.idx", "--labels", "l.idx", "--no-header", "-o", "a.csv"]);
        let line = |(record, line): (usize, &&[u8])| {
            let numbers: Vec<String> = line.iter().map(ToString::to_string).collect();
            format!("{},{}\n", record % 7, numbers.join(","))
        };
        let expected: String = lines.iter().enumerate().map(line).collect();
        assert!(folder.read("a.csv") == expected.as_bytes());
        folder.convert(&["a.csv", "--no-header", "--label-column", "0", "-o", "b.idx"]);
        assert!(folder.read("b.idx") == images && folder.read("b-labels.idx") == labels);
    }
}

#[test]
fn labels_go_along() {
    let labels = file(8, &[2], &[7, 3]);
    let folder = Folder::new(&[("a.idx", &bytes()), ("l.idx", &labels)]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "a.csv"]);
    assert_eq!(
        String::from_utf8(folder.read("a.csv")).unwrap(),
        "label,1x1,1x2,1x3,2x1,2x2,2x3\n7,0,1,2,127,128,129\n3,254,255,10,13,34,44\n"
    );
    folder.convert(&["a.csv", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), bytes());
    assert_eq!(folder.read("b-labels.idx"), labels);
    folder.convert(&["b.idx", "-o", "c.npy", "--labels-as", "i32"]);
    folder.convert(&["c-labels.npy", "-o", "c-labels.csv"]);
    assert_eq!(folder.read("c-labels.csv"), b"value\n7\n3\n");
    // Labels of IDX keep their type; those of a column are one a record.
    folder.write("columns.idx", &file(0x0B, &[2, 2], &[0, 7, 1, 0, 0, 3, 0xFF, 0xFF]));
    let column = ["a.idx", "--labels", "columns.idx", "--label-column", "1"];
    folder.convert(&[&column[..], &["-o", "d.idx"]].concat());
    assert_eq!(folder.read("d-labels.idx"), file(0x0B, &[2], &[1, 0, 0xFF, 0xFF]));

    folder.write("wide.csv", b"label,p\n300,1\n");
    assert_eq!(
        folder.refused(&["wide.csv", "-o", "x.idx"]),
        "wide.csv: record 0: label 300 does not fit u8; choose another label type with `--labels-as`"
    );
    folder.write("widest.csv", b"label,p\n18446744073709551615,1\n");
    assert_eq!(
        folder.refused(&["widest.csv", "-o", "x.idx"]),
        "widest.csv: record 0: label 18446744073709551615 does not fit u8, and no other type of IDX; write smaller \
         labels"
    );
    assert_eq!(
        folder.refused(&["wide.csv", "-o", "x.idx", "--labels-as", "f32"]),
        "x.idx: labels are integers, and f32 is for fractions; choose another label type with `--labels-as`"
    );
    folder.write("three.idx", &file(8, &[3], &[1, 2, 3]));
    assert_eq!(
        folder.refused(&["a.idx", "--labels", "three.idx", "-o", "x.csv"]),
        "three.idx: 3 labels but 2 records; give the label file of these records"
    );
    // The number of records of csv is known only at its end.
    folder.write("b.csv", b"7\n3\n");
    folder.write("one.idx", &file(8, &[1], &[1]));
    assert_eq!(
        folder.refused(&["b.csv", "--labels", "one.idx", "-o", "x.csv"]),
        "one.idx: fewer labels than records, only 1; give the label file of these records"
    );
    assert_eq!(
        folder.refused(&["b.csv", "--labels", "three.idx", "-o", "x.csv"]),
        "three.idx: more labels than the 2 records; give the label file of these records"
    );
}

#[test]
fn labels_can_be_a_column_of_csv() {
    let folder = Folder::new(&[
        ("a.idx", &bytes()),
        ("plain.csv", b"7\n3\n"),
        ("numpy.csv", b"7.000000000000000000e+00\n3.000000000000000000e+00\n"),
        ("wide.csv", b"1000\n-1\n"),
        ("named.csv", b"file,Label\ncat.png,7\ndog.png,3\n"),
        ("words.csv", b"cat,7\ndog,3\n"),
        ("half.csv", b"7\n3.5\n"),
        ("more.csv", b"7\n3\n1\n"),
    ]);
    let labeled = |options: &[&str]| {
        folder.convert(&[&["a.idx", "-o", "b.csv", "--force", "--labels"], options].concat());
        let lines = String::from_utf8(folder.read("b.csv")).unwrap();
        let labels = lines.lines().map(|line| line.split(',').next().unwrap().to_string());
        labels.skip(1).collect::<Vec<_>>()
    };
    let words = ["words.csv", "--label-column", "1"];
    for options in [&["plain.csv"][..], &["numpy.csv"], &words, &["named.csv"]] {
        assert_eq!(labeled(options), ["7", "3"], "{options:?}");
    }
    assert_eq!(labeled(&["wide.csv"]), ["1000", "-1"]);
    let stats = folder.run(&["stats", "a.idx", "--labels", "named.csv"]);
    assert!(stats.success().contains("\n    3  1"));
    let arguments = ["show", "a.idx", "--labels", "named.csv", "-n", "1"];
    assert!(folder.run(&arguments).success().starts_with("0: label 7\n"));

    // They have the type of --labels-as, u8 without it.
    let outputs = ["-o", "c.idx", "--force"];
    folder.convert(&[&["a.idx", "--labels", "plain.csv"], &outputs[..]].concat());
    assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[7, 3]));
    let wide = [&["a.idx", "--labels", "wide.csv"], &outputs[..]].concat();
    folder.convert(&[&wide[..], &["--labels-as", "i16"]].concat());
    assert_eq!(folder.read("c-labels.idx"), file(0x0B, &[2], &[3, 0xE8, 0xFF, 0xFF]));
    assert_eq!(
        folder.refused(&wide),
        "a.idx: record 0: label 1000 does not fit u8; choose another label type with `--labels-as`"
    );
    for (labels, message) in [
        (
            "words.csv",
            "the labels have 2 columns, and this row is not a single 1 and otherwise 0; choose the column of the \
             labels with `--label-column`",
        ),
        ("half.csv", "record 1 (line 2), column 0: \"3.5\" is not a label, a whole number"),
        ("more.csv", "more labels than the 2 records; give the label file of these records"),
    ] {
        let refused = folder.refused(&["a.idx", "-o", "x.csv", "--labels", labels]);
        assert_eq!(refused, format!("{labels}: {message}"));
    }
}
