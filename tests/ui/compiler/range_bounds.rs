//! Bounds that are not integers, or integers that an `i64` does not hold.

use idx_core::IdxRecord;

const FLOAT: f64 = 9.9;
const NO: bool = false;
const LETTER: char = 'a';
const WIDE: i128 = 9;

#[derive(IdxRecord)]
struct Columns {
    #[idx(range = 0.5..=9.5)]
    float: u8,
    #[idx(range = false..=true)]
    boolean: u8,
    #[idx(range = 'a'..='z')]
    letter: u8,
    #[idx(range = b'a'..=b'z')]
    byte: u8,
    #[idx(range = 0..=FLOAT)]
    constant_float: u8,
    #[idx(range = NO..=1)]
    constant_boolean: u8,
    #[idx(range = 0..=LETTER)]
    constant_letter: u8,
    #[idx(range = 0..=WIDE)]
    constant_wide: u8,
}

macro_rules! limited {
    ($name:ident, $last:expr) => {
        #[derive(IdxRecord)]
        struct $name(#[idx(range = (0)..=$last)] u8);
    };
}

limited!(Digit, 9);
limited!(Negative, -0.5);

#[derive(IdxRecord)]
struct BeyondAnyElement(#[idx(range = 0..=u64::MAX)] i32);

#[derive(IdxRecord)]
struct BeyondItsElement(#[idx(range = 0..=u16::MAX)] u8);

fn main() {}
