//! Fields whose size is not known.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Image {
    width: u8,
    pixels: [u8],
}

#[derive(IdxRecord)]
struct Name(str);

fn main() {}
