//! Ranges on what has a rule of its own, or has no integers.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord)]
struct Twice(#[idx(range = 0..=5)] [Label; 2]);

type Real = f32;

#[derive(IdxRecord)]
struct OfAlias(#[idx(range = 0..=1)] Real);

fn main() {}
