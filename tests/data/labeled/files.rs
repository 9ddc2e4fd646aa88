//! Sets written to files, and sets joined into one.

use std::fs;

use idx_data::{ClassNames, Error, ErrorKind, Labeled, open};
use idx_std::{IdxBuf, IdxRecord, Reader};
use idx_tests::file;

use crate::common::folder;

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Image([[u8; 2]; 1]);

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Label(#[idx(range = 0..=9)] i16);

type Set = Labeled<Image, Label>;

/// Images and labels that count up from a number.
fn set(first: u8, count: u8) -> Set {
    let numbers = first..first + count;
    let images: Vec<u8> = numbers.clone().flat_map(|number| [number, 100 + number]).collect();
    let labels: Vec<u8> = numbers.flat_map(|number| [0, number % 10]).collect();
    Labeled::new(
        IdxBuf::from_bytes(file(8, &[count.into(), 1, 2], &images)).unwrap(),
        IdxBuf::from_bytes(file(0x0B, &[count.into()], &labels)).unwrap(),
    )
    .unwrap()
}

fn pairs(set: &Set) -> Vec<(Image, Label)> {
    set.iter().collect()
}

#[test]
fn a_set_is_written_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let [images, labels] = ["images", "labels.gz"].map(|name| folder.path().join(name));
    let all = set(0, 20);
    for part in [
        all.clone(),
        all.shuffled(3),
        all.only([3, 5]).unwrap().subset([1, 1, 0]).unwrap(),
        all.subset([]).unwrap(),
    ] {
        part.write(&images, &labels).unwrap();
        let again = Labeled::open(&images, &labels).unwrap();
        assert_eq!(pairs(&again), pairs(&part));
    }
    assert!(Reader::open(&labels).unwrap().is_gzip());
    assert_eq!(Reader::open(&images).unwrap().header().dims(), [0, 1, 2]);

    // Without the second file the first one is not written either.
    let first = folder.path().join("first");
    let error: Error = all.write(&first, folder.path().join("no/such/folder")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::File(_)), "{error}");
    assert!(!first.exists());
    let error = all.write(&first, folder.path().join("labels.npy")).unwrap_err();
    assert_eq!(error.kind().code(), "mismatch");
    assert!(!first.exists());
}

#[test]
fn sets_become_one() {
    let (first, second) = (set(0, 5).shuffled(1), set(50, 7).only([1, 2, 3]).unwrap());
    let joined = Labeled::join([&first, &second, &first]).unwrap();
    assert_eq!(pairs(&joined), [pairs(&first), pairs(&second), pairs(&first)].concat());
    assert_eq!(joined.image(5), second.image(0));
    assert!(Set::join([]).unwrap().is_empty());
}

#[test]
fn names_of_classes_stay_when_sets_become_one() {
    let named = |names: [&str; 2]| set(0, 5).with_classes(ClassNames::new(names).unwrap());
    let joined = Labeled::join([&named(["cat", "dog"]), &set(0, 5), &named(["cat", "dog"])]);
    assert_eq!(joined.unwrap().classes(), named(["cat", "dog"]).classes());
    let error = Labeled::join([&named(["cat", "dog"]), &named(["dog", "cat"])]).unwrap_err();
    assert_eq!(error.kind().code(), "mismatch", "{error}");
}

/// A function can return a checked file, which lends its records any number of times.
#[test]
fn records_have_an_owner() {
    let file = || IdxBuf::from_bytes(file(8, &[3, 1, 2], &[1, 2, 3, 4, 5, 6])).unwrap();
    let images = file().into_records::<Image>().unwrap();
    assert_eq!(images.as_records(), file().records::<Image>().unwrap());
    assert_eq!(images.as_records().as_slice()[2], Image([[5, 6]]));
    assert_eq!(images.as_records().get(3), None);
    let shown = format!("{images:?}");
    assert!(shown.starts_with("RecordsBuf(IdxBuf {"), "{shown}");
    assert_eq!(images.into_inner().bytes(), file().bytes());
    assert!(file().into_records::<Label>().is_err());
    let wrong = IdxBuf::from_bytes(idx_tests::file(0x0B, &[1], &[0, 10])).unwrap();
    assert!(wrong.into_records::<Label>().is_err());
    let empty = IdxBuf::from_bytes(idx_tests::file(8, &[4, 0], &[])).unwrap();
    assert_eq!(empty.into_records::<[u8; 0]>().unwrap().as_records().len(), 4);
}

/// Failed before: the names were lost.
#[test]
fn a_set_in_memory_writes_the_names_of_its_classes() {
    let folder = folder(&[]);
    let path = |name: &str| folder.path().join(name);
    let records = |dims: &[u32], bytes: &[u8]| IdxBuf::from_bytes(file(8, dims, bytes)).unwrap();
    let set = |names: [&str; 2]| {
        let set = Labeled::<[u8; 1], u8>::new(records(&[2, 1], &[5, 6]), records(&[2], &[1, 0]));
        set.unwrap().with_classes(ClassNames::new(names).unwrap())
    };
    let (images, labels) = (path("own-images-idx2-ubyte"), path("own-labels-idx1-ubyte"));
    set(["cat", "dog"]).write(&images, &labels).unwrap();
    let again = open(&images).unwrap();
    assert_eq!(again.facts().classes.as_ref().and_then(|names| names.name(1)), Some("dog"));
    set(["cat", "dog"]).write(&images, &labels).unwrap();
    // The list that is there may belong to older records.
    let before = fs::read(path("own-classes.txt")).unwrap();
    let error = set(["cat", "owl"]).write(&images, &labels).unwrap_err();
    assert_eq!(error.path(), Some(&*path("own-classes.txt")));
    assert_eq!(fs::read(path("own-classes.txt")).unwrap(), before);
}
