//! Labels of a source: columns, labels of another file, and the names of classes.

use std::fs;

use idx_data::{ClassNames, CreateOptions, Facts, OpenOptions, Record, RecordLayout, Sink, open};
use idx_std::ElementType;
use idx_tests::{file, names};

use crate::common::{NUMBERS, folder, labels, numbers, opened, pictures, read};

/// The names of classes move along with their labels.
#[test]
fn a_renumbered_class_keeps_its_name() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("names"), "cat\ndog\nowl\n").unwrap();
    let names = ClassNames::open(folder.path().join("names")).unwrap();
    let moved = source.with_classes(names).add_to_labels(1).unwrap();
    assert_eq!(read(&mut moved.only(["dog"]).unwrap()), [1, 4, 7, 10]);
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
fn pictures_that_may_be_skipped_have_no_labels_of_another_file() {
    let folder = folder(&[("l", &file(8, &[4], &[0, 1, 2, 3])), ("a", &file(8, &[3], &[0; 3]))]);
    let path = folder.path().join("set");
    let labels = || opened(&folder, "l");
    let skipping = || {
        fs::remove_dir_all(&path).ok();
        pictures(&path)
    };
    let joined = || {
        let source = skipping();
        open(&path).unwrap().append(source).unwrap()
    };
    for source in [skipping(), joined(), skipping().add_to_labels(1).unwrap()] {
        let error = source.with_labels(labels()).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        assert!(error.to_string().contains("would go to the wrong pictures"), "{error}");
    }
    assert!(opened(&folder, "a").with_labels(skipping()).is_err());
    skipping();
    assert!(open(&path).unwrap().with_labels(labels()).is_ok());
}

#[test]
fn new_labels_do_not_get_the_changes_of_the_old() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("m"), file(8, &[12], &NUMBERS)).unwrap();
    let labeled = source.add_to_labels(10).unwrap().with_labels(opened(&folder, "m")).unwrap();
    assert_eq!(labels(labeled), NUMBERS.map(i128::from));
}

#[test]
fn names_of_classes_belong_to_their_labels() {
    let (folder, labeled) = numbers();
    let list = |text: &str| {
        fs::write(folder.path().join("names"), text).unwrap();
        ClassNames::open(folder.path().join("names")).unwrap()
    };
    let (pets, birds) = (list("cat\ndog\n"), list("owl\nrook\n"));
    let images = || opened(&folder, "a");
    let named = || opened(&folder, "l").with_classes(birds.clone());
    for (source, labels, expected) in [
        (images(), named(), Some(&birds)),
        (images().with_classes(pets.clone()), named(), Some(&birds)),
        (images().with_classes(pets.clone()), opened(&folder, "l"), Some(&pets)),
        (labeled.with_classes(pets.clone()), opened(&folder, "l"), None),
    ] {
        let labeled = source.with_labels(labels).unwrap();
        assert_eq!(labeled.facts().classes.as_ref(), expected);
    }
}

#[test]
fn too_few_labels_are_counted() {
    let lines = "7\n".repeat(200);
    let folder = folder(&[("a.csv", lines.as_bytes()), ("l", &file(8, &[50], &[0; 50]))]);
    let labeled = opened(&folder, "a.csv").with_labels(opened(&folder, "l")).unwrap();
    let error = labeled.select(100..110).unwrap_err();
    assert!(error.to_string().contains("fewer labels than records, only 50;"), "{error}");
}

#[test]
fn labels_of_several_columns_are_those_of_the_given_one() {
    let folder =
        folder(&[("a", &file(8, &[2], &[1, 2])), ("l2", &file(8, &[2, 2], &[3, 4, 5, 6]))]);
    let labeled = |options: OpenOptions| {
        opened(&folder, "a").with_labels(options.open(folder.path().join("l2")).unwrap())
    };
    let given = labeled(OpenOptions::new().label_column(1)).unwrap();
    assert_eq!(labels(given), [4, 6]);
    assert_eq!(labels(labeled(OpenOptions::new()).unwrap()), [3, 5]);
    // Of one column, there is no other.
    let one = OpenOptions::new().column(0).label_column(1);
    assert!(labeled(one).unwrap_err().to_string().contains("there is no column 1"));
}
