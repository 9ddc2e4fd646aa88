//! Limits for untrusted files, and the messages on extra bytes.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use idx_std::{Error, ErrorKind, IdxBuf, MappedFile, ReadOptions, Reader, load, open};
use idx_tests::{file, gzip};

/// A file of two records of 4 MiB, which are easy to compress.
fn large() -> Vec<u8> {
    file(0x08, &[2, 1 << 22], &vec![7; 2 << 22])
}

/// Returns the results of all ways to read a whole file within a limit.
fn within(limit: u64, bytes: &[u8]) -> [Result<usize, Error>; 4] {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("upload");
    fs::write(&path, bytes).unwrap();
    let options = ReadOptions::new().limit(limit);
    let size = |file: IdxBuf| file.bytes().len();
    [
        options.open(&path).map(size),
        options.from_reader(bytes).map(size),
        options.from_bytes(bytes).map(size),
        options.load::<u8>(&path).map(|array| array.len() + 12),
    ]
}

#[test]
fn a_limit_holds_however_a_file_is_read() {
    let plain = large();
    let size = plain.len() as u64;
    for bytes in [plain.clone(), gzip(&plain)] {
        for result in within(size, &bytes) {
            assert_eq!(result.unwrap() as u64, size);
        }
        for result in within(size - 1, &bytes) {
            let error = result.unwrap_err();
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::LimitExceeded { limit, needed, .. }
                        if (*limit, *needed) == (size - 1, size)
                ),
                "{error}"
            );
        }
    }
}

/// The header by itself decides, also in an incomplete file.
#[test]
fn a_limit_comes_before_all_other_errors_of_the_payload() {
    for result in within(1000, &file(0x08, &[u32::MAX, 2], &[1])) {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::LimitExceeded { .. }), "{error}");
    }
}

#[test]
fn a_reader_has_a_limit_for_one_record() {
    for bytes in [large(), gzip(&large())] {
        let reader = || Reader::new(&bytes[..]).unwrap();
        assert_eq!(reader().record_limit(1 << 22).unwrap().header().dims().len(), 2);
        let error = reader().record_limit((1 << 22) - 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a record has 4194304 bytes, more than the limit of 4194303; if you trust the file, raise the limit"
        );
    }
    // Records that cannot be addressed are no error if there are none.
    let none = file(0x08, &[0, u32::MAX, u32::MAX, u32::MAX], &[]);
    Reader::new(&none[..]).unwrap().record_limit(0).unwrap();
}

/// Returns the error of each way to read a file, some of which do not know its length.
fn sentences(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap();
    let stream = || Box::new(&bytes[..]) as Box<dyn Read>;
    vec![
        open(path).unwrap_err().sentence(),
        load::<u8>(path).unwrap_err().sentence(),
        IdxBuf::from_bytes(bytes.clone()).unwrap_err().sentence(),
        last(Reader::open(path).unwrap()).sentence(),
        IdxBuf::from_reader(stream()).unwrap_err().sentence(),
        last(Reader::new(stream()).unwrap()).sentence(),
    ]
}

fn last<R: Read>(mut reader: Reader<R>) -> Error {
    loop {
        if let Err(error) = reader.next_records().expect("an error before the end") {
            return error;
        }
    }
}

fn sentences_of(bytes: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes).unwrap();
    sentences(&path)
}

/// Images whose header lacks their 3 channels, as that of some published ones does.
#[test]
fn a_multiple_of_the_payload_is_told() {
    for times in 2..=4 {
        let payload = vec![5; 100 * 100 * times];
        let plain = file(0x08, &[100, 100], &payload);
        let extra = 10_000 * (times - 1);
        for bytes in [plain.clone(), gzip(&plain)] {
            for sentence in sentences_of(&bytes) {
                assert_eq!(
                    sentence,
                    format!(
                        "the file has {times} times the payload of the header: {extra} extra bytes from \
                         offset 10012; correct the header if it lacks channels or records (after 100 whole \
                         records)"
                    )
                );
            }
        }
    }
    let five = file(0x08, &[100], &[5; 500]);
    let not_whole = file(0x08, &[100], &[5; 299]);
    let empty = file(0x08, &[0], &[5; 3]);
    let small = file(0x08, &[63], &[5; 2 * 63]);
    for bytes in [five, not_whole, empty, small] {
        for sentence in sentences_of(&bytes) {
            assert!(sentence.starts_with("extra bytes after the payload: "), "{sentence}");
        }
    }
}

/// More than 1 MiB may follow, if the payload is as large.
#[test]
fn a_multiple_of_a_large_payload_is_told() {
    let plain = file(0x08, &[1000, 2000], &vec![5; 8_000_000]);
    for bytes in [plain.clone(), gzip(&plain)] {
        for sentence in sentences_of(&bytes) {
            assert!(
                sentence
                    .starts_with("the file has 4 times the payload of the header: 6000000 extra"),
                "{sentence}"
            );
        }
    }
}

#[test]
fn a_length_beside_the_header_tells_a_multiple() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, file(0x08, &[10, 10], &[0; 300])).unwrap();
    let error = Reader::open(&path).unwrap().check_length().unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::TrailingBytes { offset: 112, count: 200, times: Some(3), .. }
    ));
    // SAFETY: nobody changes the file.
    let error = unsafe { MappedFile::open(&path) }.and_then(IdxBuf::from_mapped).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TrailingBytes { times: Some(3), .. }));
}

/// Extra bytes are counted exactly, or reported as at least that many.
#[test]
fn bytes_left_over_are_not_counted_wrong() {
    let left_over = 5_000_000;
    let plain = file(0x08, &[1000], &vec![5; 1000 + left_over]);
    let exact = "extra bytes after the payload: 5000000 bytes from offset 1008; remove them, or if they are";
    let at_least = "extra bytes after the payload: at least ";
    let [open, load, bytes, streamed, from_reader, pipe] =
        <[String; 6]>::try_from(sentences_of(&plain)).unwrap();
    for sentence in [open, load, bytes, streamed] {
        assert!(sentence.starts_with(exact), "{sentence}");
    }
    for sentence in [from_reader, pipe].into_iter().chain(sentences_of(&gzip(&plain))) {
        let count = sentence.strip_prefix(at_least).expect("no exact number");
        let count = count.split(' ').next().unwrap().parse::<usize>().unwrap();
        assert!((1 << 20..=left_over).contains(&count), "{sentence}");
    }
}

#[test]
fn a_stream_without_an_end_is_left() {
    let endless = io::Cursor::new(file(0x08, &[3], &[1, 2, 3])).chain(io::repeat(4));
    let error = IdxBuf::from_reader(endless).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::TrailingBytes { offset: 11, count, at_least: true, .. } if *count >= 1 << 20),
        "{error}"
    );
    // Bytes are counted as far as they can be three more channels, and not much farther.
    const SIZE: u32 = 1 << 20;
    let endless = io::Cursor::new(file(0x08, &[SIZE], &[])).chain(io::repeat(4));
    let error = IdxBuf::from_reader(endless).unwrap_err();
    let channels = 3 * u64::from(SIZE);
    assert!(
        matches!(error.kind(), ErrorKind::TrailingBytes { count, at_least: true, .. }
            if (channels + 1..channels + (1 << 19)).contains(count)),
        "{error}"
    );
}

#[test]
fn gzip_data_that_is_damaged_behind_bytes_left_over_is_told_with_them() {
    let whole = gzip(&file(0x08, &[1000], &[5; 3500]));
    let cut = whole[..whole.len() - 4].to_vec();
    let mut damaged = whole.clone();
    let checksum = damaged.len() - 8;
    damaged[checksum] ^= 1;
    let extended = [&whole[..], b"page"].concat();
    let start = "extra bytes after the payload: 2500 from offset 1008, and then ";
    for (bytes, then) in [
        (cut, "the gzip data is truncated after 3508 decompressed bytes"),
        (damaged, "the gzip data is corrupt after 3508 decompressed bytes"),
        (extended, "extra bytes follow the gzip data (3508"),
    ] {
        for sentence in sentences_of(&bytes) {
            let rest = sentence.strip_prefix(start).unwrap_or_else(|| panic!("{sentence}"));
            assert!(rest.starts_with(then), "{sentence}");
        }
    }
}

#[test]
fn whole_records_behind_the_payload_may_be_records() {
    let uncounted = file(0x08, &[2, 3], &[5; 30]);
    for sentence in sentences_of(&uncounted) {
        assert!(
            sentence.starts_with(
                "extra bytes after the payload: 24 bytes from offset 18; remove them, or if they are records, keep them"
            ) || sentence.contains("at least"),
            "{sentence}"
        );
    }
    let error = IdxBuf::from_bytes(uncounted).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TrailingBytes { records: Some(8), .. }), "{error}");
    let error = IdxBuf::from_bytes(file(0x08, &[2, 3], &[5; 7])).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TrailingBytes { records: None, .. }), "{error}");
}
