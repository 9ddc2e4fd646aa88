//! Records borrowed from the file's bytes, in `const`, in a crate that forbids unsafe code.

#![forbid(unsafe_code)]
#![deny(warnings)]
#![allow(dead_code)]

use idx_core::{IdxRecord, Records, be};

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Image<const H: usize, const W: usize>([[u8; W]; H]);

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Step {
    x: be::I16,
    rest: [be::I16; 2],
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Two {
    first: Step,
    second: Step,
}

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Label(#[idx(range = 0..=9)] u8);

const IMAGES: Records<Image<2, 3>> =
    Records::from_static(b"\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03abcdefghijkl");
const BORROWED: &[Image<2, 3>] = IMAGES.as_slice();

static LABELS: Records<Label> = Records::from_static(b"\0\0\x08\x01\0\0\0\x03\x01\x00\x09");
static SIGNED: Records<[[[[i8; 1]; 2]; 1]; 2]> =
    Records::from_static(b"\0\0\x09\x05\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x01\xFF\0\x01\x02");
static TWO: Records<Two> =
    Records::from_static(b"\0\0\x0B\x02\0\0\0\x01\0\0\0\x06\0\x01\0\x02\0\x03\0\x04\0\x05\xFF\xFF");
static DOUBLES: Records<be::F64> =
    Records::from_static(b"\0\0\x0E\x01\0\0\0\x01\x3F\xF8\0\0\0\0\0\0");

fn main() {
    assert_eq!(BORROWED[1].0, [*b"ghi", *b"jkl"]);
    assert_eq!(LABELS.as_slice(), [Label(1), Label(0), Label(9)]);
    assert_eq!(SIGNED.as_slice(), [[[[[-1], [0]]], [[[1], [2]]]]]);
    assert_eq!(TWO.as_slice()[0].second.rest.map(be::I16::get), [5, -1]);
    assert_eq!(DOUBLES.as_slice()[0].get(), 1.5);
    // Borrowed is where it lies: at an odd address too.
    let mut file = vec![0];
    file.extend(b"\0\0\x0D\x02\0\0\0\x01\0\0\0\x02\x3F\x80\0\0\xBF\x80\0\0");
    let pairs = Records::<[be::F32; 2]>::parse(&file[1..]).unwrap();
    assert_eq!(pairs.as_slice()[0].map(be::F32::get), [1.0, -1.0]);
    assert_eq!(pairs.as_slice().as_ptr() as usize, file[13..].as_ptr() as usize);
}
