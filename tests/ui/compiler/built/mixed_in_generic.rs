//! A generic record whose argument has another element type.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord)]
struct WithClass<T> {
    value: T,
    class: u8,
}

fn main() {
    let _ = Records::<WithClass<i8>>::parse(&[]);
}
