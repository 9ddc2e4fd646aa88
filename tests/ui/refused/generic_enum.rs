//! A label enum with parameters.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(u8)]
enum Label<const N: usize> {
    Zero,
    One,
}

fn main() {}
