//! Every field counts, also behind one that has no memory: an enum does not allow every byte.

#![forbid(unsafe_code)]

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy)]
#[repr(u8)]
enum Animal {
    Cat = 3,
    Dog = 5,
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Tagged([u8; 0], Animal);

fn main() {
    Records::<Tagged>::parse(&[]).unwrap().as_slice();
}
