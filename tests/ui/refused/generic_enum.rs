//! A label enum with parameters.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(u8)]
enum Label<const N: usize> { // BUG: "missing generics" and a suggestion that is no Rust
    Zero,
    One,
}

fn main() {}
