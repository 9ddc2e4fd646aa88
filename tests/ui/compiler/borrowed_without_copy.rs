//! Records that are not `Copy` cannot be borrowed.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord)]
#[repr(transparent)]
struct Tile([[u8; 2]; 2]);

#[derive(IdxRecord)]
#[repr(C)]
struct Columns {
    a: u8,
    b: u8,
}

fn main() {
    Records::<Tile>::parse(&[]).unwrap().as_slice();
    Records::<Columns>::parse(&[]).unwrap().as_slice();
}
