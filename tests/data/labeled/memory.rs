//! Images with their labels: split, shuffled, in batches, as numbers, streamed.

use std::fs;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use idx_data::dataset::mnist::Image;
use idx_data::{Error, ErrorKind, Hint, Labeled, Normalize, Record, Source, SplitSize, open_pair};
use idx_std::IdxBuf;
use idx_tests::{file, file_kind, gzip};
use tempfile::TempDir;

/// Images of 28 x 28, each full of its number.
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

/// Failed before: the messages started with a colon, as if after a path.
#[test]
fn errors_of_a_set_in_memory_have_no_path() {
    let error = ten([0; 10]).to_source().only(["x"]).unwrap_err();
    assert!(error.to_string().starts_with("`x` is not"), "{error}");
}

fn records(set: &Labeled<u8, u8>) -> Vec<u8> {
    for (index, (image, label)) in set.iter().enumerate() {
        assert_eq!(set.get(index), Some((image, label)));
        assert_eq!(set.image(index), Some(&image));
        assert_eq!(set.file_index(index), Some(image.into()));
    }
    let beyond = set.len();
    assert!(set.get(beyond).is_none() && set.image(beyond).is_none());
    assert!(set.file_index(beyond).is_none());
    set.iter().map(|(image, _)| image).collect()
}

#[test]
fn a_set_as_a_source_keeps_its_pairs() {
    let set = ten([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).shuffled(3);
    let mut source = set.to_source();
    assert_eq!(source.facts().label_type, Some(idx_std::ElementType::U8));
    let mut record = Record::default();
    let mut found = Vec::new();
    while source.read(&mut record).unwrap() {
        assert_eq!(record.label, Some(record.bytes[0].into()));
        found.push(record.bytes[0]);
    }
    assert_eq!(found, records(&set));
    assert_ne!(found, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn subsets_are_orders_of_the_same_records() {
    let set = ten([0, 1, 0, 1, 0, 1, 0, 1, 2, 2]);
    assert_eq!(records(&set), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let odd = set.only([1]).unwrap();
    assert_eq!(records(&odd), [1, 3, 5, 7]);
    assert_eq!(records(&set.only([2, 0]).unwrap()), [0, 2, 4, 6, 8, 9]);
    assert_eq!(set.only([3]).unwrap_err().kind().code(), "mismatch");
    assert_eq!(records(&set.except([2, 0]).unwrap()), records(&odd));
    assert_eq!(records(&set.subset([9, 0, 9]).unwrap()), [9, 0, 9]);
    assert_eq!(records(&odd.subset([3, 2]).unwrap()), [7, 5]);
    let error = odd.subset([0, 4]).unwrap_err();
    let text = "record 4 is out of range; the file has 4 records (numbered from 0)";
    assert_eq!(file_kind(&error).unwrap().to_string(), text);
    assert_eq!(records(&set.per_class(2).unwrap()), [0, 1, 2, 3, 8, 9]);
    assert!(set.per_class(0).unwrap().is_empty());
    assert_eq!(
        set.per_class(5).unwrap_err().kind().to_string(),
        "class 2 has only 2 records, but 5 were requested; use fewer"
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
    // Shares whose sum is only nearly 1 lose no record.
    assert_eq!(lengths(&set.split([0.7, 0.2, 0.1]).unwrap()), [7, 2, 1]);
    let thirds = set.split([1.0 / 3.0; 3]).unwrap();
    assert_eq!(lengths(&thirds), [3, 4, 3]);
    assert_eq!(lengths(&set.split([0.1; 10]).unwrap()), [1; 10]);
    assert_eq!(lengths(&set.split([0.25]).unwrap()), [3]);
    let mixed = set.split([SplitSize::from(1), SplitSize::from(0.5)]).unwrap();
    assert_eq!(lengths(&mixed), [1, 5]);
    // A part of a part.
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
        assert_eq!(error.kind().to_string(), message);
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

/// Computed by a program in another language.
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
        let order = |set: &Labeled<u8, u8>| records(&set.only([class]).unwrap());
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
        set.one_hot(0..=1).unwrap_err().kind().to_string(),
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
    for normalize in [Normalize::UNIT, Normalize { mean: 0.1307, deviation: 0.3081 }] {
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
    assert_eq!(prepared.by_ref().collect::<Vec<_>>(), expected);
    assert_eq!(prepared.next(), None);
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
        set.unwrap_err().kind().to_string(),
        "1 label for the 2 records; use the matching files, or leave the labels out"
    );
    let set = Labeled::<Image, i32>::new(buffer(images(1)), buffer(labels(&[1])));
    assert!(matches!(file_kind(&set.unwrap_err()), Some(idx_std::ErrorKind::Format(_))));
    let set = Labeled::<u8, u8>::new(buffer(images(1)), buffer(labels(&[1])));
    assert!(matches!(file_kind(&set.unwrap_err()), Some(idx_std::ErrorKind::Format(_))));
    // Records of no bytes have labels as well.
    let none = file(0x08, &[2, 0], &[]);
    let set = Labeled::<[u8; 0], u8>::new(buffer(none), buffer(labels(&[4, 5]))).unwrap();
    assert_eq!(set.get(1), Some(([], 5)));
    assert!(set.pixels(Normalize::UNIT).unwrap().is_empty());
}

/// Files of images and of labels with these bytes, as one source.
fn pairs(images: &[u8], labels: &[u8]) -> Result<(TempDir, Source), Error> {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["images", "labels"].map(|name| folder.path().join(name));
    fs::write(&paths[0], images).unwrap();
    fs::write(&paths[1], labels).unwrap();
    let pairs = open_pair(&paths[0], &paths[1])?;
    Ok((folder, pairs))
}

#[test]
fn batches_are_streamed() {
    let (images, labels) = (images(5), labels(&[0, 1, 2, 3, 4]));
    for (images, labels) in [(images.clone(), labels.clone()), (gzip(&images), gzip(&labels))] {
        for (size, expected) in [(2, &[2, 2, 1][..]), (5, &[5]), (9, &[5]), (0, &[1; 5])] {
            let (_folder, mut pairs) = pairs(&images, &labels).unwrap();
            let (mut lengths, mut number) = (Vec::new(), 0);
            while let Some(batch) = pairs.next_batch::<Image, u8>(size).unwrap() {
                for (image, label) in batch.iter() {
                    assert_eq!((image, label), ([[number; 28]; 28], number));
                    number += 1;
                }
                lengths.push(batch.len());
            }
            assert_eq!((&*lengths, number), (expected, 5));
            assert!(pairs.next_batch::<Image, u8>(size).unwrap().is_none());
        }
    }
    let (_folder, pairs_of_five) = pairs(&images, &labels).unwrap();
    let mut some = pairs_of_five.select(1..3).unwrap();
    let batch = some.next_batch::<Image, u8>(4).unwrap().unwrap();
    assert!(batch.iter().map(|(_, label)| label).eq([1, 2]));

    // From a truncated file, batches come until the error.
    let (_folder, mut cut) = pairs(&images[..images.len() - 1], &labels).unwrap();
    assert_eq!(cut.next_batch::<Image, u8>(3).unwrap().unwrap().len(), 3);
    assert_eq!(cut.next_batch::<Image, u8>(3).unwrap_err().records(), Some(4));
    let (_folder, mut wide) = pairs(&images, &labels).unwrap();
    assert!(wide.next_batch::<[u8; 3], u8>(3).is_err(), "records of another shape");

    let six = file(0x08, &[6, 28, 28], &[0; 6 * 784]);
    let error = pairs(&six, &labels).unwrap_err();
    assert_eq!(
        error.kind().to_string(),
        "5 labels but 6 records; give the label file of these records"
    );
}

#[test]
fn files_that_do_not_go_together_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let [two, fewer] = ["images", "fewer"].map(|name| folder.path().join(name));
    fs::write(&two, images(2)).unwrap();
    fs::write(&fewer, labels(&[1])).unwrap();
    let error = Labeled::<Image, u8>::open(&two, &fewer).unwrap_err();
    assert_eq!(error.path(), Some(&*fewer));
    assert!(
        matches!(error.kind(), ErrorKind::LabelCount { images_path: Some(path), .. } if *path == two),
        "{error}"
    );
    fs::write(&fewer, labels(&[1, 2])).unwrap();
    let set = Labeled::<Image, u8>::open(&two, &fewer).unwrap();
    assert_eq!(set.split([3]).unwrap_err().path(), Some(&*two));
}

/// Failed before: the first element of a one-hot label was the class.
#[test]
fn labels_of_several_elements_are_one_hot() {
    let images = || IdxBuf::from_bytes(file(0x08, &[3], &[7, 8, 9])).unwrap();
    let labels = |rows: &[u8]| IdxBuf::from_bytes(file(0x08, &[3, 3], rows)).unwrap();
    let set = Labeled::<u8, [u8; 3]>::new(images(), labels(&[0, 0, 1, 1, 0, 0, 0, 0, 1])).unwrap();
    assert_eq!(set.class_counts().into_iter().collect::<Vec<_>>(), [(0, 1), (2, 2)]);
    assert_eq!(set.only([2]).unwrap().elements::<u8>().unwrap(), [7, 9]);
    let error = Labeled::<u8, [u8; 3]>::new(images(), labels(&[0, 0, 1, 1, 0, 0, 0, 1, 1]));
    let error = error.unwrap_err();
    assert_eq!(error.kind().hint(), Some(Hint::LabelColumn), "{error}");
    assert_eq!(error.position().map(|position| position.record), Some(2));
    let floats: Vec<u8> = [0.0, 1.0, 1.0, 0.0_f32, 0.0, 1.0].map(f32::to_be_bytes).concat();
    let floats = IdxBuf::from_bytes(file(0x0D, &[3, 2], &floats)).unwrap();
    let set = Labeled::<u8, [f32; 2]>::new(images(), floats).unwrap();
    assert_eq!(set.class_counts().into_iter().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    assert_eq!(crate::common::labels(set.to_source()), [1, 0, 1]);
}
