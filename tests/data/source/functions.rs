//! Functions over the records of a source and their labels.

use idx_data::Record;

use crate::common::{labels, numbers, opened, read};

/// Steps before and after a filter do what they do on a list.
#[test]
fn a_filter_is_a_step_like_any_other() {
    let even = |record: &Record| record.bytes[0].is_multiple_of(2);
    let (_folder, source) = numbers();
    let mut some = source.filter(even).select(1..4).unwrap();
    assert_eq!(read(&mut some), [2, 4, 6]);
    let (_folder, source) = numbers();
    let mut some = source.select(1..4).unwrap().filter(even);
    assert_eq!(some.facts().count, None);
    assert_eq!(read(&mut some), [2]);
    // A function may remember what it saw, and labels stay with their records.
    let (_folder, source) = numbers();
    let mut seen = 0_u32;
    let third = source.filter(move |_| {
        seen += 1;
        seen.is_multiple_of(3)
    });
    assert_eq!(labels(third), [2, 2, 2, 2]);
    let (_folder, source) = numbers();
    assert_eq!(read(&mut source.filter(|_| false)), [] as [u8; 0]);
    // A record keeps its index in the input.
    let (_folder, source) = numbers();
    let indices = source.filter(even).into_iter().map(|record| record.unwrap().index);
    assert_eq!(indices.collect::<Vec<_>>(), [0, 2, 4, 6, 8, 10]);
}

#[test]
fn a_function_changes_records_and_labels() {
    let (_folder, source) = numbers();
    let mut changed = source.map(|record| {
        let label = record.label.map(|label| label + i128::from(record.index == 7));
        Record::new([record.bytes[0] * 2], label)
    });
    assert_eq!(changed.facts().count, Some(12));
    let records: Vec<Record> = changed.records().map(Result::unwrap).collect();
    assert!(records.iter().enumerate().all(|(index, record)| record.index == index as u64));
    assert_eq!(records.iter().map(|record| record.bytes[0]).sum::<u8>(), 132);
    assert_eq!((records[7].label, records[8].label), (Some(2), Some(2)));
    let (_folder, source) = numbers();
    assert_eq!(
        labels(source.map_labels(|label| label.min(1))),
        [0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1]
    );
}

#[test]
fn a_function_keeps_the_size_and_the_label() {
    type Change = fn(Record) -> Record;
    let cases: [(Change, &str); 3] = [
        (|record| Record::new([1, 2], record.label), "2 bytes and a label"),
        (|record| Record::new(record.bytes, None), "1 byte and no label"),
        (|_| Record::default(), "0 bytes and no label"),
    ];
    for (change, found) in cases {
        let (_folder, source) = numbers();
        let mut changed = source.select(3..).unwrap().map(change);
        let error = changed.read(&mut Record::default()).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        let expected = "but the facts of its source say 1 byte and a label; correct the function";
        assert_eq!(error.sentence(), format!("record 3: record 3 has {found}, {expected}"));
    }
    let (folder, _) = numbers();
    let mut unlabeled = opened(&folder, "a").map_labels(|label| label);
    let error = unlabeled.read(&mut Record::default()).unwrap_err();
    assert!(error.sentence().contains("these records have no labels"), "{error}");
}
