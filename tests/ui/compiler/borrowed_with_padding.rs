//! Records with padding or with an alignment of their own cannot be borrowed, whatever their layout was
//! when the derive saw them.

#![forbid(unsafe_code)]

use idx_core::{IdxRecord, Records};

#[derive(IdxRecord, Clone, Copy)]
#[repr(C, align(4))]
struct Colour {
    red: u8,
    green: u8,
    blue: u8,
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(C, align(2))]
struct Row([u8; 64]);

/// The padding is in the field.
#[derive(IdxRecord, Clone, Copy)]
#[repr(C)]
struct Pair {
    colours: [Colour; 2],
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(C, align(2))]
struct Generic<const N: usize>([u8; N]);

/// For the derive it is transparent.
#[derive(IdxRecord, Clone, Copy)]
#[idx_layout_macro::aligned]
#[repr(transparent)]
struct Changed([u8; 3]);

const FILE: &[u8] = &[0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 3];
const LONG_FILE: &[u8] = &[0, 0, 8, 2, 0, 0, 0, 0, 0, 0, 0, 64];
const PAIR_FILE: &[u8] = &[0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3];

const COLOURS: &[Colour] = Records::from_static(FILE).as_slice();
const COLOUR: Option<&Colour> = Records::from_static(FILE).get_ref(0);
const ROWS: &[Row] = Records::from_static(LONG_FILE).as_slice();
const PAIRS: &[Pair] = Records::from_static(PAIR_FILE).as_slice();
const GENERIC: &[Generic<3>] = Records::from_static(FILE).as_slice();
const CHANGED: &[Changed] = Records::from_static(FILE).as_slice();

fn main() {}
