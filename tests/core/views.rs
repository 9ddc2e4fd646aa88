//! The results of idx-core for files, good and bad, that are written here byte by byte.

use std::fmt::Debug;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::catch_unwind;
use std::ptr;

use idx_core::__private::Constraint;
use idx_core::ElementType::{F32, F64, I8, I16, I32, U8};
use idx_core::{
    Dims, Element, ElementType, Error, ErrorKind, Header, Idx, IdxRecord, RecordIter, Records,
    ZeroCopy, be,
};
use idx_tests::{file, file_of};

// The errors in short, for tables.

const fn header_cut(needed: usize, found: usize) -> ErrorKind {
    ErrorKind::HeaderTruncated { needed, found }
}
const fn too_large(dimension: usize, size: u32) -> ErrorKind {
    ErrorKind::TooLarge { dimension, size }
}
const fn payload_cut(needed: u64, found: u64) -> ErrorKind {
    ErrorKind::Truncated { needed, found }
}
const fn trailing(offset: u64, count: u64) -> ErrorKind {
    ErrorKind::TrailingBytes { offset, count }
}
const fn other_elements(expected: ElementType, found: ElementType) -> ErrorKind {
    ErrorKind::ElementMismatch { expected, found }
}
const fn other_rank(expected: usize, found: usize) -> ErrorKind {
    ErrorKind::RankMismatch { expected, found }
}
#[rustfmt::skip]
const fn other_shape(dimension: usize, expected: u32, found: u32) -> ErrorKind {
    ErrorKind::ShapeMismatch { dimension, expected, found }
}
const fn not_allowed(record: u64, value: i64) -> ErrorKind {
    ErrorKind::ValueNotAllowed { record, value }
}

// The elements

/// A vector of these elements reads as these values, typed and untyped, and is written back unchanged.
/// Compares the `bits` of values, because NaN is not equal to itself.
#[track_caller]
fn reads<T: Element + Copy, Bits: PartialEq + Debug>(bits: fn(T) -> Bits, elements: &[(&[u8], T)]) {
    let payload = elements.iter().map(|(bytes, _)| *bytes);
    let bytes = file_of::<T>(&payload.collect::<Vec<_>>().concat());
    let idx = Idx::parse(&bytes).unwrap();
    assert_eq!(idx.header().element_type(), T::ELEMENT);
    let records = Records::<T>::parse(&bytes).unwrap();
    assert_eq!(records.len(), elements.len());
    for (index, (bytes, value)) in elements.iter().enumerate() {
        assert_eq!(idx.record_bytes(index), Some(*bytes));
        assert_eq!(records.record_bytes(index), Some(*bytes));
        assert_eq!(records.get(index).map(bits), Some(bits(*value)));
        let mut written = vec![0xAA; bytes.len()];
        assert_eq!(value.encode(&mut written), Some(()));
        assert_eq!(written, *bytes);
    }
    for view in [records, idx.records().unwrap(), idx.elements().unwrap()] {
        let values = elements.iter().map(|(_, value)| bits(*value));
        assert!(view.iter().map(bits).eq(values));
    }
}

/// The same elements as values of another type.
fn big_endian<T, U: From<T>, const N: usize>(elements: [(&[u8], T); N]) -> [(&[u8], U); N] {
    elements.map(|(bytes, value)| (bytes, value.into()))
}

#[test]
#[rustfmt::skip]
fn integers() {
    reads(|value: u8| value, &[(&[0x00], 0), (&[0x7F], 127), (&[0x80], 128), (&[0xFF], 255)]);
    reads(|value: i8| value, &[(&[0x00], 0), (&[0x7F], 127), (&[0x80], -128), (&[0xFF], -1)]);
    let i16s: [(&[u8], i16); 4] = [
        (&[0x80, 0x00], i16::MIN),
        (&[0xFF, 0xFE], -2),
        (&[0x01, 0x02], 0x0102),
        (&[0x7F, 0xFF], i16::MAX),
    ];
    reads(|value| value, &i16s);
    reads(be::I16::get, &big_endian(i16s));
    let i32s: [(&[u8], i32); 4] = [
        (&[0x80, 0x00, 0x00, 0x00], i32::MIN),
        (&[0xFF, 0xFF, 0xFF, 0xFE], -2),
        (&[0x01, 0x02, 0x03, 0x04], 0x0102_0304),
        (&[0x7F, 0xFF, 0xFF, 0xFF], i32::MAX),
    ];
    reads(|value| value, &i32s);
    reads(be::I32::get, &big_endian(i32s));
}

#[test]
#[rustfmt::skip]
fn floats() {
    let f32s: [(&[u8], f32); 8] = [
        (&[0x3F, 0xC0, 0x00, 0x00], 1.5),
        (&[0x00, 0x00, 0x00, 0x00], 0.0),
        (&[0x80, 0x00, 0x00, 0x00], -0.0),
        (&[0x00, 0x00, 0x00, 0x01], f32::from_bits(1)), // the least above 0
        (&[0xFF, 0x7F, 0xFF, 0xFF], f32::MIN),
        (&[0x7F, 0x80, 0x00, 0x00], f32::INFINITY),
        (&[0xFF, 0x80, 0x00, 0x00], f32::NEG_INFINITY),
        (&[0x7F, 0xC1, 0x23, 0x45], f32::from_bits(0x7FC1_2345)), // NaN with a payload
    ];
    reads(f32::to_bits, &f32s);
    reads(|element: be::F32| element.get().to_bits(), &big_endian(f32s));
    let f64s: [(&[u8], f64); 7] = [
        (&[0x3F, 0xF8, 0, 0, 0, 0, 0, 0], 1.5),
        (&[0x00, 0x00, 0, 0, 0, 0, 0, 0], 0.0),
        (&[0x80, 0x00, 0, 0, 0, 0, 0, 0], -0.0),
        (&[0x7F, 0xEF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], f64::MAX),
        (&[0x7F, 0xF0, 0, 0, 0, 0, 0, 0], f64::INFINITY),
        (&[0xFF, 0xF0, 0, 0, 0, 0, 0, 0], f64::NEG_INFINITY),
        (&[0xFF, 0xF8, 0, 0, 0, 0, 0x12, 0x34], f64::from_bits(0xFFF8_0000_0000_1234)), // NaN
    ];
    reads(f64::to_bits, &f64s);
    reads(|element: be::F64| element.get().to_bits(), &big_endian(f64s));
}

/// Big-endian numbers compare as their values do, and equal ones have the same hash.
#[test]
fn big_endian_numbers_compare_as_numbers() {
    fn hash(value: impl std::hash::Hash) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        value.hash(&mut hasher);
        std::hash::Hasher::finish(&hasher)
    }
    let integers = [i16::MIN, -256, -1, 0, 1, 255, 256, i16::MAX];
    let floats = [f32::NAN, f32::NEG_INFINITY, -1.0, -0.0, 0.0, 1e-40, 256.0];
    for a in integers {
        for b in integers {
            let (short, long) = (be::I16::new(a), be::I32::from(i32::from(a)));
            let (other_short, other_long) = (be::I16::new(b), be::I32::from(i32::from(b)));
            assert_eq!((short.cmp(&other_short), long.cmp(&other_long)), (a.cmp(&b), a.cmp(&b)));
            assert_eq!((short == other_short, short < other_short), (a == b, a < b));
            assert_eq!(hash(short) == hash(other_short), a == b);
        }
    }
    for a in floats {
        for b in floats {
            let (single, double) = (be::F32::new(a), be::F64::new(a.into()));
            let (other_single, other_double) = (be::F32::new(b), be::F64::new(b.into()));
            assert_eq!((single == other_single, double == other_double), (a == b, a == b));
            assert_eq!(single.partial_cmp(&other_single), a.partial_cmp(&b));
            assert_eq!(double.partial_cmp(&other_double), a.partial_cmp(&b));
        }
    }
}

#[test]
fn element_types() {
    let assigned = [
        (0x08, U8, 1, "u8"),
        (0x09, I8, 1, "i8"),
        (0x0B, I16, 2, "i16"),
        (0x0C, I32, 4, "i32"),
        (0x0D, F32, 4, "f32"),
        (0x0E, F64, 8, "f64"),
    ];
    for (row, listed) in assigned.into_iter().zip(ElementType::ALL) {
        let (code, element_type, size, name) = row;
        assert_eq!(listed, element_type);
        assert_eq!(element_type.code(), code);
        assert_eq!(element_type.size(), size);
        assert_eq!(element_type.name(), name);
        assert_eq!(format!("{element_type:>4}"), format!("{name:>4}"));
        assert_eq!(name.parse(), Ok(element_type));
        assert_eq!(element_type.is_float(), name.starts_with('f'));
    }
    let error = "\"a\u{7}\u{202e}é\\".parse::<ElementType>().unwrap_err();
    let sentence =
        r#"unknown element type "\"a\u{7}\u{202e}\u{e9}\\"; use u8, i8, i16, i32, f32 or f64"#;
    assert_eq!(error.to_string(), sentence);
    let error = "a type of many letters".parse::<ElementType>().unwrap_err();
    let sentence = "unknown element type \"a type of many l...\"; use u8, i8, i16, i32, f32 or f64";
    assert_eq!(error.to_string(), sentence);

    let values: [(ElementType, &[u8], f64); 6] = [
        (U8, &[200], 200.0),
        (I8, &[200], -56.0),
        (I16, &[0xFF, 0xFE], -2.0),
        (I32, &[0xFF, 0, 0, 1], -16_777_215.0),
        (F32, &[0x3E, 0x20, 0, 0], 0.156_25),
        (F64, &[0xC0, 0x5E, 0xDC, 0, 0, 0, 0, 0], -123.4375),
    ];
    for (element_type, bytes, value) in values {
        assert_eq!(element_type.value(bytes), Some(value));
        assert_eq!(element_type.value(&bytes[1..]), None);
    }
    for code in 0..=255 {
        let expected = assigned.iter().find(|row| row.0 == code);
        assert_eq!(ElementType::from_code(code), expected.map(|row| row.1));
    }
}

// The sizes

/// A file of `i16` with these sizes has this many records of this size, by every method.
#[track_caller]
fn measures(sizes: &[u32], count: u32, record_size: Option<u64>) {
    let [len, size] = [u64::from(count), record_size.unwrap_or(0)];
    let [len, size] = [len, size].map(|number| usize::try_from(number).unwrap());
    let payload: Vec<u8> = (0..=255).cycle().take(len * size).collect();
    let bytes = file(0x0B, sizes, &payload);

    let (header, rest) = Header::parse(&bytes).unwrap();
    assert_eq!(rest, payload);
    assert_eq!(header.element_type(), I16);
    assert_eq!(usize::from(header.rank()), sizes.len());
    assert_eq!(header.header_size(), 4 + 4 * sizes.len());
    assert_eq!(header.payload_size(), u64::try_from(payload.len()).unwrap());
    assert_eq!(header.record_count(), count);
    assert_eq!(header.record_size(), record_size);
    written_again(&header, &bytes[..header.header_size()]);
    same_sizes(header.dims(), sizes);
    same_sizes(header.record_dims(), sizes.get(1..).unwrap_or_default());

    let idx = Idx::parse(&bytes).unwrap();
    assert_eq!(idx.header(), header);
    assert_eq!(idx.payload(), payload);
    assert_eq!((idx.len(), idx.is_empty()), (len, len == 0));
    assert_eq!(idx.record_bytes(len), None);
    assert_eq!(idx.record_bytes(usize::MAX), None);
    if let Some(last) = len.checked_sub(1) {
        assert_eq!(idx.record_bytes(0), Some(&payload[..size]));
        assert_eq!(idx.record_bytes(last), Some(&payload[last * size..]));
    }
    assert_eq!(idx.elements::<i16>().unwrap().len(), payload.len() / 2);
}

/// A header is written as it was read, and made of its sizes, in as many bytes as it has.
#[track_caller]
fn written_again(header: &Header<'_>, bytes: &[u8]) {
    let sizes: Vec<[u8; 4]> = header.dims().iter().map(u32::to_be_bytes).collect();
    assert_eq!(Header::new(header.element_type(), &sizes), Some(*header));
    for len in 0..bytes.len() + 3 {
        let mut written = vec![0xAA; len];
        let rest = header.write(&mut written).map(|rest| rest.to_vec());
        if let Some(after) = len.checked_sub(bytes.len()) {
            assert_eq!(rest, Some(vec![0xAA; after]));
            assert_eq!(written[..bytes.len()], *bytes);
        } else {
            assert_eq!((rest, written), (None, vec![0xAA; len]));
        }
    }
}

#[track_caller]
fn same_sizes(dims: Dims<'_>, sizes: &[u32]) {
    assert_eq!(dims.len(), sizes.len());
    assert_eq!(dims.is_empty(), sizes.is_empty());
    assert!(dims.iter().eq(sizes.iter().copied()));
    assert!(dims.iter().rev().eq(sizes.iter().rev().copied()));
    assert_eq!(dims.iter().size_hint(), sizes.iter().size_hint());
    for index in 0..=sizes.len() {
        assert_eq!(dims.get(index), sizes.get(index).copied());
    }
    assert_eq!(dims.get(usize::MAX), None);
}

#[test]
fn ranks() {
    measures(&[], 1, Some(2));
    measures(&[3], 3, Some(2));
    measures(&[2, 3], 2, Some(6));
    measures(&[2, 3, 4], 2, Some(24));
    measures(&[2, 1, 2, 1, 3, 1, 2, 1], 2, Some(24));
    measures(&[1; 255], 1, Some(2));
}

#[test]
fn sizes_of_zero() {
    measures(&[0], 0, Some(2));
    measures(&[0, 3], 0, Some(6));
    measures(&[3, 0], 3, Some(0));
    measures(&[0, 3, 4], 0, Some(24));
    measures(&[2, 0, 4], 2, Some(0));
    measures(&[2, 3, 0], 2, Some(0));
    measures(&[0, 0, 0], 0, Some(0));
    measures(&[0; 255], 0, Some(0));
    // The other sizes may have any value: records of no bytes, and records that do not fit.
    measures(&[1 << 31, 1 << 31, 0], 1 << 31, Some(0));
    measures(&[u32::MAX, u32::MAX, u32::MAX, 0], u32::MAX, Some(0));
    measures(&[0, 1 << 31, 1 << 31, 1 << 31], 0, None);
    measures(&[0, u32::MAX, u32::MAX], 0, None);
}

#[test]
fn sizes_as_text() {
    let bytes = file(0x08, &[60_000, 28, 28], &[]);
    let (header, _) = Header::parse(&bytes).unwrap();
    assert_eq!(header.dims().to_string(), "60000 x 28 x 28");
    assert_eq!(format!("{:?}", header.dims()), "[60000, 28, 28]");
    let (header, _) = Header::parse(&[0, 0, 8, 0]).unwrap();
    assert_eq!(header.dims().to_string(), "");
}

#[test]
fn sizes_that_are_never_there() {
    /// The payload would have this many bytes; there are 8.
    #[track_caller]
    fn cut(code: u8, sizes: &[u32], needed: u64) {
        let expected = match usize::try_from(needed) {
            Ok(_) => payload_cut(needed, 8),
            Err(_) => ErrorKind::Unaddressable { size: needed },
        };
        let bytes = file(code, sizes, &[0; 8]);
        assert_eq!(Header::parse(&bytes).unwrap().0.payload_size(), needed);
        assert_eq!(in_two_steps::<u8>(&bytes), Err(expected));
    }
    cut(0x08, &[u32::MAX], 4_294_967_295);
    cut(0x0E, &[u32::MAX], 34_359_738_360);
    cut(0x08, &[u32::MAX, u32::MAX], 18_446_744_065_119_617_025);
    cut(0x0E, &[1 << 31, (1 << 30) - 1], 18_446_744_056_529_682_432);

    #[track_caller]
    fn overflow(code: u8, sizes: &[u32], dimension: usize) {
        let expected = too_large(dimension, sizes[dimension]);
        let bytes = file(code, sizes, &[0; 8]);
        assert_eq!(kind(Header::parse(&bytes)), Err(expected));
        assert_eq!(in_two_steps::<u8>(&bytes), Err(expected));
    }
    overflow(0x08, &[u32::MAX; 3], 2);
    overflow(0x08, &[u32::MAX; 255], 2);
    overflow(0x08, &[1 << 16; 4], 3); // 2^64 exactly
    overflow(0x0E, &[1 << 31, 1 << 30], 1);
    overflow(0x0D, &[1, u32::MAX, 1, u32::MAX, 1], 3);
}

// A file and what comes after it

#[test]
fn a_prefix_gives_the_rest() {
    let mut blob = file(0x08, &[2], b"ab"); // 10 bytes
    blob.extend(file(0x0B, &[1, 2], &[1, 2, 3, 4])); // 16 bytes
    blob.extend([0xFF; 3]); // padding, as in a flash partition

    let (letters, rest) = Idx::parse_prefix(&blob).unwrap();
    assert!(ptr::eq(letters.payload(), &blob[8..10]));
    assert!(ptr::eq(letters.record_bytes(1).unwrap(), &blob[9..10]));
    assert!(ptr::eq(rest, &blob[10..]));
    let (pairs, padding) = Records::<[i16; 2]>::parse_prefix(rest).unwrap();
    assert_eq!(pairs.get(0), Some([0x0102, 0x0304]));
    assert!(ptr::eq(pairs.record_bytes(0).unwrap(), &blob[22..26]));
    assert!(ptr::eq(padding, &blob[26..]));

    // The same bytes are an error where the file has to end.
    assert_eq!(typed::<u8>(&blob), Err(trailing(10, 19)));
    assert_eq!(typed::<[i16; 2]>(&blob[10..]), Err(trailing(16, 3)));
    assert_eq!(typed::<[u8; 0]>(&file(0x08, &[3, 0], b"x")), Err(trailing(12, 1)));
}

// Typed views

#[test]
fn records_by_index() {
    // u8, 2 records of 2 x 3
    let bytes = file(0x08, &[2, 2, 3], b"abcdefghijkl");
    let records = Records::<[[u8; 3]; 2]>::parse(&bytes).unwrap();
    assert_eq!((records.len(), records.is_empty()), (2, false));
    assert_eq!(records.get(0), Some([*b"abc", *b"def"]));
    assert_eq!(records.get(1), Some([*b"ghi", *b"jkl"]));
    assert!(ptr::eq(records.record_bytes(1).unwrap(), &bytes[22..28]));
    for beyond in [2, 3, usize::MAX] {
        assert_eq!(records.get(beyond), None);
        assert_eq!(records.record_bytes(beyond), None);
    }
    // All elements one by one, whatever the shape.
    let letters = Idx::parse(&bytes).unwrap().elements::<u8>().unwrap();
    assert!(letters.iter().eq(*b"abcdefghijkl"));
    let signed = Records::<i8>::parse(&[0, 0, 9, 1, 0, 0, 0, 2, 255, 1]).unwrap();
    assert_eq!(format!("{signed:?}"), "[-1, 1]");
}

#[test]
fn parts_of_a_view() {
    let bytes = file_of::<[i16; 2]>(&[0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]);
    let records = Records::<[i16; 2]>::parse(&bytes).unwrap();
    assert_eq!(records.payload(), &bytes[12..]);
    let all = [[1, 2], [3, 4], [5, 6]];
    for start in 0..5 {
        for end in 0..5 {
            let part = records.slice(Range { start, end });
            assert_eq!(part.is_some(), start <= end && end <= 3, "{start}..{end}");
            let Some(part) = part else { continue };
            assert_eq!((part.len(), part.is_empty()), (end - start, end == start));
            assert!(part.iter().eq(all[start..end].iter().copied()));
            assert_eq!(part.payload(), &bytes[12 + 4 * start..12 + 4 * end]);
            assert_eq!(part.get(end - start), None);
        }
    }
    assert!(records.slice(0..usize::MAX).is_none());
    for len in 0..5 {
        let mut copy = vec![[7, 7]; len];
        assert_eq!(records.copy_to(&mut copy), (len == 3).then_some(()));
        assert_eq!(copy, if len == 3 { all.to_vec() } else { vec![[7, 7]; len] });
    }
    // Records of no bytes are counted, too.
    let bytes = file(0x08, &[3, 0], &[]);
    let empty = Records::<[u8; 0]>::parse(&bytes).unwrap();
    assert_eq!(empty.slice(1..3).map(|part| part.len()), Some(2));
    assert!(empty.slice(1..4).is_none());
    assert_eq!((empty.copy_to(&mut [[]; 3]), empty.copy_to(&mut [[]; 2])), (Some(()), None));
    assert_eq!(empty.copy_to(&mut [[]; 4]), None);

    // More arrays without elements in a row than a `usize` counts.
    const MANY: usize = u32::MAX as usize;
    let mut file = vec![0, 0, 8, 4];
    file.extend([0xFF; 12]);
    file.extend([0; 4]);
    let records = Records::<[[[u8; 0]; MANY]; MANY]>::parse(&file).unwrap();
    let mut copy = Box::new([[[[]; MANY]; MANY]; MANY]);
    assert_eq!(records.copy_to(&mut copy[..]), Some(()));
    assert_eq!(copy[0].encode(&mut []), Some(()));
}

#[test]
fn rank_0_is_one_record_of_one_element() {
    // i32, no dimension
    let bytes = [0, 0, 0x0C, 0, 0xFF, 0xFF, 0xFF, 0xFD];
    assert!(typed::<i32>(&bytes).unwrap().iter().eq([-3]));
    assert!(typed::<be::I32>(&bytes).unwrap().iter().eq([be::I32::new(-3)]));
    assert_eq!(typed::<[i32; 1]>(&bytes), Err(other_rank(2, 0)));
    // A typed view does not tell it from rank 1.
    assert_eq!(typed(&file(0x0C, &[1], &bytes[4..])), typed::<i32>(&bytes));
}

/// The iterator behaves like that of a `Vec`, from both ends and beyond them.
#[track_caller]
fn iterates<T: IdxRecord + Clone + PartialEq + Debug>(bytes: &[u8], len: usize) {
    let records = typed::<T>(bytes).unwrap();
    let expected: Vec<T> = (0..len).map(|index| records.get(index).unwrap()).collect();
    let skips = (0..len + 2).flat_map(|front| (0..len + 2).map(move |back| (front, back)));
    for (front, back) in skips {
        let (mut iter, mut model) = (records.iter(), expected.clone().into_iter());
        for _ in 0..2 {
            assert_eq!(iter.len(), model.len());
            assert_eq!(iter.size_hint(), model.size_hint());
            assert_eq!(iter.clone().count(), model.len());
            assert_eq!(iter.clone().last(), model.clone().last());
            assert!(iter.clone().eq(model.clone()));
            assert!(iter.clone().rev().eq(model.clone().rev()));
            assert_eq!(iter.nth(front), model.nth(front));
            assert_eq!(iter.nth_back(back), model.nth_back(back));
            assert_eq!(iter.next(), model.next());
            assert_eq!(iter.next_back(), model.next_back());
        }
        while iter.next().is_some() {}
        assert!(iter.next().is_none() && iter.next_back().is_none());
        assert!(iter.nth(1).is_none() && iter.nth_back(1).is_none());
    }
    assert!(records.into_iter().eq(&records));
}

#[test]
fn iterators() {
    iterates::<u8>(&file(0x08, &[0], b""), 0);
    iterates::<u8>(&file(0x08, &[7], b"letters"), 7);
    iterates::<[i16; 2]>(&file(0x0B, &[3, 2], b"pairs of i16"), 3);
    iterates::<[[u8; 0]; 2]>(&file(0x08, &[4, 2, 0], b""), 4);
}

#[test]
fn records_of_no_bytes() {
    const LEN: usize = 1 << 31;
    let bytes = file(0x08, &[1 << 31, 0], b"");
    let records = typed_slowly::<[u8; 0]>(&bytes);
    assert_eq!((records.len(), records.iter().len()), (LEN, LEN));
    assert_eq!((records.get(LEN - 1), records.get(LEN)), (Some([]), None));
    assert_eq!(records.iter().nth(LEN - 1), Some([]));
    assert_eq!(records.iter().nth(LEN), None);
    assert_eq!(records.iter().nth_back(LEN - 1), Some([]));
    assert_eq!(records.iter().nth_back(usize::MAX), None);
    assert_eq!((records.iter().count(), records.iter().last()), (LEN, Some([])));

    let bytes = file(0x08, &[1 << 31, 1 << 31, 0], b"");
    let records = typed_slowly::<[[u8; 0]; LEN]>(&bytes);
    assert_eq!((records.len(), records.get(LEN - 1).is_some()), (LEN, true));
    // More elements of no bytes than a `usize` counts.
    const MOST: usize = u32::MAX as usize;
    let bytes = file(0x08, &[1, 4, u32::MAX, u32::MAX, 0], b"");
    let records = typed_slowly::<[[[[u8; 0]; MOST]; MOST]; 4]>(&bytes);
    assert!(records.get(0).is_some());
}

/// The records of a file, where comparing one by one would take too long.
fn typed_slowly<T: IdxRecord>(bytes: &[u8]) -> Records<'_, T> {
    Records::parse(bytes).unwrap()
}

// Values that are not allowed

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Digit(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Temperature(#[idx(range = -27_315..=100_000)] i32);

/// With gaps, so that a look at the ends is not enough.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Animal {
    Frog = 200,
    Cat = 3,
    Dog = 5,
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(i16)]
enum Sign {
    Plus = 1,
    Minus = -1,
    Zero = 0,
}

/// Ten bytes: rules in the field's type, in its elements and on the field itself, and no rule.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Row {
    free: [u8; 2],
    animal: Animal,
    digits: [[Digit; 2]; 2],
    #[idx(range = 100..=101)]
    close: [u8; 2],
    last: u8,
}

/// No field without a rule, and several elements in the first one.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Ruled {
    digits: [Digit; 2],
    animal: Animal,
}

const ROW: [u8; 10] = [0, 255, 3, 0, 9, 0, 9, 100, 101, 77];

/// `record` is the first of these records that `T` does not allow, because of this value.
#[track_caller]
fn refuses<T: IdxRecord + PartialEq + Debug>(payload: &[u8], record: u64, value: i64) {
    let bytes = file_of::<T>(payload);
    assert_eq!(typed::<T>(&bytes), Err(not_allowed(record, value)));
    let mut records = payload.chunks(T::SIZE);
    let first = records.position(|record| T::decode(record).is_none());
    assert_eq!(first, usize::try_from(record).ok());
}

#[test]
fn values_of_ranges() {
    for value in 0..=9 {
        assert_eq!(Digit::decode(&[value]), Some(Digit(value)));
    }
    for value in 10..=255 {
        refuses::<Digit>(&[0, 9, value, 5, 10], 2, value.into());
        assert_eq!(Digit(value).encode(&mut [0]), None);
    }
    let bounds = [-27_315_i32, 100_000].map(i32::to_be_bytes).concat();
    let bounds = file_of::<Temperature>(&bounds);
    let bounds = typed::<Temperature>(&bounds).unwrap();
    assert!(bounds.iter().eq([Temperature(-27_315), Temperature(100_000)]));
    for value in [i32::MIN, -27_316, 100_001, i32::MAX] {
        refuses::<Temperature>(&[[0; 4], value.to_be_bytes()].concat(), 1, value.into());
    }
}

/// Their first and last values are not the least and the greatest, or are as far from each other as a sum or
/// a number of values that is one off would tell.
#[test]
fn values_of_enums_with_gaps() {
    macro_rules! check {
        ($($first:literal, $second:literal, $third:literal);+) => {$({
            #[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
            #[repr(i8)]
            enum Label {
                First = $first,
                Second = $second,
                Third = $third,
            }
            for value in i8::MIN..=i8::MAX {
                let label = match value {
                    $first => Some(Label::First),
                    $second => Some(Label::Second),
                    $third => Some(Label::Third),
                    _ => None,
                };
                let bytes = value.to_be_bytes();
                assert_eq!(Label::decode(&bytes), label);
                assert_eq!(typed::<Label>(&file_of::<Label>(&bytes)).is_ok(), label.is_some());
            }
        })+};
    }
    check!(5, 3, 7; 5, 7, 3; -1, 0, 3; 0, 1, 4; 4, 1, 2);
}

#[test]
fn values_of_enums() {
    for value in 0..=255 {
        match value {
            3 => assert_eq!(Animal::decode(&[value]), Some(Animal::Cat)),
            5 => assert_eq!(Animal::decode(&[value]), Some(Animal::Dog)),
            200 => assert_eq!(Animal::decode(&[value]), Some(Animal::Frog)),
            _ => refuses::<Animal>(&[3, 5, 200, value], 3, value.into()),
        }
    }
    let good = [-1_i16, 0, 1].map(i16::to_be_bytes).concat();
    let signs = file_of::<Sign>(&good);
    let signs = typed::<Sign>(&signs).unwrap();
    assert!(signs.iter().eq([Sign::Minus, Sign::Zero, Sign::Plus]));
    for value in [i16::MIN, -2, 2, 256, i16::MAX] {
        refuses::<Sign>(&[&good[..], &value.to_be_bytes()].concat(), 3, value.into());
    }
}

#[test]
fn values_of_nested_records() {
    let rows = file_of::<Row>(&[ROW, ROW].concat());
    let row = Row::decode(&ROW).unwrap();
    assert_eq!(row.digits, [[Digit(0), Digit(9)]; 2]);
    assert!(typed::<Row>(&rows).unwrap().iter().eq([row, row]));

    let wrong = [(2, 4), (3, 10), (4, 255), (5, 11), (6, 10), (7, 99), (8, 102)];
    for (index, value) in wrong {
        let mut wrong = ROW;
        wrong[index] = value;
        refuses::<Row>(&[ROW, ROW, wrong, wrong].concat(), 2, value.into());
    }
    refuses::<Ruled>(&[0, 9, 3, 0, 10, 3], 1, 10);
    refuses::<Ruled>(&[0, 9, 3, 0, 0, 4], 1, 4);
    // In arrays the record is the outermost one, and its first wrong value is reported.
    refuses::<[[Animal; 2]; 2]>(&[3, 3, 3, 3, 5, 5, 5, 6, 3, 3, 3, 7], 1, 6);
    let mut wrong = ROW;
    (wrong[8], wrong[4]) = (0, 13);
    refuses::<[Row; 2]>(&[ROW, ROW, ROW, wrong, wrong, ROW].concat(), 1, 13);
}

#[test]
fn shapes_of_up_to_eight_dimensions() {
    type Four = [[[[u8; 5]; 4]; 3]; 2];
    assert!(u8::SHAPE.is_empty());
    assert_eq!(<[u8; 5]>::SHAPE, [5]);
    assert_eq!(<[[u8; 5]; 4]>::SHAPE, [4, 5]);
    assert_eq!(<[[[u8; 5]; 4]; 3]>::SHAPE, [3, 4, 5]);
    assert_eq!(Four::SHAPE, [2, 3, 4, 5]);
    assert_eq!(<[Four; 6]>::SHAPE, [6, 2, 3, 4, 5]);
    assert_eq!(<[[Four; 6]; 7]>::SHAPE, [7, 6, 2, 3, 4, 5]);
    assert_eq!(<[[[Four; 6]; 7]; 8]>::SHAPE, [8, 7, 6, 2, 3, 4, 5]);
    assert_eq!(<[[[[Four; 6]; 7]; 8]; 9]>::SHAPE, [9, 8, 7, 6, 2, 3, 4, 5]);
}

#[test]
fn values_of_elements() {
    // u8, 2 records of 2; what the error calls a record is the element.
    let bytes = file(0x08, &[2, 2], &[1, 2, 3, 44]);
    let idx = Idx::parse(&bytes).unwrap();
    assert_eq!(kind(idx.elements::<Digit>()), Err(not_allowed(3, 44)));
    assert_eq!(kind(idx.elements::<i8>()), Err(other_elements(I8, U8)));
    // No value, no error.
    assert_eq!(typed::<Digit>(&file(0x08, &[0], b"")).unwrap().len(), 0);
    assert_eq!(typed::<[Digit; 0]>(&file(0x08, &[3, 0], b"")).unwrap().len(), 3);
}

// Errors

/// The result of a typed parse; all ways to get a typed view must agree.
#[track_caller]
fn typed<T: IdxRecord + PartialEq + Debug>(bytes: &[u8]) -> Result<Records<'_, T>, ErrorKind> {
    let direct = kind(Records::parse(bytes));
    assert_eq!(direct.as_ref().ok(), in_two_steps(bytes).as_ref().ok());
    let prefix = kind(Records::parse_prefix(bytes));
    match direct {
        Ok(records) => assert_eq!(prefix, Ok((records, &[][..]))),
        // If bytes may follow, a file has a rest instead, or its next error.
        Err(ErrorKind::TrailingBytes { offset, .. }) => {
            let file = &bytes[..offset.try_into().unwrap()];
            let rest = &bytes[file.len()..];
            let file = kind(Records::parse(file));
            assert_eq!(prefix, file.map(|records| (records, rest)));
        }
        Err(error) => assert_eq!(prefix, Err(error)),
    }
    direct
}

/// The result of a parser that checks the file before the type.
#[track_caller]
fn in_two_steps<T: IdxRecord + PartialEq + Debug>(
    bytes: &[u8],
) -> Result<Records<'_, T>, ErrorKind> {
    let whole = Idx::parse(bytes).and_then(|idx| idx.records());
    if let Ok((idx, rest)) = Idx::parse_prefix(bytes)
        && rest.is_empty()
    {
        assert_eq!(whole, idx.records());
    }
    kind(whole)
}

fn kind<T>(parsed: Result<T, Error>) -> Result<T, ErrorKind> {
    parsed.map_err(|error| error.kind())
}

#[test]
fn mismatches() {
    let bytes = file(0x0B, &[1, 2, 3], &[0; 12]);
    assert_eq!(typed::<[[u8; 3]; 2]>(&bytes), Err(other_elements(U8, I16)));
    assert_eq!(typed::<i16>(&bytes), Err(other_rank(1, 3)));
    assert_eq!(typed::<[i16; 6]>(&bytes), Err(other_rank(2, 3)));
    assert_eq!(typed::<[[[i16; 1]; 3]; 2]>(&bytes), Err(other_rank(4, 3)));
    // Dimension 0 counts the records, so that the record's first is dimension 1.
    assert_eq!(typed::<[[i16; 2]; 3]>(&bytes), Err(other_shape(1, 3, 2)));
    assert_eq!(typed::<[[i16; 4]; 2]>(&bytes), Err(other_shape(2, 4, 3)));
    assert_eq!(typed::<[[i16; 3]; 0]>(&bytes), Err(other_shape(1, 0, 2)));
    let bytes = file(0x08, &[1; 255], &[7]);
    assert_eq!(typed::<u8>(&bytes), Err(other_rank(1, 255)));
    // The shape has to be right in a file without records, too.
    let bytes = file(0x08, &[0, 2], b"");
    assert_eq!(typed::<[u8; 3]>(&bytes), Err(other_shape(1, 3, 2)));
}

/// Files with two defects, read as records of two digits: a parser that looks at the file first reports the
/// one, a typed parse the first in the order of the bytes.
#[test]
#[rustfmt::skip]
fn the_first_error_is_told() {
    const MAX: u32 = u32::MAX;
    let not_idx = |start| ErrorKind::NotIdx { start };
    let unknown = ErrorKind::UnknownElementType { code: 0x0A };
    let (gzip, i16s) = (ErrorKind::Gzip, other_elements(U8, I16));
    let cases = [
        ("gzip, header cut", vec![0x1F, 0x8B], gzip, header_cut(4, 2)),
        ("gzip, element type", vec![0x1F, 0x8B, 0x0A, 0], gzip, gzip),
        ("half of gzip, header cut", vec![0x1F], not_idx([0x1F, 0, 0, 0]), header_cut(4, 1)),
        ("first byte, header cut", vec![7], not_idx([7, 0, 0, 0]), header_cut(4, 1)),
        ("second byte, header cut", vec![0, 7], not_idx([0, 7, 0, 0]), header_cut(4, 2)),
        ("first bytes, element type", vec![1, 2, 0x0A, 4], not_idx([1, 2, 0x0A, 4]), not_idx([1, 2, 0x0A, 4])),
        ("element type, header cut", vec![0, 0, 0x0A], unknown, header_cut(4, 3)),
        ("element type, sizes cut", vec![0, 0, 0x0A, 2, 0, 0, 0, 1], unknown, unknown),
        ("element type, too large", file(0x0A, &[MAX; 3], &[0; 2]), unknown, unknown),
        ("sizes cut, too large", file(0x08, &[MAX; 3], b"")[..15].into(), header_cut(16, 15), other_rank(2, 3)),
        ("sizes cut, element type of the record", file(0x0B, &[1, 2], b"")[..11].into(), header_cut(12, 11), i16s),
        ("sizes cut, shape", file(0x08, &[1, 3], b"")[..11].into(), header_cut(12, 11), header_cut(12, 11)),
        ("too large, payload cut", file(0x08, &[MAX; 3], b""), too_large(2, MAX), other_rank(2, 3)),
        ("too large, element type of the record", file(0x0B, &[MAX; 3], b""), too_large(1, MAX), i16s),
        ("payload cut, element type of the record", file(0x0B, &[1, 2], &[0; 3]), payload_cut(4, 3), i16s),
        ("payload cut, rank", file(0x08, &[3], &[0; 2]), payload_cut(3, 2), other_rank(2, 1)),
        ("payload cut, shape", file(0x08, &[1, 3], &[0; 2]), payload_cut(3, 2), other_shape(1, 2, 3)),
        ("payload cut, value", file(0x08, &[1, 2], &[10]), payload_cut(2, 1), payload_cut(2, 1)),
        ("bytes left over, element type of the record", file(0x0B, &[1, 2], &[0; 5]), trailing(16, 1), i16s),
        ("bytes left over, rank", file(0x08, &[1], &[0; 2]), trailing(9, 1), other_rank(2, 1)),
        ("bytes left over, shape", file(0x08, &[1, 3], &[0; 5]), trailing(15, 2), other_shape(1, 2, 3)),
        ("bytes left over, value", file(0x08, &[1, 2], &[10; 3]), trailing(14, 1), trailing(14, 1)),
        ("element type of the record, rank", file(0x09, &[2], &[0; 2]), other_elements(U8, I8), other_elements(U8, I8)),
        ("rank, value", file(0x08, &[1], &[10]), other_rank(2, 1), other_rank(2, 1)),
        ("shape, value", file(0x08, &[1, 3], &[10; 3]), other_shape(1, 2, 3), other_shape(1, 2, 3)),
    ];
    for (defects, bytes, file_first, in_order) in cases {
        assert_eq!(in_two_steps::<[Digit; 2]>(&bytes), Err(file_first), "{defects}");
        assert_eq!(typed::<[Digit; 2]>(&bytes), Err(in_order), "{defects}");
    }
}

/// No file has that many bytes; only a record type can be so large.
#[test]
#[cfg(target_pointer_width = "64")]
fn records_that_are_too_large() {
    type Largest = [[u8; 1 << 31]; 1 << 31];
    let bytes = file(0x08, &[4, 1 << 31, 1 << 31], &[0; 8]);
    let parsed = kind(Records::<Largest>::parse(&bytes).map(|_| ()));
    assert_eq!(parsed, Err(too_large(2, 1 << 31)));
    assert_eq!(kind(Header::parse(&bytes)), Err(too_large(2, 1 << 31)));
    let bytes = file(0x08, &[3, 1 << 31, 1 << 31], &[0; 8]);
    let parsed = kind(Records::<Largest>::parse(&bytes).map(|_| ()));
    assert_eq!(parsed, Err(payload_cut(3 << 62, 8)));
}

/// Every prefix of a good file, and the file with an extra byte, is rejected for the right reason.
#[track_caller]
fn cut_everywhere<T: IdxRecord + PartialEq + Debug>(sizes: &[u32], payload: &[u8]) {
    let mut bytes = file(T::ELEMENT.code(), sizes, payload);
    let header = 4 + 4 * sizes.len();
    let number = |size: usize| u64::try_from(size).unwrap();
    for len in 0..bytes.len() {
        let expected = match len {
            0 => ErrorKind::Empty,
            1..4 => header_cut(4, len),
            _ if len < header => header_cut(header, len),
            _ => payload_cut(number(payload.len()), number(len - header)),
        };
        assert_eq!(typed::<T>(&bytes[..len]), Err(expected));
    }
    assert!(typed::<T>(&bytes).is_ok());
    bytes.push(0);
    let end = header + payload.len();
    assert_eq!(typed::<T>(&bytes), Err(trailing(number(end), 1)));
}

#[test]
fn cut_files() {
    cut_everywhere::<u8>(&[], &[7]);
    cut_everywhere::<be::F64>(&[], &[7; 8]);
    cut_everywhere::<i32>(&[3], &[0; 12]);
    cut_everywhere::<Digit>(&[5], &[9; 5]);
    cut_everywhere::<[i16; 3]>(&[2, 3], &[0xFF; 12]);
    cut_everywhere::<[[u8; 4]; 3]>(&[2, 3, 4], &[0; 24]);
    cut_everywhere::<Row>(&[2, 10], &[ROW, ROW].concat());
    cut_everywhere::<[u8; 0]>(&[9, 0], &[]);
    cut_everywhere::<[[[u8; 1]; 1]; 1]>(&[0, 1, 1, 1], &[]);
}

#[test]
fn every_value_of_the_first_four_bytes() {
    let good = file(0x08, &[2], &[7, 7]); // 10 bytes
    let values = (0..4).flat_map(|index| (0..=255).map(move |value| (index, value)));
    for (index, value) in values {
        let mut bytes = good.clone();
        bytes[index] = value;
        let start = *bytes.first_chunk().unwrap();
        let expected = match (index, value) {
            (0 | 1, 0) | (2, 0x08 | 0x09) | (3, 1) => Ok(()),
            (0 | 1, _) => Err(ErrorKind::NotIdx { start }),
            (2, 0x0B) => Err(payload_cut(4, 2)),
            (2, 0x0C | 0x0D) => Err(payload_cut(8, 2)),
            (2, 0x0E) => Err(payload_cut(16, 2)),
            (2, code) => Err(ErrorKind::UnknownElementType { code }),
            (_, 0) => Err(trailing(5, 5)),
            (_, rank) => Err(header_cut(4 + 4 * usize::from(rank), 10)),
        };
        let answer = kind(Idx::parse(&bytes)).map(|_| ());
        assert_eq!(answer, expected, "byte {index} is {value:02X}");
    }
}

#[test]
fn files_of_other_formats() {
    // As gzip(1) writes it: deflate, with a name, a time stamp, Unix.
    let gzip = [0x1F, 0x8B, 8, 8, 0x5E, 0x3A, 0x21, 0x4E, 2, 3];
    for len in 2..=gzip.len() {
        let expected = Err(ErrorKind::Gzip);
        assert_eq!(in_two_steps::<u8>(&gzip[..len]), expected);
        if len >= 4 {
            assert_eq!(typed::<u8>(&gzip[..len]), expected);
        }
    }
    for start in [[1, 8, 0, 0], *b"<htm", *b"PK\x03\x04"] {
        assert_eq!(typed::<u8>(&start), Err(ErrorKind::NotIdx { start }));
    }
}

/// With the largest numbers, so that no sentence of this form can be too long for its buffer.
#[test]
#[rustfmt::skip]
fn sentences() {
    const BIG: u64 = u64::MAX;
    const LARGEST: usize = usize::MAX;
    let unaddressable = ErrorKind::Unaddressable { size: BIG };
    let mut codes = std::collections::BTreeSet::new();
    for (error, sentence) in [
        (ErrorKind::Empty, "the file is empty; download or copy it again"),
        (ErrorKind::Gzip, "this is gzip data; decompress it first (gunzip), or read it with the crate idx-std"),
        (ErrorKind::NotIdx { start: [0xFF; 4] }, "this is not an IDX file: it starts with FF FF FF FF (decimal 4294967295), but IDX files start with 00 00; check the source of the file"),
        (ErrorKind::NotIdx { start: [0xFF, 0xFF, 0x8E, 0xFF] }, "this is not an IDX file: it starts with FF FF 8E FF (decimal 4294938367), but IDX files start with 00 00; its writer may not have finished it"),
        (ErrorKind::NotIdx { start: [0x89, b'P', 0x0A, 0] }, "this is not an IDX file: it starts with 89 50 0A 00 (decimal 2303724032), but IDX files start with 00 00; check the source of the file"),
        (ErrorKind::UnknownElementType { code: 0x0A }, "unknown element type 0A (byte 2); valid codes are 08 u8, 09 i8, 0B i16, 0C i32, 0D f32, 0E f64"),
        (header_cut(LARGEST, 0), "the header is truncated: expected {LARGEST} bytes, found 0 ({LARGEST} missing); download or copy the file again"),
        (too_large(LARGEST, u32::MAX), "the payload size overflows 64 bits at dimension {LARGEST} of size 4294967295; the header is corrupt, download or copy the file again"),
        (unaddressable, "the file is too large for this machine: {BIG} bytes or records, at most {LARGEST} fit; \
            read it on a 64-bit machine, or as a stream"),
        (payload_cut(BIG, 0), "the payload is truncated: expected {BIG} bytes, found 0 ({BIG} missing); download or copy the file again"),
        (trailing(BIG, BIG), "extra bytes after the payload: {BIG} bytes from offset {BIG}; remove them, or parse a prefix if they belong there"),
        (other_elements(I16, F64), "element type mismatch: f64 in the file but i16 in the record type; change the record type"),
        (other_rank(LARGEST, LARGEST), "rank mismatch: the file has {LARGEST} dimensions but the record type needs {LARGEST}; change the record type"),
        (other_shape(LARGEST, u32::MAX, 0), "shape mismatch: dimension {LARGEST} is 0 in the file but 4294967295 in the record type; change the record type"),
        (not_allowed(BIG, i64::MIN), "the record type does not allow a value: record {BIG} contains -9223372036854775808; \
            correct the file, or allow the value"),
    ] {
        let sentence = sentence.replace("{BIG}", "18446744073709551615");
        let sentence = sentence.replace("{LARGEST}", &LARGEST.to_string());
        assert_eq!(error.to_string(), sentence);
        assert!(sentence.starts_with(error.message()), "{}", error.message());
        assert!("IDX: ".len() + sentence.len() <= 240, "too long for an error of the compiler");
        codes.insert(error.number());
        assert!(std::error::Error::source(&error).is_none());
    }
    assert!(codes.into_iter().eq(1..=13));
}

/// One number, which never changes, stands for each.
#[test]
fn codes() {
    for (code, file) in [
        (1, &[][..]),
        (2, &[0x1F, 0x8B, 8, 0]),
        (3, b"<htm"),
        (4, &[0, 0, 0x0A, 1]),
        (5, &[0, 0, 8]),
        (8, &[0, 0, 8, 1, 0, 0, 0, 1]),
        (9, &[0, 0, 8, 1, 0, 0, 0, 0, 1]),
        (10, &[0, 0, 9, 1, 0, 0, 0, 0]),
        (11, &[0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        let error = Records::<u8>::parse(file).unwrap_err();
        assert_eq!((error.number(), error.kind().number()), (code, code), "{error}");
    }
    let too_large = [[0, 0, 8, 3], [0xFF; 4], [0xFF; 4], [0xFF; 4]].concat();
    assert_eq!(Header::parse(&too_large).unwrap_err().number(), 6);
    // A third byte that is missing is not an unknown type.
    assert_eq!(Header::parse(&[0, 0]).unwrap_err(), header_cut(4, 2));
    assert_eq!(ErrorKind::Unaddressable { size: 0 }.number(), 7);
    let other_shape = [0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 3];
    assert_eq!(Records::<[u8; 2]>::parse(&other_shape).unwrap_err().number(), 12);
    assert_eq!(not_allowed(0, 0).number(), 13);
}

#[test]
fn numbers_in_sentences() {
    let powers = (0..20).map(|exponent| 10_u64.pow(exponent));
    let bits = (0..64).map(|bit| 1 << bit);
    for power in powers.chain(bits) {
        for number in [power - 1, power, power + 1, power.wrapping_mul(7), !power] {
            let sentence = not_allowed(number, i64::MIN).to_string();
            let expected = format!("record {number} contains -9223372036854775808;");
            assert!(sentence.contains(&expected), "{sentence}");
        }
    }
}

// Writing

/// Takes as many bytes as the record has, no more and no fewer.
#[track_caller]
fn encodes<T: IdxRecord + PartialEq + Debug>(record: T, bytes: &[u8]) {
    assert_eq!(T::SIZE, bytes.len());
    // Up to one more element of any size.
    for len in 0..=bytes.len() + 8 {
        let mut written = vec![0xAA; len];
        let whole = len == bytes.len();
        assert_eq!(record.encode(&mut written).is_some(), whole, "{len} bytes");
        assert!(!whole || written == bytes);
        assert_eq!(T::decode(&written).is_some(), whole, "{len} bytes");
    }
    assert_eq!(T::decode(bytes), Some(record));
}

#[test]
fn encoding() {
    encodes(7_u8, &[7]);
    encodes(-1.5_f64, &[0xBF, 0xF8, 0, 0, 0, 0, 0, 0]);
    encodes(be::I32::new(-2), &[0xFF, 0xFF, 0xFF, 0xFE]);
    encodes([[1_i16, 2], [3, -4]], &[0, 1, 0, 2, 0, 3, 0xFF, 0xFC]);
    encodes([[0_u8; 0]; 3], &[]);

    #[derive(IdxRecord, Debug, PartialEq)]
    struct Step(u8, u8);
    encodes([Step(1, 2), Step(3, 4)], &[1, 2, 3, 4]);
}

/// The header of a record type is the one that its files have.
#[track_caller]
fn heads<T: IdxRecord, const N: usize>(start: [u8; 4], sizes: &[u32]) {
    assert_eq!(T::HEADER_SIZE, N);
    for count in [0, 1, 0x0102_0304, u32::MAX] {
        let mut expected = start.to_vec();
        expected.extend(count.to_be_bytes());
        expected.extend(sizes.iter().flat_map(|size| size.to_be_bytes()));
        assert_eq!(idx_core::header::<T, N>(count)[..], expected);
    }
    let file = [&idx_core::header::<T, N>(2)[..], &vec![0; 2 * T::SIZE]].concat();
    assert_eq!(Records::<T>::parse(&file).map(|records| records.len()), Ok(2));
}

#[test]
fn headers_of_record_types() {
    heads::<u8, 8>([0, 0, 8, 1], &[]);
    heads::<[f64; 3], 12>([0, 0, 0x0E, 2], &[3]);
    heads::<[[be::I16; 0x1_0002]; 1], 16>([0, 0, 0x0B, 3], &[1, 0x1_0002]);
    heads::<[[[[[[[[i32; 1]; 2]; 3]; 4]; 5]; 6]; 7]; 8], 40>(
        [0, 0, 0x0C, 9],
        &[8, 7, 6, 5, 4, 3, 2, 1],
    );
    const LOG: [u8; 12] = idx_core::header::<[i16; 3], 12>(u32::MAX);
    assert_eq!(LOG, *b"\0\0\x0B\x02\xFF\xFF\xFF\xFF\0\0\0\x03");
    assert_eq!(Header::new(U8, &[[0, 0, 0, 1]; 256]), None);
    assert!(Header::new(U8, &[[0, 0, 0, 1]; 255]).is_some());
    assert_eq!(Header::new(F64, &[[0x80, 0, 0, 0]; 2]), None);
    assert!(Header::new(I32, &[[0x80, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF]]).is_some());
}

#[test]
fn values_that_are_not_allowed_are_not_written() {
    let row = Row::decode(&ROW).unwrap();
    let mut written = [0; 10];
    assert_eq!(row.encode(&mut written), Some(()));
    assert_eq!(written, ROW);
    let wrong = [[Digit(9), Digit(10)]; 2];
    assert_eq!(wrong.encode(&mut [0; 4]), None);
    assert_eq!(Row { digits: wrong, ..row }.encode(&mut written), None);
    let close = [100, 102];
    assert_eq!(Row { close, ..row }.encode(&mut written), None);
    assert_eq!(Temperature(100_001).encode(&mut [0; 4]), None);
}

// In the compiler

const LABELS: &[u8] = b"\0\0\x08\x01\0\0\0\x04\x05\x00\x04\x01"; // u8, 4 labels
const PAIRS: &[u8] = b"\0\0\x0B\x02\0\0\0\x02\0\0\0\x02\0\x01\0\x02\0\x03\xFF\xFF"; // i16, 2 x 2

const HEADER: Header<'_> = match Header::parse(PAIRS) {
    Ok((header, _)) => header,
    Err(_) => panic!(),
};
const IDX: Idx<'_> = match Idx::parse(PAIRS) {
    Ok(idx) => idx,
    Err(_) => panic!(),
};
const DIGITS: Records<'_, Digit> = Records::from_static(LABELS);
static BORROWED_DIGITS: &[Digit] = DIGITS.as_slice();

const _: () = {
    assert!(matches!(HEADER.dims().get(1), Some(2)));
    assert!(HEADER.dims().get(2).is_none());
    assert!(HEADER.rank() == 2 && HEADER.header_size() == 12 && HEADER.payload_size() == 8);
    assert!(matches!(HEADER.record_size(), Some(4)));
    assert!(matches!(IDX.record_bytes(1), Some([0, 3, 0xFF, 0xFF])));
    assert!(matches!(IDX.records::<[i16; 2]>(), Ok(pairs) if pairs.len() == 2));
    assert!(matches!(
        IDX.records::<i16>(),
        Err(error) if matches!(error.kind(), ErrorKind::RankMismatch { .. })
    ));
    assert!(matches!(IDX.elements::<i16>(), Ok(numbers) if numbers.len() == 4));
    assert!(matches!(Records::<Digit>::parse_prefix(LABELS), Ok((_, []))));
    assert!(matches!(
        Records::<Animal>::parse(LABELS),
        Err(error) if matches!(error.kind(), ErrorKind::ValueNotAllowed { record: 1, value: 0 })
    ));
    assert!(matches!(DIGITS.record_bytes(3), Some([1])));
    assert!(matches!(DIGITS.as_slice(), [Digit(5), _, Digit(4), _]));
    assert!(matches!(ElementType::from_code(0x0E), Some(F64)));
    assert!(!ErrorKind::Empty.message().is_empty());
};

#[test]
fn statics() {
    assert_eq!(BORROWED_DIGITS, [5, 0, 4, 1].map(Digit));
    assert!(DIGITS.iter().eq(BORROWED_DIGITS.iter().copied()));
    assert_eq!(IDX, Idx::parse(PAIRS).unwrap());
    assert_eq!(IDX.header(), HEADER);
}

#[test]
#[should_panic(
    expected = "IDX: the payload is truncated: expected 4 bytes, found 3 (1 missing); download"
)]
fn from_static_at_run_time() {
    let _ = Records::<u8>::from_static(&LABELS[..11]);
}

/// A file of records of type `T`, with a payload that counts up from 1.
const fn counting<T: IdxRecord, const LEN: usize>(count: u8) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    (bytes[2], bytes[3]) = (T::ELEMENT.code(), T::SHAPE.len() as u8 + 1);
    bytes[7] = count;
    let mut dimension = 0;
    while dimension < T::SHAPE.len() {
        bytes[11 + 4 * dimension] = T::SHAPE[dimension] as u8;
        dimension += 1;
    }
    let start = 8 + 4 * dimension;
    let mut index = start;
    while index < LEN {
        bytes[index] = (index - start + 1) as u8;
        index += 1;
    }
    bytes
}

/// They are those of a view of the same file, with the alignment of the machine.
#[test]
fn arrays_that_the_compiler_decodes() {
    macro_rules! same {
        ($($record:ty, $count:literal;)+) => {$({
            const LEN: usize = 8 + 4 * <$record>::SHAPE.len() + $count * <$record>::SIZE;
            static FILE: [u8; LEN] = counting::<$record, LEN>($count);
            static ARRAY: [$record; $count] = Records::from_static(&FILE).to_array();
            assert!(typed::<$record>(&FILE).unwrap().iter().eq(ARRAY));
            assert!(ARRAY.as_ptr().is_aligned());
        })+};
    }
    same! {
        u8, 3;
        [i8; 5], 3;
        i16, 1;
        [[[i16; 2]; 3]; 5], 2;
        [[i32; 3]; 2], 2;
        [f32; 7], 3;
        f64, 4;
        [[f64; 3]; 2], 1;
        [i32; 0], 2;
        i16, 0;
    }
    assert_eq!(Records::<i16>::from_static(&[0, 0, 11, 0, 0xFF, 0xFE]).to_array(), [-2]);
}

/// Structs of numbers and labels, too, in a `const` as well.
#[test]
fn arrays_of_derived_records() {
    #[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
    #[repr(i16)]
    enum Unit {
        Kelvin = -2,
        Celsius = 0x0102,
    }
    #[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
    #[repr(transparent)]
    struct Gain(#[idx(range = 0..=0x0300)] i16);
    #[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Channel {
        gain: [Gain; 2],
        offset: i16,
        unit: Unit,
    }
    #[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Pair<T: Copy, const N: usize> {
        first: T,
        others: [T; N],
    }
    const CHANNELS: Records<Channel> = Records::from_static(&[
        0, 0, 11, 2, 0, 0, 0, 2, 0, 0, 0, 4, //
        3, 0, 0, 1, 0xFF, 0xFE, 0xFF, 0xFE, 0, 0, 1, 2, 0, 5, 1, 2,
    ]);
    const ARRAY: [Channel; 2] = CHANNELS.to_array();
    const OFFSET: i16 = ARRAY[1].offset;
    assert!(CHANNELS.iter().eq(ARRAY));
    assert_eq!((OFFSET, ARRAY[0].unit, ARRAY[1].unit), (5, Unit::Kelvin, Unit::Celsius));
    assert_eq!(ARRAY[0].gain, [Gain(0x0300), Gain(1)]);

    static FLOATS: [Pair<f32, 2>; 1] =
        Records::from_static(b"\0\0\x0D\x02\0\0\0\x01\0\0\0\x03\x3F\x80\0\0\xC0\0\0\0\x40\x40\0\0")
            .to_array();
    assert_eq!(FLOATS, [Pair { first: 1.0, others: [-2.0, 3.0] }]);
}

/// Also of records that take no memory, whose number the payload does not tell.
#[test]
#[should_panic(expected = "IDX: the file has 3 records but the array needs 2; change the length")]
fn arrays_of_fewer_records_without_elements() {
    let _ = Records::<[i8; 0]>::from_static(&[0, 0, 9, 2, 0, 0, 0, 3, 0, 0, 0, 0]).to_array::<2>();
}

/// The values are what makes the memory of an enum valid, so they are checked where it is made.
#[test]
#[should_panic(expected = "IDX: the file has 1 record but the array needs 1")]
fn arrays_of_values_that_nobody_checked() {
    #[derive(IdxRecord, Clone, Copy)]
    #[repr(u8)]
    enum Bit {
        Zero = 0,
        One = 1,
    }
    assert_eq!(Bit::decode(&[1]).map(|bit| matches!(bit, Bit::One)), Some(true));
    assert!(matches!(Bit::decode(&[0]), Some(Bit::Zero)));
    let _ = idx_core::__private::records::<Bit>(&[9], 1).to_array::<1>();
}

#[test]
#[should_panic(expected = "IDX: the file has 1 record but the array needs 2; change the length")]
fn arrays_of_another_length() {
    let _: [i16; 2] = Records::from_static(&[0, 0, 11, 0, 0xFF, 0xFE]).to_array();
}

// Borrowing

#[test]
fn slices_at_every_address() {
    let good = file_of::<[be::F64; 2]>(&[[0x3F, 0xF8, 0, 0, 0, 0, 0, 0]; 4].concat());
    for shift in 0..8 {
        let bytes = [&[0xEE; 8][..shift], &good].concat();
        let records = typed::<[be::F64; 2]>(&bytes[shift..]).unwrap();
        assert_eq!(records.as_slice(), [[1.5, 1.5].map(be::F64::new); 2]);
        assert_eq!(records.as_slice().as_ptr().cast(), &raw const bytes[shift + 12]);
    }
}

/// A record that is one of a program's own for bytemuck as well, as for a GPU.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Vertex {
    x: be::F32,
    y: be::F32,
}

// SAFETY: two transparent wrappers of bytes, without padding.
unsafe impl bytemuck::Zeroable for Vertex {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for Vertex {}

#[test]
fn bytemuck_of_ones_own() {
    let payload = [0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0];
    let file = file_of::<Vertex>(&payload);
    let vertices = typed::<Vertex>(&file).unwrap().as_slice();
    assert_eq!((vertices[0].x.get(), vertices[0].y.get()), (1.0, -2.0));
    assert_eq!(bytemuck::cast_slice::<Vertex, u8>(vertices), payload);
    assert_eq!(bytemuck::cast::<u64, be::F64>(0), be::F64::new(0.0));
}

#[test]
fn references_to_checked_values_only() {
    use idx_core::__private::ref_from_bytes;

    assert_eq!(ref_from_bytes(&[9]), Some(&Digit(9)));
    assert_eq!(ref_from_bytes::<Digit>(&[10]), None);
    assert_eq!(ref_from_bytes::<Digit>(&[]), None);
    assert_eq!(ref_from_bytes::<Digit>(&[1, 2]), None);
    assert_eq!(ref_from_bytes::<[u8; 2]>(&[1, 2]), Some(&[1, 2]));
    assert_eq!(DIGITS.get_ref(3), Some(&Digit(1)));
    assert_eq!(DIGITS.get_ref(4), None);
}

#[test]
fn slices_of_every_depth() {
    let payload: Vec<u8> = (0..24).collect();
    let bytes = file_of::<u8>(&payload);
    assert_eq!(typed::<u8>(&bytes).unwrap().as_slice(), payload);
    let bytes = file_of::<[u8; 12]>(&payload);
    assert_eq!(typed::<[u8; 12]>(&bytes).unwrap().as_slice()[1][11], 23);
    let bytes = file_of::<[[u8; 4]; 3]>(&payload);
    assert_eq!(typed::<[[u8; 4]; 3]>(&bytes).unwrap().as_slice()[1][2][0], 20);
    let bytes = file_of::<[[[u8; 2]; 2]; 3]>(&payload);
    assert_eq!(typed::<[[[u8; 2]; 2]; 3]>(&bytes).unwrap().as_slice()[1][0][1][0], 14);
    let bytes = file_of::<[[[[u8; 2]; 2]; 3]; 2]>(&payload);
    assert_eq!(typed::<[[[[u8; 2]; 2]; 3]; 2]>(&bytes).unwrap().as_slice()[0][1][2][1], [22, 23]);
    let empty = file_of::<[u8; 12]>(b"");
    assert_eq!(typed::<[u8; 12]>(&empty).unwrap().as_slice(), [[0; 12]; 0]);
}

// What the public types are

/// Neither `Copy` nor `Debug`.
#[derive(IdxRecord)]
struct Plain([u8; 2]);

#[test]
fn views_are_values() {
    fn value<T: Send + Sync + Unpin + Copy + Debug + PartialEq>() {}
    value::<(ElementType, Error, Dims<'_>, Header<'_>, Idx<'_>, Records<'_, Digit>)>();
    value::<(be::I16, be::I32, be::F32, be::F64)>();

    fn copy<T: Send + Sync + Copy>() {}
    copy::<Records<'_, Plain>>(); // whatever the record is

    fn iterator<
        T: Send + Sync + Clone + ExactSizeIterator + DoubleEndedIterator + FusedIterator,
    >() {
    }
    fn debug<T: Debug>() {}
    iterator::<RecordIter<'_, Plain>>();
    debug::<RecordIter<'_, Digit>>();
}

#[test]
fn views_are_equal_if_their_records_are() {
    let bytes = [[3, 4], [3, 5]].map(|digits| file_of::<Digit>(&digits));
    let [one, other] = [&bytes[0], &bytes[1]].map(|bytes| typed::<Digit>(bytes).unwrap());
    assert_eq!(one, one);
    assert_ne!(one, other);
    assert_eq!(format!("{one:?}"), "[Digit(3), Digit(4)]");
    let mut iter = one.iter();
    iter.next();
    assert_eq!(format!("{iter:?}"), "RecordIter([Digit(4)])");
}

/// No byte may follow a file, not even that which DOS put at the end of one.
#[test]
fn no_byte_may_follow() {
    for byte in 0..=u8::MAX {
        let bytes = [0, 0, 8, 1, 0, 0, 0, 1, 7, byte];
        assert_eq!(Records::<u8>::parse(&bytes).unwrap_err().kind(), trailing(9, 1), "{byte}");
        assert_eq!(Idx::parse(&bytes).unwrap_err().kind(), trailing(9, 1), "{byte}");
    }
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Reading {
    value: i16,
    #[idx(range = 0..=9)]
    state: i16,
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(i32)]
enum WithGaps {
    None = 0,
    Low = 7,
    High = 0x0001_0003,
}

#[test]
fn every_value_of_a_long_file_is_checked() {
    let count = 3000;
    let good: Vec<u8> = [0, 1, 0, 9].repeat(count);
    assert_eq!(Records::<Reading>::parse(&file_of::<Reading>(&good)).unwrap().len(), count);
    for record in [0, 1023, 1024, count - 1] {
        let mut bad = good.clone();
        bad[4 * record + 3] = 10;
        let error = Records::<Reading>::parse(&file_of::<Reading>(&bad)).unwrap_err();
        assert_eq!(error.kind(), not_allowed(record as u64, 10));
    }
}

#[test]
fn a_label_with_gaps_has_all_its_bytes_compared() {
    for (value, label) in [
        (0, Some(WithGaps::None)),
        (7, Some(WithGaps::Low)),
        (3, None),
        (0x0001_0003, Some(WithGaps::High)),
        (0x0001_0007, None),
        (0x0001_0000, None),
    ] {
        let bytes = i32::to_be_bytes(value);
        assert_eq!(WithGaps::decode(&bytes), label);
        let checked =
            Records::<WithGaps>::parse(&file_of::<WithGaps>(&bytes)).map(|all| all.get(0));
        match label {
            Some(_) => assert_eq!(checked.unwrap(), label),
            None => assert_eq!(checked.unwrap_err().kind(), not_allowed(0, value.into())),
        }
    }
}

#[test]
fn a_record_is_encoded_into_its_own_size() {
    let reading = Reading { value: 1, state: 2 };
    for size in 0..8 {
        let encoded = reading.encode(&mut [0; 8][..size]);
        assert_eq!(encoded, (size == Reading::SIZE).then_some(()), "{size}");
    }
}

/// Views are equal if their values are, as slices of values would be.
#[test]
fn views_compare_values() {
    let view = |bytes: &'static [u8]| Records::<f32>::parse(bytes).unwrap();
    let zero = view(&[0, 0, 0x0D, 1, 0, 0, 0, 1, 0, 0, 0, 0]);
    let negative = view(&[0, 0, 0x0D, 1, 0, 0, 0, 1, 0x80, 0, 0, 0]);
    let nan = view(&[0, 0, 0x0D, 1, 0, 0, 0, 1, 0x7F, 0xC0, 0, 0]);
    assert_eq!(zero, negative);
    assert_ne!(nan, nan);
    let empty = |count| file(0x08, &[count, 0], &[]);
    let (two, three) = (empty(2), empty(3));
    let [two, three] = [&two, &three].map(|bytes| Records::<[u8; 0]>::parse(bytes).unwrap());
    assert_eq!(two, two);
    assert_ne!(two, three);
}

#[test]
fn dims_and_debug_show_all() {
    let sizes: Vec<u32> = (0..255).collect();
    let bytes = file(0x08, &sizes, &[]);
    let (header, _) = Header::parse(&bytes).unwrap();
    let dims = header.dims();
    assert_eq!(
        [0, 254, 255, 256, 257, 512].map(|index| dims.get(index)),
        [Some(0), Some(254), None, None, None, None]
    );
    let bytes = file(0x08, &[0, 0, 7], &[]);
    assert_eq!(Header::parse(&bytes).unwrap().0.dims().to_string(), "0 x 0 x 7");
    let bytes = file_of::<u8>(&[1, 2, 3, 4, 5]);
    assert_eq!(format!("{:?}", Records::<u8>::parse(&bytes).unwrap()), "[1, 2, 3, 4, 5]");
    let error = Records::<u8>::parse(&[0, 0, 8, 0]).unwrap_err();
    assert!(!error.to_string().contains("0 dimension "), "{error}");
    let error = Records::<[u8; 2]>::parse(&[0, 0, 8, 0, 7]).unwrap_err();
    assert!(error.to_string().contains("0 dimensions"), "{error}");
}

/// `align` by itself does not keep the fields in order.
#[test]
fn only_a_declared_layout_is_borrowed() {
    #[derive(IdxRecord, Clone, Copy)]
    #[repr(align(1))]
    struct Aligned {
        _low: u8,
        _high: u8,
    }
    #[derive(IdxRecord, Clone, Copy)]
    #[repr(C)]
    struct Declared {
        _low: u8,
        _high: u8,
    }
    struct Layout<T>(PhantomData<T>);
    impl<T: ZeroCopy> Layout<T> {
        const IS_DECLARED: bool = true;
    }
    // What the compiler takes where the other is not there.
    trait Undeclared {
        const IS_DECLARED: bool = false;
    }
    impl<T> Undeclared for Layout<T> {}
    assert_eq!((Layout::<Declared>::IS_DECLARED, Layout::<Aligned>::IS_DECLARED), (true, false));
}

/// In a program this is an error of the compiler.
#[test]
fn a_range_lies_within_its_element_type() {
    let accepts = |element_type, min, max| {
        catch_unwind(|| Constraint::range(Constraint::Any, element_type, min, max)).is_ok()
    };
    for (element_type, min, max) in [
        (U8, 0, u8::MAX.into()),
        (I8, i8::MIN.into(), i8::MAX.into()),
        (I16, i16::MIN.into(), i16::MAX.into()),
        (I32, i32::MIN.into(), i32::MAX.into()),
    ] {
        assert!(accepts(element_type, min, max));
        assert!(!accepts(element_type, min - 1, max), "{element_type}");
        assert!(!accepts(element_type, min, max + 1), "{element_type}");
    }
}
