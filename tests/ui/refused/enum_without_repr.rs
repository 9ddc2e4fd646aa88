//! Labels whose element type is not specified.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
enum Label {
    Zero,
    One,
}

#[derive(IdxRecord)]
#[repr(C)]
enum LabelOfC {
    Zero,
    One,
}

fn main() {}
