//! Sets that are made of sources.

use idx_data::{Set, open_set};

use crate::common::{folder, labels, numbers, opened};

#[test]
fn parts_become_one_set() {
    let (folder, source) = numbers();
    let [train, val, test] = source.split([0.5, 0.25, 0.25], 1).unwrap();
    let path = folder.path().join("all.npz");
    let set = Set::from_parts([("training", train), ("val", val), ("t10k", test)]).unwrap();
    set.write(&path).unwrap();
    let set = open_set(&path).unwrap();
    let counts = set.parts().map(|(name, source)| (name.to_string(), source.facts().count));
    let expected = [("train", 6), ("test", 3), ("val", 3)];
    let mut counts: Vec<_> = counts.collect();
    counts.sort();
    let mut expected = expected.map(|(name, count)| (name.to_string(), Some(count)));
    expected.sort();
    assert_eq!(counts, expected);
    let wrong = |names: &[&str]| {
        let parts = names.iter().map(|name| (*name, numbers().1));
        Set::from_parts(parts).unwrap_err().kind().code()
    };
    assert_eq!(wrong(&["first"]), "mismatch");
    assert_eq!(wrong(&["train", "training"]), "mismatch");
    assert_eq!(wrong(&["../train"]), "mismatch");
    assert_eq!(wrong(&[]), "mismatch");
}

/// Words have one number in all parts, though one of them lacks a class.
#[test]
fn parts_have_one_list_of_classes() {
    let folder = folder(&[
        ("a.csv", b"label,a,b\nant,1,1\nbee,2,2\ncow,3,3\n"),
        ("b.csv", b"label,a,b\nant,1,1\ncow,3,3\n"),
    ]);
    let set =
        Set::from_parts([("train", opened(&folder, "a.csv")), ("test", opened(&folder, "b.csv"))]);
    assert_eq!(labels(set.unwrap().part("test").unwrap()), [0, 2]);
}
