//! `HeaderDump`: the first bytes of a file with an explanation.

use idx_std::{ErrorKind, HeaderDump};
use idx_tests::{file, gzip};

/// The lines of the explanation of these bytes.
#[track_caller]
fn lines(bytes: &[u8]) -> Vec<String> {
    let dump = HeaderDump::read(bytes).unwrap().to_string();
    dump.lines().map(str::to_string).collect()
}

#[test]
fn each_part_of_a_header_has_a_line() {
    let whole = file(0x0C, &[1, 2], &[7, 0, 0, 0, 8, 0, 0, 0, 9]);
    let expected = [
        "00000000  00 00        magic number",
        "00000002  0c           element type i32",
        "00000003  02           2 dimensions",
        "00000004  00 00 00 01  1 record",
        "00000008  00 00 00 02  2",
        "0000000c  07 00 00 00 08 00 00 00  payload",
    ];
    assert_eq!(lines(&whole), expected, "at most eight bytes of the payload");
    let mut compressed = expected;
    compressed[0] = "00000000  00 00        magic number, decompressed";
    assert_eq!(lines(&gzip(&whole)), compressed);
    assert_eq!(
        lines(&file(8, &[300], &[])),
        [
            "00000000  00 00        magic number",
            "00000002  08           element type u8",
            "00000003  01           1 dimension",
            "00000004  00 00 01 2c  300 records",
        ]
    );
    assert_eq!(
        lines(&file(8, &[], &[5])),
        [
            "00000000  00 00        magic number",
            "00000002  08           element type u8",
            "00000003  00           0 dimensions",
            "00000004  05           payload",
        ]
    );
}

#[test]
fn a_header_may_be_longer_than_its_file() {
    let whole = file(8, &[1, 2], &[7, 8]);
    for (length, last) in [
        (2, "00000002               truncated: 1 byte of 1 missing"),
        (3, "00000003               truncated: 1 byte of 1 missing"),
        (4, "00000004               truncated: 4 bytes of 4 missing"),
        (6, "00000004  00 00        truncated: 2 bytes of 4 missing"),
        (8, "00000008               truncated: 4 bytes of 4 missing"),
    ] {
        let lines = lines(&whole[..length]);
        assert_eq!(lines.last().unwrap(), last);
        let truncated = lines.iter().filter(|line| line.contains("truncated"));
        assert_eq!(truncated.count(), 1, "{lines:?}");
    }
    let longest = file(8, &[1; 255], &[9]);
    let lines = lines(&longest);
    assert_eq!(lines.len(), 3 + 255 + 1);
    assert_eq!(lines.last().unwrap(), "00000400  09           payload");
}

#[test]
fn what_is_not_idx() {
    assert_eq!(lines(b""), ["00000000               there is nothing"]);
    assert_eq!(lines(b"\0"), ["00000000  00           not IDX, which starts with two bytes 0"]);
    assert_eq!(
        lines(b"hello, world"),
        ["00000000  68 65 6c 6c 6f 2c 20 77  not IDX, which starts with two bytes 0"]
    );
    assert_eq!(lines(b"PK\x03\x04"), ["00000000  50 4b 03 04  not IDX, but a zip archive"]);
    assert_eq!(
        lines(&[0, 0, 7, 0])[1],
        "00000002  07           no element type: 08, 09, 0b, 0c, 0d or 0e"
    );
}

/// Failed before: it was "not IDX, which starts with two bytes 0".
#[test]
fn a_file_that_was_not_finished() {
    let unfinished = [0xFF, 0xFF, 0x8B, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 3, 5, 6];
    assert_eq!(
        lines(&unfinished),
        [
            "00000000  ff ff        the mark of a file that was not finished",
            "00000002  8b           element type i16",
            "00000003  02           2 dimensions",
            "00000004  ff ff ff ff  records that were not counted",
            "00000008  00 00 00 03  3",
            "0000000c  05 06        payload",
        ]
    );
}

#[test]
fn what_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let error = HeaderDump::open(folder.path()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::IsADirectory));
    assert_eq!(error.path(), Some(folder.path()));
    let compressed = gzip(&file(8, &[1, 2], &[7, 8]));
    assert!(HeaderDump::read(&compressed[..10]).is_err());
    let mut damaged = compressed.clone();
    damaged[10] = 0xFF;
    assert!(HeaderDump::read(&damaged[..]).is_err());
}
