//! Writing that fails or is interrupted: the old file is unchanged or the new one is complete, and nothing
//! else is left.

use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use idx_std::{ElementType, Error, ErrorKind, IdxBuf, RecordWriter, WriteOptions, open};
#[cfg(unix)]
use idx_tests::named_pipe;
use idx_tests::{names, skip};

/// Writes `count` records which are all `value`.
fn write(path: &Path, value: i32, count: u32) -> Result<(), Error> {
    let mut writer = RecordWriter::<[i32; 4]>::create(path)?;
    for _ in 0..count {
        writer.push(&[value; 4])?;
    }
    writer.finish().map(drop)
}

/// Returns the value and the number of the records of a whole file.
#[track_caller]
fn read(path: &Path) -> (i32, u32) {
    let file = open(path).unwrap();
    let records = file.records::<[i32; 4]>().unwrap();
    let value = records.get(0).unwrap()[0];
    assert!(records.iter().all(|record| record == [value; 4]));
    (value, records.len().try_into().unwrap())
}

/// A sink in memory that fails at one of its calls to write, seek and flush.
#[derive(Debug)]
struct Faulty {
    sink: Cursor<Vec<u8>>,
    calls: usize,
    fault: usize,
    /// The most bytes it takes at a time.
    most: usize,
    /// True if calls are interrupted on the way.
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
    let record: Vec<u8> = (0..90_000u32).map(|byte| (byte.wrapping_mul(byte) / 7) as u8).collect();
    let mut faults = 0;
    for gzip in [false, true] {
        for (most, interrupts) in [(usize::MAX, false), (20_000, true)] {
            let attempt = |fault| -> Result<Faulty, Error> {
                let sink = Faulty { sink: Cursor::default(), calls: 0, fault, most, interrupts };
                let options = WriteOptions::new().gzip(gzip).level(1);
                let mut writer = options.write_to(sink, ElementType::U8, &[0, 90_000])?;
                let mut pushed = Ok(());
                for _ in 0..7 {
                    // Pushes after an error, too, which must not be forgotten.
                    pushed = pushed.and(writer.push_bytes(&record));
                }
                let finished = writer.finish();
                assert!(pushed.is_ok() || finished.is_err(), "finished after an error");
                pushed.and(finished)
            };
            let whole = attempt(0).unwrap();
            let calls = whole.calls;
            let buffer = IdxBuf::from_bytes(whole.sink.into_inner()).unwrap();
            assert_eq!(buffer.as_idx().payload(), record.repeat(7));
            for fault in 1..=calls {
                let error = attempt(fault).expect_err("a call that failed was not reported");
                let is_reported = match error.kind() {
                    ErrorKind::Io(error) => error.to_string() == "the disk is broken",
                    _ => false,
                };
                assert!(is_reported, "{fault} of {calls}: {error}");
                faults += 1;
            }
        }
    }
    assert!(faults > 100, "{faults}");
    println!("{faults} faults");
}

/// A slice takes several writes, and each can fail.
#[test]
fn an_error_within_a_slice() {
    let records = [[7u8; 1000]; 700];
    let mut faults = 0;
    for gzip in [false, true] {
        for fault in 1.. {
            let sink = Faulty {
                sink: Cursor::default(),
                calls: 0,
                fault,
                most: 50_000,
                interrupts: false,
            };
            let options = WriteOptions::new().gzip(gzip).level(0);
            let Ok(writer) = options.write_to(sink, ElementType::U8, &[0, 1000]) else {
                faults += 1;
                continue;
            };
            let mut writer = writer.records::<[u8; 1000]>().unwrap();
            let pushed = writer.push_all(&records);
            let again = writer.push_all(&records[..1]);
            assert!(pushed.is_ok() || again.is_err(), "not reported again");
            match (pushed.and(again), writer.finish()) {
                (Ok(()), Ok(sink)) => {
                    assert!(sink.calls < fault, "a call that failed was not reported");
                    let buffer = IdxBuf::from_bytes(sink.sink.into_inner()).unwrap();
                    assert_eq!(buffer.as_idx().len(), 701);
                    break;
                }
                (Ok(()), Err(error)) => assert!(matches!(error.kind(), ErrorKind::Io(_))),
                (Err(error), Err(finished)) => {
                    assert!(matches!(error.kind(), ErrorKind::Io(_)));
                    assert_eq!(finished.kind().code(), "failed_earlier");
                }
                (Err(error), Ok(_)) => panic!("finished after {error}"),
            }
            faults += 1;
        }
    }
    assert!(faults > 30, "{faults}");
    println!("{faults} faults");
}

/// A sink that accepts some bytes and then no more: it fails, or accepts 0 bytes.
struct Full {
    sink: Cursor<Vec<u8>>,
    room: usize,
    is_silent: bool,
}

impl Write for Full {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.room);
        if count == 0 && !buffer.is_empty() && !self.is_silent {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.room -= count;
        self.sink.write(&buffer[..count])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Full {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.sink.seek(position)
    }
}

#[test]
fn a_write_that_fails_is_reported_and_not_forgotten() {
    let record = [7u8; 100_000];
    for gzip in [false, true] {
        let mut finished = 0;
        for room in (0..500_100).step_by(if gzip { 37 } else { 10_007 }).take(200) {
            let sink = Full { sink: Cursor::default(), room, is_silent: false };
            let options = WriteOptions::new().gzip(gzip);
            let Ok(mut writer) = options.write_to(sink, ElementType::U8, &[0, 100_000]) else {
                continue;
            };
            let mut pushed = Ok(());
            for _ in 0..5 {
                pushed = pushed.and(writer.push_bytes(&record));
            }
            match (pushed, writer.finish()) {
                (Ok(()), Ok(sink)) => {
                    finished += 1;
                    let buffer = IdxBuf::from_bytes(sink.sink.into_inner()).unwrap();
                    assert_eq!(buffer.as_idx().len(), 5);
                }
                (Err(error), Ok(_)) => panic!("finished after {error}"),
                (_, Err(error)) => {
                    let is_known = matches!(error.kind(), ErrorKind::Io(_));
                    assert!(is_known || error.kind().code() == "failed_earlier", "{error}");
                }
            }
        }
        assert!(finished < 200, "some were too small");
        assert!(finished > 0 || !gzip, "some were large enough");
    }
}

#[test]
fn an_error_at_every_byte() {
    const HEADER: usize = 12;
    let mut faults = 0;
    for gzip in [false, true] {
        for is_silent in [false, true] {
            let attempt = |room| -> Result<Vec<u8>, Error> {
                let sink = Full { sink: Cursor::default(), room, is_silent };
                let options = WriteOptions::new().gzip(gzip);
                let mut writer = options.write_to(sink, ElementType::U8, &[0, 5])?;
                for record in 0..40u8 {
                    writer.push_bytes(&[record, record ^ 0x55, 7, record / 3, 0])?;
                }
                Ok(writer.finish()?.sink.into_inner())
            };
            let whole = attempt(usize::MAX).unwrap();
            // The header is written twice.
            let needed = whole.len() + HEADER;
            for room in 0..needed {
                let error = attempt(room).expect_err("the last bytes were lost");
                let expected =
                    if is_silent { io::ErrorKind::WriteZero } else { io::ErrorKind::StorageFull };
                assert!(
                    matches!(error.kind(), ErrorKind::Io(error) if error.kind() == expected),
                    "{room}: {error}"
                );
                faults += 1;
            }
            assert_eq!(attempt(needed).unwrap(), whole);
        }
    }
    assert!(faults > 500, "{faults}");
    println!("{faults} faults");
}

/// Failed before: the compressor passed on an interruption of its last write.
#[test]
fn an_interruption_while_gzip_is_finished_is_no_error() {
    for most in 1..40 {
        let sink = Faulty { sink: Cursor::default(), calls: 0, fault: 0, most, interrupts: true };
        let options = WriteOptions::new().gzip(true);
        let writer = options.write_to(sink, ElementType::U8, &[0]).unwrap();
        let mut writer = writer.records::<u8>().unwrap();
        for value in 0..200 {
            writer.push(&value).unwrap();
        }
        let bytes = writer.finish().unwrap().sink.into_inner();
        assert_eq!(IdxBuf::from_bytes(bytes).unwrap().as_idx().len(), 200);
    }
}

/// A separate small file system, if this process may mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .status();
        mount.is_ok_and(|status| status.success()).then(|| Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[track_caller]
fn expect_refusal(error: &Error, kind: io::ErrorKind, advice: &str) {
    assert!(matches!(error.kind(), ErrorKind::Io(error) if error.kind() == kind), "{error}");
    assert!(error.to_string().contains(advice), "{error}");
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
        expect_refusal(&error, io::ErrorKind::StorageFull, "; free some space and try again");
        assert_eq!(read(&path), (1, 100), "as it was");
        assert_eq!(names(disk.0.path()), [name], "no litter");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_disk_that_can_only_be_read() {
    let Some(disk) = SmallDisk::mount() else {
        skip("a_disk_that_can_only_be_read: no small file system can be mounted here");
        return;
    };
    let path = |name: &str| disk.0.path().join(name);
    write(&path("file"), 1, 100).unwrap();
    let mut remount = Command::new("mount");
    remount.args(["-o", "remount,ro"]).arg(disk.0.path());
    assert!(remount.status().unwrap().success());
    for name in ["file", "new", "new.gz"] {
        let error = write(&path(name), 2, 10).unwrap_err();
        expect_refusal(
            &error,
            io::ErrorKind::ReadOnlyFilesystem,
            "; choose a place on another disk",
        );
    }
    assert_eq!(read(&path("file")), (1, 100), "as it was");
    assert_eq!(names(disk.0.path()), ["file"], "no litter");
}

/// A disk with too little room for the temporary file is reported at the latest by `finish`, which writes what is left.
#[test]
fn a_disk_with_little_room() {
    let Some(disk) = SmallDisk::mount() else {
        skip("a_disk_with_little_room: no small file system can be mounted here");
        return;
    };
    const PAGE: usize = 4096;
    let path = disk.0.path().join("file");
    let ballast = disk.0.path().join("ballast");
    write(&path, 1, 100).unwrap();
    let (mut failed, mut finished) = (0, 0);
    for pages in 0..20 {
        // Fills the disk, then frees some pages.
        let mut filler = fs::File::create(&ballast).unwrap();
        while filler.write_all(&[1; PAGE]).is_ok() {}
        let size = filler.metadata().unwrap().len();
        filler.set_len(size.saturating_sub((pages * PAGE) as u64)).unwrap();
        drop(filler);
        match write(&path, 2, 3000) {
            Ok(()) => {
                assert_eq!(read(&path), (2, 3000));
                finished += 1;
            }
            Err(error) => {
                assert!(error.to_string().contains("; free some space"), "{error}");
                assert_eq!(read(&path), (1, 100), "as it was");
                failed += 1;
            }
        }
        assert_eq!(names(disk.0.path()), ["ballast", "file"], "no litter");
        fs::remove_file(&ballast).unwrap();
        write(&path, 1, 100).unwrap();
    }
    assert!(failed > 5 && finished > 5, "{failed} failed, {finished} finished");
}

/// Runs a test in its own process, started by a shell that first runs `before`.
#[cfg(unix)]
fn in_shell(test: &str, path: &Path, before: &str) -> std::process::ExitStatus {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("{before} && exec \"$@\""))
        .arg("sh")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(ROLE, path)
        .output();
    output.unwrap().status
}

/// A limit on the size of files fails like a full disk, and needs no privileges.
#[test]
#[cfg(unix)]
fn a_file_that_may_not_grow() {
    const TEST: &str = "faults_writing::a_file_that_may_not_grow";
    if let Some(path) = std::env::var_os(ROLE) {
        let path = Path::new(&path);
        let is_too_large = |error: &Error| matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge);
        for count in [10, 1_000, 100_000] {
            let error = noise(path, count << 4).map_or_else(
                |error| error,
                |()| {
                    assert_eq!(count, 10, "larger than the limit");
                    noise(path, 1 << 20).unwrap_err()
                },
            );
            assert!(is_too_large(&error), "{error}");
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["file", "file.gz"] {
        let path = folder.path().join(name);
        // `ulimit` counts in blocks of 512 or 1024 bytes.
        let status = in_shell(TEST, &path, "trap '' XFSZ && ulimit -f 8");
        assert!(status.success());
        // The last file that was written whole, of 160 records.
        assert_eq!(open(&path).unwrap().as_idx().len(), 160);
        assert_eq!(names(folder.path()), [name], "no litter");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn modes_under_another_umask() {
    use std::os::unix::fs::PermissionsExt;

    const TEST: &str = "faults_writing::modes_under_another_umask";
    if let Some(path) = std::env::var_os(ROLE) {
        write(Path::new(&path), 1, 3).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (umask, new) in [("000", 0o666), ("027", 0o640), ("077", 0o600)] {
        let path = folder.path().join(umask);
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
        let before = format!("umask {umask}");
        assert!(in_shell(TEST, &path, &before).success());
        assert_eq!(mode(), new, "a new file under {umask}");
        for kept in [0o644, 0o664, 0o400] {
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            assert!(in_shell(TEST, &path, &before).success());
            assert_eq!(mode(), kept, "replaced under {umask}");
        }
    }
}

/// Errors after all bytes are written: the name is taken by a folder, or the folder is gone.
#[test]
fn a_name_that_cannot_be_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut writer = RecordWriter::<u8>::create(&path).unwrap();
    writer.push(&7).unwrap();
    fs::create_dir(&path).unwrap();
    let error = writer.finish().unwrap_err();
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(names(folder.path()), ["file"], "no litter");

    #[cfg(unix)]
    {
        let mut writer = RecordWriter::<u8>::create(path.join("inner")).unwrap();
        writer.push(&7).unwrap();
        fs::remove_dir_all(&path).unwrap();
        assert!(writer.finish().is_err());
        assert_eq!(names(folder.path()), [""; 0]);
    }
}

/// A reader that goes away is an error of the writer, and not the end of its process.
#[test]
#[cfg(unix)]
fn a_pipe_whose_reader_goes_away() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["pipe", "pipe.gz"] {
        let path = folder.path().join(name);
        named_pipe(&path);
        let error = std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut pipe = fs::File::open(&path).unwrap();
                pipe.read_exact(&mut [0; 5]).unwrap();
            });
            noise(&path, 1 << 20).unwrap_err()
        });
        assert!(
            matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::BrokenPipe),
            "{error}"
        );
        assert!(!fs::metadata(&path).unwrap().is_file(), "still a pipe");
        fs::remove_file(&path).unwrap();
    }
    assert_eq!(names(folder.path()), [""; 0], "no litter");
}

/// Writes bytes that do not compress.
fn noise(path: &Path, count: u32) -> Result<(), Error> {
    let mut writer = RecordWriter::<u8>::create(path)?;
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
                let mut writer = RecordWriter::<[i32; 4]>::create(&path).unwrap();
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

/// The path, in a process that a test starts to write there.
const ROLE: &str = "IDX_TEST_WRITER";
const NEW: (i32, u32) = (2, 24_000); // two pieces
const OLD: (i32, u32) = (1, 5_000);

fn writer_process(test: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(ROLE, path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits for a sign of the process, and returns how long that took.
fn wait_for_sign(child: &mut Child) -> Duration {
    let start = Instant::now();
    let mut sign = [0];
    let pipe = child.stderr.as_mut().unwrap();
    pipe.read_exact(&mut sign).unwrap();
    assert_eq!(sign, *b".");
    start.elapsed()
}

/// The process gives a sign before it writes, and another one after it. The kills are spread from the first sign to
/// beyond the second one; the process waits for its kill, so that every kill meets it.
#[test]
#[cfg(unix)]
fn a_process_that_is_killed_at_any_moment() {
    use std::os::unix::process::ExitStatusExt;

    const TEST: &str = "faults_writing::a_process_that_is_killed_at_any_moment";
    const ROUNDS: u32 = 50;
    const SIGKILL: i32 = 9;
    if let Some(path) = std::env::var_os(ROLE) {
        let sign = || io::stderr().write_all(b".").unwrap();
        sign();
        write(Path::new(&path), NEW.0, NEW.1).unwrap();
        sign();
        // Waits for the kill, or for the end of the process that should have killed it.
        let _ = io::stdin().read(&mut [0]);
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in ["file", "file.gz"] {
        let path = folder.path().join(name);
        let (mut old, mut new, mut litters) = (0, 0, 0);
        let mut duration = Duration::ZERO;
        for round in 0..ROUNDS {
            // Measures how long writing takes now, so that the kills stay spread over all of it.
            if round.is_multiple_of(10) {
                let mut child = writer_process(TEST, &path);
                wait_for_sign(&mut child);
                duration = wait_for_sign(&mut child);
                child.kill().unwrap();
                child.wait().unwrap();
                assert_eq!(read(&path), NEW);
            }
            write(&path, OLD.0, OLD.1).unwrap();
            let mut child = writer_process(TEST, &path);
            wait_for_sign(&mut child);
            // 0 to 1.5 times as long, each fiftieth of it once.
            let fiftieth = (round * 37) % ROUNDS;
            std::thread::sleep(duration * fiftieth * 3 / 100);
            child.kill().unwrap();
            assert_eq!(child.wait().unwrap().signal(), Some(SIGKILL));
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
                    litters += 1;
                }
            }
        }
        fs::remove_file(&path).unwrap();
        println!(
            "{name}: {old} kills before the rename, {litters} of them while it was written, {new} after"
        );
        assert_eq!(old + new, ROUNDS);
        // Kills that are all too early, or all too late, would show nothing.
        assert!(old >= ROUNDS / 10 && new >= ROUNDS / 10);
    }
}

#[test]
fn two_writers_to_one_path() {
    const TEST: &str = "faults_writing::two_writers_to_one_path";
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
        // A program that reads meanwhile sees a whole file.
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

/// A sink that counts its bytes and keeps the first of them.
#[derive(Default)]
struct Counter {
    start: Cursor<Vec<u8>>,
    position: u64,
    size: u64,
}

impl Write for Counter {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if self.position < 8 {
            self.start.set_position(self.position);
            self.start.write_all(buffer)?;
        }
        self.position += buffer.len() as u64;
        self.size = self.size.max(self.position);
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Counter {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match position {
            SeekFrom::Start(position) => self.position = position,
            SeekFrom::Current(0) => {}
            _ => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(self.position)
    }
}

/// The number of records may fill its 32 bits, but not exceed them. Records that fit are all there. The test
/// `a_full_file` of `append.rs` does the same without elements.
#[test]
#[ignore = "writes 2^32 records; `.ci/full` runs it"]
fn one_record_more_than_the_header_can_count() {
    let mut writer = RecordWriter::<u8, _>::new(Counter::default()).unwrap();
    let records = vec![7; 1 << 24];
    for _ in 1..1 << 8 {
        writer.push_all(&records).unwrap();
    }
    // One too many, in a slice and by itself.
    for error in [writer.push_all(&records), writer.push(&7)] {
        let error = error.unwrap_err();
        let text = "too many records: the file can hold at most 4294967295; start another file";
        assert_eq!(error.kind().to_string(), text);
        assert_eq!(error.records(), Some(u64::from(u32::MAX)));
    }
    let sink = writer.finish().unwrap();
    assert_eq!(sink.size, 8 + u64::from(u32::MAX));
    assert_eq!(sink.start.into_inner()[..8], [0, 0, 0x08, 1, 0xFF, 0xFF, 0xFF, 0xFF]);
}
