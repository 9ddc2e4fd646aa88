//! Disks and pipes that fail while they are read: the reader returns the records before the failure, then one error
//! with the error of the system, then nothing.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use idx_std::{Error, ErrorKind, IdxBuf, Reader, RecordReader, load, open};
use idx_tests::{file, gzip, skip};
use tempfile::TempDir;

const RECORDS: u32 = 40;
const RECORD_SIZE: usize = 5;

/// 40 records of 5 bytes.
fn plain() -> Vec<u8> {
    let payload: Vec<u8> =
        (0..RECORDS as usize * RECORD_SIZE).map(|byte| (byte * 7) as u8).collect();
    file(0x08, &[RECORDS, RECORD_SIZE as u32], &payload)
}

fn on_disk(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Reads its bytes a few at a time with interruptions, and fails for good at one offset.
struct Faulty<'a> {
    bytes: &'a [u8],
    offset: usize,
    fault: usize,
    most: usize,
    interrupt: bool,
}

impl Read for Faulty<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.offset == self.fault {
            return Err(io::Error::other(Fault(self.offset)));
        }
        let count = buffer
            .len()
            .min(self.most)
            .min(self.fault - self.offset)
            .min(self.bytes.len() - self.offset);
        buffer[..count].copy_from_slice(&self.bytes[self.offset..][..count]);
        self.offset += count;
        Ok(count)
    }
}

/// The error of the faulty disk.
#[derive(Debug)]
struct Fault(usize);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no answer at {}", self.0)
    }
}

impl std::error::Error for Fault {}

#[track_caller]
fn assert_is_fault(error: &Error, offset: usize) {
    let ErrorKind::Io(reported) = error.kind() else {
        panic!("{error}");
    };
    let fault = reported.get_ref().unwrap().downcast_ref::<Fault>().unwrap();
    assert_eq!(fault.0, offset);
    assert!(error.sentence().starts_with(&format!("no answer at {offset}")));
}

/// Returns the records before an error, and the error.
fn drain<R: Read>(reader: Reader<R>) -> (Vec<u8>, Error) {
    let mut reader = reader;
    let mut payload = Vec::new();
    loop {
        match reader.next_record().expect("an error before the end") {
            Ok(record) => payload.extend(record),
            Err(error) => {
                assert!(reader.next_record().is_none(), "an error is the end");
                return (payload, error);
            }
        }
    }
}

/// The same for a typed reader.
fn drain_typed<R: Read>(mut reader: RecordReader<[u8; RECORD_SIZE], R>) -> (Vec<u8>, Error) {
    let mut payload = Vec::new();
    loop {
        match reader.next().expect("an error before the end") {
            Ok(record) => payload.extend(record),
            Err(error) => {
                assert!(reader.next().is_none(), "an error is the end");
                return (payload, error);
            }
        }
    }
}

/// The offset of the payload in a file by `stored`.
const STORED_START: usize = 10 + 5 + 12;

/// Returns gzip data in a stored block, so that each record has a known offset.
fn stored(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(plain).unwrap();
    let bytes = encoder.finish().unwrap();
    assert!(bytes[STORED_START..].starts_with(&plain[12..]));
    bytes
}

#[test]
fn an_io_error_at_every_offset() {
    let plain = plain();
    let payload = &plain[12..];
    // Each file, and the offset of its payload if that is stored as it is.
    let files =
        [(plain.clone(), Some(12)), (stored(&plain), Some(STORED_START)), (gzip(&plain), None)];
    let mut faults = 0;
    for (bytes, start) in files {
        for fault in 0..=bytes.len() {
            for most in [1, 3, usize::MAX] {
                let faulty = || Faulty { bytes: &bytes, offset: 0, fault, most, interrupt: false };
                faults += 3;
                assert_is_fault(&IdxBuf::from_reader(faulty()).unwrap_err(), fault);
                let typed = Reader::new(faulty()).and_then(Reader::records);
                let readers = (Reader::new(faulty()), typed);
                let (reader, typed) = match readers {
                    (Ok(reader), Ok(typed)) => (reader, typed),
                    (Err(error), Err(typed)) => {
                        assert_is_fault(&error, fault);
                        assert_is_fault(&typed, fault);
                        continue;
                    }
                    _ => panic!("one of two readers failed at {fault}"),
                };
                let (given, error) = drain(reader);
                assert_is_fault(&error, fault);
                assert!(payload.starts_with(&given));
                let records = (given.len() / RECORD_SIZE) as u64;
                assert_eq!(error.records(), Some(records));
                if let Some(start) = start {
                    let present = (fault - start).min(payload.len()) / RECORD_SIZE;
                    assert_eq!(records, present as u64, "every whole one before the fault");
                }
                let (typed, error) = drain_typed(typed);
                assert_is_fault(&error, fault);
                assert_eq!(typed, given);
                assert_eq!(error.records(), Some(records));
            }
        }
    }
    assert!(faults > 4000, "{faults}");
    println!("{faults} faults");
}

/// Damage in gzip data loses the records after it, not those before it.
#[test]
fn records_before_a_damaged_place_are_given() {
    let mut state = 1u32;
    let payload: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0] & 0x3F
    })
    .take(600_000)
    .collect();
    let bytes = gzip(&file(0x08, &[600_000], &payload));
    let mut given_before = 0;
    for place in [20_000, 100_000, 300_000, bytes.len() - 8] {
        let mut damaged = bytes.clone();
        for byte in &mut damaged[place..] {
            *byte = !*byte;
        }
        let (given, error) = drain(Reader::new(&damaged[..]).unwrap());
        let ErrorKind::GzipDamaged { decompressed, .. } = *error.kind() else {
            panic!("{place}: {error}");
        };
        // Damage is detected a little late, so the last bytes may be wrong.
        let sure = given.len().saturating_sub(2000);
        assert_eq!(given[..sure], payload[..sure], "{place}");
        assert_eq!(decompressed, given.len() as u64 + 8);
        assert!(given.len() > given_before, "{place}: {}", given.len());
        given_before = given.len();
    }
}

/// An error is reported when its record is wanted, and not when those before it are skipped.
#[test]
fn records_before_an_error_are_skipped() {
    let bytes = plain();
    for whole in [0, 1, 2, 9] {
        for start in 0..=whole {
            for before in 0..=start {
                let fault = 12 + whole * RECORD_SIZE;
                let mut reader = Reader::new(Faulty {
                    bytes: &bytes,
                    offset: 0,
                    fault,
                    most: 7,
                    interrupt: false,
                })
                .unwrap();
                for _ in 0..before {
                    reader.next_record().unwrap().unwrap();
                }
                reader.select(start as u64..).unwrap();
                let (payload, error) = drain(reader);
                assert_eq!(payload, bytes[12 + start * RECORD_SIZE..fault]);
                assert_is_fault(&error, fault);
                assert_eq!(error.records(), Some(whole as u64));
            }
        }
    }
}

/// The position of a stream after an error is not known.
#[test]
fn a_stream_that_failed_goes_nowhere() {
    let bytes = plain();
    let mut reader = Reader::new(Faulty {
        bytes: &bytes,
        offset: 0,
        fault: 12 + 2 * RECORD_SIZE + 1,
        most: 7,
        interrupt: false,
    })
    .unwrap();
    while let Some(Ok(_)) = reader.next_record() {}
    let error = reader.select(5..).unwrap_err();
    assert_eq!(error.kind().code(), "failed_earlier", "{error}");
    assert!(reader.next_record().is_none());
}

/// A file that loses its end between the opening and the reading.
#[test]
fn a_file_that_shrinks_while_it_is_read() {
    let count = 400_000u32; // more than is read at a time
    let long = file(0x08, &[count, 4], &vec![3; 4 * count as usize]);
    for cut in [12, 13, 12 + 4 * 100, 12 + 4 * 399_999 + 3] {
        let whole = (cut as u64 - 12) / 4;
        let (_folder, path) = on_disk(&long);
        let mut reader = Reader::open(&path).unwrap();
        reader.next_record().unwrap().unwrap();
        shrink(&path, cut);
        // The reader returns what it read ahead, then an error that says where the file ends now.
        let (given, error) = drain(reader);
        let found = match *error.kind() {
            ErrorKind::Format(idx_core::ErrorKind::Truncated { needed, found }) => {
                assert_eq!(needed, 4 * u64::from(count));
                found
            }
            _ => panic!("{error}"),
        };
        assert!(found >= cut as u64 - 12, "{found}");
        assert_eq!(given.len() as u64 / 4 + 1, error.records().unwrap());

        let (_folder, path) = on_disk(&long);
        let mut reader = Reader::open(&path).unwrap();
        shrink(&path, cut);
        let error = reader.select((whole + 1)..).unwrap_err();
        assert!(matches!(
            *error.kind(),
            ErrorKind::Format(idx_core::ErrorKind::Truncated { found, .. })
                if found == cut as u64 - 12
        ));
        assert_eq!(error.records(), Some(whole));
    }
}

fn shrink(path: &Path, size: usize) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(size as u64).unwrap();
}

/// A file that gains bytes was whole when it was opened. Opening it again is an error.
#[test]
fn a_file_that_grows_while_it_is_read() {
    let (_folder, path) = on_disk(&plain());
    let mut reader = Reader::open(&path).unwrap();
    fs::write(&path, [plain(), vec![1, 2]].concat()).unwrap();
    for _ in 0..2 {
        let mut given = Vec::new();
        while let Some(record) = reader.next_record() {
            given.extend_from_slice(record.unwrap());
        }
        assert_eq!(given, plain()[12..]);
        reader.select(..).unwrap();
    }
    let (given, error) = drain(Reader::open(&path).unwrap());
    assert_eq!(given, plain()[12..]);
    assert!(matches!(
        error.kind(),
        ErrorKind::TrailingBytes { offset: 212, count: 2, at_least: false, .. }
    ));
}

/// If a file is shortened while it is read, readers return errors or whole arrays, and do not crash.
#[test]
fn whole_files_that_shrink_and_grow_while_they_are_opened() {
    let long = file(0x08, &[1 << 22], &vec![3; 1 << 22]);
    let (_folder, path) = on_disk(&long);
    let stop = std::sync::atomic::AtomicBool::new(false);
    let relaxed = std::sync::atomic::Ordering::Relaxed;
    let (mut whole, mut cut) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let file = File::options().write(true).open(&path).unwrap();
            for size in (0..).map(|step| (step * 611_953) % long.len() as u64) {
                if stop.load(relaxed) {
                    break;
                }
                file.set_len(size).unwrap();
                file.set_len(long.len() as u64).unwrap();
            }
        });
        for _ in 0..100 {
            for read in [
                open(&path).map(|file| file.as_idx().payload().len()),
                load::<u8>(&path).map(|array| array.len()),
            ] {
                match read {
                    Ok(count) => {
                        assert_eq!(count, 1 << 22);
                        whole += 1;
                    }
                    // The error is about the payload, or about the header, which may be gone or zeros by now.
                    Err(error) => {
                        let is_of_content =
                            matches!(error.kind(), ErrorKind::Format(_) | ErrorKind::NotIdx { .. });
                        assert!(is_of_content, "{error}");
                        cut += 1;
                    }
                }
            }
        }
        stop.store(true, relaxed);
    });
    assert_eq!(whole + cut, 200);
    println!("{whole} whole, {cut} cut");
}

/// `open` has its own copy of the bytes. A mapped file loses them with the file, which is why `MappedFile` is `unsafe`.
/// Runs in its own process, because the system stops it, and so not under an emulator.
#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64", target_endian = "little"))]
fn a_file_that_is_cut_after_it_was_opened_or_mapped() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    const ROLE: &str = "IDX_TEST_CUT";
    let bytes = file(0x08, &[1 << 16], &vec![9; 1 << 16]);
    if let Ok(role) = std::env::var(ROLE) {
        let path = std::env::current_dir().unwrap().join("file");
        let buffer = match &*role {
            "open" => open(&path),
            // SAFETY: none, the file is about to be cut; the system has to stop the process.
            _ => unsafe { idx_std::MappedFile::open(&path) }.and_then(IdxBuf::from_mapped),
        };
        let buffer = buffer.unwrap();
        shrink(&path, 100);
        let last = buffer.bytes()[bytes.len() - 1];
        std::process::exit(last.into());
    }
    // This process owns the folder, so that it is removed however the other one ends.
    let (folder, path) = on_disk(&bytes);
    let test = "faults_reading::a_file_that_is_cut_after_it_was_opened_or_mapped";
    let status = |role| {
        fs::write(&path, &bytes).unwrap();
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test])
            .env(ROLE, role)
            .current_dir(folder.path())
            .output()
            .unwrap()
            .status
    };
    assert_eq!(status("open").code(), Some(9));
    const SIGBUS: i32 = 7;
    assert_eq!(status("map").signal(), Some(SIGBUS));
}

/// The error of each way to open a file by its path.
#[track_caller]
fn refusals(path: &Path) -> [Error; 4] {
    [
        open(path).unwrap_err(),
        load::<u8>(path).unwrap_err(),
        Reader::open(path).unwrap_err(),
        Reader::open(path).and_then(|reader| reader.records::<u8>()).unwrap_err(),
    ]
}

/// A path that cannot be opened is an error with the path and the next step.
#[test]
fn what_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none");
    for error in refusals(&missing) {
        assert_eq!(error.path(), Some(&*missing));
        assert_eq!(error.sentence(), "no such file; check the path");
    }
    for error in refusals(folder.path()) {
        assert_eq!(error.sentence(), "this is a folder; specify a file in it");
    }
    #[cfg(unix)]
    for error in refusals(Path::new("/dev/null")) {
        assert_eq!(error.sentence(), "the file is empty; download or copy it again");
    }
}

/// Pipes work like files, except for functions that seek.
#[test]
#[cfg(unix)]
fn a_pipe_whose_writer_finishes_or_dies() {
    use idx_tests::named_pipe;

    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let plain = plain();
    let payload = &plain[12..];
    for bytes in [plain.clone(), gzip(&plain)] {
        for cut in [0, 1] {
            let written = &bytes[..bytes.len() - cut];
            // Each way has its own pipe, because a process that another test is starting can hold the last one open.
            let with_writer = |read: &dyn Fn() -> Result<Vec<u8>, Error>| {
                let _ = fs::remove_file(&pipe);
                named_pipe(&pipe);
                std::thread::scope(|scope| {
                    let writer = scope.spawn(|| {
                        let mut pipe = File::options().write(true).open(&pipe).unwrap();
                        pipe.write_all(written).unwrap();
                    });
                    let read = read();
                    writer.join().unwrap();
                    read
                })
            };
            let ways: [&dyn Fn() -> Result<Vec<u8>, Error>; 4] = [
                &|| open(&pipe).map(|file| file.as_idx().payload().to_vec()),
                &|| load::<u8>(&pipe).map(idx_std::Array::into_vec),
                &|| {
                    Reader::open(&pipe)?
                        .records::<[u8; RECORD_SIZE]>()?
                        .try_fold(vec![], |all, record| Ok([&all[..], &record?].concat()))
                },
                &|| {
                    let mut reader = Reader::open(&pipe)?;
                    let mut all = reader.next_record().unwrap()?.to_vec();
                    let back = reader.select(0..).unwrap_err();
                    assert_eq!(back.kind().code(), "cannot_seek");
                    while let Some(record) = reader.next_record() {
                        all.extend(record?);
                    }
                    Ok(all)
                },
            ];
            for way in ways {
                match with_writer(way) {
                    Ok(read) => assert!(cut == 0 && read == payload),
                    Err(error) => {
                        assert_eq!(cut, 1, "{error}");
                        let is_cut = match error.kind() {
                            ErrorKind::Format(idx_core::ErrorKind::Truncated {
                                found: 199,
                                ..
                            }) => error.records() == Some(39),
                            ErrorKind::GzipTruncated { decompressed: 212, .. } => {
                                error.records() == Some(40)
                            }
                            _ => false,
                        };
                        assert!(is_cut, "{error}");
                    }
                }
            }
        }
    }
}

/// Errors of the system keep their numbers, and an endless device is not read to its end.
#[test]
#[cfg(target_os = "linux")]
fn what_the_system_refuses() {
    use std::os::unix::fs::PermissionsExt;

    const EIO: i32 = 5;
    const ENXIO: i32 = 6;
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let memory = Path::new("/proc/self/mem"); // nothing is mapped at 0, so reading fails
    for (path, number) in [(&*socket, ENXIO), (memory, EIO)] {
        for error in refusals(path) {
            let ErrorKind::Io(reported) = error.kind() else {
                panic!("{error}");
            };
            assert_eq!(reported.raw_os_error(), Some(number), "{error}");
            assert_eq!(error.path(), Some(path));
        }
    }
    for error in refusals(Path::new("/dev/zero")) {
        assert!(error.sentence().contains("unknown element type 00"), "{error}");
    }

    let closed = folder.path().join("closed");
    fs::write(&closed, plain()).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    if File::open(&closed).is_ok() {
        skip("what_the_system_refuses: this user may read what is closed to all");
        return;
    }
    for error in refusals(&closed) {
        assert!(
            error.sentence().ends_with("; check the permissions of the file and its folder"),
            "{error}"
        );
    }
}
