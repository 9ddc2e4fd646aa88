//! A range of floating-point values.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Probability(#[idx(range = 0..=1)] f32);

#[derive(IdxRecord)]
struct Row {
    #[idx(range = 0.0..=1.0)]
    values: [f64; 4],
}

fn main() {}
