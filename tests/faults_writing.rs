//! Writing that fails or is stopped: the old file is as it was or the new one is whole, and nothing
//! else is left.

use std::fs;
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use idx_std::{DynWriter, ElementType, Error, ErrorKind, IdxBuf, WriteOptions, Writer, open};
use idx_tests::skip;

/// Writes `count` records which are all `value`.
fn write(path: &Path, value: i32, count: u32) -> Result<(), Error> {
    let mut writer = Writer::<[i32; 4]>::create(path)?;
    for _ in 0..count {
        writer.push(&[value; 4])?;
    }
    writer.finish().map(drop)
}

/// The value and the number of the records of a whole file.
#[track_caller]
fn read(path: &Path) -> (i32, u32) {
    let file = open(path).unwrap();
    let records = file.records::<[i32; 4]>().unwrap();
    let value = records.get(0).unwrap()[0];
    assert!(records.iter().all(|record| record == [value; 4]));
    (value, records.len().try_into().unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A sink in memory of which one call fails, of those that write, seek and flush.
#[derive(Debug)]
struct Faulty {
    sink: Cursor<Vec<u8>>,
    calls: usize,
    fault: usize,
    /// The most bytes it takes at a time.
    most: usize,
    /// Whether calls are interrupted on the way.
    interrupts: bool,
}

impl Faulty {
    fn call(&mut self) -> io::Result<()> {
        self.calls += 1;
        if self.calls == self.fault {
            return Err(io::Error::other("the disk is broken"));
        }
        Ok(())
    }
}

impl Write for Faulty {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.call()?;
        if self.interrupts && self.calls.is_multiple_of(2) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let count = buffer.len().min(self.most);
        self.sink.write(&buffer[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.call()?;
        self.sink.flush()
    }
}

impl Seek for Faulty {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.call()?;
        self.sink.seek(position)
    }
}

#[test]
fn an_error_at_every_call() {
    let record: Vec<u8> = (0..90_000u32)
        .map(|byte| (byte.wrapping_mul(byte) / 7) as u8)
        .collect();
    let mut faults = 0;
    for gzip in [false, true] {
        for (most, interrupts) in [(usize::MAX, false), (20_000, true)] {
            let attempt = |fault| -> Result<Faulty, Error> {
                let sink = Faulty {
                    sink: Cursor::default(),
                    calls: 0,
                    fault,
                    most,
                    interrupts,
                };
                let options = WriteOptions::new().gzip(gzip).level(1);
                let mut writer = DynWriter::new_with(sink, ElementType::U8, &[90_000], options)?;
                let mut pushed = Ok(());
                for _ in 0..7 {
                    // After an error, too: it must not be forgotten.
                    pushed = pushed.and(writer.push_bytes(&record));
                }
                let finished = writer.finish();
                assert!(
                    pushed.is_ok() || finished.is_err(),
                    "finished after an error"
                );
                pushed.and(finished)
            };
            let whole = attempt(0).unwrap();
            let calls = whole.calls;
            let buffer = IdxBuf::from_bytes(whole.sink.into_inner()).unwrap();
            assert_eq!(buffer.as_idx().payload(), record.repeat(7));
            for fault in 1..=calls {
                let error = attempt(fault).expect_err("a call that failed was not told");
                let told = match error.kind() {
                    ErrorKind::Io(error) => error.to_string() == "the disk is broken",
                    _ => false,
                };
                assert!(told, "{fault} of {calls}: {error}");
                faults += 1;
            }
        }
    }
    assert!(faults > 100, "{faults}");
}

/// The compressor passed on an interruption of its last write.
#[test]
fn an_interruption_while_gzip_is_finished_is_no_error() {
    for most in 1..40 {
        let sink = Faulty {
            sink: Cursor::default(),
            calls: 0,
            fault: 0,
            most,
            interrupts: true,
        };
        let options = WriteOptions::new().gzip(true);
        let mut writer = Writer::<u8, _>::new_with(sink, options).unwrap();
        for value in 0..200 {
            writer.push(&value).unwrap();
        }
        let bytes = writer.finish().unwrap().sink.into_inner();
        assert_eq!(IdxBuf::from_bytes(bytes).unwrap().as_idx().len(), 200);
    }
}

/// A sink that takes nothing is full, and no reason to go on for ever.
#[test]
fn a_sink_that_takes_nothing() {
    let sink = Faulty {
        sink: Cursor::default(),
        calls: 0,
        fault: 0,
        most: 0,
        interrupts: false,
    };
    let error = DynWriter::new(sink, ElementType::U8, &[3]).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::WriteZero)
    );
}

/// A small file system of its own, if this process may mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        mount
            .is_ok_and(|status| status.success())
            .then(|| Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_disk_that_is_full() {
    let Some(disk) = SmallDisk::mount() else {
        skip("a_disk_that_is_full: no small file system can be mounted here");
        return;
    };
    for name in ["file", "file.gz"] {
        let path = disk.0.path().join(name);
        write(&path, 1, 100).unwrap();
        let error = noise(&path, 4 << 20).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::StorageFull),
            "{error}"
        );
        assert!(
            error.to_string().contains("; make room and try again"),
            "{error}"
        );
        assert_eq!(read(&path), (1, 100), "as it was");
        assert_eq!(names(disk.0.path()), [name], "no litter");
        fs::remove_file(&path).unwrap();
    }
}

/// Writes bytes that do not compress.
fn noise(path: &Path, count: u32) -> Result<(), Error> {
    let mut writer = Writer::<u8>::create(path)?;
    let mut state = 1u32;
    for _ in 0..count {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        writer.push(&state.to_be_bytes()[0])?;
    }
    writer.finish().map(drop)
}

#[test]
fn a_panic_between_records() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["file", "file.gz"] {
        let path = folder.path().join(name);
        for old in [false, true] {
            if old {
                write(&path, 1, 100).unwrap();
            }
            let stopped = catch_unwind(AssertUnwindSafe(|| {
                let mut writer = Writer::<[i32; 4]>::create(&path).unwrap();
                for record in 0..100_000 {
                    assert!(record < 70_000, "as planned");
                    writer.push(&[record; 4]).unwrap();
                }
                writer.finish().unwrap();
            }));
            assert!(stopped.is_err());
            if old {
                assert_eq!(read(&path), (1, 100));
                fs::remove_file(&path).unwrap();
            }
            assert_eq!(names(folder.path()), [""; 0], "no litter");
        }
    }
}

/// In a process that is told its role by the environment: writes over the file again and again.
const ROLE: &str = "IDX_TEST_WRITER";
const NEW: (i32, u32) = (2, 60_000);
const OLD: (i32, u32) = (1, 5_000);

fn writer_process(test: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(ROLE, path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[cfg(unix)]
fn a_process_that_is_killed_at_any_moment() {
    const TEST: &str = "a_process_that_is_killed_at_any_moment";
    if let Some(path) = std::env::var_os(ROLE) {
        write(Path::new(&path), NEW.0, NEW.1).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut old, mut new, mut interrupted) = (0, 0, 0);
    for name in ["file", "file.gz"] {
        let path = folder.path().join(name);
        // How long it takes, so that the moments are spread over all of it.
        let start = Instant::now();
        assert!(writer_process(TEST, &path).wait().unwrap().success());
        let duration = start.elapsed();
        for round in 0..100u32 {
            write(&path, OLD.0, OLD.1).unwrap();
            let mut child = writer_process(TEST, &path);
            // From the start to a little beyond the end, in no order.
            let moment = (round * 37) % 100;
            std::thread::sleep(duration * moment / 90);
            child.kill().unwrap();
            child.wait().unwrap();
            match read(&path) {
                OLD => old += 1,
                NEW => new += 1,
                other => panic!("{other:?} is neither the old file nor the new one"),
            }
            for litter in names(folder.path()) {
                if litter != name {
                    assert!(litter.starts_with(&format!(".{name}.")), "{litter}");
                    assert!(litter.ends_with(".tmp"), "{litter}");
                    fs::remove_file(folder.path().join(litter)).unwrap();
                    interrupted += 1;
                }
            }
        }
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(old + new, 200);
    assert!(
        old > 0 && interrupted > 0,
        "{old} old, {new} new, {interrupted} in the middle"
    );
    println!("{old} old files, {new} new ones, {interrupted} killed in the middle");
}

#[test]
fn two_writers_to_one_path() {
    const TEST: &str = "two_writers_to_one_path";
    if let Some(path) = std::env::var_os(ROLE) {
        for round in 0..20 {
            write(Path::new(&path), 3, 3_000 + round).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("file");
    write(&path, 1, 10).unwrap();
    let mut child = writer_process(TEST, &path);
    let mut reads = 0;
    std::thread::scope(|scope| {
        let writers = [1, 2].map(|value| {
            let path = &path;
            scope.spawn(move || {
                for round in 0..20 {
                    write(path, value, 1_000 * value as u32 + round).unwrap();
                }
            })
        });
        // Whoever reads meanwhile sees a whole file.
        while writers.iter().any(|writer| !writer.is_finished()) {
            let (value, count) = read(&path);
            assert!(count == 10 || count / 1_000 == value as u32);
            reads += 1;
        }
    });
    assert!(child.wait().unwrap().success());
    let (value, count) = read(&path);
    assert_eq!(count, 1_000 * value as u32 + 19, "the last of one of them");
    assert_eq!(names(folder.path()), ["file"], "no litter");
    assert!(reads > 0);
}

/// The number of records fills its 32 bits and no more; nothing is lost.
#[test]
#[ignore = "pushes 2^32 records, `.ci/full` runs it with optimisation"]
fn one_record_more_than_the_header_can_count() {
    let mut writer = DynWriter::new(Cursor::new(vec![]), ElementType::U8, &[0]).unwrap();
    for _ in 0..u32::MAX {
        writer.push_bytes(&[]).unwrap();
    }
    let error = writer.push_bytes(&[]).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::TooManyRecords { most: u32::MAX }
    ));
    let file = writer.finish().unwrap().into_inner();
    assert_eq!(file, idx_tests::file(0x08, &[u32::MAX, 0], &[]));
}
