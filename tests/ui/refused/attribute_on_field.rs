//! Attributes on a field that it does not take.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Label(#[idx(crate = "idx_core")] u8);

#[derive(IdxRecord)]
struct Columns {
    #[idx(min = 0)]
    class: u8,
    #[idx(range = 0..=9, range = 0..=3)]
    digit: u8,
    #[idx(range = 0..=9)]
    #[idx(range = 0..=9)]
    again: u8,
    #[idx]
    bare: u8,
    #[idx(range)]
    no_value: u8,
}

fn main() {}
