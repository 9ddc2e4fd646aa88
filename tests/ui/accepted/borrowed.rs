//! Records borrowed from the file's bytes, in `const`, in a crate that forbids unsafe code.

#![forbid(unsafe_code)]
#![deny(warnings)]
#![allow(dead_code, clippy::type_complexity)]

use idx_core::{IdxRecord, Records, ZeroCopy, be};

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

/// Generic, of several fields, one of which has no memory.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Row<T, const N: usize> {
    nothing: [T; 0],
    first: T,
    rest: [T; N],
}

/// Of two transparent fields one has no memory.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
struct Behind([u8; 0], u8);

/// A layout that cannot be borrowed is not an error by itself.
#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
struct Aligned([u8; 64]);

fn borrowed<T: ZeroCopy>(file: &[u8]) -> &[T] {
    let records = Records::<T>::parse(file).unwrap();
    for (index, record) in records.as_slice().iter().enumerate() {
        assert!(core::ptr::eq(records.get_ref(index).unwrap(), record));
    }
    assert!(records.get_ref(records.len()).is_none());
    records.as_slice()
}

const IMAGES: Records<Image<2, 3>> =
    Records::from_static(b"\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03abcdefghijkl");
const BORROWED: &[Image<2, 3>] = IMAGES.as_slice();

static LABELS: Records<Label> = Records::from_static(b"\0\0\x08\x01\0\0\0\x03\x01\x00\x09");
static SIGNED: Records<[[[[i8; 1]; 2]; 1]; 2]> = Records::from_static(
    b"\0\0\x09\x05\0\0\0\x01\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x01\xFF\0\x01\x02",
);
static TWO: Records<Two> =
    Records::from_static(b"\0\0\x0B\x02\0\0\0\x01\0\0\0\x06\0\x01\0\x02\0\x03\0\x04\0\x05\xFF\xFF");
static DOUBLES: Records<be::F64> =
    Records::from_static(b"\0\0\x0E\x01\0\0\0\x01\x3F\xF8\0\0\0\0\0\0");

#[test]
fn run() {
    assert_eq!(BORROWED[1].0, [*b"ghi", *b"jkl"]);
    assert_eq!(LABELS.as_slice(), [Label(1), Label(0), Label(9)]);
    assert_eq!(SIGNED.as_slice(), [[[[[-1], [0]]], [[[1], [2]]]]]);
    assert_eq!(TWO.as_slice()[0].second.rest.map(be::I16::get), [5, -1]);
    assert_eq!(DOUBLES.as_slice()[0].get(), 1.5);
    // In generic code, of any layout and rank.
    let file = b"\0\0\x08\x02\0\0\0\x02\0\0\0\x03abcdef";
    let rows: &[Row<u8, 2>] = borrowed(file);
    assert_eq!((rows[1].first, rows[1].rest), (b'd', *b"ef"));
    let file = b"\0\0\x08\x02\0\0\0\x02\0\0\0\x01ab";
    assert_eq!(borrowed::<Behind>(file), [Behind([], b'a'), Behind([], b'b')]);
    let mut deep = b"\0\0\x08\x09\0\0\0\x02".to_vec();
    deep.extend([0, 0, 0, 1].repeat(8));
    deep.extend(b"ab");
    let deep: &[[[[[[[[[u8; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]] = borrowed(&deep);
    assert_eq!(deep, [[[[[[[[[b'a']]]]]]]], [[[[[[[[b'b']]]]]]]]]);
    // In place, at an odd address too.
    let mut file = vec![0];
    file.extend(b"\0\0\x0D\x02\0\0\0\x01\0\0\0\x02\x3F\x80\0\0\xBF\x80\0\0");
    let pairs = Records::<[be::F32; 2]>::parse(&file[1..]).unwrap();
    assert_eq!(pairs.as_slice()[0].map(be::F32::get), [1.0, -1.0]);
    assert_eq!(pairs.as_slice().as_ptr() as usize, file[13..].as_ptr() as usize);
}
