//! What the derive writes sets off no lint at the user's code.

#![deny(warnings, unused_qualifications, unused_results, trivial_numeric_casts)]
#![allow(dead_code)]

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Columns {
    #[idx(range = 0..=9)]
    r#type: u8,
    #[idx(range = b'a'..=b'z')]
    letters: [u8; 2],
    #[idx(range = 0..=(1 + 2))]
    sum: u8,
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord)]
#[repr(i16)]
enum Sign {
    Minus = -1,
    #[deprecated]
    Zero,
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(align(4), u8)]
enum Aligned {
    Zero,
}
