//! A label that has no value.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
enum Nothing {}

fn main() {}
