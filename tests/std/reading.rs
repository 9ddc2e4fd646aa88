//! Reading with idx-std: whole, streamed and mapped, good files and bad ones.

use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use idx_std::{
    Array, Element, ElementType, Error, ErrorKind, FormatError, HeaderBuf, IdxBuf, IdxRecord,
    MappedFile, ReadOptions, Reader, RecordReader, RecordWriter, Writer, load, open,
};
use idx_tests::{OddFile, bad_files, file, gzip, odd_files, rank_255};
use tempfile::TempDir;

#[derive(IdxRecord, Clone, Debug, PartialEq)]
struct Label(#[idx(range = 0..=9)] u8);

#[derive(IdxRecord, Debug, PartialEq)]
struct Pair {
    left: i16,
    right: i16,
}

/// Two records of two i16.
fn pairs() -> Vec<u8> {
    file(0x0B, &[2, 2], &[0, 1, 0, 2, 0xFF, 0xFF, 0, 4])
}

/// A folder with one file in it.
fn on_disk(name: &str, bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Returns all records of a reader, and the error that ended them.
fn drain<R: Read>(mut reader: Reader<R>) -> (Vec<Vec<u8>>, Option<Error>) {
    let mut records = Vec::new();
    let mut error = None;
    while let Some(record) = reader.next_record() {
        assert!(error.is_none(), "nothing comes after an error");
        match record {
            Ok(record) => records.push(record.to_vec()),
            Err(after) => error = Some(after),
        }
    }
    assert!(reader.next_record().is_none(), "the end is the end");
    (records, error)
}

/// The error of streaming, at the start or later.
fn streamed<R: Read>(reader: Result<Reader<R>, Error>) -> String {
    match reader {
        Ok(reader) => drain(reader).1.expect("an error").sentence(),
        Err(error) => error.sentence(),
    }
}

/// Gives its bytes one at a time, each after an interruption.
struct Dribble<'a> {
    bytes: &'a [u8],
    interrupt: bool,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let most = buffer.len().min(1);
        self.bytes.read(&mut buffer[..most])
    }
}

fn dribble(bytes: &[u8]) -> Dribble<'_> {
    Dribble { bytes, interrupt: false }
}

/// Gives some bytes and then an error.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer) {
            Ok(0) => Err(io::Error::other("the disk is broken")),
            result => result,
        }
    }
}

#[test]
fn bad_files_say_the_same_however_they_are_read() {
    for bad in bad_files() {
        let (_folder, path) = on_disk(bad.name, &bad.bytes);
        let error = open(&path).unwrap_err();
        assert_eq!(error.sentence(), bad.message, "{}", bad.name);
        assert_eq!(error.path(), Some(path.as_path()));
        assert_eq!(error.to_string(), format!("{}: {}", path.display(), bad.message));

        let other_ways = [
            ("load", load::<u8>(&path).unwrap_err().sentence()),
            ("bytes", IdxBuf::from_bytes(bad.bytes.clone()).unwrap_err().sentence()),
            ("reader", IdxBuf::from_reader(&bad.bytes[..]).unwrap_err().sentence()),
            ("dribble", IdxBuf::from_reader(dribble(&bad.bytes)).unwrap_err().sentence()),
            ("streamed", streamed(Reader::open(&path))),
            ("streamed dribble", streamed(Reader::new(dribble(&bad.bytes)))),
        ];
        for (way, message) in other_ways {
            assert_eq!(message, bad.message, "{} by {way}", bad.name);
        }
    }
}

#[test]
fn odd_files_are_read_by_all() {
    let rank_255 =
        OddFile { name: "rank-255", bytes: rank_255(), plain: rank_255(), info: ["", ""] };
    for odd in odd_files().into_iter().chain([rank_255]) {
        let (_folder, path) = on_disk(odd.name, &odd.bytes);
        let whole = open(&path).unwrap();
        assert_eq!(whole.bytes(), odd.plain, "{}", odd.name);
        let others = [
            IdxBuf::from_bytes(odd.bytes.clone()),
            IdxBuf::from_reader(&odd.bytes[..]),
            IdxBuf::from_reader(dribble(&odd.bytes)),
        ];
        for other in others {
            assert_eq!(other.unwrap().bytes(), odd.plain, "{}", odd.name);
        }
        // Some of the files have too many records to read them all.
        let mut reader = Reader::open(&path).unwrap();
        for record in 0..whole.as_idx().len().min(1000) {
            let bytes = reader.next_record().unwrap().unwrap();
            assert_eq!(Some(bytes), whole.as_idx().record_bytes(record));
        }
        reader.select((whole.as_idx().len() as u64)..).unwrap();
        assert!(reader.next_record().is_none(), "{}", odd.name);
    }
}

#[test]
fn errors_carry_what_caused_them() {
    let missing = open("no/such/file.idx").unwrap_err();
    assert_eq!(missing.to_string(), "no/such/file.idx: no such file; check the path");
    assert!(
        matches!(missing.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound)
    );

    let folder = tempfile::tempdir().unwrap();
    let error = open(folder.path()).unwrap_err();
    assert_eq!(error.sentence(), "this is a folder; specify a file in it");
    assert_eq!(
        Reader::open(folder.path())
            .and_then(|reader| reader.records::<u8>())
            .unwrap_err()
            .sentence(),
        error.sentence()
    );

    let cut = IdxBuf::from_bytes(vec![0, 0, 8]).unwrap_err();
    assert!(matches!(
        cut.kind(),
        ErrorKind::Format(FormatError::HeaderTruncated { needed: 4, found: 3 })
    ));

    let page = IdxBuf::from_bytes(b"<html>".to_vec()).unwrap_err();
    assert!(matches!(
        page.kind(),
        ErrorKind::NotIdx { signature: Some(signature), error: FormatError::NotIdx { .. }, .. }
            if signature.to_string() == "a web page"
    ));
}

#[test]
fn gzip_is_told_by_content_and_not_by_name() {
    for (name, bytes, is_gzip) in [("plain.gz", pairs(), false), ("zipped", gzip(&pairs()), true)] {
        let (_folder, path) = on_disk(name, &bytes);
        assert_eq!(open(&path).unwrap().bytes(), pairs());
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.is_gzip(), is_gzip);
        assert_eq!(reader.file_size(), Some(bytes.len() as u64));
        assert_eq!(drain(reader).0.len(), 2);
    }
}

#[test]
fn several_gzip_members_are_one_file() {
    let plain = pairs();
    for cut in 0..=plain.len() {
        let (front, back) = plain.split_at(cut);
        let mut zipped = [gzip(front), gzip(&[]), gzip(back)].concat();
        assert_eq!(IdxBuf::from_bytes(zipped.clone()).unwrap().bytes(), plain);
        // As from a tape: zeros after the last member are padding, for gzip(1) too.
        zipped.extend([0; 700]);
        assert_eq!(IdxBuf::from_reader(dribble(&zipped)).unwrap().bytes(), plain);
    }
}

#[test]
fn a_cut_stream_gives_its_whole_records_first() {
    let plain = file(0x08, &[5, 3], b"abcdefghijklmno");
    for end in 12..plain.len() {
        let whole = (end - 12) / 3;
        for (name, (records, error)) in [
            ("plain", drain(Reader::new(&plain[..end]).unwrap())),
            ("gzip", drain(Reader::new(Cursor::new(gzip(&plain[..end]))).unwrap())),
        ] {
            assert_eq!(records.concat(), plain[12..12 + 3 * whole], "{name}");
            let error = error.unwrap();
            assert_eq!(error.records(), Some(whole as u64), "{name}");
            let found = end as u64 - 12;
            assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Format(idx_core::ErrorKind::Truncated { needed: 15, found: f }) if *f == found
                ),
                "{name} {error}"
            );
        }
        // A disk that breaks instead of an end.
        let (records, error) = drain(Reader::new(Broken(&plain[..end])).unwrap());
        assert_eq!(records.len(), whole);
        let error = error.unwrap();
        assert_eq!(error.records(), Some(whole as u64));
        assert_eq!(error.kind().to_string(), "the disk is broken");
    }
}

#[test]
fn a_cut_gzip_stream_is_told_from_a_broken_disk() {
    let plain = file(0x08, &[5, 3], b"abcdefghijklmno");
    let zipped = gzip(&plain);
    for end in 2..zipped.len() {
        let cut = IdxBuf::from_reader(&zipped[..end]).unwrap_err();
        assert!(matches!(cut.kind(), ErrorKind::GzipTruncated { .. }), "{end}: {cut}");
        let broken = IdxBuf::from_reader(Broken(&zipped[..end])).unwrap_err();
        assert!(matches!(broken.kind(), ErrorKind::Io(_)), "{end}: {broken}");
        assert_eq!(broken.kind().to_string(), "the disk is broken");
    }
}

#[test]
fn records_larger_than_a_chunk_are_streamed() {
    let size = 700_000u32;
    let payload: Vec<u8> = (0..2 * size).map(|index| (index % 251) as u8).collect();
    let plain = file(0x08, &[2, size], &payload);
    let (records, error) = drain(Reader::new(&plain[..]).unwrap());
    assert!(error.is_none());
    assert_eq!(records.concat(), payload);
    let (records, error) = drain(Reader::new(dribble(&plain[..plain.len() - 1])).unwrap());
    assert_eq!(records.concat(), payload[..size as usize]);
    assert_eq!(error.unwrap().records(), Some(1));
}

#[test]
fn typed_records() {
    let buffer = IdxBuf::from_bytes(pairs()).unwrap();
    let expected = [Pair { left: 1, right: 2 }, Pair { left: -1, right: 4 }];
    assert!(buffer.records::<Pair>().unwrap().iter().eq(expected));
    let mut reader = Reader::new(Cursor::new(pairs())).unwrap().records::<Pair>().unwrap();
    assert_eq!(reader.size_hint(), (0, Some(3)));
    assert!(
        reader
            .by_ref()
            .map(Result::unwrap)
            .eq([Pair { left: 1, right: 2 }, Pair { left: -1, right: 4 }])
    );
    assert_eq!(reader.size_hint(), (0, Some(0)));

    let (_folder, path) = on_disk("pairs", &pairs());
    for (wrong, expected) in [
        (
            Reader::open(&path).and_then(|reader| reader.records::<[u8; 2]>()).map(|_| ()),
            idx_core::ErrorKind::ElementMismatch {
                expected: ElementType::U8,
                found: ElementType::I16,
            },
        ),
        (
            Reader::open(&path).and_then(|reader| reader.records::<i16>()).map(|_| ()),
            idx_core::ErrorKind::RankMismatch { expected: 1, found: 2 },
        ),
        (
            open(&path).unwrap().records::<[i16; 3]>().map(|_| ()),
            idx_core::ErrorKind::ShapeMismatch { dimension: 1, expected: 3, found: 2 },
        ),
        (
            open(&path).unwrap().to_vec::<f32>().map(|_| ()),
            idx_core::ErrorKind::ElementMismatch {
                expected: ElementType::F32,
                found: ElementType::I16,
            },
        ),
    ] {
        let wrong = wrong.unwrap_err();
        assert!(matches!(wrong.kind(), ErrorKind::Format(error) if *error == expected), "{wrong}");
        assert_eq!(wrong.path(), Some(path.as_path()));
    }
}

#[test]
fn values_that_the_type_does_not_allow() {
    let labels = file(0x08, &[4], &[7, 9, 10, 3]);
    let refused = idx_core::ErrorKind::ValueNotAllowed { record: 2, value: 10 };
    let is_refused =
        |error: &Error| matches!(error.kind(), ErrorKind::Format(error) if *error == refused);

    let (_folder, path) = on_disk("labels", &labels);
    assert!(is_refused(&open(&path).unwrap().records::<Label>().unwrap_err()));
    assert!(is_refused(&open(&path).unwrap().to_vec::<Label>().unwrap_err()));
    assert!(is_refused(&load::<Label>(&path).unwrap_err()));
    let mut labels = vec![Label(0); 4];
    assert!(is_refused(&open(&path).unwrap().copy_into(&mut labels).unwrap_err()));

    let mut reader = Reader::open(&path).unwrap().records::<Label>().unwrap();
    assert_eq!(reader.next().unwrap().unwrap(), Label(7));
    assert_eq!(reader.next().unwrap().unwrap(), Label(9));
    let error = reader.next().unwrap().unwrap_err();
    assert!(is_refused(&error));
    assert_eq!(error.records(), Some(2));
    assert!(reader.next().is_none());

    // Far into the file, where it is read in chunks.
    let mut payload = vec![1; 600_000];
    payload[599_999] = 77;
    let (_folder, path) = on_disk("many", &file(0x08, &[600_000], &payload));
    let error = load::<Label>(&path).unwrap_err();
    assert!(error.sentence().contains("record 599999 contains 77"), "{error}");
    // The chunk was read to its end, so the number of records that were read would say nothing.
    assert_eq!(error.records(), None);
}

/// The error has the index of the record, whatever the size of its elements.
#[test]
fn values_of_several_bytes_that_the_type_does_not_allow() {
    #[derive(IdxRecord, Clone, Debug, PartialEq)]
    struct Grade(#[idx(range = 1..=6)] i16);

    let mut payload = [0, 3].repeat(12);
    payload[15] = 7;
    let records = |error: &Error| match error.kind() {
        ErrorKind::Format(FormatError::ValueNotAllowed { record, value: 7 }) => *record,
        _ => panic!("{error}"),
    };
    let (_folder, path) = on_disk("grades", &file(0x0B, &[4, 3], &payload));
    assert_eq!(records(&load::<Grade>(&path).unwrap_err()), 7);
    let file = open(&path).unwrap();
    assert_eq!(records(&file.copy_into(&mut vec![Grade(1); 12]).unwrap_err()), 7);
}

#[test]
fn skipping_to_a_record() {
    let plain = file(
        0x0B,
        &[100_000, 3],
        &(0..300_000u32).flat_map(|i| ((i / 3) as i16).to_be_bytes()).collect::<Vec<_>>(),
    );
    let value = |record: i32| Some([record as i16; 3]);
    let next = |reader: &mut dyn Iterator<Item = Result<[i16; 3], Error>>| {
        reader.next().map(Result::unwrap)
    };

    let (_folder, path) = on_disk("plain", &plain);
    let mut reader = Reader::open(&path).unwrap().records::<[i16; 3]>().unwrap();
    for record in [5, 99_999, 0, 70_000, 70_001, 3] {
        reader.select((record as u64)..).unwrap();
        assert_eq!(next(&mut reader), value(record));
        assert_eq!(next(&mut reader), if record == 99_999 { None } else { value(record + 1) });
    }
    reader.select(100_000..).unwrap();
    assert_eq!(next(&mut reader), None);
    let beyond = reader.select(100_001..).unwrap_err();
    assert_eq!(
        beyond.sentence(),
        "record 100001 is out of range; the file has 100000 records (numbered from 0)"
    );

    let mut reader =
        Reader::seekable(Cursor::new(gzip(&plain))).unwrap().records::<[i16; 3]>().unwrap();
    reader.select(90_000..).unwrap();
    assert_eq!(next(&mut reader), value(90_000));
    let back = reader.select(7..).unwrap_err();
    let text = back.kind().to_string();
    assert!(
        text.starts_with("record 7 cannot be read") && text.contains("record 90001 comes next")
    );
    assert_eq!(next(&mut reader), value(90_001), "a refused skip changes nothing");

    // A file in the middle of another one.
    let mut sink = Cursor::new([&[1; 1000][..], &plain].concat());
    sink.seek(SeekFrom::Start(1000)).unwrap();
    let mut reader = Reader::seekable(sink).unwrap().records::<[i16; 3]>().unwrap();
    reader.select(12_345..).unwrap();
    assert_eq!(next(&mut reader), value(12_345));
    reader.select(1..).unwrap();
    assert_eq!(next(&mut reader), value(1));

    // Select a record that is missing because the file is cut.
    let cut = &plain[..12 + 6 * 50 - 1];
    let zipped = gzip(cut);
    for reader in [
        Reader::seekable(Cursor::new(cut)),
        Reader::seekable(Cursor::new(&zipped[..])),
        Reader::new(Cursor::new(cut)),
    ] {
        let mut reader = reader.unwrap().records::<[i16; 3]>().unwrap();
        let error = reader.select(60..).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::Format(idx_core::ErrorKind::Truncated { needed: 600_000, .. })
            ),
            "{error}"
        );
        assert_eq!(error.records(), Some(49));
        assert!(reader.next().is_none());
    }
}

#[test]
fn parts_cover_the_records_exactly() {
    for count in [0, 1, 2, 3, 10] {
        let bytes = file(0x08, &[count], &vec![7; count as usize]);
        let reader = Reader::new(&bytes[..]).unwrap();
        for parts in [0, 1, 2, 3, 7, 10, 11, 100] {
            let ranges: Vec<_> = reader.partition(parts).collect();
            assert_eq!(ranges.len(), parts.max(1));
            assert_eq!(ranges.len(), reader.partition(parts).len());
            let mut end = 0;
            for range in &ranges {
                assert_eq!(range.start, end);
                end = range.end;
            }
            assert_eq!(end, u64::from(count));
            let sizes = ranges.iter().map(|range| range.end - range.start);
            let least = sizes.clone().min().unwrap();
            assert!(sizes.max().unwrap() <= least + 1);
        }
        let last = reader.partition(usize::MAX).next_back();
        assert_eq!(last, Some(u64::from(count)..u64::from(count)));
    }
}

#[test]
fn a_range_of_records() {
    let bytes = file(0x0B, &[5], &[0, 0, 0, 1, 0, 2, 0, 3, 0, 4]);
    let zipped = gzip(&bytes);
    let numbers = |records: Vec<Vec<u8>>| -> Vec<u8> { records.iter().map(|r| r[1]).collect() };
    let open = [Reader::new, Reader::seekable];
    for (bytes, open) in
        [&bytes, &zipped].into_iter().flat_map(|bytes| open.map(|open| (bytes, open)))
    {
        let select = |range: Range<u64>| {
            let mut reader = open(Cursor::new(bytes)).unwrap();
            let count = range.end.saturating_sub(range.start);
            reader.select(range).map(|selected| {
                assert_eq!(selected, count);
                reader
            })
        };
        for start in 0..=5 {
            for end in start..=5 {
                let (records, error) = drain(select(start..end).unwrap());
                assert!(numbers(records).into_iter().map(u64::from).eq(start..end));
                assert!(error.is_none());
                // Several at a time are the same records.
                let mut reader = select(start..end).unwrap();
                let mut many = Vec::new();
                while let Some(records) = reader.next_records() {
                    many.extend(records.unwrap().chunks(2).map(|record| u64::from(record[1])));
                }
                assert!(many.into_iter().eq(start..end));
            }
        }
        for (range, beyond) in [(0..6, 5), (6..6, 6), (2..9, 8)] {
            let error = select(range).unwrap_err();
            assert_eq!(
                error.kind().to_string(),
                format!(
                    "record {beyond} is out of range; the file has 5 records (numbered from 0)"
                )
            );
        }
        // Records between one range and the next are skipped.
        let mut reader = select(0..2).unwrap();
        while reader.next_record().is_some() {}
        reader.select(3..5).unwrap();
        assert_eq!(reader.next_record().unwrap().unwrap(), [0, 3]);
        let mut typed = open(Cursor::new(bytes)).unwrap().records::<i16>().unwrap();
        typed.select(1..3).unwrap();
        assert_eq!(typed.size_hint(), (0, Some(3)));
        assert!(typed.map(Result::unwrap).eq([1, 2]));
    }
    // Records without bytes, too many to count one by one.
    let none = file(0x08, &[u32::MAX, 0], &[]);
    let mut reader = Reader::new(Cursor::new(&none)).unwrap();
    reader.select(7..9).unwrap();
    let (records, error) = drain(reader);
    assert!(records == [[0u8; 0]; 2] && error.is_none());
    let mut reader = Reader::new(Cursor::new(&none)).unwrap();
    reader.select(7..9).unwrap();
    assert_eq!(reader.next_records().unwrap().unwrap(), [0u8; 0]);
    assert!(reader.next_records().is_none());

    // The range with the last record reports the error at the end, the others report what they meet.
    let longer = [&bytes[..], &[9]].concat();
    for (bytes, range, wrong) in [
        (&longer[..], 0..4, false),
        (&longer[..], 4..5, true),
        (&bytes[..bytes.len() - 1], 0..4, false),
        (&bytes[..bytes.len() - 1], 3..5, true),
    ] {
        let mut reader = Reader::new(Cursor::new(bytes)).unwrap();
        reader.select(range).unwrap();
        assert_eq!(drain(reader).1.is_some(), wrong);
    }
}

#[test]
fn all_element_types_as_numbers() {
    fn check<E: Element + Copy + PartialEq + std::fmt::Debug>(values: &[E])
    where
        f64: From<E>,
    {
        let mut payload = vec![0; values.len() * E::SIZE];
        E::encode_slice(values, &mut payload).unwrap();
        let count = u32::try_from(values.len()).unwrap();
        let plain = file(E::ELEMENT.code(), &[1, count], &payload);
        for bytes in [plain.clone(), gzip(&plain)] {
            let (_folder, path) = on_disk("array", &bytes);
            let array: Array<E> = load(&path).unwrap();
            assert_eq!(array.shape(), [1, count as usize]);
            assert_eq!(*array, *values);
            assert_eq!(array.into_vec(), values);

            let wrong = |found: usize| {
                let plural = if count == 1 { "" } else { "s" };
                format!(
                    "the file has {count} element{plural}, but {found} were given; give exactly {count}"
                )
            };

            let buffer = open(&path).unwrap();
            assert_eq!(buffer.to_vec::<E>().unwrap(), values);
            let mut slice = vec![E::FILL; values.len()];
            buffer.copy_into(&mut slice).unwrap();
            assert_eq!(slice, values);
            let short = buffer.copy_into(&mut slice[1..]).unwrap_err();
            assert_eq!(short.kind().to_string(), wrong(values.len() - 1));
            let long = [&slice[..], values].concat();
            let long = buffer.copy_into(&mut long.clone()).unwrap_err();
            assert_eq!(long.kind().to_string(), wrong(2 * values.len()));
            let exact: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
            let matrix = buffer.to_matrix().unwrap().into_vec();
            assert_eq!((matrix.capacity(), &matrix), (exact.len(), &exact));
        }
    }
    check(&[0u8, 1, 127, 128, 255]);
    check(&[0i8, 1, 127, -128, -1]);
    check(&[0i16, 256, i16::MAX, i16::MIN, -1]);
    check(&[0i32, 1 << 24, i32::MAX, i32::MIN, -1, 16_777_217]);
    check(&[0f32, 0.1, -0.0, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY]);
    check(&[0f64, 0.1, -0.0, f64::MAX, 5e-324, f64::NEG_INFINITY]);
    // Any number of elements, not only those that fill vectors.
    for count in (1..200).chain([4096]) {
        let bits = |index: i16| index.wrapping_mul(0x0123) ^ 0x55AA;
        check(&(0..count).map(bits).collect::<Vec<i16>>());
        check(&(0..count).map(bits).map(f64::from).collect::<Vec<f64>>());
    }
    // More than a chunk.
    check(&(0..300_000).collect::<Vec<i32>>());
}

#[test]
fn what_is_copied_into_memory_that_is_there_is_checked() {
    let buffer = IdxBuf::from_bytes(file(8, &[3], &[7, 10, 1])).unwrap();
    let mut labels = [Label(0), Label(0), Label(0)];
    let error = buffer.copy_into(&mut labels).unwrap_err();
    assert!(matches!(
        error.kind(),
        ErrorKind::Format(FormatError::ValueNotAllowed { record: 1, value: 10 })
    ));
    let error = buffer.copy_into(&mut [0i8; 3]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Format(FormatError::ElementMismatch { .. })));
}

#[cfg(feature = "data")]
#[test]
fn what_one_call_of_libdeflate_may_inflate_is_the_same_in_pieces() {
    let whole = gzip(&file(8, &[300], &[7; 300]));
    let size = &whole[whole.len() - 4..];
    let labels = gzip(&file(8, &[3], &[1, 2, 3]));
    // The flag of a checksum of the gzip header, and a wrong checksum.
    let checked = [&whole[..3], &[2], &whole[4..10], &[0, 0], &whole[10..]].concat();
    // The length stands in the name of the file, too.
    let named = [&whole[..3], &[8], &whole[4..10], b"\x38\x01", &[0], &whole[10..]].concat();
    for zipped in [
        &whole[..],
        &labels,
        &[&whole[..], &[0; 100]].concat(),
        &[&whole[..], &[9]].concat(),
        &[&whole[..], size].concat(),
        &[&whole[..], &whole[whole.len() - 8..]].concat(),
        &[&whole[..], &whole].concat(),
        &[&whole[..], &gzip(&[])].concat(),
        &whole[..whole.len() - 1],
        &whole[..whole.len() - 8],
        &checked,
        &named,
    ] {
        idx_tests::checks::one_call(&[&[3], zipped].concat());
    }
}

/// The page of idx-std names this difference.
#[test]
fn codes_that_only_libdeflate_reads() {
    // The header and a label in a good block, and two labels in one that has 31 codes of distances; RFC 1951
    // has 30.
    let zipped = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xFF, 0x00, 0x09, 0x00, 0xF6, 0xFF,
        0x00, 0x00, 0x08, 0x01, 0x00, 0x00, 0x00, 0x03, 0x07, 0x05, 0xFE, 0x81, 0x09, 0x00, 0x00,
        0x0C, 0xC3, 0x20, 0x18, 0x00, 0xBA, 0xFF, 0x2F, 0x9E, 0x9F, 0xEC, 0x1E, 0xF4, 0xB4, 0x95,
        0x4A, 0x0B, 0x00, 0x00, 0x00,
    ];
    let (_folder, path) = on_disk("labels", &zipped);
    let in_pieces = IdxBuf::from_bytes(zipped).unwrap_err();
    assert!(matches!(in_pieces.kind(), ErrorKind::GzipDamaged { .. }));
    match open(&path) {
        Ok(labels) if cfg!(feature = "libdeflate") => {
            assert_eq!(labels.bytes(), file(8, &[3], &[7, 7, 8]))
        }
        Err(error) if !cfg!(feature = "libdeflate") => {
            assert!(matches!(error.kind(), ErrorKind::GzipDamaged { .. }));
        }
        other => panic!("{other:?}"),
    }
    #[cfg(feature = "data")]
    idx_tests::checks::one_call(&[&[3], &zipped[..]].concat());
}

#[test]
fn matrices_are_folded_as_praat_does() {
    let matrix = |sizes: &[u32], payload: &[u8]| {
        IdxBuf::from_bytes(file(0x09, sizes, payload))
            .unwrap()
            .to_matrix()
            .map(|matrix| (matrix.shape().to_vec(), matrix.into_vec()))
    };
    let expected = |rows, columns, values: &[f64]| (vec![rows, columns], values.to_vec());
    assert_eq!(matrix(&[], &[0xFF]).unwrap(), expected(1, 1, &[-1.0]));
    assert_eq!(matrix(&[2], &[1, 2]).unwrap(), expected(1, 2, &[1.0, 2.0]));
    assert_eq!(matrix(&[2, 1, 2], &[1, 2, 3, 4]).unwrap(), expected(2, 2, &[1.0, 2.0, 3.0, 4.0]));
    assert_eq!(matrix(&[0], &[]).unwrap(), expected(1, 0, &[]));
    assert_eq!(matrix(&[0, 28, 28], &[]).unwrap(), expected(0, 784, &[]));
    assert_eq!(matrix(&[3, 0, u32::MAX, u32::MAX], &[]).unwrap(), expected(3, 0, &[]));
    let beyond = matrix(&[0, u32::MAX, u32::MAX, u32::MAX], &[]).unwrap_err();
    assert_eq!(beyond.kind().code(), "shape_too_large", "{beyond}");
}

#[test]
fn sizes_of_zero() {
    let huge = file(0x08, &[1 << 31, 1 << 31, 0], &[]);
    for bytes in [huge.clone(), gzip(&huge)] {
        let buffer = IdxBuf::from_bytes(bytes.clone()).unwrap();
        assert_eq!(buffer.as_idx().len(), 1 << 31);
        assert_eq!(buffer.as_idx().record_bytes((1 << 31) - 1), Some(&[][..]));
        let mut reader = Reader::new(Cursor::new(bytes)).unwrap();
        assert_eq!(reader.header().record_size(), Some(0));
        reader.select(1 << 31..).unwrap();
        assert!(reader.next_record().is_none());
    }
    let empty = file(0x0E, &[0, 1 << 31, 1 << 31, 1 << 31], &[]);
    let (records, error) = drain(Reader::new(&empty[..]).unwrap());
    assert!(records.is_empty() && error.is_none());
    assert_eq!(IdxBuf::from_bytes(empty).unwrap().to_vec::<f64>().unwrap(), [0f64; 0]);
}

#[test]
fn a_single_element_is_a_record() {
    let scalar = file(0x0D, &[], &1.5f32.to_be_bytes());
    let (_folder, path) = on_disk("scalar", &scalar);
    assert_eq!(load::<f32>(&path).unwrap().shape(), [0; 0]);
    let buffer = open(&path).unwrap();
    assert_eq!((buffer.as_idx().len(), buffer.as_idx().header().rank()), (1, 0));
    assert!(Reader::open(&path).unwrap().records::<f32>().unwrap().map(Result::unwrap).eq([1.5]));
}

#[test]
fn owned_records_know_their_file() {
    let bytes = file(0x08, &[2, 3], &[1, 2, 3, 4, 5, 6]);
    let (_folder, path) = on_disk("records", &bytes);
    let records = open(&path).unwrap().into_records::<[u8; 3]>().unwrap();
    assert_eq!(records.as_records().get(1), Some([4, 5, 6]));
    assert_eq!(records.path(), Some(&*path));
    assert_eq!(records.into_inner().bytes(), bytes);
    let records = IdxBuf::from_bytes(bytes).unwrap().into_records::<[u8; 3]>().unwrap();
    assert_eq!(records.path(), None);
}

#[test]
fn the_size_can_be_limited() {
    for bytes in [pairs(), gzip(&pairs())] {
        let (_folder, path) = on_disk("pairs", &bytes);
        let size = pairs().len() as u64;
        assert!(ReadOptions::new().limit(size).open(&path).is_ok());
        let error = ReadOptions::new().limit(size - 1).open(&path).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::LimitExceeded { limit: 19, needed: 20, .. }),
            "{error}"
        );
    }
    // A header that claims more than any machine has is refused at once.
    let (_folder, path) = on_disk("huge", &file(0x08, &[u32::MAX, u32::MAX], &[]));
    let error = ReadOptions::new().limit(1000).open(path).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::LimitExceeded { limit: 1000, .. }), "{error}");
}

#[test]
fn the_length_of_a_plain_file_is_known_without_reading_it() {
    let length = |bytes: &[u8]| {
        let (_folder, path) = on_disk("file", bytes);
        Reader::open(path).unwrap().check_length().map_err(|error| error.sentence())
    };
    assert_eq!(length(&pairs()), Ok(()));
    assert_eq!(length(&gzip(&pairs()[..19])), Ok(()), "gzip does not tell");
    for bad in bad_files() {
        if bad.name == "cut-by-one-byte" || bad.name == "four-gigabytes-promised" {
            assert_eq!(length(&bad.bytes).unwrap_err(), bad.message);
        }
    }
    let longer = [pairs(), vec![0; 3]].concat();
    assert!(
        length(&longer)
            .unwrap_err()
            .starts_with("extra bytes after the payload: 3 bytes from offset 20")
    );
}

#[test]
fn mapped_files() {
    // SAFETY: nobody else knows these files.
    let map = |bytes: &[u8]| {
        let (folder, path) = on_disk("file", bytes);
        let buffer = unsafe { MappedFile::open(&path) }.and_then(IdxBuf::from_mapped);
        (folder, buffer)
    };
    let (_folder, buffer) = map(&pairs());
    let buffer = buffer.unwrap();
    assert_eq!(buffer.records::<Pair>().unwrap().get(1), Some(Pair { left: -1, right: 4 }));
    assert_eq!(buffer.bytes(), pairs());
    for (bytes, expected) in [
        (gzip(&pairs()), idx_core::ErrorKind::Gzip),
        (vec![], idx_core::ErrorKind::Empty),
        (pairs()[..19].to_vec(), idx_core::ErrorKind::Truncated { needed: 8, found: 7 }),
    ] {
        let error = map(&bytes).1.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Format(error) if *error == expected), "{error}");
    }
}

#[test]
fn public_types_can_be_shared_and_shown() {
    fn shared<T: Send + Sync + std::fmt::Debug>() {}
    shared::<Error>();
    shared::<IdxBuf>();
    shared::<Array<f32>>();
    shared::<Reader>();
    shared::<RecordReader<Pair>>();
    shared::<Writer>();
    shared::<RecordWriter<Pair>>();
    shared::<HeaderBuf>();
    assert!(size_of::<Error>() == size_of::<usize>(), "a result of a record stays small");
    assert!(format!("{:?}", IdxBuf::from_bytes(pairs()).unwrap()).contains("I16"));
}

/// A pipe cannot be read twice to learn its size.
#[cfg(unix)]
#[test]
fn a_pipe_can_have_a_large_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    idx_tests::named_pipe(&path);
    let plain = file(0x0B, &[600_000], &[0, 7].repeat(600_000));
    for bytes in [plain.clone(), gzip(&plain)] {
        let write = |path: &std::path::Path| fs::write(path, &bytes).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| write(&path));
            assert_eq!(open(&path).unwrap().bytes(), plain);
            scope.spawn(|| write(&path));
            assert!(load::<i16>(&path).unwrap().iter().eq(&[7; 600_000]));
        });
    }
}

#[test]
fn what_is_printed_to_debug_is_one_short_line() {
    let bytes = file(0x08, &[100, 28, 28], &[7; 78_400]);
    let (_folder, path) = on_disk("images", &bytes);
    let mut reader = Reader::open(&path).unwrap();
    reader.next_record().unwrap().unwrap();
    let mut records = Reader::open(&path).unwrap().records::<[[u8; 28]; 28]>().unwrap();
    records.next().unwrap().unwrap();
    let mut writer = RecordWriter::<u8, _>::new(Cursor::new(Vec::new())).unwrap();
    writer.push_all(&bytes).unwrap();
    let buffer = open(&path).unwrap();
    for text in [
        format!("{:?}", buffer.to_matrix().unwrap()),
        format!("{:?}", load::<u8>(&path).unwrap()),
        format!("{reader:?}"),
        format!("{records:?}"),
        format!("{writer:?}"),
        format!("{buffer:?}"),
        format!("{:?}", buffer.into_records::<[[u8; 28]; 28]>().unwrap()),
    ] {
        assert!(text.len() < 400 && !text.contains('\n'), "{text}");
    }
}

#[test]
fn a_reader_that_claims_too_much_is_an_error() {
    #[derive(Debug)]
    struct Liar;
    impl Read for Liar {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            Ok(buffer.len() + 1)
        }
    }
    let error = Reader::new(Liar).unwrap_err();
    assert!(error.sentence().contains("more bytes than it was asked for"), "{error}");
}

/// RFC 1952 asks this of a reader: a flag without a meaning is an error, and so is a wrong checksum of the header.
#[test]
fn flags_and_the_checksum_of_the_header_of_gzip() {
    let whole = file(8, &[3], b"abc");
    let compressed = gzip(&whole);
    let (start, rest) = compressed.split_at(10);
    let with = |flags: u8, more: &[u8]| {
        let mut start = start.to_vec();
        start[3] = flags;
        [&start, more, rest].concat()
    };
    let is_read = |bytes: Vec<u8>| {
        let streamed = Reader::new(&bytes[..]).and_then(|mut reader| {
            let records = reader.next_records().transpose()?.map(<[u8]>::to_vec);
            reader.next_record().transpose()?;
            Ok(records)
        });
        let loaded = IdxBuf::from_bytes(bytes);
        assert_eq!(streamed.is_ok(), loaded.is_ok());
        streamed.is_ok_and(|records| records.as_deref() == Some(b"abc"))
    };
    assert!(is_read(with(0, &[])) && is_read(with(1, &[])) && is_read(with(8, b"a name\0")));
    for flag in [0x20, 0x40, 0x80] {
        assert!(!is_read(with(flag, &[])), "{flag:#x}");
    }
    // The two low bytes of the checksum of the header, which stands behind it.
    let checksum = |start: &[u8]| {
        let compressed = gzip(start);
        [compressed[compressed.len() - 8], compressed[compressed.len() - 7]]
    };
    let flagged = with(2, &[]);
    let [low, high] = checksum(&flagged[..10]);
    assert!(is_read(with(2, &[low, high])));
    // libdeflate does not compare it.
    if !cfg!(feature = "libdeflate") {
        assert!(!is_read(with(2, &[low ^ 1, high])));
    }
}
