//! Types that hold no elements.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Callback {
    value: u8,
    call: fn(u8) -> u8,
}

fn main() {}
