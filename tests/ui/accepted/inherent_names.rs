//! A type's own constants, functions and variants have the names that the derive uses, and other values.

#![deny(warnings)]
#![allow(dead_code, clippy::all)]

use idx_core::{ElementType, IdxRecord, Records, be};

/// Every name of the trait, hidden ones included, and of what the derive calls.
macro_rules! own_names {
    ($name:ident) => {
        impl $name {
            pub const ELEMENT: ElementType = ElementType::F64;
            pub const SHAPE: &'static [u32] = &[99];
            pub const SIZE: usize = 8;
            pub const HEADER_SIZE: usize = 1;
            pub const CONSTRAINT: bool = true;
            pub const FILL: u64 = 5;
            pub const ZERO: u64 = 0;
            pub fn decode(_: &[u8]) -> u64 {
                1
            }
            pub fn encode(&self, _: &mut [u8]) -> u64 {
                2
            }
            pub fn decode_slice(_: &[u8], _: &mut [Self]) -> u64 {
                3
            }
            pub fn encode_slice(_: &[Self], _: &mut [u8]) -> u64 {
                4
            }
            pub fn allows(&self) -> bool {
                true
            }
            pub fn size(&self) -> usize {
                9
            }
        }
    };
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Point {
    x: be::I16,
    y: be::I16,
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Limited {
    #[idx(range = 0..=9)]
    digit: u8,
    other: u8,
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Alone(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Nested {
    limited: Limited,
    alone: [Alone; 2],
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Generic<const N: usize> {
    first: [u8; N],
    second: Alone,
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
enum Direction {
    North = 4,
    South = 7,
}

/// Variants with the names of the trait.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(i16)]
#[allow(non_camel_case_types)]
enum Variants {
    ELEMENT = -3,
    SHAPE,
    SIZE = 5,
    CONSTRAINT,
    FILL,
    Buffer,
    decode,
    encode,
}

own_names!(Point);
own_names!(Limited);
own_names!(Alone);
own_names!(Nested);
own_names!(Direction);

impl<const N: usize> Generic<N> {
    pub const ELEMENT: ElementType = ElementType::F64;
    pub const SIZE: usize = 8;
    pub const CONSTRAINT: bool = true;
}

fn facts<T: IdxRecord>() -> (ElementType, &'static [u32], usize) {
    (T::ELEMENT, T::SHAPE, T::SIZE)
}

fn round<T: IdxRecord + PartialEq + std::fmt::Debug>(bytes: &[u8]) {
    let record = <T as IdxRecord>::decode(bytes).expect("the values are allowed");
    let mut encoded = vec![0; bytes.len()];
    assert_eq!(<T as IdxRecord>::encode(&record, &mut encoded), Some(()));
    assert_eq!(encoded, bytes);
}

#[test]
fn run() {
    assert_eq!(facts::<Point>(), (ElementType::I16, &[2][..], 4));
    assert_eq!(facts::<Limited>(), (ElementType::U8, &[2][..], 2));
    assert_eq!(facts::<Alone>(), (ElementType::U8, &[][..], 1));
    assert_eq!(facts::<Nested>(), (ElementType::U8, &[4][..], 4));
    assert_eq!(facts::<Generic<3>>(), (ElementType::U8, &[4][..], 4));
    assert_eq!(facts::<Direction>(), (ElementType::U8, &[][..], 1));
    assert_eq!(facts::<Variants>(), (ElementType::I16, &[][..], 2));

    round::<Point>(&[0, 1, 0, 2]);
    round::<Limited>(&[9, 200]);
    round::<Alone>(&[9]);
    round::<Nested>(&[9, 200, 0, 9]);
    round::<Generic<3>>(&[9, 200, 0, 9]);
    round::<Direction>(&[7]);
    round::<Variants>(&[0xFF, 0xFE]);
    round::<Variants>(&[0, 8]);
    assert_eq!(<Variants as IdxRecord>::decode(&[0xFF, 0xFD]), Some(Variants::ELEMENT));
    assert_eq!(<Variants as IdxRecord>::decode(&[0, 11]), None);

    // What a type's own constant must not let through.
    assert_eq!(<Limited as IdxRecord>::decode(&[200, 5]), None);
    assert_eq!(<Alone as IdxRecord>::decode(&[10]), None);
    assert_eq!(<Nested as IdxRecord>::decode(&[9, 200, 10, 9]), None);
    assert_eq!(<Generic<3> as IdxRecord>::decode(&[9, 200, 0, 10]), None);
    assert_eq!(<Limited as IdxRecord>::encode(&Limited { digit: 10, other: 0 }, &mut [0; 2]), None);

    let half = [0, 0, 11, 2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 1, 0, 2, 0, 3, 0, 4];
    assert!(Records::<Point>::parse(&half).is_err());
    let one = [0, 0, 11, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 2];
    let points = Records::<Point>::parse(&one).expect("the file is complete");
    assert_eq!(points.as_slice(), [Point { x: be::I16::new(1), y: be::I16::new(2) }]);
}
