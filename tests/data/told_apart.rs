//! Labels, class names and columns of files that belong together.

use std::fs;
use std::path::Path;

use idx_data::{
    ClassNames, Column, Error, ErrorKind, OpenOptions, Record, Source, open, open_pair, open_set,
};

use crate::common::{folder, labels, read};
use crate::sets::opened::npz;
use idx_tests::npy;

fn names_of(source: &Source) -> Vec<String> {
    let classes = source.facts().classes.iter();
    classes.flat_map(ClassNames::iter).map(|(_, name)| name.to_string()).collect()
}

fn answers(error: &Error) -> Vec<String> {
    match error.kind() {
        ErrorKind::Question { answers, .. } => {
            answers.iter().map(|answer| answer.option.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

/// Writes a picture of one pixel.
fn picture(path: &Path, value: u8) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    image::GrayImage::from_raw(1, 1, vec![value]).unwrap().save(path).unwrap();
}

#[test]
fn the_number_of_the_records_says_whether_labels_have_a_header() {
    let records: &[u8] = b"a,b\n1,2\n3,4\n5,6\n7,8\n";
    for (text, expected) in [
        ("0\n1\n0\n1\n", [0, 1, 0, 1]),
        ("0\n0\n0\n1\n", [0, 0, 0, 1]),
        ("0\n0\n1\n0\n1\n", [0, 1, 0, 1]),
        ("cat\ndog\neel\nfox\n", [0, 1, 2, 3]),
    ] {
        let folder = folder(&[("x.csv", records), ("y.txt", text.as_bytes())]);
        let path = |name| folder.path().join(name);
        assert_eq!(labels(open_pair(path("x.csv"), path("y.txt")).unwrap()), expected, "{text}");
    }
    // The user states the header.
    let folder = folder(&[("x.csv", records), ("y.txt", b"0\n1\n0\n1\n")]);
    let path = |name| folder.path().join(name);
    let source = OpenOptions::new().labels(false).open(path("x.csv")).unwrap();
    let error = OpenOptions::new().header(true).label(source, path("y.txt")).unwrap_err();
    assert!(error.to_string().contains("3 labels but 4 records"), "{error}");
    // If the user states it, no other reading is tried, even if a question is left.
    fs::write(path("y.txt"), "digit,id\n7,0\n3,1\n9,2\n5,3\n").unwrap();
    for (options, expected) in
        [(OpenOptions::new(), None), (OpenOptions::new().header(false), Some("question"))]
    {
        let source = OpenOptions::new().labels(false).open(path("x.csv")).unwrap();
        let error = options.label(source, path("y.txt")).err();
        assert_eq!(error.as_ref().map(|error| error.kind().code()), expected, "{error:?}");
    }
}

#[test]
fn labels_without_a_header_beside_records_without_one() {
    let list = [0, 0, 8, 1, 0, 0, 0, 2, 7, 9];
    let folder =
        folder(&[("x.bin", &[5, 6]), ("y.bin", &[1, 10]), ("y.idx", &list), ("y.csv", b"3\n4\n")]);
    let path = |name| folder.path().join(name);
    let raw = || OpenOptions::new().raw(idx_std::ElementType::U8);
    for (name, expected) in [("y.bin", [1, 10]), ("y.idx", [7, 9]), ("y.csv", [3, 4])] {
        let source = raw().shape([1]).open(path("x.bin")).unwrap();
        assert_eq!(labels(raw().label(source, path(name)).unwrap()), expected, "{name}");
    }
}

#[test]
fn columns_that_are_left_out_are_those_of_the_records() {
    let records: &[u8] = b",a\n7,1\n2,3\n9,5\n";
    for (text, expected) in [
        ("0\n1\n1\n", Ok([0, 1, 1])),
        (",label\n1,0\n2,1\n3,1\n", Ok([0, 1, 1])),
        // The row numbers give another order.
        (",label\n3,0\n1,1\n4,1\n", Err(())),
        (",label\n3,0\n1,1\n2,1\n", Err(())),
    ] {
        let folder = folder(&[("x_train.csv", records), ("y_train.csv", text.as_bytes())]);
        let options = OpenOptions::new().skip(vec![0.into()]);
        // The second file may be refused when it is opened.
        let found = options.open(folder.path()).and_then(|mut source| {
            source.records().map(|record| Ok(record?.label.unwrap())).collect::<Result<Vec<_>, _>>()
        });
        let expected = expected.map(|labels| labels.to_vec());
        assert_eq!(found.map_err(|_| ()), expected, "{text}");
    }
}

#[test]
fn a_list_of_names_in_which_lines_begin_with_the_classes() {
    let folder = tempfile::tempdir().unwrap();
    picture(&folder.path().join("n014/a.png"), 1);
    picture(&folder.path().join("n029/b.png"), 2);
    let list = |names: &[&str]| ClassNames::new(names.iter().copied()).unwrap();
    let named = |names: &[&str]| open(folder.path()).unwrap().with_classes(list(names));
    for (names, expected) in [
        (&["n029 fish, C", "n014 tench"][..], ["tench", "fish, C"]),
        (&["n000 entity", "n014\ttench", "n029\tfish", "n030 x"], ["tench", "fish"]),
        (&["tench", "fish"], ["tench", "fish"]),
        (&["n014 17", "n029 25"], ["n014 17", "n029 25"]),
    ] {
        let mut source = named(names);
        assert_eq!(names_of(&source), expected, "{names:?}");
        assert_eq!(read(&mut source), [1, 2]);
        assert_eq!(labels(named(names)), [0, 1], "{names:?}");
    }
    for names in [&["tench"][..], &["a", "b", "c"]] {
        let error = named(names).read(&mut Record::default()).unwrap_err();
        assert!(error.to_string().contains("is not in the list of names"), "{error}");
    }
}

#[test]
fn words_beside_numbers_are_those_of_the_list_beside_them() {
    let list: (&str, &[u8]) = ("a-classes.txt", b"dog\ncat\n");
    let named = folder(&[list, ("a.csv", b"label,a\ncat,1\ndog,2\n")]);
    let source = open(named.path().join("a.csv")).unwrap();
    assert_eq!((names_of(&source), labels(source)), (vec!["dog".into(), "cat".into()], vec![1, 0]));
    // The list does not apply to other words.
    let others = folder(&[list, ("a.csv", b"label,a\neel,1\nfox,2\n")]);
    let source = open(others.path().join("a.csv")).unwrap();
    assert_eq!((names_of(&source), labels(source)), (vec!["eel".into(), "fox".into()], vec![0, 1]));
    // Lines that were added by hand to labels that are numbers.
    for text in ["label,a\n0,1\n1,2\ncat,3\ndog,4\n", "label,a\n0,1\n1,2\nfox,3\nfly,4\n"] {
        let mixed = folder(&[list, ("a.csv", text.as_bytes())]);
        let mut source = open(mixed.path().join("a.csv")).unwrap();
        let error = source.read(&mut Record::default()).unwrap_err();
        assert!(error.to_string().contains("is not in the list of names"), "{text}: {error}");
    }
}

#[test]
fn answers_leave_out_what_the_question_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // tiny-imagenet
    for (name, value) in [
        ("t/train/n1/images/a.png", 1),
        ("t/train/n2/images/b.png", 2),
        ("t/val/images/c.png", 3),
        ("t/test/images/d.png", 4),
    ] {
        picture(&path(name), value);
    }
    let parts = open_set(path("t")).unwrap().into_parts();
    let parts: Vec<_> =
        parts.into_iter().map(|(name, one)| (name, one.facts().has_labels)).collect();
    assert_eq!(
        parts,
        [("train", true), ("test", false), ("val", false)].map(|(a, b)| (a.into(), b))
    );
    // A list of the labels of one part, above both.
    for (name, value) in [("l/train/a.png", 1), ("l/train/b.png", 2), ("l/test/c.png", 3)] {
        picture(&path(name), value);
    }
    fs::write(path("l/labels.csv"), "id,breed\nb,cat\na,dog\n").unwrap();
    let error = open_set(path("l")).unwrap_err();
    assert_eq!(answers(&error), [r#"skip("test")"#], "{error}");
    let set = OpenOptions::new().skip(vec!["test".into()]).open_set(path("l")).unwrap();
    assert_eq!(labels(set.only_part().unwrap()), [1, 0]);
    // Tables next to pictures.
    for (name, value) in [("p/a.png", 1), ("p/b.PNG", 2)] {
        picture(&path(name), value);
    }
    for part in ["train", "test"] {
        fs::write(path("p").join(part).with_extension("csv"), "label,a\n1,2\n").unwrap();
    }
    let error = open_set(path("p")).unwrap_err();
    assert_eq!(answers(&error)[1], r#"skip("*.PNG,*.png")"#);
    let set =
        OpenOptions::new().skip(vec!["*.PNG".into(), "*.png".into()]).open_set(path("p")).unwrap();
    assert_eq!(set.parts().count(), 2);
}

/// Failed before: the answer named one picture, and left out all others of its name.
#[test]
fn pictures_without_a_label_are_left_out_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (index, name) in (0..).zip(["a/1", "a/2", "b/1", "b/2", "b/3", "c, d/1"]) {
        picture(&path(&format!("n/{name}.png")), index);
    }
    fs::write(path("n/labels.csv"), "file,label\na/1.png,7\na/2.png,8\nb/2.png,9\n").unwrap();
    let error = open_set(path("n")).unwrap_err();
    let first = Path::new("b").join("1.png");
    let expected = format!("3 pictures, such as {}, have no label", first.display());
    assert!(error.to_string().contains(&expected), "{error}");
    assert_eq!(answers(&error), [r#"skip("b/1.png,b/3.png,c* d")"#, "labels(false)"]);
    let skip = ["b/1.png", "b/3.png", "c* d"].map(Column::from).to_vec();
    let source = OpenOptions::new().skip(skip).open(path("n")).unwrap();
    assert_eq!(labels(source), [7, 8, 9]);
    for index in 0..20 {
        picture(&path(&format!("n/a/more{index}.png")), 0);
    }
    let error = open_set(path("n")).unwrap_err();
    let expected = format!("23 pictures, such as {}", Path::new("a").join("more0.png").display());
    assert!(error.to_string().contains(&expected), "{error}");
    // Too many to be named one by one. Failed before: no option answered it.
    assert_eq!(answers(&error), ["labels(false)"]);
    let source = OpenOptions::new().labels(false).open(path("n")).unwrap();
    assert_eq!(source.facts().count, Some(26));
}

/// Failed before: the options of the reading had names without their folders, and other folders may have such names,
/// too.
#[test]
fn what_an_option_leaves_out_is_stated_as_the_option_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (index, name) in (0..).zip(["train/a/0", "train/a/2", "train/b/0", "test/a/0", "test/a/1"])
    {
        picture(&path(&format!("s/{name}.png")), index);
    }
    for part in ["train", "test", "test2"] {
        fs::write(path("s").join(part).with_extension("csv"), "label,a,b\n1,2,3\n").unwrap();
    }
    fs::create_dir(path("z")).unwrap();
    let archive = npz(&[("x", npy("|u1", false, &[1, 2], &[1, 2]))]);
    for name in ["a", "b"] {
        fs::write(path("z").join(name).with_extension("npz"), archive.clone()).unwrap();
    }
    for (folder, given, expected) in [
        ("s", &["*.csv", "a/0.png"][..], r#"label_column("1") skip("*.csv,a/0.png")"#),
        ("s", &["test2*", "*.png", "b"], r#"skip("test2*,*.png,b")"#),
        ("z", &["b*"], r#"skip("b*")"#),
    ] {
        let given: Vec<Column> = given.iter().map(|name| Column::from(*name)).collect();
        let set = OpenOptions::new().skip(given).open_set(path(folder)).unwrap();
        let reading = set.reading();
        let stated = reading.inputs()[0].options().iter().map(ToString::to_string);
        assert_eq!(stated.collect::<Vec<_>>().join(" "), expected);
    }
}

#[test]
fn numbers_before_the_names_of_pictures_are_no_labels() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, value) in [("p/a.png", 1), ("p/b.png", 2), ("p/c.png", 3)] {
        picture(&path(name), value);
    }
    for (text, expected) in [
        ("1 p/a.png\n2 p/b.png\n3 p/c.png\n", None),
        ("2 p/a.png\n2 p/b.png\n3 p/c.png\n", Some([2, 2, 3])),
        ("label path\n1 p/a.png\n2 p/b.png\n3 p/c.png\n", Some([1, 2, 3])),
        ("p/a.png 1\np/b.png 2\np/c.png 3\n", Some([1, 2, 3])),
    ] {
        fs::write(path("l.txt"), text).unwrap();
        let labeled = open_pair(path("p"), path("l.txt"));
        match (labeled, expected) {
            (Ok(source), Some(expected)) => assert_eq!(labels(source), expected, "{text}"),
            (Err(error), None) => assert_eq!(answers(&error), [r#"label_column("0")"#], "{error}"),
            (found, _) => panic!("{text}: {:?}", found.map(labels)),
        }
    }
}

/// Failed before: the labels went to the records of other lines.
#[test]
fn labels_are_not_in_another_order_than_their_records() {
    for (records, labels_text, skip, is_same) in [
        ("name,a,b\nx,1,2\ny,3,4\n", "name,label\nx,0\ny,1\n", "name", true),
        ("name,a,b\nx,1,2\ny,3,4\n", "name,label\ny,0\nx,1\n", "name", false),
        ("id,a,b\n7,1,2\n3,3,4\n", "id,label\n3,0\n7,1\n", "id", false),
        (",a,b\n7,1,2\n3,3,4\n", ",label\n3,0\n7,1\n", "0", false),
        // Row numbers may start at another number.
        ("id,a,b\n0,1,2\n1,3,4\n", "id,label\n1,0\n2,1\n", "id", true),
        // Other names say nothing about the order.
        ("id,a,b\nx,1,2\ny,3,4\n", "name,label\ny,0\nx,1\n", "id", true),
    ] {
        let folder = folder(&[("x.csv", records.as_bytes()), ("y.csv", labels_text.as_bytes())]);
        let path = |name| folder.path().join(name);
        let column: Column = skip.parse::<usize>().map_or(skip.into(), Column::from);
        let options = OpenOptions::new().skip(vec![column]);
        let source = options.clone().labels(false).open(path("x.csv")).unwrap();
        match options.label(source, path("y.csv")) {
            Ok(source) => assert!(is_same && labels(source) == [0, 1], "{labels_text}"),
            Err(error) => {
                assert!(!is_same, "{error}");
                let text = "the labels are in another order than the records";
                assert!(error.to_string().contains(text), "{error}");
            }
        }
    }
}

/// Failed before: the records lacked the column that the question about their labels named.
#[test]
fn options_name_columns_of_labels_in_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name| folder.path().join(name);
    fs::create_dir(path("s")).unwrap();
    fs::write(path("s/features.csv"), "a,b\n5,1\n4,2\n3,9\n").unwrap();
    fs::write(path("s/labels.csv"), "id,label\n3,1\n1,2\n2,0\n").unwrap();
    let error = open_set(path("s")).unwrap_err();
    assert_eq!(answers(&error), [r#"skip("id")"#, "labels(false)"], "{error}");
    let skip = OpenOptions::new().skip(vec!["id".into()]);
    assert_eq!(labels(skip.open(path("s")).unwrap()), [1, 2, 0]);
    let source = skip.clone().labels(false).open(path("s/features.csv")).unwrap();
    assert_eq!(skip.unused(source.reading()), ["skip"]);
    let source = skip.label(source, path("s/labels.csv")).unwrap();
    assert!(skip.unused(source.reading()).is_empty());
    assert_eq!(labels(source), [1, 2, 0]);
    // A column that only the test part has.
    for (name, text) in [("train", "label,a\n1,7\n0,9\n"), ("test", "label,a,name\n1,8,x\n0,7,y\n")]
    {
        fs::create_dir_all(path("t")).unwrap();
        fs::write(path("t").join(name).with_extension("csv"), text).unwrap();
    }
    let error = open_set(path("t")).unwrap_err();
    assert_eq!(answers(&error), [r#"skip("name")"#], "{error}");
    let set = OpenOptions::new().skip(vec!["name".into()]).open_set(path("t")).unwrap();
    assert_eq!(set.parts().count(), 2);
    let inputs = ["train", "test"].map(|name| path("t").join(name).with_extension("csv"));
    let error = OpenOptions::new().open_sets(&inputs).unwrap_err();
    assert_eq!(answers(&error), [r#"skip("name")"#], "{error}");
    OpenOptions::new().skip(vec!["name".into()]).open_sets(&inputs).unwrap();
    fs::write(path("s/labels.csv"), "ClassId,Name\n0,cat\n1,dog\n2,eel\n").unwrap();
    let error = open_set(path("s")).unwrap_err();
    assert_eq!(answers(&error), [r#"label_column("ClassId")"#, "labels(false)"], "{error}");
    let source = OpenOptions::new().label_column("ClassId").open(path("s")).unwrap();
    assert_eq!(labels(source), [0, 1, 2]);
}

/// Failed before: a list for labels from 0 shifted the names of labels from 1, and left the last one without a name.
#[test]
fn a_list_beside_records_counts_as_their_labels_do() {
    // A label below 0 has no name, and if there is a label 0, others may have none.
    let unknown = folder(&[("a.csv", b"label,a\n-1,5\n0,6\n7,1\n"), ("a-classes.txt", b"cat\n")]);
    assert_eq!(labels(open(unknown.path().join("a.csv")).unwrap()), [-1, 0, 7]);
    let table = b"label,a\n1,5\n2,6\n";
    let images = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 1, 5, 6];
    let files: [(&str, &[u8]); 6] = [
        ("a.csv", table),
        ("a-classes.txt", b"cat\ndog\n"),
        ("b-images.idx", &images),
        ("b-labels.idx", &[0, 0, 8, 1, 0, 0, 0, 2, 1, 2]),
        ("b-classes.txt", b"cat\ndog\n"),
        ("names.txt", b"1 one\n2 two\n"),
    ];
    let folder = folder(&files);
    let path = |name: &str| folder.path().join(name);
    for (name, list) in [("a.csv", "a-classes.txt"), ("b-images.idx", "b-classes.txt")] {
        let error =
            |mut source: Source| source.records().find_map(Result::err).unwrap().to_string();
        let text = format!("{list} has no name for the label 2; write a line `2 name` for it");
        let found = error(open(path(name)).unwrap());
        assert!(found.contains(&text) && found.contains("record 1"), "{found}");
        // The names of an option come first.
        let names = ClassNames::open(path("names.txt")).unwrap();
        let source = OpenOptions::new().classes(names).open(path(name)).unwrap();
        assert_eq!(names_of(&source), ["one", "two"]);
        assert_eq!(labels(source), [1, 2]);
    }
    for (name, value) in [("p/1/a.png", 1), ("p/2/b.png", 2)] {
        picture(&path(name), value);
    }
    fs::write(path("p/classes.txt"), "cat\ndog\n").unwrap();
    let error = open_set(path("p")).unwrap_err();
    assert!(error.to_string().contains("has no name for the label 2"), "{error}");
    assert_eq!(answers(&error), [r#"skip("classes.txt")"#]);
    let names = ClassNames::open(path("names.txt")).unwrap();
    let source = OpenOptions::new().classes(names).open(path("p")).unwrap();
    assert_eq!(names_of(&source), ["one", "two"]);
    assert_eq!(labels(source), [1, 2]);
}

/// Failed before: `ls > classes.txt` lists the file itself, which became a class and shifted the others.
#[test]
fn a_list_does_not_name_itself() {
    let folder = folder(&[("classes.txt", b"cat\nclasses.txt\ndog\n")]);
    let error = ClassNames::open(folder.path().join("classes.txt")).unwrap_err();
    let text = "the name of class 1 is that of this file; remove the line";
    assert!(error.to_string().contains(text), "{error}");
}

/// Failed before: a class in another spelling became another class.
#[test]
fn a_class_has_one_spelling_in_all_tables() {
    let table = |words: [&str; 2]| format!("label,a\n{},1\n{},2\n", words[0], words[1]);
    for (one, other, spelled) in [
        (["cat", "dog"], ["Cat", "dog"], Some("Cat and cat")),
        (["big_cat", "dog"], ["big cat", "dog"], Some("big cat and big_cat")),
        (["caf\u{e9}", "dog"], ["cafe\u{301}", "dog"], Some("cafe\\u{301} and caf\\u{e9}")),
        (["cat", "Cat"], ["Cat", "dog"], None),
        (["cat", "dog"], ["eel", "dog"], None),
    ] {
        let (one, other) = (table(one), table(other));
        let folder = folder(&[("train.csv", one.as_bytes()), ("test.csv", other.as_bytes())]);
        let path = |name: &str| folder.path().join(name);
        let options = OpenOptions::new();
        let given = OpenOptions::new().label_column("label");
        for inputs in [vec![path("train.csv"), path("test.csv")], vec![path("")]] {
            match (options.open_sets(&inputs), spelled) {
                (Ok(_), None) => {}
                (Err(error), Some(spelled)) => {
                    assert!(error.to_string().contains(spelled), "{error}");
                    assert_eq!(answers(&error), [r#"label_column("label")"#]);
                }
                (found, _) => panic!("{one}{other}: {:?}", found.map(|_| ())),
            }
            assert!(given.open_sets(&inputs).is_ok());
        }
    }
}

/// Failed before: the question offered no way to the labels. Competitions of Kaggle have this form.
#[test]
fn a_table_beside_folders_of_pictures_may_have_their_labels() {
    let top = tempfile::tempdir().unwrap();
    let at = |name: &str| top.path().join(name);
    for name in ["train_images/0.png", "train_images/1.png", "test_images/2.png"] {
        picture(&at(name), 1);
    }
    fs::write(at("train.csv"), "image_id,label\n1.png,3\n0.png,7\n").unwrap();
    let error = open_set(top.path()).unwrap_err();
    let table = format!("labels({:?})", at("train.csv").to_str().unwrap());
    assert!(
        error.to_string().contains(&format!("`{table}` with only train_images as input")),
        "{error}"
    );
    assert_eq!(answers(&error).first(), Some(&table));
    assert_eq!(labels(open_pair(at("train_images"), at("train.csv")).unwrap()), [7, 3]);
}

/// Failed before: the file of labels was left out silently.
#[test]
fn labels_without_their_images_are_told() {
    let images = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 1, 5, 6];
    let list = [0, 0, 8, 1, 0, 0, 0, 2, 1, 2];
    let folder = folder(&[
        ("train-images-idx3-ubyte", &images),
        ("train-labels-idx1-ubyte", &list),
        ("t10k-labels-idx1-ubyte", &list),
        ("other-labels-idx1-ubyte", &list),
    ]);
    let set = open_set(folder.path()).unwrap();
    let text = "t10k-labels-idx1-ubyte, other-labels-idx1-ubyte left out: no images";
    assert_eq!(set.reading().inputs()[0].statements()[0].text, text);
    let part = format!("{}:train", folder.path().display());
    assert!(open_set(part).unwrap().reading().inputs().is_empty());
}

/// Failed before: tables next to the files of a set were silently left out.
#[test]
fn tables_beside_a_set_are_told() {
    let images = [0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 1, 5, 6];
    let list = [0, 0, 8, 1, 0, 0, 0, 2, 1, 2];
    let files: [(&str, &[u8]); 5] = [
        ("train-images-idx3-ubyte", &images),
        ("train-labels-idx1-ubyte", &list),
        ("train-classes.txt", b"cat\ndog\neel\n"),
        ("mine.csv", b"1,2\n3,4\n"),
        ("notes.txt", b"1,2\n"),
    ];
    let folder = folder(&files);
    let set = open_set(folder.path()).unwrap();
    assert_eq!(set.reading().inputs()[0].statements()[0].text, "mine.csv left out");
    let options = OpenOptions::new().skip(vec!["mine.csv".into()]);
    assert!(options.open_set(folder.path()).unwrap().reading().inputs().is_empty());
}

/// Labels of an array go with pictures in their order; a table says so itself.
#[test]
fn labels_in_an_array_say_the_order_of_the_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    (0..3).for_each(|number| picture(&path(&format!("pictures/{number}.png")), number));
    fs::write(path("l.idx"), [0, 0, 8, 1, 0, 0, 0, 3, 5, 6, 7]).unwrap();
    fs::write(path("l.txt"), "5\n6\n7\n").unwrap();
    for (name, is_array) in [("l.idx", true), ("l.txt", false)] {
        let pictures = OpenOptions::new().labels(false).open(path("pictures")).unwrap();
        let source = OpenOptions::new().label(pictures, path(name)).unwrap();
        let reading = format!("{:?}", source.reading());
        let is_said = reading.contains("a label for each picture, in the order 1, 2, 10");
        assert_eq!(is_said, is_array, "{reading:?}");
        assert_eq!(labels(source), [5, 6, 7]);
    }
}
