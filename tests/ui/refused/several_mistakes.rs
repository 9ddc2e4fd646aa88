//! All mistakes of a type are reported at once.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Measurement<'a> {
    #[idx(range = 0..9)]
    sensor: u8,
    label: &'a str,
    values: [u32; 3],
    scale: f32,
}

fn main() {}
