//! `to_array` of records that the compiler cannot decode.

use idx_core::{IdxRecord, Records, be};

#[derive(IdxRecord, Clone, Copy)]
struct AnyOrder {
    x: i16,
    y: i16,
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(C, align(4))]
struct Padded(i8);

static FILE: &[u8] = &[0, 0, 11, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 2];

static IN_THE_ORDER_OF_THE_FILE: [[be::I16; 2]; 1] = Records::from_static(FILE).to_array();
static IN_ANY_ORDER: [AnyOrder; 1] = Records::from_static(FILE).to_array();
static PADDED: [Padded; 1] = Records::from_static(&[0, 0, 9, 1, 0, 0, 0, 1, 5]).to_array();

fn main() {}
