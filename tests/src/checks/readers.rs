//! Drains readers and compares their errors, for several checks.

use std::io::Read;

use idx_std::{Error, ErrorKind, HeaderBuf, IdxBuf, IdxRecord, Reader, RecordReader};

use super::reference::{File, MOST_EMPTY_RECORDS};

/// All records of a reader, and the error that ended them.
pub(super) fn drain<R: Read>(mut reader: Reader<R>) -> (Vec<Vec<u8>>, Option<Error>) {
    let mut records = vec![];
    let error = loop {
        match reader.next_record() {
            Some(Ok(record)) => records.push(record.to_vec()),
            Some(Err(error)) => break Some(error),
            None => break None,
        }
    };
    assert!(reader.next_record().is_none(), "the end is the end");
    (records, error)
}

/// Like [`drain`], for records by value.
pub(super) fn drain_of<T: IdxRecord, R: Read>(
    mut reader: RecordReader<T, R>,
) -> (Vec<T>, Option<Error>) {
    let mut records = vec![];
    let error = loop {
        match reader.next() {
            Some(Ok(record)) => records.push(record),
            Some(Err(error)) => break Some(error),
            None => break None,
        }
    };
    assert!(reader.next().is_none(), "the end is the end");
    (records, error)
}

/// Returns whether there are too many records of no bytes to iterate over.
pub(super) fn is_endless(header: &HeaderBuf) -> bool {
    header.record_size() == Some(0) && u64::from(header.record_count()) > MOST_EMPTY_RECORDS
}

/// The same error in idx-core; `None` for errors of gzip and of the operating system.
///
/// idx-std knows more: the format of a file that is not IDX, and gzip within gzip.
pub(super) fn format(error: &Error) -> Option<idx_core::ErrorKind> {
    match error.kind() {
        ErrorKind::Format(error) | ErrorKind::NotIdx { error, .. } => Some(*error),
        ErrorKind::TrailingBytes { offset, count, at_least: false, .. } => {
            Some(idx_core::ErrorKind::TrailingBytes { offset: *offset, count: *count })
        }
        ErrorKind::GzipInGzip => Some(idx_core::ErrorKind::Gzip),
        _ => None,
    }
}

/// Checks the errors for a file that is not finished, which would start like this if it were.
pub(super) fn expect_unfinished(bytes: &[u8], finished: &[u8]) {
    for error in [
        IdxBuf::from_bytes(bytes).err(),
        IdxBuf::from_reader(bytes).err(),
        Reader::new(bytes).err(),
    ] {
        let error = error.expect("it is not finished");
        match File::parse(finished) {
            Ok(_) => assert!(matches!(error.kind(), ErrorKind::Unfinished { .. })),
            Err(expected) => assert_eq!(format_of(&error), expected),
        }
    }
}

/// Like [`format`], for an error that must be one of the format.
pub(super) fn format_of(error: &Error) -> idx_core::ErrorKind {
    format(error).unwrap_or_else(|| panic!("{error:?}"))
}
