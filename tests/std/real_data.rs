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

/// The sums are published nowhere, but easy to compute again from `zcat FILE | tail -c +17 | od`.
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
fn pixels_are_the_same_however_they_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, count, expected) in IMAGES {
        let Some(zipped) = real_data("pixels_are_the_same_however_they_are_read", name) else {
            return;
        };
        let whole = idx_std::open(&zipped).unwrap();
        let payload = whole.as_idx().payload();
        assert_eq!(sum(payload), expected, "untyped, whole");
        // Only the smallest file is read in all other ways, which take long without optimization.
        if count > 10_000 {
            continue;
        }
        let plain = folder.path().join("plain.gz"); // the name says nothing
        fs::write(&plain, whole.bytes()).unwrap();
        for path in [&zipped, &plain] {
            let buffer = idx_std::open(path).unwrap();
            let idx = buffer.as_idx();
            assert!(idx.header().dims().iter().eq([count, 28, 28]));
            assert!(idx.payload() == payload, "untyped, whole");

            let digits: Records<Digit> = buffer.records().unwrap();
            let borrowed = digits.as_slice().iter().map(|digit| digit.0.as_flattened());
            assert!(borrowed.eq(payload.chunks_exact(784)), "typed, borrowed");
            let mut expected = payload.chunks_exact(784);
            let mut is_next = |digit: Digit| expected.next() == Some(digit.0.as_flattened());
            assert!(digits.iter().all(&mut is_next), "typed, by value");
            assert!(expected.next().is_none(), "typed, by value");

            let numbers = idx_std::load::<u8>(path).unwrap();
            assert_eq!(numbers.shape(), [count as usize, 28, 28]);
            assert!(numbers[..] == *payload, "loaded");

            let mut expected = payload.chunks_exact(784);
            let mut is_next = |digit: Digit| expected.next() == Some(digit.0.as_flattened());
            let mut streamed = Reader::open(path).unwrap().records::<Digit>().unwrap();
            assert!(streamed.all(|digit| is_next(digit.unwrap())), "typed, streamed");
            assert!(expected.next().is_none(), "typed, streamed");

            let mut reader = Reader::open(path).unwrap();
            let mut expected = payload.chunks_exact(784);
            while let Some(record) = reader.next_record() {
                assert!(Some(record.unwrap()) == expected.next(), "untyped, streamed");
            }
            assert!(expected.next().is_none(), "untyped, streamed");
        }
        // SAFETY: the file is in a folder that only this test knows.
        let mapped = unsafe { MappedFile::open(&plain) }.and_then(IdxBuf::from_mapped).unwrap();
        assert!(mapped.as_idx().payload() == payload, "mapped");
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
        ("mnist/t10k-images-idx3-ubyte.gz", 10_000, 784),
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
        // The content of the file, by another project's decompressor.
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
