//! Generic records with arguments that do not fit.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord)]
struct WithClass<T> {
    value: T,
    class: u8,
}

#[derive(IdxRecord)]
struct Class<T>(#[idx(range = 0..=999)] T);

static GOOD: Records<Class<i16>> = Records::from_static(&[0, 0, 0x0B, 1, 0, 0, 0, 0]);
static MIXED: Records<WithClass<i8>> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 0]);
static BEYOND: Records<Class<u8>> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 0]);

fn main() {}
