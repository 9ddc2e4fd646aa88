//! A record has at most 8 dimensions.

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Deep([[[[[[[[[u8; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]);

fn main() {}
