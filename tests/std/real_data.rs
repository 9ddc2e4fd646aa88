//! The data sets that everyone has: MNIST, Fashion-MNIST and QMNIST, typed and untyped, plain and
//! gzip, whole and streamed.

use std::fs;
use std::io::Read;
use std::process::Command;

use idx_std::{IdxBuf, IdxRecord, MappedFile, Reader, Records, Writer};
use idx_tests::real_data;

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Debug, PartialEq)]
struct QmnistLabel {
    class: i32,
    series: i32,
    writer: i32,
    digit: i32,
    nist_class: i32,
    nist_index: i32,
    duplicate: i32,
    unused: i32,
}

/// Sums are those of `zcat FILE | tail -c +17 | od`, published nowhere but easy to compute again.
const IMAGES: [(&str, u32, u64); 3] = [
    ("mnist/train-images-idx3-ubyte.gz", 60_000, 1_567_298_545),
    ("mnist/t10k-images-idx3-ubyte.gz", 10_000, 264_923_200),
    ("fashion-mnist/train-images-idx3-ubyte.gz", 60_000, 3_431_114_169),
];

const ALL: [&str; 9] = [
    "mnist/train-images-idx3-ubyte.gz",
    "mnist/train-labels-idx1-ubyte.gz",
    "mnist/t10k-images-idx3-ubyte.gz",
    "mnist/t10k-labels-idx1-ubyte.gz",
    "fashion-mnist/train-images-idx3-ubyte.gz",
    "fashion-mnist/train-labels-idx1-ubyte.gz",
    "fashion-mnist/t10k-images-idx3-ubyte.gz",
    "fashion-mnist/t10k-labels-idx1-ubyte.gz",
    "qmnist/qmnist-test-labels-idx2-int.gz",
];

fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().map(|byte| u64::from(*byte)).sum()
}

#[test]
fn pixels_add_up_however_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, count, expected) in IMAGES {
        let Some(zipped) = real_data("pixels_add_up_however_they_are_read", name) else {
            return;
        };
        let plain = folder.path().join("plain.gz"); // the name says nothing
        fs::write(&plain, idx_std::open(&zipped).unwrap().bytes()).unwrap();
        for path in [&zipped, &plain] {
            let buffer = idx_std::open(path).unwrap();
            let idx = buffer.as_idx();
            assert!(idx.header().dims().iter().eq([count, 28, 28]));
            assert_eq!(sum(idx.payload()), expected, "untyped, whole");

            let digits: Records<Digit> = buffer.records().unwrap();
            let borrowed = digits.as_slice().iter().map(|digit| sum(digit.0.as_flattened()));
            assert_eq!(borrowed.sum::<u64>(), expected, "typed, borrowed");
            let copied = digits.iter().map(|digit| sum(digit.0.as_flattened()));
            assert_eq!(copied.sum::<u64>(), expected, "typed, by value");

            let numbers = idx_std::load::<u8>(path).unwrap();
            assert_eq!(numbers.shape(), [count as usize, 28, 28]);
            assert_eq!(sum(&numbers), expected, "loaded");

            let streamed = Reader::open(path).unwrap().records::<Digit>().unwrap();
            let streamed = streamed.map(|digit| sum(digit.unwrap().0.as_flattened()));
            assert_eq!(streamed.sum::<u64>(), expected, "typed, streamed");

            let mut reader = Reader::open(path).unwrap();
            let mut total = 0;
            while let Some(record) = reader.next_record() {
                total += sum(record.unwrap());
            }
            assert_eq!(total, expected, "untyped, streamed");
        }
        // SAFETY: the file is in a folder that only this test knows.
        let mapped = unsafe { MappedFile::open(&plain) }.and_then(IdxBuf::from_mapped).unwrap();
        assert_eq!(sum(mapped.as_idx().payload()), expected, "mapped");
    }
}

#[test]
fn labels_are_those_of_the_training_set() {
    let name = "mnist/train-labels-idx1-ubyte.gz";
    let Some(path) = real_data("labels_are_those_of_the_training_set", name) else {
        return;
    };
    let buffer = idx_std::open(&path).unwrap();
    let labels = buffer.records::<Label>().unwrap();
    let first: Vec<u8> = labels.iter().take(10).map(|label| label.0).collect();
    assert_eq!(first, [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]);

    let mut counts = [0; 10];
    for label in Reader::open(&path).unwrap().records::<Label>().unwrap() {
        counts[usize::from(label.unwrap().0)] += 1;
    }
    assert_eq!(counts, [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]);
    assert_eq!(
        labels.as_slice(),
        Reader::open(&path)
            .unwrap()
            .records::<Label>()
            .unwrap()
            .map(Result::unwrap)
            .collect::<Vec<Label>>()
    );
}

#[test]
fn columns_have_names() {
    let name = "qmnist/qmnist-test-labels-idx2-int.gz";
    let Some(path) = real_data("columns_have_names", name) else {
        return;
    };
    let buffer = idx_std::open(&path).unwrap();
    let labels = buffer.records::<QmnistLabel>().unwrap();
    assert_eq!(labels.len(), 60_000);
    let first = QmnistLabel {
        class: 7,
        series: 4,
        writer: 2578,
        digit: 69,
        nist_class: 37,
        nist_index: 279_260,
        duplicate: 0,
        unused: 0,
    };
    assert_eq!(labels.get(0).as_ref(), Some(&first));
    assert_eq!(
        Reader::open(&path).unwrap().records::<QmnistLabel>().unwrap().next().unwrap().unwrap(),
        first
    );
    assert_eq!(buffer.to_vec::<i32>().unwrap()[..8], [7, 4, 2578, 69, 37, 279_260, 0, 0]);
}

#[test]
fn matrices_have_the_sizes_of_praat() {
    let test = "matrices_have_the_sizes_of_praat";
    for (name, rows, columns) in [
        ("mnist/train-images-idx3-ubyte.gz", 60_000, 784),
        ("mnist/train-labels-idx1-ubyte.gz", 1, 60_000),
        ("qmnist/qmnist-test-labels-idx2-int.gz", 60_000, 8),
    ] {
        let Some(path) = real_data(test, name) else {
            return;
        };
        let buffer = idx_std::open(&path).unwrap();
        let matrix = buffer.to_matrix().unwrap();
        assert_eq!(matrix.shape(), [rows, columns]);
        assert_eq!(matrix.len(), rows * columns);
        let payload = buffer.as_idx().payload();
        let element_type = buffer.as_idx().header().element_type();
        let exact = payload
            .chunks_exact(element_type.size())
            .zip(&matrix)
            .all(|(bytes, value)| element_type.value(bytes) == Some(*value));
        assert!(exact, "{name}");
    }
}

#[test]
fn all_files_are_written_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    for name in ALL {
        let Some(path) = real_data("all_files_are_written_as_they_were", name) else {
            return;
        };
        // What the file holds, by a decompressor that is not ours.
        let mut original = Vec::new();
        flate2::read::MultiGzDecoder::new(fs::File::open(&path).unwrap())
            .read_to_end(&mut original)
            .unwrap();

        let copy = |target: &str| {
            let target = folder.path().join(target);
            let mut reader = Reader::open(&path).unwrap();
            let header = reader.header();
            let mut writer = Writer::create(&target, header.element_type(), header.dims()).unwrap();
            while let Some(record) = reader.next_record() {
                writer.push_bytes(record.unwrap()).unwrap();
            }
            writer.finish().unwrap();
            target
        };
        assert!(fs::read(copy("plain")).unwrap() == original, "{name}, plain");
        let zipped = copy("zipped.gz");
        assert!(idx_std::open(&zipped).unwrap().bytes() == original, "{name}, gzip");
        if let Ok(output) = Command::new("gzip").arg("-dc").arg(&zipped).output() {
            assert!(output.status.success(), "gzip -dc of {name}");
            assert!(output.stdout == original, "gzip -dc of {name}");
        }
    }
}
