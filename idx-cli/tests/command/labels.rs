//! Labels: with their records, in a single column, and from another set.

use idx_tests::{file, gzip, npy, real_data};

use crate::common::{Folder, byte_records, each_format};

/// Options about labels have no effect on records without labels, nor has `--skip` on records without columns.
#[test]
fn what_describes_labels_needs_labels() {
    let folder = each_format();
    folder.write("names.txt", b"ant\nbee\n");
    let before = folder.names();
    let show = &["show"][..];
    for command in [show, &["show", "-o", "x.png"], &["stats"], &["convert", "-o", "x.npy"]] {
        for (option, value) in [
            ("--label-column", "1"),
            ("--classes", "names.txt"),
            ("--skip", "x"),
            ("--labels", "{}_*"),
        ] {
            let arguments = [command, &["a.idx", option, value]].concat();
            let outcome = folder.run(&arguments);
            assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
            let start = format!("idx: {option} has no effect on these files");
            assert!(outcome.messages.starts_with(&start), "{arguments:?}: {outcome:?}");
        }
    }
    assert_eq!(folder.names(), before);
    // Failed before: nothing said how the labels in an array are read.
    let outcome = folder.run(&["convert", "a.idx", "-o", "x.npy", "--label-column", "1"]);
    let advice = "leave it out, or convert an array with such a column to csv first";
    assert!(outcome.messages.contains(advice), "{outcome:?}");
    let outcome = folder.run(&["diff", "a.idx", "a.idx", "--skip", "x"]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(
        outcome.messages.starts_with("idx: --skip has no effect on these files"),
        "{outcome:?}"
    );
}

fn images(count: u32) -> Vec<u8> {
    file(0x08, &[count, 2, 2], &vec![9; 4 * count as usize])
}

#[test]
fn one_column_of_labels_is_taken_alone() {
    let columns = file(
        0x0C,
        &[2, 3],
        &[0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 3, 0, 0, 0, 4],
    );
    let folder = Folder::new(&[
        ("labels-idx2-int", &columns),
        ("images", &images(2)),
        ("floats", &file(0x0D, &[1, 2], &[0; 8])),
    ]);
    folder.run(&["convert", "labels-idx2-int", "--column", "0", "-o", "first-idx1-int"]).success();
    assert_eq!(folder.read("first-idx1-int"), file(0x0C, &[2], &[0, 0, 0, 7, 0, 0, 1, 0]));
    let to_bytes = ["--column", "1", "--as", "u8", "-o", "second.idx"];
    folder.run(&[&["convert", "labels-idx2-int"][..], &to_bytes].concat()).success();
    assert_eq!(folder.read("second.idx"), file(0x08, &[2], &[1, 3]));
    // The columns of a NumPy array, and the columns in reports.
    folder.run(&["convert", "labels-idx2-int", "-o", "labels.npy"]).success();
    folder.run(&["convert", "labels.npy", "--column", "2", "-o", "third.idx"]).success();
    assert_eq!(folder.read("third.idx"), file(0x0C, &[2], &[0, 0, 0, 2, 0, 0, 0, 4]));
    for command in ["info", "stats"] {
        let output = folder.run(&[command, "labels-idx2-int", "--column", "0"]).success();
        assert!(output.contains("  2\n") && !output.contains("2 x 3"), "{output}");
    }
    folder.run(&["convert", "floats", "--column", "1", "-o", "float.idx"]).success();
    assert_eq!(folder.read("float.idx"), file(0x0D, &[1], &[0; 4]));
    for (input, column, expected) in [
        ("labels-idx2-int", "3", "there is no column 3; the file has 3 columns, counted from 0"),
        ("labels-idx2-int", "digit", "the columns have no names; count them from 0"),
        (
            "images",
            "0",
            "there is no column 0; records with columns have 1 dimension, and these are 2 x 2 u8",
        ),
    ] {
        let outcome = folder.run(&["convert", input, "--column", column, "-o", "none.idx"]);
        let (_, message) = outcome.failure();
        assert_eq!(message, format!("{input}: {expected}"));
    }
}

/// Failed before: the first column was silently taken.
#[test]
fn columns_are_one_hot_or_one_of_them_is_chosen() {
    let folder = Folder::new(&[
        ("x.idx", &images(4)),
        ("hot.idx", &file(8, &[4, 3], &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1])),
        ("soft.idx", &file(8, &[4, 3], &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1])),
        ("a.idx", &images(4)),
        ("a-labels.idx", &file(8, &[4, 2], &[7, 1, 8, 2, 9, 3, 5, 4])),
        ("t.csv", b"name,digit\na,7\nb,1\nc,2\nd,3\n"),
    ]);
    folder.run(&["convert", "x.idx", "--labels", "hot.idx", "-o", "h.idx"]).success();
    assert_eq!(folder.read("h-labels.idx"), file(8, &[4], &[0, 1, 2, 2]));
    folder.run(&["convert", "a.idx", "--label-column", "1", "-o", "b.idx"]).success();
    assert_eq!(folder.read("b-labels.idx"), file(8, &[4], &[1, 2, 3, 4]));
    folder.run(&["show", "a.idx", "--label-column", "1"]).success();
    let with_option = "and this row is not one-hot; choose the column of the labels with \
                       `--label-column`";
    for (arguments, message) in [
        (&["stats", "a.idx"][..], "a-labels.idx: record 0: the labels have 2 columns"),
        (&["show", "a.idx"], "a-labels.idx: record 0: the labels have 2 columns"),
        (&["stats", "x.idx", "-l", "soft.idx"], "soft.idx: record 3: the labels have 3 columns"),
    ] {
        let (_, found) = folder.run(arguments).failure();
        assert_eq!(found, format!("{message}, {with_option}"));
    }
    let (_, found) = folder.run(&["show", "x.idx", "-l", "t.csv"]).failure();
    let asked = "t.csv: `digit` may be the label: `--label-column digit` if `digit` is the label";
    assert_eq!(found, asked);
}

/// Failed before: a digit was shown under the name of a piece of clothing.
#[test]
fn images_are_not_shown_with_the_labels_of_another_set() {
    let test = "images_are_not_shown_with_the_labels_of_another_set";
    let Some(images) = real_data(test, "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let Some(labels) = real_data(test, "fashion-mnist/t10k-labels-idx1-ubyte.gz") else {
        return;
    };
    let own = images.with_file_name("t10k-labels-idx1-ubyte.gz");
    let mut altered = idx_std::open(own).unwrap().bytes().to_vec();
    altered[100] ^= 1;
    let folder = Folder::new(&[("altered", &altered)]);
    let [images, labels] = [images, labels].map(|path| path.canonicalize().unwrap());
    let [images, labels] = [&images, &labels].map(|path| path.to_str().unwrap());
    folder.run(&["show", "-n", "1", images]).success();
    let mixed = format!(
        "{labels}: t10k-images-idx3-ubyte.gz is MNIST test images, \
         t10k-labels-idx1-ubyte.gz is Fashion-MNIST test labels; use the files of one set"
    );
    let commands = [&["show", "-n", "1"][..], &["stats"], &["convert", "-o", "out.idx"]];
    for command in commands {
        let (_, message) = folder.run(&[command, &[images, "--labels", labels]].concat()).failure();
        assert_eq!(message, mixed);
    }
    // The labels may have been altered on purpose.
    folder.run(&["show", images, "-n", "1", "--labels", "altered"]).success();
    folder.run(&["convert", images, "--labels", "altered", "-o", "out.idx"]).success();
}

#[test]
fn labels_go_along() {
    let labels = file(8, &[2], &[7, 3]);
    let folder = Folder::new(&[("a.idx", &byte_records()), ("l.idx", &labels)]);
    folder.convert(&["a.idx", "--labels", "l.idx", "-o", "a.csv"]);
    assert_eq!(
        String::from_utf8(folder.read("a.csv")).unwrap(),
        "label,1x1,1x2,1x3,2x1,2x2,2x3\n7,0,1,2,127,128,129\n3,254,255,10,13,34,44\n"
    );
    folder.convert(&["a.csv", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), byte_records());
    assert_eq!(folder.read("b-labels.idx"), labels);
    folder.convert(&["b.idx", "-o", "c.npy", "--labels-as", "i32"]);
    folder.convert(&["c-labels.npy", "-o", "c-labels.csv"]);
    assert_eq!(folder.read("c-labels.csv"), b"value\n7\n3\n");
    // IDX labels keep their type; those in a column are one per record.
    folder.write("columns.idx", &file(0x0B, &[2, 2], &[0, 7, 1, 0, 0, 3, 0xFF, 0xFF]));
    let column = ["a.idx", "--labels", "columns.idx", "--label-column", "1"];
    folder.convert(&[&column[..], &["-o", "d.idx"]].concat());
    assert_eq!(folder.read("d-labels.idx"), file(0x0B, &[2], &[1, 0, 0xFF, 0xFF]));

    folder.write("wide.csv", b"label,p\n300,1\n");
    assert_eq!(
        folder.refused(&["wide.csv", "-o", "x.idx"]),
        "wide.csv: record 0: label 300 does not fit u8; choose another label type with `--labels-as i32`"
    );
    folder.write("widest.csv", b"label,p\n18446744073709551615,1\n");
    assert_eq!(
        folder.refused(&["widest.csv", "-o", "x.idx"]),
        "widest.csv: record 0: label 18446744073709551615 does not fit u8, and no other type of IDX; write smaller \
         labels"
    );
    folder.write("three.idx", &file(8, &[3], &[1, 2, 3]));
    assert_eq!(
        folder.refused(&["a.idx", "--labels", "three.idx", "-o", "x.csv"]),
        "three.idx: 3 labels but 2 records; give the label file of these records, or if dimension 2 counts the records, move it to the front with `numpy.moveaxis(array, 2, 0)`"
    );
    // The number of records of a large csv is known only at its end.
    folder.write("b.csv", "7\n3\n".repeat(2_000).as_bytes());
    folder.write("one.idx", &file(8, &[1], &[1]));
    folder.write("many.idx", &file(8, &[5_000], &[1; 5_000]));
    assert_eq!(
        folder.refused(&["b.csv", "--labels", "one.idx", "-o", "x.csv"]),
        "one.idx: fewer labels than records, only 1; give the label file of these records"
    );
    assert_eq!(
        folder.refused(&["b.csv", "--labels", "many.idx", "-o", "x.csv"]),
        "many.idx: more labels than the 4000 records; give the label file of these records"
    );
}

/// As in the table of iris flowers.
#[test]
fn labels_that_are_texts_are_classes() {
    let table = b"length,width,species\n5.1,3.5,setosa\n7.0,3.2,versicolor\n4.9,3.0,setosa\n";
    let folder = Folder::new(&[("iris.csv", table)]);
    let convert = |arguments: &[&str]| {
        let outcome = folder.run(&[&["convert"], arguments].concat());
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
    };
    let arguments = ["iris.csv", "--label-column", "species", "--as", "f32", "-f", "-o", "a.idx"];
    convert(&arguments);
    let values = [5.1_f32, 3.5, 7.0, 3.2, 4.9, 3.0].map(f32::to_be_bytes).concat();
    assert_eq!(folder.read("a.idx"), file(0x0D, &[3, 2], &values));
    assert_eq!(folder.read("a-labels.idx"), file(8, &[3], &[0, 1, 0]));
    assert_eq!(folder.read("a-classes.txt"), b"setosa\nversicolor\n");
    let stats = folder.run(&["stats", "iris.csv", "--label-column", "species", "--as", "f32"]);
    assert!(stats.success().contains("setosa"));
    folder.write("list.txt", b"versicolor\nsetosa\n");
    convert(&[&arguments[..], &["--classes", "list.txt", "--only", "setosa"]].concat());
    assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[1, 1]));
    // Files that have only labels, plain and compressed.
    folder.write("labels.csv", b"label\ndog\n\"a, b\"\n");
    folder.write("labels.csv.gz", &gzip(b"label\ndog\n\"a, b\"\n"));
    folder.write("b.idx", &file(8, &[2], &[7, 8]));
    for labels in ["labels.csv", "labels.csv.gz"] {
        convert(&["b.idx", "-l", labels, "-f", "-o", "c.idx"]);
        assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[1, 0]));
        assert_eq!(folder.read("c-classes.txt"), b"a, b\ndog\n");
    }
    for (table, sentence) in [
        ("label\ndog\n\"\"\n", "record 1 has no label in `label`"),
        (
            "label\ndog\n\u{fffd}\n",
            "record 1 (line 3), column 0: the label `\u{fffd}` is not UTF-8",
        ),
    ] {
        folder.write("labels.csv", table.as_bytes());
        let message = folder.refused(&["b.idx", "-l", "labels.csv", "-o", "x.idx"]);
        assert!(message.starts_with(&format!("labels.csv: {sentence}")), "{message}");
    }
    // Numbers among words are words.
    folder.write("labels.csv", b"label\n3\ndog\n");
    convert(&["b.idx", "-l", "labels.csv", "-f", "-o", "c.idx"]);
    assert_eq!(folder.read("c-classes.txt"), b"3\ndog\n");
    folder.write("labels.csv", b"dog\nant\n");
    // The number of records tells if line 1 is a record.
    convert(&["b.idx", "-l", "labels.csv", "-f", "-o", "c.idx"]);
    assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[1, 0]));
    folder.write("labels.csv", b"dog\nant\nbee\n");
    convert(&["b.idx", "-l", "labels.csv", "-f", "-o", "c.idx"]);
    assert_eq!(folder.read("c-classes.txt"), b"ant\nbee\n");
    folder.write("labels.csv", b"dog\nant\nbee\nant\n");
    assert_eq!(
        folder.refused(&["b.idx", "-l", "labels.csv", "-o", "x.idx"]),
        "labels.csv: line 1 (dog) may name the columns or be a record: `--header` if it names the columns, or `--no-header` if it is a \
         record"
    );
    // A pipe is spooled.
    let piped = folder.run_with(&["convert", "-", "--to", "csv"], b"label,value\ndog,2\ncat,1\n");
    assert_eq!((piped.code, &*piped.output), (Some(0), "label,value\n1,2\n0,1\n"), "{piped:?}");
}

/// Failed before: the inputs were joined before the numbers got their names, which was an error.
#[test]
fn the_names_of_numbers_join_them_with_words() {
    let folder = Folder::new(&[
        ("words.csv", b"label,a\ndog,1\ncat,2\n"),
        ("numbers.csv", b"label,a\n0,3\n1,4\n"),
        ("list.txt", b"cat\ndog\n"),
    ]);
    let joined = ["convert", "words.csv", "numbers.csv", "-o", "o.idx"];
    let (_, message) = folder.run(&joined).failure();
    let question = "the labels of words.csv are names, such as cat, and those of numbers.csv are numbers: \
                    `--classes LIST` with a file that names all numbers";
    assert!(message.contains(question), "{message}");
    let convert = |arguments: &[&str]| {
        let named = [arguments, &["--classes", "list.txt"]].concat();
        assert_eq!(folder.run_with(&named, b"label,a\ndog,1\ncat,2\n").code, Some(0));
    };
    convert(&joined);
    assert_eq!(folder.read("o-labels.idx"), file(8, &[4], &[1, 0, 0, 1]));
    // Labels for the records of other files.
    folder.write("r.idx", &file(8, &[2], &[7, 8]));
    let lists = ["-l", "words.csv", "-l", "numbers.csv", "-o", "l.idx"];
    convert(&[&["convert", "r.idx", "r.idx"], &lists[..]].concat());
    assert_eq!(folder.read("l-labels.idx"), file(8, &[4], &[1, 0, 0, 1]));
    convert(&["convert", "-", "-o", "p.idx"]);
    assert_eq!(folder.read("p-labels.idx"), file(8, &[2], &[1, 0]));
}

/// A list belongs to the records or the labels with its name. Failed before: to labels only next to their records.
#[test]
fn the_list_beside_labels_is_that_of_their_set() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2], &[7, 8])),
        ("l.idx", &file(8, &[2], &[0, 1])),
        ("l-classes.txt", b"ant\nbee\n"),
        ("n-labels.idx", &file(8, &[2], &[0, 1])),
        ("n-classes.txt", b"cat\ndog\n"),
    ]);
    folder.convert(&["a.idx", "-l", "l.idx", "-o", "b.idx"]);
    assert!(!folder.names().contains(&"b-classes.txt".to_string()));
    let convert = |options: &[&str]| {
        folder.run(&[&["convert", "a.idx", "-l", "n-labels.idx"], options].concat())
    };
    let named = convert(&["-o", "c.idx"]);
    assert_eq!((named.code, &*named.messages), (Some(0), "idx: c-classes.txt: 0 cat, 1 dog\n"));
    let others = convert(&["--classes", "l-classes.txt", "-o", "d.idx"]);
    assert_eq!(
        (others.code, &*others.messages),
        (
            Some(0),
            "idx: a.idx: class names as given, not cat, dog\nidx: d-classes.txt: 0 ant, 1 bee\n"
        )
    );
}

/// Failed before: numbers were relabeled first, so `--except 0 --relabel 1..9=0..8` lost all ones.
#[test]
fn classes_are_chosen_by_the_labels_of_the_input() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[4, 1], &[5, 6, 7, 8])),
        ("a-labels.idx", &file(8, &[4], &[0, 1, 2, 1])),
        ("names.txt", b"zero\none\ntwo\n"),
    ]);
    let convert = |options: &[&str]| {
        folder.run(&[&["convert", "a.idx", "-qfo", "b.idx"], options].concat()).success();
        (folder.read("b.idx")[12..].to_vec(), folder.read("b-labels.idx")[8..].to_vec())
    };
    let others = convert(&["--except", "0", "--relabel", "1..2=0..1"]);
    assert_eq!(others, (vec![6, 7, 8], vec![0, 1, 0]));
    assert_eq!(convert(&["--only", "0,2", "--relabel", "2=1"]), (vec![5, 7], vec![0, 1]));
    let first = convert(&["--per-class", "1", "--relabel", "1..2=0"]);
    assert_eq!(first, (vec![5, 6, 7], vec![0, 0, 0]));
    let named = convert(&["--only", "1,2", "--classes", "names.txt", "--relabel", "1..2=0..1"]);
    assert_eq!(named, (vec![6, 7, 8], vec![0, 1, 0]));
    assert_eq!(folder.read("b-classes.txt"), b"one\ntwo\n");
    assert_eq!(
        folder.refused(&["a.idx", "--only", "2", "--relabel", "1=2", "-o", "x.idx"]),
        "a.idx: the label 1 does not occur in the 1 record; choose one of 2, or name all \
         classes with `--classes`"
    );
}

#[test]
fn per_class_with_shuffle_says_that_it_takes_the_first() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[4, 1], &[5, 6, 7, 8])),
        ("a-labels.idx", &file(8, &[4], &[0, 1, 0, 1])),
    ]);
    let sample = folder.run(&["convert", "a.idx", "--per-class", "1", "--shuffle", "-o", "b.idx"]);
    let note = "idx: b.idx: note: these are the first 1 of each class, in random order; for random ones, shuffle into a file \
                first\n";
    assert_eq!((sample.code, sample.messages.ends_with(note)), (Some(0), true), "{sample:?}");
}

/// Names are given before labels are changed, and stay with their classes.
#[test]
fn classes_get_other_labels() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[3, 1], &[7, 8, 9])),
        ("a-labels.idx", &file(8, &[3], &[10, 1, 2])),
        ("names.txt", b"zero\none\ntwo\n"),
        ("letters.txt", b"10 ten\n1 one\n2 two\n"),
        ("t.csv", b"label,a,b\ncat,1,1\ndog,2,2\nowl,3,3\n"),
    ]);
    folder.convert(&["a.idx", "--relabel", "10=0", "-o", "b.idx"]);
    assert_eq!(folder.read("b-labels.idx"), file(8, &[3], &[0, 1, 2]));
    let named = ["a.idx", "--relabel", "10=0", "--classes", "letters.txt"];
    folder.run(&[&["convert"], &named[..], &["-qo", "d.idx"]].concat()).success();
    assert_eq!(folder.read("d-classes.txt"), b"ten\none\ntwo\n");
    let merged = ["b.idx", "--relabel", "one=some,two=some", "--classes", "names.txt"];
    folder.run(&[&["convert"], &merged[..], &["-qo", "e.idx"]].concat()).success();
    assert_eq!(folder.read("e-classes.txt"), b"zero\nsome\n");
    assert_eq!(folder.read("e-labels.idx"), file(8, &[3], &[0, 1, 1]));
    folder
        .run(&["convert", "t.csv", "--relabel", "cat=mammal,dog=mammal", "-qo", "f.idx"])
        .success();
    assert_eq!(folder.read("f-classes.txt"), b"mammal\nowl\n");
    assert_eq!(folder.read("f-labels.idx"), file(8, &[3], &[0, 0, 1]));
    assert_eq!(
        folder.refused(&["a.idx", "--relabel", "7=0", "-o", "x.idx"]),
        "a.idx: the label 7 does not occur in the 3 records; choose one of 1, 2, 10, or name all \
         classes with `--classes`"
    );
    assert_eq!(
        folder.refused(&["a.idx", "--relabel", "cat=0", "-o", "x.idx"]),
        "a.idx: `cat` is not the label or name of a class; choose another, or name the classes of the labels with \
         `--classes`"
    );
    for (rule, message) in [
        (
            "1..26=0..26",
            "1..26 and 0..26 have different lengths; both ends of a range belong to it",
        ),
        ("2..1=0", "2..1 ends before it starts; swap its ends"),
        ("0..9=9..0", "9..0 ends before it starts; swap its ends"),
    ] {
        let outcome = folder.run(&["convert", "a.idx", "--relabel", rule, "-o", "x.idx"]);
        let is_said = outcome.messages.contains(message);
        assert_eq!((outcome.code, is_said), (Some(2), true), "{outcome:?}");
    }
}

/// Failed before: `tench` and `shark` were named a second time, in the order of the list.
#[test]
fn classes_that_a_list_begins_with_are_named_once() {
    let folder = Folder::new(&[
        ("t.csv", b"label,a,b\nn01,1,1\nn02,2,2\n"),
        ("two.txt", b"n02\tshark\nn01\ttench\n"),
        ("three.txt", b"n03 ray\nn02 shark\nn01 tench\n"),
    ]);
    for list in ["two.txt", "three.txt"] {
        folder.run(&["convert", "t.csv", "--classes", list, "-qfo", "a.idx"]).success();
        assert_eq!(folder.read("a-classes.txt"), b"tench\nshark\n", "{list}");
        assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[0, 1]), "{list}");
    }
}

/// A folder with both files is read as a pair; for a single file, only the naming rules find the labels.
#[test]
fn labels_by_another_convention_are_not_left_in_silence() {
    let array = npy("|u1", false, &[2, 2], &[1, 2, 3, 4]);
    let folder =
        Folder::new(&[("X_train.npy", &array), ("y_train.npy", &npy("|u1", false, &[2], &[7, 8]))]);
    let alone = folder.run(&["convert", "X_train.npy", "-o", "a.idx"]);
    let expected = "idx: X_train.npy: y_train.npy may have the labels, but is not read\n";
    assert_eq!((alone.code, alone.messages.as_str()), (Some(0), expected));
    for told in [&["--labels", "y_train.npy"][..], &["--no-labels"]] {
        let arguments = [&["convert", "X_train.npy", "-fo", "a.idx"], told].concat();
        assert!(!folder.run(&arguments).messages.contains("not read"), "{told:?}");
    }
    assert_eq!(folder.read("a-labels.idx")[8..], [7, 8]);
    // Failed before: the labels were appended to the records.
    folder.write("x.npy", &npy("|u1", false, &[2], &[1, 2]));
    folder.write("y.npy", &npy("|u1", false, &[2], &[7, 8]));
    assert_eq!(
        folder.refused(&["x.npy", "y.npy", "-o", "b.idx"]),
        "x.npy: y.npy may have the labels of x.npy; if so, give only x.npy as input: `--labels y.npy`, or \
         `--no-labels` if all inputs are records"
    );
    folder.convert(&["x.npy", "y.npy", "--no-labels", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), file(8, &[4], &[1, 2, 7, 8]));
}

/// pandas writes classes like this with `get_dummies`. Failed before: the command asked about each column.
#[test]
fn one_hot_columns_beside_records_are_their_labels() {
    let folder = Folder::new(&[
        ("bits.csv", b"a,b,label_cat,label_dog\n5,6,0,1\n2,7,1.0,0.0\n"),
        ("words.csv", b"label_cat,label_dog,a,b\nFalse,True,5,6\nTrue,False,2,7\n"),
        ("hot.csv", b"cat,dog\nFalse,True\nTrue,False\n"),
    ]);
    let records = file(8, &[2, 2], &[5, 6, 2, 7]);
    for name in ["bits.csv", "words.csv"] {
        let outcome = folder.run(&["convert", name, "--force", "-o", "a.idx"]);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert_eq!(folder.read("a.idx"), records, "{name}");
        assert_eq!(folder.read("a-labels.idx"), file(8, &[2], &[1, 0]), "{name}");
        assert_eq!(folder.read("a-classes.txt"), b"label_cat\nlabel_dog\n");
    }
    folder.convert(&["bits.csv", "--no-labels", "-o", "b.idx"]);
    assert_eq!(folder.read("b.idx"), records);
    // One-hot labels for other records.
    let outcome = folder.run(&["convert", "b.idx", "--labels", "hot.csv", "-o", "c.idx"]);
    assert_eq!(outcome.messages, "idx: c-classes.txt: 0 cat, 1 dog\n");
    assert_eq!(folder.read("c-labels.idx"), file(8, &[2], &[1, 0]));
}
