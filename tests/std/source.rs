//! Sources of records: joined, labeled, selected, chosen and changed.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use idx_data::{
    Chance, ClassNames, CreateOptions, Facts, Format, OpenOptions, PictureOptions, Record,
    RecordLayout, RecordSelection, Sink, Source, TransformOptions, open,
};
use idx_std::ElementType;
use idx_tests::{file, gzip, names};
use tempfile::TempDir;

/// A folder of some files.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

/// Numbers from 0 to 11 as records.
pub(crate) const NUMBERS: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/// Twelve records that are their numbers, with labels 0, 1, 2, 0, ...
pub(crate) fn numbers() -> (TempDir, Source) {
    let labels = NUMBERS.map(|number| number % 3);
    let files = [("a", file(8, &[12, 1, 1], &NUMBERS)), ("l", file(8, &[12], &labels))];
    let folder = folder(&files.each_ref().map(|(name, bytes)| (*name, &**bytes)));
    let source = opened(&folder, "a").with_labels(opened(&folder, "l")).unwrap();
    (folder, source)
}

pub(crate) fn opened(folder: &TempDir, name: &str) -> Source {
    open(folder.path().join(name)).unwrap()
}

/// The first bytes of the remaining records.
#[track_caller]
pub(crate) fn read(source: &mut Source) -> Vec<u8> {
    let mut record = Record::default();
    let mut found = Vec::new();
    while source.read(&mut record).unwrap() {
        found.push(record.bytes[0]);
    }
    found
}

/// Of csv, whose records nobody has counted.
#[test]
fn the_number_of_records_that_must_exist_is_known() {
    let folder = folder(&[("a.csv", b"7\n2\n3\n")]);
    for (records, count) in
        [("2", Some(1)), ("0,2", Some(2)), ("0..2,2", Some(3)), ("..2", None), ("1..", None)]
    {
        let source = opened(&folder, "a.csv").select(records.parse::<RecordSelection>().unwrap());
        assert_eq!(source.unwrap().facts().count, count, "{records}");
    }
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
    type Choose<'a> = &'a dyn Fn(Source) -> Result<Source, idx_data::Error>;
    let cases: [(Choose<'_>, Option<&str>); 4] = [
        (&|source| source.except(["7"]), Some("the label 7 does not occur in the 12 records")),
        (&|source| source.only(["1", "7"]), Some("the label 7 does not occur in the 12 records")),
        (&|source| without_0(source)?.per_class(5), Some("label 1 has only 4 records")),
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
    assert!(error.to_string().contains("no labels to choose by"), "{error}");
}

/// The names of classes move along with their labels.
#[test]
fn a_renumbered_class_keeps_its_name() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("names"), "cat\ndog\nowl\n").unwrap();
    let names = ClassNames::open(folder.path().join("names")).unwrap();
    let moved = source.with_classes(names).add_to_labels(1).unwrap();
    assert_eq!(read(&mut moved.only(["dog"]).unwrap()), [1, 4, 7, 10]);
}

/// Classes are those of the labels at the time of the call.
#[test]
fn classes_are_chosen_before_or_after_they_are_renumbered() {
    let (_folder, source) = numbers();
    let mut old = source.only(["1"]).unwrap().add_to_labels(1).unwrap();
    assert_eq!(old.facts().count, None);
    let mut record = Record::default();
    assert!(old.read(&mut record).unwrap());
    assert_eq!((&*record.bytes, record.label), (&[1][..], Some(2)));
    let (_folder, source) = numbers();
    let mut new = source.add_to_labels(1).unwrap().select(2..).unwrap().only(["1"]).unwrap();
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
fn a_part_may_be_empty() {
    let (_folder, source) = numbers();
    let chance = Chance { part: Some(0.5..0.5), ..Chance::default() };
    let [mut chosen, mut rest] = source.divide(&chance).unwrap();
    assert_eq!(read(&mut chosen), [0; 0]);
    assert_eq!(read(&mut rest), NUMBERS);
}

/// Four pictures that are their numbers, of which one is damaged, with labels.
pub(crate) fn pictures(path: &Path) -> Source {
    let layout = RecordLayout::new(ElementType::U8, &[0, 1, 1]);
    let mut facts = Facts::new(layout, None);
    facts.has_labels = true;
    let mut sink = Sink::create(path, &facts, &CreateOptions::new().format(Format::Png)).unwrap();
    for number in 0..4 {
        let label = Some(i128::from(number % 2));
        sink.push(&Record::new(vec![number], label)).unwrap();
    }
    sink.finish().unwrap();
    fs::write(path.join("1/00003.png"), "damaged").unwrap();
    let options = OpenOptions::new().pictures(PictureOptions::new().skip_damaged(true));
    options.open(path).unwrap()
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
fn only_what_belongs_together_is_joined() {
    let (folder, labeled) = numbers();
    for (name, shape, code) in [("wide", [1, 1, 2], 8), ("signed", [1, 1, 1], 9)] {
        fs::write(folder.path().join(name), file(code, &shape, &[1, 2][..shape[2] as usize]))
            .unwrap();
        let error = opened(&folder, "a").append(opened(&folder, name)).unwrap_err();
        assert!(error.to_string().contains("cannot join inputs"), "{error}");
    }
    let error = opened(&folder, "a").append(labeled).unwrap_err();
    assert!(error.to_string().contains("some inputs have labels and some do not"), "{error}");
    // Classes of other names, in the same order.
    let path = |name: &str| folder.path().join(name);
    let of_classes = |set: &str, classes: [&str; 2]| {
        drop(pictures(&path("made")));
        for class in classes {
            fs::create_dir_all(path(set).join(class)).unwrap();
            fs::copy(path("made/1/00001.png"), path(set).join(class).join("1.png")).unwrap();
        }
        fs::remove_dir_all(path("made")).unwrap();
        open(path(set)).unwrap()
    };
    let pets = of_classes("pets", ["cat", "dog"]);
    let error = pets.append(of_classes("birds", ["owl", "rook"])).unwrap_err();
    assert!(error.to_string().contains("the classes differ"), "{error}");
    let pets = of_classes("pets", ["cat", "dog"]);
    let pets = pets.append(of_classes("more", ["cat", "dog"])).unwrap();
    assert_eq!(pets.facts().count, Some(4));
    // Labels of another file are not numbers of these classes.
    fs::write(path("m"), file(8, &[2], &[0, 1])).unwrap();
    let others = open(path("m")).unwrap();
    let labeled = of_classes("pets", ["cat", "dog"]);
    assert!(labeled.facts().classes.is_some());
    assert_eq!(labeled.with_labels(others).unwrap().facts().classes, None);
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

/// Labels of all inputs are skipped along with the records, in whichever input a range starts.
#[test]
fn labels_of_joined_inputs_follow_a_selection() {
    let labels: Vec<u8> = (100..124).collect();
    let files = [("a", file(8, &[12, 1], &NUMBERS)), ("l", file(8, &[24], &labels))];
    let folder = folder(&files.each_ref().map(|(name, bytes)| (*name, &**bytes)));
    for start in 1..24 {
        for records in [format!("{start}.."), format!("0,{start}..")] {
            let joined = opened(&folder, "a").append(opened(&folder, "a")).unwrap();
            let labeled = joined.with_labels(opened(&folder, "l")).unwrap();
            let mut selected = labeled.select(records.parse::<RecordSelection>().unwrap()).unwrap();
            let mut record = Record::default();
            let mut found = Vec::new();
            while selected.read(&mut record).unwrap() {
                assert_eq!(u64::from(record.bytes[0]), record.index, "{records}");
                found.extend(record.label);
            }
            let first = if records.starts_with("0,") { 100..101 } else { 100..100 };
            let expected: Vec<i128> = first.chain(100 + start..124).collect();
            assert_eq!(found, expected, "{records}");
        }
    }
}

/// What is skipped are the chosen records of an input, not those of its file.
#[test]
fn a_selection_of_joined_selections() {
    let (folder, _) = numbers();
    let selected = |first: u64| opened(&folder, "a").select(first..first + 3).unwrap();
    let joined = selected(2).append(selected(9)).unwrap();
    assert_eq!(read(&mut joined.select(4..).unwrap()), [10, 11]);
    let of_class = |class: &str| {
        let labeled = opened(&folder, "a").with_labels(opened(&folder, "l")).unwrap();
        labeled.only([class]).unwrap()
    };
    let joined = of_class("1").append(of_class("2")).unwrap();
    assert_eq!(read(&mut joined.select(3..6).unwrap()), [10, 2, 5]);
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
fn a_record_has_no_label_of_another_source() {
    let (folder, mut labeled) = numbers();
    let mut record = Record::default();
    labeled.read(&mut record).unwrap();
    assert_eq!(record.label, Some(0));
    opened(&folder, "a").read(&mut record).unwrap();
    assert_eq!(record.label, None);
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
        ("4,3,4", Some(3..5)),
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
        ("5..0", "5..0 ends before it starts"),
        ("a..b", "write numbers or ranges"),
        ("5..b", "write numbers or ranges"),
    ] {
        let error = text.parse::<RecordSelection>().unwrap_err();
        assert!(error.to_string().starts_with(message), "{text}: {error}");
    }
}

/// A disk that fails is not taken for a list that is no text.
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
fn columns_that_are_labels() {
    let folder = folder(&[
        ("two", &file(8, &[2, 2], &[1, 2, 3, 4])),
        ("floats", &file(0x0D, &[1], &[0; 4])),
        ("cube", &file(8, &[1, 1, 1], &[0])),
        ("named.csv", b"7,cat\n-300,dog\n"),
    ]);
    let labels = |name: &str, column| {
        let options = OpenOptions::new().as_labels().label_column(column);
        let mut labels = options.open(folder.path().join(name))?;
        let mut found = Vec::new();
        let mut record = Record::default();
        while labels.read(&mut record)? {
            assert!(record.bytes.is_empty());
            found.extend(record.label);
        }
        Ok::<_, idx_data::Error>(found)
    };
    assert_eq!(labels("two", 1).unwrap(), [2, 4]);
    assert_eq!(labels("named.csv", 0).unwrap(), [7, -300]);
    let no_such = format!("there is no column {}", usize::MAX);
    for (name, column, message) in [
        ("two", 2, "there is no column 2"),
        ("two", usize::MAX, &*no_such),
        ("floats", 0, "labels are integers, and these are f32"),
        ("cube", 0, "labels have 1 or 2 dimensions, and these have 3"),
        ("named.csv", 2, "there is no column 2"),
    ] {
        let error = labels(name, column).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let numbers = |name: &str| opened(&folder, name);
    let two = OpenOptions::new().as_labels().open(folder.path().join("two")).unwrap();
    assert_eq!((two.facts().count, two.facts().label_type), (Some(2), Some(ElementType::U8)));
    let error = numbers("cube").with_labels(two).unwrap_err();
    assert!(error.to_string().contains("2 labels but 1 record;"), "{error}");
    // Text has no element type.
    let named = OpenOptions::new().as_labels().open(folder.path().join("named.csv")).unwrap();
    assert_eq!(named.facts().label_type, None);
    // Labels that records have come before their elements.
    let options = OpenOptions::new().label_column(0);
    fs::write(folder.path().join("both.csv"), "7,1\n8,2\n").unwrap();
    let both = options.open(folder.path().join("both.csv")).unwrap();
    let mut labeled = numbers("two").with_labels(both).unwrap();
    let mut record = Record::default();
    assert!(labeled.read(&mut record).unwrap());
    assert_eq!(record, Record::new(vec![1, 2], Some(7)));
}

#[test]
fn names_of_classes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("names");
    let open = |text: &str| {
        fs::write(&path, text).unwrap();
        ClassNames::open(&path)
    };
    let names = open("cat\n\ndog\n").unwrap();
    assert_eq!((names.name(0), names.name(1), names.name(3)), (Some("cat"), None, None));
    assert_eq!(names.iter().collect::<Vec<_>>(), [(0, "cat"), (2, "dog")]);
    for (text, message) in [
        ("cat\ndog\ncat\n", "two classes have the name `cat`"),
        ("\n \n", "there are no class names"),
        (&"cat".repeat(1 << 19), "at most 1 MiB"),
    ] {
        let error = open(text).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn folders_have_the_names_of_classes() {
    for (text, expected) in [
        ("cat\n.hidden\na/b: \u{7}c...\n", &["_hidden", "a_b_ _c", "cat"][..]),
        ("cat\nCat\ndog\n", &["0", "1", "2"]),
        ("cat\n0\ndog\n", &["0", "1", "2"]),
        ("0\n1\ndog\n", &["0", "1", "dog"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("names"), text).unwrap();
        let layout = RecordLayout::new(ElementType::U8, &[0, 1, 1]);
        let mut facts = Facts::new(layout, None);
        facts.has_labels = true;
        facts.classes = Some(ClassNames::open(path("names")).unwrap());
        let mut sink = Sink::create(path("set/"), &facts, &CreateOptions::new()).unwrap();
        for number in 0..3 {
            let label = Some(i128::from(number));
            sink.push(&Record::new(vec![number], label)).unwrap();
        }
        sink.finish().unwrap();
        let folders = names(&path("set")).into_iter().filter(|name| name != "classes.txt");
        assert_eq!(folders.collect::<Vec<_>>(), expected, "{text:?}");
    }
}

#[test]
fn a_list_of_records_has_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list");
    fs::write(&path, "7").unwrap();
    let list = File::options().append(true).open(&path).unwrap();
    for (more, reason) in [(0, "write numbers or ranges"), (1, "at most 64 MiB")] {
        list.set_len((64 << 20) + more).unwrap();
        let error = RecordSelection::open(&path).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

#[test]
fn records_are_scaled_and_transposed() {
    let folder = folder(&[("one", &file(8, &[256, 1, 1], &(0..=255).collect::<Vec<u8>>()))]);
    let changed = |options: TransformOptions, byte: u8| {
        let byte = u64::from(byte);
        let source = opened(&folder, "one").select(byte..byte + 1).unwrap();
        let mut record = Record::default();
        assert!(source.changed(&options).unwrap().read(&mut record).unwrap());
        record.bytes
    };
    let unit = TransformOptions::new().scale([0.0, 1.0]);
    // As `ToTensor` and `Normalize` of torchvision.
    let normalized = unit.normalize([0.1307, 0.3081]).element_type(ElementType::F64);
    for byte in 0..=255 {
        let expected = f32::from(byte) / 255.0;
        assert_eq!(changed(unit, byte), expected.to_be_bytes());
        let expected = (f64::from(byte) / 255.0 - 0.1307) / 0.3081;
        assert_eq!(changed(normalized, byte), expected.to_be_bytes());
    }
    let turned = unit.scale([127.0, -128.0]).element_type(ElementType::I8);
    assert_eq!(changed(turned, 0), [127]);
    assert_eq!(changed(turned, 255), [128]);
    let integers = normalized.element_type(ElementType::U8);
    let error = opened(&folder, "one").changed(&integers).unwrap_err();
    assert!(error.to_string().contains("are fractions, and u8"));
    let transposed = TransformOptions::new().transpose(true);
    let transposed = opened(&folder, "one").changed(&transposed).unwrap();
    assert_eq!(transposed.facts().layout.dims, [256, 1, 1]);
    // Columns become rows of numbers that have their new size.
    fs::write(folder.path().join("wide"), file(8, &[1, 2, 3], &[1, 2, 3, 4, 5, 6])).unwrap();
    let wider = TransformOptions::new().transpose(true).element_type(ElementType::I16);
    let mut record = Record::default();
    assert!(opened(&folder, "wide").changed(&wider).unwrap().read(&mut record).unwrap());
    assert_eq!(record.bytes, [0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6]);
}

#[test]
fn changed_numbers_stay_finite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.idx");
    type Numbers = Option<[f64; 2]>;
    let changed = |numbers: &[f64],
                   element_type: ElementType,
                   scale: Numbers,
                   normalize: Numbers| {
        idx_std::save(&path, &[1, 2], numbers).unwrap();
        let source = open(&path).unwrap();
        let options =
            TransformOptions::new().element_type(element_type).scale(scale).normalize(normalize);
        let mut source = source.changed(&options).unwrap();
        let mut record = Record::default();
        match source.read(&mut record) {
            Ok(_) => {
                let elements = record.bytes.chunks(element_type.size());
                Ok(elements.map(|bytes| element_type.value(bytes).unwrap()).collect::<Vec<_>>())
            }
            Err(error) => Err(error.kind().to_string()),
        }
    };
    use ElementType::{F32, F64, U8};
    for (numbers, element_type, scale, normalize, expected) in [
        (
            [1e300, 0.5],
            F32,
            Some([0.0, 1.0]),
            None,
            "1e300 does not fit f32; choose another element type",
        ),
        (
            [0.5, -1e300],
            F32,
            None,
            Some([0.0, 2.0]),
            "-1e300 becomes -5e299, which does not fit f32; choose another element type",
        ),
        (
            [3e38, 1.5],
            F32,
            Some([0.0, 255.0]),
            None,
            "3e38 becomes 7.65e40, which does not fit f32; choose another element type",
        ),
        (
            [0.1, 1e300],
            F64,
            None,
            Some([0.0, 1e-300]),
            "1e300 becomes too large for f64; scale to a smaller range, or divide by a larger deviation",
        ),
        (
            [0.0, 0.1],
            F64,
            Some([-1e308, 1e308]),
            None,
            "0.0 becomes too large for f64; scale to a smaller range, or divide by a larger deviation",
        ),
        (
            [0.0, 1e300],
            U8,
            Some([0.0, 1e300]),
            None,
            "1e300 becomes too large for u8; scale to a smaller range, or divide by a larger deviation",
        ),
        (
            [0.0, 2.0],
            U8,
            Some([0.0, 255.0]),
            None,
            "2.0 becomes 510.0, which does not fit u8; choose another element type",
        ),
        (
            [0.0, f64::INFINITY],
            U8,
            Some([0.0, 255.0]),
            None,
            "inf does not fit u8; choose another element type",
        ),
        (
            [0.0, f64::NAN],
            U8,
            Some([0.0, 255.0]),
            None,
            "NaN does not fit u8; choose another element type",
        ),
    ] {
        let found = changed(&numbers, element_type, scale, normalize);
        assert_eq!(found.unwrap_err(), format!("record 0: {expected}"));
    }
    for element_type in [F32, F64] {
        let infinite = [f64::NEG_INFINITY, f64::INFINITY];
        let found = changed(&infinite, element_type, Some([0.0, 2.0]), Some([1.0, 2.0]));
        assert_eq!(found.unwrap(), infinite);
        let found = changed(&[f64::NAN, -0.0], element_type, None, Some([0.0, 1.0])).unwrap();
        assert!(found[0].is_nan() && found[1].is_sign_negative());
    }
    // The largest f32, and what rounds to it.
    let largest = f64::from(f32::MAX);
    let found = changed(&[largest, largest * (1.0 + 1e-9)], F32, Some([0.0, 1.0]), None);
    assert_eq!(found.unwrap(), [largest; 2]);
}

/// A sample of plain IDX reads its records where they are, and any other is copied first.
#[test]
fn records_are_divided_in_place() {
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
    // What is written after the division is seen in the file itself, and not in a copy of it.
    let chance = Chance { seed: Some(5), ..Chance::default() };
    for (name, expected) in [("a", 0), ("a.gz", 66)] {
        let [mut all, _] = opened(&folder, name).divide(&chance).unwrap();
        write("a", &file(8, &[12, 1, 1], &[0; 12]));
        write("a.gz", &[]);
        assert_eq!(read(&mut all).into_iter().map(u32::from).sum::<u32>(), expected, "{name}");
        write("a.gz", &gzip(&file(8, &[12, 1, 1], &NUMBERS)));
    }
}

#[test]
fn a_file_that_became_another_is_not_divided() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("a"), file(8, &[12, 2], &[0; 24])).unwrap();
    assert!(source.split([0.5, 0.5], 1).is_err());
}

/// A division reads the file in place only if the records are those of the file.
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

/// Not only when they are read: nothing is written for a range that does not exist.
#[test]
fn a_range_beyond_the_end_is_known_when_it_is_selected() {
    let folder = folder(&[("a.csv", b"7\n2\n3\n")]);
    let error = opened(&folder, "a.csv").select(5..).unwrap_err();
    assert_eq!(error.kind().code(), "beyond_last_record");
    assert!(opened(&folder, "a.csv").select(2..).is_ok());
}

/// Inputs are closed until it is their turn.
#[test]
fn an_input_that_became_another_is_not_read() {
    let (folder, _) = numbers();
    let mut joined = opened(&folder, "a").append(opened(&folder, "a")).unwrap();
    let mut record = Record::default();
    for number in NUMBERS {
        assert!(joined.read(&mut record).unwrap());
        assert_eq!(record.bytes, [number]);
        if number == 5 {
            fs::write(folder.path().join("a"), file(8, &[12, 1], &NUMBERS)).unwrap();
        }
    }
    let error = joined.read(&mut record).unwrap_err();
    assert!(error.to_string().contains("changed"), "{error}");
}

#[test]
fn an_error_has_the_position_in_its_own_input() {
    let folder =
        folder(&[("one", &file(9, &[2], &[1, 2])), ("two", &file(9, &[3], &[3, 4, 0xFF]))]);
    let joined = || opened(&folder, "one").append(opened(&folder, "two")).unwrap();
    let unsigned = TransformOptions::new().element_type(ElementType::U8);
    let mut selected = joined().select(4..).unwrap().changed(&unsigned).unwrap();
    let mut joined = joined().changed(&unsigned).unwrap();
    let mut record = Record::default();
    for number in 1..=4 {
        assert!(joined.read(&mut record).unwrap());
        assert_eq!(record.bytes, [number]);
    }
    for source in [&mut joined, &mut selected] {
        let error = source.read(&mut record).unwrap_err();
        assert_eq!(error.path(), Some(&*folder.path().join("two")));
        assert_eq!(error.position().map(|position| position.record), Some(2), "{error}");
    }
}
