//! Fields of types that are not records.

use idx_core::IdxRecord;

struct Plain(u8);

#[derive(IdxRecord)]
struct Columns {
    name: String,
    values: Vec<u8>,
    plain: [Plain; 2],
    maybe: Option<u8>,
    good: u8,
}

fn main() {}
