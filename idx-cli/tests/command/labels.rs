//! Labels: one column of them alone, renumbered, and those of another set.

use crate::common::Folder;
use idx_tests::{emnist_letters_test_labels, file, real_data};

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
    // As an array of NumPy, and in reports.
    folder.run(&["convert", "labels-idx2-int", "-o", "labels.npy"]).success();
    folder.run(&["convert", "labels.npy", "--column", "2", "-o", "third.idx"]).success();
    assert_eq!(folder.read("third.idx"), file(0x0C, &[2], &[0, 0, 0, 2, 0, 0, 0, 4]));
    for command in ["info", "stats"] {
        let output = folder.run(&[command, "labels-idx2-int", "--column", "0"]).success();
        assert!(output.contains("  2\n") && !output.contains("2 x 3"), "{output}");
    }
    for (input, column, expected) in [
        ("labels-idx2-int", "3", "there is no column 3; the labels have 3, counted from 0"),
        (
            "labels-idx2-int",
            "digit",
            "the columns of these labels have no names; count them from 0",
        ),
        (
            "images",
            "0",
            "there is no column 0; records with columns have 1 dimension, and these are 2 x 2 u8",
        ),
        ("floats", "0", "labels are integers, and these are f32; convert them first"),
    ] {
        let outcome = folder.run(&["convert", input, "--column", column, "-o", "none.idx"]);
        let (_, message) = outcome.failure();
        assert_eq!(message, format!("{input}: {expected}"));
    }
}

#[test]
fn labels_are_renumbered() {
    let folder = Folder::new(&[
        ("a", &images(3)),
        ("a.labels", &file(0x08, &[3], &[1, 26, 2])),
        ("b", &images(2)),
        ("b.labels", &file(0x08, &[2], &[0, 9])),
    ]);
    let convert = |arguments: &[&str]| {
        folder.run(
            &[&["convert", "-f", "-o", "out.idx", "--labels-out", "out-idx1-ubyte"], arguments]
                .concat(),
        )
    };
    convert(&["a", "--labels", "a.labels", "--add-to-labels", "-1"]).success();
    assert_eq!(folder.read("out-idx1-ubyte"), file(0x08, &[3], &[0, 25, 1]));
    // The classes are those of the new numbers.
    convert(&["a", "--labels", "a.labels", "--add-to-labels", "-1", "--only", "25"]).success();
    assert_eq!(folder.read("out-idx1-ubyte"), file(0x08, &[1], &[25]));
    let both = ["b", "a", "--labels", "b.labels", "--labels", "a.labels"];
    convert(&[&both[..], &["--add-to-labels", "0,9"]].concat()).success();
    assert_eq!(folder.read("out-idx1-ubyte"), file(0x08, &[5], &[0, 9, 10, 35, 11]));
    convert(&[&both[..], &["--add-to-labels", "100"]].concat()).success();
    assert_eq!(folder.read("out-idx1-ubyte"), file(0x08, &[5], &[100, 109, 101, 126, 102]));

    let (_, message) = convert(&["a", "--labels", "a.labels", "--add-to-labels", "-2"]).failure();
    assert!(message.contains("-1") && message.contains("--labels-as"), "{message}");
    let (_, message) = convert(&["a", "--add-to-labels", "1"]).failure();
    assert_eq!(message, "a: --add-to-labels needs labels; give them with --labels");
    // A number for each input is one for each file of labels.
    for inputs in [&["a"][..], &["a", "b"]] {
        let outcome =
            convert(&[inputs, &["--labels", "a.labels", "--add-to-labels", "1,2"]].concat());
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert!(outcome.messages.contains("--add-to-labels needs one number"), "{outcome:?}");
    }
}

#[test]
fn sets_whose_labels_mean_other_classes_are_told() {
    let letters = emnist_letters_test_labels();
    let Some(digits) =
        real_data("sets_whose_labels_mean_other_classes", "mnist/t10k-labels-idx1-ubyte.gz")
    else {
        return;
    };
    let digits = digits.canonicalize().unwrap();
    let digits = digits.to_str().unwrap();
    let folder =
        Folder::new(&[("a", &images(10_000)), ("b", &images(20_800)), ("letters", &letters)]);
    let inputs = ["convert", "a", "b", "--labels", digits, "--labels", "letters", "-o", "out.idx"];
    let join = |more: &[&str]| {
        folder.run(&[&inputs[..], &["--labels-out", "out-idx1-ubyte", "-f"], more].concat())
    };
    let outcome = join(&[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(
        outcome.messages.trim_end(),
        format!(
            "idx: letters: the labels of EMNIST letters mean other classes than the same labels of MNIST in {digits}; \
             renumber one of them with --add-to-labels"
        )
    );
    assert_eq!(join(&["--add-to-labels", "0,9"]).messages, "");
}

#[test]
fn a_list_beside_the_labels_of_a_known_set_is_told() {
    let letters = emnist_letters_test_labels();
    let folder = Folder::new(&[("b", &images(20_800)), ("letters", &letters)]);
    let lines = |name: &str| {
        let outcome = folder.run(&["convert", "b", "-l", "letters", "--only", name, "--to", "csv"]);
        (outcome.output.lines().count(), outcome.messages)
    };
    assert_eq!(lines("b"), (800, String::new()));
    let list: Vec<String> = (0..27).map(|number| format!("name {number}\n")).collect();
    folder.write("classes.txt", list.concat().as_bytes());
    let note = "idx: classes.txt: these names are used for the labels of EMNIST letters\n";
    assert_eq!(lines("name 2"), (800, note.to_string()));
}

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
        "{labels}: the files belong to two data sets: t10k-images-idx3-ubyte.gz is MNIST test images, \
         t10k-labels-idx1-ubyte.gz is Fashion-MNIST test labels; keep each data set in a folder of its own"
    );
    let commands = [
        &["show", "-n", "1"][..],
        &["stats"],
        &["convert", "-o", "out.idx", "--labels-out", "l.idx"],
    ];
    for command in commands {
        let (_, message) = folder.run(&[command, &[images, "--labels", labels]].concat()).failure();
        assert_eq!(message, mixed);
    }
    let (_, message) = folder.run(&["show", images, "--labels", "altered"]).failure();
    assert_eq!(
        message,
        "altered: these are not the labels of t10k-images-idx3-ubyte.gz, which is MNIST test images; use the matching \
         files, or download both again"
    );
    // Somebody may have altered them on purpose.
    let convert = [
        "convert",
        images,
        "--labels",
        "altered",
        "-o",
        "out.idx",
        "--labels-out",
        "out-idx1-ubyte",
    ];
    folder.run(&convert).success();
}
