//! Sets made from sources.

use idx_data::{Error, Set, Source, open_set};

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

/// Failed before: classes that two steps lacked in different parts were an error, a class that no part has was none if
/// the last part to end had no records, and an end that was reached twice counted twice.
#[test]
fn each_step_looks_for_its_classes_in_all_parts() {
    let folder = folder(&[("a.csv", b"label,a\n1,1\n9,2\n"), ("b.csv", b"label,a\n3,3\n")]);
    let changed = |change: fn(Source) -> Result<Source, Error>| {
        let parts = [("train", opened(&folder, "a.csv")), ("test", opened(&folder, "b.csv"))];
        Set::from_parts(parts).unwrap().map(change).unwrap().into_parts().into_iter()
    };
    let three = changed(|source| source.except([3])?.relabel("1=3")?.only([3]));
    assert_eq!(three.map(|(_, source)| labels(source)).collect::<Vec<_>>(), [vec![3], vec![]]);
    let skip = |(_, mut source): (String, Source)| source.skip(u64::MAX);
    let skipped: Vec<_> =
        changed(|source| source.only([9, 3])).map(skip).map(Result::unwrap).collect();
    assert_eq!(skipped, [1, 1]);
    for is_reversed in [false, true] {
        let mut parts: Vec<_> = changed(|source| source.only([9])?.relabel("4=2")).collect();
        if is_reversed {
            parts.reverse();
        }
        let ends: Vec<_> = parts.into_iter().map(skip).collect();
        assert!(matches!(&ends[..], [Ok(_), Err(_)]), "{ends:?}");
        let error = ends.into_iter().find_map(Result::err).unwrap().to_string();
        assert!(
            error
                .contains("4 does not occur in the 1 record; choose one of 9, or name all classes"),
            "{error}"
        );
    }
}
