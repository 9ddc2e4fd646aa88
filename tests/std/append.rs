//! Files that grow: committed records are safe, whatever happens, and every reader can read them.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use idx_std::{
    ElementType, Error, ErrorKind, IdxRecord, Reader, RecordWriter, Writer, load, repair,
};
#[cfg(unix)]
use idx_tests::named_pipe;
use idx_tests::{file, names};

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
struct Reading {
    number: i32,
    double: i32,
}

fn reading(number: usize) -> Reading {
    let number = number as i32;
    Reading { number, double: number * 2 }
}

/// Returns the number of readings in a whole file, which count from 0.
#[track_caller]
fn count(path: &Path) -> usize {
    let file = idx_std::open(path).unwrap();
    let readings = file.records::<Reading>().unwrap();
    for (number, found) in readings.iter().enumerate() {
        assert_eq!(found, reading(number));
    }
    readings.len()
}

fn create(path: &Path, count: usize) {
    let mut writer = RecordWriter::<Reading>::create(path).unwrap();
    for number in 0..count {
        writer.push(&reading(number)).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn the_file_is_whole_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    create(&path, 0);
    let mut log = RecordWriter::<Reading>::append(&path).unwrap();
    log.commit().unwrap();
    let mut committed = 0;
    for number in 0..100_000 {
        log.push(&reading(number)).unwrap();
        if [0, 1, 2, 100, 50_000].contains(&number) {
            log.commit().unwrap();
            log.commit().unwrap();
            assert_eq!(count(&path), number + 1);
            committed = number + 1;
        }
        if number % 9_000 == 0 {
            // At most 256 KiB of the pushed readings are missing.
            let found = count(&path);
            assert!((committed..=number + 1).contains(&found));
            assert!(number + 1 - found <= (256 << 10) / 8, "{number}: {found}");
        }
    }
    log.finish().unwrap();
    assert_eq!(count(&path), 100_000);

    // A reader that is open meanwhile gets all records that were there at its start, and no error.
    let mut reader = Reader::open(&path).unwrap().records::<Reading>().unwrap();
    reader.next().unwrap().unwrap();
    let mut log = RecordWriter::<Reading>::append(&path).unwrap();
    log.push(&reading(100_000)).unwrap();
    log.finish().unwrap();
    assert_eq!(reader.map(Result::unwrap).count(), 99_999);
    assert_eq!(count(&path), 100_001);

    // Only what was not committed is lost.
    let mut log = RecordWriter::<Reading>::append(&path).unwrap();
    log.push(&reading(100_001)).unwrap();
    drop(log);
    assert_eq!(count(&path), 100_001);
    assert_eq!(names(folder.path()), ["log"]);
}

#[test]
fn records_of_any_kind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for (dims, record) in [(&[2u32, 0][..], &b""[..]), (&[2, 3], b"ghi"), (&[2], b"c")] {
        let old = &b"abcdef"[..2 * record.len()];
        fs::write(&path, file(0x08, dims, old)).unwrap();
        let mut writer = Writer::append(&path).unwrap();
        assert_eq!(writer.header().dims(), dims);
        writer.push_bytes(record).unwrap();
        assert_eq!(writer.header().record_count(), 3);
        let wrong = writer.push_bytes(&[0; 7]).unwrap_err();
        assert_eq!(wrong.kind().code(), "wrong_length");
        writer.finish().unwrap();
        let new = [&[3], &dims[1..]].concat();
        assert_eq!(fs::read(&path).unwrap(), file(0x08, &new, &[old, record].concat()));
    }
    // Full: a file of rank 0, and one of 4294967295 records.
    for (dims, max) in [(&[][..], 1), (&[u32::MAX, 0], u64::from(u32::MAX))] {
        let bytes = file(0x08, dims, if max == 1 { b"a" } else { b"" });
        fs::write(&path, &bytes).unwrap();
        let mut writer = Writer::append(&path).unwrap();
        let full = writer.push_bytes(if max == 1 { b"a" } else { b"" }).unwrap_err();
        let text = format!("too many records: the file can hold at most {max}; start another file");
        assert_eq!(full.kind().to_string(), text);
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

/// The number of records may fill its 32 bits, but not exceed them. Records that fit are all there.
#[test]
fn a_full_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, file(0x08, &[u32::MAX - 3, 0], &[])).unwrap();
    let mut writer = RecordWriter::<[u8; 0]>::append(&path).unwrap();
    writer.push(&[]).unwrap();
    // One too many, in a slice and by itself.
    for error in [writer.push_all(&[[]; 3]), writer.push(&[])] {
        let error = error.unwrap_err();
        let text = "too many records: the file can hold at most 4294967295; start another file";
        assert_eq!(error.kind().to_string(), text);
        assert_eq!(error.records(), Some(u64::from(u32::MAX)));
    }
    writer.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), file(0x08, &[u32::MAX, 0], &[]));
}

#[test]
fn files_that_cannot_grow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.gz");
    let refused = |path: &Path| -> Error {
        let before = fs::read(path).ok();
        let error = Writer::append(path).unwrap_err();
        assert_eq!(error.path(), Some(path));
        assert_eq!(fs::read(path).ok(), before);
        error
    };
    assert!(
        matches!(refused(&path).kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound)
    );
    create(&path, 3);
    assert_eq!(refused(&path).kind().code(), "cannot_append");
    assert!(
        matches!(refused(folder.path()).kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::IsADirectory)
    );

    let path = folder.path().join("file");
    for (bytes, code, records) in [
        (file(0x08, &[3, 2], b"abcd"), "truncated", 2),
        (file(0x08, &[3, 2], b"abcde"), "truncated", 2),
        (file(0x08, &[1, 2], b"abcde"), "trailing_bytes", 1),
        (file(0x08, &[1, 0], b"abcde"), "trailing_bytes", 1),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = refused(&path);
        assert_eq!((error.kind().code(), error.records()), (code, Some(records)), "{error}");
        repair(&path).unwrap().keep_counted().write().unwrap();
        Writer::append(&path).unwrap().finish().unwrap();
    }
    // Not finished: the writer still had what follows the last multiple of 256 KiB.
    const FLUSHED: u64 = 2 * 256 * 1024 - 8;
    let mut writer = Writer::new(fs::File::create(&path).unwrap(), ElementType::U8, &[0]).unwrap();
    for _ in 0..600_000 {
        writer.push_bytes(&[7]).unwrap();
    }
    drop(writer);
    let error = refused(&path);
    assert!(
        matches!(error.kind(), ErrorKind::Unfinished { records: Some(FLUSHED), .. }),
        "{error}"
    );

    // A file of other records.
    create(&path, 3);
    let error = RecordWriter::<[i32; 3]>::append(&path).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Format(idx_core::ErrorKind::ShapeMismatch { .. })));
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(count(&path), 3);

    // A writer that `append` did not open.
    let mut writer = RecordWriter::<u8>::create(&path).unwrap();
    writer.push(&1).unwrap();
    let error = writer.commit().unwrap_err();
    assert_eq!(error.kind().code(), "cannot_commit");
    drop(writer);
    assert_eq!(count(&path), 3);
}

#[test]
#[cfg(target_os = "linux")]
fn one_writer_at_a_time_and_no_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    create(&path, 1);
    let busy = |error: Error| matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::ResourceBusy);
    let first = Writer::append(&path).unwrap();
    assert!(busy(Writer::append(&path).unwrap_err()));
    assert!(busy(repair(&path).unwrap_err()));
    drop(first);
    Writer::append(&path).unwrap().finish().unwrap();

    // The error comes without waiting for the other end of the pipe.
    let pipe = folder.path().join("pipe");
    named_pipe(&pipe);
    for path in [&*pipe, Path::new("/dev/null")] {
        assert_eq!(Writer::append(path).unwrap_err().kind().code(), "not_a_regular_file");
        assert_eq!(repair(path).unwrap_err().kind().code(), "not_a_regular_file");
    }
}

/// A relative name stays that of the folder where the file was opened.
#[test]
fn a_program_that_goes_to_another_folder() {
    const TEST: &str = "append::a_program_that_goes_to_another_folder";
    if std::env::var_os(ROLE).is_some() {
        let mut log = RecordWriter::<Reading>::append("log").unwrap();
        std::env::set_current_dir("..").unwrap();
        log.push(&reading(2)).unwrap();
        log.commit().unwrap();
        log.push(&reading(3)).unwrap();
        log.finish().unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    create(&folder.path().join("log"), 2);
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST])
        .env(ROLE, "log")
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(count(&folder.path().join("log")), 4);
}

/// The path, in a process that a test starts to log there.
const ROLE: &str = "IDX_TEST_LOGGER";

/// Opens the log, repairs it if necessary, and prints the number of its records.
fn open(path: &Path) -> (RecordWriter<Reading>, usize) {
    let opened = RecordWriter::append(path).or_else(|error: Error| {
        assert!(matches!(error.kind(), ErrorKind::TrailingBytes { .. }), "{error}");
        repair(path)?.keep_counted().write()?;
        RecordWriter::append(path)
    });
    (opened.unwrap(), load::<i32>(path).unwrap().len() / 2)
}

/// Logs, and prints after each commit how many records are safe.
fn log(path: &Path, commits: usize) {
    let (mut log, mut number) = open(path);
    for _ in 0..commits {
        for _ in 0..7 {
            log.push(&reading(number)).unwrap();
            number += 1;
        }
        log.commit().unwrap();
        io::stderr().write_all(format!("{number}\n").as_bytes()).unwrap();
    }
}

/// The last number that a logger printed.
fn committed(printed: &[u8]) -> usize {
    let printed = String::from_utf8(printed.to_vec()).unwrap();
    let whole = printed.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().last().map_or(0, |line| line.parse().unwrap())
}

#[test]
#[cfg(unix)]
fn a_logger_that_is_killed_at_any_moment() {
    const TEST: &str = "append::a_logger_that_is_killed_at_any_moment";
    if let Some(path) = std::env::var_os(ROLE) {
        log(Path::new(&path), usize::MAX);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    create(&path, 0);
    let mut safe = 0;
    for round in 0..40u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", TEST])
            .env(ROLE, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stderr.take().unwrap();
        let mut printed = vec![0; 3];
        pipe.read_exact(&mut printed).unwrap();
        std::thread::sleep(Duration::from_micros(round * 731 % 9_000));
        child.kill().unwrap();
        child.wait().unwrap();
        pipe.read_to_end(&mut printed).unwrap();
        let (log, found) = open(&path);
        drop(log);
        assert!(committed(&printed) > safe, "it went on");
        safe = committed(&printed);
        assert!(found >= safe, "{found} of {safe}");
        assert_eq!(count(&path), found);
    }
}

/// Each call that changes the file or waits for the disk is killed, or fails.
#[test]
#[cfg(target_os = "linux")]
fn a_logger_that_is_killed_at_every_call() {
    const TEST: &str = "append::a_logger_that_is_killed_at_every_call";
    if let Some(path) = std::env::var_os(ROLE) {
        return log(Path::new(&path), 3);
    }
    if !idx_tests::has_strace("a_logger_that_is_killed_at_every_call") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    // After an error of a call, the file is as it was.
    for (call_name, fault) in [
        ("write", "signal=KILL"),
        ("fdatasync", "signal=KILL"),
        ("write", "error=EIO"),
        ("fdatasync", "error=EIO"),
    ] {
        let inject = format!("inject={call_name}:{fault}");
        let mut faults = 0;
        for call in 1..=20 {
            create(&path, 5);
            let output = idx_tests::strace()
                .arg("-P")
                .arg(&path)
                .args(["-e", &format!("{inject}:when={call}")])
                .arg(std::env::current_exe().unwrap())
                .args(["--exact", TEST])
                .env(ROLE, &path)
                .output()
                .unwrap();
            if output.status.success() {
                break;
            }
            faults += 1;
            let printed = String::from_utf8_lossy(&output.stderr);
            let numbers: String = printed
                .lines()
                .take_while(|line| line.parse::<u32>().is_ok())
                .flat_map(|line| [line, "\n"])
                .collect();
            let safe = committed(numbers.as_bytes()).max(5);
            if fault == "error=EIO" {
                assert_eq!(count(&path), safe, "whole without a repair");
                continue;
            }
            let (log, found) = open(&path);
            drop(log);
            assert!(found >= safe && found <= safe + 7, "{call}: {found} of {safe}");
            assert_eq!(count(&path), found);
        }
        // Two writes and two waits for each of three commits.
        assert_eq!(faults, 6, "{inject}");
    }
}

#[test]
fn a_file_that_lost_its_name_is_not_committed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let moved = folder.path().join("log.1");
    type Lose = fn(&Path, &Path);
    let remove: Lose = |path, _| fs::remove_file(path).unwrap();
    let rotate: Lose = |path, moved| fs::rename(path, moved).unwrap();
    let replace: Lose = |path, _| {
        fs::remove_file(path).unwrap();
        create(path, 5);
    };
    let ways = if cfg!(unix) { &[remove, rotate, replace][..] } else { &[remove, rotate] };
    for lose in ways {
        for has_records in [false, true] {
            create(&path, 2);
            let mut log = RecordWriter::<Reading>::append(&path).unwrap();
            log.commit().unwrap();
            if has_records {
                log.push(&reading(2)).unwrap();
            }
            lose(&path, &moved);
            let error = log.commit().unwrap_err();
            assert_eq!(error.kind().code(), "changed_meanwhile", "{error}");
            assert_eq!(log.finish().unwrap_err().kind().code(), "failed_earlier");
            let _ = fs::remove_file(&path);
        }
    }
}

/// A program that rotates logs empties the file, and others cut it or append to it.
#[test]
fn a_file_that_has_another_size_is_not_committed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let changes: [fn(&Path); 3] = [
        |path| drop(fs::File::create(path).unwrap()),
        |path| fs::File::options().write(true).open(path).unwrap().set_len(20).unwrap(),
        |path| {
            fs::File::options().append(true).open(path).unwrap().write_all(b"theirs").unwrap();
        },
    ];
    for change in changes {
        for (commits, more) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for finishes in [true, false] {
                create(&path, 2);
                let mut log = RecordWriter::<Reading>::append(&path).unwrap();
                for number in 2..2 + commits {
                    log.push(&reading(number)).unwrap();
                    log.commit().unwrap();
                }
                change(&path);
                let changed = fs::read(&path).unwrap();
                let pushed = (0..more).try_for_each(|_| log.push(&reading(9)));
                let error = match finishes {
                    true => pushed.and_then(|()| log.finish().map(drop)),
                    false => pushed.and_then(|()| log.commit()),
                };
                let error = error.unwrap_err();
                assert_eq!(error.kind().code(), "changed_meanwhile", "{error}");
                assert_eq!(fs::read(&path).unwrap(), changed);
            }
        }
    }
}
