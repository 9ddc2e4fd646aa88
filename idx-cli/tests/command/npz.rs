//! NumPy's archives of arrays, such as Keras' `mnist.npz`.

use idx_tests::{file, npy};

use crate::common::Folder;

/// The checksum of zip, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xEDB8_8320 * (crc & 1)))
    })
}

/// An uncompressed archive of arrays.
pub(crate) fn archive(arrays: &[(&str, &[u64], &[u8])]) -> Vec<u8> {
    let (mut files, mut list) = (Vec::new(), Vec::new());
    for (name, shape, elements) in arrays {
        let array = npy("|u1", false, shape, elements);
        let name = format!("{name}.npy");
        let size = u32::try_from(array.len()).unwrap().to_le_bytes();
        let length = [u8::try_from(name.len()).unwrap(), 0, 0, 0];
        let fields = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..],
            &crc(&array).to_le_bytes(),
            &size,
            &size,
            &length,
        ]
        .concat();
        let start = u32::try_from(files.len()).unwrap().to_le_bytes();
        list.extend([b"PK\x01\x02\x14\0", &fields[..], &[0; 10], &start, name.as_bytes()].concat());
        files.extend([b"PK\x03\x04", &fields[..], name.as_bytes(), &array].concat());
    }
    let count = [u8::try_from(arrays.len()).unwrap(), 0];
    let sizes = [list.len(), files.len()].map(|size| u32::try_from(size).unwrap().to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0", &count[..], &count, &sizes.concat(), &[0; 2]].concat();
    [files, list, end].concat()
}

fn mnist() -> Folder {
    let zip = archive(&[("x_train", &[2, 1, 2], &[1, 2, 3, 4]), ("y_train", &[2], &[7, 3])]);
    Folder::new(&[("mnist.npz", &zip)])
}

/// Failed before: a question named an array of one of the archives.
#[test]
fn archives_are_shards_of_a_part() {
    let folder = Folder::new(&[]);
    for (name, bytes, label) in
        [("train/0", [1, 2], 7), ("train/1", [3, 4], 8), ("test/0", [5, 6], 7)]
    {
        let shard = archive(&[("x", &[1, 2], &bytes), ("y", &[1], &[label])]);
        folder.write(&format!("set/{name}.npz"), &shard);
    }
    folder.run(&["convert", "set/:train", "-qo", "train.idx"]).success();
    assert_eq!(folder.read("train.idx"), file(8, &[2, 2], &[1, 2, 3, 4]));
    assert_eq!(folder.read("train-labels.idx"), file(8, &[2], &[7, 8]));
    folder.run(&["convert", "set", "-qo", "set.npz"]).success();
    folder.run(&["convert", "set.npz:test", "-qo", "test.idx"]).success();
    assert_eq!(folder.read("test-labels.idx"), file(8, &[1], &[7]));
}

/// Failed before: the set had no parts, so the command printed nothing.
#[test]
fn an_archive_of_labels_has_no_records() {
    let zip = archive(&[("y_train", &[2], &[7, 3]), ("y_test", &[1], &[7])]);
    let folder = Folder::new(&[("y.npz", &zip)]);
    for command in ["info", "stats", "show", "convert"] {
        let (_, error) = folder.run(&[command, "y.npz", "--no-labels"]).failure();
        assert_eq!(
            error,
            "y.npz: there are only labels (y_train, y_test): `y.npz:y_train` to read one of them as records",
            "{command}"
        );
        folder.run(&["stats", "y.npz:y_train", "--no-labels"]).success();
    }
}

/// Failed before: two arrays of labels were a question, although the option chooses the labels, and the reading named
/// other labels.
#[test]
fn options_win_over_the_labels_in_an_archive() {
    let zip = archive(&[
        ("x", &[2, 1], &[1, 2]),
        ("y", &[2], &[7, 3]),
        ("labels", &[2], &[8, 4]),
        ("z", &[2], &[9, 5]),
    ]);
    let folder = Folder::new(&[("a.npz", &zip)]);
    for (options, expected) in [
        (&["--no-labels"][..], "x1\n1\n2\n"),
        (&["-l", "a.npz:z"], "label,x1\n9,1\n5,2\n"),
        (&["-l", "a.npz:labels"], "label,x1\n8,1\n4,2\n"),
    ] {
        let arguments = [&["convert", "a.npz", "-o", "-", "--to", "csv"], options].concat();
        let outcome = folder.run(&arguments);
        assert_eq!((outcome.code, outcome.output.as_str()), (Some(0), expected), "{options:?}");
        assert_eq!(outcome.messages, "idx: a.npz: only x\n", "{options:?}");
    }
}

#[test]
fn arrays_become_images_and_labels() {
    let folder = mnist();
    folder.convert(&["mnist.npz:x_train", "--labels", "mnist.npz:y_train", "-o", "images.idx"]);
    assert_eq!(folder.read("images.idx"), file(8, &[2, 1, 2], &[1, 2, 3, 4]));
    assert_eq!(folder.read("labels.idx"), file(8, &[2], &[7, 3]));
    let info = folder.run(&["info", "--json", "mnist.npz:x_train"]).success();
    assert!(info.contains(r#""shape":[2,1,2]"#), "{info}");
    for (input, expected) in [
        ("mnist.npz:z", "the archive has no array z; choose one of x_train, y_train"),
        ("mnist.npz:", "mnist.npz:: no such file"),
        ("images.idx:z", "only a NumPy archive (.npz) has named arrays"),
    ] {
        for command in ["convert", "info", "stats", "show"] {
            let (_, error) = folder.run(&[command, input]).failure();
            assert!(error.contains(expected), "{command}: {error}");
        }
    }
}

/// An archive keeps the labels, but not the names of their classes.
#[test]
fn names_of_classes_that_an_archive_lacks_are_noted() {
    let folder = Folder::new(&[
        ("own-images-idx3-ubyte", &file(8, &[2, 1, 1], &[1, 2])),
        ("own-labels-idx1-ubyte", &file(8, &[2], &[1, 0])),
        ("own-classes.txt", b"cat\ndog\n"),
    ]);
    let arguments = ["convert", "own-images-idx3-ubyte", "-o", "own.npz"];
    let messages = folder.run(&arguments).messages;
    let expected = "idx: own.npz: note: the names of the classes are not in it: 0 cat, 1 dog\n";
    assert_eq!(messages, expected);
    let quiet = [&arguments[..], &["--force", "--quiet"]].concat();
    assert_eq!(folder.run(&quiet).success(), "");
    let unlabeled = [&arguments[..], &["--force", "--no-labels"]].concat();
    assert_eq!(folder.run(&unlabeled).success(), "");
    // Each archive has a note, and an archive of two parts has only one.
    let split = ["--split", "0.5", "-o", "a.npz", "--rest", "b.npz"];
    let messages = folder.run(&[&arguments[..2], &split].concat()).messages;
    for archive in ["a.npz", "b.npz"] {
        assert!(messages.contains(&expected.replace("own.npz", archive)), "{messages}");
    }
    let split = [
        "--split",
        "0.5",
        "-o",
        "set/train-images-idx3-ubyte",
        "--rest",
        "set/t10k-images-idx3-ubyte",
    ];
    folder.run(&[&arguments[..2], &split].concat());
    let messages = folder.run(&["convert", "set/", "-o", "set.npz"]).messages;
    assert_eq!(messages.matches("are not in it").count(), 1, "{messages}");
}
