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
