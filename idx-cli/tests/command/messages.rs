//! Messages about files: which file is meant, what is wrong with it, and what to do next.

use std::fs;

use idx_tests::{file, gzip, names};
use serde_json::Value;

use crate::common::{Folder, each_format};
use crate::every_command::images;

#[test]
fn each_file_is_treated_in_order() {
    let folder =
        Folder::new(&[("first", &images(1)), ("page", b"<!DOCTYPE html>"), ("last", &images(2))]);
    let files = ["first", "missing", "page", "last"];
    let wrong = [
        ("missing", "no such file; check the path"),
        (
            "page",
            "this is a web page, not an IDX file; open it in a browser to see why, and download the \
             file elsewhere",
        ),
    ];
    let messages = wrong.map(|(path, message)| format!("idx: {path}: {message}\n")).concat();
    for arguments in [&["info"][..], &["info", "--identify"], &["stats"], &["check"]] {
        let outcome = folder.run(&[arguments, &files].concat());
        assert_eq!((outcome.code, &outcome.messages), (Some(1), &messages));
        let alone = ["first", "last"].map(|name| folder.run(&[arguments, &[name]].concat()));
        assert_eq!(outcome.output, alone.map(|alone| alone.success()).concat());

        let json = folder.run(&[arguments, &["--json"], &files].concat());
        assert_eq!((json.code, &json.messages), (Some(1), &messages));
        let objects = json.output.lines().map(|line| serde_json::from_str(line).unwrap());
        let objects: Vec<Value> = objects.collect();
        assert!(objects.iter().map(|object| object["path"].as_str().unwrap()).eq(files));
        let errors = objects.iter().map(|object| object.get("error").and_then(Value::as_str));
        assert!(errors.eq([None, Some(wrong[0].1), Some(wrong[1].1), None]));
    }
    // No input of a join can be left out.
    let join = folder.run(&["convert", "first", "missing", "last", "-o", "joined.idx"]);
    let (path, message) = wrong[0];
    assert_eq!(join.failure().1, format!("{path}: {message}"));
    assert_eq!(names(folder.0.path()), ["first", "last", "page"]);
}

/// The lines that `-q` leaves out, and those that it keeps.
#[test]
fn quiet_is_not_silent() {
    let folder = Folder::new(&[]);
    folder.write("set/cat/1.idx", b"");
    fs::remove_file(folder.0.path().join("set/cat/1.idx")).unwrap();
    folder.write("a.idx", &images(1));
    folder.write("l.idx", &file(8, &[1], &[0]));
    folder.convert(&["a.idx", "-o", "set/cat/"]);
    folder.convert(&["a.idx", "-o", "set/dog/"]);
    let convert = ["convert", "set", "-o", "x.idx", "-f"];
    let names = folder.run(&convert);
    assert_eq!((names.code, &*names.messages), (Some(0), "idx: x-classes.txt: 0 cat, 1 dog\n"));
    folder.run(&[&convert[..], &["-q"]].concat()).success();
    let (_, message) = folder.run(&["-q", "info", "none"]).failure();
    assert_eq!(message, "none: no such file; check the path");
    // Failed before: only `convert` left notes out.
    folder.write("y.idx", &fs::read(folder.0.path().join("x.idx")).unwrap());
    assert!(folder.run(&["diff", "x.idx", "y.idx"]).messages.contains(": note: its labels"));
    folder.run(&["diff", "x.idx", "y.idx", "-q"]).success();
    // Failed before: there was a line for each file, and so cron sent a mail for each run.
    folder.write("cut.idx", &images(1)[..10]);
    let check = folder.run(&["check", "-q", "a.idx", "set", "cut.idx"]);
    assert_eq!((check.code, check.output.as_str()), (Some(1), ""), "{check:?}");
    assert!(check.messages.starts_with("idx: cut.idx: "), "{check:?}");
}

/// Three images, their labels, an npy of fractions, pictures, and other things.
fn folder() -> Folder {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3, 2, 2], &[7; 12])),
        ("l.idx", &file(8, &[3], &[1, 2, 3])),
        ("one.idx", &file(8, &[1, 2], &[7; 2])),
        ("long.idx", &file(8, &[3, 2, 2], &[7; 14])),
        ("f64.idx", &file(0x0E, &[1, 1, 2], &[0.5f64, 1.0].map(f64::to_be_bytes).concat())),
        ("real.tsv", b"9\t2\n3\t4\n"),
        ("x.csv.gz", &gzip(b"9,2\n")),
    ]);
    folder.write("bad/a.png", b"no picture");
    folder.convert(&["a.idx", "-o", "jp/"]);
    folder
}

#[test]
fn what_is_wrong_with_a_file() {
    let folder = folder();
    let no_folder = "there is no folder nodir; create it, or check the path";
    let is_file = "a part of the path is a file, not a folder; check the path";
    for (arguments, expected) in [
        (&["show", "a.idx", "-o", "nodir/x.png"][..], format!("nodir/x.png: {no_folder}")),
        (&["info", "nodir/x.idx"], format!("nodir/x.idx: {no_folder}")),
        (
            &["convert", "bad", "-o", "x.idx"],
            "bad/a.png: the content is not a PNG, JPEG, GIF, BMP, TIFF or WebP picture; save it as one"
                .to_string(),
        ),
        (
            &["check", "long.idx"],
            "long.idx: extra bytes after the payload: 2 bytes from offset 28; remove them, or correct the \
             header if they belong to it (after 3 whole records)"
                .to_string(),
        ),
        (&["convert", "a.idx", "-o", "a.idx/x.idx"], format!("a.idx/x.idx: {is_file}")),
        (&["info", "a.idx/x"], format!("a.idx/x: {is_file}")),
        (
            &["show", "one.idx", "--records", "5"],
            "one.idx: the range starts beyond the last record; there is 1 record, counted from 0".to_string(),
        ),
    ] {
        let (_, message) = folder.run(arguments).failure();
        assert_eq!(message, expected);
    }
    if !cfg!(feature = "parquet") {
        let (_, message) =
            folder.run(&["convert", "a.idx", "--to", "parquet", "-o", "-"]).failure();
        assert!(message.starts_with("-: this program was built without"), "{message}");
    }
    // Failed before: these files were refused.
    folder.convert(&["real.tsv", "-o", "x.idx"]);
    assert_eq!(folder.read("x.idx"), file(8, &[2, 2], &[9, 2, 3, 4]));
    folder.convert(&["x.csv.gz", "-o", "x.idx", "-f"]);
    assert_eq!(folder.read("x.idx"), file(8, &[1, 2], &[9, 2]));
}

/// A path can be longer than anybody wants to read.
#[test]
fn long_messages_lack_their_middle() {
    let path = "x".repeat(3000) + &"y".repeat(3000);
    let outcome = Folder::new(&[]).run(&["info", &path]);
    let message = outcome.messages.trim_end().strip_prefix("idx: ").unwrap();
    let (start, end) = message.split_once(" ... ").unwrap();
    assert_eq!(start, "x".repeat(2048));
    assert_eq!(end.len(), 2048);
    assert!(end.starts_with("yyy") && end.ends_with("os error 36)"), "{end}");
}

/// Source code is made only from IDX.
#[test]
fn what_reads_idx_alone_advises_to_convert() {
    let folder = each_format();
    for (name, format) in [("a.npy", "npy"), ("a.csv", "csv"), ("a/7/00000.png", "png")] {
        let (_, message) = folder.run(&["rust", name]).failure();
        let expected =
            format!("{name}: the format is {format}, not IDX; convert it with `idx convert` first");
        assert_eq!(message, expected);
    }
    // Failed before: the advice was "convert the folder that it is in".
    let info = folder.run(&["info", "a/7/00000.png"]).success();
    assert!(info.contains("  format        png\n"), "{info}");
    let checked = folder.run(&["check", "a/7/00000.png"]).success();
    assert!(checked.starts_with("a/7/00000.png: ok: 1 record of "), "{checked}");
}
