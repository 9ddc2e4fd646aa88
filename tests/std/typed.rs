//! Numbers of a known type in files whose shape is known at run time: saved, and read and written in chunks.

use std::io::Cursor;

use idx_std::{
    Element, ElementType, ErrorKind, FormatError, IdxBuf, IdxRecord, ReadOptions, Reader, Writer,
    load, save,
};
use idx_tests::gzip;

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Digit(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Animal {
    Cat = 3,
    Dog = 5,
}

/// Saves and loads the elements, plain and gzip, and returns the bytes of the plain file.
fn saved<E: Element + PartialEq + std::fmt::Debug>(shape: &[usize], elements: &[E]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let [plain, zipped] = ["plain", "zipped.gz"].map(|name| folder.path().join(name));
    for path in [&plain, &zipped] {
        save(path, shape, elements).unwrap();
        let array = load::<E>(path).unwrap();
        assert_eq!((array.shape(), &array[..]), (shape, elements));
    }
    assert!(Reader::open(zipped).unwrap().is_gzip());
    std::fs::read(plain).unwrap()
}

#[test]
fn records_in_memory_become_a_file() {
    let animals = IdxBuf::from_records(&[Animal::Dog, Animal::Cat]).unwrap();
    assert_eq!(animals.bytes(), [0, 0, 8, 1, 0, 0, 0, 2, 5, 3]);
    assert_eq!(IdxBuf::from_records::<[i16; 2]>(&[]).unwrap().header().dims(), [0, 2]);
    let error = IdxBuf::from_records(&[Digit(9), Digit(10)]).unwrap_err();
    assert_eq!(error.kind().code(), "value_not_allowed");
}

#[test]
fn what_is_saved_is_loaded() {
    let bytes = saved(&[2, 3], &[1i16, -1, 256, 0, 2, 3]);
    assert_eq!(bytes[..12], [0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 3]);
    assert_eq!(bytes[12..18], [0, 1, 0xFF, 0xFF, 1, 0]);
    saved(&[3], &[1u8, 2, 3]);
    saved(&[1, 2], &[0.5f64, -1.5]);
    saved(&[2], &[Digit(0), Digit(9)]);
    saved(&[1, 2], &[Animal::Cat, Animal::Dog]);
    saved(&[], &[7i32]);
    saved(&[100, 1000], &(0..100_000).collect::<Vec<i32>>());
    // Records without elements are counted all the same.
    saved::<f32>(&[0, 28, 28], &[]);
    assert_eq!(saved::<u8>(&[3_000_000_000, 0], &[])[4..8], 3_000_000_000u32.to_be_bytes());
}

#[test]
fn a_shape_of_other_elements_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let sentence = |shape: &[usize], elements: &[u8]| {
        let error = save(&path, shape, elements).unwrap_err();
        assert_eq!(error.kind().code(), "wrong_length", "{error}");
        assert_eq!(error.path(), Some(&*path));
        error.sentence()
    };
    assert_eq!(
        sentence(&[2, 3], &[1; 5]),
        "the shape has 6 elements, but 5 were given; give exactly 6"
    );
    sentence(&[2, 3], &[1; 12]);
    sentence(&[0, 3], &[1; 3]);
    sentence(&[], &[]);
    sentence(&[], &[1, 2]);

    let error = save(&path, &[3], &[Digit(1), Digit(2), Digit(10)]).unwrap_err();
    let expected = FormatError::ValueNotAllowed { record: 2, value: 10 };
    assert!(matches!(error.kind(), ErrorKind::Format(error) if *error == expected), "{error}");
    #[cfg(target_pointer_width = "64")]
    {
        let large = save(&path, &[0, 1 << 32], &[0u8; 0]).unwrap_err();
        assert!(large.sentence().starts_with("dimension 1 has the size 4294967296"), "{large}");
    }
    let many = save(&path, &[u32::MAX as usize; 3], &[1u8]).unwrap_err();
    assert!(matches!(many.kind(), ErrorKind::Format(FormatError::TooLarge { .. })), "{many}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn elements_are_written_and_read_in_chunks() {
    let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::F32, &[0, 3, 2]).unwrap();
    let elements: Vec<f32> = (0..60_000u16).map(|number| f32::from(number) / 8.0).collect();
    writer.push_elements(&elements[..6]).unwrap();
    writer.push_elements::<f32>(&[]).unwrap();
    let error = writer.push_elements(&elements[..4]).unwrap_err();
    assert_eq!(
        error.sentence(),
        "a record has 6 elements, but 4 were given; give exactly 6 (after 1 whole record)"
    );
    let error = writer.push_elements(&[1i32; 6]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Format(FormatError::ElementMismatch { .. })));
    writer.push_elements(&elements[6..]).unwrap();
    let file = writer.finish().unwrap().into_inner();

    let buffer = ReadOptions::new().from_reader(&file[..]).unwrap();
    assert_eq!(buffer.header().dims(), [10_000, 3, 2]);
    assert_eq!(buffer.to_vec::<f32>().unwrap(), elements);
    let error = buffer.to_vec::<u8>().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Format(FormatError::ElementMismatch { .. })));

    let native: Vec<u8> = elements.iter().flat_map(|element| element.to_ne_bytes()).collect();
    let compressed = gzip(&file);
    for stream in [&file, &compressed] {
        let (header, bytes) = ReadOptions::new().load_bytes_from(&stream[..]).unwrap();
        assert_eq!((header.element_type(), header.dims()), (ElementType::F32, &[10_000, 3, 2][..]));
        assert!(bytes == native);
    }
    let error = ReadOptions::new().limit(1000).load_bytes_from(&file[..]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::LimitExceeded { .. }));
}

#[test]
fn elements_that_are_refused_are_not_written() {
    // A label that is not allowed, after records that are.
    let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::U8, &[0, 2]).unwrap();
    let digits = [1, 2, 3, 4, 5, 11].map(Digit);
    let error = writer.push_elements(&digits).unwrap_err();
    let expected = FormatError::ValueNotAllowed { record: 2, value: 11 };
    assert!(matches!(error.kind(), ErrorKind::Format(error) if *error == expected), "{error}");
    assert_eq!(writer.finish().unwrap().into_inner()[12..], [1, 2, 3, 4]);

    // Records without elements.
    let mut writer = Writer::new(Cursor::new(Vec::new()), ElementType::U8, &[0, 0]).unwrap();
    writer.push_elements::<u8>(&[]).unwrap();
    let error = writer.push_elements(&[1u8]).unwrap_err();
    let message = "a record has 0 elements, but 1 were given";
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn the_usual_conversions() {
    let bytes = vec![0, 0, 8, 1, 0, 0, 0, 2, 5, 6];
    let buffer = IdxBuf::from_bytes(bytes.clone()).unwrap();
    assert_eq!(buffer.as_ref(), bytes);

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    save(&path, &[2], &[5u8, 6]).unwrap();
    let array = load::<u8>(&path).unwrap();
    let mut sum = 0;
    for element in &array {
        sum += element;
    }
    assert_eq!(sum, 11);
    assert_eq!(array.into_iter().map(i32::from).collect::<Vec<_>>(), [5, 6]);
}
