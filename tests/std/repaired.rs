//! What `repair` removes, and what it never does: the only copy of records that may be whole.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use idx_std::{ElementType, Error, Writer, load, open, repair};
use idx_tests::{file, gzip};

/// The error of a repair in place, which changes nothing.
#[track_caller]
fn expect_refused(path: &Path, words: &str) {
    let bytes = fs::read(path).unwrap();
    let error = repair(path).unwrap().write().unwrap_err();
    assert_eq!(error.kind().code(), "would_lose", "{error}");
    assert!(error.to_string().contains(words), "{error}");
    assert_eq!(error.path(), Some(path));
    assert_eq!(fs::read(path).unwrap(), bytes);
    assert_eq!(repair(path).unwrap().check().unwrap_err().to_string(), error.to_string());
}

#[test]
fn what_may_be_records_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("file"), folder.path().join("new"));
    for (bytes, words, kept) in [
        // Records that the header does not count.
        (
            file(0x08, &[1, 3], b"abcdefg"),
            "1 whole record; 1 more that the header does not count; 1 byte of an incomplete record; in place, 1 record \
             that may be whole would be removed, so nothing was written; keep all, or write them to a new file",
            file(0x08, &[1, 3], b"abc"),
        ),
        // Damage in the sizes of a record.
        (
            file(0x08, &[5, 3], b"ab"),
            "0 whole records; the header counts 5; 2 bytes of an incomplete record; in place, the only copy of what else \
             is there would be removed, so nothing was written; write the whole records to a new file",
            file(0x08, &[0, 3], b""),
        ),
        (
            file(0x08, &[4, 0], b"abcd"),
            "4 whole records; 4 bytes after them; in place",
            file(0x08, &[4, 0], b""),
        ),
        (
            file(0x08, &[], b"ab"),
            "1 whole record; 1 byte of an incomplete record",
            file(0x08, &[], b"a"),
        ),
        (gzip(&file(0x08, &[1, 3], b"abcdef")), "1 more", file(0x08, &[1, 3], b"abc")),
        // FF that is not the end is not erased flash.
        (file(0x08, &[1, 2], b"ab\xFF\xFF\xFF\xFFc"), "2 more", file(0x08, &[1, 2], b"ab")),
    ] {
        fs::write(&path, &bytes).unwrap();
        expect_refused(&path, words);
        repair(&path).unwrap().write_to(&new).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(fs::read(&new).unwrap(), kept);
        // Nor does a new file replace another.
        let error = repair(&path).unwrap().write_to(&new).unwrap_err();
        assert_eq!(error.path(), Some(&*new));
        let error = repair(&path).unwrap().write_to(&path).unwrap_err();
        assert_eq!(error.path(), Some(&*path));
        fs::remove_file(&new).unwrap();
    }
    // Whoever knows better chooses.
    for (counted, kept) in [(true, &b"abc"[..]), (false, b"abcdef")] {
        fs::write(&path, file(0x08, &[1, 3], b"abcdefg")).unwrap();
        let found = repair(&path).unwrap();
        let found = if counted { found.keep_counted() } else { found.keep_all() };
        found.write().unwrap();
        assert_eq!(load::<u8>(&path).unwrap()[..], *kept);
    }
    fs::write(&path, file(0x08, &[5, 3], b"ab")).unwrap();
    repair(&path).unwrap().keep_counted().write().unwrap_err();
    repair(&path).unwrap().keep_all().write().unwrap_err();
}

/// A new file is compressed by its name, and also made of a file that needs no repair.
#[test]
fn a_new_file_has_the_kind_that_its_name_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let whole = file(0x08, &[2, 3], b"abcdef");
    fs::write(path("a.gz"), gzip(&whole)).unwrap();
    repair(path("a.gz")).unwrap().write_to(path("b")).unwrap();
    assert_eq!(fs::read(path("b")).unwrap(), whole);
    repair(path("b")).unwrap().write_to(path("c.gz")).unwrap();
    assert!(idx_std::is_gzip(&fs::read(path("c.gz")).unwrap()));
    assert_eq!(load::<u8>(path("c.gz")).unwrap()[..], *b"abcdef");
}

/// What becomes of a file of which one bit of its header was turned.
#[derive(Default)]
struct Outcomes {
    exact: usize,
    refused: usize,
    /// Nothing can tell it from another file: a truncated one, or of another type.
    undecidable: usize,
}

/// Repairs in place each file that has one bit in these bytes turned; `take` judges what else is kept.
fn turned(whole: &[u8], bytes: usize, is_undecidable: impl Fn(usize, &[u8]) -> bool) -> Outcomes {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let content = |path: &Path| -> Result<(ElementType, Vec<u32>, Vec<u8>), Error> {
        let file = open(path)?;
        let header = file.header();
        Ok((header.element_type(), header.dims().to_vec(), file.as_idx().payload().to_vec()))
    };
    fs::write(&path, whole).unwrap();
    let expected = content(&path).unwrap();
    let mut outcomes = Outcomes::default();
    for bit in 0..8 * bytes {
        let mut damaged = whole.to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &damaged).unwrap();
        if repair(&path).and_then(|found| found.write()).is_err() {
            assert_eq!(fs::read(&path).unwrap(), damaged, "bit {bit}");
            outcomes.refused += 1;
            continue;
        }
        let found = content(&path).unwrap();
        if found == expected {
            outcomes.exact += 1;
            continue;
        }
        assert!(is_undecidable(bit, &found.2), "bit {bit} (byte {}): {:?}", bit / 8, found.1);
        // At most the last record is gone.
        assert!(expected.2.starts_with(&found.2), "bit {bit}");
        assert!(!found.2.is_empty(), "bit {bit}");
        outcomes.undecidable += 1;
    }
    outcomes
}

/// Each bit of the headers of plain files and of gzip files, turned.
#[test]
fn one_wrong_bit_in_a_header() {
    let mut table = String::new();
    let digits: Vec<u8> = (0..200 * 784_usize).map(|place| (place / 7) as u8).collect();
    let labels: Vec<u8> = (0..128).map(|label| label % 10).collect();
    for (what, whole) in [
        ("200 x 28 x 28", file(0x08, &[200, 28, 28], &digits)),
        ("128 labels", file(0x08, &[128], &labels)),
        ("64 x 2 f32", file(0x0D, &[64, 2], &[1; 512])),
        ("8 x 16 x 4 i16", file(0x0B, &[8, 16, 4], &[1; 1024])),
    ] {
        let header = 4 + 4 * usize::from(whole[3]);
        // A file of another type, or a truncated one of larger records.
        let plain = turned(&whole, header, |_, _| true);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.gz");
        let opened = idx_std::IdxBuf::from_bytes(whole.clone()).unwrap();
        let mut writer =
            Writer::create(&path, opened.header().element_type(), opened.header().dims()).unwrap();
        writer.push_records(opened.as_idx().payload()).unwrap();
        writer.finish().unwrap();
        let compressed = fs::read(&path).unwrap();
        // The header of gzip, that of the stored block, and the header of IDX in it.
        let own = turned(&compressed, 10 + 5 + header, |_, _| false);
        // A member with a name, and one stored or compressed block.
        let other = turned(&gzip(&whole), 10, |_, _| false);
        for (kind, outcomes) in [("plain", plain), ("gzip", own), ("gzip of others", other)] {
            let Outcomes { exact, refused, undecidable } = outcomes;
            writeln!(
                table,
                "{what}, {kind}: {exact} exact, {refused} refused, {undecidable} undecidable"
            )
            .unwrap();
        }
    }
    print!("{table}");
}
