//! Checks that all readers accept the same files and report the same errors.

use idx_core::{Error, ErrorKind, Idx, Records};
use idx_std::{IdxBuf, Reader};

use super::input::Pieces;
use super::readers::{drain, drain_of, expect_unfinished, format_of};
use super::records::elements;
use super::reference::{
    File, compared, finished, first, is_endless, streamed_header, streamed_of, whole, whole_of,
};
use super::sample::Sample;
use super::stream::pushed;

/// All readers accept the same files, and report the same first error, with the same numbers, for all others.
///
/// They may differ only in this:
/// - The readers of idx-std decompress gzip data; idx-core reports that it is gzip. The check
///   [`gzip`](super::gzip()) covers the decompressed content.
/// - The readers of a stream of typed records (`RecordReader`, `RecordDecoder`) report a wrong element type,
///   rank, shape or value when they reach it, and a truncated payload or extra bytes last.
/// - `Records::parse` and the streams of idx-core compare the header with the record type in the order of
///   its bytes; all others judge the file before the type.
/// - On a 32-bit machine the views report that a payload is too large for a slice, and `Reader` and
///   `RecordReader` that a record is; the other readers report where the file is truncated.
/// - A stream stops counting extra bytes after 1 MiB. No input here is that long.
///
/// # Panics
///
/// If they differ otherwise.
pub fn agreement(bytes: &[u8]) {
    if bytes.starts_with(&[0x1F, 0x8B]) {
        assert_eq!(kind(Idx::parse(bytes)), Err(ErrorKind::Gzip));
        return;
    }
    if let Some(finished) = finished(bytes) {
        assert_eq!(kind(Idx::parse(bytes)).err(), whole(bytes).err());
        return expect_unfinished(bytes, &finished);
    }
    untyped(bytes);
    let buffer = IdxBuf::from_bytes(bytes).ok();
    for_each_sample!(typed(bytes, buffer.as_ref()));
}

fn kind<T>(parsed: Result<T, Error>) -> Result<T, ErrorKind> {
    parsed.map_err(|error| error.kind())
}

fn untyped(bytes: &[u8]) {
    assert_eq!(kind(Idx::parse(bytes)).err(), whole(bytes).err());
    let expected = File::parse(bytes).and_then(|file| file.check_end());
    for buffer in [IdxBuf::from_bytes(bytes), IdxBuf::from_reader(bytes)] {
        match buffer {
            Ok(buffer) => {
                assert_eq!(expected, Ok(()));
                assert_eq!(buffer.bytes(), bytes);
            }
            Err(error) => {
                assert_eq!(Err(format_of(&error)), expected);
                assert_eq!(error.records(), records_before_end(bytes));
            }
        }
    }
    match (Reader::new(bytes), File::parse(bytes)) {
        (Ok(_), Ok(file)) if file.is_endless() => {}
        (Ok(reader), Ok(file)) => {
            let (records, error) = drain(reader);
            assert!(records.iter().eq(file.records()));
            let expected = file.unaddressable_record().or(expected.err());
            assert_eq!(error.as_ref().map(format_of), expected);
            if let Some(error) = error {
                assert_eq!(error.records(), records_before_end(bytes));
            }
        }
        (Err(error), Err(expected)) => {
            assert_eq!(format_of(&error), expected);
            assert_eq!(error.records(), None);
        }
        (reader, expected) => panic!("{reader:?}, expected {expected:?}"),
    }
}

/// The number of whole records that come with an error after the header.
fn records_before_end(bytes: &[u8]) -> Option<u64> {
    Some(File::parse(bytes).ok()?.whole_records())
}

fn typed<T: Sample, const SIZE: usize>(bytes: &[u8], buffer: Option<&IdxBuf>) {
    let expected = whole_of(&T::KIND, bytes);
    let refusal = expected.as_ref().err();
    let parsed = Idx::parse(bytes).and_then(|idx| idx.records::<T>());
    assert_eq!(kind(parsed).as_ref().err(), refusal);
    assert_eq!(kind(Records::<T>::parse(bytes)).err(), compared(&T::KIND, bytes).err());
    if let Some(buffer) = buffer {
        let error = buffer.records::<T>().err();
        assert_eq!(error.as_ref().map(format_of).as_ref(), refusal);
    }
    if is_endless(bytes) {
        return;
    }

    assert_eq!(
        pushed::<T, SIZE>(Pieces::new(bytes, &[])),
        streamed_of(&T::KIND, streamed_header(&T::KIND, bytes))
    );
    let header =
        File::parse(bytes).and_then(|file| first([file.mismatch(&T::KIND)]).map(|()| file));
    let (expected, end) = streamed_of(&T::KIND, header);
    match Reader::new(bytes).and_then(|reader| reader.records::<T>()) {
        Ok(reader) => {
            let (records, error) = drain_of(reader);
            assert_eq!(elements(records), expected.concat());
            assert_eq!(error.as_ref().map(format_of), end.err());
            if let Some(error) = error {
                assert_eq!(error.records(), Some(expected.len() as u64));
            }
        }
        Err(error) => {
            assert_eq!(Err(format_of(&error)), end);
            assert_eq!(expected.len(), 0);
        }
    }
}
