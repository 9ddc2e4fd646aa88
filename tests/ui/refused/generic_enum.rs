//! A label enum with parameters, which its values cannot tell apart.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(u8)]
enum Label<const N: usize> {
    Zero,
    One,
}

fn main() {}
