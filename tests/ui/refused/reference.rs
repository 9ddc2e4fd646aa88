//! Fields that point elsewhere.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Image {
    pixels: &'static [u8; 784],
    raw: *const u8,
}

fn main() {}
