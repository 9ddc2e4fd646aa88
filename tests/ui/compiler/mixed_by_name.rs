//! Fields of different element types, which only the compiler sees.

use idx_core::{IdxRecord, be};

type Class = u8;

#[derive(IdxRecord)]
struct Position([i16; 3]);

#[derive(IdxRecord)]
struct ByAlias {
    x: i16,
    class: Class,
}

#[derive(IdxRecord)]
struct ByRecord {
    class: u8,
    position: Position,
}

#[derive(IdxRecord)]
struct ByBigEndian {
    x: be::I16,
    y: i32,
}

fn main() {}
