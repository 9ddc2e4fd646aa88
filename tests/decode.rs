//! What idx-core answers to files, good and bad, that are written here byte by byte.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that meets a broken assumption should stop at once, in its helpers too"
)]

use std::fmt::Debug;
use std::ptr;

use idx_core::{Dims, ElementType, Error, Header, Idx, IdxRecord, RecordIter, Records, be};

// The elements

/// A file of this element type, these sizes and this payload, whether they fit together or not.
fn file(code: u8, sizes: &[u32], payload: &[u8]) -> Vec<u8> {
    let rank = u8::try_from(sizes.len()).unwrap();
    let mut bytes = vec![0, 0, code, rank];
    bytes.extend(sizes.iter().flat_map(|size| size.to_be_bytes()));
    bytes.extend(payload);
    bytes
}

/// A vector of these elements reads as these values, typed and untyped, and is written back as it
/// was. Compares what `bits` makes of a value, for NaN is not equal to itself.
#[track_caller]
fn reads<T: IdxRecord + Copy, Bits: PartialEq + Debug>(
    element_type: ElementType,
    bits: fn(T) -> Bits,
    elements: &[(&[u8], T)],
) {
    assert_eq!(T::ELEMENT, element_type);
    assert_eq!(T::SHAPE, []);
    assert_eq!(T::SIZE, element_type.size());
    let payload: Vec<u8> = elements
        .iter()
        .flat_map(|(bytes, _)| *bytes)
        .copied()
        .collect();
    let bytes = file(
        element_type.code(),
        &[u32::try_from(elements.len()).unwrap()],
        &payload,
    );
    let idx = Idx::parse(&bytes).unwrap();
    assert_eq!(idx.header().element_type(), element_type);
    assert_eq!(idx.payload(), payload);
    let records = Records::<T>::parse(&bytes).unwrap();
    for (index, (bytes, value)) in elements.iter().enumerate() {
        assert_eq!(idx.record_bytes(index), Some(*bytes));
        assert_eq!(records.record_bytes(index), Some(*bytes));
        assert_eq!(records.get(index).map(bits), Some(bits(*value)));
        let mut written = vec![0xAA; bytes.len()];
        assert_eq!(value.encode(&mut written), Some(()));
        assert_eq!(written, *bytes);
    }
    let values = || elements.iter().map(|(_, value)| bits(*value));
    assert!(records.iter().map(bits).eq(values()));
    assert!(idx.records::<T>().unwrap().iter().map(bits).eq(values()));
    assert!(idx.elements::<T>().unwrap().iter().map(bits).eq(values()));
}

#[test]
fn bytes() {
    reads::<u8>(
        ElementType::U8,
        |value| value,
        &[(&[0x00], 0), (&[0x7F], 127), (&[0x80], 128), (&[0xFF], 255)],
    );
    reads::<i8>(
        ElementType::I8,
        |value| value,
        &[
            (&[0x80], i8::MIN),
            (&[0xFF], -1),
            (&[0x00], 0),
            (&[0x7F], i8::MAX),
        ],
    );
}

#[test]
fn integers() {
    let i16s: [(&[u8], i16); 4] = [
        (&[0x80, 0x00], i16::MIN),
        (&[0xFF, 0xFE], -2),
        (&[0x01, 0x02], 258),
        (&[0x7F, 0xFF], i16::MAX),
    ];
    reads(ElementType::I16, |value: i16| value, &i16s);
    reads(
        ElementType::I16,
        be::I16::get,
        &i16s.map(|(bytes, value)| (bytes, be::I16::new(value))),
    );
    let i32s: [(&[u8], i32); 4] = [
        (&[0x80, 0x00, 0x00, 0x00], i32::MIN),
        (&[0xFF, 0xFF, 0xFF, 0xFE], -2),
        (&[0x01, 0x02, 0x03, 0x04], 0x0102_0304),
        (&[0x7F, 0xFF, 0xFF, 0xFF], i32::MAX),
    ];
    reads(ElementType::I32, |value: i32| value, &i32s);
    reads(
        ElementType::I32,
        be::I32::get,
        &i32s.map(|(bytes, value)| (bytes, be::I32::new(value))),
    );
}

#[test]
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
    reads(ElementType::F32, f32::to_bits, &f32s);
    reads(
        ElementType::F32,
        |element: be::F32| element.get().to_bits(),
        &f32s.map(|(bytes, value)| (bytes, be::F32::new(value))),
    );
    let f64s: [(&[u8], f64); 6] = [
        (&[0x3F, 0xF8, 0, 0, 0, 0, 0, 0], 1.5),
        (&[0x80, 0x00, 0, 0, 0, 0, 0, 0], -0.0),
        (&[0x7F, 0xEF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], f64::MAX),
        (&[0x7F, 0xF0, 0, 0, 0, 0, 0, 0], f64::INFINITY),
        (&[0xFF, 0xF0, 0, 0, 0, 0, 0, 0], f64::NEG_INFINITY),
        (
            &[0xFF, 0xF8, 0, 0, 0, 0, 0x12, 0x34],
            f64::from_bits(0xFFF8_0000_0000_1234),
        ), // NaN
    ];
    reads(ElementType::F64, f64::to_bits, &f64s);
    reads(
        ElementType::F64,
        |element: be::F64| element.get().to_bits(),
        &f64s.map(|(bytes, value)| (bytes, be::F64::new(value))),
    );
}

#[test]
fn element_type_codes() {
    let assigned = [
        (0x08, ElementType::U8, 1, "u8"),
        (0x09, ElementType::I8, 1, "i8"),
        (0x0B, ElementType::I16, 2, "i16"),
        (0x0C, ElementType::I32, 4, "i32"),
        (0x0D, ElementType::F32, 4, "f32"),
        (0x0E, ElementType::F64, 8, "f64"),
    ];
    assert_eq!(
        assigned.map(|(_, element_type, _, _)| element_type),
        ElementType::ALL
    );
    for (code, element_type, size, name) in assigned {
        assert_eq!(element_type.code(), code);
        assert_eq!(element_type.size(), size);
        assert_eq!(element_type.name(), name);
        assert_eq!(format!("[{element_type:>4}]"), format!("[{name:>4}]"));
    }
    for code in 0..=255 {
        let expected = assigned.iter().find(|row| row.0 == code).map(|row| row.1);
        assert_eq!(ElementType::from_code(code), expected);
    }
}

// The sizes

/// A file of `i16` with these sizes has this many records of this size, whatever asks for them.
#[track_caller]
fn measures(sizes: &[u32], count: u32, record_size: Option<u64>) {
    let payload_size = if count == 0 {
        0
    } else {
        u64::from(count) * record_size.unwrap()
    };
    let len = usize::try_from(count).unwrap();
    let payload: Vec<u8> = (0..=255)
        .cycle()
        .take(payload_size.try_into().unwrap())
        .collect();
    let bytes = file(0x0B, sizes, &payload);

    let (header, rest) = Header::parse(&bytes).unwrap();
    assert_eq!(rest, payload);
    assert_eq!(header.element_type(), ElementType::I16);
    assert_eq!(usize::from(header.rank()), sizes.len());
    assert_eq!(header.header_size(), 4 + 4 * sizes.len());
    assert_eq!(header.payload_size(), payload_size);
    assert_eq!(header.record_count(), count);
    assert_eq!(header.record_size(), record_size);
    same_sizes(header.dims(), sizes);
    same_sizes(header.record_dims(), sizes.get(1..).unwrap_or_default());

    let idx = Idx::parse(&bytes).unwrap();
    assert_eq!(idx.header(), header);
    assert_eq!(idx.payload(), payload);
    assert_eq!((idx.len(), idx.is_empty()), (len, len == 0));
    assert_eq!(idx.record_bytes(len), None);
    assert_eq!(idx.record_bytes(usize::MAX), None);
    if let Some(last) = len.checked_sub(1) {
        let size = usize::try_from(record_size.unwrap()).unwrap();
        assert_eq!(idx.record_bytes(0), Some(&payload[..size]));
        assert_eq!(idx.record_bytes(last), Some(&payload[last * size..]));
    }
    assert_eq!(idx.elements::<i16>().unwrap().len(), payload.len() / 2);
}

#[track_caller]
fn same_sizes(dims: Dims<'_>, sizes: &[u32]) {
    assert_eq!(
        (dims.len(), dims.is_empty()),
        (sizes.len(), sizes.is_empty())
    );
    assert!(dims.iter().eq(sizes.iter().copied()));
    assert!(dims.iter().rev().eq(sizes.iter().rev().copied()));
    for (index, size) in sizes.iter().enumerate() {
        assert_eq!(dims.get(index), Some(*size));
    }
    assert_eq!(dims.get(sizes.len()), None);
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
    // The others may be as large as they like: 2^31 records of no bytes, and records that do not fit.
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

/// The payload of a file whose 8 payload bytes are far from enough.
#[track_caller]
fn too_short(code: u8, sizes: &[u32], needed: u64) {
    let expected = match usize::try_from(needed) {
        Ok(_) => Error::Truncated { needed, found: 8 },
        Err(_) => Error::Unaddressable { size: needed },
    };
    let bytes = file(code, sizes, &[0; 8]);
    assert_eq!(Header::parse(&bytes).unwrap().0.payload_size(), needed);
    assert_eq!(Idx::parse(&bytes), Err(expected));
    assert_eq!(Idx::parse_prefix(&bytes), Err(expected));
}

#[test]
fn sizes_that_are_never_there() {
    too_short(0x08, &[u32::MAX], 4_294_967_295);
    too_short(0x0E, &[u32::MAX], 34_359_738_360);
    too_short(0x08, &[u32::MAX, u32::MAX], 18_446_744_065_119_617_025);
    // The largest multiple of 2^34 below 2^64.
    too_short(0x0E, &[1 << 31, (1 << 30) - 1], u64::MAX - (1 << 34) + 1);

    let too_large = |code, sizes: &[u32], dimension, size| {
        let expected = Error::TooLarge { dimension, size };
        let bytes = file(code, sizes, &[0; 8]);
        assert_eq!(Header::parse(&bytes), Err(expected));
        assert_eq!(Idx::parse(&bytes), Err(expected));
        assert_eq!(Records::<u8>::parse(&bytes), Err(expected));
    };
    too_large(0x08, &[u32::MAX; 3], 2, u32::MAX);
    too_large(0x08, &[u32::MAX; 255], 2, u32::MAX);
    too_large(0x08, &[1 << 16; 4], 3, 1 << 16); // 2^64 exactly
    too_large(0x0E, &[1 << 31, 1 << 30], 1, 1 << 30);
    too_large(0x0D, &[1, u32::MAX, 1, u32::MAX, 1], 3, u32::MAX);
}

// A file and what comes after it

#[test]
fn a_prefix_gives_the_rest() {
    // u8, 2 records; i16, 1 record of 2; padding of a flash partition
    let blob =
        *b"\0\0\x08\x01\0\0\0\x02ab\0\0\x0B\x02\0\0\0\x01\0\0\0\x02\x01\x02\x03\x04\xFF\xFF\xFF";
    let (letters, rest) = Idx::parse_prefix(&blob).unwrap();
    assert!(ptr::eq(letters.payload(), &blob[8..10]));
    assert!(ptr::eq(letters.record_bytes(1).unwrap(), &blob[9..10]));
    assert!(ptr::eq(rest, &blob[10..]));
    let (pairs, padding) = Records::<[i16; 2]>::parse_prefix(rest).unwrap();
    assert_eq!(pairs.get(0), Some([0x0102, 0x0304]));
    assert!(ptr::eq(pairs.record_bytes(0).unwrap(), &blob[22..26]));
    assert!(ptr::eq(padding, &blob[26..]));

    // The same bytes are an error where the file has to end, counted from the start of the file.
    let trailing = Error::TrailingBytes {
        offset: 10,
        count: 19,
    };
    assert_eq!(Idx::parse(&blob), Err(trailing));
    assert_eq!(Records::<u8>::parse(&blob), Err(trailing));
    let trailing = Error::TrailingBytes {
        offset: 16,
        count: 3,
    };
    assert_eq!(Records::<[i16; 2]>::parse(&blob[10..]), Err(trailing));
    // Without them the rest is empty.
    assert_eq!(Idx::parse_prefix(&blob[..10]), Ok((letters, &[][..])));
}

#[test]
fn bytes_after_an_empty_payload() {
    let bytes = file(0x08, &[3, 0], b"x");
    assert_eq!(
        Idx::parse(&bytes),
        Err(Error::TrailingBytes {
            offset: 12,
            count: 1
        })
    );
    assert_eq!(Idx::parse_prefix(&bytes).unwrap().1, b"x");
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
    assert_eq!(
        format!(
            "{:?}",
            Records::<i8>::parse(&[0, 0, 9, 1, 0, 0, 0, 2, 255, 1])
        ),
        "Ok([-1, 1])"
    );
    // All elements one by one, whatever the shape.
    assert!(
        Idx::parse(&bytes)
            .unwrap()
            .elements::<u8>()
            .unwrap()
            .iter()
            .eq(*b"abcdefghijkl")
    );
}

#[test]
fn rank_0_is_one_record_of_one_element() {
    // i32, no dimension
    let bytes = [0, 0, 0x0C, 0, 0xFF, 0xFF, 0xFF, 0xFD];
    assert!(Records::<i32>::parse(&bytes).unwrap().iter().eq([-3]));
    assert!(
        Records::<be::I32>::parse(&bytes)
            .unwrap()
            .iter()
            .eq([be::I32::new(-3)])
    );
    assert_eq!(
        Records::<[i32; 1]>::parse(&bytes),
        Err(Error::RankMismatch {
            expected: 2,
            found: 0
        })
    );
    // A typed view does not tell it from rank 1.
    assert_eq!(
        Records::parse(&file(0x0C, &[1], &bytes[4..])),
        Records::<i32>::parse(&bytes)
    );
}

/// The iterator does what that of a `Vec` does, from both ends and beyond them.
#[track_caller]
fn iterates<T: IdxRecord + Clone + PartialEq + Debug>(records: Records<'_, T>, len: usize) {
    let expected: Vec<T> = (0..len).map(|index| records.get(index).unwrap()).collect();
    for (front, back) in (0..len + 2).flat_map(|front| (0..len + 2).map(move |back| (front, back)))
    {
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
        assert_eq!(
            (iter.next(), iter.next_back(), iter.nth(0), iter.nth_back(0)),
            Default::default()
        );
    }
    assert!(records.into_iter().eq(&records));
}

#[test]
fn iterators() {
    iterates(Records::<u8>::parse(&file(0x08, &[0], &[])).unwrap(), 0);
    iterates(
        Records::<u8>::parse(&file(0x08, &[7], b"letters")).unwrap(),
        7,
    );
    iterates(
        Records::<[i16; 2]>::parse(&file(
            0x0B,
            &[3, 2],
            b"\0\x01\0\x02\0\x03\0\x04\0\x05\0\x06",
        ))
        .unwrap(),
        3,
    );
    iterates(
        Records::<[[u8; 0]; 2]>::parse(&file(0x08, &[4, 2, 0], &[])).unwrap(),
        4,
    );
}

#[test]
fn records_of_no_bytes() {
    const LEN: usize = 1 << 31;
    let bytes = file(0x08, &[1 << 31, 0], &[]);
    let records = Records::<[u8; 0]>::parse(&bytes).unwrap();
    assert_eq!(records.len(), LEN);
    assert_eq!((records.get(LEN - 1), records.get(LEN)), (Some([]), None));
    let iter = records.iter();
    assert_eq!((iter.len(), iter.clone().count()), (LEN, LEN));
    assert_eq!(
        (iter.clone().nth(LEN - 1), iter.clone().nth(LEN)),
        (Some([]), None)
    );
    assert_eq!(
        (iter.clone().nth_back(LEN - 1), iter.clone().nth_back(LEN)),
        (Some([]), None)
    );
    assert_eq!(
        (iter.clone().rev().nth(usize::MAX), iter.last()),
        (None, Some([]))
    );

    let bytes = file(0x08, &[1 << 31, 1 << 31, 0], &[]);
    let records = Records::<[[u8; 0]; LEN]>::parse(&bytes).unwrap();
    assert_eq!((records.len(), records.get(LEN - 1).is_some()), (LEN, true));
}

// Values that are not allowed

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Digit(#[idx(range = 0..=9)] u8);

/// With a gap, so that a look at the ends is not enough.
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

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Temperature(#[idx(range = -273_15..=1_000_00)] i32);

/// Ten bytes: a rule on the field, in the field's type, in both of its elements, and none.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Row {
    free: [u8; 2],
    animal: Animal,
    digits: [[Digit; 2]; 2],
    #[idx(range = 100..=101)]
    close: [u8; 2],
    last: u8,
}

const ROW: [u8; 10] = [0, 255, 3, 0, 9, 0, 9, 100, 101, 77];

/// The file of these records, with the shape that `T` has.
fn file_of<T: IdxRecord>(payload: &[u8]) -> Vec<u8> {
    let count = u32::try_from(payload.len() / T::SIZE).unwrap();
    file(T::ELEMENT.code(), &[&[count], T::SHAPE].concat(), payload)
}

/// Of these records the one at `record` is the first that `T` does not allow, for this value.
#[track_caller]
fn refuses<T: IdxRecord + PartialEq + Debug>(payload: &[u8], record: u64, value: i64) {
    let bytes = file_of::<T>(payload);
    let expected = Error::ValueNotAllowed { record, value };
    assert_eq!(typed::<T>(&bytes), Err(expected));
    let first = payload
        .chunks(T::SIZE)
        .position(|record| T::decode(record).is_none());
    assert_eq!(first, usize::try_from(record).ok());
}

#[test]
fn values_of_ranges() {
    for value in 0..=255 {
        if value <= 9 {
            assert_eq!(Digit::decode(&[value]), Some(Digit(value)));
        } else {
            refuses::<Digit>(&[0, 9, value, 5, 10], 2, value.into());
            assert_eq!(Digit(value).encode(&mut [0]), None);
        }
    }
    let [least, greatest] = [-27_315_i32, 100_000].map(i32::to_be_bytes);
    assert_eq!(Temperature::decode(&least), Some(Temperature(-27_315)));
    assert_eq!(Temperature::decode(&greatest), Some(Temperature(100_000)));
    refuses::<Temperature>(&[least, (-27_316_i32).to_be_bytes()].concat(), 1, -27_316);
    refuses::<Temperature>(&[greatest, 100_001_i32.to_be_bytes()].concat(), 1, 100_001);
    refuses::<Temperature>(&i32::MIN.to_be_bytes(), 0, i32::MIN.into());
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
    assert!(
        Records::parse(&signs)
            .unwrap()
            .iter()
            .eq([Sign::Minus, Sign::Zero, Sign::Plus])
    );
    for value in [i16::MIN, -2, 2, 256, i16::MAX] {
        refuses::<Sign>(&[&good[..], &value.to_be_bytes()].concat(), 3, value.into());
    }
}

#[test]
fn values_of_nested_records() {
    let row = Row::decode(&ROW).unwrap();
    assert_eq!(row.digits, [[Digit(0), Digit(9)]; 2]);
    assert!(
        Records::parse(&file_of::<Row>(&[ROW, ROW].concat()))
            .unwrap()
            .iter()
            .eq([row, row])
    );
    for (index, value) in [
        (2, 4),
        (3, 10),
        (4, 255),
        (5, 11),
        (6, 10),
        (7, 99),
        (8, 102),
    ] {
        let mut wrong = ROW;
        wrong[index] = value;
        refuses::<Row>(&[ROW, ROW, wrong].concat(), 2, value.into());
        assert_eq!(Row::decode(&wrong), None);
    }
    // In arrays the record is the outermost one, and the first wrong value is told.
    refuses::<[[Animal; 2]; 2]>(&[3, 3, 3, 3, 5, 5, 5, 6, 3, 3, 3, 7], 1, 6);
    let mut wrong = ROW;
    (wrong[8], wrong[4]) = (0, 13);
    refuses::<[Row; 2]>(&[ROW, ROW, ROW, wrong, wrong, ROW].concat(), 1, 13);
}

#[test]
fn values_of_elements() {
    // u8, 2 records of 2; the record in the error is the element.
    let bytes = file(0x08, &[2, 2], &[1, 2, 3, 44]);
    let idx = Idx::parse(&bytes).unwrap();
    assert_eq!(
        idx.elements::<Digit>(),
        Err(Error::ValueNotAllowed {
            record: 3,
            value: 44
        })
    );
    assert_eq!(
        idx.elements::<i8>(),
        Err(element_mismatch(ElementType::I8, ElementType::U8))
    );
    // No value, no error.
    assert_eq!(
        Records::<Digit>::parse(&file(0x08, &[0], &[]))
            .unwrap()
            .len(),
        0
    );
    assert_eq!(
        Records::<[Digit; 0]>::parse(&file(0x08, &[3, 0], &[]))
            .unwrap()
            .len(),
        3
    );
}

// Errors

fn element_mismatch(expected: ElementType, found: ElementType) -> Error {
    Error::ElementMismatch { expected, found }
}

/// What a typed parse answers; all ways to get a typed view have to agree.
#[track_caller]
fn typed<T: IdxRecord + PartialEq + Debug>(bytes: &[u8]) -> Result<Records<'_, T>, Error> {
    let direct = Records::parse(bytes);
    assert_eq!(direct, Idx::parse(bytes).and_then(|idx| idx.records()));
    let prefix = Records::parse_prefix(bytes);
    let steps = Idx::parse_prefix(bytes);
    assert_eq!(
        prefix,
        steps.and_then(|(idx, rest)| idx.records().map(|records| (records, rest)))
    );
    match direct {
        Ok(records) => assert_eq!(prefix, Ok((records, &[][..]))),
        Err(Error::TrailingBytes { count, .. }) => match prefix {
            Ok((_, rest)) => assert_eq!(u64::try_from(rest.len()), Ok(count)),
            // What else is wrong is told once the bytes that follow are no error.
            Err(other) => assert_ne!(Err(other), direct),
        },
        Err(error) => assert_eq!(prefix, Err(error)),
    }
    direct
}

#[test]
fn mismatches() {
    let bytes = file(0x0B, &[1, 2, 3], &[0; 12]);
    assert_eq!(
        typed::<[[u8; 3]; 2]>(&bytes),
        Err(element_mismatch(ElementType::U8, ElementType::I16))
    );
    assert_eq!(
        typed::<i16>(&bytes),
        Err(Error::RankMismatch {
            expected: 1,
            found: 3
        })
    );
    assert_eq!(
        typed::<[i16; 6]>(&bytes),
        Err(Error::RankMismatch {
            expected: 2,
            found: 3
        })
    );
    assert_eq!(
        typed::<[[[i16; 1]; 3]; 2]>(&bytes),
        Err(Error::RankMismatch {
            expected: 4,
            found: 3
        })
    );
    // Dimension 0 counts the records, so that the record's first is dimension 1.
    assert_eq!(
        typed::<[[i16; 2]; 3]>(&bytes),
        Err(Error::ShapeMismatch {
            dimension: 1,
            expected: 3,
            found: 2
        })
    );
    assert_eq!(
        typed::<[[i16; 4]; 2]>(&bytes),
        Err(Error::ShapeMismatch {
            dimension: 2,
            expected: 4,
            found: 3
        })
    );
    assert_eq!(
        typed::<[i16; 0]>(&file(0x0B, &[1, 2], &[0; 4])),
        Err(Error::ShapeMismatch {
            dimension: 1,
            expected: 0,
            found: 2
        })
    );
    let many = file(0x08, &[1; 255], &[7]);
    assert_eq!(
        typed::<u8>(&many),
        Err(Error::RankMismatch {
            expected: 1,
            found: 255
        })
    );
    // Without records the shape still has to be right.
    assert_eq!(
        typed::<[u8; 3]>(&file(0x08, &[0, 2], &[])),
        Err(Error::ShapeMismatch {
            dimension: 1,
            expected: 3,
            found: 2
        })
    );
}

/// Each file has two things wrong with it; the one that stands first in the documented order is told.
#[test]
fn the_first_error_is_told() {
    let big = |code, payload| file(code, &[u32::MAX; 3], payload);
    let not_idx = |start| Error::NotIdx { start };
    let unknown = Error::UnknownElementType { code: 0x0A };
    let too_large = Error::TooLarge {
        dimension: 2,
        size: u32::MAX,
    };
    let trailing = |offset| Error::TrailingBytes { offset, count: 1 };
    // As records of two digits.
    let cases = [
        ("gzip, no element type", vec![0x1F, 0x8B], Error::Gzip),
        (
            "gzip, wrong element type",
            vec![0x1F, 0x8B, 0x0A, 0],
            Error::Gzip,
        ),
        ("first bytes, cut", vec![7], not_idx([7, 0, 0, 0])),
        ("second byte, cut", vec![0, 7], not_idx([0, 7, 0, 0])),
        ("half of gzip, cut", vec![0x1F], not_idx([0x1F, 0, 0, 0])),
        (
            "first bytes, element type",
            vec![1, 2, 0x0A, 4],
            not_idx([1, 2, 0x0A, 4]),
        ),
        ("element type, cut", vec![0, 0, 0x0A], unknown),
        (
            "element type, sizes cut",
            vec![0, 0, 0x0A, 2, 0, 0, 0, 1],
            unknown,
        ),
        ("element type, too large", big(0x0A, &[]), unknown),
        (
            "sizes cut, too large",
            big(0x08, &[])[..15].to_vec(),
            Error::HeaderTruncated {
                needed: 16,
                found: 15,
            },
        ),
        ("too large, payload short", big(0x08, &[]), too_large),
        ("too large, element mismatch", big(0x0B, &[1]), too_large),
        (
            "payload short, element mismatch",
            file(0x0B, &[1, 2], &[1, 2, 3]),
            Error::Truncated {
                needed: 4,
                found: 3,
            },
        ),
        (
            "payload short, value",
            file(0x08, &[1, 2], &[10]),
            Error::Truncated {
                needed: 2,
                found: 1,
            },
        ),
        (
            "bytes left over, element mismatch",
            file(0x0B, &[1, 2], &[0; 5]),
            trailing(16),
        ),
        (
            "bytes left over, rank",
            file(0x08, &[1], &[0; 2]),
            trailing(8),
        ),
        (
            "bytes left over, value",
            file(0x08, &[1, 2], &[10; 3]),
            trailing(12),
        ),
        (
            "element mismatch, rank",
            file(0x09, &[2], &[0; 2]),
            element_mismatch(ElementType::U8, ElementType::I8),
        ),
        (
            "rank, shape",
            file(0x08, &[1, 3, 1], &[0; 3]),
            Error::RankMismatch {
                expected: 2,
                found: 3,
            },
        ),
        (
            "rank, value",
            file(0x08, &[1], &[10]),
            Error::RankMismatch {
                expected: 2,
                found: 1,
            },
        ),
        (
            "shape, value",
            file(0x08, &[1, 3], &[10; 3]),
            Error::ShapeMismatch {
                dimension: 1,
                expected: 2,
                found: 3,
            },
        ),
    ];
    for (defects, bytes, expected) in cases {
        assert_eq!(typed::<[Digit; 2]>(&bytes), Err(expected), "{defects}");
    }
}

/// Every beginning of a good file, and the file with a byte more, is refused for the right reason.
#[track_caller]
fn cut_everywhere<T: IdxRecord + PartialEq + Debug>(sizes: &[u32], payload: &[u8]) {
    let mut bytes = file(T::ELEMENT.code(), sizes, payload);
    let header = 4 + 4 * sizes.len();
    let [needed, offset] = [payload.len(), bytes.len()].map(|size| u64::try_from(size).unwrap());
    for found in 0..bytes.len() {
        let expected = match found {
            0 => Error::Empty,
            1..4 => Error::HeaderTruncated { needed: 4, found },
            _ if found < header => Error::HeaderTruncated {
                needed: header,
                found,
            },
            _ => Error::Truncated {
                needed,
                found: u64::try_from(found - header).unwrap(),
            },
        };
        assert_eq!(typed::<T>(&bytes[..found]), Err(expected));
    }
    assert!(typed::<T>(&bytes).is_ok());
    bytes.push(0);
    assert_eq!(
        typed::<T>(&bytes),
        Err(Error::TrailingBytes { offset, count: 1 })
    );
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
    let good = file(0x08, &[2], &[7, 7]);
    for (index, byte) in (0..4).flat_map(|index| (0..=255).map(move |byte| (index, byte))) {
        let mut bytes = good.clone();
        bytes[index] = byte;
        let start = [bytes[0], bytes[1], bytes[2], bytes[3]];
        let rank = usize::from(byte);
        let expected = match (index, byte) {
            (0 | 1, 0) | (2, 0x08 | 0x09) | (3, 1) => Ok(()),
            (0 | 1, _) => Err(Error::NotIdx { start }),
            (2, 0x0B) => Err(Error::Truncated {
                needed: 4,
                found: 2,
            }),
            (2, 0x0C | 0x0D) => Err(Error::Truncated {
                needed: 8,
                found: 2,
            }),
            (2, 0x0E) => Err(Error::Truncated {
                needed: 16,
                found: 2,
            }),
            (2, code) => Err(Error::UnknownElementType { code }),
            (_, 0) => Err(Error::TrailingBytes {
                offset: 5,
                count: 5,
            }),
            (_, _) => Err(Error::HeaderTruncated {
                needed: 4 + 4 * rank,
                found: 10,
            }),
        };
        assert_eq!(
            Idx::parse(&bytes).map(|_| ()),
            expected,
            "byte {index} is {byte:02X}"
        );
    }
}

#[test]
fn gzip_is_told_from_the_first_two_bytes() {
    // As gzip(1) writes it: deflate, a name, a time stamp.
    let gzip = [0x1F, 0x8B, 0x08, 0x08, 0x5E, 0x3A, 0x21, 0x4E, 0x02, 0x03];
    for len in 2..=gzip.len() {
        assert_eq!(typed::<u8>(&gzip[..len]), Err(Error::Gzip));
    }
    // Little-endian IDX, and text.
    let start = [1, 8, 0, 0];
    assert_eq!(typed::<u8>(&start), Err(Error::NotIdx { start }));
    assert_eq!(
        typed::<u8>(b"<html>"),
        Err(Error::NotIdx { start: *b"<htm" })
    );
}

#[test]
fn sentences() {
    const MAX: u64 = u64::MAX;
    let unaddressable = format!(
        "the file is too large for this machine: 18446744073709551615 bytes or records, at most {} fit; \
         read it on a 64-bit machine, or as a stream",
        usize::MAX
    );
    let max_size = usize::MAX;
    let header_cut = format!(
        "the header is cut: {max_size} bytes are needed, {max_size} are there; copy or download the file again"
    );
    let too_large = format!(
        "the sizes multiply to more than 2^64 bytes at dimension {max_size} of size 4294967295; \
         the header is damaged"
    );
    let rank = format!(
        "the number of dimensions is not the record's: the file has {max_size}, for these records it \
         needs {max_size}; use a record of the file's shape"
    );
    let shape = format!(
        "a size is not the record's: dimension {max_size} of the file is 4294967295, the record's is \
         4294967295; use a record of the file's shape"
    );
    // The largest numbers, so that none of them can be the one that does not fit.
    let sentences = [
        (Error::Empty, "the file is empty; copy or download it again"),
        (
            Error::Gzip,
            "this is gzip data; decompress it first (gunzip), or read it with the crate idx-std",
        ),
        (
            Error::NotIdx { start: [0xFF; 4] },
            "this is not an IDX file: it starts with FF FF FF FF (decimal 4294967295), an IDX file \
             with 00 00; check where it comes from",
        ),
        (
            Error::UnknownElementType { code: 0x0A },
            "the element type is not assigned: byte 2 is 0A, and IDX has 08 u8, 09 i8, 0B i16, 0C i32, \
             0D f32, 0E f64; check the program that wrote it",
        ),
        (
            Error::HeaderTruncated {
                needed: max_size,
                found: max_size,
            },
            &header_cut,
        ),
        (
            Error::TooLarge {
                dimension: max_size,
                size: u32::MAX,
            },
            &too_large,
        ),
        (Error::Unaddressable { size: MAX }, &unaddressable),
        (
            Error::Truncated {
                needed: MAX,
                found: MAX,
            },
            "the payload is cut: 18446744073709551615 bytes are needed, 18446744073709551615 are there; \
             copy or download the file again",
        ),
        (
            Error::TrailingBytes {
                offset: MAX,
                count: MAX,
            },
            "bytes follow the payload: 18446744073709551615 from offset 18446744073709551615 on; \
             remove them, or parse a prefix where they are meant to be there",
        ),
        (
            element_mismatch(ElementType::I16, ElementType::F64),
            "the elements are not of the record's type: the file has f64, the record i16; use a record \
             of f64",
        ),
        (
            Error::RankMismatch {
                expected: max_size,
                found: max_size,
            },
            &rank,
        ),
        (
            Error::ShapeMismatch {
                dimension: max_size,
                expected: u32::MAX,
                found: u32::MAX,
            },
            &shape,
        ),
        (
            Error::ValueNotAllowed {
                record: MAX,
                value: i64::MIN,
            },
            "a value is not allowed by the record's type: record 18446744073709551615 holds \
             -9223372036854775808; correct the file, or allow the value",
        ),
    ];
    for (error, sentence) in sentences {
        assert_eq!(error.to_string(), sentence);
        assert!(sentence.starts_with(error.message()), "{}", error.message());
        assert!(std::error::Error::source(&error).is_none());
    }
}

// Writing

/// Takes as many bytes as the record has, no more and no fewer.
#[track_caller]
fn encodes<T: IdxRecord + PartialEq + Debug>(record: T, bytes: &[u8]) {
    assert_eq!(T::SIZE, bytes.len());
    for len in 0..bytes.len() + 2 {
        let mut written = vec![0xAA; len];
        let whole = len == bytes.len();
        assert_eq!(
            record.encode(&mut written),
            whole.then_some(()),
            "{len} bytes"
        );
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
    encodes([Digit(9), Digit(0)], &[9, 0]);
    encodes(Sign::Minus, &[0xFF, 0xFF]);
    encodes(Row::decode(&ROW).unwrap(), &ROW);
}

#[test]
fn values_that_are_not_allowed_are_not_written() {
    let row = Row::decode(&ROW).unwrap();
    assert_eq!(Temperature(100_001).encode(&mut [0; 4]), None);
    assert_eq!([Digit(9), Digit(10)].encode(&mut [0; 2]), None);
    assert_eq!(
        Row {
            digits: [[Digit(10); 2]; 2],
            ..row
        }
        .encode(&mut [0; 10]),
        None
    );
    assert_eq!(
        Row {
            close: [100, 102],
            ..row
        }
        .encode(&mut [0; 10]),
        None
    );
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
static DIGITS: Records<'_, Digit> = Records::from_static(LABELS);
static BORROWED_DIGITS: &[Digit] = DIGITS.as_slice();

const _: () = {
    assert!(matches!(HEADER.dims().get(1), Some(2)));
    assert!(HEADER.dims().get(2).is_none());
    assert!(HEADER.rank() == 2 && HEADER.header_size() == 12 && HEADER.payload_size() == 8);
    assert!(matches!(HEADER.record_size(), Some(4)));
    assert!(matches!(IDX.record_bytes(1), Some([0, 3, 0xFF, 0xFF])));
    assert!(matches!(IDX.records::<[i16; 2]>(), Ok(records) if records.len() == 2));
    assert!(matches!(IDX.elements::<i16>(), Ok(elements) if elements.len() == 4));
    assert!(matches!(
        IDX.records::<i16>(),
        Err(Error::RankMismatch {
            expected: 1,
            found: 2
        })
    ));
    assert!(matches!(Records::<Digit>::parse(LABELS), Ok(records) if records.len() == 4));
    assert!(matches!(
        Records::<Digit>::parse_prefix(LABELS),
        Ok((_, []))
    ));
    assert!(matches!(
        Records::<Animal>::parse(LABELS),
        Err(Error::ValueNotAllowed {
            record: 1,
            value: 0
        })
    ));
    assert!(DIGITS.as_slice().len() == 4 && DIGITS.as_slice()[2].0 == 4);
    assert!(matches!(DIGITS.record_bytes(3), Some([1])));
    assert!(matches!(
        ElementType::from_code(0x0E),
        Some(ElementType::F64)
    ));
    assert!(Error::Empty.message().len() == 17);
};

#[test]
fn statics() {
    assert_eq!(BORROWED_DIGITS, [5, 0, 4, 1].map(Digit));
    assert!(DIGITS.iter().eq(BORROWED_DIGITS.iter().copied()));
    assert!(ptr::eq(DIGITS.record_bytes(3).unwrap(), &LABELS[11..]));
}

#[test]
#[should_panic(expected = "IDX: the payload is cut: 4 bytes are needed, 3 are there; copy")]
fn from_static_at_run_time() {
    let _ = Records::<u8>::from_static(&LABELS[..11]);
}

// Borrowing

#[test]
fn slices_at_every_address() {
    for shift in 0..8 {
        let mut bytes = vec![0xEE; shift];
        bytes.extend(file(
            0x0E,
            &[2, 2],
            &[&[0x3F, 0xF8, 0, 0, 0, 0, 0, 0][..]; 4].concat(),
        ));
        let records = Records::<[be::F64; 2]>::parse(&bytes[shift..]).unwrap();
        assert_eq!(records.as_slice(), [[1.5, 1.5].map(be::F64::new); 2]);
        assert_eq!(
            records.as_slice().as_ptr().cast(),
            bytes[shift + 12..].as_ptr()
        );
    }
}

#[test]
fn slices_of_every_depth() {
    let payload: Vec<u8> = (0..24).collect();
    let as_slice_of = |sizes: &[u32]| file(0x08, sizes, &payload);
    assert_eq!(
        Records::<u8>::parse(&as_slice_of(&[24]))
            .unwrap()
            .as_slice(),
        payload
    );
    let bytes = as_slice_of(&[2, 12]);
    assert_eq!(
        Records::<[u8; 12]>::parse(&bytes).unwrap().as_slice()[1][11],
        23
    );
    let bytes = as_slice_of(&[2, 3, 4]);
    assert_eq!(
        Records::<[[u8; 4]; 3]>::parse(&bytes).unwrap().as_slice()[1][2],
        [20, 21, 22, 23]
    );
    let bytes = as_slice_of(&[2, 3, 2, 2]);
    assert_eq!(
        Records::<[[[u8; 2]; 2]; 3]>::parse(&bytes)
            .unwrap()
            .as_slice()[1][0][1],
        [14, 15]
    );
    let bytes = as_slice_of(&[1, 2, 3, 2, 2]);
    assert_eq!(
        Records::<[[[[u8; 2]; 2]; 3]; 2]>::parse(&bytes)
            .unwrap()
            .as_slice()[0][1][2][1][1],
        23
    );
    assert_eq!(
        Records::<u8>::parse(&file(0x08, &[0], &[]))
            .unwrap()
            .as_slice(),
        []
    );
}

// What the public types are

#[test]
fn views_are_values() {
    fn value<T: Send + Sync + Copy + Debug + Unpin>() {}
    fn compared<T: PartialEq>() {}
    /// Neither `Copy` nor `Debug`; a view of it is `Copy` all the same.
    #[derive(IdxRecord)]
    struct Plain([u8; 2]);
    fn copy<T: Send + Sync + Copy>() {}
    fn iterator<T: Send + Sync + Clone + Debug + ExactSizeIterator + DoubleEndedIterator>() {}

    value::<ElementType>();
    value::<Error>();
    value::<Dims<'_>>();
    value::<Header<'_>>();
    value::<Idx<'_>>();
    value::<Records<'_, Digit>>();
    value::<(be::I16, be::I32, be::F32, be::F64)>();
    compared::<(
        ElementType,
        Error,
        Dims<'_>,
        Header<'_>,
        Idx<'_>,
        Records<'_, Digit>,
    )>();
    copy::<Records<'_, Plain>>();
    iterator::<RecordIter<'_, Digit>>();
    fn fused<T: std::iter::FusedIterator>() {}
    fused::<RecordIter<'_, Plain>>();
}
