//! Ranges that the element type does not reach, or that hold nothing.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Columns {
    #[idx(range = 0..=256)]
    too_high: u8,
    good: u8,
}

#[derive(IdxRecord)]
struct TooLow(#[idx(range = -129..=0)] i8);

#[derive(IdxRecord)]
struct Empty(#[idx(range = 9..=0)] u8);

fn main() {}
