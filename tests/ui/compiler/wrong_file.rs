//! Files in a `static` that do not hold the records.

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy)]
struct Label(#[idx(range = 0..=9)] u8);

static CUT: Records<u8> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3]);

static OTHER_SHAPE: Records<[u8; 3]> =
    Records::from_static(&[0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2]);

static OTHER_ELEMENTS: Records<i16> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 2, 1, 2]);

static COMPRESSED: Records<u8> = Records::from_static(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]);

const OTHER_LABEL: Records<Label> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 2, 9, 10]);

fn main() {}
