//! What `idx convert` reads, the other commands read too, or they name it.

use idx_tests::file;

use crate::common::Folder;

/// The same two records of 2 x 2 with the labels 7 and 3, in each format that the default build reads.
fn folder() -> Folder {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2, 2, 2], &[0, 1, 2, 255, 4, 5, 6, 7])),
        ("l.idx", &file(8, &[2], &[7, 3])),
    ]);
    folder.convert(&["a.idx", "-o", "a.npy"]);
    let labels = ["--labels", "l.idx"];
    folder.convert(&[&["a.idx", "-o", "a.csv"], &labels[..]].concat());
    folder.convert(&["a.idx", "-o", "a/", "--labels", "l.idx"]);
    folder
}

#[test]
fn info_of_any_format() {
    let folder = folder();
    let info = folder.run(&["info", "a.npy", "a", "a.csv"]).success();
    for expected in [
        "a.npy\n  format        npy\n  element type  u8\n  shape         2 x 2 x 2\n  records       2 of 4 bytes\n",
        "a\n  format        png\n  element type  u8\n  shape         2 x 2 x 2\n",
        "a.csv\n  format        csv\n  element type  u8\n  shape         ? x 2 x 2\n  records       ? of 4 bytes\n",
    ] {
        assert!(info.contains(expected), "{info}");
    }
    let json = folder.run(&["info", "--json", "a.csv"]).success();
    assert!(json.contains(r#""shape":[null,2,2],"records":null"#), "{json}");
    // Failed before: of the two, only a file was known to be csv.
    let both = folder.run_with(&["info", "-", "a.npy"], &folder.read("a.csv"));
    assert!(both.success().contains("a.npy\n  format        npy\n"));
    // And this command looked at one of its files only.
    folder.run(&["show", "a.csv", "a.npy", "--shape", "2x2"]).success();
    let (_, message) = folder.run(&["info", "--identify", "a.npy"]).failure();
    assert_eq!(message, "a.npy: the format is npy, not IDX; convert it with `idx convert` first");
}

#[test]
fn info_of_records_that_are_changed() {
    let folder = folder();
    for name in ["a.idx", "a.npy", "a.csv", "-"] {
        for (options, expected) in [
            (&["--as", "i16"][..], "  element type  i16\n  shape         2 x 2 x 2\n"),
            (&["--scale", "0..1"], "  element type  f32\n  shape         2 x 2 x 2\n"),
            (&["--normalize", "1,2"], "  element type  f32\n  shape         2 x 2 x 2\n"),
            (&["--shape", "4"], "  element type  u8\n  shape         2 x 4\n"),
        ] {
            let is_csv = name == "a.csv";
            let arguments = [&["info", name], options].concat();
            let info = folder.run_with(&arguments, &folder.read("a.idx")).success();
            let expected = match is_csv {
                true => expected.replace("2 x 2 x 2", "? x 2 x 2").replace("2 x 4", "? x 4"),
                false => expected.to_string(),
            };
            assert!(info.contains(&expected), "{arguments:?}: {info}");
        }
    }
}

#[test]
fn several_files_are_shown() {
    let folder = folder();
    let one = |name: &str| folder.run(&["show", name]).success();
    let output = folder.run(&["show", "a.idx", "l.idx"]).success();
    assert_eq!(output, format!("a.idx\n{}\nl.idx\n{}", one("a.idx"), one("l.idx")));
    let (output, message) = folder.run(&["show", "nofile", "l.idx"]).failure();
    assert_eq!(output, format!("nofile\n\nl.idx\n{}", one("l.idx")));
    assert_eq!(message, "nofile: no such file; check the path");
    for more in [["--labels", "l.idx"], ["-o", "sheet.png"]] {
        let outcome = folder.run(&[&["show", "a.idx", "l.idx"][..], &more].concat());
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
    }
}

#[test]
fn records_of_any_format_are_shown() {
    let folder = folder();
    let plain = folder.run(&["show", "a.idx"]).success();
    let labeled = folder.run(&["show", "a.idx", "--labels", "l.idx"]).success();
    assert_eq!(folder.run(&["show", "a.npy"]).success(), plain);
    assert_eq!(folder.run(&["show", "a.csv"]).success(), labeled);
    let stream = folder.run_with(&["show", "-"], &folder.read("a.npy"));
    assert_eq!(stream.success(), plain);
    // The pictures of a folder are in the order of their classes.
    folder.convert(&["a", "-o", "sorted.csv"]);
    let sorted = folder.run(&["show", "sorted.csv"]).success();
    assert!(sorted.starts_with("0: label 3  1: label 7"), "{sorted}");
    assert_eq!(folder.run(&["show", "a"]).success(), sorted);

    let stats = folder.run(&["stats", "a.idx", "--labels", "l.idx"]).success();
    for name in ["a", "a.csv"] {
        let found = folder.run(&["stats", name]).success();
        let (_, found) = found.split_once('\n').unwrap();
        assert_eq!(found, stats.split_once('\n').unwrap().1, "{name}");
    }
}

#[test]
fn sheets_of_any_format() {
    let folder = folder();
    let sheet = |arguments: &[&str]| {
        folder.run(&[&["show", "-f", "-o", "sheet.png"], arguments].concat()).success();
        folder.read("sheet.png")
    };
    let (plain, labeled) = (sheet(&["a.idx"]), sheet(&["a.idx", "--labels", "l.idx"]));
    assert_ne!(plain, labeled);
    assert!(sheet(&["a.npy"]) == plain);
    assert!(sheet(&["a.csv"]) == labeled);
    folder.convert(&["a", "-o", "sorted.csv"]);
    assert!(sheet(&["a"]) == sheet(&["sorted.csv"]));
    assert!(sheet(&["-r", "1..", "a.csv"]) == sheet(&["-r", "1", "a.idx", "--labels", "l.idx"]));
}

/// What describes labels has no effect where there are none.
#[test]
fn what_describes_labels_needs_labels() {
    let folder = folder();
    folder.write("names.txt", b"ant\nbee\n");
    let before = folder.names();
    let show = &["show"][..];
    for command in [show, &["show", "-o", "x.png"], &["stats"], &["convert", "-o", "x.npy"]] {
        for (option, value) in [("--label-column", "1"), ("--classes", "names.txt")] {
            let arguments = [command, &["a.idx", option, value]].concat();
            let outcome = folder.run(&arguments);
            assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
            let start = format!("idx: {option} has no effect on these files");
            assert!(outcome.messages.starts_with(&start), "{arguments:?}: {outcome:?}");
        }
    }
    assert_eq!(folder.names(), before);
}

/// Source code is made of IDX alone.
#[test]
fn what_reads_idx_alone_advises_to_convert() {
    let folder = folder();
    for (name, format) in [("a.npy", "npy"), ("a.csv", "csv"), ("a/7/00000.png", "png")] {
        let (_, message) = folder.run(&["rust", name]).failure();
        let expected =
            format!("{name}: the format is {format}, not IDX; convert it with `idx convert` first");
        assert_eq!(message, expected);
    }
    for command in ["info", "check"] {
        let (_, message) = folder.run(&[command, "a/7/00000.png"]).failure();
        assert_eq!(
            message,
            "a/7/00000.png: this is a picture, not an IDX file; convert the folder that it is in with \
             `idx convert`"
        );
    }
}
