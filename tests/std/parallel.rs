//! Large files, which are read and compressed on several threads: the same bytes, numbers and errors as on one.

use std::fs;
use std::io::{Cursor, Read as _};
use std::num::NonZero;
use std::path::Path;

use idx_std::{
    Array, Element, ElementType, IdxBuf, IdxRecord, ReadOptions, Reader, WriteOptions, save,
};
use idx_tests::{file, gzip};

/// Larger than 8 MiB, from which on several threads read.
const SIZE: usize = 9 << 20;

#[derive(IdxRecord, Clone, PartialEq)]
struct Label(#[idx(range = 0..=250)] u8);

/// Larger in memory than in the file.
#[derive(IdxRecord, Clone, PartialEq)]
#[repr(align(8))]
struct Aligned(#[idx(range = 0..=250)] u8);

/// The results of three ways to read a file: its bytes, its elements, and their bytes in native order; or the errors.
#[derive(PartialEq)]
struct Read<E> {
    opened: Result<Vec<u8>, String>,
    loaded: Result<Vec<E>, String>,
    bytes: Result<Vec<u8>, String>,
}

fn read<E: Element + Clone>(path: &Path, threads: usize) -> Read<E> {
    let options = ReadOptions::new().threads(NonZero::new(threads).unwrap());
    let opened = options.open(path).map(IdxBuf::into_bytes);
    let loaded = options.load::<E>(path).map(Array::into_vec);
    let bytes = options.load_bytes(path).map(|(_, bytes)| bytes);
    Read {
        opened: opened.map_err(|error| error.to_string()),
        loaded: loaded.map_err(|error| error.to_string()),
        bytes: bytes.map_err(|error| error.to_string()),
    }
}

/// The number of elements, no multiple of anything.
fn count<E: Element>() -> u32 {
    u32::try_from(SIZE / E::SIZE + 7).unwrap()
}

/// Reads a file on one thread, and checks that more threads read the same.
#[track_caller]
fn read_same<E: Element + Clone + PartialEq>(path: &Path) -> Read<E> {
    let expected = read::<E>(path, 1);
    assert!(read::<E>(path, 3) == expected, "{}", path.display());
    expected
}

/// Returns a file in which all parts differ, without a NaN.
fn large<E: Element>() -> Vec<u8> {
    let size = count::<E>() as usize * E::SIZE;
    let mut bytes = (0..113).collect::<Vec<u8>>().repeat(size / 113 + 1);
    bytes.truncate(size);
    let marked = bytes.iter_mut().step_by(1 << 16);
    marked.zip((0..113).cycle()).for_each(|(byte, mark)| *byte = mark);
    file(E::ELEMENT.code(), &[count::<E>()], &bytes)
}

/// The bytes of the elements in native order.
fn native<E: Element>(content: &[u8]) -> Vec<u8> {
    let mut bytes = content[8..].to_vec();
    if cfg!(target_endian = "little") && E::SIZE > 1 {
        bytes.chunks_mut(E::SIZE).for_each(<[u8]>::reverse);
    }
    bytes
}

/// Writes a file and reads it in all ways.
fn check<E: Element + Clone + PartialEq>() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    let content = large::<E>();
    fs::write(&path, &content).unwrap();
    let read = read_same::<E>(&path);
    let elements = IdxBuf::from_bytes(&content[..]).unwrap().to_vec::<E>();
    assert!(read.loaded == Ok(elements.unwrap()));
    assert!(read.bytes == Ok(native::<E>(&content)));
    assert!(read.opened == Ok(content));
}

#[test]
fn numbers_are_the_same_on_any_number_of_threads() {
    check::<i32>();
    check::<f32>();
    check::<f64>();
}

/// The same for small elements, so many that they take an emulator a minute.
#[test]
fn small_elements_are_the_same_on_any_number_of_threads() {
    check::<u8>();
    check::<i8>();
    check::<i16>();
    check::<Label>();
    check::<Aligned>();
}

#[test]
fn errors_are_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("large");
    let whole = large::<f64>();
    let compressed = gzip(&whole);
    let change = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 0xFF;
        bytes
    };
    let end = compressed.len();
    fs::write(path, &compressed).unwrap();
    assert!(read_same::<f64>(path).opened == Ok(whole.clone()));
    for (content, expected) in [
        (whole[..whole.len() - 3].to_vec(), "the payload is truncated: "),
        ([&whole[..], b"more"].concat(), "4 bytes"),
        (compressed[..end / 2].to_vec(), "truncated"),
        (change(&compressed, end / 2), "the gzip data is corrupt"),
        ([&compressed[..], b"more"].concat(), "after"),
    ] {
        fs::write(path, content).unwrap();
        let read = read_same::<f64>(path);
        for message in [read.opened.err(), read.loaded.err()] {
            let message = message.unwrap();
            assert!(message.contains(expected), "{message}");
        }
    }

    let mut labels = large::<Label>();
    labels[8 + 7_000_001] = 251;
    fs::write(path, labels).unwrap();
    let read = read_same::<Label>(path);
    assert!(read.opened.is_ok());
    let message = read.loaded.err().unwrap();
    assert!(message.contains("7000001") && message.contains("251"), "{message}");
}

/// If no thread can be started, the current one does all the work: reading a large file in parts, working alongside a
/// gzip file, and syncing a long file while it is written.
#[test]
#[cfg(target_os = "linux")]
fn no_thread_can_be_started() {
    const ROLE: &str = "IDX_TEST_NO_THREADS";
    const TEST: &str = "parallel::no_thread_can_be_started";
    if let Some(folder) = std::env::var_os(ROLE) {
        let path = |name| Path::new(&folder).join(name);
        let numbers: Vec<i32> = (0..9_000_000).collect();
        save(path("long"), &[numbers.len()], &numbers).unwrap();
        let options = ReadOptions::new().threads(NonZero::new(4).unwrap());
        assert!(options.load::<i32>(path("long")).unwrap()[..] == numbers);

        let bytes = vec![1_u8; 3_000_000];
        save(path("ones.gz"), &[bytes.len()], &bytes).unwrap();
        let mut sum = 0;
        let mut work = |piece: &[u8]| sum += piece.len();
        Reader::open(path("ones.gz")).unwrap().read_beside(&mut work, |_| ()).unwrap();
        assert_eq!(sum, bytes.len());
        return;
    }
    if !idx_tests::has_strace("no_thread_can_be_started") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("calls");
    let output = idx_tests::strace()
        .args(["-o", report.to_str().unwrap(), "-e", "inject=clone,clone3:error=EAGAIN"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", TEST])
        .env(ROLE, folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let refused = fs::read_to_string(&report).unwrap().matches("EAGAIN").count();
    assert!(refused >= 4, "{refused} threads were refused");
}

/// The system reports an end in the middle of a part, as if another program had cut the file, and later has all of it.
#[test]
#[cfg(target_os = "linux")]
fn a_part_that_ends_early_is_read_again() {
    const ROLE: &str = "IDX_TEST_SHORT_PART";
    const TEST: &str = "parallel::a_part_that_ends_early_is_read_again";
    if let Some(path) = std::env::var_os(ROLE) {
        let options = ReadOptions::new().threads(NonZero::new(4).unwrap());
        let ones = vec![1; SIZE];
        assert!(options.open(&path).unwrap().to_vec::<i8>().unwrap() == ones);
        assert!(options.load::<i8>(&path).unwrap()[..] == ones);
        return;
    }
    if !idx_tests::has_strace("a_part_that_ends_early_is_read_again") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (path, report) = (folder.path().join("long"), folder.path().join("calls"));
    save(&path, &[SIZE], &vec![1_i8; SIZE]).unwrap();
    let is_read_again = || {
        let output = idx_tests::strace()
            .args(["-o", report.to_str().unwrap(), "-P", path.to_str().unwrap()])
            // Four calls read the header.
            .args(["-e", "inject=pread64:retval=0:when=5"])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", TEST])
            .env(ROLE, &path)
            .output()
            .unwrap();
        let short = fs::read_to_string(&report).unwrap().matches("INJECTED").count();
        assert!(short > 0, "{short} parts were short");
        output.status.success()
    };
    // Each thread has its own fifth call. On a busy machine the others may read all parts, and that of the first thread
    // is then one whose result cannot be doubted.
    assert!((0..10).any(|_| is_read_again()), "no part was read again");
}

/// The chunk of a reader has the records before those that several threads read.
#[test]
fn a_reader_goes_back_to_what_threads_read() {
    const RECORD: usize = 1024;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let count = 12 << 10;
    let payload: Vec<u8> =
        (0..count).flat_map(|index: u32| index.to_be_bytes().repeat(RECORD / 4)).collect();
    fs::write(&path, file(0x08, &[count, RECORD as u32], &payload)).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    // As many records as are read at a time.
    for _ in 0..256 {
        reader.next_record().unwrap().unwrap();
    }
    let mut bytes = Vec::with_capacity(SIZE);
    // With one core, this reads nothing.
    reader.fill(&mut bytes);
    let next = 256 + bytes.len() / RECORD;
    for index in [next - 1, next - 256, 0] {
        reader.select(index as u64..).unwrap();
        let record = reader.next_record().unwrap().unwrap();
        assert_eq!(record[..4], (index as u32).to_be_bytes());
    }
}

/// Returns the compressed file of bytes that are pushed in pieces of this size.
fn compressed(bytes: &[u8], threads: usize, level: u32, piece: usize) -> Vec<u8> {
    let threads = NonZero::new(threads).unwrap();
    let options = WriteOptions::new().gzip(true).level(level).threads(threads);
    let mut writer = options.write_to(Cursor::new(vec![]), ElementType::U8, &[0]).unwrap();
    bytes.chunks(piece).for_each(|piece| writer.push_records(piece).unwrap());
    writer.finish().unwrap().into_inner()
}

/// The file is one member, the same for any number of threads and any pieces, and for sizes around those of the blocks.
#[test]
fn a_compressed_file_does_not_depend_on_the_threads() {
    const BLOCK: usize = 128 << 10;
    let noise = (0_u32..).map(|index| (index.wrapping_mul(2_654_435_761) >> 24) as u8);
    let some: Vec<u8> = noise.take(BLOCK).collect();
    let all = [&some[..], &vec![0; 3 * BLOCK], &some, b"some words".repeat(2 * BLOCK).as_slice()]
        .concat();
    let around = |blocks: usize| [blocks * BLOCK - 1, blocks * BLOCK, blocks * BLOCK + 1];
    let sizes = [1, 2, 8, 16].into_iter().flat_map(around).chain([0, 1, all.len() / 2]);
    for (size, level) in
        sizes.zip((0..=9).cycle()).chain((0..=9).map(|level| (all.len() / 3, level)))
    {
        let bytes = &all[..size];
        let expected = compressed(bytes, 1, level, size + 1);
        for (threads, piece) in [(1, 1000), (2, 300_000), (3, BLOCK), (8, size + 1)] {
            let is_same = compressed(bytes, threads, level, piece) == expected;
            assert!(is_same, "{size} bytes at level {level} on {threads} threads");
        }
        let mut member = flate2::bufread::GzDecoder::new(&expected[..]);
        let mut plain = Vec::new();
        member.read_to_end(&mut plain).unwrap();
        assert!(member.into_inner().is_empty(), "one member");
        assert!(plain == file(0x08, &[u32::try_from(size).unwrap()], bytes), "{size}, {level}");
    }
}
