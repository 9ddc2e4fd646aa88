//! Records in any order: how much is read for them, and that they are the right ones.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};
use std::thread;

use idx_std::{ErrorKind, IdxRecord, Reader};
use idx_tests::{file, gzip};

const COUNT: u32 = 20_000;
const SIZE: usize = 200;

/// Each record starts with its number.
fn plain() -> Vec<u8> {
    let payload = (0..COUNT).flat_map(|number| {
        let mut record = [0; SIZE];
        record[..4].copy_from_slice(&number.to_be_bytes());
        record
    });
    file(0x08, &[COUNT, SIZE as u32], &payload.collect::<Vec<_>>())
}

fn number(record: &[u8]) -> u64 {
    assert_eq!(record.len(), SIZE);
    u32::from_be_bytes(record[..4].try_into().unwrap()).into()
}

/// Counts the reads and seeks of the stream in it.
#[derive(Clone)]
struct Counted<R> {
    inner: R,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    bytes: usize,
    reads: usize,
    seeks: usize,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let mut counts = self.counts.lock().unwrap();
        counts.bytes += count;
        counts.reads += 1;
        Ok(count)
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.counts.lock().unwrap().seeks += 1;
        self.inner.seek(position)
    }
}

type InMemory<'a> = Counted<Cursor<&'a [u8]>>;

/// Returns a reader, and the counts of what it reads from now on.
fn counted(bytes: &[u8]) -> (Reader<InMemory<'_>>, Arc<Mutex<Counts>>) {
    let counts = Arc::new(Mutex::default());
    let counted = Counted { inner: Cursor::new(bytes), counts: Arc::clone(&counts) };
    let reader = Reader::seekable(counted).unwrap();
    *counts.lock().unwrap() = Counts::default();
    (reader, counts)
}

/// Some order that jumps back and forth.
fn scattered(count: u64) -> impl Iterator<Item = u64> {
    (0..count).map(|step| step * 7919 % u64::from(COUNT))
}

#[test]
fn a_selected_record_costs_its_own_bytes() {
    let bytes = plain();
    let (mut reader, counts) = counted(&bytes);
    for index in scattered(500) {
        reader.select(index..=index).unwrap();
        assert_eq!(number(reader.next_record().unwrap().unwrap()), index);
        if index + 1 < COUNT.into() {
            assert!(reader.next_record().is_none());
        }
    }
    let counts = *counts.lock().unwrap();
    assert!(counts.bytes <= 500 * SIZE, "{counts:?}");
    // To learn the size, which may have changed, and to go there.
    assert!(counts.reads <= 500 && counts.seeks <= 1000, "{counts:?}");
}

#[test]
fn a_jump_reads_little_until_more_is_wanted() {
    let bytes = plain();
    let (mut reader, counts) = counted(&bytes);
    for index in scattered(500) {
        reader.select(index..).unwrap();
        assert_eq!(number(reader.next_record().unwrap().unwrap()), index);
    }
    assert!(counts.lock().unwrap().bytes <= 500 * 4096 + (256 << 10));

    // From there on the pieces get larger.
    let (mut reader, counts) = counted(&bytes);
    reader.select(5..).unwrap();
    let mut next = 5;
    while let Some(record) = reader.next_record() {
        assert_eq!(number(record.unwrap()), next);
        next += 1;
    }
    assert_eq!(next, u64::from(COUNT));
    let counts = *counts.lock().unwrap();
    assert!(counts.reads < 30 && counts.seeks < 5, "{counts:?}");
}

#[test]
fn records_that_were_read_are_not_read_again() {
    let bytes = plain();
    let (mut reader, counts) = counted(&bytes);
    assert_eq!(number(reader.next_record().unwrap().unwrap()), 0);
    *counts.lock().unwrap() = Counts::default();
    for index in [900, 3, 500, 0, 999, 998].into_iter().cycle().take(300) {
        reader.select(index..).unwrap();
        assert_eq!(number(reader.next_record().unwrap().unwrap()), index);
    }
    assert_eq!(counts.lock().unwrap().reads, 0);
}

/// Whatever the step, less is read than the whole file, in a few pieces for all of it, or in one for each record that
/// is far from the last one.
#[test]
fn skipping_forward_costs_no_more_than_reading() {
    let bytes = plain();
    for step in [1, 2, 3, 10, 50, 160, 170, 500, 3000] {
        let (mut reader, counts) = counted(&bytes);
        let mut wanted = 0;
        while wanted < COUNT.into() {
            reader.select(wanted..).unwrap();
            assert_eq!(number(reader.next_record().unwrap().unwrap()), wanted);
            wanted += step;
        }
        let counts = *counts.lock().unwrap();
        let is_far = step as usize * SIZE > 32 * 1024;
        let most = if is_far { COUNT as usize / step as usize } else { 40 };
        assert!(counts.bytes <= bytes.len(), "{step}: {counts:?}");
        assert!(counts.reads <= most + 20, "{step}: {counts:?}");
    }
}

/// A selection has the same records, whatever was selected before.
#[test]
fn any_sequence_of_selections_gives_the_right_records() {
    let bytes = plain();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, &bytes).unwrap();
    let mut seekable = Reader::seekable(Cursor::new(&bytes)).unwrap();
    let mut opened = Reader::open(&path).unwrap();
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let count = u64::from(COUNT);
    for _ in 0..2000 {
        let start = random(count + 1);
        let end = start + random(count - start + 1).min(random(3000));
        let read = random(end - start + 2);
        assert_eq!(seekable.select(start..end).unwrap(), end - start);
        assert_eq!(opened.select(start..end).unwrap(), end - start);
        for index in start..(start + read).min(end) {
            assert_eq!(number(seekable.next_record().unwrap().unwrap()), index);
            assert_eq!(number(opened.next_record().unwrap().unwrap()), index);
        }
        if start + read > end {
            assert!(seekable.next_record().is_none());
            assert!(opened.next_record().is_none());
        }
    }
}

/// Only records of the selection are skipped, and none behind it is returned.
#[test]
fn a_skip_stays_within_the_selection() {
    let plain = plain();
    for bytes in [plain.clone(), gzip(&plain)] {
        let mut reader = Reader::seekable(Cursor::new(bytes)).unwrap();
        reader.select(10..20).unwrap();
        assert_eq!(reader.skip(7).unwrap(), 7);
        for expected in 17..20 {
            assert_eq!(number(reader.next_record().unwrap().unwrap()), expected);
        }
        assert!(reader.next_record().is_none());
        assert_eq!(reader.skip(1).unwrap(), 0);
        assert!(reader.next_record().is_none());
        reader.select(30..40).unwrap();
        assert_eq!(reader.skip(u64::MAX).unwrap(), 10);
        assert!(reader.next_record().is_none());
    }
}

#[test]
fn threads_share_a_reader() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, plain()).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    reader.select(77..).unwrap();
    thread::scope(|scope| {
        for thread in 0..4 {
            let reader = &reader;
            scope.spawn(move || {
                for index in scattered(1000).skip(thread * 100) {
                    assert_eq!(number(&reader.read_at(index).unwrap()), index);
                }
            });
        }
    });
    assert_eq!(number(reader.next_record().unwrap().unwrap()), 77);
    let records = reader.records::<[u8; SIZE]>().unwrap();
    assert_eq!(number(&records.read_at(4321).unwrap()), 4321);
}

#[test]
fn records_that_cannot_be_read_at_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");

    fs::write(&path, plain()).unwrap();
    let reader = Reader::open(&path).unwrap();
    let error = reader.read_at(COUNT.into()).unwrap_err();
    assert_eq!(error.kind().code(), "index_out_of_range");
    assert_eq!(error.path(), Some(path.as_path()));
    let forward = Reader::new(File::open(&path).unwrap()).unwrap();
    assert_eq!(
        forward.read_at(0).unwrap_err().to_string(),
        "record 0 cannot be read at its position: gzip data and streams can only be read in order, and record 0 comes next; open \
         the file again, or decompress it"
    );
    let seekable = Reader::seekable(File::open(&path).unwrap()).unwrap();
    assert_eq!(number(&seekable.read_at(9).unwrap()), 9);

    // The file gets shorter while one reader is open; for the other, the header counts more records than there are.
    let shorter = 12 + 3 * SIZE as u64 + 1;
    File::options().write(true).open(&path).unwrap().set_len(shorter).unwrap();
    for reader in [reader, Reader::open(&path).unwrap()] {
        assert_eq!(number(&reader.read_at(2).unwrap()), 2);
        let error = reader.read_at(3).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::Format(idx_core::ErrorKind::Truncated { found: 601, .. })
            ),
            "{error}"
        );
        assert_eq!(error.records(), Some(3));
    }
    fs::write(&path, file(0x0E, &[1, u32::MAX, 1 << 20], &[0])).unwrap();
    let error = Reader::open(&path).unwrap().read_at(0).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::Format(idx_core::ErrorKind::Truncated { found: 1, .. })
    ));

    fs::write(&path, gzip(&plain())).unwrap();
    let error = Reader::open(&path).unwrap().read_at(0).unwrap_err();
    assert_eq!(error.kind().code(), "cannot_seek");

    #[derive(IdxRecord, Debug)]
    struct Label(
        #[idx(range = 0..=9)]
        #[allow(dead_code)]
        u8,
    );
    fs::write(&path, file(0x08, &[3], &[1, 2, 77])).unwrap();
    let labels = Reader::open(&path).unwrap().records::<Label>().unwrap();
    labels.read_at(1).unwrap();
    let error = labels.read_at(2).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::Format(idx_core::ErrorKind::ValueNotAllowed { record: 2, value: 77 })
    ));
}

/// Bytes, one of which cannot be read the first time.
struct Flaky<'a> {
    bytes: Cursor<&'a [u8]>,
    fault: Option<u64>,
}

impl Read for Flaky<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let before = self.fault.and_then(|fault| fault.checked_sub(self.bytes.position()));
        if before == Some(0) {
            self.fault = None;
            return Err(io::Error::other("no answer"));
        }
        // Up to the fault.
        let most = before.map_or(buffer.len(), |before| buffer.len().min(before as usize));
        self.bytes.read(&mut buffer[..most])
    }
}

impl Seek for Flaky<'_> {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(position)
    }
}

/// An error is reported for the record whose bytes could not be read, and for no other one, even if that one is read
/// next. The record can be read again.
#[test]
fn a_record_that_could_not_be_read_once() {
    const RECORDS: u64 = 12;
    const SIZE: u64 = 5;
    let payload: Vec<u8> = (0..RECORDS * SIZE).map(|byte| byte as u8).collect();
    let bytes = file(0x08, &[RECORDS as u32, SIZE as u32], &payload);
    for fault in 12..bytes.len() as u64 {
        let bad = (fault - 12) / SIZE;
        for (first, second) in (0..RECORDS * RECORDS).map(|step| (step / RECORDS, step % RECORDS)) {
            let flaky = Flaky { bytes: Cursor::new(&bytes), fault: Some(fault) };
            let mut reader = Reader::seekable(flaky).unwrap();
            let mut errors = 0;
            for start in [first, second, second, 0, 0] {
                reader.select(start..).unwrap();
                // From the start, all records are read.
                let wanted = if start == 0 { RECORDS } else { 1 };
                for index in (start..RECORDS).take(wanted as usize) {
                    match reader.next_record().unwrap() {
                        Ok(record) => assert_eq!(record[0], (index * SIZE) as u8),
                        Err(error) => {
                            assert!(error.to_string().starts_with("no answer"), "{error}");
                            assert_eq!((index, error.records()), (bad, Some(bad)), "{error}");
                            assert!(reader.next_record().is_none());
                            errors += 1;
                            break;
                        }
                    }
                }
            }
            assert!(errors <= 1, "{fault} {first} {second}");
        }
    }
}
