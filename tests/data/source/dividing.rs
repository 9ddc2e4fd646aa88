//! Sources split at random or by shares.

use std::fs;

use idx_data::{Chance, OpenOptions, Record, TransformOptions};
use idx_std::ElementType;
use idx_tests::{file, gzip};

use crate::common::{NUMBERS, folder, labels, numbers, opened, read};

#[test]
fn a_part_may_be_empty() {
    let (_folder, source) = numbers();
    let chance = Chance { part: Some(0.5..0.5), ..Chance::default() };
    let [mut chosen, mut rest] = source.divide(&chance).unwrap();
    assert_eq!(read(&mut chosen), [0; 0]);
    assert_eq!(read(&mut rest), NUMBERS);
}

/// The parts have their records even if the file is removed later.
#[test]
fn a_division_keeps_its_records() {
    let (folder, _) = numbers();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("a.gz", &gzip(&file(8, &[12, 1, 1], &NUMBERS)));
    let divided = |name: &str, is_selected: bool| {
        let mut source = opened(&folder, name).with_labels(opened(&folder, "l")).unwrap();
        if is_selected {
            source = source.select(1..11).unwrap().except(["2"]).unwrap();
        }
        let chance = Chance { part: Some(0.25..0.75), sample: Some(3), seed: Some(5) };
        let mut pairs = Vec::new();
        let mut record = Record::default();
        for mut part in source.divide(&chance).unwrap() {
            while part.read(&mut record).unwrap() {
                assert_eq!(record.label, Some(i128::from(record.bytes[0] % 3)));
                pairs.push(record.bytes[0]);
            }
        }
        pairs
    };
    for is_selected in [false, true] {
        assert_eq!(divided("a", is_selected), divided("a.gz", is_selected));
    }
    let chance = Chance { seed: Some(5), ..Chance::default() };
    for name in ["a", "a.gz"] {
        let [mut all, _] = opened(&folder, name).divide(&chance).unwrap();
        fs::remove_file(folder.path().join(name)).unwrap();
        assert_eq!(read(&mut all).into_iter().map(u32::from).sum::<u32>(), 66, "{name}");
    }
}

#[test]
fn a_file_that_became_another_is_not_divided() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("a"), file(8, &[12, 2], &[0; 24])).unwrap();
    assert!(source.split([0.5, 0.5], 1).is_err());
}

#[test]
fn changed_records_are_divided_as_they_are_changed() {
    let (folder, _) = numbers();
    let wider = TransformOptions::new().element_type(ElementType::I16);
    let source = opened(&folder, "a").changed(&wider).unwrap();
    let chance = Chance { sample: Some(5), ..Chance::default() };
    let [mut sample, mut rest] = source.divide(&chance).unwrap();
    let mut found = Vec::new();
    let mut record = Record::default();
    for part in [&mut sample, &mut rest] {
        while part.read(&mut record).unwrap() {
            assert_eq!((record.bytes.len(), record.bytes[0]), (2, 0));
            found.push(record.bytes[1]);
        }
    }
    found.sort_unstable();
    assert_eq!(found, NUMBERS);
}

#[test]
fn shares_are_all_of_it() {
    let (_folder, source) = numbers();
    let parts = source.split([0.5, 0.25, 0.25], 1).unwrap();
    let mut all: Vec<u8> = Vec::new();
    for (mut part, count) in parts.into_iter().zip([6, 3, 3]) {
        assert_eq!(part.facts().count, Some(count));
        all.extend(read(&mut part));
    }
    all.sort_unstable();
    assert_eq!(all, NUMBERS);
    for shares in [[0.5, 0.2], [0.8, 0.8], [-0.5, 1.5]] {
        let (_folder, source) = numbers();
        assert_eq!(source.split(shares, 1).unwrap_err().kind().code(), "mismatch");
    }
}

#[test]
fn a_part_is_within_the_whole() {
    for part in [0.0..1.05, -0.1..0.5, 0.6..0.4, 0.0..f64::NAN] {
        let (_folder, source) = numbers();
        let chance = Chance { part: Some(part.clone()), ..Chance::default() };
        let error = source.divide(&chance).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch", "{part:?}");
    }
}

/// The labels of all inputs decide, not only those of the first.
#[test]
fn joined_inputs_are_divided_by_all_labels() {
    for seed in 0..5 {
        let ((_folder, one), (_other, two)) = (numbers(), numbers());
        for part in one.append(two).unwrap().split([0.5, 0.5], seed).unwrap() {
            let mut found = labels(part);
            found.sort_unstable();
            assert_eq!(found, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
        }
    }
}

/// A sample is not drawn by class, so it does not report the classes that it lacks.
#[test]
fn classes_are_absent_from_parts_alone() {
    let (folder, _) = numbers();
    fs::write(folder.path().join("a.csv"), "label,x\n0,1\n1,2\n2,3\n").unwrap();
    let absent = |name: &str, chance: Chance| {
        let source = opened(&folder, name);
        let source = match source.facts().has_labels {
            true => source,
            false => source.with_labels(opened(&folder, "l")).unwrap(),
        };
        source.choose(&chance).unwrap().facts().absent_classes.len()
    };
    for name in ["a", "a.csv"] {
        assert_eq!(absent(name, Chance { sample: Some(1), ..Chance::default() }), 0, "{name}");
        assert_eq!(
            absent(name, Chance { part: Some(0.0..0.2), ..Chance::default() }),
            2 - usize::from(name == "a"),
            "{name}"
        );
    }
}

#[test]
fn what_was_read_is_not_divided() {
    let (_folder, mut source) = numbers();
    let mut record = Record::default();
    source.read(&mut record).unwrap();
    let mut found = Vec::new();
    for mut part in source.split([0.5, 0.5], 1).unwrap() {
        while part.read(&mut record).unwrap() {
            assert_eq!(record.label, Some(i128::from(record.bytes[0] % 3)));
            found.push(record.bytes[0]);
        }
    }
    found.sort_unstable();
    assert_eq!(found, NUMBERS[1..]);
}

#[test]
fn what_is_skipped_ends_with_a_part() {
    let (_folder, source) = numbers();
    let [mut part, _] = source.split([0.5, 0.5], 1).unwrap();
    assert_eq!((part.skip(4).unwrap(), part.skip(4).unwrap(), part.skip(4).unwrap()), (4, 2, 0));
}

/// A new order changes neither the column of the labels nor the limit of a record.
#[test]
fn what_the_options_say_holds_in_another_order() {
    let folder = folder(&[("rows", &file(8, &[2, 3], &[1, 5, 1, 1, 5, 1]))]);
    let options = OpenOptions::new().label_column(1).record_limit(3);
    let rows = || options.open(folder.path().join("rows")).unwrap().shuffled(1).unwrap();
    let wide = TransformOptions::new().element_type(ElementType::I16);
    let error = rows().changed(&wide).unwrap_err();
    assert_eq!(error.kind().code(), "record_limit_exceeded", "{error}");
    let records = opened(&folder, "rows");
    assert_eq!(labels(records.with_labels(rows()).unwrap()), [5, 5]);
}
