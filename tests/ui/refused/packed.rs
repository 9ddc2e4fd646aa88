//! A packed struct cannot lend its fields.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(C, packed)]
struct Step {
    x: i16,
    y: i16,
}

fn main() {}
