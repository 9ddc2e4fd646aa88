//! Every shape of record, there and back.

#![allow(clippy::type_complexity)]

use idx_core::{ElementType, IdxRecord, be};

#[derive(IdxRecord, Debug, PartialEq)]
struct Image<const H: usize, const W: usize>([[u8; W]; H]);

#[derive(IdxRecord, Debug, PartialEq)]
struct Pair<T>([T; 2]);

#[derive(IdxRecord, Debug, PartialEq)]
struct Bounded<T: Copy>
where
    T: Clone,
{
    value: T,
}

#[derive(IdxRecord, Debug, PartialEq)]
struct Sample {
    position: [f32; 3],
    weight: f32,
    nested: Pair<f32>,
}

#[derive(IdxRecord, Debug, PartialEq)]
struct Deep([[[[[[[[i16; 1]; 1]; 1]; 1]; 1]; 1]; 2]; 1]);

#[derive(IdxRecord, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Animal {
    Cat = 3,
    Dog = 5,
    Frog,
}

#[derive(IdxRecord, Debug, PartialEq)]
#[repr(i16)]
enum Sign {
    Minus = -1,
    Zero,
    Plus,
}

#[derive(IdxRecord, Debug, PartialEq)]
struct Named {
    #[idx(range = 1..=26)]
    letter: u8,
    animal: Animal,
    #[idx(range = LEAST..=9)]
    digits: [u8; 2],
    free: u8,
}

const LEAST: u8 = 2;

#[derive(IdxRecord, Debug, PartialEq)]
struct Empty([[u8; 0]; 3]);

#[derive(IdxRecord, Debug, PartialEq)]
struct BigEndian {
    a: be::I16,
    b: [be::I16; 2],
}

#[derive(IdxRecord, Debug, PartialEq)]
#[repr(C)]
struct NativeInC {
    a: i32,
    b: [i32; 2],
}

fn round_trip<T: IdxRecord + std::fmt::Debug + PartialEq>(
    record: T,
    element_type: ElementType,
    shape: &[u32],
    bytes: &[u8],
) {
    assert_eq!(T::ELEMENT, element_type);
    assert_eq!(T::SHAPE, shape);
    assert_eq!(T::SIZE, bytes.len());
    let mut encoded = vec![0xAA; bytes.len()];
    assert_eq!(record.encode(&mut encoded), Some(()));
    assert_eq!(encoded, bytes);
    assert_eq!(T::decode(bytes), Some(record));
    // One byte too many, one too few.
    encoded.push(0);
    assert_eq!(T::decode(&encoded), None);
    if let [_, fewer @ ..] = bytes {
        assert_eq!(T::decode(fewer), None);
    }
}

#[test]
fn run() {
    round_trip(Image([[1, 2, 3], [4, 5, 6]]), ElementType::U8, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    round_trip(Pair([-1i8, 1]), ElementType::I8, &[2], &[0xFF, 1]);
    round_trip(Bounded { value: -2i32 }, ElementType::I32, &[], &[0xFF, 0xFF, 0xFF, 0xFE]);
    round_trip(
        Sample { position: [1.0, 0.0, -2.0], weight: 0.5, nested: Pair([0.0, 1.0]) },
        ElementType::F32,
        &[6],
        &[0x3F, 0x80, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0x3F, 0x80, 0, 0],
    );
    round_trip(
        Deep([[[[[[[[1]; 1]; 1]; 1]; 1]; 1], [[[[[[2]; 1]; 1]; 1]; 1]; 1]]]),
        ElementType::I16,
        &[1, 2, 1, 1, 1, 1, 1, 1],
        &[0, 1, 0, 2],
    );
    round_trip(Animal::Frog, ElementType::U8, &[], &[6]);
    assert_eq!(Animal::decode(&[4]), None);
    round_trip(Sign::Minus, ElementType::I16, &[], &[0xFF, 0xFF]);
    round_trip([Sign::Plus, Sign::Zero], ElementType::I16, &[2], &[0, 1, 0, 0]);
    assert_eq!(Sign::decode(&[0, 2]), None);

    let named = || Named { letter: 26, animal: Animal::Dog, digits: [9, 2], free: 200 };
    round_trip(named(), ElementType::U8, &[5], &[26, 5, 9, 2, 200]);
    for wrong in
        [[0, 5, 9, 2, 0], [27, 5, 9, 2, 0], [1, 4, 9, 2, 0], [1, 5, 9, 1, 0], [1, 5, 10, 2, 0]]
    {
        assert_eq!(Named::decode(&wrong), None);
    }
    assert_eq!(Named { letter: 27, ..named() }.encode(&mut [0; 5]), None);
    assert_eq!(Named { digits: [1, 9], ..named() }.encode(&mut [0; 5]), None);

    round_trip(Empty([[]; 3]), ElementType::U8, &[3, 0], &[]);
    round_trip(
        BigEndian { a: be::I16::new(-2), b: [be::I16::new(256), be::I16::new(1)] },
        ElementType::I16,
        &[3],
        &[0xFF, 0xFE, 1, 0, 0, 1],
    );
    round_trip(
        NativeInC { a: 1, b: [2, 3] },
        ElementType::I32,
        &[3],
        &[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3],
    );
    round_trip([1.5f64], ElementType::F64, &[1], &[0x3F, 0xF8, 0, 0, 0, 0, 0, 0]);
}
