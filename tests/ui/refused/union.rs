//! A union.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(C)]
union Either {
    byte: u8,
    signed: i8,
}

fn main() {}
