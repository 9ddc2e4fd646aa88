//! A record with padding cannot be borrowed.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy)]
#[repr(C, align(4))]
struct Colour {
    red: u8,
    green: u8,
    blue: u8,
}

fn main() {
    Records::<Colour>::parse(&[]).unwrap().as_slice();
}
