//! Steps that choose records: by position, by class, and a number of each class.

use std::fs::{self, File};
use std::io;

use idx_data::{Chance, ClassNames, Error, Labeled, Record, RecordSelection, Source, open_set};
use idx_tests::{file, gzip};

use crate::common::{NUMBERS, added, folder, numbers, opened, pictures, read};

/// A csv file does not state how many records it has.
#[test]
fn the_number_of_records_that_must_exist_is_known() {
    let many = "7\n".repeat(5_000);
    let folder = folder(&[("a.csv", many.as_bytes()), ("few.csv", b"7\n2\n3\n")]);
    let count = |name: &str, records: &str| {
        let source = opened(&folder, name).select(records.parse::<RecordSelection>().unwrap());
        source.unwrap().facts().count
    };
    for (records, expected) in
        [("2", Some(1)), ("0,2", Some(2)), ("0..2,2", Some(3)), ("..2", None), ("1..", None)]
    {
        assert_eq!(count("a.csv", records), expected, "{records}");
    }
    // A file so small that the sample has all of it.
    assert_eq!([count("few.csv", "..2"), count("few.csv", "1..")], [Some(2); 2]);
}

#[test]
fn the_number_of_records_of_some_classes_is_not_known() {
    let (_folder, source) = numbers();
    let mut chosen = source.only(["1"]).unwrap();
    assert_eq!(chosen.facts().count, None);
    assert_eq!(read(&mut chosen), [1, 4, 7, 10]);
}

#[test]
fn classes_that_are_not_there_or_too_small() {
    let without_0 = |source: Source| source.except(["0"]);
    type Choose<'a> = &'a dyn Fn(Source) -> Result<Source, Error>;
    let cases: [(Choose<'_>, Option<&str>); 4] = [
        (&|source| source.except(["7"]), Some("the label 7 does not occur in the 12 records")),
        (&|source| source.only(["1", "7"]), Some("the label 7 does not occur in the 12 records")),
        (&|source| without_0(source)?.per_class(5), Some("class 1 has only 4 records")),
        (&|source| without_0(source)?.per_class(4), None),
    ];
    for (choose, expected) in cases {
        let (_folder, source) = numbers();
        let mut chosen = choose(source).unwrap();
        let mut record = Record::default();
        let end = loop {
            match chosen.read(&mut record) {
                Ok(true) => {}
                Ok(false) => break None,
                Err(error) => break Some(error.to_string()),
            }
        };
        match (end, expected) {
            (None, None) => {}
            (Some(end), Some(expected)) => assert!(end.contains(expected), "{end}"),
            different => panic!("{different:?}"),
        }
    }
    // A class that is left out may be smaller than the others.
    let few = folder(&[("a", &file(8, &[3], &[1, 2, 3])), ("l", &file(8, &[3], &[0, 1, 1]))]);
    let source = opened(&few, "a").with_labels(opened(&few, "l")).unwrap();
    let mut chosen = source.except(["0"]).unwrap().per_class(2).unwrap();
    assert_eq!(read(&mut chosen), [2, 3]);
    let error = opened(&few, "a").only(["1"]).unwrap_err();
    assert!(error.to_string().contains("these records have no labels"), "{error}");
    // A long list of classes is shortened in the message.
    let (_folder, source) = numbers();
    let names = ClassNames::new((10..40).map(|number| format!("c{number}"))).unwrap();
    let error = source.with_classes(names).only(["dog"]).unwrap_err();
    assert!(error.to_string().contains("c28, c29;"), "{error}");
}

/// Failed before: a class that only the training part has could not be left out of a set.
#[test]
fn a_class_with_a_name_may_be_in_another_part() {
    let names = || ClassNames::new(["ant", "bee", "cat", "emu"]).unwrap();
    let named = || numbers().1.with_classes(names());
    assert_eq!(read(&mut named().except("emu").unwrap()), NUMBERS);
    assert_eq!(read(&mut named().only(["bee", "emu"]).unwrap()), [1, 4, 7, 10]);
    assert!(read(&mut named().only(3).unwrap()).is_empty());
    let folder = folder(&[
        ("train.csv", b"label,a,b\nant,9,1\nbee,2,2\nemu,6,3\n"),
        ("test.csv", b"label,a,b\nbee,4,4\nant,1,5\n"),
    ]);
    for (part, others, chosen) in [("train", &[9, 2][..], &[2, 6][..]), ("test", &[4, 1], &[4])] {
        let source = || open_set(folder.path()).unwrap().part(part).unwrap();
        assert_eq!(read(&mut source().except("emu").unwrap()), others);
        assert_eq!(read(&mut source().only(["bee", "emu"]).unwrap()), chosen);
    }
}

/// Classes are those of the labels at the time of the call.
#[test]
fn classes_are_chosen_before_or_after_they_are_renumbered() {
    let (_folder, source) = numbers();
    let mut old = added(source.only(["1"]).unwrap(), 1);
    assert_eq!(old.facts().count, None);
    let mut record = Record::default();
    assert!(old.read(&mut record).unwrap());
    assert_eq!((&*record.bytes, record.label), (&[1][..], Some(2)));
    let (_folder, source) = numbers();
    let mut new = added(source, 1).select(2..).unwrap().only(["1"]).unwrap();
    assert!(new.read(&mut record).unwrap());
    assert_eq!((record.bytes[0], record.label, record.index), (3, Some(1), 3));
}

#[test]
fn a_name_comes_before_a_number() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("names"), "1\n2\n0\n").unwrap();
    let names = ClassNames::open(folder.path().join("names")).unwrap();
    let mut chosen = source.with_classes(names).only(["1"]).unwrap();
    assert_eq!(read(&mut chosen), [0, 3, 6, 9]);
}

#[test]
fn what_was_skipped_is_known_after_choosing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("set");
    let random = Chance { seed: Some(1), ..Chance::default() };
    for is_random in [false, true] {
        let source = pictures(&path);
        let mut chosen = match is_random {
            false => source.only(["0", "1"]).unwrap(),
            true => {
                let [chosen, _] = source.divide(&random).unwrap();
                chosen
            }
        };
        let mut found = read(&mut chosen);
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2]);
        let skipped: Vec<_> = chosen.skipped().iter().map(|skipped| skipped.path.clone()).collect();
        assert_eq!(skipped, [path.join("1/00003.png")], "{is_random}");
        fs::remove_dir_all(&path).unwrap();
    }
}

#[test]
fn ranges_up_to_the_end() {
    let (folder, _) = numbers();
    for (start, expected) in [(10, &[10, 11][..]), (12, &[])] {
        let mut source = opened(&folder, "a").select(start..12).unwrap();
        assert_eq!(read(&mut source), expected);
    }
    let error = opened(&folder, "a").select(13..13).unwrap_err();
    assert_eq!(error.kind().code(), "beyond_last_record", "{error}");
    assert!(error.kind().to_string().contains("there are 12 records"), "{error}");
    let records: RecordSelection = "0,2..4,9..".parse().unwrap();
    assert_eq!(records.ranges(Some(12)).unwrap(), [0..1, 2..4, 9..12]);
    let mut source = opened(&folder, "a").select(records).unwrap();
    assert_eq!(source.facts().count, Some(6));
    assert_eq!(read(&mut source), [0, 2, 3, 9, 10, 11]);
    fs::write(folder.path().join("one"), file(8, &[1], &[7])).unwrap();
    for (name, there) in [("one", "there is 1 record,"), ("a", "there are 12 records,")] {
        let error = opened(&folder, name).select(13..).unwrap_err();
        assert!(error.to_string().contains(there), "{error}");
    }
    // The number of records of csv is known only at its end.
    fs::write(folder.path().join("a.csv"), "7\n8\n").unwrap();
    let mut record = Record::default();
    for (records, is_there) in [("1..3", true), ("0,2", false), ("0,3..", false)] {
        let records: RecordSelection = records.parse().unwrap();
        let selected = opened(&folder, "a.csv").select(records.clone());
        let read = selected.and_then(|mut table| {
            while table.read(&mut record)? {}
            Ok(())
        });
        assert_eq!(read.is_ok(), is_there, "{records:?}: {read:?}");
    }
}

#[test]
fn each_step_is_about_the_records_that_are_left() {
    let (folder, labeled) = numbers();
    let labels = || opened(&folder, "l");
    let selected = opened(&folder, "a").select(2..4).unwrap();
    let error = selected.with_labels(labels()).unwrap_err();
    assert!(error.to_string().contains("12 labels but 2 records"), "{error}");
    let mut begun = opened(&folder, "a");
    assert!(begun.read(&mut Record::default()).unwrap());
    let mut begun = begun.with_labels(labels().select(..11).unwrap()).unwrap();
    let mut record = Record::default();
    assert!(begun.read(&mut record).unwrap());
    assert_eq!((record.bytes[0], record.label, record.index), (1, Some(0), 1));
    let classes = labeled.only(["1"]).unwrap();
    assert_eq!(read(&mut classes.select(1..3).unwrap()), [4, 7]);
    let selected = opened(&folder, "a").select(2..4).unwrap();
    let mut joined = selected.append(opened(&folder, "a").select(9..).unwrap()).unwrap();
    assert_eq!(joined.facts().count, Some(5));
    assert_eq!(read(&mut joined), [2, 3, 9, 10, 11]);
}

/// A range up to the last record reads on to the checksum.
#[test]
fn damage_behind_the_last_selected_record() {
    let mut bytes = gzip(&file(8, &[12, 1], &NUMBERS));
    let checksum = bytes.len() - 8;
    bytes[checksum] ^= 1;
    let folder = folder(&[("a.gz", &bytes)]);
    let mut selected = opened(&folder, "a.gz").select(9..).unwrap();
    let mut record = Record::default();
    let end = loop {
        match selected.read(&mut record) {
            Ok(true) => {}
            end => break end,
        }
    };
    assert!(end.is_err());
}

#[test]
fn selections_as_ranges() {
    let ranges = |text: &str| {
        let selection: RecordSelection = text.parse().unwrap();
        let ranges = selection.ranges(Some(10)).ok()?;
        assert_eq!(ranges.len(), 1, "{text}");
        ranges.into_iter().next()
    };
    for (text, expected) in [
        ("0..2,2..4", Some(0..4)),
        ("0..9,2..4", Some(0..9)),
        ("4,3", Some(3..5)),
        ("9", Some(9..10)),
        ("10", None),
        ("-10", Some(0..1)),
        ("-11", None),
        ("10..", Some(10..10)),
        ("11..", None),
        ("5..5", Some(5..5)),
        ("-3..5", None),
        ("-20..-8", Some(0..2)),
        ("0..-3", Some(0..7)),
    ] {
        assert_eq!(ranges(text), expected, "{text}");
    }
    for (text, message) in [
        ("5..0", "5..0 ends before it starts; swap its ends"),
        ("a..b", "write numbers or ranges"),
        ("5..b", "write numbers or ranges"),
    ] {
        let error = text.parse::<RecordSelection>().unwrap_err();
        assert!(error.to_string().starts_with(message), "{text}: {error}");
    }
}

/// An error of the disk is not reported as a list that is not text.
#[test]
fn a_list_of_records_that_cannot_be_read() {
    struct Broken;

    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no answer"))
        }
    }

    let error = RecordSelection::from_reader(Broken).unwrap_err();
    assert!(error.to_string().contains("no answer"), "{error}");
    let error = RecordSelection::from_reader(&b"1\xFF"[..]).unwrap_err();
    assert!(error.to_string().contains("write numbers"), "{error}");
}

#[test]
fn a_list_of_records_has_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    // The word ends the reading at once: all 64 MiB would take seconds.
    fs::write(&path, "x\n").unwrap();
    let list = File::options().append(true).open(&path).unwrap();
    for (more, reason) in [(0, "write numbers or ranges"), (1, "at most 64 MiB")] {
        list.set_len((64 << 20) + more).unwrap();
        let error = RecordSelection::open(&path).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// The error comes before the records are read, so nothing is written for a range that does not exist.
#[test]
fn a_range_beyond_the_end_is_known_when_it_is_selected() {
    let folder = folder(&[("a.csv", b"7\n2\n3\n")]);
    let error = opened(&folder, "a.csv").select(5..).unwrap_err();
    assert_eq!(error.kind().code(), "beyond_last_record");
    assert!(opened(&folder, "a.csv").select(2..).is_ok());
}

#[test]
fn choices_of_classes_add_up() {
    type Choose = fn(Source) -> Result<Source, Error>;
    let cases: [(Choose, &[u8]); 5] = [
        (|source| source.only(["0", "1"])?.only(["1"]), &[1, 4, 7, 10]),
        (|source| source.only(Vec::<String>::new()), &[]),
        (|source| source.except(["0"])?.except(["1"]), &[2, 5, 8, 11]),
        (|source| source.except(Vec::<String>::new()), &NUMBERS),
        (|source| source.per_class(2)?.per_class(1), &[0, 1, 2]),
    ];
    for (number, (choose, expected)) in cases.into_iter().enumerate() {
        let (_folder, source) = numbers();
        assert_eq!(read(&mut choose(source).unwrap()), expected, "{number}");
    }
}

#[test]
fn selections_by_each_range() {
    let (_folder, source) = numbers();
    assert_eq!(read(&mut source.select(..3).unwrap()), [0, 1, 2]);
    let (_folder, source) = numbers();
    assert_eq!(read(&mut source.select(9..=10).unwrap()), [9, 10]);
    let (_folder, source) = numbers();
    assert_eq!(read(&mut source.select(-3..=-1).unwrap()), [9, 10, 11]);
    assert_eq!(RecordSelection::from(3..=u64::MAX), RecordSelection::from(3..u64::MAX));
}

#[test]
fn classes_and_positions_as_people_write_them() {
    let names = || ClassNames::new(["cat", "dog", "owl"]).unwrap();
    let named = || {
        let (folder, source) = numbers();
        (folder, source.with_classes(names()))
    };
    type Choose = fn(Source) -> Result<Source, Error>;
    let cases: [(Choose, &[u8]); 7] = [
        (|source| source.only([1]), &[1, 4, 7, 10]),
        (|source| source.only(["dog"])?.select(0..2), &[1, 4]),
        (|source| source.except(vec![0_u8, 2]), &[1, 4, 7, 10]),
        (|source| source.except(["cat".to_string(), "2".to_string()]), &[1, 4, 7, 10]),
        (|source| source.select(3), &[3]),
        (|source| source.select(-2..), &[10, 11]),
        (|source| source.select(2..NUMBERS.len() - 8), &[2, 3]),
    ];
    for (number, (choose, expected)) in cases.into_iter().enumerate() {
        let (_folder, source) = named();
        assert_eq!(read(&mut choose(source).unwrap()), expected, "{number}");
    }
    let (_folder, source) = named();
    let set: Labeled<[[u8; 1]; 1], u8> = source.collect().unwrap();
    assert_eq!(set.classes(), Some(&names()));
    assert_eq!(
        set.only(["dog", "owl"]).unwrap().labels().collect::<Vec<u8>>(),
        [1, 2, 1, 2, 1, 2, 1, 2]
    );
    assert_eq!(set.except([0, 1]).unwrap().elements::<u8>().unwrap(), [2, 5, 8, 11]);
    for name in ["fox", "7"] {
        assert_eq!(set.only([name]).unwrap_err().kind().code(), "mismatch");
    }
    let mut sum = 0;
    for ([[number]], label) in &set {
        sum += u32::from(number * label);
    }
    assert_eq!(sum, set.iter().map(|([[number]], label)| u32::from(number * label)).sum::<u32>());
    let mut written = set.to_source();
    assert_eq!(written.facts().classes, Some(names()));
    assert_eq!(read(&mut written), NUMBERS);
}

/// csv tells the number of its records only at its end.
#[test]
fn records_of_csv_are_counted_from_its_end() {
    let folder = folder(&[("a.csv", b"10,7\n11,7\n12,7\n13,7\n14,7\n15,7\n16,7\n17,7\n")]);
    for (selected, expected) in [
        ("-3..", &[15, 16, 17][..]),
        ("-2,-5", &[13, 16]),
        ("-5..-2", &[13, 14, 15]),
        ("1,-1", &[11, 17]),
        ("..-6", &[10, 11]),
        ("-3..,6", &[15, 16, 17]),
        ("6..,-4", &[14, 16, 17]),
    ] {
        let selection: RecordSelection = selected.parse().unwrap();
        let source = opened(&folder, "a.csv").select(selection).unwrap();
        assert_eq!(read(&mut { source }), expected, "{selected}");
    }
    for twice in ["3,3", "-1,2,-1"] {
        let message = twice.parse::<RecordSelection>().unwrap_err().to_string();
        assert!(message.contains("is named twice"), "{message}");
    }
}
