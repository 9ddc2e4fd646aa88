//! Elements are numbers or labels; arrays of them are records.

use idx_core::IdxRecord;
use idx_std::load;

#[derive(IdxRecord)]
struct Point {
    x: i16,
    y: i16,
}

#[derive(IdxRecord)]
struct Colour([u8; 3]);

fn main() {
    let _ = load::<[u8; 3]>("colours");
    let _ = load::<Point>("points");
    let _ = load::<Colour>("colours");
}
