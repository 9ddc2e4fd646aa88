//! Labels of an integer that IDX does not have.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(u16)]
enum Wide {
    Zero,
    One,
}

#[derive(IdxRecord)]
#[repr(i64)]
enum Wider {
    Zero,
    One,
}

fn main() {}
