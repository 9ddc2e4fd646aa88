//! Choosing records by their labels or by chance.

use std::collections::BTreeSet;

use idx_tests::file;

use crate::common::Folder;

/// Twelve records that are their numbers, with labels 0, 1, 2, 0, ...
fn folder() -> Folder {
    let numbers: Vec<u8> = (0..12).collect();
    let labels: Vec<u8> = numbers.iter().map(|number| number % 3).collect();
    Folder::new(&[
        ("a.idx", &file(8, &[12, 1], &numbers)),
        ("l.idx", &file(8, &[12], &labels)),
        ("names.txt", b"ant\nbee\ncat\n"),
    ])
}

impl Folder {
    /// The numbers and the labels of the records that are chosen.
    #[track_caller]
    fn chosen(&self, options: &[&str]) -> Vec<u8> {
        let inputs = [
            "a.idx",
            "--labels",
            "l.idx",
            "-o",
            "b.idx",
            "--labels-out",
            "m.idx",
        ];
        self.run(&[&["convert"], &inputs[..], &["--force"], options].concat());
        let numbers = self.read("b.idx")[12..].to_vec();
        let labels: Vec<u8> = numbers.iter().map(|number| number % 3).collect();
        assert_eq!(self.read("m.idx")[8..], labels);
        numbers
    }
}

#[test]
fn classes_by_label_and_by_name() {
    let folder = folder();
    assert_eq!(folder.chosen(&["--only", "1"]), [1, 4, 7, 10]);
    assert_eq!(
        folder.chosen(&["--only", "2,0", "--per-class", "2"]),
        [0, 2, 3, 5]
    );
    assert_eq!(
        folder.chosen(&["--except", "0,1", "--records", "3.."]),
        [5, 8, 11]
    );
    let named = [
        "--classes",
        "names.txt",
        "--only",
        "bee,cat",
        "--except",
        "cat",
    ];
    assert_eq!(folder.chosen(&named), [1, 4, 7, 10]);
    for (options, message) in [
        (
            &["--only", "5"][..],
            "a.idx: no record has the label 5; choose labels that occur",
        ),
        (
            &["--only", "dog", "--classes", "names.txt"],
            "a.idx: `dog` is not the label or name of a class; some are ant, bee, cat; give one of the set, \
             or the file of names",
        ),
        (
            &["--per-class", "5"],
            "a.idx: label 0 has only 4 records; take 4 or fewer per class",
        ),
    ] {
        let inputs = [
            "a.idx",
            "--labels",
            "l.idx",
            "-o",
            "x.idx",
            "--labels-out",
            "y.idx",
        ];
        assert_eq!(folder.refused(&[&inputs[..], options].concat()), message);
    }
    assert_eq!(
        folder.refused(&["a.idx", "--only", "1", "-o", "x.idx"]),
        "a.idx: these records have no labels; give them with --labels"
    );
}

#[test]
fn chance_is_the_same_for_ever() {
    let folder = folder();
    let shuffled = folder.chosen(&["--shuffle", "7"]);
    assert_eq!(shuffled, [8, 7, 11, 10, 6, 2, 1, 3, 5, 9, 0, 4]);
    assert_eq!(folder.chosen(&["--shuffle", "7"]), shuffled);
    assert_ne!(folder.chosen(&["--shuffle", "8"]), shuffled);
    let sample = folder.chosen(&["--sample", "5"]);
    assert!(sample.len() == 5 && sample.is_sorted(), "{sample:?}");
    assert_eq!(
        folder.chosen(&["--sample", "50"]),
        (0..12).collect::<Vec<u8>>()
    );

    let parts = ["..0.75", "0.75.."].map(|part| folder.chosen(&["--split", part]));
    assert_eq!(parts.each_ref().map(Vec::len), [9, 3]);
    assert_eq!(
        parts[1]
            .iter()
            .map(|number| number % 3)
            .collect::<BTreeSet<u8>>()
            .len(),
        3
    );
    let all: BTreeSet<u8> = parts.concat().into_iter().collect();
    assert_eq!(all.len(), 12);
}
