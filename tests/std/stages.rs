//! Stages of a source that could pair records with wrong labels, or lose some: refused, or composed as they are called.

use std::fs;
use std::num::NonZeroU64;

use idx_data::{
    Chance, ClassNames, CreateOptions, Error, Facts, Format, OpenOptions, Outputs, Record,
    RecordLayout, RecordSelection, RecordSource, Shards, Source, TransformOptions, open,
};
use idx_std::ElementType;
use idx_tests::{file, names};

use crate::source::{NUMBERS, folder, numbers, opened, pictures, read};

/// The labels of the remaining records.
#[track_caller]
fn labels(mut source: Source) -> Vec<i128> {
    let mut record = Record::default();
    let mut found = Vec::new();
    while source.read(&mut record).unwrap() {
        found.extend(record.label);
    }
    found
}

/// Failed before: the picture after a damaged one got the label of that one.
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

/// Failed before: the next batch had the labels of the records before.
#[test]
fn a_source_is_over_after_an_error() {
    let folder = folder(&[("a.csv", b"7\nx\n3\n4\n"), ("l", &file(8, &[4], &[1, 2, 3, 4]))]);
    let pairs = || opened(&folder, "a.csv").with_labels(opened(&folder, "l")).unwrap();
    let mut batches = pairs();
    assert_eq!(batches.next_batch::<u8, u8>(1).unwrap().unwrap().len(), 1);
    for code in ["malformed", "failed_earlier", "failed_earlier"] {
        assert_eq!(batches.next_batch::<u8, u8>(1).unwrap_err().kind().code(), code);
    }
    let mut skipping = pairs();
    assert_eq!(skipping.skip(3).unwrap_err().kind().code(), "malformed");
    let error = skipping.read(&mut Record::default()).unwrap_err();
    assert_eq!(error.kind().code(), "failed_earlier");
    assert_eq!(error.path(), Some(&*folder.path().join("a.csv")));
    assert_eq!(skipping.skip(1).unwrap_err().kind().code(), "failed_earlier");
    // What is joined to it is not read either.
    fs::write(folder.path().join("b.csv"), b"1.5\n2\n").unwrap();
    let mut first = opened(&folder, "b.csv");
    assert!(first.read(&mut Record::default()).is_err());
    let mut joined = first.append(opened(&folder, "b.csv")).unwrap();
    assert_eq!(joined.skip(1).unwrap_err().kind().code(), "failed_earlier");
    // The records of a batch are lost if one of its labels is not of the type.
    let (_folder, source) = numbers();
    let mut renumbered = source.add_to_labels(254).unwrap();
    for code in ["out_of_range", "failed_earlier"] {
        assert_eq!(renumbered.next_batch::<[[u8; 1]; 1], u8>(4).unwrap_err().kind().code(), code);
    }
}

/// Failed before: a number that was added to the old labels was added to the new ones.
#[test]
fn new_labels_do_not_get_the_changes_of_the_old() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("m"), file(8, &[12], &NUMBERS)).unwrap();
    let labeled = source.add_to_labels(10).unwrap().with_labels(opened(&folder, "m")).unwrap();
    assert_eq!(labels(labeled), NUMBERS.map(i128::from));
}

/// Failed before: the last call replaced those before, and no classes were all of them.
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

/// Failed before: names of labels were lost when these were given to records, and so were those of the records.
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

/// Records of the caller's own.
struct Own(Facts, Vec<Record>);

impl Own {
    /// Records of 1 x 2, which have labels.
    fn source(records: &[(&[u8], Option<i128>)]) -> Source {
        let layout = RecordLayout::new(ElementType::U8, &[0, 1, 2]);
        let mut facts = Facts::new(layout, None);
        facts.has_labels = true;
        let record = |(bytes, label): &(&[u8], _)| Record::new(bytes.to_vec(), *label);
        Source::new("own", Box::new(Self(facts, records.iter().rev().map(record).collect())))
    }
}

impl RecordSource for Own {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let next = self.1.pop();
        let is_read = next.is_some();
        *record = next.unwrap_or_default();
        Ok(is_read)
    }
}

/// Failed before: a short record made transposing panic, and a record without a label got the label 0.
#[test]
fn a_source_of_ones_own_is_checked() {
    let good = (&[1, 2][..], Some(7));
    assert_eq!(labels(Own::source(&[good, good])), [7, 7]);
    for (bad, found) in [
        ((&[1][..], Some(7)), "1 byte and a label"),
        ((&[1, 2, 3], Some(7)), "3 bytes and a label"),
        ((&[1, 2], None), "2 bytes and no label"),
    ] {
        let mut source = Own::source(&[good, bad]);
        let error = source.next_batch::<[[u8; 2]; 1], u8>(2).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        assert_eq!(
            error.to_string(),
            format!(
                "own: record 1 has {found}, but by the facts of its source it has 2 bytes and a label; correct the \
                 source"
            )
        );
        let transposed = Own::source(&[bad]).changed(&TransformOptions::new().transpose(true));
        assert!(transposed.unwrap().read(&mut Record::default()).is_err());
    }
}

/// Failed before: as many labels as the first selected record.
#[test]
fn too_few_labels_are_counted() {
    let lines = "7\n".repeat(200);
    let folder = folder(&[("a.csv", lines.as_bytes()), ("l", &file(8, &[50], &[0; 50]))]);
    let labeled = opened(&folder, "a.csv").with_labels(opened(&folder, "l")).unwrap();
    let error = labeled.select(100..110).unwrap_err();
    assert!(error.to_string().contains("fewer labels than records, only 50;"), "{error}");
}

/// Failed before: the number of records was that of all, with those that were read before.
#[test]
fn records_that_were_read_are_not_counted_again() {
    let begun = |records: &str| {
        let (folder, source) = numbers();
        let mut source = source.select(records.parse::<RecordSelection>().unwrap()).unwrap();
        assert_eq!(source.skip(2).unwrap(), 2);
        (folder, source)
    };
    let (folder, source) = begun("1,5,7..");
    let (_, other) = begun("2..");
    drop(folder);
    let mut joined = source.append(other).unwrap();
    assert_eq!(joined.facts().count, Some(5 + 8));
    assert_eq!(read(&mut joined), [7, 8, 9, 10, 11, 4, 5, 6, 7, 8, 9, 10, 11]);
    let (_folder, source) = begun("..");
    assert_eq!(source.add_to_labels(1).unwrap().facts().count, Some(10));
    // Labels that were read in part.
    let (folder, rest) = begun("..");
    fs::write(folder.path().join("ten"), file(8, &[10, 1], &NUMBERS[2..])).unwrap();
    let labeled = opened(&folder, "ten").with_labels(rest).unwrap();
    assert_eq!(labels(labeled), [2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    // Files of as many records.
    let (folder, source) = begun("..");
    let options = CreateOptions::new().shards(Shards::Files(NonZeroU64::new(2).unwrap()));
    let mut outputs = Outputs::new(&options.format(Format::Parquet));
    let path = folder.path().join("shards");
    match outputs.add(source, &path) {
        Err(error) if error.kind().code() == "disabled" => return, // its feature is off
        added => added.unwrap(),
    };
    outputs.write().unwrap();
    for shard in names(&path) {
        assert_eq!(open(path.join(shard)).unwrap().facts().count, Some(5));
    }
}

/// Failed before: the column 0 was the labels, whichever was named.
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

#[test]
fn selections_by_each_range() {
    let (_folder, source) = numbers();
    assert_eq!(read(&mut source.select(..3).unwrap()), [0, 1, 2]);
    let (_folder, source) = numbers();
    assert_eq!(read(&mut source.select(9..=10).unwrap()), [9, 10]);
    assert_eq!(RecordSelection::from(3..=u64::MAX), RecordSelection::from(3..u64::MAX));
}

/// Failed before: 0.5 was "not a valid fraction"; all numbers became NaN, or infinite.
#[test]
fn numbers_that_cannot_be_meant() {
    let (_folder, source) = numbers();
    let chance = Chance { part: Some(0.5..0.2), ..Chance::default() };
    let error = source.divide(&chance).unwrap_err();
    assert_eq!(error.kind().code(), "invalid_fraction");
    assert_eq!(error.kind().to_string(), "the part 0.5..0.2 ends before it starts; swap its ends");
    let options = TransformOptions::new();
    for (options, expected) in [
        (options.scale([f64::NAN, 1.0]), "NaN is no number to scale or normalize by"),
        (options.scale([0.0, f64::INFINITY]), "inf is no number"),
        (options.normalize([0.5, f64::NAN]), "NaN is no number"),
        (options.normalize([f64::NEG_INFINITY, 1.0]), "-inf is no number"),
        (options.normalize([0.5, 0.0]), "numbers cannot be divided by a deviation of 0"),
    ] {
        let (_folder, source) = numbers();
        let error = source.changed(&options).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        assert!(error.kind().to_string().starts_with(expected), "{error}");
    }
}

/// Failed before: the columns were joined by their positions.
#[test]
fn columns_of_other_names_are_not_joined() {
    let files: [(&str, &[u8]); 4] = [
        ("h.csv", b"a,y,b,Label\n1,2,3,4\n"),
        ("h2.csv", b"Label,b,y,a\n4,3,2,1\n"),
        ("h3.csv", b"class,a,y,b\n4,1,2,3\n"),
        ("none.csv", b"4,1,2,3\n"),
    ];
    let folder = folder(&files);
    let named = OpenOptions::new().header(true);
    let open = |name: &str, options: &OpenOptions| options.open(folder.path().join(name)).unwrap();
    let first = || open("h.csv", &named);
    let columns = first().facts().columns.clone().unwrap();
    assert_eq!(columns, ["a", "y", "b"]);
    let error = first().append(open("h2.csv", &named)).unwrap_err();
    assert!(
        error.to_string().contains("column 0 of these records is \"b\", and was \"a\" before"),
        "{error}"
    );
    let unnamed = open("none.csv", &OpenOptions::new().label_column(0));
    let joined = unnamed.append(open("h3.csv", &named)).unwrap().append(first()).unwrap();
    assert_eq!(joined.facts().columns, Some(columns));
    assert!(joined.append(open("h2.csv", &named)).is_err());
    assert!(error.to_string().ends_with("if the names mean the same, give the shape of a record"));
    // A shape says what the numbers are, whatever their names.
    let shaped = named.clone().shape([3]);
    let joined = open("h.csv", &shaped).append(open("h2.csv", &shaped)).unwrap();
    assert_eq!(joined.facts().columns, None);
}

/// Failed before: a csv that `idx` writes of a csv did not join it.
#[test]
fn numbers_of_columns_are_no_names() {
    let files: [(&str, &[u8]); 3] = [
        ("pixels.csv", b"label,pixel0,pixel1\n7,1,2\n"),
        ("from-0.csv", b"label,0,1\n8,3,4\n"),
        ("from-1.csv", b"1,2,label\n5,6,9\n"),
    ];
    let folder = folder(&files);
    let named = OpenOptions::new().header(true);
    let [pixels, from_0, from_1] =
        files.map(|(name, _)| named.open(folder.path().join(name)).unwrap());
    assert_eq!((&from_0.facts().columns, &from_1.facts().columns), (&None, &None));
    let joined = from_0.append(pixels).unwrap().append(from_1).unwrap();
    assert_eq!(joined.facts().columns.as_deref().unwrap(), ["pixel0", "pixel1"]);
}
