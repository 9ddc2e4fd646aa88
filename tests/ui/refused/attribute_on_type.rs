//! Attributes on the type that it does not take.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
#[idx(range = 0..=9)]
struct Label(u8);

#[derive(IdxRecord)]
#[idx(shape = 28)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord)]
#[idx(crate = idx_core)]
struct WithoutQuotes(u8);

#[derive(IdxRecord)]
#[idx(crate = "not a path")]
struct NotAPath(u8);

#[derive(IdxRecord)]
#[idx]
struct Bare(u8);

#[derive(IdxRecord)]
#[idx(crate = "idx_core", crate = "idx_core")]
struct TwoPaths(u8);

fn main() {}
