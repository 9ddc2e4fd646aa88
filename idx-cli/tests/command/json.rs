//! Errors as objects of `--json`: their kind, their numbers and their sentence.

use idx_tests::{file, gzip};
use serde_json::{Value, json};

use crate::common::{Folder, not_idx};

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
        "error": "the payload is truncated: expected 12 bytes, found 11 (1 missing); download or copy \
                  the file again (after 1 whole record)",
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

/// Of files in another format, and of a data set.
#[test]
fn json_has_the_numbers_of_any_error() {
    let cut = gzip(b"9,2\n3,4\n");
    let cut = object(&["stats"], "cut.csv.gz", &cut[..cut.len() - 4]);
    assert_eq!(cut["kind"], "gzip_truncated");
    let labels = file(0x08, &[2], &[7, 77]);
    let folder = Folder::new(&[]);
    folder.write("set/t10k-images-idx3-ubyte", &file(0x08, &[2, 1, 1], &[0, 0]));
    folder.write("set/t10k-labels-idx1-ubyte", &labels);
    let output = folder.run(&["check", "--json", "set"]).output;
    let wrong = output.lines().find(|line| line.contains("label_not_allowed")).unwrap();
    let wrong: Value = serde_json::from_str(wrong).unwrap();
    assert_eq!((&wrong["record"], &wrong["label"]), (&json!(1), &json!(77.0)));
}

#[test]
fn json_says_the_same_as_the_message() {
    for bad in not_idx() {
        // One of them claims records of almost 4 GiB.
        let object = object(&["stats"], bad.name, &bad.bytes);
        assert_eq!(object["path"], bad.name);
        assert_eq!(object["error"], bad.message);
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
}
