//! A record that borrows.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Borrowing<'file> {
    pixels: &'file [u8; 4],
}

fn main() {}
