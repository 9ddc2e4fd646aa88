//! Records whose memory the compiler may arrange cannot be borrowed.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy)]
struct Tile([[u8; 2]; 2]);

#[derive(IdxRecord, Clone, Copy)]
#[repr(u8)]
enum Label {
    Zero,
    One,
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(C)]
struct Generic<const N: usize> {
    first: u8,
    rest: [u8; N],
}

fn main() {
    Records::<Tile>::parse(&[]).unwrap().as_slice();
    Records::<Label>::parse(&[]).unwrap().as_slice();
    Records::<Generic<2>>::parse(&[]).unwrap().as_slice();
}
