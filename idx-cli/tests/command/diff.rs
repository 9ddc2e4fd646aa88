//! `idx diff`: what differs between two inputs.

use std::fs;

use idx_tests::{file, gzip};

use crate::common::{Folder, outcome};

/// Three pictures of 2 x 2, and others that differ in one or several ways.
fn folder() -> Folder {
    let same = file(8, &[3, 2, 2], b"abcdefghijkl");
    Folder::new(&[
        ("a.idx", &same),
        ("a.gz", &gzip(&same)),
        ("b.idx", &file(8, &[3, 2, 2], b"abcdeFghIJkL")),
        ("longer.idx", &file(8, &[4, 2, 2], b"abcdefghijklabcd")),
        ("longest.idx", &file(8, &[5, 2, 2], b"abcdefghijklabcdefgh")),
        ("deep.idx", &file(8, &[1, 2, 2, 2], b"abcdefgh")),
        ("deep2.idx", &file(8, &[1, 2, 2, 2], b"abcdefGh")),
        ("flat.idx", &file(8, &[3, 4], b"abcdefghijkl")),
        ("cut.idx", &same[..20]),
        ("l.idx", &file(8, &[3], &[7, 8, 9])),
        ("m.idx", &file(8, &[3], &[7, 1, 9])),
        ("x.csv", b"label,p\n7,1.5\n8,-0\n9,3\n"),
    ])
}

/// The exit code and what is printed.
fn diff(folder: &Folder, one: &str, other: &str) -> (Option<i32>, String) {
    let outcome = folder.run(&["diff", one, other]);
    (outcome.code, outcome.output + &outcome.messages)
}

#[test]
fn the_same_records_are_the_same_in_any_format() {
    let folder = folder();
    folder.convert(&["a.idx", "-o", "a.npy"]);
    for other in ["a.idx", "a.gz", "a.npy"] {
        assert_eq!(diff(&folder, "a.idx", other), (Some(0), String::new()));
    }
}

#[test]
fn differences_are_told_and_the_exit_code_is_that_of_diff() {
    let folder = folder();
    let table = [
        (
            "a.idx",
            "b.idx",
            "record 1: the element at [0, 1] differs: 102 and 70\n\
             record 2: 3 elements differ, the first at [0, 0]: 105 and 73\n\
             2 of 3 records differ, in 4 elements\n",
        ),
        ("longer.idx", "a.gz", "number of records: 4 and 3\nthe first 3 records are the same\n"),
        ("longest.idx", "a.gz", "number of records: 5 and 3\nthe first 3 records are the same\n"),
        ("a.gz", "longest.idx", "number of records: 3 and 5\nthe first 3 records are the same\n"),
        (
            "deep.idx",
            "deep2.idx",
            "record 0: the element at [1, 1, 0] differs: 103 and 71\n1 of 1 records differ, in 1 element\n",
        ),
        ("a.idx", "flat.idx", "the shapes differ: 2 x 2 u8 and 4 u8\n"),
        ("a.idx", "l.idx", "the shapes differ: 2 x 2 u8 and single u8\n"),
        ("l.idx", "m.idx", "record 1: 8 and 1\n1 of 3 records differ, in 1 element\n"),
    ];
    for (one, other, expected) in table {
        assert_eq!(diff(&folder, one, other), (Some(1), expected.to_string()), "{one} {other}");
    }
    let (code, message) = diff(&folder, "a.idx", "cut.idx");
    assert_eq!(code, Some(2));
    assert!(message.starts_with("idx: cut.idx: truncated: "), "{message}");
    assert_eq!(diff(&folder, "a.idx", "none").0, Some(2));
    assert_eq!(folder.run(&["diff", "a.idx"]).code, Some(2));
}

/// Failed before: after pictures were written by class and read back, all records differed, and nothing said why.
#[test]
fn records_in_another_order_are_recognized() {
    let folder = folder();
    let order = "both have the same records, in another order\n";
    for (one, other, same) in [
        ("a.idx", b"ijklabcdefgh", true),
        ("a.idx", b"ijklabcdijkl", false),
        ("a.idx", b"ijklabcdefgi", false),
    ] {
        folder.write("moved.idx", &file(8, &[3, 2, 2], other));
        let (code, output) = diff(&folder, one, "moved.idx");
        assert_eq!((code, output.ends_with(order)), (Some(1), same), "{output}");
    }
    // A label that moved to another record is a difference.
    folder.convert(&["a.idx", "-l", "l.idx", "-o", "a.csv"]);
    folder.convert(&["a.idx", "-l", "l.idx", "--shuffle", "-o", "moved.csv"]);
    assert!(diff(&folder, "a.csv", "moved.csv").1.ends_with(order));
    folder.convert(&["a.idx", "-l", "m.idx", "--shuffle", "-o", "moved.csv", "--force"]);
    assert!(!diff(&folder, "a.csv", "moved.csv").1.ends_with(order));
}

#[test]
fn few_of_many_differences_are_printed() {
    let zeros = file(8, &[1000, 2], &[0; 2000]);
    let ones = file(8, &[1000, 2], &[1; 2000]);
    let folder = Folder::new(&[("0.idx", &zeros), ("1.idx", &ones)]);
    let (code, output) = diff(&folder, "0.idx", "1.idx");
    assert_eq!((code, output.lines().count()), (Some(1), 12));
    assert!(output.ends_with("\n...\n1000 of 1000 records differ, in 2000 elements\n"));
    let (zeros, ones) = (file(8, &[10, 2], &[0; 20]), file(8, &[10, 2], &[1; 20]));
    let folder = Folder::new(&[("0.idx", &zeros), ("1.idx", &ones)]);
    let (_, output) = diff(&folder, "0.idx", "1.idx");
    assert_eq!(output.lines().count(), 11, "{output}");
    let many = file(8, &[u32::MAX, 0], &[]);
    let fewer = file(8, &[5, 0], &[]);
    let folder = Folder::new(&[("many.idx", &many), ("few.idx", &fewer)]);
    assert_eq!(diff(&folder, "few.idx", "few.idx").0, Some(0));
    let outcome = folder.run(&["diff", "many.idx", "many.idx"]);
    let message = "idx: many.idx: more than 65536 records have no elements; check the sizes\n";
    assert_eq!((outcome.code, &*outcome.messages), (Some(2), message));
    // Records beyond the last one of the other file are only counted.
    assert_eq!(diff(&folder, "few.idx", "many.idx").0, Some(1));
}

/// Inputs are read in blocks. Records are counted across blocks, and the first wrong record is the one reported.
#[test]
fn inputs_of_several_blocks_are_compared() {
    let mut bytes = file(8, &[6000, 784], &vec![5; 6000 * 784]);
    let folder = Folder::new(&[("a.idx", &bytes), ("cut.gz", &gzip(&bytes[..3_000_016]))]);
    bytes[16 + 4001 * 784] = 6;
    bytes[16 + 2500 * 784] = 7;
    let all = bytes.len();
    bytes[7] -= 1;
    folder.write("b.gz", &gzip(&bytes[..all - 784]));
    let differ = "record 2500: the element at [4] differs: 5 and 7\nrecord 4001: the element at [4] differs: 5 and 6\n";
    let counts = "number of records: 6000 and 5999\n2 of 5999 records differ, in 2 elements\n";
    assert_eq!(diff(&folder, "a.idx", "b.gz"), (Some(1), format!("{differ}{counts}")));
    for pair in [["cut.gz", "b.gz"], ["b.gz", "cut.gz"]] {
        let outcome = folder.run(&["diff", pair[0], pair[1]]);
        assert_eq!((outcome.code, outcome.output.lines().count()), (Some(2), 1), "{outcome:?}");
        assert!(outcome.messages.starts_with("idx: cut.gz: truncated: "), "{outcome:?}");
    }
}

#[test]
fn records_are_changed_before_they_are_compared() {
    let folder = folder();
    for options in [&["--as", "f32"][..], &["--scale", "0..1"], &["--normalize", "100,8"]] {
        folder.convert(&[&["a.idx", "-o", "changed.idx", "--force"], options].concat());
        assert_eq!(diff(&folder, "a.idx", "changed.idx").0, Some(1));
        if options[0] == "--normalize" {
            continue; // what was normalized cannot be normalized again
        }
        let outcome = folder.run(&[&["diff", "a.idx", "changed.idx"], options].concat());
        assert_eq!((outcome.code, outcome.output), (Some(0), String::new()));
    }
    let outcome = folder.run(&["diff", "a.idx", "b.idx", "--as", "i16"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
}

/// A small file can claim any number of records without elements.
#[test]
fn records_without_elements_are_not_compared() {
    let many = file(8, &[u32::MAX, 0], &[]);
    let folder = Folder::new(&[("many", &many)]);
    assert_eq!(
        folder.run(&["check", "--duplicates", "many"]).failure(),
        (
            String::new(),
            "many: records without elements are all the same; compare files that have some"
                .to_string()
        )
    );
}

#[test]
fn classes_have_their_names() {
    let folder = folder();
    folder.write("names.txt", "\n\n\n\n\n\n\nseal\nox \x1B[31m\nbär\n".as_bytes());
    let named = ["--labels", "l.idx", "--classes", "names.txt"];
    let shown = folder.run(&[&["show", "a.idx"][..], &named].concat()).success();
    assert!(shown.contains("0: 7 seal"), "{shown}");
    assert!(shown.contains("1: 8 ox") && !shown.contains('\x1B'), "{shown}");
    assert!(shown.contains("2: 9 bär"), "{shown}");
    let stats = folder.run(&[&["stats", "a.idx"][..], &named].concat()).success();
    assert!(stats.contains("\n    7 seal "), "{stats}");
    // The folders of pictures are the names of the classes.
    folder.convert(&[&["a.idx", "-o", "p/"][..], &named[..2]].concat());
    for (label, name) in [("7", "ant"), ("8", "bee"), ("9", "cat")] {
        let path = |name: &str| folder.0.path().join("p").join(name);
        fs::rename(path(label), path(name)).unwrap();
    }
    let shown = folder.run(&["show", "p"]).success();
    assert!(shown.contains("0: 0 ant"), "{shown}");
    let message =
        folder.run(&["show", "a.idx", "--labels", "l.idx", "--classes", "none"]).failure().1;
    assert!(message.starts_with("none: this is neither a file nor a known set"), "{message}");
}

/// The names of a well-known set, by the hash of its labels.
#[test]
fn classes_of_a_known_set_have_their_names() {
    let name = "fashion-mnist/t10k-labels-idx1-ubyte.gz";
    let Some(labels) = idx_tests::real_data("classes_of_a_known_set_have_their_names", name) else {
        return;
    };
    let images = labels.with_file_name("t10k-images-idx3-ubyte.gz");
    let folder = Folder::new(&[]);
    let mut show = folder.command(&["show", "-n", "2", "--classes", "fashion-mnist"]);
    let shown = outcome(show.arg(&images).arg("-l").arg(&labels), &[]).success();
    assert!(shown.contains("0: 9 Ankle boot"), "{shown}");
}

/// Labels of pictures and of csv are compared, too.
#[test]
fn labels_differ() {
    let folder = folder();
    for (labels, name) in [("l.idx", "p"), ("m.idx", "q")] {
        folder.convert(&["a.idx", "--labels", labels, "-o", &format!("{name}.csv")]);
    }
    assert_eq!(
        diff(&folder, "p.csv", "q.csv"),
        (
            Some(1),
            "record 1: labels 8 and 1\n1 of 3 records differ, in 0 elements and 1 label\n"
                .to_string()
        )
    );
    folder.convert(&["p.csv", "-o", "p/"]);
    assert_eq!(diff(&folder, "p", "p.csv").0, Some(0));
    folder.convert(&["b.idx", "--labels", "m.idx", "-o", "r.csv"]);
    let (_, output) = diff(&folder, "p", "r.csv");
    assert!(
        output.starts_with(
            "record 1: the element at [0, 1] differs: 102 and 70, labels 8 and 1\n\
             record 2: 3 elements differ, the first at [0, 0]: 105 and 73\n"
        ),
        "{output}"
    );
}

/// Failed before: "labels 7 and none" for each record, and exit code 1.
#[test]
fn labels_that_only_one_input_has_are_not_compared() {
    let folder = folder();
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "set-images-idx3-ubyte"]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "p.csv"]);
    folder.convert(&["a.idx", "-o", "bare.csv"]);
    for (labeled, bare) in
        [("set-images-idx3-ubyte", "a.gz"), ("p.csv", "bare.csv"), ("p.csv", "a.idx")]
    {
        for [one, other] in [[labeled, bare], [bare, labeled]] {
            let note = format!(
                "idx: {labeled}: note: its labels are not compared, as the other input has none\n"
            );
            assert_eq!(diff(&folder, one, other), (Some(0), note), "{one} {other}");
        }
    }
    assert_eq!(diff(&folder, "set-images-idx3-ubyte", "p.csv"), (Some(0), String::new()));
    let outcome = folder.run(&["diff", "p.csv", "b.idx"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.output.ends_with("\n2 of 3 records differ, in 4 elements\n"), "{outcome:?}");
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "p/"]);
    let outcome = folder.run(&["diff", "b.idx", "p"]);
    assert!(outcome.messages.contains("a folder has its records in the order"), "{outcome:?}");
}

/// The same numbers are not the same labels if they mean something else.
#[test]
fn names_of_classes_differ() {
    let folder = folder();
    for (classes, name) in [("a\nb", "one/"), ("a\nc", "other/")] {
        let named = format!("0\n1\n2\n3\n4\n5\n6\n{classes}\n9");
        folder.write("names.txt", named.as_bytes());
        folder.convert(&["a.idx", "--labels", "l.idx", "--classes", "names.txt", "-o", name]);
    }
    assert_eq!(
        diff(&folder, "one", "other"),
        (Some(1), "class 8: b and c\nall records are the same\n".to_string())
    );
    assert_eq!(diff(&folder, "one", "one"), (Some(0), String::new()));
    // Failed before: names that only one input has were not mentioned.
    folder.convert(&["-q", "one", "-o", "bare-images-idx3-ubyte"]);
    fs::remove_file(folder.0.path().join("bare-classes.txt")).unwrap();
    let note =
        "idx: one: note: the names of its classes are not compared, as the other input has none\n";
    for [left, right] in [["one", "bare-images-idx3-ubyte"], ["bare-images-idx3-ubyte", "one"]] {
        let outcome = folder.run(&["diff", "-q", left, right]);
        assert_eq!((outcome.code, &*outcome.messages), (Some(0), ""));
        assert!(folder.run(&["diff", left, right]).messages.ends_with(note));
    }
}

/// Failed before: the message was only "records: 1 u8 and 1 f32".
#[test]
fn types_that_differ_are_named() {
    let folder = Folder::new(&[
        ("bytes", &file(8, &[1, 2], &[0, 1])),
        ("floats", &file(0x0D, &[1, 2], &[0.0f32, 1.0].map(f32::to_be_bytes).concat())),
    ]);
    let outcome = folder.run(&["diff", "bytes", "floats"]);
    let message = "the types differ: u8 and f32; --as f64 compares the numbers\n";
    assert_eq!((outcome.code, &*outcome.output), (Some(1), message));
    assert_eq!(folder.run(&["diff", "bytes", "floats", "--as", "f64"]).success(), "");
}

/// Both inputs have the same pictures with the same labels, in another order.
#[test]
fn a_folder_of_classes_has_another_order() {
    let folder = Folder::new(&[
        ("own-images-idx3-ubyte", &file(8, &[2, 1, 1], &[1, 2])),
        ("own-labels-idx1-ubyte", &file(8, &[2], &[1, 0])),
    ]);
    folder.convert(&["own-images-idx3-ubyte", "-o", "out/"]);
    let outcome = folder.run(&["diff", "own-images-idx3-ubyte", "out"]);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.messages.starts_with("idx: out: note: a folder has its records in the order"));
    folder.run(&["diff", "out", "out"]).success();
}
