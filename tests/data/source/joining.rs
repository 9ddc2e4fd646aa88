//! Joined inputs: what may be joined, and where each record comes from.

use std::fs;
use std::io::Cursor;
use std::num::NonZeroU64;
use std::path::Path;
use std::time::Duration;

use idx_data::{
    ClassNames, CreateOptions, Format, OpenOptions, Outputs, Record, RecordSelection, Source,
    TransformOptions, open, open_set,
};
use idx_std::{AtomicFolder, ElementType, Writer};
use idx_tests::{file, names};

use crate::common::{NUMBERS, added, folder, labels, numbers, opened, pictures, read};

#[test]
fn only_what_belongs_together_is_joined() {
    let (folder, labeled) = numbers();
    for (name, bytes, advice) in [
        ("wide", file(8, &[1, 1, 2], &[1, 2]), "give inputs with records of the same shape"),
        ("flat", file(8, &[1, 1], &[1]), "give the shape of a record"),
        ("signed", file(9, &[1, 1, 1], &[1]), "convert only this one to that type first"),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
        let error = opened(&folder, "a").append(opened(&folder, name)).unwrap_err();
        assert!(error.to_string().contains("cannot join inputs"), "{error}");
        assert!(error.to_string().ends_with(advice), "{error}");
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
    let all = pets.append(of_classes("birds", ["bat", "cat"])).unwrap();
    let names: Vec<_> = all.facts().classes.as_ref().unwrap().iter().collect();
    assert_eq!(names, [(0, "bat"), (1, "cat"), (2, "dog")]);
    assert_eq!(labels(all), [1, 2, 0, 1]);
    let pets = of_classes("pets", ["cat", "dog"]);
    let pets = pets.append(of_classes("more", ["cat", "dog"])).unwrap();
    assert_eq!(pets.facts().count, Some(4));
    // Numbers may be those of other classes.
    let numbers = of_classes("numbers", ["0", "1"]);
    let error = of_classes("pets", ["cat", "dog"]).append(numbers).unwrap_err();
    assert_eq!(error.kind().code(), "question", "{error}");
    assert!(error.to_string().contains("the labels of pets are names, such as cat"), "{error}");
    // Labels of another file are not numbers of these classes.
    fs::write(path("m"), file(8, &[2], &[0, 1])).unwrap();
    let others = open(path("m")).unwrap();
    let labeled = of_classes("pets", ["cat", "dog"]);
    assert!(labeled.facts().classes.is_some());
    assert_eq!(labeled.with_labels(others).unwrap().facts().classes, None);
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

/// The chosen records of an input are skipped, not those of its file.
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

/// Inputs are closed until it is their turn. Only a file's time shows that other records of the same layout were
/// written, and that time may be set, or its clock be slow.
#[test]
fn an_input_that_became_another_is_not_read() {
    for (other, passed) in [
        (file(8, &[12, 1], &NUMBERS), 0),
        (file(9, &[12, 1, 1], &NUMBERS), 0),
        (file(8, &[12, 1, 1], &[9; 12]), 1),
    ] {
        let (folder, _) = numbers();
        let path = folder.path().join("a");
        let time = fs::metadata(&path).unwrap().modified().unwrap();
        let mut joined = opened(&folder, "a").append(opened(&folder, "a")).unwrap();
        let mut record = Record::default();
        for number in NUMBERS {
            assert!(joined.read(&mut record).unwrap());
            assert_eq!(record.bytes, [number]);
            if number == 5 {
                fs::write(&path, &other).unwrap();
                let file = fs::File::options().write(true).open(&path).unwrap();
                file.set_modified(time + Duration::from_secs(passed)).unwrap();
            }
        }
        let error = joined.read(&mut record).unwrap_err();
        assert!(error.to_string().contains("changed"), "{error}");
    }
}

/// The records before the error may be whole.
#[test]
fn an_error_ends_what_it_is_joined_to() {
    let folder = folder(&[("a.csv", b"7\n8\n"), ("b.csv", b"7\n300\n8\n")]);
    let mut record = Record::default();
    let mut failed = || {
        let mut failed = opened(&folder, "b.csv");
        assert!(failed.read(&mut record).unwrap());
        assert!(failed.read(&mut record).is_err());
        failed
    };
    for (first, other) in [(opened(&folder, "a.csv"), failed()), (failed(), failed())] {
        let mut joined = first.append(other).unwrap();
        let error = joined.read(&mut Record::default()).unwrap_err();
        assert_eq!(error.kind().code(), "failed_earlier");
    }
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
    joined = joined.select(0..).unwrap();
    assert_eq!(joined.facts().count, Some(5 + 8));
    assert_eq!(read(&mut joined), [7, 8, 9, 10, 11, 4, 5, 6, 7, 8, 9, 10, 11]);
    let (folder, source) = begun("..");
    let changed = added(source, 1);
    assert_eq!(changed.facts().count, Some(10));
    assert_eq!(read(&mut changed.select(-9..).unwrap()), [3, 4, 5, 6, 7, 8, 9, 10, 11]);
    // Rows, some of which were read.
    fs::write(folder.path().join("rows"), file(8, &[3, 2], &[1, 2, 3, 4, 5, 6])).unwrap();
    let mut rows = opened(&folder, "rows");
    assert_eq!(rows.skip(1).unwrap(), 1);
    let mut column = rows.column(1).unwrap();
    assert_eq!((column.facts().count, &column.facts().layout.dims[..]), (Some(2), &[2][..]));
    assert_eq!(read(&mut column), [4, 6]);
    // Labels, some of which were read.
    let (folder, rest) = begun("..");
    fs::write(folder.path().join("ten"), file(8, &[10, 1], &NUMBERS[2..])).unwrap();
    let labeled = opened(&folder, "ten").with_labels(rest).unwrap();
    assert_eq!(labels(labeled), [2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    // Shards have the number of records that was asked for.
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

fn records(mut source: Source) -> Vec<Vec<u8>> {
    let (mut record, mut found) = (Record::default(), Vec::new());
    while source.read(&mut record).unwrap() {
        found.push(record.bytes.clone());
    }
    found
}

#[test]
fn columns_of_other_names_are_not_joined() {
    let files: [(&str, &[u8]); 5] = [
        ("h4.csv", b"a,z,b,Label\n1,2,3,4\n"),
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
    assert_eq!(columns[..], ["a", "y", "b"]);
    let says_order = |joined: &Source| {
        let inputs = joined.reading().inputs();
        inputs.iter().any(|input| input.to_string().contains("columns in the order of the first"))
    };
    assert!(!says_order(&first().append(first()).unwrap()));
    let joined = first().append(open("h2.csv", &named)).unwrap();
    assert!(says_order(&joined));
    assert_eq!(joined.facts().columns, Some(columns.clone()));
    assert_eq!(records(joined), [[1, 2, 3], [1, 2, 3]]);
    let error = first().append(open("h4.csv", &named)).unwrap_err();
    assert!(error.to_string().contains("column 1 is \"z\" here, and was \"y\""), "{error}");
    let unnamed = open("none.csv", &OpenOptions::new().label_column(0));
    let joined = unnamed.append(open("h3.csv", &named)).unwrap().append(first()).unwrap();
    assert_eq!(joined.facts().columns, Some(columns));
    assert!(joined.append(open("h4.csv", &named)).is_err());
    assert!(error.to_string().ends_with("if both mean the same, give the shape of a record"));
    // A shape says what the numbers are, whatever their names.
    let shaped = named.clone().shape([3]);
    let joined = open("h.csv", &shaped).append(open("h2.csv", &shaped)).unwrap();
    assert_eq!(joined.facts().columns, None);
    // Columns in another order are an error, so that none is lost.
    let set = folder.path().join("set");
    fs::create_dir(&set).unwrap();
    fs::write(set.join("train.csv"), "b,a,label\n1,2,3\n").unwrap();
    fs::write(set.join("test.csv"), "a,b,c,label\n1,2,4,3\n").unwrap();
    let error = open_set(&set).unwrap_err().to_string();
    assert!(error.contains("column 0 is \"a\" here, and was \"b\" in train.csv"), "{error}");
}

#[test]
fn numbers_of_columns_are_no_names() {
    let files: [(&str, &[u8]); 5] = [
        ("one.csv", b"a\n1\n"),
        ("other.csv", b"b\n2\n"),
        ("pixels.csv", b"label,pixel0,pixel1\n7,1,2\n"),
        ("from-0.csv", b"label,0,1\n8,3,4\n"),
        ("from-1.csv", b"1,2,label\n5,6,9\n"),
    ];
    let folder = folder(&files);
    let named = OpenOptions::new().header(true);
    let [one, other, pixels, from_0, from_1] =
        files.map(|(name, _)| named.open(folder.path().join(name)).unwrap());
    assert!(one.append(other).is_ok(), "the place of a single column is clear");
    assert_eq!((&from_0.facts().columns, &from_1.facts().columns), (&None, &None));
    let joined = from_0.append(pixels).unwrap().append(from_1).unwrap();
    assert_eq!(joined.facts().columns.as_deref().unwrap(), ["pixel0", "pixel1"]);
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
        let opened = OpenOptions::new().open_sets([Path::new("a"); 100]).unwrap();
        assert_eq!(opened.only_part().unwrap().facts().count, Some(12 * 100));
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
        .args([
            "-c",
            "ulimit -n 64; exec \"$0\" --exact source::joining::many_pairs_from_another_folder",
        ])
        .arg(std::env::current_exe().unwrap())
        .current_dir(folder.path())
        .env(IS_CHILD, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(fs::read(folder.path().join("written.idx")).unwrap(), file(8, &[1], &[7]));
    assert!(folder.path().join("folder").is_dir());
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
    let moved = |number| added(pair("u8"), number).facts().label_type;
    assert_eq!(
        [-1, 10, 300].map(moved),
        [ElementType::I16, ElementType::U8, ElementType::I16].map(Some)
    );
    let limited = OpenOptions::new().record_limit(1).open(folder.path().join("a")).unwrap();
    let joined = opened(&folder, "a").append(limited).unwrap();
    let wide = TransformOptions::new().element_type(ElementType::F64);
    assert_eq!(joined.changed(&wide).unwrap_err().kind().code(), "record_limit_exceeded");
    // Records that were kept because only the end tells their number.
    let lines = "a,b\n".to_string() + &"0,1 2 3 4 5 6 7 8 9\n".repeat(4);
    let limited = OpenOptions::new().column("b").record_limit(64);
    let last = limited.open_stream("a.csv", Box::new(Cursor::new(lines))).unwrap();
    let last = last.select(-2..).unwrap();
    assert_eq!(last.changed(&wide).unwrap_err().kind().code(), "record_limit_exceeded");
}

/// Failed before: label 256 did not fit the label type of the single inputs.
#[test]
fn words_of_two_inputs_may_need_a_wider_type() {
    let table = |first: u32| {
        let lines = (first..first + 200).map(|word| format!("w{word},1\n"));
        format!("label,a\n{}", lines.collect::<String>())
    };
    let folder = folder(&[("a.csv", table(100).as_bytes()), ("b.csv", table(300).as_bytes())]);
    let (one, two) = (opened(&folder, "a.csv"), opened(&folder, "b.csv"));
    let path = |name: &str| folder.path().join(name);
    let written = one.append(two).unwrap().write(path("all.npy")).unwrap();
    assert_eq!(written.labels, Some(path("all-labels.npy")));
    let found = opened(&folder, "all-labels.npy");
    assert_eq!(found.facts().layout.dtype, ElementType::I16.into());
    assert!(labels(opened(&folder, "all.npy")).into_iter().eq(0..400));
    let names = ClassNames::of((0..200).map(|word| (word + 40_000, format!("w{}", word + 100))));
    let named = opened(&folder, "a.csv").with_classes(names.unwrap());
    named.write(path("named.npy")).unwrap();
    assert!(labels(opened(&folder, "named.npy")).into_iter().eq(40_000..40_200));
}
