//! `idx check` and `idx info --identify`.

use std::fs;

use crate::common::{Folder, not_idx, outcome, with_range, with_raw};
use idx_tests::{emnist_letters_test_labels, file, gzip, npy, odd_files, real_data};
use serde_json::{Value, json};

/// Images of 2 x 2 bytes.
fn images(count: u32) -> Vec<u8> {
    file(0x08, &[count, 2, 2], &vec![9; 4 * count as usize])
}

fn labels(labels: &[u8]) -> Vec<u8> {
    file(0x08, &[u32::try_from(labels.len()).unwrap()], labels)
}

/// Failed before: only the files of MNIST, or of a set with its two parts, were looked for.
#[test]
fn a_folder_of_images_of_ones_own() {
    let folder = Folder::new(&[]);
    folder.write("set/own-images-idx3-ubyte", &images(2));
    folder.write("set/own-labels-idx1-ubyte", &labels(&[1, 2]));
    assert_eq!(
        folder.run(&["check", "set/"]).success(),
        "set/: ok: 2 records of 2 x 2 u8 with labels\n"
    );
    folder.write("set/own-labels-idx1-ubyte", &labels(&[1, 2, 3]));
    let (_, message) = folder.run(&["check", "set/"]).failure();
    assert!(message.contains("3 labels"), "{message}");
    folder.write("set/own-labels-idx1-ubyte", &labels(&[1, 2]));
    folder.write("set/own-images-idx3-ubyte", &images(2)[..20]);
    let (_, message) = folder.run(&["check", "set/"]).failure();
    assert!(message.contains("truncated"), "{message}");
}

/// Failed before: the message was that no file has a name like train-images-idx3-ubyte.
#[test]
fn a_folder_whose_reading_is_a_question() {
    let folder = Folder::new(&[]);
    for name in ["set/train.csv", "set/train (1).csv"] {
        folder.write(name, b"label,a\n1,2\n");
    }
    let (_, message) = folder.run(&["check", "set/"]).failure();
    assert!(message.contains("may all be the records of train"), "{message}");
}

/// Failed before: csv could be checked only as bytes.
#[test]
fn csv_of_any_type() {
    let folder = Folder::new(&[
        ("i.idx", &file(0x0B, &[2, 2], &[3, 232, 0, 1, 0, 2, 0, 3])),
        ("f.idx", &file(0x0D, &[1, 2], &[0x3F, 0xC0, 0, 0, 0, 0, 0, 0])),
    ]);
    for (name, element_type, advice) in [("i", "i16", "with `--as`"), ("f", "f32", ": `--as f32`")]
    {
        let [idx, csv] = ["idx", "csv"].map(|end| format!("{name}.{end}"));
        folder.run(&["convert", &idx, "-o", &csv]).success();
        let (_, message) = folder.run(&["check", &csv]).failure();
        assert!(message.ends_with(advice), "{message}");
        let output = folder.run(&["check", "--as", element_type, &csv]).success();
        assert!(output.contains(&format!("of 2 {element_type}")), "{output}");
        let arguments = ["check", "--duplicates", "--as", element_type, &csv, &idx];
        let output = folder.run(&arguments);
        assert_eq!((output.code, &*output.messages), (Some(1), ""), "{output:?}");
        assert!(output.output.contains("also in"), "{output:?}");
    }
}

/// Failed before: `--as` was silently accepted for other formats.
#[test]
fn a_type_for_csv_is_for_csv() {
    let folder = Folder::new(&[("a.idx", &file(8, &[2, 1], &[1, 2])), ("a.csv", b"5,9\n")]);
    folder.convert(&["a.idx", "-o", "b.npy"]);
    for files in [&["a.idx"][..], &["b.npy"], &["a.idx", "b.npy"], &["--duplicates", "a.idx"]] {
        let outcome = folder.run(&[&["check", "--as", "f32"], files].concat());
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.messages.contains("--as has no effect on these files"), "{outcome:?}");
    }
    folder.run(&["check", "--as", "f32", "a.idx", "a.csv"]).success();
    // A file that cannot be read might be csv.
    folder.run(&["check", "--as", "f32", "a.idx", "c.csv"]).failure();
}

/// Failed before: npy could have at most 65,536 records without elements, but IDX any number.
#[test]
fn records_without_elements_are_counted() {
    let folder = Folder::new(&[("a.idx", &file(8, &[70_000, 0], &[]))]);
    folder.write("a.npy", &npy("|u1", false, &[70_000, 0], &[]));
    let output = folder.run(&["check", "a.idx", "a.npy"]).success();
    assert!(output.contains("a.npy: ok: 70,000 records of 0 u8"), "{output}");
}

/// Failed before: input that is not IDX was opened again, although standard input can be read only once.
#[test]
fn standard_input_of_any_format() {
    let folder = Folder::new(&[]);
    let outcome = folder.run_with(&["check", "-"], b"1,2,9\n3,4,5\n");
    assert_eq!(outcome.success(), "-: ok: 2 records of 3 u8; no label\n");
    let (_, message) = folder.run_with(&["check", "-"], b"1,2,9\n3,4\n").failure();
    assert!(message.contains("line 2 has 2 columns, and others have 3"), "{message}");
}

/// A folder `set` with a data set in which these files are replaced, or removed if they are `None`.
fn data_set(changes: &[(&str, Option<Vec<u8>>)]) -> Folder {
    let folder = Folder::new(&[]);
    let set = folder.0.path().join("set");
    fs::create_dir(&set).unwrap();
    let good = [
        ("train-images-idx3-ubyte", images(3)),
        ("train-labels-idx1-ubyte", labels(&[1, 9, 5])),
        ("t10k-images.idx3-ubyte.gz", gzip(&images(2))),
        ("t10k-labels.idx1-ubyte.gz", gzip(&labels(&[3, 7]))),
    ];
    for (name, bytes) in good {
        fs::write(set.join(name), bytes).unwrap();
    }
    for (name, bytes) in changes {
        match bytes {
            Some(bytes) => fs::write(set.join(name), bytes).unwrap(),
            None => fs::remove_file(set.join(name)).unwrap(),
        }
    }
    folder
}

#[test]
fn files_that_are_right() {
    let folder = Folder::new(&[
        ("t10k-images-idx3-ubyte", &images(2)),
        ("t10k-labels-idx1-ubyte.gz", &gzip(&labels(&[3, 7]))),
        ("letters", &gzip(&emnist_letters_test_labels())),
        ("scalar", &file(0x0D, &[], &[0; 4])),
    ]);
    let output = folder
        .run(&["check", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte.gz", "letters", "scalar"])
        .success();
    assert_eq!(
        output,
        "t10k-images-idx3-ubyte: ok: u8, 2 x 2 x 2, not a well-known file\n\
         t10k-labels-idx1-ubyte.gz: ok: u8, 2, not a well-known file, as many records in \
         t10k-images-idx3-ubyte\n\
         letters: ok: u8, 20800, EMNIST letters test labels\n\
         scalar: ok: f32, a single element, not a well-known file\n"
    );
    let output = folder.run_with(&["check", "-"], &emnist_letters_test_labels());
    assert_eq!(output.success(), "-: ok: u8, 20800, EMNIST letters test labels\n");
}

#[test]
fn everything_of_a_file_is_read() {
    for bad in not_idx() {
        let folder = Folder::new(&[(bad.name, &bad.bytes)]);
        let (of_check, of_info) = (with_range(bad.message), with_raw(bad.message));
        for (arguments, message) in
            [(&["check"][..], &of_check), (&["info", "--identify"], &of_info)]
        {
            let outcome = folder.run(&[arguments, &[bad.name]].concat());
            let (output, found) = outcome.failure();
            assert_eq!(found, format!("{}: {message}", bad.name));
            // Only `info` reports what the header says.
            assert!(output.is_empty() || arguments[0] == "info", "{output}");
        }
        let (_, message) = folder
            .run_with(&["check", "-", "--record-limit", "18446744073709551615"], &bad.bytes)
            .failure();
        let of_stream = of_check.replace("`idx repair` keeps", "`gunzip -c FILE > NEW` keeps");
        assert_eq!(message, format!("-: {of_stream}"));
    }
    for odd in odd_files() {
        let folder = Folder::new(&[(odd.name, &odd.bytes)]);
        let output = folder.run(&["check", odd.name]).success();
        assert!(output.contains(": ok: "), "{output}");
    }
}

#[test]
fn images_are_compared_with_the_labels_beside_them() {
    let folder = Folder::new(&[
        ("train-images-idx3-ubyte", &images(2)),
        ("train-labels-idx1-ubyte", &labels(&[1, 2, 3])),
        ("t10k-images-idx3-ubyte", &images(2)),
        ("t10k-labels-idx1-ubyte", b"Access Denied"),
    ]);
    for (images, expected) in [
        (
            "train-images-idx3-ubyte",
            "train-labels-idx1-ubyte: 3 labels for the 2 records of \
             train-images-idx3-ubyte; use the matching files",
        ),
        (
            "t10k-images-idx3-ubyte",
            "t10k-labels-idx1-ubyte: this is a server message, not an IDX file; read the \
             message, and download the file elsewhere",
        ),
    ] {
        let (output, message) = folder.run(&["check", images]).failure();
        assert_eq!((output.as_str(), message.as_str()), ("", expected));
    }
}

/// Failed before: no line of --json had the path of the file that was given.
#[test]
fn the_records_of_other_labels_are_in_json() {
    let folder = Folder::new(&[("a.idx", &images(2)), ("a-labels.idx", &labels(&[1, 2, 3]))]);
    let (json, _) = folder.run(&["check", "--json", "a.idx"]).failure();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["path"], &json["of"], &json["labels"], &json["images"]),
        (&json!("a-labels.idx"), &json!("a.idx"), &json!(3), &json!(2))
    );
}

#[test]
fn a_pair_of_files_is_compared() {
    let folder = Folder::new(&[
        ("i.idx", &images(2)),
        ("l.idx", &labels(&[1, 2])),
        ("more.idx", &labels(&[1, 2, 3])),
    ]);
    for (pair, what) in [(["i.idx", "l.idx"], "records"), (["l.idx", "i.idx"], "labels")] {
        let output = folder.run(&["check", pair[0], pair[1]]).success();
        let expected = format!(", as many {what} in {}\n", pair[0]);
        assert!(output.ends_with(&expected), "{output}");
    }
    for pair in [["i.idx", "more.idx"], ["more.idx", "i.idx"]] {
        let (output, message) = folder.run(&["check", pair[0], pair[1]]).failure();
        assert_eq!(output.lines().count(), 1);
        assert_eq!(
            message,
            "more.idx: 3 labels for the 2 records of i.idx; use the matching files"
        );
    }
    // With more files, it is unclear which ones belong together.
    let all = ["check", "i.idx", "l.idx", "more.idx"];
    assert_eq!(folder.run(&all).success().lines().count(), 3);
    folder.run(&["check", "l.idx", "more.idx"]).success();
}

/// Failed before: only images were compared with their labels, not other records, even if both files were given.
#[test]
fn records_of_any_shape_are_compared_with_their_labels() {
    let three = labels(&[0, 1, 2]);
    for (records, labels, sizes) in [
        ("v.idx", "v-labels.idx", &[4, 3][..]),
        ("v.idx", "v-labels.idx", &[4]),
        ("s-images-idx2-ubyte", "s-labels-idx1-ubyte", &[4, 3]),
        ("s-images-idx5-ubyte.gz", "s-labels-idx1-ubyte", &[4, 1, 1, 2, 1]),
    ] {
        let bytes = file(8, sizes, &vec![7; sizes.iter().product::<u32>() as usize]);
        let bytes = if records.ends_with(".gz") { gzip(&bytes) } else { bytes };
        let folder = Folder::new(&[(records, &bytes), (labels, &three)]);
        let expected = format!("{labels}: 3 labels for the 4 records of {records}; ");
        for files in [&[records][..], &[records, labels], &[labels, records]] {
            let (output, message) = folder.run(&[&["check"], files].concat()).failure();
            assert!(message.starts_with(&expected), "{message}");
            assert_eq!(output.lines().count(), files.len() - 1, "{output}");
        }
        folder.write(labels, &file(8, &[4], &[0, 1, 2, 3]));
        let output = folder.run(&["check", labels, records]).success();
        assert!(output.ends_with(&format!(", as many labels in {labels}\n")), "{output}");
    }
}

/// Failed before: `check` accepted labels that `convert` refused.
#[test]
fn labels_that_cannot_be_read_are_told() {
    let floats = |numbers: &[f32]| {
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect::<Vec<_>>()
    };
    for (right, wrong, told) in [
        (
            file(0x0D, &[3], &floats(&[0.0, 9.0, 2.0])),
            file(0x0D, &[3], &floats(&[0.0, 1.5, f32::NAN])),
            "record 1: 1.5 is not a label, a whole number",
        ),
        (
            file(0x0D, &[3, 1], &floats(&[0.0, 9.0, 2.0])),
            file(0x0D, &[3, 1], &floats(&[0.0, 1.0, 0.5])),
            "record 2: 0.5 is not a label, a whole number",
        ),
        (
            file(8, &[3, 2], &[0, 1, 1, 0, 1, 0]),
            file(8, &[3, 2], &[0, 1, 1, 0, 1, 1]),
            "record 2: the labels have 2 columns",
        ),
        (
            file(0x0B, &[3], &[0, 1, 0, 0, 0, 2]),
            file(8, &[3, 1, 1], &[0, 1, 2]),
            "labels have 1 or 2 dimensions, and these have 3",
        ),
    ] {
        let folder = Folder::new(&[("a.idx", &images(3)), ("a-labels.idx", &right)]);
        let is_told = |arguments: &[&str]| {
            let (_, message) = folder.run(arguments).failure();
            assert!(message.starts_with(&format!("a-labels.idx: {told}")), "{message}");
        };
        folder.run(&["check", "a.idx"]).success();
        folder.run(&["convert", "a.idx", "-o", "right.npz"]).success();
        folder.write("a-labels.idx", &wrong);
        is_told(&["check", "a.idx"]);
        is_told(&["check", "a.idx", "a-labels.idx"]);
        is_told(&["check", "a-labels.idx", "a.idx"]);
        is_told(&["convert", "a.idx", "-o", "wrong.npz"]);
    }
}

/// Only images and labels must have the same number.
#[test]
fn two_other_files_are_not_compared() {
    let vectors = file(8, &[5, 3], &[7; 15]);
    let folder = Folder::new(&[("three", &images(3)), ("two", &images(2)), ("vectors", &vectors)]);
    for pair in [["three", "two"], ["three", "vectors"], ["vectors", "two"]] {
        let output = folder.run(&["check", pair[0], pair[1]]).success();
        assert_eq!(output.matches(": ok: ").count(), 2, "{output}");
    }
}

#[test]
fn a_file_is_repaired_unless_it_is_only_tried() {
    let longer = file(8, &[1, 3], b"abcde");
    let folder = Folder::new(&[("x", &longer)]);
    let found = "1 whole record; 2 bytes of an incomplete record";
    assert_eq!(
        folder.run(&["repair", "--dry-run", "x"]).success(),
        format!("x: to be repaired: {found}\n")
    );
    assert_eq!(folder.read("x"), longer);
    assert_eq!(folder.run(&["repair", "x"]).success(), format!("x: repaired: {found}\n"));
    assert_eq!(folder.read("x"), file(8, &[1, 3], b"abc"));
    assert_eq!(folder.run(&["repair", "x"]).success(), "x: ok: 1 whole record\n");
}

#[test]
fn records_of_a_header_that_counts_none() {
    let folder = Folder::new(&[("x", &file(8, &[0, 3], b"abcdef"))]);
    let (_, message) = folder.run(&["check", "x"]).failure();
    assert!(
        message.contains("if they are records, keep them by repairing the file with `idx repair`"),
        "{message}"
    );
    let found = "x: repaired: 2 whole records; the header counts 0\n";
    assert_eq!(folder.run(&["repair", "x"]).success(), found);
}

/// The records that the header counts were written; the bytes after them may be anything, and only the user knows what.
#[test]
fn records_that_the_header_does_not_count_are_kept_if_asked_for() {
    let longer = file(8, &[1, 3], b"abcdefg");
    let folder = Folder::new(&[("x", &longer), ("y", &longer)]);
    let counted =
        "1 whole record; 1 more that the header does not count; 1 byte of an incomplete record";
    for arguments in [&["repair", "x"][..], &["repair", "--dry-run", "x"]] {
        let (_, message) = folder.run(arguments).failure();
        let expected = format!(
            "x: {counted}; a repair in place would remove 1 record that may be whole, so nothing was written; keep all, \
             or write the others to a new file with `-o NEW`"
        );
        assert_eq!(message, expected);
    }
    assert_eq!(
        folder.run(&["repair", "x", "-o", "new"]).success(),
        format!("x: written to new: {counted}\n")
    );
    assert_eq!(folder.read("new"), file(8, &[1, 3], b"abc"));
    assert_eq!(folder.read("x"), longer);
    let (_, message) = folder.run(&["repair", "x", "-o", "new"]).failure();
    // Failed before: the advice was to replace the file, for which `repair` has no option.
    let expected = "new: the file already exists; choose another name, or remove the file";
    assert_eq!(message, expected);
    let all = "2 whole records; the header counts 1; 1 byte of an incomplete record";
    assert_eq!(
        folder.run(&["repair", "--keep-all", "y"]).success(),
        format!("y: repaired: {all}\n")
    );
    assert_eq!(folder.read("y"), file(8, &[2, 3], b"abcdef"));
}

/// Failed before: the advice was `--keep-all`, which does not keep another file either.
#[test]
fn of_two_joined_files_the_first_is_kept_in_a_new_one() {
    let first = file(8, &[2, 3], b"abcdef");
    let joined = [&first[..], &file(8, &[1, 3], b"ghi")].concat();
    let folder = Folder::new(&[("x", &joined), ("x.gz", &gzip(&joined))]);
    for name in ["x", "x.gz"] {
        for command in ["check", "info", "show"] {
            // The length of gzip data is not known before it is read.
            let outcome = folder.run(&[command, name]);
            if name == "x" || command == "check" {
                let expected = format!(
                    "idx: {name}: 2 whole records; 15 bytes of another IDX file from byte 18; `idx repair -o NEW` \
                     keeps the first, and `idx convert` joins files\n"
                );
                assert_eq!((outcome.code, outcome.messages), (Some(1), expected), "{command}");
            }
        }
        let new = format!("new-{name}");
        folder.run(&["repair", name, "-o", &new]).success();
        folder.run(&["check", &new]).success();
    }
    assert_eq!(folder.read("new-x"), first);
    assert_eq!(folder.read("x"), joined);
    // A byte after a single number is no other file.
    folder.write("one", &file(8, &[], b"ab"));
    let outcome = folder.run(&["check", "one"]);
    assert!(
        outcome.messages.contains("extra bytes after the payload: 1 byte from offset 5"),
        "{outcome:?}"
    );
}

#[test]
fn a_new_file_is_one_of_idx_and_no_stream() {
    let folder = Folder::new(&[("x", &file(8, &[1, 3], b"abc")), ("y", &file(8, &[1, 3], b"abc"))]);
    for (arguments, words) in [
        (&["repair", "x", "y", "-o", "new"][..], "repair each file on its own"),
        (&["repair", "x", "-o", "-"], "not standard output"),
        (&["repair", "x", "--dry-run", "-o", "new"], "cannot be used with"),
        // Failed before: IDX was written under these names.
        (&["repair", "x", "-o", "new.csv"], "\"new.csv\" is not a name for IDX"),
        (&["repair", "x", "-o", "new.png"], "end it in .idx or .gz"),
        (&["repair", "x", "-o", "new.npy.gz"], "end it in .idx or .gz"),
        (&["repair", "x", "-o", "new/"], "end it in .idx or .gz"),
    ] {
        let outcome = folder.run(arguments);
        assert_eq!(outcome.code, Some(2));
        assert!(outcome.messages.contains(words), "{outcome:?}");
    }
    // Failed before: `-` was taken for the name of a file.
    let (_, message) = folder.run(&["repair", "-"]).failure();
    assert_eq!(message, "-: a stream cannot be repaired; specify a file instead of `-`");
    let json = folder.run(&["repair", "--json", "x", "-o", "new"]).success();
    let expected = r#"{"path":"x","was_wrong":false,"is_wrong":false,"output":"new","records":1,"found":"1 whole record"}"#;
    assert_eq!(json.trim_end(), expected);
}

/// The new file would be the labels of older records, or be read with older labels.
#[test]
fn a_new_file_is_not_read_with_older_ones() {
    let cut = file(8, &[3], &[4, 5]);
    let images = file(8, &[2, 1, 2], &[7; 4]);
    for (older, content, new, named) in [
        ("z.idx", &images, "z-labels.idx", "z.idx would be read with this new file"),
        ("z-labels.idx", &file(8, &[2], &[0, 1]), "z.idx", "this file has other content"),
    ] {
        let folder = Folder::new(&[("x", &cut), (older, content)]);
        let (_, message) = folder.run(&["repair", "x", "-o", new]).failure();
        assert!(message.contains(named), "{message}");
        assert!(!folder.0.path().join(new).exists());
        folder.run(&["repair", "x", "-o", "new.idx"]).success();
    }
}

#[test]
fn a_folder_is_not_repaired() {
    let folder = Folder::new(&[]);
    folder.write("set/x.idx", b"broken");
    for arguments in [&["repair", "set"][..], &["repair", "--dry-run", "set"]] {
        let (output, message) = folder.run(arguments).failure();
        assert_eq!((&*output, &*message), ("", "set: this is a folder; specify a file in it"));
    }
}

#[test]
fn a_data_set_that_is_right() {
    let folder = data_set(&[]);
    assert_eq!(
        folder.run(&["check", "set"]).success(),
        "set/train-images-idx3-ubyte: ok: u8, 3 x 2 x 2, not a well-known file\n\
         set/train-labels-idx1-ubyte: ok: u8, 3, not a well-known file\n\
         set/t10k-images.idx3-ubyte.gz: ok: u8, 2 x 2 x 2, not a well-known file\n\
         set/t10k-labels.idx1-ubyte.gz: ok: u8, 2, not a well-known file\n\
         set: ok: a data set, complete, 3 training and 2 test records\n"
    );
    let json = folder.run(&["check", "--json", "set"]).success();
    let set: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(set, json!({"path": "set", "prefix": "", "training": 3, "test": 2, "known": null}));
    // Checks from inside the folder, which now has files of two data sets.
    let renamed = folder.0.path().join("set/emnist-letters-test-labels-idx1-ubyte");
    fs::write(renamed, emnist_letters_test_labels()).unwrap();
    let mut command = folder.command(&["check", "."]);
    let outcome = outcome(command.current_dir(folder.0.path().join("set")), &[]);
    assert!(outcome.output.contains("./train-images-idx3-ubyte: ok: "));
    assert!(outcome.output.contains(".: ok: a data set, complete"));
    assert_eq!(outcome.messages.lines().count(), 3, "{outcome:?}");
    assert_eq!(outcome.code, Some(1), "EMNIST letters has only one file");
}

/// Each defect is one line, and the intact ones of the four files are still reported.
#[test]
fn a_data_set_that_is_wrong() {
    let cases = [
        (
            ("t10k-images.idx3-ubyte.gz", None),
            3,
            "set: the test images are missing: neither t10k-images-idx3-ubyte nor \
             t10k-images.idx3-ubyte exists, plain or .gz; download the file, or correct its name",
        ),
        (
            ("train-images-idx3-ubyte", Some(images(2))),
            4,
            "set/train-labels-idx1-ubyte: 3 labels for the 2 records of \
             train-images-idx3-ubyte; use the matching files",
        ),
        (
            ("train-labels-idx1-ubyte", Some(images(3))),
            3,
            "set/train-labels-idx1-ubyte: this has the shape of images; are images and labels swapped?",
        ),
        (
            ("train-labels-idx1-ubyte", Some(file(0x0B, &[3], &[0, 1, 0, 2, 0, 3]))),
            3,
            "set/train-labels-idx1-ubyte: the name says idx1-ubyte, but the content is idx1-short; correct the name",
        ),
        (
            ("train-labels.idx1-ubyte", Some(labels(&[1, 9, 6]))),
            5,
            "set: train-labels-idx1-ubyte and train-labels.idx1-ubyte differ, and either could be meant; remove or rename \
             one of them",
        ),
        (
            ("train-labels-idx1-ubyte", Some(emnist_letters_test_labels())),
            3,
            "set/train-labels-idx1-ubyte: the name says training labels, but the content is EMNIST letters \
             test labels; correct the name",
        ),
        (
            ("train-images-idx3-ubyte", Some(file(0x08, &[3, 2, 3], &[0; 18]))),
            4,
            "set: train-images-idx3-ubyte is u8 of 2 x 3, t10k-images.idx3-ubyte.gz is u8 of 2 x 2; use the files of \
             one set",
        ),
        (
            ("train-images-idx3-ubyte", Some(images(3)[..20].to_vec())),
            3,
            "set/train-images-idx3-ubyte: truncated: 4 of 12 payload bytes; download it again, or `idx convert FILE \
             -r ..1 -o NEW` keeps 1 record",
        ),
    ];
    for (change, whole, expected) in cases {
        let folder = data_set(&[change]);
        let (output, message) = folder.run(&["check", "set"]).failure();
        assert_eq!(message, expected);
        assert_eq!(output.lines().count(), whole, "{output}");
        let json = folder.run(&["check", "--json", "set"]);
        let is_error = |line: &&str| line.contains(r#""error":"#);
        assert_eq!(json.output.lines().filter(is_error).count(), 1, "{json:?}");
        assert_eq!(json.output.lines().count(), whole + 1, "{json:?}");
    }
}

/// Failed before: a set of one's own had to have MNIST's four files, its validation records were not counted, and
/// the files next to them were not read.
#[test]
fn a_data_set_of_ones_own() {
    let line = |folder: &Folder| {
        let output = folder.run(&["check", "set"]).success();
        output.lines().last().unwrap().trim_start_matches("set: ok: a data set, ").to_string()
    };
    let folder = data_set(&[("t10k-labels.idx1-ubyte.gz", None)]);
    assert_eq!(line(&folder), "3 training and 2 test records, test without labels");
    folder.write("set/val-images-idx3-ubyte", &images(1));
    folder.write("set/val-labels-idx1-ubyte", &labels(&[4]));
    folder.write("set/t10k-labels-idx1-ubyte", &labels(&[3, 7]));
    assert_eq!(line(&folder), "complete, 3 training, 2 test and 1 validation records");
    for name in ["extra-images-idx3-ubyte", "other.npy", "classes.txt", "README.md"] {
        folder.write(&format!("set/{name}"), b"damaged");
    }
    let json = folder.run(&["check", "--json", "set"]).success();
    let set: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    let not_checked = ["extra-images-idx3-ubyte", "other.npy"];
    assert_eq!(
        set,
        json!({"path": "set", "prefix": "", "training": 3, "test": 2, "validation": 1, "known": null,
               "not_checked": not_checked})
    );
    assert!(line(&folder).ends_with(" records; not checked: extra-images-idx3-ubyte, other.npy"));
    let folder = data_set(&[
        ("t10k-labels.idx1-ubyte.gz", None),
        ("t10k-images.idx3-ubyte.gz", None),
        ("train-labels-idx1-ubyte", None),
    ]);
    assert_eq!(line(&folder), "3 training records, train without labels");
}

/// Failed before: only the files of IDX were checked, and labels in others were not read.
#[test]
fn a_data_set_is_opened_as_for_other_commands() {
    let no_labels = [
        ("t10k-labels.idx1-ubyte.gz", None),
        ("t10k-images.idx3-ubyte.gz", None),
        ("train-labels-idx1-ubyte", None),
    ];
    let folder = data_set(&no_labels);
    folder.write("set/train_labels.csv", b"label\n1\n9\n5\n");
    let output = folder.run(&["check", "set"]).success();
    assert!(output.contains("set:train: ok: 3 records of 2 x 2 u8 with labels"), "{output}");
    for wrong in [&b"label\n1\n9\n"[..], b"label\n1\n9\n5\n2\n"] {
        folder.write("set/train_labels.csv", wrong);
        let (_, checked) = folder.run(&["check", "set"]).failure();
        let (_, converted) = folder.run(&["convert", "set", "-o", "a.npz"]).failure();
        assert!(checked.contains(" labels for the 3 records"), "{checked}");
        assert!(converted.starts_with(&checked), "{converted}");
    }
    let folder = data_set(&[("train-labels-idx1-ubyte", None)]);
    folder.write("set/train-labels.csv", b"label\n1\n9\n5\n");
    let output = folder.run(&["check", "set"]).success();
    assert!(output.contains("set:test: ok: 2 records of 2 x 2 u8 with labels"), "{output}");
    folder.convert(&["set", "-o", "a.npz"]);
    assert_eq!(folder.run(&["check", "a.npz"]).success().matches("with labels").count(), 2);
    // Labels that other commands do not read are not taken for labels either.
    for (name, bytes) in [
        ("train-labels-idx1-float", file(0x0D, &[3], &[0; 12])),
        ("train-labels-idx2-ubyte", file(0x08, &[3, 2], &[1, 0, 0, 1, 1, 0])),
    ] {
        let folder = data_set(&no_labels);
        folder.write(&format!("set/{name}"), &bytes);
        let output = folder.run(&["check", "set"]).success();
        let left_out = format!(
            "set:train: ok: 3 records of 2 x 2 u8; {name} may have the labels, but is not read"
        );
        assert!(output.contains(&left_out), "{output}");
    }
    // Several sets are opened part by part.
    let folder = data_set(&[]);
    for (name, bytes) in [("images-idx3", images(1)), ("labels-idx1", labels(&[4]))] {
        folder.write(&format!("set/own-train-{name}-ubyte"), &bytes);
    }
    let output = folder.run(&["check", "set"]).success();
    assert!(output.contains("1 training records, the files own-*"), "{output}");
    assert!(output.contains("complete, 3 training and 2 test records"), "{output}");
}

#[test]
fn a_folder_without_a_data_set() {
    let folder = Folder::new(&[("digits.idx", &images(1))]);
    let output = folder.run(&["check", "."]).success();
    assert_eq!(output, ".: ok: 1 record of 2 x 2 u8\n");
}

#[test]
fn a_pair_of_two_sets_is_refused() {
    let Some(images) = real_data("a_pair_of_two_sets", "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let Some(labels) = real_data("a_pair_of_two_sets", "fashion-mnist/t10k-labels-idx1-ubyte.gz")
    else {
        return;
    };
    let [images, labels] = [images, labels].map(|path| path.canonicalize().unwrap());
    let [images, labels] = [&images, &labels].map(|path| path.to_str().unwrap());
    let folder = Folder::new(&[]);
    for pair in [[images, labels], [labels, images]] {
        let (output, message) = folder.run(&["check", pair[0], pair[1]]).failure();
        assert_eq!(output.lines().count(), 1, "{output}");
        assert_eq!(
            message,
            format!(
                "{labels}: t10k-images-idx3-ubyte.gz is MNIST test images, \
                 t10k-labels-idx1-ubyte.gz is Fashion-MNIST test labels; use the files of one set"
            )
        );
    }
}

#[test]
fn a_name_that_lies_is_told() {
    let floats = file(0x0D, &[1, 2], &[0; 8]);
    let folder = Folder::new(&[("own.idx2-ubyte", &floats), ("own.idx2-float", &floats)]);
    let (_, message) = folder.run(&["check", "own.idx2-ubyte"]).failure();
    assert_eq!(
        message,
        "own.idx2-ubyte: the name says idx2-ubyte, but the content is idx2-float; correct the name"
    );
    folder.run(&["check", "own.idx2-float"]).success();
}

/// Failed before: only labels in a folder were compared with the data set in their name.
#[test]
fn a_label_that_the_data_set_does_not_have_is_told() {
    let letters = labels(&[26, 27]);
    let folder = Folder::new(&[
        ("emnist-letters-test-labels-idx1-ubyte", &letters),
        ("my-test-labels-idx1-ubyte", &letters),
    ]);
    let (_, message) = folder.run(&["check", "emnist-letters-test-labels-idx1-ubyte"]).failure();
    let expected = "emnist-letters-test-labels-idx1-ubyte: record 1 has the label 27, but files with this name have \
                    1 to 26; ";
    assert!(message.starts_with(expected), "{message}");
    folder.run(&["check", "my-test-labels-idx1-ubyte"]).success();
}

/// Failed before: a label of 11 was an error because MNIST has no 11, and records of one number were taken for labels.
#[test]
fn sets_that_the_command_wrote_are_right() {
    let folder = Folder::new(&[]);
    for (name, table) in
        [("labels", "label,a,b\n11,1,2\n0,3,4\n"), ("numbers", "label,a\n1,5\n2,6\n")]
    {
        for part in ["train", "test"] {
            folder.write(&format!("{name}/{part}.csv"), table.as_bytes());
        }
        let set = format!("{name}-idx");
        folder.run(&["convert", name, "--to", "idx", "-o", &set]).success();
        let output = folder.run(&["check", &set]).success();
        assert!(output.ends_with("2 training and 2 test records\n"), "{output}");
    }
    assert!(folder.0.path().join("numbers-idx/train-images-idx1-ubyte").exists());
}

#[test]
fn info_identifies_when_asked() {
    let folder =
        Folder::new(&[("letters.gz", &gzip(&emnist_letters_test_labels())), ("own", &images(1))]);
    let output = folder.run(&["info", "--identify", "letters.gz", "own"]).success();
    assert!(output.contains("\n  identity      EMNIST letters test labels\n"));
    assert!(output.ends_with("\n  identity      not a well-known file\n"));
    let output = folder.run(&["info", "--identify", "--json", "letters.gz", "own"]).success();
    let known: Vec<Value> = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["known"].clone())
        .collect();
    assert_eq!(known, [json!("EMNIST letters test labels"), Value::Null]);
    let output = folder.run(&["info", "letters.gz"]).success();
    assert!(!output.contains("identity"));
    let letters = emnist_letters_test_labels();
    let output = folder.run_with(&["info", "--identify", "-"], &letters);
    assert!(output.success().contains("EMNIST letters test labels"));
}

/// Tests names that are not UTF-8, which `Folder::run` does not take.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = data_set(&[]);
    let set = folder.0.path().join("set");
    let name = OsStr::from_bytes(b"\xFF-images-idx3-ubyte");
    fs::write(set.join(name), images(1)).unwrap();
    // The file is not part of the set, and is ignored.
    folder.run(&["check", "set"]).success();
    let mut command = folder.command(&["check"]);
    let output = outcome(command.current_dir(set).arg(name), &[]).success();
    assert!(output.ends_with("-images-idx3-ubyte: ok: u8, 1 x 2 x 2, not a well-known file\n"));
}

#[test]
fn real_data_sets() {
    for (set, name, file) in [
        ("mnist", "MNIST", "t10k-images-idx3-ubyte.gz"),
        ("fashion-mnist", "Fashion-MNIST", "t10k-images-idx3-ubyte.gz"),
    ] {
        let Some(path) = real_data("real_data_sets", &format!("{set}/{file}")) else {
            return;
        };
        let path = path.canonicalize().unwrap();
        let set = path.parent().unwrap().to_str().unwrap();
        let output = Folder::new(&[]).run(&["check", set]).success();
        for what in ["training images", "training labels", "test images", "test labels"] {
            assert!(output.contains(&format!(", {name} {what}\n")), "{output}");
        }
        let last =
            format!("{set}: ok: {name}, complete, 60,000 training and 10,000 test records\n");
        assert!(output.ends_with(&last), "{output}");
    }
}

/// A file's name is not mistaken for what is said about the file.
#[test]
fn a_name_that_looks_like_a_verdict() {
    let name = "a: ok: b";
    let folder = Folder::new(&[("plain", &images(3)), (name, &images(3)), ("again", &images(3))]);
    for arguments in [&["info", "-q"][..], &["stats", "-q"]] {
        let of = |name| folder.run(&[arguments, &[name, "again"]].concat()).success();
        let expected = of("plain");
        assert!(!expected.is_empty());
        assert_eq!(of(name), expected.replace("plain", name), "{arguments:?}");
    }
}
