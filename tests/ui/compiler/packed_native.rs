//! A packed record of native integers, to which there can be no references.

use idx_core::IdxRecord;

#[derive(IdxRecord, Clone, Copy)]
#[repr(C, packed)]
struct Point {
    x: i16,
    y: i16,
}

fn main() {}
