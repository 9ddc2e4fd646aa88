//! Tuples instead of arrays.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Point((i16, i16));

#[derive(IdxRecord)]
struct Nothing {
    value: (),
}

fn main() {}
