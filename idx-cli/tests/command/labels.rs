//! Labels: one column of them alone, renumbered, and those of another set.

use crate::common::Folder;
use idx_tests::{file, real_data};

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
    folder.run(&["convert", "floats", "--column", "1", "-o", "float.idx"]).success();
    assert_eq!(folder.read("float.idx"), file(0x0D, &[1], &[0; 4]));
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
    ] {
        let outcome = folder.run(&["convert", input, "--column", column, "-o", "none.idx"]);
        let (_, message) = outcome.failure();
        assert_eq!(message, format!("{input}: {expected}"));
    }
}

/// Failed before: the first column was taken without a word.
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
    let with_option = "and this row is not a single 1 and otherwise 0; choose the column of the labels with \
                       `--label-column`";
    for (arguments, message) in [
        (&["stats", "a.idx"][..], "a-labels.idx: record 0: the labels have 2 columns"),
        (&["show", "a.idx"], "a-labels.idx: record 0: the labels have 2 columns"),
        (&["stats", "x.idx", "-l", "soft.idx"], "soft.idx: record 3: the labels have 3 columns"),
        (&["show", "x.idx", "-l", "t.csv"], "t.csv: the labels have 2 columns"),
        (&["convert", "x.idx", "-l", "t.csv", "-o", "n.idx"], "t.csv: the labels have 2 columns"),
    ] {
        let (_, found) = folder.run(arguments).failure();
        assert_eq!(found, format!("{message}, {with_option}"));
    }
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
        "{labels}: the files belong to two data sets: t10k-images-idx3-ubyte.gz is MNIST test images, \
         t10k-labels-idx1-ubyte.gz is Fashion-MNIST test labels; keep each data set in a folder of its own"
    );
    let commands = [&["show", "-n", "1"][..], &["stats"], &["convert", "-o", "out.idx"]];
    for command in commands {
        let (_, message) = folder.run(&[command, &[images, "--labels", labels]].concat()).failure();
        assert_eq!(message, mixed);
    }
    // Somebody may have altered them on purpose.
    folder.run(&["show", images, "-n", "1", "--labels", "altered"]).success();
    folder.run(&["convert", images, "--labels", "altered", "-o", "out.idx"]).success();
}
