//! Checks that streams do not depend on where they are cut.

use std::convert::Infallible;
use std::io::Read;

use idx_core::stream::{ReadError, RecordDecoder};
use idx_core::{ErrorKind, IdxRecord};
use idx_std::{IdxBuf, Reader};

use super::gzip::{is_gzip, members};
use super::input::{Input, Pieces};
use super::readers::{drain, is_endless};
use super::reference::{self, Outcome, streamed_header, streamed_of};
use super::sample::Sample;

/// The result for a stream does not depend on the places where it is cut into pieces.
///
/// Draws the lengths of the pieces.
///
/// # Panics
///
/// If it does.
pub fn stream(input: &[u8]) {
    let mut input = Input::new(input);
    let lengths = input.list();
    stream_in_pieces(input.rest(), lengths);
}

/// Like [`stream`], with these lengths of the pieces.
///
/// # Panics
///
/// If something depends on them.
pub fn stream_in_pieces(bytes: &[u8], lengths: &[u8]) {
    let pieces = Pieces::new(bytes, lengths);
    if reference::is_endless(bytes) {
        return;
    }
    for_each_sample!(stream_of(bytes, &pieces));
    let is_damaged = is_damaged(bytes);
    let whole = IdxBuf::from_reader(bytes).map(|buffer| buffer.bytes().to_vec());
    let again = IdxBuf::from_reader(pieces.clone()).map(|buffer| buffer.bytes().to_vec());
    assert_same_error(whole.as_ref().err(), again.as_ref().err(), is_damaged);
    assert_eq!(whole.ok(), again.ok());

    let (records, error) = one_by_one(bytes);
    let (again, same) = one_by_one(pieces);
    assert_same_error(error.as_ref(), same.as_ref(), is_damaged);
    assert!(is_damaged || records == again);
    assert!(records.iter().zip(&again).all(|(one, other)| one == other));
}

/// The records of a file of any type, and the error after them.
fn one_by_one(reader: impl Read) -> (Vec<Vec<u8>>, Option<idx_std::Error>) {
    match Reader::new(reader) {
        Ok(reader) if is_endless(reader.header()) => (vec![], None),
        Ok(reader) => drain(reader),
        Err(error) => (vec![], Some(error)),
    }
}

/// Two errors that say the same, unless gzip data are damaged: how much comes before the damage then
/// depends on how many bytes are decompressed at a time, and it may be wrong in another way.
fn assert_same_error(
    one: Option<&idx_std::Error>,
    other: Option<&idx_std::Error>,
    is_damaged: bool,
) {
    assert_eq!(one.is_some(), other.is_some(), "{one:?}, {other:?}");
    if !is_damaged {
        let message = idx_std::Error::sentence;
        assert_eq!(one.map(message), other.map(message));
    }
}

/// Returns whether there is a member of gzip data that cannot be decompressed.
fn is_damaged(bytes: &[u8]) -> bool {
    let (_, rest) = members(bytes);
    is_gzip(rest)
}

fn stream_of<T: Sample, const SIZE: usize>(bytes: &[u8], pieces: &Pieces<'_>) {
    let expected = streamed_of(&T::KIND, streamed_header(&T::KIND, bytes));
    assert_eq!(pushed::<T, SIZE>(pieces.clone()), expected);
    assert_eq!(pushed_bytes::<T, SIZE>(pieces.clone()), expected);
    assert_eq!(read::<T, SIZE>(pieces.clone()), expected);
    let mut decoder = RecordDecoder::<T, SIZE>::new();
    let end = decoder.read_to_end(&mut pieces.clone()).map_err(format);
    assert_eq!(end, expected.1);
}

/// The records that come out of the pieces by value, and how it ends.
pub(super) fn pushed<T: Sample, const SIZE: usize>(pieces: Pieces<'_>) -> Outcome {
    let mut decoder = RecordDecoder::<T, SIZE>::new();
    let mut records = vec![];
    for piece in pieces {
        let mut rest = piece;
        loop {
            match decoder.push(&mut rest) {
                Ok(Some(record)) => records.push(record.elements()),
                Ok(None) => break,
                Err(error) => return failed(&decoder, records, error.kind()),
            }
        }
        assert!(rest.is_empty(), "all bytes of a piece are taken");
    }
    ended(&decoder, records)
}

/// Like [`pushed`], with the bytes of each record.
fn pushed_bytes<T: IdxRecord, const SIZE: usize>(pieces: Pieces<'_>) -> Outcome {
    let mut decoder = RecordDecoder::<T, SIZE>::new();
    let mut records = vec![];
    for mut piece in pieces {
        loop {
            match decoder.push_bytes(&mut piece) {
                Ok(Some(record)) => records.push(record.to_vec()),
                Ok(None) => break,
                Err(error) => return failed(&decoder, records, error.kind()),
            }
        }
    }
    ended(&decoder, records)
}

/// Like [`pushed`], with a reader that returns the pieces, up to its end.
fn read<T: Sample, const SIZE: usize>(mut pieces: Pieces<'_>) -> Outcome {
    let mut decoder = RecordDecoder::<T, SIZE>::new();
    let mut records = vec![];
    loop {
        match decoder.read(&mut pieces) {
            Ok(Some(record)) => records.push(record.elements()),
            Ok(None) => break,
            Err(error) => return failed(&decoder, records, format(error)),
        }
    }
    assert!(decoder.is_complete());
    match decoder.read_to_end(&mut pieces) {
        Ok(()) => ended(&decoder, records),
        Err(error) => (records, Err(format(error))),
    }
}

fn format(error: ReadError<Infallible>) -> ErrorKind {
    match error {
        ReadError::Format(error) => error.kind(),
        ReadError::Read(error) => match error {},
        ReadError::Overrun => unreachable!("pieces are cut to the buffer"),
    }
}

fn failed<T: IdxRecord, const SIZE: usize>(
    decoder: &RecordDecoder<T, SIZE>,
    records: Vec<Vec<u8>>,
    error: ErrorKind,
) -> Outcome {
    assert_eq!(finish(decoder), Err(error), "an error is final");
    assert!(!decoder.is_complete() || records.is_empty());
    (records, Err(error))
}

fn ended<T: IdxRecord, const SIZE: usize>(
    decoder: &RecordDecoder<T, SIZE>,
    records: Vec<Vec<u8>>,
) -> Outcome {
    assert_eq!(decoder.records_read() as usize, records.len());
    (records, finish(decoder))
}

fn finish<T: IdxRecord, const SIZE: usize>(
    decoder: &RecordDecoder<T, SIZE>,
) -> Result<(), ErrorKind> {
    decoder.finish().map_err(|error| error.kind())
}
