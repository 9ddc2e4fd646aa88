//! csv: tables as people write them, and their labels.

use std::fs;

use idx_tests::{file, gzip};

use crate::common::{Folder, byte_records};

/// Failed before: each of these files became an array, some after following the command's own hints.
#[test]
fn what_is_no_csv() {
    let hexdump = b"0000,0801,0000,2710\n0001,0203,0405,0607\n";
    let annex = b".git/annex/objects/xx/yy/SHA256E-s9912422--440fc.gz/SHA256E-s9912422--440fc.gz\n";
    let pointer = b"/annex/objects/SHA256E-s9912422--440fcabf.gz\n";
    for (name, bytes, reason) in [
        ("t10k-labels.idx1-ubyte", &hexdump[..], "IDX files start with 00 00"),
        ("t10k-labels-idx1-ubyte", hexdump, "IDX files start with 00 00"),
        ("a.gz", hexdump, "IDX files start with 00 00"),
        ("a.idx", hexdump, "IDX files start with 00 00"),
        (
            "train-images-idx3-ubyte.gz",
            annex,
            "a git-annex link, not an IDX file; fetch the file itself",
        ),
        ("link", pointer, "a git-annex link, not an IDX file; fetch the file itself"),
        ("page", b"404: Not Found", "this is a server message"),
        ("page.csv", b"404: Not Found", "this is a server message"),
        ("page", b"<!DOCTYPE html><html>", "this is a web page"),
    ] {
        let folder = Folder::new(&[(name, bytes)]);
        for options in [&["--header"][..], &["--as", "i32"]] {
            let message = folder.refused(&[&[name, "-o", "x.npy"], options].concat());
            assert!(message.starts_with(&format!("{name}: ")), "{message}");
            assert!(message.contains(reason), "{message}");
        }
    }
}

#[test]
fn other_tables() {
    let folder = Folder::new(&[
        ("a.tsv", b"9\t2\n3\t4\n"),
        ("a.csv", b"9;2\r\n3;\"4\"\r\n"),
        ("tab.csv", b"9,\t2\n3,\t4\n"),
        ("b.csv.gz", &gzip(b"9,2\n3,4\n")),
        ("c.tsv.gz", &gzip(b"9\t2\n3\t4\n")),
        ("plain.csv.gz", b"9,2\n3,4\n"),
        ("plain.tsv.gz", b"9\t2\n3\t4\n"),
        ("gzip.csv", &gzip(b"9,2\n3,4\n")),
        ("cut.csv.gz", &gzip(b"9,2\n3,4\n")[..25]),
    ]);
    let expected = file(8, &[2, 2], &[9, 2, 3, 4]);
    for name in [
        "a.tsv",
        "a.csv",
        "tab.csv",
        "b.csv.gz",
        "c.tsv.gz",
        "plain.csv.gz",
        "plain.tsv.gz",
        "gzip.csv",
    ] {
        folder.convert(&[name, "-o", "x.idx", "--force"]);
        assert_eq!(folder.read("x.idx"), expected, "{name}");
    }
    folder.write("names.tsv", b"label\tone\ttwo\n7\t1.5\t-2\n8\t3\t4\n");
    let labels = ["--as", "f32"];
    folder.convert(&[&["names.tsv", "-o", "y.idx"][..], &labels].concat());
    assert_eq!(folder.read("y-labels.idx"), file(8, &[2], &[7, 8]));
    // Files with only the names of columns, as in a.csv.
    for (name, bytes) in [
        ("b.csv", b"a,b\n".to_vec()),
        ("b.tsv", b"a\tb\n".to_vec()),
        ("b.csv.gz", gzip(b"a,b\n")),
        ("plain.csv.gz", b"a,b\n".to_vec()),
    ] {
        folder.write(name, &bytes);
        folder.convert(&[name, "-o", "x.idx", "--force"]);
        assert_eq!(folder.read("x.idx"), file(8, &[0, 2], &[]), "{name}");
    }
    folder.convert(&["a.csv", "-o", "a.npy"]);
    fs::remove_file(folder.0.path().join("y-labels.idx")).unwrap();
    let array = gzip(&folder.read("a.npy"));
    for name in ["a.npy.gz", "a.gz", "array"] {
        folder.write(name, &array);
        folder.convert(&[name, "-o", "y.idx", "--force"]);
        assert_eq!(folder.read("y.idx"), expected, "{name}");
        let info = folder.run(&["info", name]).success();
        assert!(info.contains("format        npy"), "{info}");
    }
    let idx = file(8, &[2, 2], &[9, 2, 3, 4]);
    for (name, bytes) in [
        ("idx.csv", idx.clone()),
        ("idx.csv.gz", idx.clone()),
        ("idx.tsv", gzip(&idx)),
        ("idx.csv", gzip(&idx)),
        ("npy.csv", array),
    ] {
        folder.write(name, &bytes);
        folder.convert(&[name, "-o", "y.idx", "--force"]);
        assert_eq!(folder.read("y.idx"), idx, "{name}");
        let header = folder.run(&["convert", name, "--header", "-o", "y.npy", "--force"]);
        assert_eq!(header.code, Some(2), "{header:?}");
    }
    for (name, bytes) in [
        ("page.csv", &b"<html>"[..]),
        ("page.csv.gz", b"<!DOCTYPE html>"),
        ("message.tsv", b"{\"error\":\"gone\"}"),
    ] {
        folder.write(name, &gzip(bytes));
        let message = folder.refused(&[name, "-o", "z.idx"]);
        assert!(message.contains("this is a "), "{message}");
    }
    for output in [&["o.tsv.gz"][..], &["o.csv.gz", "--to", "csv"], &["o.idx.gz", "--to", "idx"]] {
        let output = folder.run(&[&["convert", "a.csv", "-o"], output].concat());
        assert_eq!(output.code, Some(2), "{output:?}");
        let message = output.messages;
        assert!(message.contains("only IDX is written as .gz"), "{message}");
    }
    let message = folder.refused(&["cut.csv.gz", "-o", "z.idx"]);
    assert!(message.starts_with("cut.csv.gz: the gzip data"), "{message}");
}

/// Failed before: the columns were joined, and compared, by their positions.
#[test]
fn columns_in_another_order() {
    let folder =
        Folder::new(&[("a.csv", b"a,y,b,Label\n1,2,3,4\n"), ("b.csv", b"Label,b,y,a\n4,3,2,1\n")]);
    let joined = ["a.csv", "b.csv", "-o", "o.csv"];
    let outcome = folder.run(&[&["convert"], &joined[..]].concat());
    assert!(outcome.readings.contains("columns in the order of the first input"), "{outcome:?}");
    assert!(folder.read("o.csv").ends_with(b"4,1,2,3\n4,1,2,3\n"));
    // Failed before: the names were silently left out.
    let note = "idx: o.csv: note: the names of the columns are not in it: a, y, b\n";
    assert_eq!(outcome.messages, note);
    folder.convert(&["o.csv", "-o", "again.csv"]);
    folder.convert(&["a.csv", "-o", "a.npy"]);
    // Failed before: a second line about the order of the columns listed the parts again.
    for (part, source) in [("train", "a.csv"), ("test", "b.csv")] {
        folder.write(&format!("set/{part}.csv"), &folder.read(source));
    }
    let readings = folder.run(&["convert", "set", "-o", "set.npz"]).readings;
    assert_eq!(readings.matches("train = train.csv; test = test.csv").count(), 1, "{readings}");
    assert_eq!(readings.matches("columns in the order").count(), 1, "{readings}");
    fs::remove_file(folder.0.path().join("o.csv")).unwrap();
    let outcome = folder.run(&["diff", "a.csv", "b.csv"]);
    let text = "column 0 of the records: a and b; if they mean the same, give the shape of a record with --shape\n\
                record 0: 2 elements differ, the first at [0]: 1 and 3\n\
                1 of 1 records differ, in 2 elements\n";
    assert_eq!((outcome.code, &*outcome.output), (Some(1), text));
    let outcome = folder.run(&["diff", "a.csv", "b.csv", "--shape", "3"]);
    assert!(!outcome.output.contains("column"), "{}", outcome.output);
    // Records with a shape are not a table.
    folder.convert(&[&joined[..], &["--shape", "3"]].concat());
    folder.write("b.csv", b"Label,a,y,b\n4,1,2,3\n");
    let outcome = folder.run(&[&["convert", "--force"], &joined[..]].concat());
    assert_eq!((outcome.code, &*outcome.messages), (Some(0), note));
    assert!(folder.read("o.csv").ends_with(b"4,1,2,3\n4,1,2,3\n"));
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
            "line 1 has 2 columns, and those below have 3; correct it, or remove it if it is not a record",
        ),
        (
            "9,2\n3\n",
            &[],
            "line 2 has 1 column, and others have 2 (between commas); correct it, or remove it if it is not a record",
        ),
        (
            "9,2\n3,300\n",
            &[],
            "record 1 (line 2), column 1: 300 does not fit u8; choose another element type with `--as`",
        ),
        (
            "9,2\n3,x\n",
            &[],
            "column 1 has words (x in record 1), and a record has numbers; correct the cell, or remove the line: `--label-column 1` if \
             column 1 is the label, or `--skip 1` to leave out the words",
        ),
        (
            "label,x\n5,2\n6,3\n",
            &["--no-header"],
            "column 0 has words (label in record 0), and a record has numbers; correct the cell, or remove the line: \
             `--label-column 0` if column 0 is the label",
        ),
        (
            "p0,p1,p2,p3,p4,p5,p6,p7,p8\n1,2,3,4,5,6,7,8,9\n",
            &["--label-column", "label"],
            "there is no column `label`; choose another: p0, p1, p2, p3, p4, p5, p6, p7, ..",
        ),
        // Failed before: `-1` was taken for an option.
        (
            "p0,p1\n1,2\n",
            &["--label-column", "-1"],
            "there is no column `-1`; choose another: p0, p1",
        ),
        (
            "9,\n",
            &[],
            "line 1 (9,) may name the columns or be a record: `--header` if it names the columns, or `--no-header` if it \
             is a record",
        ),
        (
            "a,b\nc,2\n",
            &["--header"],
            "`a` has words (c in record 0), and a record has numbers: `--label-column a` if `a` is the label, or \
             `--skip a` to leave out the words",
        ),
        (
            "9\n1.5\n",
            &["--as", "i16"],
            "record 1 (line 2), column 0: 1.5 is not a whole number, as i16 needs; change the type, or give the range to scale from: `--as f32` or `--as u8 --scale MIN..MAX,0..255`",
        ),
        (
            "0.5,0.25\n",
            &["--as", "f32", "--scale", "-1..1"],
            "record 0 (line 1), column 0: 0.5 is not a whole number, as u8 needs; change the type, or give the range to scale from: `--as f32` or `--as u8 --scale MIN..MAX,0..255`",
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
        (
            "9\n1e309\n",
            &["--as", "f64"],
            "record 1 (line 2), column 0: \"1e309\" does not fit f64; IDX has no type for it, so round it first",
        ),
        (
            "9,2\n",
            &["--shape", "3"],
            "a record of 2 cannot have the shape 3, which has another number of elements; choose sizes with the same product",
        ),
        ("", &[], "there are no numbers; give the shape of a record with `--shape`"),
        (
            "a,b,label\n7,10,20,3\n5,10,20,3\n",
            &[],
            "line 1 has 3 columns, and those below have 4; correct it, or remove it if it is not a record: `--header` if \
             column 0 has no name",
        ),
        (
            "label,a\n5\n",
            &["--header"],
            "line 2 has 1 column, and others have 2 (between commas); correct it, or remove it if it is not a record",
        ),
        (
            "1e-400,2\n",
            &[],
            "record 0 (line 1), column 0: \"1e-400\" does not fit u8; IDX has no type for it, so round it first",
        ),
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

/// `OpenML` and pandas write tables like this.
#[test]
fn labels_of_csv_are_in_the_column_that_is_named_so() {
    let folder = Folder::new(&[("a.csv", b"p1,p2,Label\n10,20,7\n30,40,3\n")]);
    folder.convert(&["a.csv", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[2, 2], &[10, 20, 30, 40]));
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[7, 3]));

    // Labels are left out if the user says so.
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
fn labels_can_be_a_column_of_csv() {
    let folder = Folder::new(&[
        ("a.idx", &byte_records()),
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

    // The labels have the type of `--labels-as`, or u8 without it.
    let outputs = ["-o", "c.idx", "--force"];
    folder.convert(&[&["a.idx", "--labels", "plain.csv"], &outputs[..]].concat());
    assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[7, 3]));
    let wide = [&["a.idx", "--labels", "wide.csv"], &outputs[..]].concat();
    folder.convert(&[&wide[..], &["--labels-as", "i16"]].concat());
    assert_eq!(folder.read("c-labels.idx"), file(0x0B, &[2], &[3, 0xE8, 0xFF, 0xFF]));
    assert_eq!(
        folder.refused(&wide),
        "a.idx: record 0: label 1000 does not fit u8; choose another label type with `--labels-as i32`"
    );
    for (labels, message) in [
        (
            "words.csv",
            "column 0 or column 1 may be the label: `--label-column 0` if column 0 is the label, or `--label-column 1` if column 1 \
             is the label",
        ),
        ("half.csv", "column 0 has decimals, and a label is a whole number or a name"),
        (
            "more.csv",
            "3 labels but 2 records; give the label file of these records, or if dimension 2 counts the records, move it \
             to the front with `numpy.moveaxis(array, 2, 0)`",
        ),
    ] {
        let refused = folder.refused(&["a.idx", "-o", "x.csv", "--labels", labels]);
        assert_eq!(refused, format!("{labels}: {message}"));
    }
}

/// Old programs for the Mac end lines like this, whatever separates the numbers.
#[test]
fn carriage_returns_end_lines() {
    for separator in [" ", "\t", ",", ";"] {
        let text = "5 2 3\r4 5 6\r7 8 9\r".replace(' ', separator);
        let folder = Folder::new(&[("x.csv", text.as_bytes())]);
        folder.convert(&["x.csv", "--no-header", "--no-labels", "-o", "x.idx"]);
        assert_eq!(folder.read("x.idx"), file(8, &[3, 3], &[5, 2, 3, 4, 5, 6, 7, 8, 9]));
    }
}
