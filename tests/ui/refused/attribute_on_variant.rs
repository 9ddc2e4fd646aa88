//! `idx` where it means nothing.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[repr(u8)]
enum Label {
    #[idx(range = 0..=4)]
    Low = 0,
    High = 5,
}

fn main() {}
