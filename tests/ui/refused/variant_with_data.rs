//! Variants that hold something.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(u8)]
enum Shape {
    Point = 0,
    Circle(u8) = 1,
    Square { side: u8 } = 2,
}

fn main() {}
