//! Structs without a field.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Unit;

#[derive(IdxRecord)]
struct Braces {}

#[derive(IdxRecord)]
struct Parentheses();

fn main() {}
