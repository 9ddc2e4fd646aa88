//! Fields of different element types.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Mixed {
    class: u8,
    position: [f32; 3],
    other: u8,
    writer: i32,
}

#[derive(IdxRecord)]
struct MixedTuple([[u8; 2]; 2], i8);

fn main() {}
