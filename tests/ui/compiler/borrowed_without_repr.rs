//! Records whose layout the compiler chooses cannot be borrowed, and enums cannot either.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy)]
struct Tile([[u8; 2]; 2]);

#[derive(IdxRecord, Clone, Copy)]
#[repr(u8)]
enum Label {
    Zero,
    One,
}

fn main() {
    Records::<Tile>::parse(&[]).unwrap().as_slice();
    Records::<Label>::parse(&[]).unwrap().as_slice();
}
