//! Valid files that other readers reject or mistake.

use crate::{file, gzip};

/// A file that looks wrong and is valid.
#[derive(Clone, Debug)]
pub struct OddFile {
    /// The oddity, as a file name.
    pub name: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
    /// The same without gzip.
    pub plain: Vec<u8>,
    /// The lines `shape` and `records` of `idx info`.
    pub info: [&'static str; 2],
}

/// Valid files that other readers reject or mistake.
#[must_use]
pub fn odd_files() -> Vec<OddFile> {
    let plain = |name, bytes: Vec<u8>, info| OddFile { name, plain: bytes.clone(), bytes, info };
    let good = file(0x08, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let (front, back) = good.split_at(9);
    let zipped =
        |name, bytes| OddFile { name, bytes, plain: good.clone(), info: ["2 x 3", "2 of 3 bytes"] };
    vec![
        plain(
            "rank-0-and-its-element",
            file(0x0B, &[], &[1, 2]),
            ["a single element", "1 of 2 bytes"],
        ),
        plain(
            "no-records-of-28-x-28",
            file(0x08, &[0, 28, 28], &[]),
            ["0 x 28 x 28", "0 of 784 bytes"],
        ),
        plain(
            "records-without-elements",
            file(0x08, &[2, 0, 3], &[]),
            ["2 x 0 x 3", "2 of 0 bytes"],
        ),
        plain(
            "2-to-31-records-without-elements",
            file(0x08, &[1 << 31, 1 << 31, 0], &[]),
            ["2147483648 x 2147483648 x 0", "2,147,483,648 of 0 bytes"],
        ),
        plain(
            "no-records-of-more-than-2-to-64-bytes",
            file(0x0E, &[0, 1 << 31, 1 << 31, 1 << 31], &[]),
            ["0 x 2147483648 x 2147483648 x 2147483648", "0 of more bytes than 64 bits can count"],
        ),
        plain(
            "payload-that-starts-like-gzip",
            file(0x08, &[3], &[0x1F, 0x8B, 8]),
            ["3", "3 of 1 byte"],
        ),
        plain(
            "rank-8",
            file(0x09, &[1, 1, 1, 2, 1, 1, 1, 1], &[1, 2]),
            ["1 x 1 x 1 x 2 x 1 x 1 x 1 x 1", "1 of 2 bytes"],
        ),
        zipped("gzip-without-gz-in-its-name", gzip(&good)),
        zipped("gzip-of-two-members", [gzip(front), gzip(&[]), gzip(back)].concat()),
        zipped("gzip-padded-with-zeros", [gzip(&good), vec![0; 700]].concat()),
        // Flag 8: a name follows, here that of the official files; the byte would be the rank.
        zipped("gzip-with-a-name-inside", {
            let member = gzip(&good);
            let (start, deflated) = member.split_at(10);
            let mut named = start.to_vec();
            named[3] = 8;
            named.extend(b"t10k-images.idx3-ubyte\0");
            named.extend(deflated);
            named
        }),
    ]
}

/// 255 dimensions of size 1, which have 1020 bytes of header.
#[must_use]
pub fn rank_255() -> Vec<u8> {
    file(0x08, &[1; 255], &[7])
}
