//! Files of more than 2^32 bytes: sparse ones, which take no space on the disk.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;

use idx_std::{ErrorKind, IdxBuf, MappedFile, Reader};
use idx_tests::skip;

/// Records of 1 KiB, so many that their bytes do not fit 32 bits.
const RECORDS: u32 = (1 << 22) + 5;
const RECORD_SIZE: u32 = 1 << 10;
const PAYLOAD_SIZE: u64 = RECORDS as u64 * RECORD_SIZE as u64;

/// Creates a file of zeros, except that the last record is all 7.
///
/// Returns `None` if the file system has no sparse files, and says that the test is skipped.
fn sparse(test: &str, folder: &tempfile::TempDir) -> Option<PathBuf> {
    let path = folder.path().join("large-idx2-ubyte");
    let mut file = File::create(&path).unwrap();
    let header = idx_tests::file(0x08, &[RECORDS, RECORD_SIZE], &[]);
    file.write_all(&header).unwrap();
    let last = header.len() as u64 + PAYLOAD_SIZE - u64::from(RECORD_SIZE);
    let written =
        file.seek(SeekFrom::Start(last)).and_then(|_| file.write_all(&[7; RECORD_SIZE as usize]));
    if let Err(error) = written {
        skip(&format!("{test}: no sparse file of 4 GiB here: {error}"));
        return None;
    }
    Some(path)
}

#[test]
fn the_last_record_of_a_file_over_4_gib_is_found_by_position() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = sparse("seek", &folder) else {
        return;
    };
    let mut reader = Reader::open(&path).unwrap();
    reader.check_length().unwrap();
    assert_eq!(reader.header().payload_size(), PAYLOAD_SIZE);
    reader.select((u64::from(RECORDS) - 2)..).unwrap();
    assert_eq!(reader.next_record().unwrap().unwrap(), [0; 1024]);
    assert_eq!(reader.next_record().unwrap().unwrap(), [7; 1024]);
    assert!(reader.next_record().is_none());

    let mut reader = Reader::open(&path).unwrap().records::<[u8; 1024]>().unwrap();
    reader.select((u64::from(RECORDS) - 1)..).unwrap();
    assert_eq!(reader.next().unwrap().unwrap(), [7; 1024]);
    assert!(reader.next().is_none());
}

#[test]
#[ignore = "reads 4 GiB; `.ci/full` runs it"]
fn a_file_over_4_gib_is_streamed_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = sparse("stream", &folder) else {
        return;
    };
    let mut reader = Reader::open(&path).unwrap();
    let (mut records, mut last) = (0, 0);
    while let Some(record) = reader.next_record() {
        last = record.unwrap()[0];
        records += 1;
    }
    assert_eq!((records, last), (RECORDS, 7));
}

/// The error about a truncated file has numbers beyond 32 bits.
#[test]
fn a_file_over_4_gib_that_is_cut_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = sparse("cut", &folder) else {
        return;
    };
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(12 + PAYLOAD_SIZE - 1).unwrap();
    let mut reader = Reader::open(&path).unwrap();
    let error = reader.check_length().unwrap_err();
    assert_eq!(error.records(), Some(u64::from(RECORDS) - 1));
    reader.select((u64::from(RECORDS) - 1)..).unwrap();
    let error = reader.next_record().unwrap().unwrap_err();
    assert_eq!(
        error.sentence(),
        "the payload is truncated: expected 4294972416 bytes, found 4294972415 (1 missing); download or copy the file again (after 4194308 whole records)"
    );
}

/// If that much memory cannot be addressed, an error says so.
#[test]
fn a_file_over_4_gib_is_opened_whole_or_refused_by_a_small_machine() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = sparse("open", &folder) else {
        return;
    };
    if cfg!(target_pointer_width = "64") {
        // In its pages, and none is touched; `open` would take the memory.
        // SAFETY: nobody else knows the folder.
        let mapped = unsafe { MappedFile::open(&path) }.and_then(IdxBuf::from_mapped).unwrap();
        let records = mapped.records::<[u8; 1024]>().unwrap();
        assert_eq!(records.len() as u64, u64::from(RECORDS));
        assert_eq!(records.get(records.len() - 1), Some([7; 1024]));
    } else {
        let error = idx_std::open(&path).unwrap_err();
        assert!(matches!(
            error.kind(),
            ErrorKind::Format(idx_core::ErrorKind::Unaddressable { .. })
        ));
        let error = idx_std::load::<u8>(&path).unwrap_err();
        assert!(matches!(
            error.kind(),
            ErrorKind::Format(idx_core::ErrorKind::Unaddressable { .. })
        ));
    }
}

/// With as much memory as the file has bytes.
#[test]
#[ignore = "takes 4 GiB of memory; `.ci/full` runs it"]
#[cfg(target_pointer_width = "64")]
fn a_file_over_4_gib_is_opened_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = sparse("open in memory", &folder) else {
        return;
    };
    let whole = idx_std::open(&path).unwrap();
    assert_eq!(whole.as_idx().payload().len() as u64, PAYLOAD_SIZE);
    assert_eq!(whole.as_idx().record_bytes(RECORDS as usize - 1), Some(&[7; 1024][..]));
}
