//! Contents of files: `idx diff`, `idx check --duplicates` and `idx info --hex`.

use std::process::Command;

use idx_tests::{file, gzip};
use serde_json::{Value, json};

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
        (
            "longer.idx",
            "a.gz",
            "number of records: 4 and 3\n0 of 3 records differ, in 0 elements\n",
        ),
        (
            "longest.idx",
            "a.gz",
            "number of records: 5 and 3\n0 of 3 records differ, in 0 elements\n",
        ),
        (
            "a.gz",
            "longest.idx",
            "number of records: 3 and 5\n0 of 3 records differ, in 0 elements\n",
        ),
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
    assert!(message.starts_with("idx: cut.idx: the payload is truncated"), "{message}");
    assert_eq!(diff(&folder, "a.idx", "none").0, Some(2));
    assert_eq!(folder.run(&["diff", "a.idx"]).code, Some(2));
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
    for pair in [["many.idx", "many.idx"], ["few.idx", "many.idx"]] {
        let outcome = folder.run(&["diff", pair[0], pair[1]]);
        let message = "idx: many.idx: more than 65536 records have no elements; check the sizes\n";
        assert_eq!((outcome.code, &*outcome.messages), (Some(2), message));
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

#[test]
fn duplicates_are_found_within_and_between_files() {
    let train = file(8, &[4, 2, 2], b"aaaabbbbaaaacccc");
    let test = file(8, &[3, 2, 2], b"ddddbbbbdddd");
    let folder = Folder::new(&[("train.gz", &gzip(&train)), ("test.idx", &test)]);
    let outcome = folder.run(&["check", "--duplicates", "train.gz", "test.idx"]);
    assert_eq!(
        (outcome.code, &*outcome.messages, &*outcome.output),
        (
            Some(1),
            "",
            "train.gz: record 2 is record 0 of train.gz\n\
             test.idx: record 1 is record 1 of train.gz\n\
             test.idx: record 2 is record 0 of test.idx\n\
             train.gz: 1 record repeated in it\n\
             test.idx: 1 record also in train.gz\n\
             test.idx: 1 record repeated in it\n"
        )
    );
    let unique = file(8, &[2, 2, 2], b"aaaabbbb");
    let folder = Folder::new(&[("a.idx", &unique), ("cut.idx", &unique[..20])]);
    assert_eq!(
        folder.run(&["check", "--duplicates", "a.idx"]).success(),
        "all records are different\n"
    );
    let (output, message) = folder.run(&["check", "--duplicates", "cut.idx"]).failure();
    assert_eq!(output, "");
    assert!(message.starts_with("cut.idx: the payload is truncated"));
}

#[test]
fn records_of_other_types_and_sizes_are_no_duplicates() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[1, 2, 2], &[0; 4])),
        ("b.idx", &file(0x0C, &[1], &[0; 4])),
        ("c.idx", &file(8, &[2], &[0; 2])),
        ("d.idx", &file(8, &[1, 4], &[0; 4])),
    ]);
    for (other, records) in [("b.idx", "single i32"), ("c.idx", "single u8")] {
        assert_eq!(
            folder.run(&["check", "--duplicates", "a.idx", other]).failure().1,
            format!(
                "{other}: the records are {records}, and those of a.idx are 2 x 2 u8; compare records of one type and \
                 size"
            )
        );
    }
    assert_eq!(folder.run(&["check", "--duplicates", "a.idx", "d.idx"]).code, Some(1));
}

#[test]
fn duplicates_are_found_for_scripts() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[4, 2], &[1, 1, 2, 2, 1, 1, 1, 1])),
        ("b.idx", &file(8, &[1, 2], &[2, 2])),
    ]);
    let outcome = folder.run(&["check", "--duplicates", "--json", "a.idx", "b.idx"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    let lines: Vec<Value> =
        outcome.output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        lines,
        [
            json!({"path": "a.idx", "of": null, "duplicates": 2, "first": [[2, 0], [3, 0]]}),
            json!({"path": "b.idx", "of": "a.idx", "duplicates": 1, "first": [[0, 1]]}),
        ]
    );
    assert_eq!(folder.run(&["check", "--duplicates", "--json", "b.idx"]).success(), "");
}

#[test]
fn few_of_many_duplicates_are_printed() {
    for count in [11, 12] {
        let same = file(8, &[count, 2], &[7; 24][..2 * count as usize]);
        let folder = Folder::new(&[("same.idx", &same)]);
        let output = folder.run(&["check", "--duplicates", "same.idx"]).output;
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[9], "same.idx: record 10 is record 0 of same.idx");
        let repeated = format!("same.idx: {} records repeated in it", count - 1);
        let expected = [&["..."][..usize::from(count == 12)], &[&*repeated]].concat();
        assert_eq!(lines[10..], expected);
        let limited = ["check", "--duplicates", "--record-limit", "1", "same.idx"];
        assert_eq!(
            folder.run(&limited).failure().1,
            "same.idx: a record has 2 bytes, more than the limit of 1; if you trust the file, raise \
             the limit with `--record-limit`"
        );
    }
}

/// Their number does not depend on the size of the file.
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

/// Each file is open only while it is read, however many there are.
#[cfg(unix)]
#[test]
fn duplicates_are_found_in_more_files_than_can_be_open() {
    let names: Vec<String> = (0..40).map(|number| format!("{number}.idx")).collect();
    let image = file(8, &[1, 2], b"ab");
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &*image)).collect();
    let folder = Folder::new(&files);
    let idx = env!("CARGO_BIN_EXE_idx");
    let script = format!("ulimit -n 32; exec {idx} check --duplicates {}", names.join(" "));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.0.path());
    let outcome = outcome(&mut shell, &[]);
    assert_eq!((outcome.code, &*outcome.messages), (Some(1), ""));
    assert!(outcome.output.starts_with("1.idx: record 0 is record 0 of 0.idx\n"));
}

#[test]
fn the_header_is_annotated_as_far_as_it_goes() {
    let whole = file(0x0B, &[1, 3], &[0, 1, 0, 2, 0, 3]);
    let folder = Folder::new(&[
        ("whole", &whole),
        ("whole.gz", &gzip(&whole)),
        ("archive", b"PK\x03\x04\x1B[31m of a stranger"),
        ("empty", b""),
    ]);
    let parts = |magic: &str| {
        format!(
            "00000000  00 00        {magic}\n00000002  0b           element type i16\n\
             00000003  02           2 dimensions\n00000004  00 00 00 01  1 record\n\
             00000008  00 00 00 03  3\n0000000c  00 01 00 02 00 03  payload\n"
        )
    };
    let hex = |name| folder.run(&["info", "--hex", name]);
    assert_eq!(hex("whole").success(), parts("magic number"));
    assert_eq!(hex("whole.gz").success(), parts("magic number (after gunzip)"));
    assert_eq!(
        hex("archive").success(),
        "00000000  50 4b 03 04 1b 5b 33 31  not IDX, but a zip archive\n"
    );
    assert!(hex("empty").success().ends_with("there is nothing\n"));
    let cut = folder.run_with(&["info", "--hex", "-"], &whole[..10]);
    assert!(cut.success().ends_with("00000008  00 00        truncated: 2 bytes of 4 missing\n"));
    let code = folder.run_with(&["info", "--hex", "-"], &[0, 0, 7, 1]);
    let code = code.success();
    assert!(code.contains("07           no element type: 08, 09, 0b, 0c, 0d or 0e\n"));
    assert!(code.ends_with("truncated: 4 bytes of 4 missing\n"));
    let several = folder.run(&["info", "--hex", "whole", "archive"]).success();
    let archive = hex("archive").success();
    assert_eq!(several, format!("whole\n{}archive\n{archive}", parts("magic number")));
    assert_eq!(hex("none").failure().1, "none: no such file; check the path");
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
    assert!(stats.contains(" 7 seal  1   33.3 %"), "{stats}");
    // The names of a folder.
    folder.convert(&[&["a.idx", "-o", "p/"][..], &named[..2]].concat());
    for (label, name) in [("7", "ant"), ("8", "bee"), ("9", "cat")] {
        let path = |name: &str| folder.0.path().join("p").join(name);
        std::fs::rename(path(label), path(name)).unwrap();
    }
    let shown = folder.run(&["show", "p"]).success();
    assert!(shown.contains("0: 0 ant"), "{shown}");
    let message =
        folder.run(&["show", "a.idx", "--labels", "l.idx", "--classes", "none"]).failure().1;
    assert_eq!(message, "none: no such file; check the path");
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

/// The labels of pictures and of csv, too.
#[test]
fn labels_differ() {
    let folder = folder();
    for (labels, name) in [("l.idx", "p"), ("m.idx", "q")] {
        folder.convert(&["a.idx", "--labels", labels, "-o", &format!("{name}.csv")]);
    }
    assert_eq!(
        diff(&folder, "p.csv", "q.csv"),
        (Some(1), "record 1: labels 8 and 1\n1 of 3 records differ, in 0 elements\n".to_string())
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
        (Some(1), "class 8: b and c\n0 of 3 records differ, in 0 elements\n".to_string())
    );
    assert_eq!(diff(&folder, "one", "one"), (Some(0), String::new()));
}
