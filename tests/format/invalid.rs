//! The invalid vectors, and those in gzip.

use idx_tests::file;

use crate::valid::{F64, I16, I32, U8, signed};
use crate::vector::{Array, Fault, Vector, gzip_member, hexadecimal};

pub fn invalid() -> Vec<Vector> {
    let mut vectors = starts();
    vectors.extend(headers());
    vectors.extend(payloads());
    vectors.extend(too_large());
    vectors.extend(followed());
    vectors.extend(in_gzip());
    vectors
}

fn matrix() -> Array {
    Array::new(U8, &[2, 3], 1..=6)
}

/// Files that are not IDX.
fn starts() -> Vec<Vector> {
    let other = |name, about, bytes: &[u8]| {
        // Four bytes, with zeros in place of missing ones.
        let start = [bytes, &[0; 3]].concat();
        let start = hexadecimal(&start[..4]);
        Vector::invalid(name, about, bytes, Fault::NotIdx { start })
    };
    vec![
        Vector::invalid("empty", "no bytes", [], Fault::Empty),
        other("one-byte", "one byte, which is not 00", b"a"),
        other("first-byte-1", "byte 0 is 01", &[1, 0, 8, 1, 0, 0, 0, 1, 7]),
        other("second-byte-1", "byte 1 is 01", &[0, 1, 8, 1, 0, 0, 0, 1, 7]),
        other("first-byte-80", "byte 0 is 80", &[0x80, 0, 8, 1, 0, 0, 0, 1, 7]),
        other(
            "little-endian",
            "the header of MNIST's labels in the wrong byte order",
            &[1, 8, 0, 0, 2, 0, 0, 0, 5, 0],
        ),
        other("magic-of-two-bytes", "08 01 without the two zeros", &[8, 1, 0, 0, 0, 1, 7, 7]),
        other(
            "web-page",
            "what a server sends in place of a file",
            b"<!DOCTYPE html><title>403 Forbidden</title>",
        ),
        other(
            "git-lfs-pointer",
            "what a clone without git-LFS holds",
            b"version https://git-lfs.github.com/spec/v1\n",
        ),
        other("numpy", "an array of NumPy", b"\x93NUMPY\x01\0v\0{'descr': '|u1'}"),
        other(
            "lush-matrix",
            "a matrix of Lush, as in NORB",
            &[0x55, 0x4C, 0x3D, 0x1E, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 8],
        ),
        other("xz", "xz data, as QMNIST's xnist files", b"\xFD7zXZ\0\0\x04"),
        other("zip", "a zip archive", b"PK\x03\x04\x14\0\0\0"),
    ]
}

/// Element types that do not exist, and headers that end early.
fn headers() -> Vec<Vector> {
    let code = |name, about, code| {
        let mut bytes = matrix().file();
        bytes[2] = code;
        Vector::invalid(name, about, bytes, Fault::UnknownElementType { code })
    };
    let cut = |name, about, bytes: &[u8], needed| {
        let found = bytes.len() as u64;
        Vector::invalid(name, about, bytes, Fault::HeaderTruncated { needed, found })
    };
    let rank_255 = [&[0, 0, 8, 255][..], &[0; 16]].concat();
    vec![
        code("element-type-00", "code 00 does not exist", 0x00),
        code("element-type-07", "code 07 does not exist", 0x07),
        code(
            "element-type-0a",
            "code 0A does not exist; readers and writers take it for u16",
            0x0A,
        ),
        code("element-type-0f", "code 0F does not exist", 0x0F),
        code("element-type-18", "code 18 does not exist; its low half is that of u8", 0x18),
        code("element-type-80", "code 80 does not exist", 0x80),
        code("element-type-ff", "code FF does not exist", 0xFF),
        Vector::invalid(
            "element-type-before-rank",
            "three bytes; the wrong code comes before the missing rank",
            [0, 0, 0x0A],
            Fault::UnknownElementType { code: 0x0A },
        ),
        cut("one-zero", "one byte", &[0], 4),
        cut("two-zeros", "two bytes", &[0, 0], 4),
        cut("no-rank", "three bytes", &[0, 0, 8], 4),
        cut("no-sizes", "the sizes are missing", &[0, 0, 8, 1], 8),
        cut("half-a-size", "the header ends within the first size", &[0, 0, 8, 3, 0, 0], 16),
        cut("one-size-of-two", "the second size is missing", &[0, 0, 8, 2, 0, 0, 0, 2], 12),
        cut(
            "last-byte-of-the-sizes",
            "one byte of the sizes is missing",
            &[0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0],
            12,
        ),
        cut("rank-255-in-20-bytes", "most of the sizes are missing", &rank_255, 1024),
    ]
}

/// Payloads that end early.
fn payloads() -> Vec<Vector> {
    let cut = |name, about, code, sizes: &[u32], found: u64, needed: u64| {
        let payload: Vec<u8> = (0..found).map(|i| u8::try_from(i % 250).unwrap()).collect();
        let fault = Fault::PayloadTruncated { needed, found };
        Vector::invalid(name, about, file(code, sizes, &payload), fault)
    };
    let (half, max) = (1 << 31, u32::MAX);
    vec![
        cut("last-byte-missing", "one byte of the payload is missing", U8, &[2, 3], 5, 6),
        cut("header-alone", "the whole payload is missing", U8, &[2, 3], 0, 6),
        cut("half-an-i16", "the last element has one of two bytes", I16, &[3], 5, 6),
        cut("f64-of-7-bytes", "the only element has 7 of 8 bytes", F64, &[1], 7, 8),
        cut("scalar-missing", "rank 0 needs one element", U8, &[], 0, 1),
        cut("f64-scalar-cut", "rank 0 needs one whole element", F64, &[], 4, 8),
        cut("one-record-short", "9 of 10 records of 4 x 4", U8, &[10, 4, 4], 144, 160),
        cut(
            "little-endian-sizes",
            "the size 2 in the wrong byte order",
            U8,
            &[0x0200_0000],
            2,
            0x0200_0000,
        ),
        cut("2-to-31-bytes", "a size that is negative in 32 bits", U8, &[half], 2, 1 << 31),
        cut(
            "2-to-32-less-1-bytes",
            "the largest size; nothing may be allocated for it",
            U8,
            &[max],
            0,
            0xFFFF_FFFF,
        ),
        cut("2-to-32-less-1-records", "the same in two dimensions", U8, &[max, 1], 8, 0xFFFF_FFFF),
        cut("product-is-0-in-32-bits", "65536 x 65536", U8, &[65_536, 65_536], 4, 1 << 32),
        cut(
            "2-to-32-of-i32",
            "2^30 elements of 4 bytes: 0 in 32 bits",
            I32,
            &[1 << 30],
            4,
            1 << 32,
        ),
        cut(
            "negative-in-64-bits",
            "2^31 x 2^31 x 2 bytes are 2^63",
            U8,
            &[half, half, 2],
            4,
            1 << 63,
        ),
        cut(
            "almost-2-to-64",
            "the largest product of two sizes",
            U8,
            &[max, max],
            8,
            0xFFFF_FFFE_0000_0001,
        ),
    ]
}

/// Sizes with a product of more than 64 bits.
fn too_large() -> Vec<Vector> {
    let large = |name, about, code, sizes: &[u32], dimension: u64, size| {
        let fault = Fault::TooLarge { dimension, size };
        Vector::invalid(name, about, file(code, sizes, &[0; 4]), fault)
    };
    let max = u32::MAX;
    vec![
        large("2-to-96", "the largest product of three sizes", U8, &[max; 3], 2, max),
        large("2-to-64", "65536 four times: 0 in 64 bits", U8, &[65_536; 4], 3, 65_536),
        large(
            "2-to-64-of-f64",
            "2^31 x 2^30 elements of 8 bytes: 0 in 64 bits",
            F64,
            &[1 << 31, 1 << 30],
            1,
            1 << 30,
        ),
        large(
            "2-to-64-and-4",
            "a product that is 4 in 64 bits, and 4 bytes follow",
            I32,
            &[1, 0x8000_0001, 0x8000_0000, 1],
            2,
            0x8000_0000,
        ),
        large(
            "255-sizes-of-2-to-32-less-1",
            "the largest sizes that there can be",
            F64,
            &[max; 255],
            1,
            max,
        ),
    ]
}

/// Bytes after the payload.
fn followed() -> Vec<Vector> {
    let labels = Array::new(U8, &[3], [7, 2, 1]);
    vec![
        Vector::followed_by("one-byte-more", "a byte after the payload", matrix(), [7]),
        Vector::followed_by("zero-byte-more", "a byte of 00 after the payload", matrix(), [0]),
        Vector::followed_by(
            "newline-more",
            "a line feed after the payload, as from an editor",
            matrix(),
            "\n",
        ),
        Vector::followed_by("padded-with-ff", "the rest of a page of flash", matrix(), [0xFF; 46]),
        Vector::followed_by(
            "two-files",
            "another IDX file after the payload",
            labels,
            matrix().file(),
        ),
        Vector::followed_by(
            "scalar-and-more",
            "rank 0 has one element, not two",
            Array::new(U8, &[], [7]),
            [8],
        ),
        Vector::followed_by(
            "no-records-and-a-byte",
            "no records, but a byte",
            Array::new(U8, &[0, 28, 28], []),
            [0],
        ),
        Vector::followed_by(
            "channels-missing",
            "three channels, which the header lacks",
            Array::new(U8, &[1, 2, 2], 1..=4),
            [5; 8],
        ),
        Vector::followed_by(
            "half-a-record-more",
            "2 of 4 bytes of the next record",
            Array::new(I16, &[2, 2], signed([1, 2, 3, -4])),
            [0, 5],
        ),
    ]
}

/// IDX files in gzip. A reader without gzip must reject all of them as not IDX.
fn in_gzip() -> Vec<Vector> {
    let plain = matrix().file();
    let member = gzip_member(0, b"", &plain);
    let (front, back) = plain.split_at(9);
    let changed = |offset: usize| {
        let mut bytes = member.clone();
        let at = bytes.len() - offset;
        bytes[at] ^= 0x55;
        bytes
    };
    let good = |name, about, bytes| Vector::in_gzip(name, about, bytes, Ok(matrix()));
    let bad = |name, about, bytes| Vector::in_gzip(name, about, bytes, Err(Fault::DamagedGzip));
    let cut = Fault::PayloadTruncated { needed: 6, found: 5 };
    let more = Fault::TrailingBytes { offset: 18, count: 1 };
    let longer = [&plain[..], &[7]].concat();
    // Made by gzip 1.12, with `gzip -9n`.
    let compressed = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x63, 0x60, 0xE0, 0x60, 0x62, 0x60, 0x60, 0, 0x61,
        0x66, 0x46, 0x26, 0x66, 0x16, 0x56, 0x36, 0, 0x48, 0x94, 0x3E, 0xE5, 18, 0, 0, 0,
    ];
    vec![
        good("gzip", "stored in gzip: byte 2 is 08, as that of u8", member.clone()),
        good("gzip-deflated", "compressed by gzip -9n", compressed.to_vec()),
        good(
            "gzip-with-name",
            "with the file name that the published archives hold",
            gzip_member(8, b"t10k-images.idx3-ubyte\0", &plain),
        ),
        good(
            "gzip-of-two-members",
            "the second member begins within the header",
            [gzip_member(0, b"", front), gzip_member(0, b"", back)].concat(),
        ),
        good(
            "gzip-padded",
            "zeros after the last member, as on a tape",
            [&member[..], &[0; 100]].concat(),
        ),
        bad("gzip-with-wrong-checksum", "the CRC-32 is wrong", changed(8)),
        bad("gzip-with-wrong-length", "the length is wrong", changed(4)),
        bad(
            "gzip-cut",
            "the last byte of the trailer is missing",
            member[..member.len() - 1].to_vec(),
        ),
        bad("gzip-cut-in-its-data", "the data ends early", member[..20].to_vec()),
        bad("gzip-and-more", "other bytes after the last member", [&member[..], b"more"].concat()),
        Vector::in_gzip(
            "gzip-of-a-cut-file",
            "intact gzip of a file without its last byte",
            gzip_member(0, b"", &plain[..17]),
            Err(cut),
        ),
        Vector::in_gzip(
            "gzip-of-a-longer-file",
            "intact gzip of a file with a byte too many",
            gzip_member(0, b"", &longer),
            Err(more),
        ),
        Vector::in_gzip(
            "gzip-of-nothing",
            "intact gzip of no bytes",
            gzip_member(0, b"", b""),
            Err(Fault::Empty),
        ),
    ]
}
