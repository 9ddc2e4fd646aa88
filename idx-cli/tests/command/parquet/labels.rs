//! Labels and classes in Parquet.

use std::fs;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float32Array, Int8Array, Int64Array, StringArray, UInt8Array,
    UInt16Array, UInt32Array, UInt64Array,
};
use idx_data::{OpenOptions, Record, Source, open, open_pair};
use idx_tests::file;
use parquet::basic::{Compression, GzipLevel};
use serde_json::json;

use crate::common::Folder;
use crate::parquet::{images, lists, picture, pictures};

#[test]
fn labels_lie_beside_the_records() {
    let (records, labels) =
        (images(&[3, 2, 2]), file(0x0C, &[3], &[0, 0, 0, 7, 0, 0, 1, 0, 255, 255, 255, 255]));
    let folder = Folder::new(&[
        ("a.idx", &records),
        ("l.idx", &labels),
        ("more.idx", &file(8, &[4], &[1, 2, 3, 4])),
    ]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "b.parquet"]);
    folder.convert(&["b.parquet", "-o", "c.idx"]);
    assert_eq!(folder.read("c.idx"), records);
    assert_eq!(folder.read("c-labels.idx"), labels);

    // Labels are optional, and other formats keep them too.
    folder.convert(&["b.parquet", "-o", "e.idx"]);
    assert_eq!(folder.read("e.idx"), records);
    folder.convert(&["b.parquet", "-o", "f.csv", "--records", "1"]);
    assert_eq!(folder.read("f.csv"), b"label,1x1,1x2,2x1,2x2\n256,4,5,6,7\n");
    folder.convert(&["f.csv", "-o", "g.parquet", "--labels-as", "i16"]);
    folder.convert(&["g.parquet", "-o", "h.idx"]);
    assert_eq!(folder.read("h-labels.idx"), file(0x0B, &[1], &[1, 0]));

    assert_eq!(
        folder.refused(&["a.idx", "--labels", "l.idx", "--labels-as", "u8", "-o", "x.parquet"]),
        "x.parquet: record 1: label 256 does not fit u8; choose another label type with `--labels-as i32`"
    );
    for label_type in ["f32", "f64"] {
        let labels = ["--labels", "l.idx", "--labels-as", label_type, "-o", "x.parquet"];
        let outcome = folder.run(&[&["convert", "a.idx"], &labels[..]].concat());
        assert_eq!(outcome.code, Some(2));
        assert!(outcome.messages.contains("[possible values: u8, i8, i16, i32]"), "{outcome:?}");
    }
    assert_eq!(
        folder.refused(&["a.idx", "--labels", "more.idx", "-o", "x.parquet"]),
        "more.idx: 4 labels but 3 records; give the label file of these records"
    );
}

/// Text that is not a number is a class, in byte order like folders; other text is a label.
#[test]
fn labels_of_text_are_classes() {
    let folder = Folder::new(&[]);
    let numbers: ArrayRef = Arc::new(UInt8Array::from(vec![1, 2, 3]));
    let out = ["-o", "a.idx", "--force"];
    for (texts, labels, classes) in [
        (["dog", "ant", "dog"], [1, 0, 1], Some("ant\ndog\n")),
        (["7", "10", "7"], [7, 10, 7], None),
        (["07", "10", "7"], [0, 1, 2], Some("07\n10\n7\n")),
    ] {
        let text: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        let dictionary: DictionaryArray<Int8Type> = texts.into_iter().collect();
        for label in [text, Arc::new(dictionary)] {
            let columns = [("label", label), ("record", numbers.clone())];
            folder.write_parquet("a.parquet", &columns, Compression::GZIP(GzipLevel::default()));
            let list = folder.0.path().join("a-classes.txt");
            let _ = fs::remove_file(&list);
            folder.run(&[&["convert", "a.parquet"], &out[..]].concat());
            assert_eq!(folder.read("a-labels.idx"), file(8, &[3], &labels));
            assert_eq!(fs::read_to_string(list).ok().as_deref(), classes);
        }
    }
    let label: ArrayRef = Arc::new(StringArray::from(vec!["dog", "ant", "dog"]));
    folder.write_parquet("l.parquet", &[("label", label)], Compression::UNCOMPRESSED);
    folder.write("classes.txt", b"eel\nfox\n");
    let dogs = ["convert", "a.idx", "--labels", "l.parquet", "--only", "dog", "--to", "csv"];
    let dogs = folder.run(&dogs);
    assert_eq!(dogs.output, "label,value\n1,1\n1,3\n");
    // A stream has no place for a list of classes.
    let note = "idx: -: note: the names of the classes are not in it: 0 ant, 1 dog\n";
    assert_eq!((dogs.code, &*dogs.messages), (Some(0), note));
    // Failed before: dogs became ants.
    folder.write("list.txt", b"dog\nant\n");
    let list = ["a.idx", "--labels", "l.parquet", "--classes", "list.txt", "-o", "named.idx"];
    folder.run(&[&["convert"], &list[..]].concat());
    assert_eq!(folder.read("named-labels.idx"), file(8, &[3], &[0, 1, 0]));
    let write = |texts: [Option<&str>; 3]| {
        let label: ArrayRef = Arc::new(StringArray::from(texts.to_vec()));
        let columns = [("label", label), ("record", numbers.clone())];
        folder.write_parquet("b.parquet", &columns, Compression::SNAPPY);
    };
    let out = ["-o", "c.idx"];
    write([Some("a"), None, Some("")]);
    assert_eq!(
        folder.refused(&[&["b.parquet"], &out[..]].concat()),
        "b.parquet: record 1 has no label in `label`; add it, or remove the record"
    );
    folder.convert(&["b.parquet", "--no-labels", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[3], &[1, 2, 3]));
    write([Some("7"), None, Some("")]);
    assert!(folder.refused(&[&["b.parquet"], &out[..]].concat()).contains("record 1 has no label"));
    // A number among words is a word: the column holds names.
    write(["7", "ant", "bee"].map(Some));
    let said = folder.run(&["convert", "b.parquet", "-o", "m.idx"]).messages;
    assert_eq!(said, "idx: m-classes.txt: 0 7, 1 ant, 2 bee\n");
    assert_eq!(folder.read("m-classes.txt"), b"7\nant\nbee\n");
    write(["7.0", "8.0", "7.0"].map(Some));
    let refused = folder.refused(&[&["b.parquet"], &out[..]].concat());
    assert_eq!(
        refused,
        "b.parquet: \"7.0\" is not a label, a whole number; round it, choose another column, or leave the labels out with `--no-labels`"
    );
    // Lists name labels that are numbers, in whatever type.
    write([Some("1"), Some("0"), Some("1")]);
    folder.write("b-classes.txt", b"ant\nbee\n");
    folder.write("list.txt", b"bee\nant\n");
    let shown = folder.run(&["show", "b.parquet", "-n", "1", "--classes", "list.txt"]).success();
    assert!(shown.contains("1 ant"), "{shown}");
}

/// Failed before: the names next to labels were left out.
#[test]
fn names_beside_labels_are_those_of_the_classes() {
    let folder = Folder::new(&[]);
    let text = |texts: [&str; 4]| -> ArrayRef { Arc::new(StringArray::from_iter_values(texts)) };
    let numbers =
        |numbers: [u8; 4]| -> ArrayRef { Arc::new(UInt8Array::from_iter_values(numbers)) };
    let names = text(["dog", "ant", "dog", "ant"]);
    for labels in [numbers([7, 2, 7, 2]), text(["7", "2", "7", "2"])] {
        let values = numbers([3, 1, 2, 5]);
        let columns = [("name", Arc::clone(&names)), ("label", labels), ("a", values)];
        folder.write_parquet("a.parquet", &columns, Compression::UNCOMPRESSED);
        folder.run(&["convert", "a.parquet", "-o", "a.idx", "--force"]);
        assert_eq!(folder.read("a-labels.idx"), file(8, &[4], &[7, 2, 7, 2]));
        assert_eq!(folder.read("a-classes.txt"), b"\n\nant\n\n\n\n\ndog\n");
    }
}

/// Failed before: texts with the same start were taken for the same.
#[test]
fn a_column_is_the_same_as_the_label_to_the_end_of_its_texts() {
    let folder = Folder::new(&[]);
    let text = |ends: [&str; 3]| -> ArrayRef {
        let texts = ends.map(|end| format!("{}{end}", "a".repeat(300)));
        Arc::new(StringArray::from_iter_values(texts))
    };
    let values = Arc::new(UInt8Array::from(vec![3, 1, 2]));
    let columns: [(&str, ArrayRef); 3] =
        [("label", text(["x", "y", "x"])), ("class", text(["x", "y", "z"])), ("a", values)];
    folder.write_parquet("a.parquet", &columns, Compression::UNCOMPRESSED);
    assert_eq!(
        folder.refused(&["a.parquet", "-o", "a.idx"]),
        "a.parquet: column \"class\" was the same as the label in column \"label\", and is not here; choose one: \
         `--label-column label` for the first, or `--label-column class` for this one"
    );
}

#[test]
fn labels_alone_are_the_column_that_is_chosen() {
    let folder = Folder::new(&[("i.idx", &images(&[3, 2]))]);
    let path = |name: &str| folder.0.path().join(name);
    let column = |numbers: [i64; 3]| Arc::new(Int64Array::from(numbers.to_vec())) as ArrayRef;
    let (ids, labels) = (column([40, 50, 60]), column([7, 8, 9]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["dog", "ant", "dog"]));
    let [dots, list] =
        [pictures(&[[0; 4]; 3]), lists(&[Some(&[1, 2]), Some(&[3, 4]), Some(&[5, 6])])];
    let none = Compression::UNCOMPRESSED;
    folder.write_parquet("marked", &[("id", ids.clone()), ("label", labels.clone())], none);
    folder.write_parquet("table", &[("a", ids.clone()), ("b", labels.clone())], none);
    folder.write_parquet("text", &[("id", ids.clone()), ("label", names.clone())], none);
    folder.write_parquet("pictures", &[("image", dots.clone()), ("label", labels.clone())], none);
    folder.write_parquet("only", &[("digit", labels.clone())], none);
    folder.write_parquet("text_table", &[("id", ids.clone()), ("species", names.clone())], none);
    folder.write_parquet("only_text", &[("species", names.clone())], none);
    folder.write_parquet("record", &[("id", ids.clone()), ("record", labels.clone())], none);
    folder.write_parquet("both", &[("record", ids), ("label", labels.clone())], none);
    folder.write_parquet("other_text", &[("species", names), ("RECORD", labels)], none);
    folder.write_parquet("list", &[("record", list.clone())], none);
    folder.write_parquet("list_beside", &[("image", dots.clone()), ("record", list.clone())], none);
    folder.write_parquet("lists", &[("one", list.clone()), ("two", list.clone())], none);
    let floats = |numbers: [f32; 3]| Arc::new(Float32Array::from(numbers.to_vec())) as ArrayRef;
    let (whole, half) = (floats([7.0, 8.0, 9.0]), floats([7.0, 8.5, 9.0]));
    folder.write_parquet("floats", &[("image", list.clone()), ("label", whole)], none);
    folder.write_parquet("halves", &[("record", list), ("label", half)], none);
    let hot = lists(&[Some(&[0, 0, 1]), Some(&[1, 0, 0]), Some(&[0, 1, 0])]);
    folder.write_parquet("hot", &[("record", hot.clone())], none);
    folder.write_parquet("hot_label", &[("id", column([4, 5, 6])), ("label", hot)], none);
    let [single, empty] =
        [lists(&[Some(&[7]), Some(&[8]), Some(&[9])]), lists(&[Some(&[][..]); 3])];
    folder.write_parquet("single", &[("id", column([4, 5, 6])), ("label", single)], none);
    folder.write_parquet("empty", &[("id", column([4, 5, 6])), ("label", empty)], none);
    let hot = [[0, 1, 0], [0, 0, 1], [1, 0, 0]].map(column);
    folder.write_parquet(
        "dummies",
        &["a", "b", "c"].into_iter().zip(hot).collect::<Vec<_>>(),
        none,
    );
    for (file, column, expected) in [
        ("marked", None, [7, 8, 9]),
        ("marked", Some("id"), [40, 50, 60]),
        ("marked", Some("0"), [40, 50, 60]),
        ("table", Some("0"), [40, 50, 60]),
        ("table", Some("1"), [7, 8, 9]),
        ("table", Some("b"), [7, 8, 9]),
        ("text", None, [1, 0, 1]),
        ("pictures", None, [7, 8, 9]),
        ("only", None, [7, 8, 9]),
        ("only", Some("digit"), [7, 8, 9]),
        ("only_text", None, [1, 0, 1]),
        ("text_table", None, [1, 0, 1]),
        ("record", None, [7, 8, 9]),
        ("both", None, [7, 8, 9]),
        // A column of records is data, so the other one holds the labels.
        ("other_text", None, [1, 0, 1]),
        ("list", Some("0"), [1, 3, 5]),
        ("list", Some("1"), [2, 4, 6]),
        ("floats", None, [7, 8, 9]),
        ("hot", None, [2, 0, 1]),
        ("hot_label", None, [2, 0, 1]),
        ("single", None, [7, 8, 9]),
        ("dummies", None, [2, 0, 1]),
    ] {
        let mut labels =
            "convert i.idx -o o.idx -f --labels-as u8 -l".split(' ').collect::<Vec<_>>();
        labels.push(file);
        labels.extend(column.into_iter().flat_map(|column| ["--label-column", column]));
        // Names of other labels would be read with the new ones.
        let _ = fs::remove_file(path("o-classes.txt"));
        let run = folder.run(&labels);
        assert_eq!(run.code, Some(0), "{labels:?} {run:?}");
        let labels = folder.read("o-labels.idx");
        assert_eq!(labels, idx_tests::file(8, &[3], &expected), "{file} {column:?}");
        // However the labels come, they are the same.
        let read = |mut source: Source| {
            let mut record = Record::default();
            std::iter::from_fn(|| source.read(&mut record).unwrap().then_some(record.label))
                .collect()
        };
        if column.is_none()
            && !["only_text", "text_table", "other_text", "dummies", "marked", "text"]
                .contains(&file)
        {
            let pairs: Vec<Option<i128>> = read(open_pair(path("i.idx"), path(file)).unwrap());
            let labels = OpenOptions::new().as_labels().open(path(file)).unwrap();
            let images = open(path("i.idx")).unwrap();
            assert_eq!(pairs, read(images.with_labels(labels).unwrap()), "{file}");
        }
    }
    let alone = OpenOptions::new().as_labels().open(path("text")).unwrap();
    assert_eq!(alone.facts().layout.dims, [3, 0]);
    assert_eq!(alone.facts().classes.as_ref().and_then(|names| names.name(1)), Some("dog"));
    let options = OpenOptions::new().as_labels().column("two").label_column(0);
    let mut first = options.open(path("lists")).unwrap();
    let mut record = Record::default();
    assert!(first.read(&mut record).unwrap());
    assert_eq!(record.label, Some(1));
    let _ = fs::remove_file(path("o-classes.txt"));
    let no_labels =
        "the labels are neither numbers nor text; write them as such, or choose another column";
    let half = "`label` has decimals, and a label is a whole number or a name";
    for (file, column, message) in [
        ("marked", "2", "there is no column 2; the table has 2, counted from 0"),
        ("pictures", "image", no_labels),
        ("halves", "label", half),
    ] {
        let labels = ["i.idx", "-l", file, "--label-column", column, "-o", "o.csv"];
        assert_eq!(folder.refused(&labels), format!("{file}: {message}"));
    }
    assert_eq!(
        folder.refused(&["i.idx", "-l", "table", "-o", "o.csv"]),
        "table: `a` or `b` may be the label: `--label-column a` if `a` is the label, or `--label-column b` if `b` is the label"
    );
    for (file, record, columns) in [("list", "record 0: ", 2), ("empty", "record 0: ", 0)] {
        assert_eq!(
            folder.refused(&["i.idx", "-l", file, "-o", "o.csv"]),
            format!(
                "{file}: {record}the labels have {columns} columns, and this row is not one-hot; \
                 choose the column of the labels with `--label-column`"
            )
        );
    }
}

/// Failed before: only numbers in csv were compared, and names of pictures were ignored.
#[test]
fn labels_are_in_the_order_of_their_numbers() {
    let folder = Folder::new(&[("a.idx", &file(8, &[3], &[10, 11, 12]))]);
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![2, 0, 1]));
    let names: ArrayRef = Arc::new(StringArray::from(vec!["2.png", "0.png", "1.png"]));
    for name in ["id", "n", "__index_level_0__", "file"] {
        let numbers = if name == "file" { names.clone() } else { numbers.clone() };
        let labels: ArrayRef = Arc::new(StringArray::from(vec!["c", "a", "b"]));
        let columns = [(name, numbers), ("label", labels)];
        folder.write_parquet("l.parquet", &columns, Compression::UNCOMPRESSED);
        let arguments = ["a.idx", "-l", "l.parquet", "-f", "-o", "b.idx"];
        let message = folder.refused(&arguments);
        let answer = format!("sort them by it: `--skip {name}` if they are in the same order");
        assert!(message.ends_with(&answer), "{message}");
        let skipped = [&["convert"], &arguments[..], &["--skip", name]].concat();
        assert_eq!(folder.run(&skipped).code, Some(0));
        assert_eq!(folder.read("b-labels.idx"), file(8, &[3], &[2, 0, 1]));
    }
}

#[test]
fn each_column_has_its_own_classes() {
    let folder = Folder::new(&[]);
    let column = |numbers: [i64; 2]| Arc::new(Int64Array::from(numbers.to_vec())) as ArrayRef;
    let columns = [
        ("image", pictures(&[[0; 4], [9; 4]])),
        ("label", column([1, 0])),
        ("info/coarse", column([0, 1])),
    ];
    let classes = [("label", json!(["ant", "bee"])), ("info/coarse", json!(["insect", "bird"]))];
    folder.write_classes("a.parquet", &columns, &classes);
    // A list next to the file does not rename them.
    folder.write("a-classes.txt", b"asp\nbat\n");
    for (column, expected) in [("label", "bee"), ("info/coarse", "insect"), ("2", "insect")] {
        let shown = folder.run(&["show", "a.parquet", "-n", "1", "--label-column", column]);
        assert!(shown.success().contains(expected), "{column}");
    }
    // A list that is given does, and the numbers stay.
    folder.write("list.txt", b"bee\nant\n");
    let shown = folder.run(&["show", "a.parquet", "-n", "1", "--classes", "list.txt"]).success();
    assert!(shown.contains("1 ant"), "{shown}");
    // Names that equal the numbers say nothing; if they are not all texts, nobody knows their labels.
    for names in [json!(["0", "1"]), json!([null, "bee"])] {
        folder.write_classes("b.parquet", &columns, &[("label", names)]);
        folder.convert(&["b.parquet", "-o", "b.idx", "--force"]);
    }
    folder.write_classes("b.parquet", &columns, &[("label", json!(["0", "bee"]))]);
    let shown = folder.run(&["show", "b.parquet", "-n", "1"]).success();
    assert!(shown.contains("1 bee"), "{shown}");
}

#[test]
fn other_classes_are_not_joined() {
    let folder = Folder::new(&[]);
    let pixels = picture(3, &[1, 2, 3, 4, 5, 6]);
    for (name, last) in [("a.parquet", "cat"), ("b.parquet", "dog")] {
        folder.write_named_pictures(name, &[Some(&pixels)], &[0], ["ant", "bee", last]);
    }
    let outputs = ["-o", "i.idx"];
    let message = folder.refused(&[&["a.parquet", "b.parquet"][..], &outputs].concat());
    assert_eq!(
        message,
        "b.parquet: the classes differ from those of a.parquet; if their numbers mean the same, give one list of names with \
         `--classes`; otherwise give them the same numbers first, with `--relabel`"
    );
}

#[test]
fn a_class_forges_no_line() {
    let folder = Folder::new(&[]);
    let pixels = picture(3, &[1, 2, 3, 4, 5, 6]);
    let classes = ["ant\n  forged", "bee", "cat"];
    folder.write_named_pictures("a.parquet", &[Some(&pixels)], &[0], classes);
    for command in ["stats", "show"] {
        let output = folder.run(&[command, "a.parquet"]).success();
        assert!(output.contains("0 ant\\u{a}  forged"), "{output}");
    }
    // As a line of a plain list, this name would be two names.
    for (output, list) in [("i.idx", "i-classes.txt"), ("d/", "d/classes.txt")] {
        assert_eq!(folder.run(&["convert", "a.parquet", "-o", output]).code, Some(0));
        let expected = "{\n\"0\": \"ant\\n  forged\",\n\"1\": \"bee\",\n\"2\": \"cat\"\n}\n";
        assert_eq!(String::from_utf8(folder.read(list)).unwrap(), expected);
    }
}

/// If several columns have names of labels, the best one is chosen.
#[test]
fn labels_are_whole_numbers_of_any_type() {
    let folder = Folder::new(&[]);
    let numbers: ArrayRef = Arc::new(UInt8Array::from(vec![1, 2]));
    let label: [(ArrayRef, &str); 6] = [
        (Arc::new(Int8Array::from(vec![1, i8::MIN])), "-128"),
        (Arc::new(UInt16Array::from(vec![1, u16::MAX])), "65535"),
        (Arc::new(UInt32Array::from(vec![1, u32::MAX])), "4294967295"),
        (Arc::new(UInt64Array::from(vec![1, u64::MAX])), "18446744073709551615"),
        (Arc::new(Int64Array::from(vec![1, i64::MIN])), "-9223372036854775808"),
        (Arc::new(Float32Array::from(vec![1.0, -2.0])), "-2"),
    ];
    for (label, last) in label {
        let columns = [("y", numbers.clone()), ("label", label), ("record", numbers.clone())];
        folder.write_parquet("a.parquet", &columns, Compression::SNAPPY);
        folder.convert(&["a.parquet", "-o", "a.csv", "--force"]);
        let table = format!("label,value\n1,1\n{last},2\n");
        assert_eq!(String::from_utf8(folder.read("a.csv")).unwrap(), table);
    }
}

/// A name stays with its label, even if the labels between have none.
#[test]
fn labels_without_a_name_are_kept() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2], &[1, 2])),
        ("l.idx", &file(8, &[2], &[0, 3])),
        ("list.txt", b"ant\n\n\nbee\n"),
    ]);
    let labeled = ["convert", "a.idx", "-l", "l.idx", "--classes", "list.txt", "-o", "b.parquet"];
    assert_eq!(folder.run(&labeled).code, Some(0));
    folder.run(&["convert", "b.parquet", "-o", "c.idx"]);
    assert_eq!(folder.read("c-classes.txt"), b"ant\n\n\nbee\n");
    // Failed before: the names were left out.
    folder.write("list.txt", b"0 ant\n2000000 bee\n");
    let labeled = ["a.idx", "-l", "l.idx", "--classes", "list.txt", "-o", "d.parquet"];
    assert_eq!(
        folder.refused(&labeled),
        "d.parquet: the list of names in Parquet has a place for each label from 0 to 1048575, and none for class 2000000; \
         use these labels"
    );
}

/// Failed before: the reading said that there is no label, and with its options the labels were left out.
#[test]
fn labels_in_lists_are_stated() {
    let folder = Folder::new(&[]);
    let hot = lists(&[Some(&[0, 1]), Some(&[1, 0])]);
    let records = Arc::new(UInt8Array::from(vec![4, 5])) as ArrayRef;
    let columns = [("a", records), ("label", hot)];
    folder.write_parquet("hot.parquet", &columns, Compression::UNCOMPRESSED);
    let path = folder.0.path().join("hot.parquet");
    let source = open(&path).unwrap();
    let input = &source.reading().inputs()[0];
    assert_eq!(input.statements()[0].text, "label `label`");
    let options: Vec<String> = input.options().iter().map(ToString::to_string).collect();
    assert!(options.contains(&r#"label_column("label")"#.to_string()), "{options:?}");
    let without = OpenOptions::new().labels(false).open(&path).unwrap();
    assert!(!without.facts().has_labels);
}

/// Failed before: the texts were classes, although the command asks about them in csv.
#[test]
fn texts_that_may_be_no_labels_are_asked_about() {
    let folder = Folder::new(&[]);
    let write = |texts: [&str; 3]| {
        let records = Arc::new(UInt8Array::from(vec![4, 5, 6])) as ArrayRef;
        let labels = Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
        let columns = [("a", records), ("label", labels)];
        folder.write_parquet("a.parquet", &columns, Compression::UNCOMPRESSED);
    };
    let convert = ["a.parquet", "--force", "-o", "x.idx"];
    for (texts, asked) in [
        (
            ["cat", "cat|dog", "dog"],
            "a line has the label cat|dog, which is several other labels; correct it, or remove the line",
        ),
        (
            ["1", "2", "\\N"],
            "a line has the label \\N, and all others are numbers; correct it, or remove the line",
        ),
        (
            ["cat", "dog", "nan"],
            "a line has the label nan, which marks a missing label; correct it, or remove the line",
        ),
    ] {
        write(texts);
        let option = "`--label-column label` if it is the name of a class";
        assert_eq!(folder.refused(&convert), format!("a.parquet: {asked}: {option}"));
        folder.run(&[&["convert"], &convert[..], &["--label-column", "label"]].concat());
        assert_eq!(folder.read("x-labels.idx"), file(8, &[3], &[0, 1, 2]));
    }
    // Only null would be a missing label.
    write(["NA", "cat", "none"]);
    folder.run(&[&["convert"], &convert[..]].concat());
    assert_eq!(folder.read("x-classes.txt"), b"NA\ncat\nnone\n");
}

/// Failed before: the command asked about each column.
#[test]
fn one_hot_columns_beside_records_are_their_labels() {
    let folder = Folder::new(&[]);
    let column = |numbers: [u8; 3]| Arc::new(UInt8Array::from(numbers.to_vec())) as ArrayRef;
    let columns = [
        ("label_cat", column([0, 1, 0])),
        ("a", column([5, 2, 9])),
        ("b", column([6, 7, 8])),
        ("label_dog", column([1, 0, 1])),
    ];
    folder.write_parquet("a.parquet", &columns, Compression::UNCOMPRESSED);
    folder.run(&["convert", "a.parquet", "-o", "a.idx"]);
    assert_eq!(folder.read("a.idx"), file(8, &[3, 2], &[5, 6, 2, 7, 9, 8]));
    assert_eq!(folder.read("a-labels.idx"), file(8, &[3], &[1, 0, 1]));
    assert_eq!(folder.read("a-classes.txt"), b"label_cat\nlabel_dog\n");
}
