//! Nothing is lost or misread with exit code 0.

use std::fs;

use idx_tests::{file, gzip};

use crate::common::Folder;

/// Failed before: each became an array, some after following the command's own hints.
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
    // Only names, as in a.csv.
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

/// Failed before: the columns were joined, and compared, by their positions.
#[test]
fn columns_in_another_order() {
    let folder =
        Folder::new(&[("a.csv", b"a,y,b,Label\n1,2,3,4\n"), ("b.csv", b"Label,b,y,a\n4,3,2,1\n")]);
    let joined = ["a.csv", "b.csv", "-o", "o.csv"];
    assert_eq!(
        folder.refused(&joined),
        "b.csv: cannot join inputs: column 0 of these records is \"b\", and was \"a\" before; give all the same \
         columns in one order, or if the names mean the same, give the shape of a record with `--shape`"
    );
    let outcome = folder.run(&["diff", "a.csv", "b.csv"]);
    let text = "column 0 of the records: a and b; if they mean the same, give the shape of a record with --shape\n\
                record 0: 2 elements differ, the first at [0]: 1 and 3\n\
                1 of 1 records differ, in 2 elements\n";
    assert_eq!((outcome.code, &*outcome.output), (Some(1), text));
    let outcome = folder.run(&["diff", "a.csv", "b.csv", "--shape", "3"]);
    assert!(!outcome.output.contains("column"), "{}", outcome.output);
    // What has a shape is no table.
    folder.convert(&[&joined[..], &["--shape", "3"]].concat());
    folder.write("b.csv", b"Label,a,y,b\n4,1,2,3\n");
    folder.convert(&[&joined[..], &["--force"]].concat());
    assert!(folder.read("o.csv").ends_with(b"4,1,2,3\n4,1,2,3\n"));
}
