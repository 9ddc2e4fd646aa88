//! Ranges that are not `FIRST..=LAST`.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Columns {
    #[idx(range = 0..10)]
    half_open: u8,
    #[idx(range = 1..)]
    no_end: u8,
    #[idx(range = ..=9)]
    no_start: u8,
    #[idx(range = ..)]
    no_bounds: u8,
    #[idx(range = 9)]
    number: u8,
    #[idx(range = "0..=9")]
    text: u8,
}

fn main() {}
