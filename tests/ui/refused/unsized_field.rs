//! Fields whose size is not known.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Image {
    width: u8,
    pixels: [u8], // BUG: the stub's `Self` is not sized either, which adds four errors
}

#[derive(IdxRecord)]
struct Name(str); // BUG: as above

fn main() {}
