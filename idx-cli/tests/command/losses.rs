//! Nothing is lost or misread with exit code 0.

use idx_tests::{file, gzip};

use crate::common::Folder;

#[test]
fn labels_of_csv_in_any_column() {
    for name in ["label", "Class", "target", "y"] {
        for (header, lines) in [
            (format!("{name},a,b"), "7,1,2\n8,3,4\n"),
            (format!("a,{name},b"), "1,7,2\n3,8,4\n"),
            (format!("a,b,{name}"), "1,2,7\n3,4,8\n"),
        ] {
            let folder = Folder::new(&[("a.csv", format!("{header}\n{lines}").as_bytes())]);
            folder.convert(&["a.csv", "--header", "-o", "i.idx", "--labels-out", "l.idx"]);
            assert_eq!(folder.read("i.idx"), file(8, &[2, 2], &[1, 2, 3, 4]), "{header}");
            assert_eq!(folder.read("l.idx"), file(8, &[2], &[7, 8]), "{header}");
        }
    }
    let folder = Folder::new(&[("a.csv", b"1,2,7\n3,4,8\n")]);
    let to = ["-o", "i.idx", "--labels-out", "l.idx", "--label-column"];
    folder.convert(&[&["a.csv"], &to[..], &["2"]].concat());
    assert_eq!(folder.read("i.idx"), file(8, &[2, 2], &[1, 2, 3, 4]));
    let message = folder.refused(&[&["a.csv", "--force"], &to[..], &["3"]].concat());
    assert_eq!(
        message,
        "a.csv: there is no column 3; the lines have 3, counted from 0; choose the column of the \
         labels with `--label-column`"
    );
}

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
            "a link of git-annex, not an IDX file; fetch the file itself",
        ),
        ("link", pointer, "a link of git-annex, not an IDX file; fetch the file itself"),
        ("page", b"404: Not Found", "this is a server message"),
        ("page.csv", b"404: Not Found", "this is a server message"),
        ("page", b"<!DOCTYPE html><html>", "this is a web page"),
        ("words", b"some words\n", "there is only a line of names, and no record"),
    ] {
        let folder = Folder::new(&[(name, bytes)]);
        for options in [&["--header"][..], &["--header", "--as", "i32"]] {
            let message = folder.refused(&[&[name, "-o", "x.npy"], options].concat());
            assert!(message.starts_with(&format!("{name}: ")), "{message}");
            assert!(message.contains(reason), "{message}");
        }
    }
}

#[test]
fn tables_without_numbers() {
    let folder = Folder::new(&[("none.tsv", b""), ("none.csv", b""), ("labels.csv", b"7\n8\n")]);
    let none = "there are no numbers; give the shape of a record with `--shape`";
    let labels = ["--labels-out", "l.idx", "--label-column", "0"];
    for (name, options) in [("none.tsv", &["--header"][..]), ("none.csv", &labels)] {
        let refused = folder.refused(&[&[name, "-o", "x.idx"], options].concat());
        assert_eq!(refused, format!("{name}: {none}"));
    }
    folder.convert(&[&["none.csv", "--shape", "2", "-o", "x.idx"], &labels[..]].concat());
    assert_eq!(folder.read("x.idx"), file(8, &[0, 2], &[]));
    for shape in [&[][..], &["--shape", "2"]] {
        let arguments =
            [&["labels.csv", "-o", "y.idx", "--labels-out", "m.idx"], &labels[2..], shape];
        assert_eq!(
            folder.refused(&arguments.concat()),
            "labels.csv: the file has labels but no values; give one with numbers beside the labels"
        );
    }
}

#[test]
fn other_tables() {
    let folder = Folder::new(&[
        ("a.tsv", b"1\t2\n3\t4\n"),
        ("a.csv", b"1;2\r\n3;\"4\"\r\n"),
        ("tab.csv", b"1,\t2\n3,\t4\n"),
        ("b.csv.gz", &gzip(b"1,2\n3,4\n")),
        ("c.tsv.gz", &gzip(b"1\t2\n3\t4\n")),
        ("plain.csv.gz", b"1,2\n3,4\n"),
        ("plain.tsv.gz", b"1\t2\n3\t4\n"),
        ("gzip.csv", &gzip(b"1,2\n3,4\n")),
        ("cut.csv.gz", &gzip(b"1,2\n3,4\n")[..25]),
    ]);
    let expected = file(8, &[2, 2], &[1, 2, 3, 4]);
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
    let labels = ["--header", "--as", "f32", "--labels-out", "l.idx"];
    folder.convert(&[&["names.tsv", "-o", "y.idx"][..], &labels].concat());
    assert_eq!(folder.read("l.idx"), file(8, &[2], &[7, 8]));
    // Only names, as in a.csv.
    for (name, bytes) in [
        ("b.csv", b"a,b\n".to_vec()),
        ("b.tsv", b"a\tb\n".to_vec()),
        ("b.csv.gz", gzip(b"a,b\n")),
        ("plain.csv.gz", b"a,b\n".to_vec()),
    ] {
        folder.write(name, &bytes);
        folder.convert(&[name, "--header", "-o", "x.idx", "--force"]);
        assert_eq!(folder.read("x.idx"), file(8, &[0, 2], &[]), "{name}");
    }
    folder.convert(&["a.csv", "-o", "a.npy"]);
    let array = gzip(&folder.read("a.npy"));
    for name in ["a.npy.gz", "a.gz", "array"] {
        folder.write(name, &array);
        folder.convert(&[name, "-o", "y.idx", "--force"]);
        assert_eq!(folder.read("y.idx"), expected, "{name}");
        let info = folder.run(&["info", name]).success();
        assert!(info.contains("format        npy"), "{info}");
    }
    let idx = file(8, &[2, 2], &[1, 2, 3, 4]);
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
        let header = folder.run(&["convert", name, "--header", "-o", "y.idx", "--force"]);
        assert_eq!(header.code, Some(2), "{header:?}");
    }
    for (name, bytes) in [
        ("page.csv", &b"<html>"[..]),
        ("page.csv.gz", b"<!DOCTYPE html>"),
        ("message.tsv", b"{\"error\":\"gone\"}"),
    ] {
        folder.write(name, &gzip(bytes));
        let message = folder.refused(&[name, "--header", "-o", "z.idx"]);
        assert!(message.contains("this is a "), "{message}");
    }
    let message = folder.run(&["convert", "a.csv", "-o", "o.tsv.gz"]).messages;
    assert!(message.contains("only IDX is written as .gz"), "{message}");
    let message = folder.refused(&["cut.csv.gz", "-o", "z.idx"]);
    assert!(message.starts_with("cut.csv.gz: the gzip data"), "{message}");
}

#[test]
#[cfg(unix)]
fn an_input_that_standard_output_is_appended_to() {
    let folder = Folder::new(&[("a.csv", b"1,2\n3,4\n"), ("a.idx", &file(8, &[2], &[1, 2]))]);
    let idx = env!("CARGO_BIN_EXE_idx");
    for (name, input) in [("a.csv", "a.csv"), ("a.idx", "a.idx"), ("a.csv", "- < a.csv")] {
        let before = folder.read(name);
        let script = format!("exec {idx} convert {input} --to csv >> {name}");
        let mut shell = std::process::Command::new("sh");
        let outcome =
            crate::common::outcome(shell.args(["-c", &script]).current_dir(folder.0.path()), &[]);
        let (_, message) = outcome.failure();
        assert!(message.contains("this is the file that standard output goes to"), "{message}");
        assert_eq!(folder.read(name), before);
    }
}

#[test]
fn labels_of_another_file_beside_pictures_that_are_skipped() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3, 1, 1], &[7, 8, 9])),
        ("l.idx", &file(8, &[3], &[1, 2, 3])),
    ]);
    folder.convert(&["a.idx", "-o", "flat/"]);
    folder.write("flat/00001.png", b"damaged");
    let options = ["flat", "--labels", "l.idx", "-o", "o.csv"];
    let message = folder.refused(&[&options[..], &["--skip-bad"]].concat());
    assert_eq!(
        message,
        "flat: damaged pictures are skipped, so labels of another file would go to the wrong pictures; remove the \
         damaged ones and their labels, and skip none"
    );
    folder.write("flat/00001.png", &folder.read("flat/00000.png"));
    folder.convert(&options);
    assert_eq!(folder.read("o.csv"), b"1,7\n2,7\n3,9\n");
}

#[test]
fn columns_in_another_order() {
    let folder =
        Folder::new(&[("a.csv", b"a,y,b,Label\n1,2,3,4\n"), ("b.csv", b"Label,b,y,a\n4,3,2,1\n")]);
    let joined = ["a.csv", "b.csv", "--header", "-o", "o.csv"];
    assert_eq!(
        folder.refused(&joined),
        "b.csv: cannot join inputs: column 0 of these records is \"b\", and was \"a\" before; give all the same \
         columns in one order, or if the names mean the same, give the shape of a record with `--shape`"
    );
    let outcome = folder.run(&["diff", "a.csv", "b.csv", "--header"]);
    let text = "column 0 of the records: a and b; if they mean the same, give the shape of a record with --shape\n\
                record 0: 2 elements differ, the first at [0]: 1 and 3\n\
                1 of 1 records differ, in 2 elements\n";
    assert_eq!((outcome.code, &*outcome.output), (Some(1), text));
    let outcome = folder.run(&["diff", "a.csv", "b.csv", "--header", "--shape", "3"]);
    assert!(!outcome.output.contains("column"), "{}", outcome.output);
    // What has a shape is no table.
    folder.convert(&[&joined[..], &["--shape", "3"]].concat());
    folder.write("b.csv", b"Label,a,y,b\n4,1,2,3\n");
    folder.convert(&[&joined[..], &["--force"]].concat());
    assert!(folder.read("o.csv").ends_with(b"4,1,2,3\n4,1,2,3\n"));
}

#[test]
fn a_csv_of_a_csv_is_the_same_table() {
    let folder = Folder::new(&[("a.csv", b"label,pixel0,pixel1\n7,1,2\n")]);
    folder.convert(&["a.csv", "--header", "-o", "o.csv"]);
    assert_eq!(folder.read("o.csv"), b"label,0,1\n7,1,2\n");
    assert_eq!(folder.run(&["diff", "a.csv", "o.csv", "--header"]).success(), "");
    folder.convert(&["a.csv", "o.csv", "--header", "-o", "joined.csv"]);
    assert_eq!(folder.read("joined.csv"), b"label,0,1\n7,1,2\n7,1,2\n");
}
