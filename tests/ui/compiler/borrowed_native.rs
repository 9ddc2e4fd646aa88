//! Native integers cannot be borrowed, alone or in a record.

use idx_core::{IdxRecord, Records};

static STEPS: Records<[i16; 2]> =
    Records::from_static(&[0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 2]);

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Step(i16);

#[derive(IdxRecord, Clone, Copy)]
#[repr(C)]
struct Point {
    x: f32,
    y: f32,
}

fn main() {
    STEPS.as_slice();
    Records::<Step>::parse(&[]).unwrap().as_slice();
    Records::<Point>::parse(&[]).unwrap().as_slice();
}
