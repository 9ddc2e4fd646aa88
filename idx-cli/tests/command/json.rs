//! Errors as objects of `--json`: their kind, their numbers and their sentence.

use idx_tests::{file, gzip};
use serde_json::{Value, json};

use crate::common::{Folder, not_idx, with_raw};

/// The object that `idx info --json` prints for this file.
#[track_caller]
fn object(command: &[&str], name: &str, bytes: &[u8]) -> Value {
    let folder = Folder::new(&[(name, bytes)]);
    let (output, _) = folder.run(&[command, &["--json", name]].concat()).failure();
    serde_json::from_str(&output).unwrap()
}

#[test]
fn json_has_the_numbers_of_an_error() {
    let images = file(0x08, &[2, 2, 3], &[7; 12]);
    let expected = json!({
        "path": "cut", "kind": "truncated", "needed": 12, "found": 11, "records": 1,
        "error": "truncated: 11 of 12 payload bytes; download it again, or `idx convert FILE -r ..1 -o NEW` keeps 1 \
                  record",
    });
    for command in ["info", "stats", "check"] {
        assert_eq!(object(&[command], "cut", &images[..27]), expected);
    }
    let long = object(&["info"], "long", &[&images[..], &[1, 2]].concat());
    assert_eq!(
        [&long["kind"], &long["offset"], &long["count"], &long["records"]],
        [&json!("trailing_bytes"), &json!(28), &json!(2), &json!(2)]
    );
    let zipped = gzip(&images);
    let cut = object(&["stats"], "cut.gz", &zipped[..zipped.len() - 4]);
    assert_eq!(cut["kind"], "gzip_truncated");
    assert_eq!((&cut["missing"], &cut["records"]), (&json!(0), &json!(2)));
    let unknown = object(&["info"], "unknown", &[0, 0, 0x0A, 1, 0, 0, 0, 0]);
    assert_eq!(unknown["kind"], "unknown_element_type");
    assert_eq!(unknown["start"], json!([0, 0, 0x0A, 1, 0, 0, 0, 0]));
}

/// Errors of files in another format, and of a data set.
#[test]
fn json_has_the_numbers_of_any_error() {
    let cut = gzip(b"9,2\n3,4\n");
    let cut = object(&["stats"], "cut.csv.gz", &cut[..cut.len() - 4]);
    assert_eq!(cut["kind"], "gzip_truncated");
    let labels = file(0x08, &[2], &[7, 77]);
    let folder = Folder::new(&[]);
    folder.write("set/emnist-letters-test-images-idx3-ubyte", &file(0x08, &[2, 1, 1], &[0, 0]));
    folder.write("set/emnist-letters-test-labels-idx1-ubyte", &labels);
    let output = folder.run(&["check", "--json", "set"]).output;
    let wrong = output.lines().find(|line| line.contains("label_not_allowed")).unwrap();
    let wrong: Value = serde_json::from_str(wrong).unwrap();
    assert_eq!((&wrong["record"], &wrong["label"]), (&json!(1), &json!(77.0)));
}

#[test]
fn json_says_the_same_as_the_message() {
    for bad in not_idx() {
        let object = object(&["stats"], bad.name, &bad.bytes);
        assert_eq!(object["path"], bad.name);
        assert_eq!(object["error"], with_raw(bad.message));
        let kind = object["kind"].as_str().unwrap();
        let is_word = kind.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'));
        assert!(is_word && !kind.is_empty(), "{}: {kind:?}", bad.name);
        let records = bad.message.rsplit_once("(after ").map(|(_, rest)| {
            let (records, _) = rest.split_once(' ').unwrap();
            records.parse::<u64>().unwrap()
        });
        assert_eq!(object["records"].as_u64(), records, "{}", bad.name);
    }
}

#[test]
fn json_has_the_kind_of_every_error() {
    let folder =
        Folder::new(&[("two", &file(0x08, &[2], &[1, 2])), ("one", &file(0x08, &[1], &[1]))]);
    let arguments = ["stats", "--json", "two", "--labels", "one"];
    let (output, message) = folder.run(&arguments).failure();
    let object: Value = serde_json::from_str(&output).unwrap();
    let error = message.strip_prefix("one: ").unwrap();
    assert_eq!(object, json!({"path": "one", "error": error, "kind": "mismatch"}));

    // Errors that the command itself finds, too.
    folder.write("a.csv", b"7,1\n");
    let wrong: [&[&str]; 2] = [
        &["info", "--json", "--identify", "a.csv"],
        &["check", "--json", "--duplicates", "one", "a.csv"],
    ];
    for arguments in wrong {
        let (output, message) = folder.run(arguments).failure();
        let object: Value = serde_json::from_str(&output).unwrap();
        let error = message.strip_prefix("a.csv: ").unwrap();
        assert_eq!(object, json!({"path": "a.csv", "error": error, "kind": "mismatch"}));
    }
}

#[test]
fn differences_and_repairs_are_objects() {
    let one = file(8, &[2, 2], &[1, 2, 3, 4]);
    let folder = Folder::new(&[
        ("a.idx", &one),
        ("b.idx", &file(8, &[2, 2], &[1, 2, 3, 5])),
        ("cut.idx", &one[..15]),
    ]);
    let object = |arguments: &[&str], code: i32| {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(code), "{outcome:?}");
        serde_json::from_str::<Value>(&outcome.output).unwrap()
    };
    let same = json!({ "path": "a.idx", "other": "a.idx", "same": true, "differences": [] });
    assert_eq!(object(&["diff", "--json", "a.idx", "a.idx"], 0), same);
    let differences =
        ["record 1: the element at [1] differs: 4 and 5", "1 of 2 records differ, in 1 element"];
    let different =
        json!({ "path": "a.idx", "other": "b.idx", "same": false, "differences": differences });
    assert_eq!(object(&["diff", "--json", "a.idx", "b.idx"], 1), different);
    assert_eq!(object(&["diff", "--json", "a.idx", "none"], 2)["path"], "none");

    let found = |was_wrong: bool, is_wrong: bool, records: u32, found: &str| json!({ "path": "cut.idx", "was_wrong": was_wrong, "is_wrong": is_wrong, "records": records, "found": found });
    let text = "1 whole record; the header counts 2; 1 byte of an incomplete record";
    assert_eq!(
        object(&["repair", "--json", "--dry-run", "cut.idx"], 0),
        found(true, true, 1, text)
    );
    assert_eq!(object(&["repair", "--json", "cut.idx"], 0), found(true, false, 1, text));
    assert_eq!(
        object(&["repair", "--json", "cut.idx"], 0),
        found(false, false, 1, "1 whole record")
    );
    assert_eq!(object(&["repair", "--json", "none"], 1)["path"], "none");
}
