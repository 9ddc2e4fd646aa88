//! Bounds that are no integers.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Columns {
    #[idx(range = 0.5..=9.5)]
    float: u8,
    #[idx(range = false..=true)]
    boolean: u8,
    #[idx(range = 'a'..='z')]
    letter: u8,
    #[idx(range = b'a'..=b'z')]
    byte: u8,
}

fn main() {}
