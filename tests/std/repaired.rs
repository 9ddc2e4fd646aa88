//! The bytes that `repair` removes, and those that it never removes: the only copy of records that may be whole.

use std::fmt::{self, Write as _};
use std::fs;
use std::path::Path;

use embedded_storage::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};
use idx_core::__private::log::mark;
use idx_core::log::Log;
use idx_std::{ElementType, IdxRecord, Writer, load, open, repair};
use idx_tests::{file, gzip};

/// Expects that a repair in place is refused with these words, and changes nothing.
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
            "1 whole record; 1 more that the header does not count; 1 byte of an incomplete record; a repair in \
             place would remove 1 record that may be whole, so nothing was written; keep all, or write the others to a \
             new file",
            file(0x08, &[1, 3], b"abc"),
        ),
        // Damage in the sizes of a record.
        (
            file(0x08, &[5, 3], b"ab"),
            "0 whole records; the header counts 5; 2 bytes of an incomplete record; a repair in place would leave no \
             record, so nothing was written; write the whole records to a new file",
            file(0x08, &[0, 3], b""),
        ),
        // Failed before: there was nothing to remove.
        (
            file(0x08, &[5, 3], b""),
            "0 whole records; the header counts 5; a repair in place would leave no record, so nothing was written",
            file(0x08, &[0, 3], b""),
        ),
        (
            file(0x08, &[4, 0], b"abcd"),
            "4 whole records; 4 bytes after them; a repair in place",
            file(0x08, &[4, 0], b""),
        ),
        (
            file(0x08, &[], b"ab"),
            "1 whole record; 1 byte of an incomplete record",
            file(0x08, &[], b"a"),
        ),
        (gzip(&file(0x08, &[1, 3], b"abcdef")), "1 more", file(0x08, &[1, 3], b"abc")),
        // Two files that were joined, where the header of the second would be a part of a record.
        (
            [file(0x08, &[2, 3], b"abcdef"), file(0x08, &[1, 3], b"ghi")].concat(),
            "2 whole records; 15 bytes of another IDX file from byte 18; a repair in place would remove the only copy",
            file(0x08, &[2, 3], b"abcdef"),
        ),
        (
            [gzip(&file(0x08, &[2, 3], b"abcdef")), gzip(&file(0x08, &[1, 3], b"ghi"))].concat(),
            "2 whole records; 15 bytes of another IDX file from byte 18",
            file(0x08, &[2, 3], b"abcdef"),
        ),
        // FF that the header counts may be records: three labels 255 of a truncated file, and white pictures.
        (
            file(0x08, &[100], b"\x01\x02\x03\xFF\xFF\xFF"),
            "3 whole records; the header counts 100; 3 bytes of erased flash (FF); the last record may be torn; a \
             repair in place would remove 3 records that may be whole",
            file(0x08, &[3], b"\x01\x02\x03"),
        ),
        (
            file(0x08, &[10, 2], &[0xFF; 5]),
            "0 whole records; the header counts 10; 5 bytes of erased flash (FF); a repair in place would remove \
             2 records",
            file(0x08, &[0, 2], b""),
        ),
        // FF that is not the end is not erased flash.
        (file(0x08, &[1, 2], b"ab\xFF\xFF\xFF\xFFc"), "2 more", file(0x08, &[1, 2], b"ab")),
    ] {
        fs::write(&path, &bytes).unwrap();
        expect_refused(&path, words);
        repair(&path).unwrap().write_to(&new).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert_eq!(fs::read(&new).unwrap(), kept);
        // A new file does not replace another one either.
        let error = repair(&path).unwrap().write_to(&new).unwrap_err();
        assert_eq!(error.path(), Some(&*new));
        let error = repair(&path).unwrap().write_to(&path).unwrap_err();
        assert_eq!(error.path(), Some(&*path));
        fs::remove_file(&new).unwrap();
    }
    // The last of all records that the header counts may be nothing but FF.
    fs::write(&path, file(0x08, &[3], b"\x01\xFF\xFF")).unwrap();
    assert!(!repair(&path).unwrap().is_needed());
    // A caller who knows better can choose.
    fs::write(&path, file(0x08, &[100], b"\x01\x02\x03\xFF\xFF\xFF")).unwrap();
    let all = repair(&path).unwrap().keep_all().to_string();
    assert_eq!(all, "6 whole records; the header counts 100");
    for (counted, kept) in [(true, &b"abc"[..]), (false, b"abcdef")] {
        fs::write(&path, file(0x08, &[1, 3], b"abcdefg")).unwrap();
        let found = repair(&path).unwrap();
        let found = if counted { found.keep_counted() } else { found.keep_all() };
        found.write().unwrap();
        assert_eq!(load::<u8>(&path).unwrap()[..], *kept);
    }
    // Failed before: of two files that were joined, all kept a header among the records.
    let labels = file(0x08, &[3], b"\x01\x02\x03");
    for bytes in [[&labels[..], &labels].concat(), [gzip(&labels), gzip(&labels)].concat()] {
        fs::write(&path, &bytes).unwrap();
        repair(&path).unwrap().keep_all().write().unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), bytes);
        repair(&path).unwrap().keep_counted().write_to(&new).unwrap();
        assert_eq!(fs::read(&new).unwrap(), labels);
        fs::remove_file(&new).unwrap();
    }
    // Bytes like a header that counts more than what follows are a record, or a part of one.
    fs::write(&path, [&labels[..], &labels[..10]].concat()).unwrap();
    repair(&path).unwrap().keep_all().write().unwrap();
    assert_eq!(load::<u8>(&path).unwrap().len(), 13);
    fs::write(&path, file(0x08, &[5, 3], b"ab")).unwrap();
    repair(&path).unwrap().keep_counted().write().unwrap_err();
    repair(&path).unwrap().keep_all().write().unwrap_err();
}

/// Its name decides if a new file is compressed. It is also made of a file that needs no repair.
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

/// The name may belong to another file by now, which `repair` did not look at.
#[test]
fn a_file_that_lost_its_name_is_not_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let (path, moved) = (folder.path().join("file"), folder.path().join("moved"));
    let cut = file(0x08, &[2, 3], b"abcd");
    for bytes in [gzip(&cut), cut] {
        for is_replaced in [false, cfg!(unix)] {
            fs::write(&path, &bytes).unwrap();
            let found = repair(&path).unwrap();
            fs::rename(&path, &moved).unwrap();
            if is_replaced {
                fs::write(&path, &bytes).unwrap();
            }
            let error = found.write().unwrap_err();
            assert_eq!(error.kind().code(), "changed_meanwhile", "{error}");
            assert_eq!(error.path(), Some(&*path));
            assert_eq!(fs::read(&moved).unwrap(), bytes);
            assert_eq!(fs::read(&path).ok(), is_replaced.then(|| bytes.clone()));
        }
    }
}

/// A copy that is evidence may be read only, which is enough for a report and for a new file.
#[test]
#[cfg(unix)]
fn a_file_that_cannot_be_written_is_repaired_beside() {
    use std::io;
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("file"), folder.path().join("new"));
    let cut = file(0x08, &[2, 3], b"abcd");
    fs::write(&path, &cut).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    if fs::File::options().write(true).open(&path).is_ok() {
        idx_tests::skip(
            "a_file_that_cannot_be_written_is_repaired_beside: this user may write to what is closed to all",
        );
        return;
    }
    repair(&path).unwrap().check().unwrap();
    repair(&path).unwrap().write_to(&new).unwrap();
    assert_eq!(fs::read(&new).unwrap(), file(0x08, &[1, 3], b"abc"));
    let error = repair(&path).unwrap().write().unwrap_err();
    assert_eq!(error.kind().io_kind(), io::ErrorKind::PermissionDenied, "{error}");
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(fs::read(&path).unwrap(), cut);

    fs::set_permissions(&new, fs::Permissions::from_mode(0o444)).unwrap();
    repair(&new).unwrap().write().unwrap();
}

/// The path, in a process that a test starts to repair that file.
#[cfg(target_os = "linux")]
const ROLE: &str = "IDX_TEST_REPAIR_BESIDE";

/// As above, for a user who may write to any file: the disk is read-only. Any other error is reported at once.
#[test]
#[cfg(target_os = "linux")]
fn a_file_on_a_disk_that_cannot_be_written_is_repaired_beside() {
    const TEST: &str = "repaired::a_file_on_a_disk_that_cannot_be_written_is_repaired_beside";
    if let Some(path) = std::env::var_os(ROLE) {
        let found = repair(&path).unwrap();
        if !found.is_needed() {
            return found.write().unwrap();
        }
        let error = found.write().unwrap_err();
        assert_eq!(error.kind().io_kind(), std::io::ErrorKind::ReadOnlyFilesystem, "{error}");
        return;
    }
    if !idx_tests::has_strace("a_file_on_a_disk_that_cannot_be_written_is_repaired_beside") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let (cut, whole) = (file(0x08, &[2, 3], b"abcd"), file(0x08, &[1, 3], b"abc"));
    for (bytes, error, is_repaired) in [
        (&cut, "EROFS", true),
        (&whole, "EROFS", true),
        (&cut, "EIO", false),
        (&whole, "EIO", false),
    ] {
        fs::write(&path, bytes).unwrap();
        let mut command = idx_tests::strace();
        command.arg("-P").arg(&path).args(["-e", &format!("inject=openat:error={error}:when=1")]);
        command.arg(std::env::current_exe().unwrap()).args(["--exact", TEST]);
        let output = command.env(ROLE, &path).output().unwrap();
        assert_eq!(output.status.success(), is_repaired, "{error}: {output:?}");
        assert_eq!(fs::read(&path).unwrap(), *bytes);
    }
}

/// Records without bytes are as many as the header counts, and writing 4294967295 of them takes no time.
#[test]
fn records_without_bytes_are_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("file"), folder.path().join("new"));
    let whole = file(0x08, &[u32::MAX, 0], b"");
    fs::write(&path, &whole).unwrap();
    assert!(!repair(&path).unwrap().is_needed());
    repair(&path).unwrap().write_to(&new).unwrap();
    assert_eq!(fs::read(&new).unwrap(), whole);
}

#[test]
fn a_cut_gzip_file_is_repaired_if_its_records_have_no_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let compressed = gzip(&file(0x08, &[u32::MAX, 0], b""));
    fs::write(&path, &compressed[..compressed.len() - 1]).unwrap();
    repair(&path).unwrap().write().unwrap();
    assert_eq!(open(&path).unwrap().header().dims(), [u32::MAX, 0]);
}

/// The outcomes for files with one bit of the header flipped.
#[derive(Default, PartialEq)]
struct Outcomes {
    exact: usize,
    refused: usize,
    /// No reader can tell the damaged file from another one, which is truncated or of another type.
    undecidable: usize,
}

impl fmt::Display for Outcomes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { exact, refused, undecidable } = self;
        write!(f, "{exact:3} exact, {refused:3} refused, {undecidable:2} undecidable")
    }
}

type Content = (ElementType, Vec<u32>, Vec<u8>);

fn content(path: &Path) -> Content {
    let file = open(path).unwrap();
    let header = file.header();
    (header.element_type(), header.dims().to_vec(), file.as_idx().payload().to_vec())
}

/// Flips each bit of the first `bytes` bytes, and repairs the file, in place or into a new one as the library advises.
fn turned(whole: &[u8], bytes: usize, expected: &Content, is_log: bool) -> Outcomes {
    // A folder that need not be synced to a disk, if the system has one.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let (path, new) = (folder.path().join("file"), folder.path().join("new"));
    let mut outcomes = Outcomes::default();
    for bit in 0..8 * bytes {
        let mut damaged = whole.to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &damaged).unwrap();
        let repaired = repair(&path).and_then(|found| match is_log {
            true => found.write_to(&new),
            false => found.write(),
        });
        if repaired.is_err() || is_log {
            assert_eq!(fs::read(&path).unwrap(), damaged, "bit {bit}");
        }
        if repaired.is_err() {
            assert!(!new.exists(), "bit {bit}");
            outcomes.refused += 1;
            continue;
        }
        let found = content(if is_log { &new } else { &path });
        let _ = fs::remove_file(&new);
        if found == *expected {
            outcomes.exact += 1;
            continue;
        }
        // By the sizes that the header has now, at most a piece of a record is gone.
        let (_, dims, payload) = &found;
        assert!(!payload.is_empty() && expected.2.starts_with(payload), "bit {bit}: {dims:?}");
        let size = payload.len() / dims[0] as usize;
        assert!(expected.2.len() - payload.len() < size, "bit {bit}: {dims:?}");
        outcomes.undecidable += 1;
    }
    outcomes
}

/// Flips each bit of the headers of plain files and of gzip files.
#[test]
fn one_wrong_bit_in_a_header() {
    let mut table = String::new();
    let folder = tempfile::tempdir().unwrap();
    let digits: Vec<u8> = (0..200 * 784_usize).map(|place| (place / 7) as u8).collect();
    let labels: Vec<u8> = (0..128).map(|label| label % 10).collect();
    for (what, whole) in [
        ("200 x 28 x 28", file(0x08, &[200, 28, 28], &digits)),
        ("128 labels", file(0x08, &[128], &labels)),
        ("64 x 2 f32", file(0x0D, &[64, 2], &[1; 512])),
        ("8 x 16 x 4 i16", file(0x0B, &[8, 16, 4], &[1; 1024])),
    ] {
        let header = 4 + 4 * usize::from(whole[3]);
        let (plain, compressed) = (folder.path().join("file"), folder.path().join("file.gz"));
        fs::write(&plain, &whole).unwrap();
        let expected = content(&plain);
        let (element_type, dims, payload) = &expected;
        let mut writer = Writer::create(&compressed, *element_type, dims).unwrap();
        writer.push_records(payload).unwrap();
        writer.finish().unwrap();
        for (kind, whole, bytes) in [
            ("plain", whole.clone(), header),
            // The header of gzip, that of the stored block, and the header of IDX in it.
            ("gzip", fs::read(&compressed).unwrap(), 10 + 5 + header),
            // A member with one compressed block.
            ("gzip of others", gzip(&whole), 10),
        ] {
            let outcomes = turned(&whole, bytes, &expected, false);
            writeln!(table, "{what:14} {kind:14} {outcomes}").unwrap();
        }
    }
    print!("{table}");
    assert_eq!(table, TABLE);
}

const TABLE: &str = "\
200 x 28 x 28  plain           29 exact,  77 refused, 22 undecidable
200 x 28 x 28  gzip            54 exact, 194 refused,  0 undecidable
200 x 28 x 28  gzip of others  49 exact,  31 refused,  0 undecidable
128 labels     plain           32 exact,  30 refused,  2 undecidable
128 labels     gzip            54 exact, 130 refused,  0 undecidable
128 labels     gzip of others  49 exact,  31 refused,  0 undecidable
64 x 2 f32     plain           32 exact,  57 refused,  7 undecidable
64 x 2 f32     gzip            54 exact, 162 refused,  0 undecidable
64 x 2 f32     gzip of others  49 exact,  31 refused,  0 undecidable
8 x 16 x 4 i16 plain           32 exact,  86 refused, 10 undecidable
8 x 16 x 4 i16 gzip            54 exact, 194 refused,  0 undecidable
8 x 16 x 4 i16 gzip of others  49 exact,  31 refused,  0 undecidable
";

/// Flash in words of `WORD` bytes.
struct Flash<const WORD: usize>(Vec<u8>);

impl<const WORD: usize> ErrorType for Flash<WORD> {
    type Error = NorFlashErrorKind;
}

impl<const WORD: usize> ReadNorFlash for Flash<WORD> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.len()
    }
}

impl<const WORD: usize> NorFlash for Flash<WORD> {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = 1024;

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        self.0[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        self.0[from as usize..to as usize].fill(0xFF);
        Ok(())
    }
}

/// The records of a log are copied to a new file without those that are torn.
#[test]
fn a_torn_record_of_a_log_is_left_out() {
    let mut log = Log::<[u8; 5], _>::open(Flash::<4>(vec![0xFF; 4096]), 0..4096).unwrap();
    [b"hello", b"world", b"again"].iter().for_each(|record| log.push(record).unwrap());
    let mut image = log.into_inner().0;
    let place = image.windows(5).position(|bytes| bytes == b"world").unwrap();
    image[place] ^= 1;
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("log"), folder.path().join("new"));
    fs::write(&path, &image).unwrap();
    expect_refused(&path, "2 whole records of a log from flash; 1 torn; a repair in place");
    repair(&path).unwrap().write_to(&new).unwrap();
    assert_eq!(fs::read(&new).unwrap(), file(0x08, &[2, 5], b"helloagain"));
    // Another log begins behind it, or one behind other bytes: a piece of the file may end within its header.
    let blank = vec![0xFF; 1 << 17];
    let sizes = [1, 512, (1 << 16) - 65, (1 << 16) - 64, (1 << 16) - 63, 1 << 16, (1 << 16) + 1];
    let before = sizes.map(|size| &blank[..size]).into_iter();
    for before in before.chain([&image[..], &blank]) {
        fs::write(&path, [before, &image].concat()).unwrap();
        assert_eq!(repair(&path).unwrap_err().kind().code(), "log_within", "{}", before.len());
    }
    // So may the file, after the header.
    fs::write(&path, [&blank[..512], &image[..30]].concat()).unwrap();
    assert_eq!(repair(&path).unwrap_err().kind().code(), "log_within");
}

/// A start that finds the last record torn writes the one before it again, which says that the torn one is none.
#[test]
fn a_record_that_is_followed_by_a_copy_of_an_earlier_one_is_torn() {
    let mut log = Log::<[u8; 5], _>::open(Flash::<4>(vec![0xFF; 4096]), 0..4096).unwrap();
    [b"hello", b"world", b"again"].iter().for_each(|record| log.push(record).unwrap());
    let mut image = log.into_inner().0;
    let place = image.windows(5).position(|bytes| bytes == b"again").unwrap();
    image[place - 4..place].copy_from_slice(&mark(b"hello", 2, 2));
    image[place..place + 5].copy_from_slice(b"hello");
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("log"), folder.path().join("new"));
    fs::write(&path, &image).unwrap();
    expect_refused(&path, "1 whole record of a log from flash; 1 torn; a repair in place");
    repair(&path).unwrap().write_to(&new).unwrap();
    assert_eq!(fs::read(&new).unwrap(), file(0x08, &[1, 5], b"hello"));
}

#[test]
fn a_log_without_records_and_one_of_no_flash() {
    let log = Log::<[u8; 5], _>::clear(Flash::<4>(vec![0xFF; 4096]), 0..4096).unwrap();
    let mut image = log.into_inner().0;
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("log"), folder.path().join("new"));
    fs::write(&path, &image).unwrap();
    repair(&path).unwrap().write_to(&new).unwrap();
    assert_eq!(fs::read(&new).unwrap(), file(0x08, &[0, 5], b""));
    // The size of a word is the byte before the header.
    let size = image.windows(4).position(|bytes| bytes == [0, 0, 8, 2]).unwrap() - 1;
    assert_eq!(image[size], 4);
    for word in [0, 33] {
        image[size] = word;
        fs::write(&path, &image).unwrap();
        assert_eq!(repair(&path).unwrap_err().kind().code(), "log_damaged", "{word}");
    }
}

/// Flips each bit of the header of a log of these records, and of the word behind it.
fn turned_log<T: IdxRecord, const WORD: usize>(records: &[T]) -> Outcomes {
    let mut log = Log::<T, _>::open(Flash::<WORD>(vec![0xFF; 4096]), 0..4096).unwrap();
    records.iter().for_each(|record| log.push(record).unwrap());
    let image = log.into_inner().0;
    let folder = tempfile::tempdir().unwrap();
    let (path, new) = (folder.path().join("log"), folder.path().join("new"));
    fs::write(&path, &image).unwrap();
    repair(&path).unwrap().write_to(&new).unwrap();
    let expected = content(&new);
    let mut payload = vec![0; records.len() * T::SIZE];
    for (record, bytes) in records.iter().zip(payload.chunks_mut(T::SIZE)) {
        record.encode(bytes).unwrap();
    }
    assert_eq!(expected.2, payload);
    let header = (8 + 8 + 4 * T::SHAPE.len()).next_multiple_of(WORD) + WORD;
    turned(&image, header, &expected, true)
}

/// Flips each bit of the header of a log, and of the word behind it that says that the log is being cleared.
#[test]
fn one_wrong_bit_in_the_header_of_a_log() {
    let pairs = Vec::from_iter((0..20).map(|number: i16| [number, -number]));
    let bytes = Vec::from_iter((0..60).map(|number: u8| [number, 0, 0, 7, 255]));
    let labels: Vec<u8> = (1..100).collect();
    let mut table = String::new();
    macro_rules! rows {
        ($($word:literal)*) => {
            $(for (what, outcomes) in [
                ("[i16; 2]", turned_log::<_, $word>(&pairs)),
                ("[u8; 5]", turned_log::<_, $word>(&bytes[..30])),
                ("u8", turned_log::<_, $word>(&labels[..30])),
            ] {
                writeln!(table, "words of {:2}  {what:8} {outcomes}", $word).unwrap();
            })*
        };
    }
    rows!(1 2 4 8 16 32);
    print!("{table}");
    assert_eq!(table, LOGS);
}

const LOGS: &str = "\
words of  1  [i16; 2]   8 exact, 160 refused,  0 undecidable
words of  1  [u8; 5]    8 exact, 160 refused,  0 undecidable
words of  1  u8         8 exact, 128 refused,  0 undecidable
words of  2  [i16; 2]  16 exact, 160 refused,  0 undecidable
words of  2  [u8; 5]   16 exact, 160 refused,  0 undecidable
words of  2  u8        16 exact, 128 refused,  0 undecidable
words of  4  [i16; 2]  32 exact, 160 refused,  0 undecidable
words of  4  [u8; 5]   32 exact, 160 refused,  0 undecidable
words of  4  u8        32 exact, 128 refused,  0 undecidable
words of  8  [i16; 2]  64 exact, 192 refused,  0 undecidable
words of  8  [u8; 5]   64 exact, 192 refused,  0 undecidable
words of  8  u8        64 exact, 128 refused,  0 undecidable
words of 16  [i16; 2] 128 exact, 256 refused,  0 undecidable
words of 16  [u8; 5]  128 exact, 256 refused,  0 undecidable
words of 16  u8       128 exact, 128 refused,  0 undecidable
words of 32  [i16; 2] 256 exact, 256 refused,  0 undecidable
words of 32  [u8; 5]  256 exact, 256 refused,  0 undecidable
words of 32  u8       256 exact, 256 refused,  0 undecidable
";
