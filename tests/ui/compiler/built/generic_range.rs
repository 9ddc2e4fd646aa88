//! A range that the argument's elements do not reach.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord)]
struct Class<T>(#[idx(range = 0..=999)] T);

fn main() {
    let _ = Records::<Class<i16>>::parse(&[]);
    let _ = Records::<Class<u8>>::parse(&[]);
}
