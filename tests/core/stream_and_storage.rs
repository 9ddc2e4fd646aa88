//! Files that come in pieces, and files in external flash, give the same results as files in memory, wherever
//! they are cut.

use std::fmt::Debug;
use std::future::poll_fn;
use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_io::ErrorKind as LineError;
use embedded_storage::ReadStorage;
use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash, check_read};
use idx_core::storage::{Aligned, Located, Seekable, Storage, StorageError};
use idx_core::stream::{ReadError, RecordDecoder};
use idx_core::{ElementType, ErrorKind, Header, IdxRecord, Records, be};
use idx_tests::{file, file_of};

// The files

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Point {
    x: i16,
    y: i16,
    #[idx(range = -3..=3)]
    z: i16,
}

#[derive(IdxRecord, Clone, Debug, PartialEq)]
#[repr(i32)]
enum Switch {
    Off = 0,
    On = 258,
}

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Digit([[u8; 28]; 28]);

/// A generic record of several fields, which brings no memory of its own.
#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Pair<const N: usize> {
    first: [i8; N],
    second: [i8; N],
}

fn digits(count: u32) -> Vec<u8> {
    let pixels: Vec<u8> = (0..count * 784).map(|i| (i % 251) as u8).collect();
    file_of::<Digit>(&pixels)
}

/// Does something with small good files of all kinds; `N` is the size of the record.
macro_rules! for_each_small_file {
    ($check:ident) => {
        $check::<u8, 1>(&file_of::<u8>(&[7, 0, 0xFF]));
        $check::<u8, 9>(&file(0x08, &[], &[5])); // rank 0, and a larger buffer than needed
        $check::<u8, 1>(&file(0x08, &[0], &[]));
        $check::<Label, 1>(&file_of::<Label>(&[0, 9, 5, 1]));
        $check::<i8, 1>(&file_of::<i8>(&[0x80, 0x7F]));
        $check::<[i16; 2], 4>(&file_of::<[i16; 2]>(&[0, 1, 0, 2, 0xFF, 0xFE, 0x12, 0x34]));
        $check::<Point, 6>(&file_of::<Point>(&[
            1, 2, 3, 4, 0, 3, 5, 6, 7, 8, 0xFF, 0xFD, 1, 1, 1, 1, 0, 0,
        ]));
        $check::<Switch, 4>(&file_of::<Switch>(&[0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 1, 2]));
        $check::<f32, 4>(&file_of::<f32>(&[0x3F, 0xC0, 0, 0]));
        $check::<[be::F64; 1], 8>(&file_of::<[be::F64; 1]>(&[0x3F, 0xF8, 0, 0, 0, 0, 0, 0]));
        $check::<[[u8; 3]; 2], 6>(&file_of::<[[u8; 3]; 2]>(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6]));
        $check::<[[u8; 3]; 2], 6>(&file(0x08, &[0, 2, 3], &[]));
        $check::<[[u8; 0]; 3], 0>(&file(0x08, &[4, 3, 0], &[]));
        $check::<[[u8; 0]; 3], 0>(&file(0x08, &[0, 3, 0], &[]));
        $check::<[[[u8; 1]; 2]; 1], 2>(&file_of::<[[[u8; 1]; 2]; 1]>(&[1, 2, 3, 4]));
    };
}

/// One of this many cases is tested: all of them, except under Miri, which takes about a hundred times as
/// long.
const STRIDE: usize = if cfg!(miri) { 15 } else { 1 };

/// The header of a good file is damaged in each byte in turn, in all ways.
fn with_damaged_header<T: IdxRecord>(good: &[u8], mut check: impl FnMut(&[u8])) {
    let mut bytes = good.to_vec();
    for offset in 0..4 + 4 * usize::from(good[3]) {
        // Only the header gives the number of records of no bytes: thousands take long, and under Miri
        // hundreds.
        let high_count = if cfg!(miri) { 4..8 } else { 4..7 };
        let last = if T::SIZE == 0 && high_count.contains(&offset) { 0 } else { u8::MAX };
        for change in (1..=last).step_by(STRIDE * STRIDE) {
            bytes[offset] ^= change;
            check(&bytes);
            bytes[offset] ^= change;
        }
    }
}

/// Pseudo-random numbers (xorshift), the same in each run.
struct Random(u32);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 as usize % end
    }
}

// Streams

/// The returned records, as bytes, and the result at the end.
type Outcome = (Vec<Vec<u8>>, Result<(), ErrorKind>);

/// The expected result of a stream of these bytes, derived from that of the bytes in memory.
fn expected<T: IdxRecord>(bytes: &[u8]) -> Outcome {
    if let Some(error) = header_error::<T>(bytes) {
        return (vec![], Err(error));
    }
    let (header, payload) = Header::parse(bytes).unwrap();
    let mut records = vec![];
    let mut rest = payload;
    for record in 0..u64::from(header.record_count()) {
        let Some((bytes, after)) = rest.split_at_checked(T::SIZE) else {
            break;
        };
        let one = file(T::ELEMENT.code(), &[&[1], T::SHAPE].concat(), bytes);
        match Records::<T>::parse(&one).map_err(|error| error.kind()) {
            Ok(_) => records.push(bytes.to_vec()),
            Err(ErrorKind::ValueNotAllowed { value, .. }) => {
                return (records, Err(ErrorKind::ValueNotAllowed { record, value }));
            }
            Err(error) => panic!("{error}"),
        }
        rest = after;
    }
    let needed = header.payload_size();
    let found = payload.len() as u64;
    let end = if found < needed {
        Err(ErrorKind::Truncated { needed, found })
    } else if found > needed {
        Err(ErrorKind::TrailingBytes {
            offset: header.header_size() as u64 + needed,
            count: found - needed,
        })
    } else {
        Ok(())
    };
    (records, end)
}

/// The error in the header. A stream reports a wrong size before it knows that others are missing.
fn header_error<T: IdxRecord>(bytes: &[u8]) -> Option<ErrorKind> {
    let of = |bytes| match Records::<T>::parse(bytes).map_err(|error| error.kind()) {
        Ok(_)
        | Err(
            ErrorKind::Truncated { .. }
            | ErrorKind::TrailingBytes { .. }
            | ErrorKind::Unaddressable { .. }
            | ErrorKind::ValueNotAllowed { .. },
        ) => None,
        Err(error) => Some(error),
    };
    let error = of(bytes)?;
    if !matches!(error, ErrorKind::HeaderTruncated { needed: 8.., .. }) {
        return Some(error);
    }
    let whole_words = bytes.len() / 4 * 4;
    let good = file(T::ELEMENT.code(), &[&[0], T::SHAPE].concat(), b"");
    of(&[&bytes[..whole_words], &good[whole_words..]].concat()).or(Some(error))
}

/// The error of a view of these bytes on a machine whose `usize` can hold every size.
///
/// Streams and storages keep at most one record, so their results are the same on all machines.
fn with_large_memory(error: ErrorKind, bytes: &[u8]) -> ErrorKind {
    match (error, Header::parse(bytes)) {
        (ErrorKind::Unaddressable { size: needed }, Ok((_, payload))) => {
            ErrorKind::Truncated { needed, found: payload.len() as u64 }
        }
        _ => error,
    }
}

/// As [`expected`], which differs from `Records::parse` only where a stream cannot know the length.
#[track_caller]
fn expected_as_parsed<T: IdxRecord>(bytes: &[u8]) -> Outcome {
    let (records, end) = expected::<T>(bytes);
    let parsed = Records::<T>::parse(bytes);
    let parsed = parsed.map_err(|error| with_large_memory(error.kind(), bytes));
    match (parsed, end) {
        (Ok(parsed), end) => {
            assert_eq!(end, Ok(()));
            assert!((0..parsed.len()).all(|i| parsed.record_bytes(i) == Some(&records[i])));
            assert_eq!(parsed.len(), records.len());
        }
        (
            Err(ErrorKind::Truncated { .. } | ErrorKind::TrailingBytes { .. }),
            Err(ErrorKind::ValueNotAllowed { .. }),
        )
        | (Err(ErrorKind::HeaderTruncated { .. }), Err(ErrorKind::ShapeMismatch { .. })) => {}
        (Err(error), end) => assert_eq!(end, Err(error)),
    }
    (records, end)
}

fn encoded<T: IdxRecord>(record: &T) -> Vec<u8> {
    let mut bytes = vec![0; T::SIZE];
    record.encode(&mut bytes).unwrap();
    bytes
}

/// Pushes the pieces, all of them, as values or as bytes.
fn pushed<'a, T: IdxRecord, const N: usize>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    by_value: bool,
) -> Outcome {
    let mut decoder = RecordDecoder::<T, N>::new();
    let mut records = vec![];
    for mut piece in pieces {
        loop {
            let record = if by_value {
                decoder.push(&mut piece).map(|record| record.as_ref().map(encoded))
            } else {
                decoder.push_bytes(&mut piece).map(|bytes| bytes.map(<[u8]>::to_vec))
            };
            match record {
                Ok(Some(record)) => records.push(record),
                Ok(None) => break,
                Err(error) => {
                    // It is final.
                    assert_eq!(decoder.push_bytes(&mut &[0; 99][..]), Err(error));
                    assert_eq!(decoder.finish(), Err(error));
                    assert_eq!(decoder.record_count(), None);
                    assert!(!decoder.is_complete());
                    return (records, Err(error.kind()));
                }
            }
        }
        assert!(piece.is_empty(), "a piece is taken whole");
    }
    let end = decoder.finish().map_err(|error| error.kind());
    assert_eq!(decoder.is_complete(), matches!(end, Ok(()) | Err(ErrorKind::TrailingBytes { .. })));
    assert_eq!(decoder.records_read() as usize, records.len());
    (records, end)
}

/// The bytes cut once and twice, at all positions.
fn every_two_cuts<T: IdxRecord, const N: usize>(bytes: &[u8]) {
    let expected = expected_as_parsed::<T>(bytes);
    for first in (0..=bytes.len()).step_by(STRIDE) {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(pushed::<T, N>(pieces, true), expected);
            assert_eq!(pushed::<T, N>(pieces, false), expected);
        }
    }
}

#[test]
fn every_cut() {
    for_each_small_file!(every_two_cuts);
}

/// Whole, byte by byte and in pieces of 3; for every length of the file, and with some extra bytes.
fn every_length<T: IdxRecord, const N: usize>(good: &[u8]) {
    let longer = [good, &[0xFF; 5]].concat();
    for len in (0..=longer.len()).step_by(STRIDE) {
        let bytes = &longer[..len];
        let expected = expected_as_parsed::<T>(bytes);
        assert_eq!(pushed::<T, N>([bytes], true), expected);
        assert_eq!(pushed::<T, N>(bytes.chunks(1), true), expected);
        assert_eq!(pushed::<T, N>(bytes.chunks(3), false), expected);
    }
}

#[test]
fn truncations_and_trailing_bytes() {
    for_each_small_file!(every_length);
}

fn every_damaged_header<T: IdxRecord, const N: usize>(good: &[u8]) {
    with_damaged_header::<T>(good, |bytes| {
        let expected = expected_as_parsed::<T>(bytes);
        assert_eq!(pushed::<T, N>([bytes], false), expected);
        assert_eq!(pushed::<T, N>(bytes.chunks(5), true), expected);
    });
}

#[test]
fn damaged_headers() {
    for_each_small_file!(every_damaged_header);
}

#[test]
fn errors_of_headers_come_in_order() {
    const MANY: u32 = 1 << 31;
    fn error_of<T: IdxRecord, const N: usize>(bytes: &[u8]) -> ErrorKind {
        let expected = expected_as_parsed::<T>(bytes);
        assert_eq!(pushed::<T, N>(bytes.chunks(1), true), expected);
        expected.1.unwrap_err()
    }
    // The element type is compared before the rank, and both before the sizes are multiplied.
    let element = error_of::<i16, 2>(&file(0x08, &[MANY, MANY, 4], &[1]));
    assert_eq!(
        element,
        ErrorKind::ElementMismatch { expected: ElementType::I16, found: ElementType::U8 }
    );
    let rank = error_of::<u8, 1>(&file(0x08, &[MANY, MANY, 4], &[]));
    assert_eq!(rank, ErrorKind::RankMismatch { expected: 1, found: 3 });
    let shape = error_of::<[[u8; 3]; 2], 6>(&file(0x08, &[1, 3, 2], &[0; 6]));
    assert_eq!(shape, ErrorKind::ShapeMismatch { dimension: 1, expected: 2, found: 3 });
    assert_eq!(error_of::<u8, 1>(&[0x1F, 0x8B, 8, 0]), ErrorKind::Gzip);
    for start in [&[0x1F, 0x8B][..], &[0x1F], &[0, 0, 0x0A]] {
        let found = start.len();
        let needed = 4;
        assert_eq!(error_of::<u8, 1>(start), ErrorKind::HeaderTruncated { needed, found });
    }
    assert_eq!(error_of::<u8, 1>(b"\x89PNG"), ErrorKind::NotIdx { start: *b"\x89PNG" });
    assert_eq!(error_of::<u8, 1>(&[0, 0, 0x0A, 1]), ErrorKind::UnknownElementType { code: 0x0A });
    assert_eq!(error_of::<u8, 1>(&[]), ErrorKind::Empty);
    let rank_255 = file(0x08, &[1; 255], &[0]);
    assert_eq!(error_of::<u8, 1>(&rank_255), ErrorKind::RankMismatch { expected: 1, found: 255 });
    assert_eq!(
        error_of::<[u8; 2], 2>(&file(0x08, &[1, 2], b"")[..11]),
        ErrorKind::HeaderTruncated { needed: 12, found: 11 }
    );
    // All bytes in memory are counted first.
    let cut_and_wrong = &file(0x08, &[1, 3, 2], b"")[..15];
    let parsed = Records::<[[u8; 2]; 2]>::parse(cut_and_wrong).unwrap_err();
    assert_eq!(parsed, ErrorKind::HeaderTruncated { needed: 16, found: 15 });
    assert_eq!(
        error_of::<[[u8; 2]; 2], 4>(cut_and_wrong),
        ErrorKind::ShapeMismatch { dimension: 1, expected: 2, found: 3 }
    );
}

#[test]
#[cfg_attr(miri, ignore = "reads 15,680 bytes one by one, many times")]
fn pieces_of_usual_sizes() {
    let bytes = digits(20);
    let expected = expected_as_parsed::<Digit>(&bytes);
    assert_eq!(expected.0.len(), 20);
    for size in [1, 7, 64, 512, 4096, bytes.len()] {
        assert_eq!(pushed::<Digit, 784>(bytes.chunks(size), true), expected);
        assert_eq!(pushed::<Digit, 1000>(bytes.chunks(size), false), expected);
    }
}

#[test]
fn random_pieces() {
    let mut random = Random(20_260_701);
    let good = digits(5);
    for _ in (0..300).step_by(STRIDE) {
        let mut bytes = good[..random.below(good.len() + 1)].to_vec();
        bytes.resize(bytes.len() + random.below(20), 0);
        if random.below(3) == 0 && bytes.len() > 16 {
            bytes[random.below(16)] = random.below(256) as u8;
        }
        let expected = expected_as_parsed::<Digit>(&bytes);
        let mut pieces = vec![];
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(random.below(1000).min(rest.len()));
            pieces.push(piece); // some are empty
            rest = after;
        }
        assert_eq!(pushed::<Digit, 784>(pieces, random.below(2) == 0), expected);
    }
}

#[test]
fn values_are_checked_with_their_record() {
    let bytes = file_of::<Label>(&[1, 2, 10, 3, 99]);
    let outcome = pushed::<Label, 1>(bytes.chunks(4), true);
    let refused = ErrorKind::ValueNotAllowed { record: 2, value: 10 };
    assert_eq!(outcome, (vec![vec![1], vec![2]], Err(refused)));
    assert_eq!(pushed::<Label, 1>(bytes.chunks(4), false), outcome);
    assert_eq!(Records::<Label>::parse(&bytes).unwrap_err(), refused);

    let bytes = file_of::<Point>(&[0, 9, 0, 9, 0, 3, 0, 9, 0, 9, 0xFF, 0xFC]);
    let refused = Err(ErrorKind::ValueNotAllowed { record: 1, value: -4 });
    assert_eq!(pushed::<Point, 6>(bytes.chunks(1), true).1, refused);
    assert_eq!(pushed::<Point, 6>(bytes.chunks(1), false).1, refused);

    let bytes = file_of::<Switch>(&[0, 0, 1, 1]);
    let refused = Err(ErrorKind::ValueNotAllowed { record: 0, value: 257 });
    assert_eq!(pushed::<Switch, 4>([&bytes[..]], true).1, refused);
    assert_eq!(pushed::<Switch, 4>([&bytes[..]], false).1, refused);
}

/// A prefix leaves the bytes after it, at every cut.
fn every_prefix<T: IdxRecord, const N: usize>(good: &[u8]) {
    let expected = expected_as_parsed::<T>(good);
    let bytes = [good, b"rest"].concat();
    for cut in 0..=bytes.len() {
        let mut decoder = RecordDecoder::<T, N>::new_prefix();
        let mut records = vec![];
        let mut left: Vec<u8> = vec![];
        for mut piece in [&bytes[..cut], &bytes[cut..]] {
            while let Some(record) = decoder.push_bytes(&mut piece).unwrap() {
                records.push(record.to_vec());
            }
            left.extend(piece);
        }
        let end = decoder.finish().map_err(|error| error.kind());
        assert_eq!((records, end), expected);
        assert_eq!(left, b"rest");
    }
}

#[test]
fn prefixes() {
    for_each_small_file!(every_prefix);
}

#[test]
fn what_a_decoder_knows() {
    static DECODER: RecordDecoder<Digit, 784> = RecordDecoder::new();
    assert_eq!((DECODER.record_count(), DECODER.records_read()), (None, 0));
    fn sendable<T: Send + Sync + Unpin + Debug + Default>() {}
    sendable::<RecordDecoder<Digit, 784>>();

    let mut decoder = RecordDecoder::<u8, 1>::default();
    assert_eq!(format!("{decoder:?}"), "RecordDecoder { header_bytes: 0, records_read: 0, .. }");
    assert_eq!(decoder.push(&mut &[0, 0, 8, 1, 0, 0, 0, 2, 5][..]), Ok(Some(5)));
    assert_eq!((decoder.record_count(), decoder.records_read()), (Some(2), 1));
    assert_eq!(format!("{decoder:?}"), "RecordDecoder { record_count: 2, records_read: 1, .. }");
    // A record with a value that is not allowed is not read, and the next file starts anew.
    let mut labels = RecordDecoder::<Label, 1>::new_prefix();
    let bytes = file_of::<Label>(&[1, 2, 77, 3]);
    for _ in 0..2 {
        let mut rest = &bytes[..];
        assert_eq!(labels.push(&mut rest), Ok(Some(Label(1))));
        assert_eq!(labels.push(&mut rest), Ok(Some(Label(2))));
        let refused = labels.push(&mut rest).unwrap_err();
        assert_eq!(refused, ErrorKind::ValueNotAllowed { record: 2, value: 77 });
        assert_eq!((labels.finish(), labels.records_read()), (Err(refused), 2));
        labels.reset();
        assert_eq!((labels.record_count(), labels.records_read()), (None, 0));
        assert_eq!(labels.push(&mut &bytes[..3]), Ok(None));
        labels.reset(); // in a header, too
    }
    assert_eq!(labels.push(&mut &file_of::<Label>(&[])[..]), Ok(None));
    let mut rest = &b"next"[..];
    assert_eq!(labels.push(&mut rest), Ok(None));
    assert_eq!((labels.finish(), rest), (Ok(()), &b"next"[..]), "it is one for a prefix still");
    decoder.reset();
    assert_eq!(decoder.push(&mut &[0, 0, 8, 1, 0, 0, 0, 2, 5][..]), Ok(Some(5)));
    // Trailing bytes are counted over several pieces.
    assert_eq!(decoder.push(&mut &[6, 7, 8][..]), Ok(Some(6)));
    assert!(decoder.is_complete());
    assert_eq!(decoder.push(&mut &[7, 8][..]), Ok(None));
    assert_eq!(decoder.push(&mut &[9][..]), Ok(None));
    assert_eq!(decoder.finish().unwrap_err(), ErrorKind::TrailingBytes { offset: 10, count: 3 });
}

// Readers

/// Whatever came of a file before, a decoder that was reset reads the next one.
#[test]
fn a_decoder_starts_again_anywhere() {
    let file = file_of::<[i16; 2]>(&[0, 1, 0, 2, 0, 3, 0, 4]);
    let records = [[1, 2], [3, 4]];
    let extra = [&file[..], &[7; 3]].concat();
    for len in 0..=extra.len() {
        let mut decoder = RecordDecoder::<[i16; 2], 4>::new();
        let mut rest = &extra[..len];
        while decoder.push(&mut rest).unwrap().is_some() {}
        decoder.reset();
        let mut rest = &file[..];
        for record in records {
            assert_eq!(decoder.push(&mut rest), Ok(Some(record)), "after {len} bytes");
        }
        assert_eq!((decoder.push(&mut rest), decoder.finish()), (Ok(None), Ok(())));
    }
}

/// A line that returns at most this many bytes at once, fails now and then, and is sometimes not ready.
struct Line<'a> {
    rest: &'a [u8],
    most: usize,
    calls: usize,
    fails: bool,
}

impl<'a> Line<'a> {
    fn new(bytes: &'a [u8], most: usize, fails: bool) -> Self {
        Self { rest: bytes, most, calls: 0, fails }
    }
}

impl embedded_io::ErrorType for Line<'_> {
    type Error = LineError;
}

impl embedded_io::Read for Line<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LineError> {
        assert!(!buffer.is_empty(), "0 bytes would look like the end");
        self.calls += 1;
        if self.fails && self.calls.is_multiple_of(3) {
            return Err(LineError::TimedOut);
        }
        let count = buffer.len().min(self.most).min(self.rest.len());
        let (given, rest) = self.rest.split_at(count);
        buffer[..count].copy_from_slice(given);
        self.rest = rest;
        Ok(count)
    }
}

impl embedded_io_async::Read for Line<'_> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LineError> {
        wait_if(self.calls.is_multiple_of(2)).await;
        embedded_io::Read::read(self, buffer)
    }
}

/// Answers `Pending` once.
async fn wait_if(condition: bool) {
    let mut waits = condition;
    poll_fn(|_| if std::mem::take(&mut waits) { Poll::Pending } else { Poll::Ready(()) }).await;
}

/// The smallest executor: polls until the future is ready.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

/// How a line is read.
#[derive(Clone, Copy, Debug)]
enum How {
    ByValue,
    Bytes,
    Async,
    BytesAsync,
    /// The future is dropped whenever it has to wait, and a new one is made.
    Dropped,
}

/// Reads all records, goes on after errors of the line, and reads to its end.
fn read<T: IdxRecord, const N: usize>(line: &mut Line<'_>, how: How) -> Outcome {
    let mut decoder = RecordDecoder::<T, N>::new();
    let mut records = vec![];
    loop {
        let record = match how {
            How::ByValue => decoder.read(line).map(|record| record.as_ref().map(encoded)),
            How::Bytes => decoder.read_bytes(line).map(|bytes| bytes.map(<[u8]>::to_vec)),
            How::Async => {
                block_on(decoder.read_async(line)).map(|record| record.as_ref().map(encoded))
            }
            How::BytesAsync => {
                block_on(decoder.read_bytes_async(line)).map(|bytes| bytes.map(<[u8]>::to_vec))
            }
            How::Dropped => {
                let mut context = Context::from_waker(Waker::noop());
                let poll = pin!(decoder.read_async(line)).poll(&mut context);
                let Poll::Ready(record) = poll else {
                    line.calls += 1; // or it would wait forever
                    continue;
                };
                record.map(|record| record.as_ref().map(encoded))
            }
        };
        match record {
            Ok(Some(record)) => records.push(record),
            Ok(None) => break,
            Err(ReadError::Read(LineError::TimedOut)) => {}
            Err(ReadError::Read(error)) => panic!("{error:?}"),
            Err(ReadError::Format(error)) => return (records, Err(error.kind())),
            Err(ReadError::Overrun) => panic!("the line takes the length of the buffer"),
        }
    }
    let left = line.rest.len();
    loop {
        let end = match how {
            How::ByValue | How::Bytes => decoder.read_to_end(line),
            _ => block_on(decoder.read_to_end_async(line)),
        };
        match end {
            Ok(()) => {
                assert_eq!(left, 0);
                return (records, Ok(()));
            }
            Err(ReadError::Read(_)) => {}
            Err(ReadError::Overrun) => panic!("the line takes the length of the buffer"),
            Err(ReadError::Format(error)) => {
                let error = error.kind();
                assert!(
                    // No byte of them was read before.
                    matches!(error, ErrorKind::TrailingBytes { count, .. } if count == left as u64),
                    "{error}"
                );
                return (records, Err(error));
            }
        }
    }
}

const EVERY_WAY: [How; 5] = [How::ByValue, How::Bytes, How::Async, How::BytesAsync, How::Dropped];

fn every_line<T: IdxRecord, const N: usize>(good: &[u8]) {
    let longer = [good, &[0xFF; 20]].concat();
    for how in EVERY_WAY {
        for len in (0..=longer.len()).step_by(STRIDE) {
            let bytes = &longer[..len];
            let expected = expected_as_parsed::<T>(bytes);
            for most in [1, 3, usize::MAX] {
                for fails in [false, true] {
                    let outcome = read::<T, N>(&mut Line::new(bytes, most, fails), how);
                    assert_eq!(outcome, expected, "{how:?}");
                }
            }
        }
        with_damaged_header::<T>(good, |bytes| {
            let outcome = read::<T, N>(&mut Line::new(bytes, 5, false), how);
            assert_eq!(outcome, expected_as_parsed::<T>(bytes), "{how:?}");
        });
    }
}

#[test]
fn lines() {
    for_each_small_file!(every_line);
}

#[test]
#[cfg_attr(miri, ignore = "reads 15,680 bytes one by one, many times")]
fn lines_of_large_records() {
    let bytes = digits(20);
    let expected = expected_as_parsed::<Digit>(&bytes);
    for how in EVERY_WAY {
        for most in [1, 7, 64, 512] {
            let mut line = Line::new(&bytes, most, true);
            assert_eq!(read::<Digit, 784>(&mut line, how), expected);
        }
    }
    // A slice is a reader as well, and reading is direct: header, then one call for each record.
    let mut line = Line::new(&bytes, usize::MAX, false);
    assert_eq!(read::<Digit, 784>(&mut line, How::Bytes), expected);
    assert_eq!(line.calls, 4 + 20 + 1);
}

/// Claims to have read this many bytes more than fit into the buffer.
struct Liar(usize);

impl embedded_io::ErrorType for Liar {
    type Error = LineError;
}

impl embedded_io::Read for Liar {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LineError> {
        buffer.fill(0);
        Ok(buffer.len() + self.0)
    }
}

impl embedded_io_async::Read for Liar {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, LineError> {
        embedded_io::Read::read(self, buffer)
    }
}

#[test]
fn a_reader_that_claims_too_much_is_an_error() {
    for more in [1, 1_000] {
        claims_too_much(Liar(more));
    }
}

fn claims_too_much(mut liar: Liar) {
    let overrun = ReadError::Overrun;
    let mut decoder = RecordDecoder::<[u8; 3], 3>::new();
    assert_eq!(decoder.read(&mut liar), Err(overrun));
    assert_eq!(block_on(decoder.read_async(&mut liar)), Err(overrun));
    // It took none of these bytes, neither here nor in a record.
    let good = file(0x08, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let mut rest = &good[..14];
    assert_eq!(decoder.push(&mut rest), Ok(None));
    assert_eq!(decoder.read_bytes(&mut liar), Err(overrun));
    assert_eq!(block_on(decoder.read_bytes_async(&mut liar)), Err(overrun));
    rest = &good[14..];
    assert_eq!(decoder.push(&mut rest), Ok(Some([1, 2, 3])));
    assert_eq!(decoder.push(&mut rest), Ok(Some([4, 5, 6])));
    // Nor of those after the end.
    assert_eq!(decoder.read_to_end(&mut liar), Err(overrun));
    assert_eq!(block_on(decoder.read_to_end_async(&mut liar)), Err(overrun));
    assert_eq!(decoder.finish(), Ok(()));
    assert_eq!(
        overrun.to_string(),
        "the reader claims more bytes than it was given room for; correct its `read`"
    );
}

#[test]
fn the_rest_of_a_line_is_checked() {
    let bytes = file_of::<Label>(&[1, 2, 10]);
    let mut decoder = RecordDecoder::<Label, 1>::new();
    assert_eq!(decoder.read(&mut &bytes[..]), Ok(Some(Label(1))));
    let refused = decoder.read_to_end(&mut &bytes[9..]).unwrap_err();
    let expected = ErrorKind::ValueNotAllowed { record: 2, value: 10 };
    assert!(matches!(refused, ReadError::Format(error) if error == expected));
    assert_eq!(refused.to_string(), expected.to_string());
}

// Storage

/// Memory behind a driver, at the end of a space of `capacity` bytes that are FF otherwise. Reads out of
/// bounds fail, and so does one other read.
#[derive(Clone, Debug)]
struct Memory {
    bytes: Vec<u8>,
    capacity: usize,
    reads: usize,
    fails_at: Option<usize>,
}

impl Memory {
    /// These bytes at this offset, and FF to the end.
    fn new(offset: usize, bytes: &[u8], capacity: usize) -> Self {
        let mut memory = vec![0xFF; offset];
        memory.extend(bytes);
        memory.resize(capacity, 0xFF);
        Self::at_the_end(&memory, capacity)
    }

    fn at_the_end(bytes: &[u8], capacity: usize) -> Self {
        Self { bytes: bytes.to_vec(), capacity, reads: 0, fails_at: None }
    }

    fn copy(&mut self, offset: u32, buffer: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        self.reads += 1;
        if self.fails_at == Some(self.reads - 1) {
            return Err(NorFlashErrorKind::Other);
        }
        let start = self.capacity - self.bytes.len();
        for (index, byte) in buffer.iter_mut().enumerate() {
            let index = offset as usize + index;
            if index >= self.capacity {
                return Err(NorFlashErrorKind::OutOfBounds);
            }
            *byte = index.checked_sub(start).map_or(0xFF, |index| self.bytes[index]);
        }
        Ok(())
    }
}

/// Reads anything, blocking or not.
#[derive(Clone, Debug)]
struct Rom(Memory);

impl ReadStorage for Rom {
    type Error = NorFlashErrorKind;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        assert!(!bytes.is_empty());
        self.0.copy(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity
    }
}

impl embedded_storage_async::ReadStorage for Rom {
    type Error = NorFlashErrorKind;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        wait_if(self.0.reads.is_multiple_of(2)).await;
        ReadStorage::read(self, offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity
    }
}

/// Reads multiples of `READ_SIZE` only, into memory that is aligned to 4: else it panics, as drivers with DMA
/// do. The rest of a chip is shorter.
#[derive(Clone, Debug)]
struct Flash<const READ_SIZE: usize>(Memory);

impl<const READ_SIZE: usize> ErrorType for Flash<READ_SIZE> {
    type Error = NorFlashErrorKind;
}

impl<const READ_SIZE: usize> ReadNorFlash for Flash<READ_SIZE> {
    const READ_SIZE: usize = READ_SIZE;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        assert!(!bytes.is_empty());
        assert!(bytes.as_ptr().addr().is_multiple_of(4), "memory that DMA cannot fill");
        let end = offset as usize + bytes.len();
        let rest = if end == self.0.capacity { end % READ_SIZE } else { 0 };
        check_read(self, offset, bytes.len() - rest)?;
        self.0.copy(offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity
    }
}

impl<const READ_SIZE: usize> embedded_storage_async::nor_flash::ReadNorFlash for Flash<READ_SIZE> {
    const READ_SIZE: usize = READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        wait_if(self.0.reads.is_multiple_of(2)).await;
        ReadNorFlash::read(self, offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity
    }
}

/// A storage that is both blocking and async.
trait Both:
    ReadStorage<Error = NorFlashErrorKind>
    + embedded_storage_async::ReadStorage<Error = NorFlashErrorKind>
    + Clone
{
}

impl<S> Both for S where
    S: ReadStorage<Error = NorFlashErrorKind>
        + embedded_storage_async::ReadStorage<Error = NorFlashErrorKind>
        + Clone
{
}

type Opened<S, T> = Result<Storage<S, T>, StorageError<NorFlashErrorKind>>;

/// Opens it both ways, which must give the same result.
fn open<S: Both, T: IdxRecord>(storage: &S, offset: u32) -> Opened<S, T> {
    let opened = Storage::open(storage.clone(), offset);
    let opened_async = block_on(Storage::<_, T>::open_async(storage.clone(), offset));
    assert_eq!(
        opened_async.as_ref().map(Storage::len).map_err(|&e| e),
        opened.as_ref().map(Storage::len).map_err(|&e| e)
    );
    opened
}

fn format<E: Debug>(error: StorageError<E>) -> ErrorKind {
    match error {
        StorageError::Format(error) => error.kind(),
        other => panic!("{other:?}"),
    }
}

/// Compares the result of a storage, for the bytes from `offset` on, with that of the bytes in memory.
fn same_as_in_memory<S: Both, T: IdxRecord>(storage: &S, offset: u32, bytes: &[u8]) {
    let parsed = Records::<T>::parse_prefix(bytes)
        .map(|(records, _)| records)
        .map_err(|error| with_large_memory(error.kind(), bytes));
    let mut opened = match open::<S, T>(storage, offset) {
        Ok(opened) => opened,
        Err(error) => {
            assert_eq!(format(error), parsed.err().unwrap());
            return;
        }
    };
    let (_, refused) = expected::<T>(bytes);
    let len = opened.len();
    let mut buffer = vec![0xAA; T::SIZE + 1];
    for index in 0..len.min(100) {
        let by_value = opened.read(index).map(|record| encoded(&record));
        let read_async = block_on(opened.read_async(index));
        assert_eq!(read_async.map(|record| encoded(&record)), by_value);
        let in_bytes = opened.read_bytes(index, &mut buffer).map(<[u8]>::to_vec);
        assert_eq!(
            block_on(opened.read_bytes_async(index, &mut buffer)).map(<[u8]>::to_vec),
            in_bytes
        );
        match &parsed {
            Ok(parsed) => {
                let record = parsed.record_bytes(index as usize).unwrap();
                assert_eq!(by_value.unwrap(), record);
                assert_eq!(in_bytes.unwrap(), record);
                assert_eq!(buffer[T::SIZE], 0xAA);
            }
            Err(ErrorKind::ValueNotAllowed { record, .. }) if *record == u64::from(index) => {
                assert_eq!(format(in_bytes.unwrap_err()), refused.unwrap_err());
                assert_eq!(format(by_value.unwrap_err()), refused.unwrap_err());
                break;
            }
            Err(ErrorKind::ValueNotAllowed { .. }) => assert!(by_value.is_ok() && in_bytes.is_ok()),
            Err(error) => panic!("{error}"),
        }
    }
    let out_of_range = Err(StorageError::IndexOutOfRange { index: len, len });
    assert_eq!(opened.read(len).map(|record| encoded(&record)), out_of_range);
    if let Some(too_small) = buffer.get_mut(..T::SIZE.wrapping_sub(1)) {
        let found = too_small.len();
        let expected = StorageError::BufferTooSmall { needed: T::SIZE, found };
        if len > 0 {
            assert_eq!(opened.read_bytes(0, too_small), Err(expected));
        }
    }
    // Several at once, up to the end of the file and of the vector.
    let encoded_all = |records: &[T]| records.iter().map(encoded).collect::<Vec<_>>();
    let mut records = heapless::Vec::<T, 100>::new();
    let result = opened.read_many(0, &mut records);
    let mut records_async = heapless::Vec::<T, 100>::new();
    assert_eq!(block_on(opened.read_many_async(0, &mut records_async)), result);
    assert_eq!(encoded_all(&records_async), encoded_all(&records));
    let (in_memory, end) = expected::<T>(bytes);
    assert!(encoded_all(&records).iter().eq(in_memory.iter().take(100)));
    if parsed.is_err() {
        assert_eq!(format(result.unwrap_err()), end.unwrap_err());
        return;
    }
    assert_eq!(result, Ok(()));
    let mut two = heapless::Vec::<T, 2>::new();
    opened.read_many(1.min(len), &mut two).unwrap();
    assert!(encoded_all(&two).iter().eq(in_memory.iter().skip(1).take(2)));
    let mut two_async = heapless::Vec::<T, 2>::new();
    block_on(opened.read_many_async(1.min(len), &mut two_async)).unwrap();
    assert_eq!(encoded_all(&two_async), encoded_all(&two));
    opened.read_many(len, &mut two).unwrap();
    assert_eq!(
        opened.read_many(len + 1, &mut two),
        Err(StorageError::IndexOutOfRange { index: len + 1, len })
    );
}

fn every_storage<T: IdxRecord, const N: usize>(good: &[u8]) {
    // At offsets of all kinds, with FF after it, and cut at all lengths by the end of the storage.
    for offset in [0, 1, 2, 3, 4, 8, 13, 256] {
        for len in (0..=good.len() + 9).step_by(STRIDE) {
            let memory = Memory::new(offset, good, offset + len);
            let bytes = &memory.bytes[offset..];
            same_as_in_memory::<_, T>(&Rom(memory.clone()), offset as u32, bytes);
            let memory = Memory::new(offset, good, (offset + len).next_multiple_of(4));
            let bytes = &memory.bytes[offset..];
            same_as_in_memory::<_, T>(
                &Aligned::new(Flash::<1>(memory.clone())),
                offset as u32,
                bytes,
            );
            same_as_in_memory::<_, T>(
                &Aligned::new(Flash::<4>(memory.clone())),
                offset as u32,
                bytes,
            );
        }
        let memory = Memory::new(offset, good, 512);
        let flash = Aligned::<_, 256>::with_buffer(Flash::<256>(memory.clone()));
        same_as_in_memory::<_, T>(&flash, offset as u32, &memory.bytes[offset..]);
    }
    with_damaged_header::<T>(good, |damaged| {
        let memory = Memory::new(5, damaged, 128);
        let flash = Aligned::new(Flash::<4>(memory.clone()));
        same_as_in_memory::<_, T>(&flash, 5, &memory.bytes[5..]);
    });
}

#[test]
fn storages() {
    for_each_small_file!(every_storage);
}

#[test]
fn storages_check_each_record() {
    let bytes = file_of::<Label>(&[1, 2, 10, 3, 99]);
    let memory = Memory::new(3, &bytes, 100);
    same_as_in_memory::<_, Label>(&Rom(memory.clone()), 3, &memory.bytes[3..]);
    let mut labels = Storage::<_, Label>::open(Rom(memory), 3).unwrap();
    assert_eq!(labels.read(3), Ok(Label(3))); // the others are good
    let refused = ErrorKind::ValueNotAllowed { record: 4, value: 99 };
    assert_eq!(format(labels.read(4).unwrap_err()), refused);
    let bytes = file_of::<Point>(&[0, 9, 0, 9, 0, 3, 0, 9, 0, 9, 0xFF, 0xFC]);
    let memory = Memory::new(0, &bytes, 100);
    same_as_in_memory::<_, Point>(&Aligned::new(Flash::<4>(memory.clone())), 0, &memory.bytes);
    let bytes = file_of::<Switch>(&[0, 0, 0, 0, 0, 0, 1, 1]);
    let memory = Memory::new(0, &bytes, 100);
    same_as_in_memory::<_, Switch>(&Aligned::new(Flash::<4>(memory.clone())), 0, &memory.bytes);
}

#[test]
fn records_without_memory_of_their_own() {
    let bytes = file_of::<Pair<2>>(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let mut pairs = Storage::<_, Pair<2>>::open(Rom(Memory::new(0, &bytes, 64)), 0).unwrap();
    let mut buffer = [0; Pair::<2>::SIZE];
    let pair = Pair::<2>::decode(pairs.read_bytes(1, &mut buffer).unwrap());
    assert_eq!(pair, Some(Pair { first: [5, 6], second: [7, 8] }));
}

#[test]
fn large_records_are_read_in_one_go() {
    let bytes = digits(20);
    let flash = Flash::<4>(Memory::new(64, &bytes, 1 << 16));
    let mut opened = Storage::<_, Digit>::open(Aligned::new(flash.clone()), 64).unwrap();
    let parsed = Records::<Digit>::parse(&bytes).unwrap();
    assert_eq!(opened.len(), 20);
    assert_eq!(opened.read(19).ok(), parsed.get(19));
    assert_eq!(opened.into_inner().into_inner().0.reads, 4 + 1);
    // Not where both memory and offset are aligned: through the buffer of 32 bytes.
    let flash = Flash::<4>(Memory::new(65, &bytes, 1 << 16));
    let mut opened = Storage::<_, Digit>::open(Aligned::new(flash), 65).unwrap();
    assert_eq!(opened.read(19).ok(), parsed.get(19));
    assert_eq!(opened.into_inner().into_inner().0.reads, 4 + 25);
    // 100 labels of one byte in two reads.
    let bytes = file_of::<u8>(&[3; 100]);
    let mut labels = Storage::<_, u8>::open(Rom(Memory::new(0, &bytes, 128)), 0).unwrap();
    let mut values = heapless::Vec::<u8, 100>::new();
    labels.read_many(0, &mut values).unwrap();
    assert_eq!(values, [3; 100]);
    assert_eq!(labels.into_inner().0.reads, 2 + 2);
}

/// All pairs of a `READ_SIZE` and a buffer, offsets and sizes of records that the memory of a driver depends on.
#[test]
#[cfg_attr(miri, ignore = "reads tens of thousands of records")]
fn every_read_of_a_driver_goes_to_aligned_memory() {
    macro_rules! records_of {
        ($read_size:literal, $buffer:literal: $($size:literal)+) => {$(
            for offset in 0..70 {
                aligned_reads::<$read_size, $buffer, $size>(offset);
            }
        )+};
    }
    macro_rules! pairs {
        ($($read_size:literal $buffer:literal),+) => {
            $(records_of!($read_size, $buffer: 1 2 3 6 27 40 729 784);)+
        };
    }
    pairs!(1 1, 1 7, 1 32, 2 2, 2 32, 4 4, 4 32, 4 64, 5 35, 8 8, 8 48, 16 32, 64 64, 128 256, 256 512, 512 512);
}

fn aligned_reads<const READ_SIZE: usize, const N: usize, const SIZE: usize>(offset: u32) {
    const COUNT: u32 = 5;
    let payload: Vec<u8> = (0..COUNT as usize * SIZE).map(|i| (i % 251) as u8).collect();
    let bytes = file_of::<[u8; SIZE]>(&payload);
    let end = offset as usize + bytes.len();
    // The last record ends with the chip, whose capacity may be no multiple of `READ_SIZE`.
    let flash = Flash::<READ_SIZE>(Memory::new(offset as usize, &bytes, end));
    let mut flash = Aligned::<_, N>::with_buffer(flash);
    let records = Located::<[u8; SIZE]>::open(&mut flash, offset).unwrap();
    let mut buffer = [0xAA; 784 + 8];
    for (index, expected) in (0..COUNT).zip(payload.chunks_exact(SIZE)) {
        assert_eq!(records.read(&mut flash, index).unwrap(), expected);
        for misaligned in 0..4 {
            let memory = &mut buffer[misaligned..][..SIZE];
            assert_eq!(records.read_bytes(&mut flash, index, memory), Ok(expected));
            // An async driver is handed the same memory.
            memory.fill(0xAA);
            assert_eq!(block_on(records.read_bytes_async(&mut flash, index, memory)), Ok(expected));
        }
    }
    assert!(buffer[SIZE + 4..].iter().all(|&byte| byte == 0xAA));
}

/// Panics if the memory is not aligned to a line of a cache.
#[derive(Clone)]
struct Lines(Flash<4>);

impl ErrorType for Lines {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Lines {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        assert!(bytes.as_ptr().addr().is_multiple_of(32));
        ReadNorFlash::read(&mut self.0, offset, bytes)
    }

    fn capacity(&self) -> usize {
        ReadNorFlash::capacity(&self.0)
    }
}

#[test]
fn memory_is_aligned_as_asked() {
    #[repr(align(32))]
    struct CacheLine;
    #[repr(align(32))]
    struct Lined([u8; 900]);
    let bytes = digits(2);
    let parsed = Records::<Digit>::parse(&bytes).unwrap();
    let mut memory = Lined([0; 900]);
    for offset in [0, 4, 13, 64] {
        let chip = Lines(Flash(Memory::new(offset, &bytes, 2048)));
        let mut flash = Aligned::<_, 64, CacheLine>::with_buffer(chip);
        let records = Located::<Digit>::open(&mut flash, offset as u32).unwrap();
        assert_eq!(records.read(&mut flash, 1).ok(), parsed.get(1));
        for misaligned in [0, 1, 4, 28] {
            let before = flash.clone().into_inner().0.0.reads;
            let read = records.read_bytes(&mut flash, 0, &mut memory.0[misaligned..]);
            assert_eq!(read.ok(), parsed.record_bytes(0));
            // Where both are as far from a multiple of `READ_SIZE`, all but the ends is read directly.
            let direct = offset % 4 == misaligned % 4;
            let reads = flash.clone().into_inner().0.0.reads - before;
            assert_eq!(reads <= 3, direct, "{offset} {misaligned}");
        }
    }
}

#[test]
fn two_files_of_one_chip_are_open_at_once() {
    let images = file_of::<[u8; 3]>(&[1, 2, 3, 4, 5, 6]);
    let labels = file_of::<Label>(&[7, 8]);
    let mut chip = vec![0xFF; 128];
    chip[3..3 + images.len()].copy_from_slice(&images);
    chip[64..64 + labels.len()].copy_from_slice(&labels);
    let mut flash = Aligned::new(Flash::<4>(Memory::new(0, &chip, 128)));
    // Where there is no file, the driver stays here.
    assert!(Located::<Label>::open(&mut flash, 100).is_err());
    let images = Located::<[u8; 3]>::open(&mut flash, 3).unwrap();
    let labels = block_on(Located::<Label>::open_async(&mut flash, 64)).unwrap();
    assert_eq!((images.len(), images.is_empty(), labels.len()), (2, false, 2));
    for (index, image, label) in [(0, [1, 2, 3], 7), (1, [4, 5, 6], 8)] {
        assert_eq!(images.read(&mut flash, index), Ok(image));
        assert_eq!(labels.read(&mut flash, index), Ok(Label(label)));
    }
    let mut both = heapless::Vec::<Label, 2>::new();
    labels.read_many(&mut flash, 0, &mut both).unwrap();
    assert_eq!(both, [Label(7), Label(8)]);
    // One of them with the driver to itself.
    let mut storage = Storage::new(flash, labels);
    assert_eq!(storage.read(1), Ok(Label(8)));
    assert_eq!(format!("{labels:?}"), "Located { start: 72, len: 2, .. }");
}

#[test]
fn a_file_ends_within_its_partition() {
    let bytes = file_of::<[i16; 2]>(&[0, 1, 0, 2, 0, 3, 0, 4]);
    let end = 16 + bytes.len() as u32;
    let mut flash = Rom(Memory::new(16, &bytes, 64));
    for cut in 0..=bytes.len() as u32 {
        let range = 16..end - cut;
        let expected = Records::<[i16; 2]>::parse_prefix(&bytes[..bytes.len() - cut as usize]);
        let opened = Located::<[i16; 2]>::open_within(&mut flash, range.clone());
        let opened_async =
            block_on(Located::<[i16; 2]>::open_within_async(&mut flash, range.clone()));
        let storage = Storage::<_, [i16; 2]>::open_within(flash.clone(), range.clone());
        let storage_async =
            block_on(Storage::<_, [i16; 2]>::open_within_async(flash.clone(), range));
        let expected = expected.map(|(records, _)| records.len() as u32).map_err(|e| e.kind());
        assert_eq!(expected.is_ok(), cut == 0);
        for found in [
            opened.map(|file| file.len()),
            opened_async.map(|file| file.len()),
            storage.map(|file| file.len()),
            storage_async.map(|file| file.len()),
        ] {
            assert_eq!(found.map_err(format), expected);
        }
    }
    // A partition that is longer than the storage ends with it; one that ends before its start has no bytes.
    assert!(Located::<[i16; 2]>::open_within(&mut flash, 16..u32::MAX).is_ok());
    let turned = Located::<[i16; 2]>::open_within(&mut flash, Range { start: 16, end: 8 });
    assert_eq!(format(turned.unwrap_err()), ErrorKind::Empty);
}

/// The end of a chip with an odd capacity can be read, and nothing beyond it.
#[test]
fn the_last_bytes_of_an_odd_capacity() {
    let bytes = file_of::<u8>(&[1, 2, 3]);
    let mut flash = Aligned::new(Flash::<4>(Memory::new(0, &bytes, bytes.len())));
    let labels = Located::<u8>::open(&mut flash, 0).unwrap();
    assert_eq!(labels.read(&mut flash, 2), Ok(3));
    assert_eq!(block_on(labels.read_async(&mut flash, 2)), Ok(3));
    let beyond = ReadStorage::read(&mut flash, 10, &mut [0; 2]);
    assert_eq!(beyond, Err(NorFlashErrorKind::OutOfBounds));
}

/// A future that was dropped leaves the records that it had read; the next one continues after them.
#[test]
fn a_batch_continues_where_its_future_was_dropped() {
    let payload: Vec<u8> = (0..200).collect();
    let bytes = file_of::<[u8; 2]>(&payload);
    for first in [0, 3, 70] {
        for polls in 1..8 {
            let mut flash = Rom(Memory::new(0, &bytes, 512));
            let records = Located::<[u8; 2]>::open(&mut flash, 0).unwrap();
            let mut batch = heapless::Vec::<[u8; 2], 100>::new();
            let mut next = first;
            while next < records.len() {
                let ready = {
                    let mut context = Context::from_waker(Waker::noop());
                    let mut future = pin!(records.read_many_async(&mut flash, next, &mut batch));
                    (0..polls).any(|_| future.as_mut().poll(&mut context).is_ready())
                };
                flash.0.reads += usize::from(!ready); // or it would wait forever
                next = first + batch.len() as u32;
            }
            assert!(batch.as_flattened().iter().eq(&payload[2 * first as usize..]));
        }
    }
}

#[test]
fn a_driver_may_fail() {
    let bytes = file_of::<Point>(&[0, 9, 0, 9, 0, 3, 0, 9, 0, 9, 0, 1]);
    let failed = StorageError::Storage(NorFlashErrorKind::Other);
    for fails_at in 0..20 {
        let mut memory = Memory::new(2, &bytes, 64);
        memory.fails_at = Some(fails_at);
        let mut flash = Flash::<4>(memory);
        // The header has 12 bytes from offset 2 on: three times one read of two words.
        match Storage::<_, Point>::open(Aligned::new(&mut flash), 2) {
            Err(error) => {
                assert!(fails_at < 3);
                assert_eq!(error, failed);
            }
            Ok(mut points) => {
                let first = points.read(1);
                let again = points.read(1);
                assert_eq!(again.is_err(), fails_at == 4);
                assert_eq!(first.is_err(), fails_at == 3);
                if fails_at == 3 {
                    assert_eq!(first, Err(failed));
                    assert_eq!(again, Ok(Point { x: 9, y: 9, z: 1 }));
                }
                let mut records = heapless::Vec::<Point, 4>::new();
                let many = points.read_many(0, &mut records);
                assert_eq!(many.is_err(), fails_at == 5);
                assert_eq!(records.len(), if fails_at == 5 { 0 } else { 2 });
            }
        }
    }
    assert_eq!(failed.to_string(), "the driver of the storage failed: Other");
    let empty = Records::<u8>::parse(&[]).unwrap_err();
    assert_eq!(
        StorageError::<()>::Format(empty).to_string(),
        "the file is empty; download or copy it again"
    );
    assert_eq!(
        StorageError::<()>::BufferTooSmall { needed: 6, found: 5 }.to_string(),
        "the buffer is too small for a record: 5 of 6 bytes; pass a larger one"
    );
}

#[test]
fn blank_flash_is_no_file() {
    let blank = Flash::<4>(Memory::new(0, &[], 64));
    let error = open::<_, u8>(&Aligned::new(blank), 16).unwrap_err();
    assert_eq!(error.message(), "this is not an IDX file");
    assert_eq!(format(error), ErrorKind::NotIdx { start: [0xFF; 4] });
}

#[test]
#[cfg(target_pointer_width = "64")]
fn offsets_up_to_the_last() {
    #[repr(align(4))]
    struct Word([u8; 2]);
    const END: usize = 1 << 32;
    let files = [
        file_of::<[i16; 2]>(&[0, 1, 0, 2, 0, 3, 0, 4]),
        file(0x0B, &[0, 2], &[]), // the header ends with the last byte
    ];
    for bytes in &files {
        for capacity in [END, END + 100] {
            for cut in 0..=bytes.len() + 1 {
                // From the last `cut` bytes that 32 bits can name on.
                let Some(offset) = u32::try_from(END - cut).ok() else {
                    continue;
                };
                let mut memory = bytes.clone();
                memory.resize(cut + capacity - END, 0xFF);
                let memory = Memory::at_the_end(&memory, capacity);
                let there = &memory.bytes[..cut];
                same_as_in_memory::<_, [i16; 2]>(&Rom(memory.clone()), offset, there);
                let flash = Aligned::new(Flash::<4>(memory.clone()));
                same_as_in_memory::<_, [i16; 2]>(&flash, offset, there);
            }
        }
    }
    // Beyond the end, and beyond what 32 bits can name.
    assert_eq!(
        format(open::<_, u8>(&Rom(Memory::new(0, &[], 8)), 9).unwrap_err()),
        ErrorKind::Empty
    );
    let huge = file(0x08, &[u32::MAX, 2], &[]);
    assert_eq!(
        format(open::<_, [u8; 2]>(&Rom(Memory::new(0, &huge, 20)), 0).unwrap_err()),
        ErrorKind::Truncated { needed: 2 * u64::from(u32::MAX), found: 8 }
    );
    let mut flash = Aligned::new(Flash::<4>(Memory::at_the_end(&[], END)));
    // The driver itself says so, and it asks for aligned memory.
    let mut memory = Word([0; 2]);
    assert_eq!(
        ReadStorage::read(&mut flash, u32::MAX, &mut memory.0),
        Err(NorFlashErrorKind::OutOfBounds)
    );
    assert_eq!(ReadStorage::read(&mut flash, u32::MAX, &mut [0]), Ok(()));
}

/// A file on a card, which is read where it is sought.
struct Card(std::io::Cursor<Vec<u8>>);

impl embedded_io::ErrorType for Card {
    type Error = LineError;
}

impl embedded_io::Read for Card {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, LineError> {
        // In pieces, as a card may give them.
        let count = bytes.len().min(3);
        std::io::Read::read(&mut self.0, &mut bytes[..count]).map_err(|_| LineError::Other)
    }
}

impl embedded_io::Seek for Card {
    fn seek(&mut self, position: embedded_io::SeekFrom) -> Result<u64, LineError> {
        let position = match position {
            embedded_io::SeekFrom::Start(offset) => std::io::SeekFrom::Start(offset),
            embedded_io::SeekFrom::End(offset) => std::io::SeekFrom::End(offset),
            embedded_io::SeekFrom::Current(offset) => std::io::SeekFrom::Current(offset),
        };
        std::io::Seek::seek(&mut self.0, position).map_err(|_| LineError::Other)
    }
}

/// Records, and rows of them, in any order.
#[test]
fn records_and_parts_of_them_from_a_file_that_can_be_sought() {
    let bytes = digits(5);
    let mut card = Seekable::new(Card(std::io::Cursor::new(bytes.clone()))).unwrap();
    let digits = Located::<Digit>::open(&mut card, 0).unwrap();
    let view = Records::<Digit>::parse(&bytes).unwrap();
    for index in [4, 0, 3] {
        assert_eq!(digits.read(&mut card, index).unwrap(), view.get(index as usize).unwrap());
        let mut buffer = [0; 30];
        let row = digits.read_part(&mut card, index, 28 * 27..28 * 28, &mut buffer).unwrap();
        assert_eq!(row, view.get(index as usize).unwrap().0[27]);
    }
    let mut chip = Storage::<_, Digit>::open(Rom(Memory::new(0, &bytes, bytes.len())), 0).unwrap();
    let (mut first, mut second) = ([0; 28], [0; 28]);
    let row = chip.read_part(3, 28 * 9..28 * 10, &mut first).unwrap();
    assert_eq!(row, view.get(3).unwrap().0[9]);
    assert_eq!(block_on(chip.read_part_async(3, 28 * 9..28 * 10, &mut second)), Ok(row));
    let mut part = |index, range: Range<usize>, size| {
        digits
            .read_part(&mut card, index, range, &mut [0; 50][..size])
            .map(<[u8]>::len)
            .map_err(|error| error.to_string())
    };
    assert_eq!(part(0, 784..784, 0), Ok(0));
    assert_eq!(
        part(5, 0..1, 1).unwrap_err(),
        "record index out of range: index 5, number of records 5; use a smaller index"
    );
    assert_eq!(
        part(0, 784..785, 1).unwrap_err(),
        "not a part of the record: byte 785, size of a record 784; use a range within it"
    );
    #[expect(clippy::reversed_empty_ranges, reason = "as a wrong program has it")]
    let reversed = part(0, 2..1, 1);
    assert!(reversed.is_err());
    assert_eq!(
        part(0, 0..2, 1).unwrap_err(),
        "the buffer is too small for a record: 1 of 2 bytes; pass a larger one"
    );
    let short = Seekable::new(Card(std::io::Cursor::new(bytes[..100].to_vec()))).unwrap();
    let mut short = short;
    assert!(Located::<Digit>::open(&mut short, 0).is_err());
}
