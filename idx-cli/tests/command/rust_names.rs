//! What `idx rust` calls the record type and the `static` of a file.

use crate::common::Folder;
use idx_tests::file;

#[test]
fn names_come_from_that_of_the_file() {
    let folder = Folder::new(&[]);
    for (name, table, record) in [
        ("train-images-idx3-ubyte", "TRAIN_IMAGES", "TrainImage"),
        ("t10k-labels.idx1-ubyte", "T10K_LABELS", "T10kLabel"),
        ("data/Temperature 2024.idx", "TEMPERATURE_2024", "Temperature2024"),
        ("class", "CLASS", "Class"),
        ("self", "SELF", "SelfRecord"),
        ("x1", "X1", "X1Record"),
        ("7", "RECORDS_7", "Records7"),
        ("idx", "RECORDS", "Record"),
        ("\u{30C7}\u{30FC}\u{30BF}", "RECORDS", "Record"),
    ] {
        folder.write(name, &file(0x08, &[1, 1], &[7]));
        let source = folder.run(&["rust", name]).success();
        assert!(source.contains(&format!("pub struct {record}(")), "{source}");
        let table = format!("pub static {table}: idx_core::Records<{record}> =");
        assert!(source.contains(&table), "{source}");
    }
}

#[test]
fn no_two_files_get_one_name() {
    let folder = Folder::new(&[]);
    let refused = |options: &[&str], [one, other]: [&str; 2], name: &str| {
        for path in [one, other] {
            folder.write(path, &file(0x08, &[1, 1], &[7]));
        }
        let arguments = [&["rust"], options, &[one, other]].concat();
        let (output, message) = folder.run(&arguments).failure();
        assert_eq!(output, "");
        let expected =
            format!("{other}: this file and {one} would both be named {name}; rename one of them");
        assert_eq!(message, expected);
    };
    refused(&["--c"], ["train/w.idx", "test/w.idx"], "idx_w");
    refused(&["--c"], ["a-b.idx", "a_b.idx"], "idx_a_b");
    refused(&[], ["train/w.idx", "test/w.idx"], "WRecord");
    // A type has the name of another type, or of another static.
    refused(&[], ["image", "images"], "Image");
    refused(&[], ["a-b", "ab"], "AB");
    folder.run(&["rust", "--c", "image", "images"]).success();
}

#[test]
fn a_memory_has_one_file() {
    let pixel = file(0x08, &[1, 1], &[7]);
    let folder = Folder::new(&[("a", &pixel), ("b", &pixel)]);
    let outcome = folder.run(&["rust", "--mem", "a", "b"]);
    assert_eq!((outcome.code, &*outcome.output), (Some(2), ""));
    let message = "idx: --mem writes one memory; give one FILE\n";
    assert!(outcome.messages.starts_with(message), "{outcome:?}");
}
