//! Steps of a source that could pair records with wrong labels, or lose some.

use std::fs;
use std::num::NonZeroU64;

use idx_data::{
    Chance, ClassNames, CreateOptions, Error, Facts, Format, IdxRecord, Labeled, OpenOptions,
    Outputs, Record, RecordLayout, RecordSelection, RecordSource, Source, TransformOptions, open,
};
use idx_std::{AtomicFolder, ElementType, Writer};
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

#[test]
fn new_labels_do_not_get_the_changes_of_the_old() {
    let (folder, source) = numbers();
    fs::write(folder.path().join("m"), file(8, &[12], &NUMBERS)).unwrap();
    let labeled = source.add_to_labels(10).unwrap().with_labels(opened(&folder, "m")).unwrap();
    assert_eq!(labels(labeled), NUMBERS.map(i128::from));
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

#[test]
fn too_few_labels_are_counted() {
    let lines = "7\n".repeat(200);
    let folder = folder(&[("a.csv", lines.as_bytes()), ("l", &file(8, &[50], &[0; 50]))]);
    let labeled = opened(&folder, "a.csv").with_labels(opened(&folder, "l")).unwrap();
    let error = labeled.select(100..110).unwrap_err();
    assert!(error.to_string().contains("fewer labels than records, only 50;"), "{error}");
}

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
    let options = CreateOptions::new().shards(NonZeroU64::new(2).unwrap());
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

/// The error of reading all.
#[track_caller]
fn error_of(mut source: Source) -> Error {
    let mut record = Record::default();
    loop {
        match source.read(&mut record) {
            Ok(is_read) => assert!(is_read, "no error"),
            Err(error) => return error,
        }
    }
}

/// A label from 0 to 9.
#[derive(IdxRecord)]
struct Digit(#[idx(range = 0..=9)] u8);

#[test]
fn errors_name_the_record_of_the_input() {
    let numbers: Vec<u8> = (0..=129).collect();
    let mut labels = vec![0_u8; 130];
    labels[70] = 11;
    let folder = folder(&[("n", &file(8, &[130, 1], &numbers)), ("l", &file(8, &[130], &labels))]);
    let pairs = || opened(&folder, "n").with_labels(opened(&folder, "l")).unwrap();
    let shuffled = |source: Source| {
        let [shuffled, _] = source.divide(&Chance { seed: Some(3), ..Chance::default() }).unwrap();
        shuffled
    };
    let chains: [&dyn Fn() -> Source; 8] = [
        &pairs,
        &|| pairs().select(60..).unwrap(),
        &|| pairs().append(pairs()).unwrap().select(100..).unwrap(),
        &|| pairs().append(pairs()).unwrap().select(200..).unwrap(),
        &|| pairs().add_to_labels(0).unwrap(),
        &|| shuffled(pairs()),
        &|| shuffled(pairs().append(pairs()).unwrap().add_to_labels(0).unwrap()),
        &|| {
            let [_, part] = pairs().split([0.2, 0.8], 1).unwrap();
            part
        },
    ];
    for (number, chain) in chains.into_iter().enumerate() {
        let narrow = TransformOptions::new().element_type(ElementType::I8);
        let error = error_of(chain().changed(&narrow).unwrap());
        assert_eq!(error.path(), Some(&*folder.path().join("n")));
        let record = error.position().unwrap().record;
        assert!(
            error.to_string().contains(&format!("record {record}: {record} does not fit i8")),
            "{error}"
        );
        let mut batches = chain();
        let error = loop {
            match batches.next_batch::<[u8; 1], Digit>(16) {
                Ok(batch) => assert!(batch.is_some(), "{number}"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.position().unwrap().record, 70, "{number}: {error}");
        assert!(
            error
                .to_string()
                .contains("record 70: the type of the labels does not allow the label 11"),
            "{error}"
        );
    }
}

#[test]
fn files_that_are_replaced_are_not_read_by_their_names() {
    let (folder, source) = numbers();
    let path = |name: &str| folder.path().join(name);
    let replace = |name: &str| {
        fs::write(path("new"), file(8, &[12, 1, 1], &[9; 12])).unwrap();
        fs::rename(path("new"), path(name)).unwrap();
    };
    let joined = opened(&folder, "a").append(opened(&folder, "a")).unwrap();
    replace("a");
    let [one, other] = source.split([0.5, 0.5], 1).unwrap();
    let mut record = Record::default();
    for mut part in [one, other] {
        while part.read(&mut record).unwrap() {
            assert_eq!(record.label, Some(i128::from(record.bytes[0] % 3)));
            assert_eq!(u64::from(record.bytes[0]), record.index);
        }
    }
    // The second input was closed, and has the same type and size now.
    let mut joined = joined;
    assert_eq!(joined.skip(12).unwrap(), 12);
    let error = joined.read(&mut record).unwrap_err();
    assert!(error.to_string().contains("the file changed while it was read"), "{error}");
}

#[test]
#[cfg(unix)]
fn many_pairs_from_another_folder() {
    const IS_CHILD: &str = "IDX_TEST_FEW_FILES";
    if std::env::var_os(IS_CHILD).is_some() {
        let pair = || open("a").unwrap().with_labels(open("l").unwrap()).unwrap();
        let joined = (1..3000).fold(pair(), |all, _| all.append(pair()).unwrap());
        let mut written = Writer::create("written.idx", ElementType::U8, &[0]).unwrap();
        let folder = AtomicFolder::create("folder").unwrap();
        std::env::set_current_dir("/").unwrap();
        written.push_bytes(&[7]).unwrap();
        written.finish().unwrap();
        folder.finish().unwrap();
        assert_eq!(labels(joined).len(), 12 * 3000);
        return;
    }
    let (folder, _) = numbers();
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -n 64; exec \"$0\" --exact stages::many_pairs_from_another_folder"])
        .arg(std::env::current_exe().unwrap())
        .current_dir(folder.path())
        .env(IS_CHILD, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(fs::read(folder.path().join("written.idx")).unwrap(), file(8, &[1], &[7]));
    assert!(folder.path().join("folder").is_dir());
}

/// A source that says and skips what it is told.
struct Lying(Facts, u64);

impl RecordSource for Lying {
    fn facts(&self) -> &Facts {
        &self.0
    }

    fn skip(&mut self, records: u64) -> Result<u64, Error> {
        Ok(records.saturating_add(self.1))
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        if self.1 == 3 {
            return Err(std::io::Error::other("disk on fire").into());
        }
        record.bytes = vec![7];
        self.1 += 1;
        Ok(self.1 <= 2)
    }
}

#[test]
fn a_source_of_ones_own_that_lies_is_found_out() {
    let source = |count, lie| {
        let layout = RecordLayout::new(ElementType::U8, &[0]);
        Source::new("own", Lying(Facts::new(layout, count), lie))
    };
    assert_eq!(read(&mut source(Some(2), 0)), [7, 7]);
    assert_eq!(error_of(source(None, 3)).to_string(), "own: disk on fire");
    for (count, message) in [
        (1_000_000, "own: the source has 2 records, but by its facts 1000000; correct the source"),
        (1, "own: the source has 2 records, but by its facts 1; correct the source"),
    ] {
        assert_eq!(error_of(source(Some(count), 0)).to_string(), message);
    }
    for lie in [1, u64::MAX] {
        let error = source(None, lie).select(1..).unwrap_err();
        assert!(error.to_string().contains("and was asked for 1; correct the source"), "{error}");
    }
}

#[test]
fn joined_sources_have_room_for_both() {
    let folder = folder(&[
        ("a", &file(8, &[1, 1], &[1])),
        ("u8", &file(8, &[1], &[255])),
        ("i8", &file(9, &[1], &[255])),
        ("i32", &file(0x0C, &[1], &[255, 0, 0, 0])),
    ]);
    let pair = |labels: &str| opened(&folder, "a").with_labels(opened(&folder, labels)).unwrap();
    for (one, other, expected) in [
        ("u8", "u8", ElementType::U8),
        ("u8", "i8", ElementType::I16),
        ("i8", "i32", ElementType::I32),
        ("i32", "u8", ElementType::I32),
    ] {
        let joined = pair(one).append(pair(other)).unwrap();
        assert_eq!(joined.facts().label_type, Some(expected), "{one} {other}");
    }
    let moved = |number| pair("u8").add_to_labels(number).unwrap().facts().label_type;
    assert_eq!(
        [-1, 10, 300].map(moved),
        [ElementType::I16, ElementType::U8, ElementType::I16].map(Some)
    );
    let limited = OpenOptions::new().record_limit(1).open(folder.path().join("a")).unwrap();
    let joined = opened(&folder, "a").append(limited).unwrap();
    let wide = TransformOptions::new().element_type(ElementType::F64);
    assert_eq!(joined.changed(&wide).unwrap_err().kind().code(), "record_limit_exceeded");
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
        assert_eq!(source.split(shares, 1).unwrap_err().kind().code(), "invalid_fraction");
    }
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
