//! `idx check --duplicates`.

use std::process::Command;

use idx_tests::{file, gzip};
use serde_json::{Value, json};

use crate::common::{Folder, outcome};

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
            "train.gz: record 2 equals record 0 of train.gz\n\
             test.idx: record 1 equals record 1 of train.gz\n\
             test.idx: record 2 equals record 0 of test.idx\n\
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
    assert!(message.starts_with("cut.idx: truncated: "));
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
            json!({"path": "a.idx", "of": null, "duplicates": 2, "records": [[2, 0], [3, 0]]}),
            json!({"path": "b.idx", "of": "a.idx", "duplicates": 1, "records": [[0, 1]]}),
        ]
    );
    assert_eq!(folder.run(&["check", "--duplicates", "--json", "b.idx"]).success(), "");
}

#[test]
fn few_of_many_duplicates_are_printed_and_all_given_to_scripts() {
    for count in [11, 12] {
        let same = file(8, &[count, 2], &[7; 24][..2 * count as usize]);
        let folder = Folder::new(&[("same.idx", &same)]);
        let output = folder.run(&["check", "--duplicates", "same.idx"]).output;
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines[9], "same.idx: record 10 equals record 0 of same.idx");
        let repeated = format!("same.idx: {} records repeated in it", count - 1);
        let expected = [&["..."][..usize::from(count == 12)], &[&*repeated]].concat();
        assert_eq!(lines[10..], expected);
        let output = folder.run(&["check", "--duplicates", "--json", "same.idx"]).output;
        let object: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(object["records"].as_array().unwrap().last(), Some(&json!([count - 1, 0])));
        let limited = ["check", "--duplicates", "--record-limit", "1", "same.idx"];
        assert_eq!(
            folder.run(&limited).failure().1,
            "same.idx: a record has 2 bytes, more than the limit of 1; if you trust the file, raise \
             the limit with `--record-limit`"
        );
    }
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
    let script = format!("ulimit -n 32; exec '{idx}' check --duplicates {}", names.join(" "));
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.0.path());
    let outcome = outcome(&mut shell, &[]);
    assert_eq!((outcome.code, &*outcome.messages), (Some(1), ""));
    assert!(outcome.output.starts_with("1.idx: record 0 equals record 0 of 0.idx\n"));
}
