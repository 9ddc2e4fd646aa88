//! Labels of a source: columns, labels from another file, and class names.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use idx_data::dataset::DataSet;
use idx_data::{
    Chance, ClassNames, CreateOptions, Error, ErrorKind, Facts, Hint, OpenOptions, PictureOptions,
    Record, RecordLayout, RecordSource, Sink, Source, open, open_pair,
};
use idx_std::ElementType;
use idx_tests::{file, names, real_data};
use tempfile::TempDir;

use crate::common::{NUMBERS, added, folder, labels, numbers, opened, pictures, read};

/// The class names move along with their labels.
#[test]
fn a_renumbered_class_keeps_its_name() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("names"), "cat\ndog\nowl\n").unwrap();
    let names = ClassNames::open(folder.path().join("names")).unwrap();
    let moved = added(source.with_classes(names), 1);
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
        Ok::<_, Error>(found)
    };
    assert_eq!(labels("two", 1).unwrap(), [2, 4]);
    assert_eq!(labels("floats", 0).unwrap(), [0]);
    assert_eq!(labels("named.csv", 0).unwrap(), [7, -300]);
    let no_such = format!("there is no column {}", usize::MAX);
    for (name, column, message) in [
        ("two", 2, "there is no column 2"),
        ("two", usize::MAX, &*no_such),
        ("cube", 0, "labels have 1 or 2 dimensions, and these have 3"),
        ("named.csv", 2, "there is no column 2"),
    ] {
        let error = labels(name, column).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    let numbers = |name: &str| opened(&folder, name);
    let two =
        OpenOptions::new().as_labels().label_column(0).open(folder.path().join("two")).unwrap();
    assert_eq!((two.facts().count, two.facts().label_type), (Some(2), Some(ElementType::U8)));
    // Labels are integers, whatever the type of their file is.
    let floats = OpenOptions::new().as_labels().open(folder.path().join("floats")).unwrap();
    assert_eq!(floats.facts().label_type, None);
    let error = numbers("cube").with_labels(two).unwrap_err();
    assert!(error.to_string().contains("2 labels but 1 record;"), "{error}");
    // Records in the last dimension, as MATLAB has them.
    fs::write(folder.path().join("last"), file(8, &[3, 1, 2], &[0; 6])).unwrap();
    let two =
        OpenOptions::new().as_labels().label_column(0).open(folder.path().join("two")).unwrap();
    let error = numbers("last").with_labels(two).unwrap_err();
    assert!(error.to_string().ends_with("with `numpy.moveaxis(array, 2, 0)`"), "{error}");
    // Text has no element type.
    let options = OpenOptions::new().as_labels().label_column(0);
    let named = options.open(folder.path().join("named.csv")).unwrap();
    assert_eq!(named.facts().label_type, None);
    // If a file of labels has both, its labels are used, not its elements.
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
    // A list of 1 MiB.
    assert_eq!(open(&("a".repeat((1 << 20) - 1) + "\n")).unwrap().iter().count(), 1);
    let names = open("cat\n\ndog\n").unwrap();
    assert_eq!((names.name(0), names.name(1), names.name(3)), (Some("cat"), None, None));
    assert_eq!(names.iter().collect::<Vec<_>>(), [(0, "cat"), (2, "dog")]);
    for (text, expected) in [
        ("1 65\n2 66\n", &[(1, "A"), (2, "B")][..]),
        ("1 65 97\n2 66 98\n", &[(1, "Aa"), (2, "Bb")]),
        ("0 48\r\n10 65\r\n", &[(0, "0"), (10, "A")]),
        ("0 cat\n1 hot dog, with mustard\n", &[(0, "cat"), (1, "hot dog, with mustard")]),
        ("2 cat\n\n7\tdog\n", &[(2, "cat"), (7, "dog")]),
        ("1: cat\n2: dog\n", &[(1, "cat"), (2, "dog")]),
        ("\u{FEFF}1 cat\n2 dog\n", &[(1, "cat"), (2, "dog")]),
        ("1. cat\n2. dog\n", &[(1, "cat"), (2, "dog")]),
        // As pandas writes them.
        ("1.0,cat\n2.0,dog\n", &[(1, "cat"), (2, "dog")]),
        ("1.0 cat\n2.0 dog\n", &[(1, "cat"), (2, "dog")]),
        ("0,cat\n1,dog\n", &[(0, "cat"), (1, "dog")]),
        ("0,tench, Tinca\n1,dog\n", &[(0, "tench, Tinca"), (1, "dog")]),
        ("index,codepoint,char\n0,U+304A,お\n1,U+304D,き\n", &[(0, "お"), (1, "き")]),
        ("index,codepoint\n0,U+304A\n1,U+304D\n", &[(0, "お"), (1, "き")]),
        ("label;ascii;char\n0;48;0\n1;49;1\n", &[(0, "0"), (1, "1")]),
        ("name,label\ncat,1\ndog,0\n", &[(0, "dog"), (1, "cat")]),
        ("0,7\n1,8\n", &[(0, "7"), (1, "8")]),
        (r#"{"1": "cat", "2": "dog"}"#, &[(1, "cat"), (2, "dog")]),
        (r#"["cat", "dog"]"#, &[(0, "cat"), (1, "dog")]),
        // The lists from here on have no numbers of their own.
        ("5\n6\n", &[(0, "5"), (1, "6")]),
        ("3D\n2nd dog\n", &[(0, "3D"), (1, "2nd dog")]),
        ("cat\n7,\n", &[(0, "cat"), (1, "7,")]),
        ("tench, Tinca\nant, Formica\n", &[(0, "tench, Tinca"), (1, "ant, Formica")]),
    ] {
        let names = open(text).unwrap();
        assert_eq!(names.iter().collect::<Vec<_>>(), expected, "{text:?}");
    }
    for (text, message) in [
        ("0 cat\ndog\n", "line 1 begins with the number of a class and line 2 does not"),
        ("cat\n\n0 dog\n", "line 3 begins with the number of a class and line 1 does not"),
        ("0 cat\n1\n", "line 1 begins with the number of a class and line 2 does not"),
        ("0 cat\n0 dog\n", "two lines name class 0"),
        (r#"{"0": {"name": "cat"}}"#, "this is JSON or YAML of another form"),
        ("0 cat\n1 cat\n", "two classes have the name `cat`"),
        ("20 km/h\n30 km/h\n", "two classes have the name `km/h`"),
        (
            "index,char,word\n0,a,ant\n1,b,bee\n",
            "the list of classes has several readings (column 0 is the label, column 1 its name; column 0",
        ),
        ("cat\ndog\ncat\n", "two classes have the name `cat`"),
        ("\n \n", "there are no class names"),
        (&("a".repeat(1 << 20) + "\n"), "at most 1 MiB"),
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
        ("cat\n0\ndog\n", &["0", "cat", "dog"]),
        ("0\n1\ndog\n", &["0", "1", "dog"]),
        ("cat\nlabels.csv\ndog\n", &["0", "1", "2"]),
        ("{\"0\": \" cat\", \"1\": \"dog .\", \"2\": \"eel\"}", &["cat", "dog", "eel"]),
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
fn a_picture_that_is_skipped_takes_its_label_along() {
    let folder = folder(&[
        ("l", &file(8, &[4], &[0, 1, 2, 3])),
        ("m", &file(8, &[8], &[0, 1, 2, 3, 4, 5, 6, 7])),
        ("a", &file(8, &[3], &[0; 3])),
    ]);
    let path = folder.path().join("set");
    let skipping = || {
        fs::remove_dir_all(&path).ok();
        pictures(&path)
    };
    // The pictures of class 0 come first, and the last of class 1 is damaged.
    let one = skipping().with_labels(opened(&folder, "l")).unwrap();
    assert_eq!(labels(one.select(1..).unwrap()), [1, 2]);
    let options = OpenOptions::new().pictures(PictureOptions::new().skip_bad(true));
    let two = || skipping().append(options.open(&path).unwrap()).unwrap();
    // The damaged picture is among the records that are skipped.
    let behind = two().with_labels(opened(&folder, "m")).unwrap().select(4..).unwrap();
    assert_eq!(labels(behind), [5, 6]);
    let two = added(two(), 1).with_labels(opened(&folder, "m")).unwrap();
    assert_eq!(labels(two.only([1, 2, 4, 5, 6]).unwrap()), [1, 2, 4, 5, 6]);
    for chosen in [
        skipping().select(1..).unwrap(),
        skipping().only([0]).unwrap(),
        skipping().append(skipping().select(1..).unwrap()).unwrap(),
    ] {
        let error = chosen.with_labels(opened(&folder, "l")).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        assert!(error.to_string().contains("could go to the wrong pictures"), "{error}");
    }
    // Records in another order, which are kept, follow the damaged picture.
    fs::write(folder.path().join("p"), file(8, &[2, 1, 1], &[8, 9])).unwrap();
    let kept = opened(&folder, "p").divide(&Chance { seed: Some(1), ..Chance::default() });
    let [kept, _] = kept.unwrap();
    let both = skipping().without_labels().append(kept).unwrap();
    fs::write(folder.path().join("n"), file(8, &[6], &[0, 1, 2, 3, 4, 5])).unwrap();
    assert_eq!(labels(both.with_labels(opened(&folder, "n")).unwrap()), [0, 1, 2, 4, 5]);
    // If the last label is missing, that of the damaged picture still counts.
    fs::write(folder.path().join("seven"), file(8, &[7], &[0, 1, 2, 3, 4, 5, 6])).unwrap();
    let few = skipping().append(options.open(&path).unwrap()).unwrap();
    let mut few = few.with_labels(opened(&folder, "seven")).unwrap();
    let error = few.skip(u64::MAX).unwrap_err();
    assert!(error.to_string().contains("fewer labels than records, only 7;"), "{error}");
    assert!(opened(&folder, "a").with_labels(skipping()).is_err());
    // The last label is missing, which is that of the damaged picture.
    fs::write(folder.path().join("three"), file(8, &[3], &[0, 1, 2])).unwrap();
    let mut few = skipping().with_labels(opened(&folder, "three")).unwrap();
    let error = few.skip(u64::MAX).unwrap_err();
    assert!(error.to_string().contains("fewer labels than records, only 3;"), "{error}");
    skipping();
    assert!(open(&path).unwrap().with_labels(opened(&folder, "l")).is_ok());
}

/// Ten numbers that are skipped without reading.
struct Counter(Facts, u8);

impl RecordSource for Counter {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        let skipped = records.min(10 - u64::from(self.1));
        self.1 += u8::try_from(skipped).unwrap();
        Ok(skipped)
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        assert!(self.1 >= 8, "{} was not to be read", self.1);
        *record = Record::new([self.1], None);
        self.1 += 1;
        Ok(self.1 <= 10)
    }
}

#[test]
fn labels_are_skipped_with_their_records() {
    let facts = Facts::new(RecordLayout::new(ElementType::U8, &[10]), Some(10));
    let counter = || Source::new("own", Counter(facts.clone(), 0));
    let mut pairs = counter().with_labels(counter()).unwrap();
    assert_eq!(pairs.skip(8).unwrap(), 8);
    let next = pairs.records().next().unwrap().unwrap();
    assert_eq!((next.index, next.bytes[0], next.label), (8, 8, Some(8)));
    // Labels that were read ahead are skipped, too.
    let (folder, _) = numbers();
    fs::write(folder.path().join("n"), file(8, &[12], &NUMBERS)).unwrap();
    let mut pairs = opened(&folder, "a").with_labels(opened(&folder, "n")).unwrap();
    let mut record = Record::default();
    for expected in [0, 3, 6] {
        assert!(pairs.read(&mut record).unwrap());
        assert_eq!((record.bytes[0], record.label), (expected, Some(expected.into())));
        assert_eq!(pairs.skip(2).unwrap(), 2);
    }
    let numbers = [0.0, 1.0, 2.0, 0.5_f32].map(f32::to_be_bytes);
    fs::write(folder.path().join("f"), file(0x0D, &[4], numbers.as_flattened())).unwrap();
    let mut pairs = opened(&folder, "f").with_labels(opened(&folder, "f")).unwrap();
    assert!(pairs.read(&mut record).unwrap());
    assert_eq!(pairs.skip(2).unwrap(), 2);
    let error = pairs.read(&mut record).unwrap_err();
    assert!(error.to_string().contains("record 3"), "{error}");
}

/// Covers a file of labels, and a single column.
#[test]
fn facts_are_those_of_what_is_left() {
    let folder = folder(&[("t.csv", b"x,y\n0,1\n1,0\n"), ("l", &file(8, &[2], &[3, 4]))]);
    let labels = OpenOptions::new().as_labels().open(folder.path().join("l")).unwrap();
    assert_eq!(labels.facts().layout.dims, [2, 0]);
    let labeled = opened(&folder, "t.csv").with_labels(labels).unwrap();
    assert_eq!(labeled.facts().label_type, Some(ElementType::U8));
    assert_eq!(labeled.without_labels().facts().label_type, None);
    let mut column = opened(&folder, "t.csv").column("y").unwrap();
    assert_eq!((&column.facts().layout.dims[..], &column.facts().columns), (&[2][..], &None));
    assert_eq!(read(&mut column), [1, 0]);
    assert_eq!(read(&mut opened(&folder, "l").column(0).unwrap()), [3, 4]);
    let (numbers, _) = numbers();
    let error = opened(&numbers, "a").column(0).unwrap_err();
    assert!(error.to_string().contains("records with columns have 1 dimension"), "{error}");
}

#[test]
fn new_labels_do_not_get_the_changes_of_the_old() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("m"), file(8, &[12], &NUMBERS)).unwrap();
    let labeled = added(source, 10).with_labels(opened(&folder, "m")).unwrap();
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

/// Failed before: the names were only read if the records were next to the labels, too.
#[test]
fn names_of_classes_lie_beside_their_labels() {
    let folder = idx_tests::folder(&[
        ("a.idx", file(8, &[2, 1], &[5, 6])),
        ("l/n-labels.idx", file(8, &[2], &[0, 1])),
        ("l/n-classes.txt", b"cat\ndog\n".to_vec()),
    ]);
    let path = |name: &str| folder.path().join(name);
    let pairs = open_pair(path("a.idx"), path("l/n-labels.idx")).unwrap();
    let list = ClassNames::open(path("l/n-classes.txt")).unwrap();
    assert_eq!(pairs.facts().classes.as_ref(), Some(&list));
    assert!(pairs.reading().inputs().is_empty());
    // Names that the caller gives come first.
    let pets = pairs.with_classes(ClassNames::new(["owl", "rook"]).unwrap());
    let line = pets.reading().inputs()[0].to_string();
    assert_eq!(line, "class names as given, not cat, dog");
    let records = open(path("a.idx")).unwrap();
    let alone = OpenOptions::new().beside(false);
    let alone = alone.label(records, path("l/n-labels.idx")).unwrap();
    assert_eq!(alone.facts().classes, None);
    // Labels without records have no names.
    let labels = OpenOptions::new().as_labels().open(path("l/n-labels.idx")).unwrap();
    assert_eq!(labels.facts().classes, None);
}

/// Failed before: names that macOS spells with separate accents got the places of others in the list.
#[test]
fn words_in_another_spelling_are_not_renamed() {
    let folder =
        folder(&[("words.csv", "label,a\ne\u{301},0\no\u{301},1\ne\u{301},2\n".as_bytes())]);
    let names = ClassNames::new(["\u{f3}", "\u{e9}"]).unwrap();
    let error = opened(&folder, "words.csv").with_classes(names).read(&mut Record::default());
    let error = error.unwrap_err().to_string();
    assert!(error.contains(r"the class `e\u{301}` is not in the list of names;"), "{error}");
    let names = ClassNames::new(["a\u{e9}", "\u{e9}"]).unwrap();
    let error = opened(&folder, "words.csv").with_classes(names).read(&mut Record::default());
    let text = r"the class `e\u{301}` is not in the list of names, which spells it \u{e9}";
    assert!(error.unwrap_err().to_string().contains(text));
    let names = ClassNames::new(["first", "second"]).unwrap();
    assert_eq!(labels(opened(&folder, "words.csv").with_classes(names)), [0, 1, 0]);
}

/// Failed before: a name with lost bytes was accepted, other errors named no line, and a binary file was read as a
/// name.
#[test]
fn lists_of_classes_that_lost_bytes_or_are_binary() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("classes.txt");
    for (bytes, expected) in [
        (b"cat\ncaf\xE9\n".to_vec(), "line 2 is not UTF-8"),
        (b"cat\n\ncaf\xEF\xBF\xBD\n".to_vec(), "line 3 has U+FFFD"),
        (file(8, &[3], &[0, 1, 2]), "line 1 has U+0000"),
        (b"cat\nd\0o\0g\n".to_vec(), "line 2 has U+0000"),
        (b"a\xC3\xA9".repeat(400_000), "it is longer than 1 MiB"),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = ClassNames::open(&path).unwrap_err().to_string();
        assert!(error.contains(&format!("not a list of class names: {expected}")), "{error}");
    }
}

/// Failed before: a digit and a piece of clothing silently became one class.
#[test]
fn joined_sets_whose_labels_mean_others_are_told() {
    let find = |name: &str| real_data("joined_sets_whose_labels_mean_others_are_told", name);
    let digits = find("mnist/t10k-images-idx3-ubyte.gz");
    let clothes = find("fashion-mnist/t10k-images-idx3-ubyte.gz");
    let (Some(digits), Some(clothes)) = (digits, clothes) else {
        return;
    };
    let said = |one: &Path, two: &Path| {
        let joined = open(one).unwrap().append(open(two).unwrap()).unwrap();
        joined.reading().inputs().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let text = "the classes of MNIST and Fashion-MNIST are joined by their numbers";
    assert_eq!(said(&digits, &clothes), text);
    assert_eq!(said(&digits, &digits), "");
    // Failed before: only the first two were compared.
    let both = open(&digits).unwrap().append(open(&digits).unwrap()).unwrap();
    let all = both.append(open(&clothes).unwrap()).unwrap();
    assert_eq!(all.reading().inputs()[0].to_string(), text);
    let named = |path: &Path| open(path).unwrap().with_classes(DataSet::Mnist.into());
    assert!(named(&digits).append(named(&clothes)).unwrap().reading().inputs().is_empty());
    let unlabeled = |path: &Path| OpenOptions::new().labels(false).open(path).unwrap();
    let joined = unlabeled(&digits).append(unlabeled(&clothes)).unwrap();
    assert!(joined.reading().inputs().is_empty());
}

/// A list that has the words numbers them, in upper or lower case. A list that has none of them renames them in order.
#[test]
fn words_get_the_labels_of_a_list_and_numbers_its_names() {
    let folder = folder(&[
        ("words.csv", b"label,a\ncat,0\ndog,1\ncat,2\n"),
        ("cases.csv", b"label,a\nCat,0\ncat,1\nCat,2\n"),
        ("l", &file(8, &[3], &[0, 7, 1])),
    ]);
    let list = |names: &[&str]| ClassNames::new(names.iter().copied()).unwrap();
    let words = || opened(&folder, "words.csv");
    let named = |source: Source, names: &[&str]| labels(source.with_classes(list(names)));
    assert_eq!(named(words(), &["dog", "cat"]), [1, 0, 1]);
    assert_eq!(named(words(), &["Dog", "CAT"]), [1, 0, 1]);
    assert_eq!(named(words(), &["Katze", "Hund"]), [0, 1, 0]);
    assert_eq!(named(opened(&folder, "cases.csv"), &["cat", "Cat"]), [1, 0, 1]);
    // Two words are not one class, if the list has only one of them.
    let mut one = opened(&folder, "cases.csv").with_classes(list(&["cat", "dog"]));
    let error = one.read(&mut Record::default()).unwrap_err();
    assert!(error.to_string().contains("the class `Cat` is not in the list"), "{error}");
    // Numbers stay as they are, whatever names they had before.
    let (_numbers, source) = numbers();
    let numbered = || source_of_two(&folder);
    assert_eq!(
        named(source.with_classes(list(&["a", "b", "c"])), &["c", "b", "a"])[..3],
        [0, 1, 2]
    );
    assert_eq!(named(numbered().with_classes(list(&["cat", "dog"])), &["dog", "cat"]), [0, 1]);
    // Numbers can also replace words, or be joined to them.
    let mut relabeled =
        words().with_labels(opened(&folder, "l")).unwrap().with_classes(list(&["cat", "dog"]));
    let mut record = Record::default();
    assert!(relabeled.read(&mut record).unwrap());
    let error = relabeled.read(&mut record).unwrap_err();
    // Failed before: the error advised to write a line, as if this list were a file.
    let sentence = "the list of classes has no name for the label 7; give a list that names each, one per line";
    assert!(error.to_string().contains(sentence), "{error}");
    let joined = words().append(numbered().with_classes(list(&["cat", "dog"]))).unwrap();
    assert_eq!(named(joined, &["dog", "cat"]), [0, 1, 0, 0, 1]);
}

/// Two records of the same layout as those of a table of two columns, with the labels 0 and 1.
fn source_of_two(folder: &TempDir) -> Source {
    fs::write(folder.path().join("two"), file(8, &[2], &[3, 4])).unwrap();
    fs::write(folder.path().join("two-l"), file(8, &[2], &[0, 1])).unwrap();
    opened(folder, "two").with_labels(opened(folder, "two-l")).unwrap()
}

#[test]
fn too_few_labels_are_counted() {
    // Too many lines for a sample to count.
    let lines = "7\n".repeat(5_000);
    let folder = folder(&[("a.csv", lines.as_bytes()), ("l", &file(8, &[50], &[0; 50]))]);
    let labeled = opened(&folder, "a.csv").with_labels(opened(&folder, "l")).unwrap();
    let error = labeled.select(100..110).unwrap_err();
    assert!(error.to_string().contains("fewer labels than records, only 50;"), "{error}");
    // The labels are read before the records, and the last labels are missing.
    fs::write(folder.path().join("b"), file(8, &[6_000, 1], &[0; 6_000])).unwrap();
    let few = OpenOptions::new().as_labels().header(false);
    let few = few.open_stream("few.csv", Box::new(Cursor::new(lines))).unwrap();
    let part = Chance { part: Some(0.0..0.25), ..Chance::default() };
    let error = opened(&folder, "b").with_labels(few).unwrap().choose(&part).unwrap_err();
    assert!(error.to_string().contains("fewer labels than records, only 5000;"), "{error}");
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
    // If one column is chosen, there is no other.
    let one = OpenOptions::new().column(0).label_column(1);
    assert!(labeled(one).unwrap_err().to_string().contains("there is no column 1"));
}

#[test]
fn a_column_of_records_is_found_by_its_name() {
    let folder = folder(&[
        ("a.csv", b"label,width,length\n7,1,2\n8,3,4\n"),
        ("b", &file(8, &[1, 2], &[5, 6])),
    ]);
    let column = |name: &str, column: &str| opened(&folder, name).column(column);
    for (name, records) in [("width", [1, 3]), ("length", [2, 4])] {
        let mut source = column("a.csv", name).unwrap();
        assert_eq!(source.facts().layout.to_string(), "single u8");
        assert_eq!(read(&mut source), records);
    }
    for (name, chosen, message) in [
        (
            "a.csv",
            "height",
            "there is no column \"height\"; the file has 2 columns, counted from 0",
        ),
        ("b", "width", "the columns have no names; count them from 0"),
    ] {
        let error = column(name, chosen).unwrap_err();
        assert!(error.to_string().ends_with(message), "{error}");
    }
}

/// Elements of each type, big-endian.
fn elements(code: u8, numbers: &[i16]) -> Vec<u8> {
    let bytes = |number: &i16| match code {
        0x08 => u8::try_from(*number).unwrap().to_be_bytes().to_vec(),
        0x0B => number.to_be_bytes().to_vec(),
        0x0C => i32::from(*number).to_be_bytes().to_vec(),
        0x0D => f32::from(*number).to_be_bytes().to_vec(),
        _ => f64::from(*number).to_be_bytes().to_vec(),
    };
    numbers.iter().flat_map(bytes).collect()
}

/// The labels of a file, read by themselves.
fn labels_of(folder: &TempDir, name: &str) -> Result<Vec<i128>, Error> {
    let mut source = OpenOptions::new().as_labels().open(folder.path().join(name))?;
    let (mut record, mut found) = (Record::default(), Vec::new());
    while source.read(&mut record)? {
        found.extend(record.label);
    }
    Ok(found)
}

/// Failed before: the first column was silently taken.
#[test]
fn rows_with_a_single_1_are_one_hot() {
    for code in [0x08, 0x0B, 0x0C, 0x0D, 0x0E] {
        let hot = |numbers| file(code, &[3, 3], &elements(code, numbers));
        let folder = folder(&[
            ("a-images-idx3-ubyte", &file(8, &[3, 1, 1], &[7, 8, 9])),
            ("hot", &hot(&[0, 1, 0, 1, 0, 0, 0, 0, 1])),
            ("late", &hot(&[0, 1, 0, 1, 0, 0, 1, 0, 1])),
            ("two", &hot(&[0, 2, 0, 1, 0, 0, 0, 0, 1])),
            ("none", &hot(&[0, 0, 0, 1, 0, 0, 0, 0, 1])),
        ]);
        assert_eq!(labels_of(&folder, "hot").unwrap(), [1, 0, 2]);
        for (name, record) in [("late", 2), ("two", 0), ("none", 0)] {
            let error = labels_of(&folder, name).unwrap_err();
            assert_eq!(error.kind().hint(), Some(Hint::LabelColumn));
            assert_eq!(error.position().map(|position| position.record), Some(record));
        }
        opened(&folder, "hot").write(folder.path().join("hot.npy")).unwrap();
        assert_eq!(labels_of(&folder, "hot.npy").unwrap(), [1, 0, 2]);
        let images = folder.path().join("a-images-idx3-ubyte");
        let pairs = open_pair(&images, folder.path().join("hot.npy")).unwrap();
        assert_eq!(labels(pairs), [1, 0, 2]);
    }
}

/// Failed before: floats were refused.
#[test]
fn whole_floats_are_labels() {
    let floats = |numbers: &[f32]| -> Vec<u8> {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_be_bytes()).collect();
        file(0x0D, &[u32::try_from(numbers.len()).unwrap()], &bytes)
    };
    let folder =
        folder(&[("whole", &floats(&[5.0, -0.0, 3e2])), ("half", &floats(&[1.0, 0.5, 2.0]))]);
    assert_eq!(labels_of(&folder, "whole").unwrap(), [5, 0, 300]);
    let error = labels_of(&folder, "half").unwrap_err();
    assert_eq!(
        error.sentence().split(';').next(),
        Some("record 1: 0.5 is not a label, a whole number")
    );
}

/// QMNIST's rows have the class in their first number; rows of zeros and ones are not QMNIST's.
#[test]
fn eight_columns_are_those_of_qmnist_or_one_hot() {
    let rows = |rows: &[[i16; 8]]| {
        let count = u32::try_from(rows.len()).unwrap();
        file(0x0C, &[count, 8], &elements(0x0C, rows.as_flattened()))
    };
    let (three, one) = ([3, 4, 2424, 51, 33, 261_i16, 0, 0], [1, 4, 2424, 52, 31, 262, 0, 0]);
    let hot = [0, 0, 0, 0, 0, 1, 0, 0];
    let folder = folder(&[
        ("qmnist", &rows(&[three, one])),
        ("hot", &rows(&[hot, hot])),
        ("mixed", &rows(&[three, hot])),
        ("bits", &rows(&[[1, 0, 1, 0, 0, 0, 0, 0]])),
        ("numbers", &rows(&[[3, 4, 2, 5, 3, 2, 6, 1]])),
        ("bytes", &file(8, &[1, 8], &[3, 4, 242, 51, 33, 26, 0, 0])),
    ]);
    assert_eq!(labels_of(&folder, "qmnist").unwrap(), [3, 1]);
    assert_eq!(labels_of(&folder, "hot").unwrap(), [5, 5]);
    for name in ["mixed", "bits", "numbers", "bytes"] {
        let error = labels_of(&folder, name).unwrap_err();
        assert_eq!(error.kind().hint(), Some(Hint::LabelColumn), "{error}");
    }
}

/// Failed before: the first column of a table was the label, such as the number of the line.
#[test]
fn a_table_of_labels_says_which_column() {
    let folder = folder(&[
        ("hot.csv", b"0,1.0,0\n1.000e+00,0,0\n"),
        ("named.csv", b"cat,dog\n0,1\n1,0\n"),
        ("ids.csv", b"id,digit\n0,7\n1,3\n"),
        ("texts.csv", b"a.png,7\nb.png,3\n"),
        ("one.csv", b"7.0\n3\n"),
        ("label.csv", b"id,label\n0,7\n1,3\n"),
    ]);
    for (name, expected) in [
        ("hot.csv", [1, 0]),
        ("named.csv", [1, 0]),
        ("one.csv", [7, 3]),
        ("label.csv", [7, 3]),
        ("ids.csv", [7, 3]),
    ] {
        assert_eq!(labels_of(&folder, name).unwrap(), expected, "{name}");
    }
    let error = labels_of(&folder, "texts.csv").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Question { .. }), "{error}");
    let options = OpenOptions::new().as_labels().label_column(1);
    assert_eq!(labels(options.open(folder.path().join("texts.csv")).unwrap()), [7, 3]);
}

/// The list has the names as lines, as lines after their labels, or as JSON.
#[test]
fn a_list_that_is_written_is_read_with_the_same_names() {
    let (folder, source) = numbers();
    let (mut facts, path) = (source.facts().clone(), folder.path().join("x.idx"));
    for names in [
        ["10", "stop", "3D"],
        ["10 km/h", "20 miles", "30 m"],
        ["10 km/h", "stop", "30 m"],
        ["'go'", "stop", "turn"],
        ["- none", "\\ and \"", "it's"],
        ["go", "stop\nnow", "turn"],
        [" turn", "turn", "turn "],
    ] {
        facts.classes = Some(ClassNames::new(names).unwrap());
        let mut sink = Sink::create(&path, &facts, &CreateOptions::new()).unwrap();
        for label in 0..3 {
            sink.push(&Record::new(vec![7], label)).unwrap();
        }
        let written = sink.finish().unwrap();
        assert_eq!(ClassNames::open(written.classes.unwrap()).ok(), facts.classes);
    }
}

#[test]
fn without_labels_there_are_no_names_of_classes() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("names"), "cat\ndog\nowl\n").unwrap();
    let names = ClassNames::open(folder.path().join("names")).unwrap();
    let mut plain = source.with_classes(names).without_labels();
    assert_eq!((plain.facts().has_labels, &plain.facts().classes), (false, &None));
    let mut record = Record::default();
    plain.read(&mut record).unwrap();
    assert_eq!(record.label, None);
}

/// After an error, the next label would be given to another record.
#[test]
fn labels_after_an_error_are_not_given_to_records() {
    let (folder, _) = numbers();
    fs::write(folder.path().join("l.csv"), "7\n\"8\n9\n").unwrap();
    let options = OpenOptions::new().as_labels().header(false);
    let mut record = Record::default();
    let mut failed = || {
        let mut labels = options.open(folder.path().join("l.csv")).unwrap();
        assert!(labels.read(&mut record).unwrap());
        assert!(labels.read(&mut record).is_err());
        labels
    };
    for records in [opened(&folder, "a"), failed()] {
        let mut source = records.with_labels(failed()).unwrap();
        let error = source.read(&mut Record::default()).unwrap_err();
        assert_eq!(error.kind().code(), "failed_earlier");
    }
}

#[test]
fn a_class_with_a_name_has_no_label_below_0() {
    let (_folder, source) = numbers();
    let named = source.with_classes(ClassNames::new(["cat", "dog", "owl"]).unwrap());
    let error = named.relabel("0..2=-1..1").unwrap_err();
    assert_eq!(error.kind().code(), "mismatch");
    assert!(error.to_string().contains("`cat` would get a label below 0"), "{error}");
}

/// A list that lacks labels of the table is not read, and a picture without a folder is in that of the table.
#[test]
fn a_table_in_a_folder_of_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["1.png", "2.png", "x/1.png"] {
        fs::create_dir_all(path(name).parent().unwrap()).unwrap();
        image::GrayImage::new(1, 1).save(path(name)).unwrap();
    }
    fs::write(path("labels.csv"), "1.png,4\n2.png,0\nx/1.png,1\n").unwrap();
    for (list, is_read) in [("a\nb\n", false), ("a\nb\nc\nd\ne\n", true)] {
        fs::write(path("classes.txt"), list).unwrap();
        let source = open(folder.path()).unwrap();
        assert_eq!(source.facts().classes.is_some(), is_read);
        assert_eq!(labels(source), [4, 0, 1]);
    }
}
