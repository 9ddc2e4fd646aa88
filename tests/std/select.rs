//! `select`, the one way to choose records: in plain files, gzip data, streams and pipes.

use std::fs::{self, File};
use std::ops::{Bound, RangeBounds};
use std::path::Path;

use idx_std::{Error, ErrorKind, IdxRecord, Reader};
#[cfg(unix)]
use idx_tests::named_pipe;
use idx_tests::{file, gzip};

const COUNT: u8 = 5;

/// Five records, each full of its number.
fn plain(record_size: usize) -> Vec<u8> {
    let payload: Vec<u8> = (0..COUNT).flat_map(|number| vec![number; record_size]).collect();
    file(0x08, &[COUNT.into(), record_size as u32], &payload)
}

/// Small records, and records so large that a reader reads fewer than all at a time.
const RECORD_SIZES: [usize; 2] = [2, 100_000];

/// A way to read the same records.
struct Way<'a> {
    name: &'static str,
    open: &'a dyn Fn() -> Reader,
    goes_back: bool,
}

/// Calls `check` with every way to read this file.
fn for_each_way(bytes: &[u8], check: impl Fn(Way<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    let (plain, zipped) = (folder.path().join("plain"), folder.path().join("zipped"));
    fs::write(&plain, bytes).unwrap();
    fs::write(&zipped, gzip(bytes)).unwrap();
    let disk = |path| File::open(path).unwrap();
    let ways: [(_, &dyn Fn() -> Reader, _); 6] = [
        ("plain file", &|| Reader::open(&plain).unwrap(), true),
        ("gzip file", &|| Reader::open(&zipped).unwrap(), false),
        ("stream", &|| Reader::new(disk(&plain)).unwrap(), false),
        ("gzip stream", &|| Reader::new(disk(&zipped)).unwrap(), false),
        ("seekable", &|| Reader::seekable(disk(&plain)).unwrap(), true),
        ("seekable gzip", &|| Reader::seekable(disk(&zipped)).unwrap(), false),
    ];
    for (name, open, goes_back) in ways {
        check(Way { name, open, goes_back });
    }
    #[cfg(unix)]
    check_pipe(folder.path(), bytes, check);
}

#[cfg(unix)]
fn check_pipe(folder: &Path, bytes: &[u8], check: impl Fn(Way<'_>)) {
    use std::io::Write;

    let count = std::cell::Cell::new(0);
    let open = || {
        // Each gets its own pipe: a writer may still be writing into the last one.
        count.set(count.get() + 1);
        let pipe = folder.join(format!("pipe-{}", count.get()));
        named_pipe(&pipe);
        let (writer, bytes) = (pipe.clone(), bytes.to_vec());
        std::thread::spawn(move || {
            let mut writer = File::options().write(true).open(writer).unwrap();
            // This fails if the reader does not want all of it, and closes the pipe.
            let _ = writer.write_all(&bytes);
        });
        Reader::open(pipe).unwrap()
    };
    check(Way { name: "pipe", open: &open, goes_back: false });
}

/// The numbers of the records that are left.
#[track_caller]
fn rest(reader: &mut Reader) -> Vec<u8> {
    let mut numbers = Vec::new();
    while let Some(number) = next(reader) {
        numbers.push(number);
    }
    assert!(reader.next_record().is_none(), "the end is the end");
    numbers
}

#[track_caller]
fn next(reader: &mut Reader) -> Option<u8> {
    let record = reader.next_record()?.unwrap();
    assert!(record.iter().all(|byte| *byte == record[0]));
    Some(record[0])
}

#[test]
fn a_range_replaces_the_one_before() {
    for bytes in RECORD_SIZES.map(plain) {
        for_each_way(&bytes, |way| {
            // The number of records that are read from the first selection does not matter.
            for read in 0..=3 {
                let mut reader = (way.open)();
                assert_eq!(reader.select(1..3).unwrap(), 2);
                for number in [Some(1), Some(2), None].into_iter().take(read) {
                    assert_eq!(next(&mut reader), number, "{}", way.name);
                }
                assert_eq!(reader.select(4..).unwrap(), 1);
                assert_eq!(rest(&mut reader), [4], "{}", way.name);

                match reader.select(0..) {
                    Ok(count) => {
                        assert!(way.goes_back, "{}", way.name);
                        assert_eq!((count, rest(&mut reader)), (5, vec![0, 1, 2, 3, 4]));
                    }
                    Err(error) => {
                        assert!(!way.goes_back, "{}: {error}", way.name);
                        assert_cannot_go_back(&error, 0, 5);
                    }
                }
            }
            // No record was passed yet, so this does not go back.
            let mut reader = (way.open)();
            reader.select(0..2).unwrap();
            assert_eq!(reader.select(0..).unwrap(), 5);
            assert_eq!(rest(&mut reader), [0, 1, 2, 3, 4], "{}", way.name);
        });
    }
}

#[track_caller]
fn assert_cannot_go_back(error: &Error, wanted: u64, reached: u64) {
    assert_eq!(
        error.kind().to_string(),
        format!(
            "record {wanted} cannot be read at its position: gzip data and streams can only be read in order, and \
             record {reached} comes next; open the file again, or decompress it"
        )
    );
}

#[test]
fn every_form_of_a_range() {
    fn check(way: &Way<'_>, range: impl RangeBounds<u64>, expected: &[u8]) {
        let mut reader = (way.open)();
        assert_eq!(reader.select(range).unwrap(), expected.len() as u64);
        assert_eq!(rest(&mut reader), expected, "{}", way.name);
    }
    for_each_way(&plain(2), |way| {
        check(&way, .., &[0, 1, 2, 3, 4]);
        check(&way, 0.., &[0, 1, 2, 3, 4]);
        check(&way, 3.., &[3, 4]);
        check(&way, 5.., &[]);
        check(&way, ..2, &[0, 1]);
        check(&way, ..=2, &[0, 1, 2]);
        check(&way, 1..=1, &[1]);
        check(&way, 2..2, &[]);
        check(&way, 5..5, &[]);
        check(&way, (Bound::Excluded(1), Bound::Included(3)), &[2, 3]);
        check(&way, (Bound::Excluded(4), Bound::Unbounded), &[]);
    });
}

#[test]
fn a_range_that_is_not_there_changes_nothing() {
    fn check(
        way: &Way<'_>,
        range: impl RangeBounds<u64>,
        is_expected: impl Fn(&ErrorKind) -> bool,
    ) {
        // Before the first record, in the middle of the selected ones, and behind them.
        for read in 0..=3 {
            let mut reader = (way.open)();
            reader.select(1..4).unwrap();
            for number in [1, 2, 3].into_iter().take(read) {
                assert_eq!(next(&mut reader), Some(number));
            }
            let range = (range.start_bound().cloned(), range.end_bound().cloned());
            let error = reader.select(range).unwrap_err();
            assert!(is_expected(error.kind()), "{}: {error}", way.name);
            assert_eq!(error.records(), None, "nothing was read for it");
            assert_eq!(rest(&mut reader), [1, 2, 3][read..], "{}", way.name);
            // The reader is still usable.
            reader.select(4..).unwrap();
            assert_eq!(rest(&mut reader), [4], "{}", way.name);
        }
    }
    let reversed = |first: u64, last: u64| {
        let text = format!("the range {first}..{last} ends before it starts; swap its ends");
        move |kind: &ErrorKind| kind.to_string() == text
    };
    let beyond = |index: u64| {
        let text =
            format!("record {index} is out of range; the file has 5 records (numbered from 0)");
        move |kind: &ErrorKind| kind.to_string() == text
    };
    for_each_way(&plain(2), |way| {
        for (start, end) in [(3, 1), (9, 3), (1, 0)] {
            check(&way, start..end, reversed(start, end));
        }
        check(&way, (Bound::Excluded(2), Bound::Excluded(1)), reversed(3, 1));
        check(&way, 2..6, beyond(5));
        check(&way, 2..=5, beyond(5));
        check(&way, 0..100, beyond(99));
        check(&way, 6.., beyond(6));
        check(&way, 7..7, beyond(7));
        check(&way, ..=u64::MAX, beyond(u64::MAX - 1));
        check(&way, u64::MAX.., beyond(u64::MAX));
        check(&way, (Bound::Excluded(u64::MAX), Bound::Unbounded), beyond(u64::MAX));
    });
}

#[test]
fn what_lies_behind_goes_back_or_changes_nothing() {
    for bytes in RECORD_SIZES.map(plain) {
        for_each_way(&bytes, |way| {
            let mut reader = (way.open)();
            reader.select(2..4).unwrap();
            assert_eq!(next(&mut reader), Some(2));
            match reader.select(1..2) {
                Ok(count) => {
                    assert!(way.goes_back, "{}", way.name);
                    assert_eq!((count, rest(&mut reader)), (1, vec![1]));
                }
                Err(error) => {
                    assert!(!way.goes_back, "{}", way.name);
                    assert_cannot_go_back(&error, 1, 3);
                    assert_eq!(rest(&mut reader), [3], "{}", way.name);
                }
            }
        });
    }
}

#[test]
fn after_a_file_that_ends_early() {
    for bytes in RECORD_SIZES.map(plain) {
        let size = (bytes.len() - 12) / usize::from(COUNT);
        let cut = &bytes[..bytes.len() - size - 1]; // 3 whole records
        for_each_way(cut, |way| {
            let mut reader = (way.open)();
            let error = reader.select(4..).unwrap_err();
            assert!(
                matches!(error.kind(), ErrorKind::Format(idx_core::ErrorKind::Truncated { .. })),
                "{}: {error}",
                way.name
            );
            assert_eq!(error.records(), Some(3), "{}", way.name);
            assert!(reader.next_record().is_none(), "{}", way.name);
            let again = reader.select(3..);
            if way.goes_back {
                again.unwrap();
                let error = reader.next_record().unwrap().unwrap_err();
                assert_eq!(error.records(), Some(3), "{}: {error}", way.name);
                reader.select(1..3).unwrap();
                assert_eq!(rest(&mut reader), [1, 2], "{}", way.name);
            } else {
                let error = again.unwrap_err();
                assert_eq!(error.kind().code(), "failed_earlier", "{}: {error}", way.name);
                assert!(reader.next_record().is_none(), "{}", way.name);
            }
        });
    }
}

/// A value that the type rejects ends the records, but the bytes behind it can still be read.
#[test]
fn typed_records_go_on_after_a_rejected_one() {
    #[derive(IdxRecord, Debug, PartialEq)]
    struct Label(#[idx(range = 0..=9)] u8);

    for_each_way(&file(0x08, &[5], &[1, 2, 30, 4, 5]), |way| {
        let mut labels = (way.open)().records::<Label>().unwrap();
        assert_eq!(labels.select(1..4).unwrap(), 3);
        assert_eq!(labels.next().unwrap().unwrap(), Label(2));
        let error = labels.next().unwrap().unwrap_err();
        assert_eq!(error.records(), Some(2), "{}", way.name);
        assert!(labels.next().is_none());
        let error = labels.select(4..9).unwrap_err();
        assert_eq!(error.kind().code(), "index_out_of_range", "{error}");
        assert!(labels.next().is_none());
        assert_eq!(labels.select(4..).unwrap(), 1);
        assert_eq!(labels.size_hint(), (0, Some(2)));
        assert!(labels.map(Result::unwrap).eq([Label(5)]), "{}", way.name);
    });
}
