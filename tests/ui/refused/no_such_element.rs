//! Primitives that are not element types, alone and in arrays.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord)]
struct Depth([[u16; 640]; 480]);

#[derive(IdxRecord)]
struct Columns {
    identifier: u64,
    index: usize,
    flag: bool,
    letter: char,
    good: i32,
}

// The uses of a refused type add no errors.
fn main() {
    let records = Records::<Depth>::parse(&[]).unwrap();
    let _: Option<Depth> = records.get(0);
    let _: usize = Columns::SIZE;
}
