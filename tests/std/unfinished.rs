//! A file that was not finished: every reader refuses it, says how many records it has, and `repair`
//! keeps them.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::path::Path;
use std::rc::Rc;

use idx_core::{Header, Idx, Records};
use idx_std::{
    ElementType, ErrorKind, IdxBuf, IdxRecord, MappedFile, Reader, WriteOptions, Writer, repair,
};
use idx_tests::{file, gzip};

/// A sink that keeps its content after every write.
#[derive(Clone, Default)]
struct Snapshots {
    sink: Rc<RefCell<Cursor<Vec<u8>>>>,
    states: Rc<RefCell<Vec<Vec<u8>>>>,
}

impl Write for Snapshots {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Accepts a piece at a time, as a file may.
        let count = bytes.len().min(150_000);
        self.sink.borrow_mut().write_all(&bytes[..count])?;
        self.states.borrow_mut().push(self.sink.borrow().get_ref().clone());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Snapshots {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.sink.borrow_mut().seek(position)
    }
}

fn writer_of(gzip: bool, dims: &[u32], records: &[Vec<u8>]) -> (Snapshots, Writer<Snapshots>) {
    let sink = Snapshots::default();
    // With one thread, so that what waits to be compressed does not depend on the machine.
    let options = WriteOptions::new().gzip(gzip).level(0).threads(NonZero::<usize>::MIN);
    let mut writer = options.write_to(sink.clone(), ElementType::U8, dims).unwrap();
    for record in records {
        writer.push_bytes(record).unwrap();
    }
    (sink, writer)
}

/// Returns the content of a sink after each write, the finished file last.
fn states(gzip: bool, dims: &[u32], records: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let (sink, writer) = writer_of(gzip, dims, records);
    writer.finish().unwrap();
    sink.states.take()
}

/// Records that all differ from each other.
fn records(count: u8, size: usize) -> Vec<Vec<u8>> {
    (1..=count).map(|record| (0..size).map(|byte| byte as u8 ^ record).collect()).collect()
}

#[test]
fn nobody_takes_it_for_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let kinds: [(&[u32], u8, usize); 5] = [
        (&[0, 512, 512], 4, 512 * 512),
        (&[0], 200, 1),
        (&[0, 0], 3, 0),
        (&[], 1, 1),
        (&[0, 100, 7], 90, 700),
    ];
    let mut states_seen = 0;
    for gzip in [false, true] {
        for (dims, count, size) in kinds {
            let records = records(count, size);
            let mut states = states(gzip, dims, &records);
            let whole = states.pop().unwrap();
            IdxBuf::from_bytes(whole).unwrap();
            for state in states {
                fs::write(&path, &state).unwrap();
                everybody_refuses(&path, &state);
                states_seen += 1;
            }
        }
    }
    assert!(states_seen > 25, "{states_seen}");
}

/// A stream that never ends must not be counted forever.
#[test]
fn the_records_of_a_stream_are_counted_up_to_a_limit() {
    for gzip in [false, true] {
        for (bytes, expected) in
            [(300, Some(3)), (1 << 20, Some((1 << 20) / 100)), ((1 << 20) + 1, None)]
        {
            let mut state = stopped(false, &[0, 100], &[]);
            state.resize(state.len() + bytes, 7);
            if gzip {
                state = idx_tests::gzip(&state);
            }
            let error = Reader::new(&state[..]).unwrap_err();
            let ErrorKind::Unfinished { records, .. } = *error.kind() else {
                panic!("{error}");
            };
            assert_eq!(records, expected, "{bytes} bytes, gzip {gzip}");
        }
    }
}

#[track_caller]
fn everybody_refuses(path: &Path, state: &[u8]) {
    assert!(Header::parse(state).is_err());
    assert!(Idx::parse(state).is_err());
    assert!(Idx::parse_prefix(state).is_err());
    assert!(Records::<u8>::parse(state).is_err());
    assert!(IdxBuf::from_bytes(state).is_err());
    assert!(IdxBuf::from_reader(state).is_err());
    assert!(idx_std::open(path).is_err());
    assert!(idx_std::load::<u8>(path).is_err());
    // SAFETY: nothing changes the file.
    assert!(unsafe { MappedFile::open(path) }.and_then(IdxBuf::from_mapped).is_err());
    for reader in [
        Reader::open(path).and_then(drain),
        Reader::new(state).and_then(drain),
        Reader::seekable(Cursor::new(state)).and_then(drain),
    ] {
        assert!(reader.is_err());
    }
}

fn drain<R: io::Read>(mut reader: Reader<R>) -> Result<(), idx_std::Error> {
    while let Some(record) = reader.next_record() {
        record?;
    }
    Ok(())
}

/// A log of firmware: FFFFFFFF records until their number is known, and erased flash behind the last one.
#[test]
fn a_log_from_flash() {
    const HEADER: [u8; 12] = header_of(u32::MAX);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    // Records that end with FF are not erased; one that is torn has bytes that are not FF.
    let records =
        [[0, 1, 0, 2], [0xFF, 0xFF, 0xFF, 0xFE], [0, 3, 0xFF, 0xFF], [7, 0xFF, 0xFF, 0xFF]];
    for count in 0..=records.len() {
        for erased in [0, 1, 3, 4, 4096, 65_530, 200_001] {
            let payload = records[..count].as_flattened();
            let mut dump = [&HEADER, payload].concat();
            dump.resize(dump.len() + erased, 0xFF);
            fs::write(&path, &dump).unwrap();
            assert!(idx_std::open(&path).is_err());
            let found = repair(&path).unwrap();
            assert_eq!(found.header().record_count() as usize, count, "{erased}");
            assert!(found.is_needed());
            let expected = match (count, erased) {
                (2, 4096) => {
                    "2 whole records; the file was not finished; 4096 bytes of erased flash (FF); the last record may be \
                     torn"
                }
                (2, 3) => {
                    "2 whole records; the file was not finished; 3 bytes of an incomplete record"
                }
                (2, 0) => "2 whole records; the file was not finished",
                _ => &found.to_string(),
            };
            assert_eq!(found.to_string(), expected);
            found.write().unwrap();
            let file = idx_std::open(&path).unwrap();
            assert_eq!(file.header().record_count() as usize, count);
            assert_eq!(&fs::read(&path).unwrap()[HEADER.len()..], payload);
            assert!(!repair(&path).unwrap().is_needed());
        }
    }
    // A record that is not whole; a number that was torn, or programmed twice; and one that counts what is there.
    for (count, rest, kept) in [
        (u32::MAX, &[1, 2, 3][..], 3),
        (5, &[], 2),
        (0x0000_FFFF, &[0xFF; 4000], 2),
        (2, &[1], 2),
        (0, &[], 2),
        (0, &[0xFF; 4000], 2),
    ] {
        fs::write(
            &path,
            [&header_of(count), records[..2].as_flattened(), &[0xFF; 4], rest].concat(),
        )
        .unwrap();
        assert_eq!(repair(&path).unwrap().header().record_count(), kept);
        let all = (12 + rest.len()) as u32 / 4;
        assert_eq!(repair(&path).unwrap().keep_all().header().record_count(), all);
    }
    fs::write(&path, [&header_of(0xFFFF), records[..2].as_flattened(), &[0xFF; 40]].concat())
        .unwrap();
    assert_eq!(
        repair(&path).unwrap().to_string(),
        "2 whole records; the header counts 65535; 40 bytes of erased flash (FF); the last record may be torn"
    );
    // A log that was finished: the number says that no record is torn.
    for (count, found) in [
        (2, "2 whole records; 40 bytes of erased flash (FF)"),
        (1, "1 whole record; 1 more that the header does not count; 40 bytes of erased flash (FF)"),
    ] {
        let payload = records[..2].as_flattened();
        fs::write(&path, [&header_of(count), payload, &[0xFF; 40]].concat()).unwrap();
        assert_eq!(repair(&path).unwrap().to_string(), found);
        assert_eq!(repair(&path).unwrap().header().record_count(), count);
    }
}

/// The power fails at each byte of a log that a program writes by hand: a header that counts nothing yet, six records,
/// and their number at the end. No record is lost. At most the last one is torn: the report says so, and a rule in its
/// last bytes refuses it.
#[test]
fn a_log_that_was_cut_at_each_byte() {
    #[derive(IdxRecord, Debug, PartialEq)]
    struct Ruled {
        values: [i16; 3],
        #[idx(range = 0..=9)]
        last: i16,
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let records = [1, 2, 3, 4, 5, 6].map(|number| [number, -number, 300, 7]);
    let payload = records.map(|record| record.map(i16::to_be_bytes));
    for counted in [u32::MAX, 0, 0xFFFF] {
        let header = idx_core::header::<Ruled, 12>(counted);
        let written =
            [&header, payload.as_flattened().as_flattened(), &6_u32.to_be_bytes()].concat();
        for cut in 0..=written.len() {
            let mut flash = vec![0xFF; 256];
            // The number is in the header, behind four bytes.
            for (position, byte) in (0..60).chain(4..8).zip(&written).take(cut) {
                flash[position] &= byte;
            }
            fs::write(&path, &flash).unwrap();
            let Ok(found) = repair(&path) else {
                assert!(cut < 12, "{counted}, {cut}: refused, and the header is whole");
                continue;
            };
            let report = found.to_string();
            if let Err(error) = found.write() {
                // The header counts records, and all of them may be FF.
                assert_eq!((counted, cut, error.kind().code()), (0xFFFF, 12, "would_lose"));
                continue;
            }

            let kept = idx_std::load::<i16>(&path).unwrap();
            let whole = (cut.clamp(12, 60) - 12) / 8;
            let is_torn = (12..60).contains(&cut) && cut % 8 != 4;
            assert_eq!(kept[..whole * 4], *records[..whole].as_flattened(), "{counted}, {cut}");
            assert_eq!(kept.len(), 4 * (whole + usize::from(is_torn)), "{counted}, {cut}");
            assert!(!is_torn || report.ends_with("the last record may be torn"), "{report}");
            if cut >= 12 {
                let mut rows = Reader::open(&path).unwrap().records::<Ruled>().unwrap();
                let accepted = rows.by_ref().take(whole).filter(Result::is_ok).count();
                assert_eq!(accepted, whole);
                assert_eq!(
                    rows.next().is_some_and(|torn| torn.is_err()),
                    is_torn,
                    "{counted}, {cut}"
                );
            }
        }
    }
}

const fn header_of(count: u32) -> [u8; 12] {
    idx_core::header::<[i16; 2], 12>(count)
}

/// A sink with a header and some bytes, without `finish`.
fn stopped(gzip: bool, dims: &[u32], records: &[Vec<u8>]) -> Vec<u8> {
    let (sink, writer) = writer_of(gzip, dims, records);
    drop(writer);
    sink.states.take().pop().unwrap()
}

#[test]
fn the_error_says_how_many_records_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    // The buffer holds two records, and a little more than a MiB waits to be compressed.
    for (gzip, count, expected) in [(false, 7, 4..=6), (true, 25, 9..=22)] {
        let state = stopped(gzip, &[0, 300, 300], &records(count, 90_000));
        fs::write(&path, &state).unwrap();
        let error = idx_std::open(&path).unwrap_err();
        let ErrorKind::Unfinished { records: Some(count), .. } = *error.kind() else {
            panic!("{error}");
        };
        assert!(expected.contains(&count), "{count}");
        assert_eq!(
            error.to_string(),
            format!(
                "{}: the file was not finished, {count} whole records follow the header; write it again, or \
                 keep them by repairing it",
                path.display()
            )
        );
        let error = Reader::open(&path).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Unfinished { records: Some(same), .. } if *same == count)
        );

        let found = repair(&path).unwrap();
        assert_eq!(u64::from(found.header().record_count()), count);
        assert!(found.is_needed());
        assert_eq!(fs::read(&path).unwrap(), state, "nothing was asked for");
        found.write().unwrap();
        let kept = idx_std::load::<u8>(&path).unwrap();
        assert_eq!(kept[..], records(count as u8, 90_000).concat());
        assert!(!repair(&path).unwrap().is_needed());
    }
    // A stream, and records that cannot be counted.
    let state = stopped(false, &[0, 0], &records(3, 0));
    for error in [Reader::new(&state[..]).unwrap_err(), IdxBuf::from_bytes(state).unwrap_err()] {
        assert!(matches!(error.kind(), ErrorKind::Unfinished { records: None, .. }));
    }
    let state = [stopped(false, &[], &[]), vec![7]].concat();
    let error = IdxBuf::from_bytes(state).unwrap_err();
    assert!(error.to_string().contains(", 1 whole record follows"));
}

#[test]
fn what_is_repaired_and_what_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let cases = [
        // As it should be, longer, shorter, with a piece of a record.
        (2, &b"abcdef"[..], "2 whole records", &b"abcdef"[..]),
        // The last record may be nothing but FF.
        (2, b"abc\xFF\xFF\xFF", "2 whole records", b"abc\xFF\xFF\xFF"),
        (
            0,
            b"abcdefgh",
            "2 whole records; the header counts 0; 2 bytes of an incomplete record",
            b"abcdef",
        ),
        (9, b"abcdef", "2 whole records; the header counts 9", b"abcdef"),
        (2, b"abcdefgh", "2 whole records; 2 bytes of an incomplete record", b"abcdef"),
        (0, b"ab", "0 whole records; 2 bytes of an incomplete record", b""),
    ];
    for (count, payload, found, kept) in cases {
        let bytes = file(0x08, &[count, 3], payload);
        fs::write(&path, &bytes).unwrap();
        let repair = repair(&path).unwrap();
        assert_eq!(repair.to_string(), found);
        assert_eq!(repair.is_needed(), found != "2 whole records");
        let all = repair.keep_all();
        assert_eq!(all.header().record_count() as usize, payload.len() / 3);
        drop(all);
        assert_eq!(fs::read(&path).unwrap(), bytes, "nothing was asked for");
        idx_std::repair(&path).unwrap().write().unwrap();
        let whole = file(0x08, &[kept.len() as u32 / 3, 3], kept);
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    // Bytes that another program writes meanwhile are kept.
    for in_place in [true, false] {
        fs::write(&path, file(0x08, &[1, 3], b"abcde")).unwrap();
        let found = repair(&path).unwrap();
        fs::write(&path, file(0x08, &[1, 3], b"abcdef")).unwrap();
        let error = match in_place {
            true => found.write(),
            false => found.write_to(folder.path().join("new")),
        };
        let error = error.unwrap_err();
        assert_eq!(error.kind().code(), "changed_meanwhile", "{error}");
        assert_eq!(error.path(), Some(&*path));
        assert_eq!(fs::read(&path).unwrap(), file(0x08, &[1, 3], b"abcdef"));
        assert_eq!(idx_tests::names(folder.path()), ["file"]);
    }

    for (bytes, words) in [
        (file(0x08, &[], b""), "truncated"),
        (b"<html>".to_vec(), "web page"),
        (Vec::new(), "empty"),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = repair(&path).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.path(), Some(&*path));
    }
    let error = repair(folder.path()).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::IsADirectory)
    );
}

#[test]
fn a_cut_gzip_file_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.gz");
    let mut writer = Writer::create(&path, ElementType::U8, &[0, 5]).unwrap();
    let all = records(250, 5).concat().repeat(2000);
    for record in all.chunks(5) {
        writer.push_bytes(record).unwrap();
    }
    writer.finish().unwrap();
    let whole = fs::read(&path).unwrap();
    assert!(!repair(&path).unwrap().is_needed());
    for missing in [1, 8, 9, whole.len() / 2] {
        fs::write(&path, &whole[..whole.len() - missing]).unwrap();
        let found = repair(&path).unwrap();
        assert!(found.is_needed());
        assert!(found.to_string().contains("the gzip data is truncated"), "{found}");
        found.write().unwrap();
        let kept = idx_std::load::<u8>(&path).unwrap();
        assert!(all.starts_with(&kept));
        // The last record may need the last byte of the data.
        let is_whole = kept.len() == 2_500_000;
        assert!(!kept.is_empty() && (is_whole || missing > 8), "{}", kept.len());
        assert!(!is_whole || missing < 10, "{}", kept.len());
    }
    // The file is damaged after `repair` looked at it, so its records are not replaced by others.
    let mut damaged = whole[..whole.len() - 9].to_vec();
    fs::write(&path, &damaged).unwrap();
    let found = repair(&path).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle..].fill(0xFF);
    fs::write(&path, &damaged).unwrap();
    found.write().unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), damaged);

    // A header with a wrong number of records is repaired in a compressed file, too.
    for (count, found) in [
        (0, "100 whole records; the header counts 0"),
        (u32::MAX, "100 whole records; the header counts 4294967295"),
    ] {
        fs::write(&path, gzip(&[&idx_core::header::<[u8; 5], 12>(count)[..], &[7; 500]].concat()))
            .unwrap();
        let repair = repair(&path).unwrap();
        assert_eq!(repair.to_string(), found);
        repair.write().unwrap();
        assert_eq!(idx_std::load::<u8>(&path).unwrap()[..], [7; 500]);
    }

    fs::write(&path, &whole).unwrap();
    let mut corrupt = whole.clone();
    let last = corrupt.len() - 6;
    corrupt[last] ^= 1;
    fs::write(&path, &corrupt).unwrap();
    let error = repair(&path).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::GzipDamaged { .. }), "{error}");
}

/// The path, in a process that a test starts to repair that file.
#[cfg(target_os = "linux")]
const ROLE: &str = "IDX_TEST_REPAIR";

/// The first bytes make an unfinished file complete, so they come last, and each step is on the disk before the next.
#[test]
#[cfg(target_os = "linux")]
fn a_repair_that_is_killed_at_any_call() {
    const TEST: &str = "unfinished::a_repair_that_is_killed_at_any_call";
    if let Some(path) = std::env::var_os(ROLE) {
        return repair(path).unwrap().write().unwrap();
    }
    if !idx_tests::has_strace("a_repair_that_is_killed_at_any_call") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let state = [&stopped(false, &[0, 3], &[])[..], b"abcdefgh"].concat();
    let process = |strace: &[&str]| {
        fs::write(&path, &state).unwrap();
        let mut command = idx_tests::strace();
        command.arg("-P").arg(&path).args(strace);
        command.arg(std::env::current_exe().unwrap()).args(["--exact", TEST]);
        command.env(ROLE, &path).output().unwrap().status.success()
    };
    let report = folder.path().join("calls");
    let trace = ["-o", report.to_str().unwrap(), "-e", "trace=/^ftruncate,write,fsync"];
    assert!(process(&trace));
    let report = fs::read_to_string(&report).unwrap();
    let calls = report.lines().filter_map(|line| line.split_once(' ')?.1.trim().split_once('('));
    // Some calls have another name on machines of 32 bits.
    let calls: Vec<&str> = calls.map(|(call, _)| call.trim_end_matches("64")).collect();
    assert_eq!(calls, ["ftruncate", "write", "fsync", "write", "fsync"]);

    for (call, times) in [("/^ftruncate", 1), ("write", 2), ("fsync", 2)] {
        for time in 1..=times {
            assert!(!process(&["-e", &format!("inject={call}:signal=KILL:when={time}")]));
            match idx_std::load::<u8>(&path) {
                Ok(found) => assert_eq!(found[..], *b"abcdef"),
                Err(error) => assert_eq!(error.kind().code(), "unfinished", "{error}"),
            }
            repair(&path).unwrap().write().unwrap();
            assert_eq!(idx_std::load::<u8>(&path).unwrap()[..], *b"abcdef");
        }
    }
}
