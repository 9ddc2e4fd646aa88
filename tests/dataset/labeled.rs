//! Images with their labels: split, shuffled, in batches, as numbers, streamed.

use std::fs;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use idx_data::dataset::mnist::Image;
use idx_data::{Error, ErrorKind, Labeled, LabeledReader, Normalize, SplitSize};
use idx_std::{IdxBuf, Reader};
use idx_tests::{file, gzip};
use tempfile::TempDir;

/// Images of 28 x 28, each of which is full of its number.
fn images(count: u8) -> Vec<u8> {
    let payload: Vec<u8> = (0..count).flat_map(|number| [number; 28 * 28]).collect();
    file(0x08, &[count.into(), 28, 28], &payload)
}

fn labels(labels: &[u8]) -> Vec<u8> {
    file(0x08, &[labels.len().try_into().unwrap()], labels)
}

/// Ten images of one pixel, the number of the image, with these labels.
fn ten(classes: [u8; 10]) -> Labeled<u8, u8> {
    let images = file(0x08, &[10], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let images = IdxBuf::from_bytes(images).unwrap();
    Labeled::new(images, IdxBuf::from_bytes(labels(&classes)).unwrap()).unwrap()
}

fn records(set: &Labeled<u8, u8>) -> Vec<u8> {
    for (index, (image, label)) in set.iter().enumerate() {
        assert_eq!(set.get(index), Some((image, label)));
        assert_eq!(set.image(index), Some(&image));
        assert_eq!(set.image_bytes(index), Some(&[image][..]));
        assert_eq!(set.label(index), Some(label));
        assert_eq!(set.class(index), Some(label.into()));
        assert_eq!(set.file_index(index), Some(image.into()));
    }
    let beyond = set.len();
    assert!(set.get(beyond).is_none() && set.image(beyond).is_none());
    assert!(set.label(beyond).is_none() && set.class(beyond).is_none());
    assert!(set.file_index(beyond).is_none() && set.image_bytes(beyond).is_none());
    set.iter().map(|(image, _)| image).collect()
}

/// The error of a file of the data set.
#[track_caller]
fn file_kind(error: &Error) -> &idx_std::ErrorKind {
    match error.kind() {
        ErrorKind::File(error) => error.kind(),
        _ => panic!("{error}"),
    }
}

#[test]
fn subsets_are_orders_of_the_same_records() {
    let set = ten([0, 1, 0, 1, 0, 1, 0, 1, 2, 2]);
    assert_eq!(records(&set), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let odd = set.of_classes(&[1]);
    assert_eq!(records(&odd), [1, 3, 5, 7]);
    assert_eq!(records(&set.of_classes(&[2, 0])), [0, 2, 4, 6, 8, 9]);
    assert!(set.of_classes(&[3]).is_empty());
    assert_eq!(records(&set.subset([9, 0, 9]).unwrap()), [9, 0, 9]);
    assert_eq!(records(&odd.subset([3, 2]).unwrap()), [7, 5]);
    let error = odd.subset([0, 4]).unwrap_err();
    assert!(
        matches!(
            file_kind(&error),
            idx_std::ErrorKind::IndexOutOfRange { record: 4, count: 4, .. }
        ),
        "{error}"
    );
    assert_eq!(records(&set.per_class(2).unwrap()), [0, 1, 2, 3, 8, 9]);
    assert!(set.per_class(0).unwrap().is_empty());
    assert_eq!(
        set.per_class(3).unwrap_err().message(),
        "class 2 has only 2 records, but 3 were requested; use fewer"
    );
    assert!(set.class_counts().into_iter().eq([(0, 4), (1, 4), (2, 2)]));
}

#[test]
fn splits_by_count_and_by_fraction() {
    let set = ten([0; 10]);
    let lengths = |parts: &[Labeled<u8, u8>]| parts.iter().map(Labeled::len).collect::<Vec<_>>();
    let parts = set.split([7, 2, 1]).unwrap();
    let parts: Vec<Vec<u8>> = parts.iter().map(records).collect();
    assert_eq!(parts, [vec![0, 1, 2, 3, 4, 5, 6], vec![7, 8], vec![9]]);
    assert_eq!(lengths(&set.split([2, 3]).unwrap()), [2, 3]);
    assert_eq!(lengths(&set.split([10, 0]).unwrap()), [10, 0]);
    // Sums that are 1 only nearly lose nothing.
    assert_eq!(lengths(&set.split([0.7, 0.2, 0.1]).unwrap()), [7, 2, 1]);
    let thirds = set.split([1.0 / 3.0; 3]).unwrap();
    assert_eq!(lengths(&thirds), [3, 4, 3]);
    assert_eq!(lengths(&set.split([0.1; 10]).unwrap()), [1; 10]);
    assert_eq!(lengths(&set.split([0.25]).unwrap()), [3]);
    let mixed = set.split([SplitSize::Count(1), SplitSize::Fraction(0.5)]).unwrap();
    assert_eq!(lengths(&mixed), [1, 5]);
    // Part of a part.
    let [_, back] = set.split([4, 6]).unwrap();
    let [front, _] = back.split([0.5, 0.5]).unwrap();
    assert_eq!(records(&front), [4, 5, 6]);

    for (error, message) in [
        (
            set.split([10, 1]).unwrap_err(),
            "the set has only 10 records, but 11 were requested; use fewer",
        ),
        (
            set.split([u32::MAX as usize, 0]).unwrap_err(),
            "the set has only 10 records, but 4294967295 were requested; use fewer",
        ),
        (
            set.split([0.6, 0.6]).unwrap_err(),
            "the set has only 10 records, but 12 were requested; use fewer",
        ),
        (set.split([-0.1]).unwrap_err(), "-0.1 is not a valid fraction; use a number from 0 to 1"),
        (
            set.split([f64::NAN]).unwrap_err(),
            "NaN is not a valid fraction; use a number from 0 to 1",
        ),
    ] {
        assert_eq!(error.message(), message);
    }
}

/// If this fails, users who trained with a seed will not get the same order again.
#[test]
fn a_seed_means_the_same_order_for_ever() {
    let set = ten([0; 10]);
    assert_eq!(records(&set.shuffled(0)), SEED_0);
    assert_eq!(records(&set.shuffled(1)), SEED_1);
    let [_, back] = set.split([5, 5]).unwrap();
    let mut shuffled = records(&back.shuffled(0));
    shuffled.sort_unstable();
    assert_eq!(shuffled, [5, 6, 7, 8, 9]);
    assert!(set.split([0, 10]).unwrap()[0].shuffled(0).is_empty());
}

/// By a program in another language.
const SEED_0: [u8; 10] = [4, 9, 2, 5, 1, 7, 6, 0, 3, 8];

const SEED_1: [u8; 10] = [9, 0, 1, 4, 8, 2, 3, 7, 6, 5];

#[test]
fn a_stratified_split_has_of_each_class_its_share() {
    // Sorted by class, as EMNIST's test labels are.
    let set = ten([0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
    let [front, back] = set.stratified().split([5, 5]).unwrap();
    for part in [front, back] {
        assert!(part.class_counts().into_iter().eq([(0, 2), (1, 2), (2, 1)]));
    }
    let stratified = set.stratified();
    assert_eq!(records(&stratified), [0, 4, 8, 1, 5, 2, 6, 9, 3, 7]);
    // Within the classes the order stays.
    let shuffled = set.shuffled(5);
    for class in 0..3 {
        let order = |set: &Labeled<u8, u8>| records(&set.of_classes(&[class]));
        assert_eq!(order(&shuffled.stratified()), order(&shuffled));
    }
}

#[test]
fn batches_cover_the_set() {
    let set = ten([0; 10]).shuffled(1);
    for (size, lengths) in [
        (0, vec![1; 10]),
        (1, vec![1; 10]),
        (4, vec![4, 4, 2]),
        (5, vec![5, 5]),
        (10, vec![10]),
        (usize::MAX, vec![10]),
    ] {
        let batches: Vec<_> = set.batches(size).collect();
        assert_eq!(set.batches(size).len(), batches.len());
        assert!(batches.iter().map(Labeled::len).eq(lengths));
        let together: Vec<u8> = batches.iter().flat_map(records).collect();
        assert_eq!(together, records(&set));
    }
    let [none, _] = set.split([0, 10]).unwrap();
    assert_eq!(none.batches(4).count(), 0);
}

#[test]
fn pixels_and_classes_as_numbers() {
    let images = file(0x08, &[3, 2], &[0, 255, 51, 0, 102, 102]);
    let images = IdxBuf::from_bytes(images).unwrap();
    let labels = file(0x0B, &[3], &[0, 1, 0xFF, 0xFF, 0, 0]);
    let labels = IdxBuf::from_bytes(labels).unwrap();
    let set = Labeled::<[u8; 2], i16>::new(images, labels).unwrap();
    let pixels = set.pixels(Normalize::UNIT).unwrap();
    assert_eq!(pixels, [0.0, 1.0, 0.2, 0.0, 0.4, 0.4]);
    let one_hot = [0., 0., 1., 1., 0., 0., 0., 1., 0.];
    assert_eq!(set.one_hot(-1..=1).unwrap(), one_hot);
    assert_eq!(
        set.one_hot(0..=1).unwrap_err().message(),
        "record 1 is of class -1, but the classes are 0 to 1; specify all classes, or leave this one out"
    );
    let none = RangeInclusive::new(1, 0);
    assert!(set.one_hot(none.clone()).is_err());
    assert!(set.subset([]).unwrap().one_hot(none).unwrap().is_empty());
    let standardised = set.pixels(Normalize::from(&set.summary())).unwrap();
    let mean = standardised.iter().sum::<f32>() / 6.0;
    let square = standardised.iter().map(|pixel| pixel * pixel).sum::<f32>() / 6.0;
    assert!(mean.abs() < 1e-6 && (square - 1.0).abs() < 1e-6);
    let blank = set.subset([2]).unwrap();
    let scale = Normalize::from(&blank.summary());
    assert_eq!(blank.pixels(scale).unwrap(), [0.0, 0.0]);
}

#[test]
fn pixels_into_memory_that_is_there() {
    let every: Vec<u8> = (0..=255).collect();
    let images = IdxBuf::from_bytes(file(0x08, &[2, 128], &every)).unwrap();
    let labels = IdxBuf::from_bytes(labels(&[0, 1])).unwrap();
    let set = Labeled::<[u8; 128], u8>::new(images, labels).unwrap();
    let mut pixels = vec![7.0; 1000];
    let memory = pixels.as_ptr();
    for normalize in [Normalize::UNIT, Normalize::new(0.1307, 0.3081)] {
        set.pixels_into(normalize, &mut pixels).unwrap();
        let expected: Vec<f32> = every.iter().map(|pixel| normalize.apply(*pixel)).collect();
        assert_eq!(pixels, expected);
    }
    assert_eq!(pixels.as_ptr(), memory);
}

#[test]
fn pixels_of_images_of_any_size_in_the_order_of_the_set() {
    fn check<const SIZE: usize>() {
        const COUNT: usize = 50;
        let bytes: Vec<u8> = (0..COUNT * SIZE).map(|index| (index % 251) as u8).collect();
        let sizes = [COUNT as u32, SIZE as u32];
        let images = IdxBuf::from_bytes(file(0x08, &sizes, &bytes)).unwrap();
        let labels = IdxBuf::from_bytes(labels(&[1; COUNT])).unwrap();
        let set = Labeled::<[u8; SIZE], u8>::new(images, labels).unwrap();
        let set = set.shuffled(3);
        let order = (0..COUNT).filter_map(|index| set.file_index(index));
        let images = order.flat_map(|record| &bytes[record * SIZE..][..SIZE]);
        let expected: Vec<f32> = images.map(|pixel| f32::from(*pixel) / 255.0).collect();
        assert_eq!(set.pixels(Normalize::UNIT).unwrap(), expected);
    }
    check::<0>();
    check::<1>();
    check::<784>();
    check::<8192>();
    check::<16_384>();
    check::<20_000>();
}

#[test]
fn batches_of_another_thread() {
    let set = Labeled::<Image, u8>::new(
        IdxBuf::from_bytes(images(10)).unwrap(),
        IdxBuf::from_bytes(labels(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])).unwrap(),
    )
    .unwrap()
    .shuffled(5);
    let classes = |batch: Labeled<Image, u8>| batch.iter().map(|(_, label)| label).collect();
    let expected: Vec<Vec<u8>> = set.batches(4).map(classes).collect();
    let mut prepared = set.prepared_batches(4, classes).unwrap();
    assert_eq!(prepared.len(), 3);
    assert_eq!(prepared.by_ref().collect::<Vec<_>>(), expected);
    assert_eq!((prepared.next(), prepared.len()), (None, 0));
    // An iterator that is dropped early stops its thread.
    assert!(set.prepared_batches(1, classes).unwrap().next().is_some());

    let mut failing = set
        .prepared_batches(9, |batch: Labeled<Image, u8>| assert!(batch.len() > 1, "too small"))
        .unwrap();
    assert_eq!(failing.next(), Some(()));
    let panic = catch_unwind(AssertUnwindSafe(|| failing.next())).unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"too small"));
}

#[test]
fn files_that_do_not_go_together() {
    let buffer = |bytes: Vec<u8>| IdxBuf::from_bytes(bytes).unwrap();
    let set = Labeled::<Image, u8>::new(buffer(images(2)), buffer(labels(&[1])));
    assert_eq!(
        set.unwrap_err().message(),
        "1 label for the 2 images; use the matching files, or download both again"
    );
    let set = Labeled::<Image, i32>::new(buffer(images(1)), buffer(labels(&[1])));
    assert!(matches!(file_kind(&set.unwrap_err()), idx_std::ErrorKind::Format(_)));
    let set = Labeled::<u8, u8>::new(buffer(images(1)), buffer(labels(&[1])));
    assert!(matches!(file_kind(&set.unwrap_err()), idx_std::ErrorKind::Format(_)));
    // Records of no bytes have labels as well.
    let none = file(0x08, &[2, 0], &[]);
    let set = Labeled::<[u8; 0], u8>::new(buffer(none), buffer(labels(&[4, 5]))).unwrap();
    assert_eq!(set.get(1), Some(([], 5)));
    assert!(set.pixels(Normalize::UNIT).unwrap().is_empty());
}

#[test]
fn pairs_are_streamed() {
    let (images, labels) = (images(5), labels(&[0, 1, 2, 3, 4]));
    let pairs = |images| {
        let labels = Reader::new(&labels[..]).unwrap().records::<u8>().unwrap();
        LabeledReader::new(Reader::new(images).unwrap().records::<Image>().unwrap(), labels)
    };
    let all: Vec<(Image, u8)> = pairs(&images[..]).unwrap().map(Result::unwrap).collect();
    let numbers = all.iter().map(|(image, label)| (image[0][0], *label));
    assert!(numbers.eq((0..5).map(|number| (number, number))));

    let mut reader = pairs(&images[..]).unwrap();
    let mut lengths = Vec::new();
    while let Some(batch) = reader.next_batch(2) {
        let batch = batch.unwrap();
        assert!(batch.iter().all(|(image, label)| image[0][0] == label));
        lengths.push(batch.len());
    }
    assert_eq!(lengths, [2, 2, 1]);
    assert!(reader.next_batch(0).is_none());

    // A truncated file gives its whole pairs, then one error, then nothing.
    let cut = &images[..images.len() - 1];
    let mut reader = pairs(cut).unwrap();
    assert_eq!(reader.by_ref().take_while(Result::is_ok).count(), 4);
    assert!(reader.next().is_none());
    let mut reader = pairs(cut).unwrap();
    assert_eq!(reader.next_batch(3).unwrap().unwrap().len(), 3);
    assert_eq!(reader.next_batch(3).unwrap().unwrap().len(), 1);
    let error = reader.next_batch(3).unwrap().unwrap_err();
    assert_eq!(error.records(), Some(4));
    assert!(reader.next_batch(3).is_none() && reader.next().is_none());

    // Other pairs have no error that came after a batch.
    let (_folder, mut reader) = on_disk(cut, &labels);
    assert_eq!(reader.next_batch(5).unwrap().unwrap().len(), 4);
    assert_eq!(reader.select(0..2).unwrap(), 2);
    assert_eq!(reader.next_batch(2).unwrap().unwrap().len(), 2);
    assert!(reader.next_batch(2).is_none());

    let six = file(0x08, &[6, 28, 28], &[0; 6 * 784]);
    assert_eq!(
        pairs(&six).unwrap_err().message(),
        "5 labels for the 6 images; use the matching files, or download both again"
    );
}

/// Five pairs on disk, of which the images and the labels have these bytes.
fn on_disk(images: &[u8], labels: &[u8]) -> (TempDir, LabeledReader<Image, u8>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["images", "labels"].map(|name| folder.path().join(name));
    fs::write(&paths[0], images).unwrap();
    fs::write(&paths[1], labels).unwrap();
    let pairs = LabeledReader::open(&paths[0], &paths[1]).unwrap();
    (folder, pairs)
}

#[test]
fn files_that_do_not_go_together_are_named() {
    let (folder, _) = on_disk(&images(2), &labels(&[1, 2]));
    let [images, fewer] = ["images", "fewer"].map(|name| folder.path().join(name));
    fs::write(&fewer, labels(&[1])).unwrap();
    let error = LabeledReader::<Image, u8>::open(&images, &fewer).unwrap_err();
    assert_eq!(error.path(), Some(&*fewer));
    assert!(
        matches!(error.kind(), ErrorKind::LabelCount { images_path: Some(path), .. } if *path == images),
        "{error}"
    );
    let set = Labeled::<Image, u8>::new(
        idx_std::open(&images).unwrap(),
        idx_std::open(folder.path().join("labels")).unwrap(),
    );
    let error = set.unwrap().split([SplitSize::Count(3)]).unwrap_err();
    assert_eq!(error.path(), Some(&*images));
}

/// The numbers of the pairs until the end.
#[track_caller]
fn numbers(pairs: &mut LabeledReader<Image, u8>) -> Vec<u8> {
    let number = |pair: Result<(Image, u8), Error>| {
        let (image, label) = pair.unwrap();
        assert_eq!(image[0][0], label, "the label of another image");
        label
    };
    pairs.map(number).collect()
}

#[test]
fn a_range_of_pairs_that_is_not_there_leaves_both_readers() {
    let (images, labels) = (images(5), labels(&[0, 1, 2, 3, 4]));
    let out_of_range = |kind: &idx_std::ErrorKind| {
        matches!(kind, idx_std::ErrorKind::IndexOutOfRange { record: 5, count: 5, .. })
    };
    let (reversed_start, reversed_end) = (4, 3);
    for (images, labels, goes_back) in [
        (images.clone(), labels.clone(), true),
        (images.clone(), gzip(&labels), false),
        (gzip(&images), labels.clone(), false),
    ] {
        for read in 0..5 {
            let (_folder, mut pairs) = on_disk(&images, &labels);
            let before = pairs.by_ref().take(read).count();
            assert_eq!(before, read);
            let error = pairs.select(3..6).unwrap_err();
            assert!(out_of_range(file_kind(&error)), "{error}");
            let error = pairs.select(reversed_start..reversed_end).unwrap_err();
            assert!(
                matches!(file_kind(&error), idx_std::ErrorKind::InvalidRange { .. }),
                "{error}"
            );
            if read > 0 && !goes_back {
                let error = pairs.select(0..2).unwrap_err();
                assert!(
                    matches!(file_kind(&error), idx_std::ErrorKind::CannotSeek { record: 0, .. }),
                    "{error}"
                );
            }
            assert_eq!(numbers(&mut pairs), [0, 1, 2, 3, 4][read..]);
        }
        let (_folder, mut pairs) = on_disk(&images, &labels);
        assert_eq!(pairs.select(1..3).unwrap(), 2);
        assert_eq!(numbers(&mut pairs), [1, 2]);
        assert_eq!(pairs.select(4..).unwrap(), 1);
        assert_eq!(numbers(&mut pairs), [4]);
        assert_eq!(pairs.select(..).is_ok(), goes_back);
        let all: &[u8] = if goes_back { &[0, 1, 2, 3, 4] } else { &[] };
        assert_eq!(numbers(&mut pairs), all);
    }
}

/// One reader has moved when the other finds that its file is truncated: no pair follows.
#[test]
fn a_selection_that_fails_halfway_gives_no_pair() {
    let (images, labels) = (images(5), labels(&[0, 1, 2, 3, 4]));
    let truncated = |bytes: &[u8], count: usize| bytes[..bytes.len() - count].to_vec();
    for (images, labels) in [
        (images.clone(), truncated(&labels, 2)),
        (images.clone(), gzip(&truncated(&labels, 2))),
        (truncated(&images, 2 * 28 * 28), labels),
    ] {
        let (_folder, mut pairs) = on_disk(&images, &labels);
        pairs.next().unwrap().unwrap();
        let error = pairs.select(4..).unwrap_err();
        assert!(
            matches!(
                file_kind(&error),
                idx_std::ErrorKind::Format(idx_core::ErrorKind::Truncated { .. })
            ),
            "{error}"
        );
        assert_eq!(error.records(), Some(3));
        assert!(pairs.next().is_none() && pairs.next_batch(2).is_none());
        // Existing records can still be selected, if both files can seek.
        if pairs.select(1..3).is_ok() {
            assert_eq!(numbers(&mut pairs), [1, 2]);
        }
        assert!(pairs.next().is_none());
    }
}
