//! The valid vectors.

use crate::vector::{Array, Vector};

pub const U8: u8 = 0x08;
pub const I8: u8 = 0x09;
pub const I16: u8 = 0x0B;
pub const I32: u8 = 0x0C;
pub const F32: u8 = 0x0D;
pub const F64: u8 = 0x0E;

pub fn valid() -> Vec<Vector> {
    let mut vectors = values();
    vectors.extend(ranks());
    vectors.extend(sizes());
    vectors.extend(empty());
    vectors.extend(data_sets());
    vectors
}

/// The elements of each type.
#[rustfmt::skip] // one line for each file
fn values() -> Vec<Vector> {
    let v = |name, about, code, sizes: &[u32], elements: Vec<u64>| {
        Vector::valid(name, about, Array::new(code, sizes, elements))
    };
    vec![
        v("u8-scalar", "rank 0: a single element", U8, &[], vec![0xC8]),
        v("i8-scalar", "rank 0: a single element", I8, &[], signed([-100])),
        v("i16-scalar", "rank 0: a single element", I16, &[], signed([-12_345])),
        v("i32-scalar", "rank 0: a single element", I32, &[], signed([-1_234_567_890])),
        v("f32-scalar", "rank 0: a single element", F32, &[], singles([-0.15625])),
        v("f64-scalar", "rank 0: a single element", F64, &[], doubles([-0.15625])),
        v("u8-all-values", "0 to 255; 128 and above are not negative", U8, &[256], (0..256).collect()),
        v("i8-all-values", "0 to 127, then -128 to -1", I8, &[256], (0..256).collect()),
        v("i16-values", "extremes, and values whose bytes differ", I16, &[8], signed([0, 1, -1, 0x0102, 0x0201, 255, i16::MAX.into(), i16::MIN.into()])),
        v("i32-values", "extremes, and values whose bytes differ", I32, &[8], signed([0, 1, -1, 0x0102_0304, 0x0403_0201, 65_535, i32::MAX.into(), i32::MIN.into()])),
        v("f32-values", "both zeros, a third, extremes, subnormals", F32, &[9], singles([0.0, -0.0, 1.0, -1.0, 1.0 / 3.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1)])),
        v("f64-values", "both zeros, a third, extremes, subnormals", F64, &[9], doubles([0.0, -0.0, 1.0, -1.0, 1.0 / 3.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, f64::from_bits(1)])),
        v("f32-infinities-and-nans", "infinities, quiet and signalling NaNs with payloads: the bits stay", F32, &[6], vec![0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0xFFC0_0000, 0x7FC0_1234, 0x7FA0_0001]),
        v("f64-infinities-and-nans", "infinities, quiet and signalling NaNs with payloads: the bits stay", F64, &[6], vec![0x7FF0 << 48, 0xFFF0 << 48, 0x7FF8 << 48, 0xFFF8 << 48, (0x7FF8 << 48) + 0x1234, (0x7FF4 << 48) + 1]),
        v("u8-matrix", "2 x 3: the last dimension is the fastest", U8, &[2, 3], (1..=6).collect()),
        v("i8-matrix", "2 x 3", I8, &[2, 3], signed([1, -2, 3, -4, 5, -6])),
        v("i16-matrix", "2 x 3", I16, &[2, 3], signed([1, -2, 300, -400, 5, -6])),
        v("i32-matrix", "2 x 3", I32, &[2, 3], signed([1, -2, 300, -400, 70_000, -80_000])),
        v("f32-matrix", "2 x 3", F32, &[2, 3], singles([1.5, -2.5, 3.25, -4.75, 5e10, -6e-10])),
        v("f64-matrix", "2 x 3", F64, &[2, 3], doubles([1.5, -2.5, 3.25, -4.75, 5e100, -6e-100])),
        v("u8-cube", "3 x 2 x 2", U8, &[3, 2, 2], (10..22).collect()),
        v("i8-cube", "3 x 2 x 2", I8, &[3, 2, 2], signed(-6..6)),
        v("i16-cube", "3 x 2 x 2", I16, &[3, 2, 2], signed((-6..6).map(|i| i * 1000))),
        v("i32-cube", "3 x 2 x 2", I32, &[3, 2, 2], signed((-6..6).map(|i| i * 100_000_000))),
        v("f32-cube", "3 x 2 x 2", F32, &[3, 2, 2], singles((0_u8..12).map(|i| f32::from(i) / 7.0))),
        v("f64-cube", "3 x 2 x 2", F64, &[3, 2, 2], doubles((0..12).map(|i| f64::from(i) / 7.0))),
        v("payload-like-gzip", "the payload starts as gzip does", U8, &[3], vec![0x1F, 0x8B, 8]),
        v("payload-like-a-header", "the payload is an IDX file", U8, &[10], vec![0, 0, 8, 1, 0, 0, 0, 2, 1, 2]),
    ]
}

/// Other ranks.
fn ranks() -> Vec<Vector> {
    let ones = |rank| vec![1; rank];
    let wide = [&[1; 7][..], &[2], &[1; 8]].concat();
    vec![
        valid_u8("rank-4", "2 x 2 x 3 x 2", &[2, 2, 3, 2]),
        valid_u8("rank-5", "1 x 2 x 1 x 3 x 2", &[1, 2, 1, 3, 2]),
        valid_u8(
            "rank-8",
            "the first four bytes are 00 00 08 08, as the flags of gzip with a name",
            &[1, 1, 1, 2, 1, 1, 1, 1],
        ),
        Vector::valid(
            "rank-16",
            "more dimensions than fit four bits",
            Array::new(I16, &wide, signed([-2, 3])),
        ),
        valid_u8("rank-64", "as many dimensions as NumPy has", &ones(64)),
        valid_u8("rank-65", "one dimension more than NumPy has", &ones(65)),
        valid_u8("rank-128", "the rank is an unsigned byte", &ones(128)),
        valid_u8("rank-255", "as many dimensions as there can be", &ones(255)),
        Vector::valid(
            "rank-255-of-f64",
            "as many dimensions as there can be, of the widest elements",
            Array::new(F64, &ones(255), doubles([2.5])),
        ),
    ]
}

/// Sizes whose bytes differ.
fn sizes() -> Vec<Vector> {
    vec![
        valid_u8("one-element", "rank 1 with one record", &[1]),
        valid_u8("one-record", "1 x 3", &[1, 3]),
        valid_u8("one-column", "3 x 1", &[3, 1]),
        valid_u8("size-128", "a size whose lowest byte is above 127", &[128]),
        valid_u8("size-255", "the largest size of one byte", &[255]),
        valid_u8("size-256", "the smallest size of two bytes", &[256]),
        valid_u8("size-258", "a size whose bytes differ", &[258]),
        valid_u8("record-of-300", "2 x 300", &[2, 300]),
        valid_u8("thin", "2 x 1 x 2", &[2, 1, 2]),
    ]
}

/// Arrays without elements, whatever the other sizes are.
fn empty() -> Vec<Vector> {
    let e =
        |name, about, code, sizes: &[u32]| Vector::valid(name, about, Array::new(code, sizes, []));
    let (half, max) = (1 << 31, u32::MAX);
    vec![
        e("no-elements", "rank 1 of size 0", U8, &[0]),
        e("no-elements-of-f64", "rank 1 of size 0", F64, &[0]),
        e("no-records", "no records of 28 x 28", U8, &[0, 28, 28]),
        e("no-rows", "two records of no elements", U8, &[2, 0, 3]),
        e("no-columns", "two records of no elements", I16, &[2, 3, 0]),
        e("all-sizes-0", "0 x 0 x 0", I32, &[0, 0, 0]),
        e(
            "65536-empty-records",
            "records of no elements, as many as two bytes count",
            U8,
            &[65_536, 0],
        ),
        e(
            "2-to-31-empty-records",
            "a number of records that is negative in 32 bits",
            U8,
            &[half, 0],
        ),
        e(
            "2-to-32-less-1-empty-records",
            "as many records as a size can count, in 12 bytes",
            U8,
            &[max, 0],
        ),
        e("2-to-62-times-0", "one size of 0 makes the array empty", F32, &[half, half, 0]),
        e(
            "0-times-2-to-93",
            "the size of a record exceeds 64 bits, but there are none",
            U8,
            &[0, half, half, half],
        ),
        e("2-to-93-times-0", "the other sizes exceed 64 bits", F64, &[half, half, half, 0]),
    ]
}

/// The shapes of well-known files.
fn data_sets() -> Vec<Vector> {
    let pixel = |index: u64| {
        let (row, column) = (index / 28 % 28, index % 28);
        let in_frame = (8..20).contains(&row) && (8..20).contains(&column);
        if in_frame { row * 10 + column } else { 0 }
    };
    let qmnist = [
        5, 0, 2000, 3, 53, 10, 0, 0, //
        4, 4, 3001, 17, 52, 99_999, 1, 0,
    ];
    vec![
        Vector::valid(
            "mnist-images",
            "magic number 2051, as in train-images-idx3-ubyte",
            Array::new(U8, &[2, 28, 28], (0..2 * 784).map(pixel)),
        ),
        Vector::valid(
            "mnist-labels",
            "magic number 2049, as in train-labels-idx1-ubyte",
            Array::new(U8, &[10], [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]),
        ),
        Vector::valid(
            "qmnist-labels",
            "magic number 3074, as in qmnist-test-labels-idx2-int",
            Array::new(I32, &[2, 8], qmnist),
        ),
        Vector::valid(
            "letters-labels",
            "1 to 26, as in emnist-letters-test-labels-idx1-ubyte",
            Array::new(U8, &[26], 1..=26),
        ),
        valid_u8("pictures-in-colour", "2 pictures of 3 channels of 4 x 5", &[2, 3, 4, 5]),
        Vector::valid(
            "weights",
            "those of a linear classifier, 10 x 4 x 4",
            Array::new(I8, &[10, 4, 4], signed((0..160).map(|i| (i * 37) % 255 - 127))),
        ),
        Vector::valid(
            "spectrogram",
            "3 x 16 numbers of single precision",
            Array::new(F32, &[3, 16], singles((0_u8..48).map(|i| (f32::from(i) / 5.0).sin()))),
        ),
    ]
}

/// Bytes that count up.
fn valid_u8(name: &'static str, about: &'static str, sizes: &[u32]) -> Vector {
    let count = sizes.iter().map(|size| u64::from(*size)).product();
    Vector::valid(name, about, Array::new(U8, sizes, (0..count).map(|i| i % 251 + 1)))
}

pub fn signed(values: impl IntoIterator<Item = i64>) -> Vec<u64> {
    values.into_iter().map(i64::cast_unsigned).collect()
}

fn singles(values: impl IntoIterator<Item = f32>) -> Vec<u64> {
    values.into_iter().map(|value| value.to_bits().into()).collect()
}

fn doubles(values: impl IntoIterator<Item = f64>) -> Vec<u64> {
    values.into_iter().map(f64::to_bits).collect()
}
