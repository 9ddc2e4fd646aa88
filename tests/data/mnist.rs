//! Data sets found in folders, compared and checked: made-up ones and real ones.

use std::fs::{self, File};
use std::io::{self, Write};
use std::thread;

use idx_data::dataset::mnist::{Image, QmnistLabel};
use idx_data::dataset::{Mnist, identify};
use idx_data::{Error, ErrorKind, Labeled, open_pair};
use idx_std::{IdxBuf, MappedFile, Reader, load, open};
use idx_tests::{
    Files, data_set, emnist_letters_test_labels, file, folder, labels, real_data, spellings,
};

/// Images of 28 x 28, each with its number in its first row, and a 7 at the start of the second.
fn images(count: u8) -> Vec<u8> {
    let mut payload = Vec::new();
    for number in 0..count {
        let mut image: Image = [[0; 28]; 28];
        image[0] = [number; 28];
        image[1][0] = 7;
        payload.extend(image.as_flattened());
    }
    file(0x08, &[count.into(), 28, 28], &payload)
}

fn good(prefix: &str, test: &str) -> Files {
    data_set(prefix, test, images)
}

#[test]
fn a_data_set_is_opened_in_every_spelling() {
    for (prefix, test, classes) in [
        ("", "t10k", 0..=9),
        ("", "test", 0..=9),
        ("fashion-", "t10k", 0..=9),
        ("emnist-letters-", "test", 1..=26),
        ("emnist-balanced-", "test", 0..=46),
        ("emnist-byclass-", "test", 0..=61),
        // The classes of one's own set are those of its labels.
        ("my-own-", "test", 1..=9),
    ] {
        for files in spellings(&good(prefix, test)) {
            let folder = folder(&files);
            let mnist = Mnist::open(folder.path()).unwrap();
            let labels: Vec<u8> = mnist.training.iter().map(|(_, label)| label).collect();
            assert_eq!(labels, [1, 9, 5]);
            let (image, label) = mnist.test.get(1).unwrap();
            assert_eq!((image[0], image[1][0], label), ([1; 28], 7, 7));
            assert_eq!(mnist.classes(), classes);
            assert!(mnist.test.get(2).is_none());
        }
    }
}

#[test]
fn names_of_classes_come_along() {
    let folder = folder(&good("", "t10k"));
    let names: String = ('a'..='j').flat_map(|name| [name, '\n']).collect();
    fs::write(folder.path().join("classes.txt"), names).unwrap();
    let mnist = Mnist::open(folder.path()).unwrap();
    assert_eq!(mnist.training.only(["b", "f"]).unwrap().labels().collect::<Vec<_>>(), [1, 5]);
    assert_eq!(mnist.test.classes().unwrap().name(7), Some("h"));
}

/// `Mnist` finds a set as `open_set` does.
#[test]
fn a_data_set_is_named_by_its_path() {
    let mut files = [good("emnist-letters-", "test"), good("emnist-digits-", "test")].concat();
    let several = folder(&files);
    let at = |name: &str| several.path().join(name);
    assert_eq!(Mnist::open(at(":letters")).unwrap().classes(), 1..=26);
    assert_eq!(Mnist::open(at(":emnist-digits")).unwrap().classes(), 0..=9);
    for (path, problem) in [
        (several.path(), "this folder has several data sets"),
        (&at(":balanced"), "there is no balanced in this folder"),
    ] {
        let error = Mnist::open(path).unwrap_err();
        assert_eq!(error.path(), Some(several.path()));
        let choices = "choose `part(\"emnist-digits\")`, or `part(\"emnist-letters\")`";
        assert_eq!(error.kind().to_string(), format!("{problem}; {choices}"));
    }
    // Files without a prefix have no name that chooses both parts.
    files.extend(good("", "t10k"));
    let several = folder(&files);
    let error = Mnist::open(several.path().join(":train")).unwrap_err();
    assert!(error.to_string().contains("four files of one set in IDX; give a folder"), "{error}");
    let error = Mnist::open(several.path()).unwrap_err();
    let choices =
        "data sets; choose `part(\"train\")`, or `part(\"test\")`, or `part(\"emnist-digits\")`, ";
    assert!(error.to_string().contains(choices), "{error}");
    let error = Mnist::open(at("none:letters")).unwrap_err();
    assert_eq!(error.kind().io_kind(), io::ErrorKind::NotFound, "{error}");

    // As torchvision leaves them.
    let parent = tempfile::tempdir().unwrap();
    for (set, prefix) in [("A", ""), ("B", "fashion-")] {
        let raw = parent.path().join(set).join("raw");
        fs::create_dir_all(&raw).unwrap();
        for (name, bytes) in good(prefix, "t10k") {
            fs::write(raw.join(name), bytes).unwrap();
        }
        assert_eq!(Mnist::open(parent.path().join(set)).unwrap().training.len(), 3);
        if set == "A" {
            assert_eq!(Mnist::open(parent.path()).unwrap().training.len(), 3);
        }
    }
    let error = Mnist::open(parent.path()).unwrap_err();
    assert!(error.to_string().contains("has several data sets: A, B; give one"), "{error}");
}

#[test]
fn transposed_images_are_righted() {
    let folder = folder(&good("emnist-letters-", "test"));
    let letters = Mnist::open_transposed(folder.path()).unwrap();
    for set in [&letters.training, &letters.test] {
        for (number, (image, _)) in (0..).zip(set.iter()) {
            assert_eq!(image.map(|row| row[0]), [number; 28]);
            assert_eq!(image[0][1], 7);
            assert!(image.iter().all(|row| row[2..] == [0; 26]));
        }
    }
}

/// Returns the error about a good data set after this file was replaced or removed.
#[track_caller]
fn error_with(prefix: &str, name: &str, bytes: Option<Vec<u8>>) -> Error {
    let mut files = good(prefix, "t10k");
    files.retain(|(other, _)| other != name);
    assert_eq!(files.len(), 3);
    files.extend(bytes.map(|bytes| (name.to_string(), bytes)));
    let folder = folder(&files);
    let error = Mnist::open(folder.path()).unwrap_err();
    assert!(error.path().unwrap().starts_with(folder.path()));
    error
}

#[test]
fn what_is_wrong_with_a_data_set_is_said_with_the_numbers() {
    let (train_labels, test_images) = ("train-labels-idx1-ubyte", "t10k-images-idx3-ubyte");
    for (name, bytes, message) in [
        (
            train_labels,
            None,
            "the training labels are missing: neither train-labels-idx1-ubyte nor \
             train-labels.idx1-ubyte exists, plain or .gz; download the file, or correct its name",
        ),
        (
            train_labels,
            Some(labels(&[1, 2])),
            "2 labels for the 3 records of train-images-idx3-ubyte; use the matching files, or leave the labels out",
        ),
        (
            train_labels,
            Some(labels(&[1, 10, 11])),
            "record 1 has the label 10, but files with this name have 0 to 9; correct it, or use a prefix for another \
             set, as in my-train-images-idx3-ubyte",
        ),
        (
            train_labels,
            Some(file(0x0C, &[3], &[0; 12])),
            "element type mismatch: i32 in the file but u8 in the record type; change the record type",
        ),
        (
            test_images,
            Some(file(0x08, &[2, 28, 27], &[0; 2 * 28 * 27])),
            "shape mismatch: dimension 2 is 27 in the file but 28 in the record type; change the record type",
        ),
        (
            test_images,
            Some(labels(&[1, 2])),
            "this has the shape of labels; are images and labels swapped?",
        ),
        (
            test_images,
            Some(images(2)[..1000].to_vec()),
            "the payload is truncated: expected 1568 bytes, found 984 (584 missing); download or copy the file again (after 1 whole record)",
        ),
    ] {
        assert_eq!(error_with("", name, bytes).sentence(), message);
    }
    let letters = "emnist-letters-";
    for (label, message) in [(0, "the label 0"), (27, "the label 27")] {
        let name = "emnist-letters-train-labels-idx1-ubyte";
        let error = error_with(letters, name, Some(labels(&[1, 26, label])));
        assert!(error.kind().to_string().contains(message), "{error}");
        assert!(error.kind().to_string().contains("1 to 26"), "{error}");
    }

    let mut files = good("", "t10k");
    for (_, bytes) in files.iter_mut().step_by(2) {
        let count = u32::from(bytes[7]);
        *bytes = file(0x08, &[count, 2, 2], &vec![0; 4 * count as usize]);
    }
    let error = Mnist::open(folder(&files).path()).unwrap_err();
    assert_eq!(
        error.kind().to_string(),
        "shape mismatch: dimension 1 is 2 in the file but 28 in the record type; change the record type"
    );
    let empty = tempfile::tempdir().unwrap();
    let error = Mnist::open(empty.path()).unwrap_err();
    assert!(error.to_string().contains("this folder has no pictures"), "{error}");
    let error = Mnist::open(empty.path().join("none")).unwrap_err();
    assert_eq!(error.kind().io_kind(), io::ErrorKind::NotFound, "{error}");
}

#[test]
fn well_known_labels_are_known_by_their_hash() {
    // EMNIST's letters under MNIST's names, with empty images.
    let mut files = good("", "t10k");
    let count = 26 * 800;
    files[2].1 = file(0x08, &[count, 28, 28], &vec![0; count as usize * 784]);
    files[3].1 = emnist_letters_test_labels();
    let mnist = Mnist::open(folder(&files).path()).unwrap();
    let counts = mnist.test.class_counts();
    assert!(counts.into_iter().eq((1..=26).map(|class| (class, 800))));
}

#[test]
fn real_mnist() {
    let Some(file) = real_data("real_mnist", "mnist/train-images-idx3-ubyte.gz") else {
        return;
    };
    let folder = file.parent().unwrap();
    let mnist = Mnist::open(folder).unwrap();
    assert_eq!((mnist.training.len(), mnist.test.len()), (60_000, 10_000));
    assert_eq!(mnist.classes(), 0..=9);
    // As published, for example by torchvision's users.
    let summary = mnist.training.summary();
    let scaled = |value: Option<f64>| (value.unwrap() / 255.0 * 1e4).round() / 1e4;
    assert_eq!((scaled(summary.mean), scaled(summary.standard_deviation)), (0.1307, 0.3081));

    let shuffled = mnist.training.shuffled(1);
    let first: Vec<usize> = (0..8).filter_map(|index| shuffled.file_index(index)).collect();
    assert_eq!(first, FIRST_OF_60_000);
    let [training, validation, test] = shuffled.stratified().split([0.8, 0.1, 0.1]).unwrap();
    assert_eq!([training.len(), validation.len(), test.len()], [48_000, 6_000, 6_000]);
    for (class, count) in mnist.training.class_counts() {
        let exact = u32::try_from(count).map(f64::from).unwrap() / 10.0;
        for part in [&validation, &test] {
            let found = u32::try_from(part.class_counts()[&class]).unwrap();
            assert!((f64::from(found) - exact).abs() <= 2.0, "{class}: {found}");
        }
    }
    let mut together: Vec<usize> = [training, validation, test]
        .iter()
        .flat_map(|part| (0..part.len()).filter_map(|index| part.file_index(index)))
        .collect();
    together.sort_unstable();
    assert!(together.into_iter().eq(0..60_000));

    // The same in batches that are streamed.
    let labels = folder.join("train-labels-idx1-ubyte.gz");
    let mut pairs = open_pair(file, labels).unwrap();
    let mut in_memory = mnist.training.iter();
    while let Some(batch) = pairs.next_batch::<Image, u8>(1000).unwrap() {
        assert!(batch.iter().eq(in_memory.by_ref().take(1000)));
    }
    assert_eq!(in_memory.len(), 0);
}

/// Computed by a program in another language.
const FIRST_OF_60_000: [usize; 8] = [20_199, 51_310, 19_294, 2_486, 35_803, 4_331, 32_194, 22_552];

#[test]
fn real_files_are_read_in_parts_by_threads() {
    let test = "real_files_are_read_in_parts_by_threads";
    let Some(zipped) = real_data(test, "mnist/t10k-images-idx3-ubyte.gz") else {
        return;
    };
    let Some(labels) = real_data(test, "mnist/t10k-labels-idx1-ubyte.gz") else {
        return;
    };
    let whole = open(&zipped).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("images");
    fs::write(&plain, whole.bytes()).unwrap();
    for path in [&plain, &zipped] {
        for parts in [1, 2, 3, 7] {
            let ranges = Reader::open(path).unwrap().partition(parts);
            let part = |range| {
                let mut reader = Reader::open(path).unwrap();
                reader.select(range).unwrap();
                let mut bytes = Vec::new();
                while let Some(records) = reader.next_records() {
                    bytes.extend_from_slice(records.unwrap());
                }
                bytes
            };
            let together: Vec<u8> = thread::scope(|scope| {
                let threads: Vec<_> =
                    ranges.map(|range| scope.spawn(move || part(range))).collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
            });
            assert!(together == whole.as_idx().payload(), "{parts} parts");
        }
    }
    let pairs = open_pair(&plain, &labels).unwrap().select(9_998..10_000).unwrap();
    let set = Labeled::<Image, u8>::open(&plain, &labels).unwrap();
    let [_, last] = set.split([9_998, 2]).unwrap();
    assert!(pairs.collect::<Image, u8>().unwrap().iter().eq(last.iter()));
    // A plain file that is mapped becomes a set without being read.
    // SAFETY: nobody else knows the folder.
    let mapped = unsafe { MappedFile::open(&plain) }.and_then(IdxBuf::from_mapped).unwrap();
    let mapped = Labeled::<Image, u8>::new(mapped, open(&labels).unwrap()).unwrap();
    assert!(mapped.iter().eq(set.iter()));
}

#[test]
fn real_fashion_mnist_and_a_mixture() {
    let test = "real_fashion_mnist_and_a_mixture";
    let Some(fashion) = real_data(test, "fashion-mnist/train-images-idx3-ubyte.gz") else {
        return;
    };
    let Some(digits) = real_data(test, "mnist/train-images-idx3-ubyte.gz") else {
        return;
    };
    let (fashion, digits) = (fashion.parent().unwrap(), digits.parent().unwrap());
    let clothes = Mnist::open(fashion).unwrap();
    let counts = clothes.training.class_counts();
    assert!(counts.into_iter().eq((0..10).map(|class| (class, 6_000))));
    let few = clothes.training.per_class(10).unwrap();
    assert!(few.class_counts().into_values().eq([10; 10]));

    // Same names, same sizes; only the hash tells them apart.
    let mixed = tempfile::tempdir().unwrap();
    for (from, name) in [
        (digits, "train-images-idx3-ubyte.gz"),
        (digits, "train-labels-idx1-ubyte.gz"),
        (fashion, "t10k-images-idx3-ubyte.gz"),
        (digits, "t10k-labels-idx1-ubyte.gz"),
    ] {
        fs::copy(from.join(name), mixed.path().join(name)).unwrap();
    }
    assert_eq!(
        Mnist::open(mixed.path()).unwrap_err().kind().to_string(),
        "t10k-images-idx3-ubyte.gz is Fashion-MNIST test images, \
         t10k-labels-idx1-ubyte.gz is MNIST test labels; use the files of one set"
    );

    let both = tempfile::tempdir().unwrap();
    for name in ["train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"] {
        let zipped = format!("{name}-ubyte.gz");
        fs::copy(digits.join(&zipped), both.path().join(&zipped)).unwrap();
        let plain = open(fashion.join(&zipped)).unwrap();
        fs::write(both.path().join(format!("{name}-ubyte")), plain.bytes()).unwrap();
    }
    let error = Mnist::open(both.path()).unwrap_err();
    assert_eq!(error.kind().code(), "several_files", "{error}");
}

#[test]
fn real_labels_of_eight_columns() {
    let test = "real_labels_of_eight_columns";
    let Some(qmnist) = real_data(test, "qmnist/qmnist-test-labels-idx2-int.gz") else {
        return;
    };
    let Some(mnist) = real_data(test, "mnist/t10k-labels-idx1-ubyte.gz") else {
        return;
    };
    let known = identify(&qmnist).unwrap().unwrap();
    assert_eq!(known.to_string(), "QMNIST test labels");
    let mnist_labels = load::<u8>(mnist).unwrap();
    // The images of QMNIST are not at hand; blank ones take no room.
    let mut files = good("qmnist-", "test");
    files.truncate(2);
    let folder = folder(&files);
    let images = folder.path().join("qmnist-test-images-idx3-ubyte");
    let mut blank = File::create(&images).unwrap();
    blank.write_all(&file(0x08, &[60_000, 28, 28], &[])).unwrap();
    blank.set_len(16 + 60_000 * 784).unwrap();
    let labels = folder.path().join("qmnist-test-labels-idx2-int.gz");
    // `fs::copy` would keep the mode of the file, which may be read-only.
    fs::write(&labels, fs::read(&qmnist).unwrap()).unwrap();

    let set = Mnist::open(folder.path()).unwrap();
    let [reconstructed, _] = set.test.split([10_000, 50_000]).unwrap();
    // The first 10,000 are MNIST's test digits.
    let classes = reconstructed.iter().map(|(_, label)| label);
    assert!(classes.eq(mnist_labels.iter().copied()));

    let all_columns = Labeled::<Image, QmnistLabel>::open(&images, &labels).unwrap();
    assert_eq!(all_columns.class_counts(), set.test.class_counts());
    let (_, label) = all_columns.get(1).unwrap();
    assert_eq!(label.as_slice(), &open(&labels).unwrap().to_vec::<i32>().unwrap()[8..16]);

    // An unknown class is refused with its record, however wide it is.
    let mut bytes = open(&labels).unwrap().bytes().to_vec();
    bytes[12 + 32 * 7] = 1;
    fs::remove_file(&labels).unwrap();
    fs::write(folder.path().join("qmnist-test-labels-idx2-int"), bytes).unwrap();
    let error = Mnist::open(folder.path()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::LabelNotAllowed { record: 7, .. }), "{error}");
}
