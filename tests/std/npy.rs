//! npy, the format of NumPy's arrays: headers, arrays that are read, arrays that are written.

use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use idx_data::npy::{self, DType, Header};
use idx_data::{Error, ErrorKind as DataErrorKind};
use idx_std::{ElementType, ErrorKind};
use idx_tests::{gzip, names};

// Headers

fn header_of(version: u8, text: &str) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    let length = if version == 1 { 2 } else { 4 };
    bytes.extend(text.len().to_le_bytes().into_iter().take(length));
    bytes.extend(text.as_bytes());
    bytes
}

fn parse(text: &str) -> Result<Header, npy::Error> {
    Header::parse(&header_of(1, text))
}

#[test]
fn headers_as_pythons_write_them() {
    let mut expected = Header::new(ElementType::I16, vec![3, 4]);
    expected.big_endian = true;
    expected.fortran_order = true;
    for text in [
        "{'descr': '>i2', 'fortran_order': True, 'shape': (3, 4), }\n",
        "{'descr': '>i2', 'fortran_order': True, 'shape': (3L, 4L)}",
        "{\"shape\":(3,4),\"descr\":\">i2\",\"fortran_order\":True}     \n",
    ] {
        for version in 1..=3 {
            assert_eq!(Header::parse(&header_of(version, text)).as_ref(), Ok(&expected));
        }
    }
    let shape = |text: &str| {
        parse(&format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {text}}}"))
            .map(|header| header.shape)
    };
    assert_eq!(shape("()"), Ok(vec![]));
    assert_eq!(shape("(7,)"), Ok(vec![7]));
    assert_eq!(shape("(18446744073709551615, 0)"), Ok(vec![u64::MAX, 0]));
    for wrong in ["(18446744073709551616,)", "(-1,)", "(1,,2)", "(1", "7", "(a,)"] {
        assert_eq!(shape(wrong), Err(npy::Error::Header), "{wrong}");
    }
}

#[test]
fn headers_that_are_wrong() {
    for text in [
        "",
        "{",
        "{}",
        "{'descr'}",
        "{'descr': '<f8'",
        "{'descr': '<f8', 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x",
        "{'descr': '<f8' 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), 'more': 1}",
    ] {
        assert_eq!(parse(text), Err(npy::Error::Header), "{text}");
    }
    for descr in ["<f16", "<c8", "|S5", "<U3", "|O", "<M8[ns]", "", "é", "=i4", "|i4"] {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ()}}");
        let descr = descr.to_string();
        assert_eq!(parse(&text), Err(npy::Error::ElementType { descr }));
    }
    let truths = parse("{'descr': '|b1', 'fortran_order': False, 'shape': ()}").unwrap();
    assert_eq!(truths.dtype, DType::from(ElementType::U8));
    let structures = "{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': ()}";
    assert_eq!(
        parse(structures).unwrap_err().to_string(),
        "the elements of this npy file are structures, which IDX cannot hold; convert them in NumPy \
         with `astype`"
    );
}

#[test]
fn cut_anywhere_and_other_files() {
    let bytes = Header::new(ElementType::U8, vec![2]).to_bytes();
    for length in 0..bytes.len() {
        assert_eq!(Header::parse(&bytes[..length]), Err(npy::Error::Truncated));
    }
    assert_eq!(Header::parse(b"\x93NUMPX\x01\0"), Err(npy::Error::NotNpy));
    let later = Header::parse(b"\x93NUMPY\x04\0\0\0\0\0");
    assert_eq!(later, Err(npy::Error::Version { major: 4 }));
}

#[test]
fn the_bytes_are_those_of_numpy() {
    for (element_type, fortran_order, shape, text) in [
        (
            ElementType::U8,
            false,
            &[][..],
            "{'descr': '|u1', 'fortran_order': False, 'shape': (), }",
        ),
        (ElementType::I8, false, &[5], "{'descr': '|i1', 'fortran_order': False, 'shape': (5,), }"),
        (
            ElementType::F32,
            true,
            &[3, 4],
            "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }",
        ),
    ] {
        let mut header = Header::new(element_type, shape.to_vec());
        header.fortran_order = fortran_order;
        let start = b"\x93NUMPY\x01\0\x76\0";
        let padded = format!("{text:117}\n");
        assert_eq!(header.to_bytes(), [start, padded.as_bytes()].concat());
    }
}

/// The size that grows is the first one, and the last one in Fortran order.
#[test]
fn the_length_does_not_depend_on_the_number_of_records() {
    for element_type in ElementType::ALL {
        for dimensions in 1..30 {
            for fortran_order in [false, true] {
                let sized = |size| {
                    let mut header = Header::new(element_type, vec![28; dimensions]);
                    header.fortran_order = fortran_order;
                    let growing = if fortran_order { dimensions - 1 } else { 0 };
                    header.shape[growing] = size;
                    header
                };
                let (empty, full) = (sized(0).to_bytes(), sized(u64::MAX).to_bytes());
                assert_eq!(empty.len(), full.len());
                assert_eq!(Header::parse(&full), Ok(sized(u64::MAX)));
            }
        }
    }
}

#[test]
fn what_16_bits_cannot_count_has_version_2() {
    for dimensions in [0, 1, 255, 21_000, 30_000] {
        let header = Header::new(ElementType::F32, vec![1; dimensions]);
        let bytes = header.to_bytes();
        assert_eq!(bytes.len() % 64, 0);
        assert_eq!(bytes[6], if dimensions < 30_000 { 1 } else { 2 });
        assert_eq!(Header::parse(&bytes), Ok(header));
    }
}

/// Of the sizes that 64 bits cannot hold.
#[test]
fn sizes_of_records_and_of_all() {
    let sizes = |shape: &[u64]| {
        let header = Header::new(ElementType::I16, shape.to_vec());
        (header.record_count(), header.record_size(), header.payload_size())
    };
    assert_eq!(sizes(&[]), (1, Some(2), Some(2)));
    assert_eq!(sizes(&[5]), (5, Some(2), Some(10)));
    assert_eq!(sizes(&[5, 3, 7]), (5, Some(42), Some(210)));
    assert_eq!(sizes(&[0, u64::MAX, 3]), (0, None, Some(0)));
    assert_eq!(sizes(&[3, 1 << 62]), (3, Some(1 << 63), None));
    assert_eq!(sizes(&[3, 1 << 40, 1 << 40, 0]), (3, Some(0), Some(0)));
    let size = |start: &[u8]| Header::size(start);
    assert_eq!(size(b"\x93NUMPY\x01\0\x76\0{'"), Ok(128));
    assert_eq!(size(b"\x93NUMPY\x02\0\x74\0\x01\0"), Ok(12 + 0x1_0074));
}

// Reading

/// The types of elements, as NumPy names them.
const TYPES: [(&str, DType); 10] = [
    ("u1", DType::Element(ElementType::U8)),
    ("i1", DType::Element(ElementType::I8)),
    ("i2", DType::Element(ElementType::I16)),
    ("i4", DType::Element(ElementType::I32)),
    ("f4", DType::Element(ElementType::F32)),
    ("f8", DType::Element(ElementType::F64)),
    ("u2", DType::U16),
    ("u4", DType::U32),
    ("u8", DType::U64),
    ("i8", DType::I64),
];

fn header(dtype: DType, shape: &[u64]) -> Header {
    let mut header = Header::new(ElementType::U8, shape.to_vec());
    header.dtype = dtype;
    header
}

/// An array whose elements, the last dimension fastest, have the bytes 0, 1, 2, .. in big-endian order:
/// the file, and those bytes.
fn array(header: &Header) -> (Vec<u8>, Vec<u8>) {
    let size = header.dtype.size();
    let count = header.shape.iter().product::<u64>() as usize;
    let bytes: Vec<u8> = (0..count * size).map(|index| (index % 251) as u8).collect();
    let mut file = header.to_bytes();
    for place in 0..count {
        let element = match header.fortran_order {
            false => place,
            true => last_fastest(place, &header.shape),
        };
        let mut element = bytes[element * size..(element + 1) * size].to_vec();
        if !header.big_endian {
            element.reverse();
        }
        file.extend(element);
    }
    (file, bytes)
}

/// The position, in the order of the last dimension, of the element at this position in the order of the
/// first.
fn last_fastest(place: usize, shape: &[u64]) -> usize {
    let (mut place, mut index) = (place as u64, Vec::new());
    for size in shape {
        index.push(place % size);
        place /= size;
    }
    let place = index.iter().zip(shape).fold(0, |place, (index, size)| place * size + index);
    place as usize
}

/// The records until the end or the first error, one after the other, and that error.
fn read<R: Read>(mut reader: npy::Reader<R>) -> (Vec<Vec<u8>>, Option<Error>) {
    let mut records = Vec::new();
    while let Some(record) = reader.next_record() {
        match record {
            Ok(record) => records.push(record.to_vec()),
            Err(error) => {
                assert!(reader.next_record().is_none(), "nothing comes after an error");
                return (records, Some(error));
            }
        }
    }
    (records, None)
}

/// A pipe that gives a few bytes at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.0.len()).min(7);
        let (now, later) = self.0.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.0 = later;
        Ok(count)
    }
}

const SHAPES: [&[u64]; 9] =
    [&[], &[1], &[5], &[3, 4], &[2, 3, 5], &[4, 1, 2, 3], &[0, 3], &[3, 0], &[300, 2, 70]];

#[test]
fn arrays_of_all_types_and_orders() {
    for (name, dtype) in TYPES {
        for shape in SHAPES {
            for (big_endian, fortran_order) in
                [(false, false), (true, false), (false, true), (true, true)]
            {
                let mut header = header(dtype, shape);
                (header.big_endian, header.fortran_order) =
                    (big_endian && dtype.size() > 1, fortran_order);
                let (file, bytes) = array(&header);
                let named = format!("{name}'");
                let text = String::from_utf8_lossy(&file).into_owned();
                assert!(text.contains(&named), "{text}");
                let reader = npy::Reader::new(&file[..]).unwrap();
                assert_eq!(reader.header(), &header);
                let (records, error) = read(reader);
                assert!(error.is_none(), "{error:?}");
                assert_eq!(records.len() as u64, header.record_count());
                assert!(records.concat() == bytes, "{header:?}");
                let in_drops = read(npy::Reader::new(Drops(&file)).unwrap());
                assert!(in_drops.0 == records && in_drops.1.is_none(), "{header:?}");
                let zipped = gzip(&file);
                let zipped = read(npy::Reader::new(&zipped[..]).unwrap());
                assert!(zipped.0 == records && zipped.1.is_none(), "{header:?}");
            }
        }
    }
}

#[test]
fn arrays_that_are_cut_anywhere() {
    for (fortran_order, shape) in
        [(false, &[3, 2][..]), (true, &[3, 2]), (true, &[3]), (false, &[])]
    {
        let mut header = header(DType::U16, shape);
        header.fortran_order = fortran_order;
        let (file, bytes) = array(&header);
        let start = file.len() - bytes.len();
        let record_size = header.record_size().unwrap() as usize;
        for length in 0..file.len() {
            let cut = &file[..length];
            let Some(found) = length.checked_sub(start) else {
                let error = npy::Reader::new(cut).unwrap_err();
                assert!(
                    matches!(error.kind(), DataErrorKind::Npy(npy::Error::Truncated)),
                    "{length}: {error}"
                );
                continue;
            };
            let (records, error) = read(npy::Reader::new(cut).unwrap());
            // In Fortran order no record is whole before the last.
            let whole = if fortran_order && shape.len() > 1 { 0 } else { found / record_size };
            assert_eq!(records.concat(), bytes[..whole * record_size]);
            let error = error.unwrap();
            let Some(&ErrorKind::Format(idx_core::ErrorKind::Truncated { needed, found: counted })) =
                error.file_kind()
            else {
                panic!("{error}");
            };
            assert_eq!((needed, counted), (bytes.len() as u64, found as u64));
            assert_eq!(error.records(), Some(whole as u64));
        }
    }
}

/// A disk that fails once, after these bytes, and then goes on.
struct FailsOnce<'a> {
    before: &'a [u8],
    after: &'a [u8],
    has_failed: bool,
}

impl Read for FailsOnce<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.before.is_empty() && !self.has_failed {
            self.has_failed = true;
            return Err(io::ErrorKind::TimedOut.into());
        }
        match self.before {
            [] => self.after.read(buffer),
            _ => self.before.read(buffer),
        }
    }
}

/// The reader returns the records before the failure, then the error of the system, then nothing.
#[test]
fn a_disk_that_fails_once_is_not_read_on() {
    for (fortran_order, count) in [(false, 5), (true, 5), (false, 300_000)] {
        let mut header = header(DType::U16, &[count, 2]);
        header.fortran_order = fortran_order;
        let (file, bytes) = array(&header);
        for missing in [1, 4, 6, 20] {
            let (before, after) = file.split_at(file.len() - missing);
            let has_failed = false;
            let disk = FailsOnce { before, after, has_failed };
            let (records, error) = read(npy::Reader::new(disk).unwrap());
            let whole = if fortran_order { 0 } else { (bytes.len() - missing) / 4 };
            assert_eq!(records.len(), whole);
            assert!(bytes.starts_with(&records.concat()));
            let error = error.unwrap();
            assert!(
                matches!(error.file_kind(), Some(ErrorKind::Io(error)) if error.kind() == io::ErrorKind::TimedOut),
                "{error}"
            );
        }
    }
}

#[test]
fn damaged_gzip_is_an_error_wherever_it_is_cut() {
    let (file, bytes) = array(&header(DType::I64, &[40, 3]));
    let zipped = gzip(&file);
    for length in 0..zipped.len() {
        let result = npy::Reader::new(&zipped[..length]).map(read);
        if let Ok((records, error)) = result {
            assert!(error.is_some(), "{length} of {} bytes", zipped.len());
            assert!(bytes.starts_with(&records.concat()));
        }
    }
    let mut wrong = zipped.clone();
    let checksum = wrong.len() - 8;
    wrong[checksum] ^= 1;
    let (records, error) = read(npy::Reader::new(&wrong[..]).unwrap());
    assert!(error.is_some() && bytes.starts_with(&records.concat()));
}

#[test]
fn trailing_bytes_are_an_error_after_the_last_record() {
    for fortran_order in [false, true] {
        for shape in [&[][..], &[3], &[3, 2], &[0, 2], &[2, 0]] {
            let mut header = header(DType::U32, shape);
            header.fortran_order = fortran_order;
            let (mut file, bytes) = array(&header);
            file.push(0);
            for file in [gzip(&file), file] {
                let (records, error) = read(npy::Reader::new(&file[..]).unwrap());
                assert_eq!(records.concat(), bytes);
                let error = error.unwrap();
                assert!(
                    matches!(
                        error.file_kind(),
                        Some(ErrorKind::TrailingBytes { count: 1, records: None, .. })
                    ),
                    "{error:?}"
                );
            }
        }
    }
}

/// Sizes that claim too much allocate no memory, and those beyond 64 bits are rejected.
#[test]
fn sizes_that_are_never_there() {
    let huge = header(DType::U64, &[1 << 40, 1 << 20]).to_bytes();
    let (records, error) = read(npy::Reader::new(&huge[..]).unwrap());
    assert!(records.is_empty() && error.is_some());
    let beyond = header(DType::U64, &[1 << 40, 1 << 40]).to_bytes();
    let error = npy::Reader::new(&beyond[..]).unwrap_err();
    assert!(matches!(error.kind(), DataErrorKind::Npy(npy::Error::TooLarge)), "{error}");
    // No record is there, so it does not matter how large it would be.
    let none = header(DType::U64, &[0, 1 << 40, 1 << 40]).to_bytes();
    let (records, error) = read(npy::Reader::new(&none[..]).unwrap());
    assert!(records.is_empty() && error.is_none());
}

#[test]
fn files_that_are_no_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let error = npy::Reader::open(&path).unwrap_err();
    assert_eq!(error.path(), Some(&*path));
    fs::write(&path, [0, 0, 8, 1, 0, 0, 0, 0]).unwrap();
    let error = npy::Reader::open(&path).unwrap_err();
    assert_eq!(error.path(), Some(&*path));
    assert!(matches!(error.kind(), DataErrorKind::Npy(npy::Error::NotNpy)), "{error}");
    let (file, bytes) = array(&header(DType::U16, &[3]));
    fs::write(&path, &file[..file.len() - 1]).unwrap();
    let (records, error) = read(npy::Reader::open(&path).unwrap());
    assert_eq!(records.concat(), bytes[..4]);
    assert_eq!(error.unwrap().path(), Some(&*path));
}

// Writing

#[test]
fn what_is_written_is_what_is_read() {
    for element_type in ElementType::ALL {
        for shape in SHAPES {
            let header = Header::new(element_type, shape.to_vec());
            let (file, bytes) = array(&header);
            let dims: Vec<u32> = shape.iter().map(|size| u32::try_from(*size).unwrap()).collect();
            // The number of records is filled in, whatever number was given.
            for first in [0, 7, u32::MAX] {
                let mut dims = dims.clone();
                dims.iter_mut().take(1).for_each(|count| *count = first);
                let sink = Cursor::new(Vec::new());
                let mut writer = npy::Writer::new(sink, element_type, &dims).unwrap();
                let record_size = header.record_size().unwrap() as usize;
                for record in 0..header.record_count() as usize {
                    let record = record * record_size..(record + 1) * record_size;
                    writer.push_bytes(&bytes[record]).unwrap();
                }
                let written = writer.finish().unwrap().into_inner();
                assert!(written == file, "{header:?}");
            }
        }
    }
}

#[test]
fn a_sink_is_written_from_where_it_stands() {
    let mut sink = Cursor::new(b"before".to_vec());
    sink.seek(SeekFrom::End(0)).unwrap();
    let mut writer = npy::Writer::new(sink, ElementType::U8, &[0]).unwrap();
    writer.push_bytes(&[7]).unwrap();
    let mut sink = writer.finish().unwrap();
    sink.write_all(b"after").unwrap();
    let bytes = sink.into_inner();
    let rest = bytes.strip_prefix(b"before").unwrap();
    let file = rest.strip_suffix(b"after").unwrap();
    assert_eq!(read(npy::Reader::new(file).unwrap()).0, [[7]]);
}

#[test]
fn records_that_do_not_belong_are_refused() {
    let sink = || Cursor::new(Vec::new());
    let mut writer = npy::Writer::new(sink(), ElementType::I16, &[0, 2]).unwrap();
    for wrong in [&[][..], &[1, 2, 3], &[1, 2, 3, 4, 5]] {
        let error = writer.push_bytes(wrong).unwrap_err();
        let ErrorKind::WrongLength { expected: 4, found, .. } = *error.file_kind().unwrap() else {
            panic!("{error}");
        };
        assert_eq!(found, wrong.len() as u64);
    }
    writer.push_bytes(&[1, 2, 3, 4]).unwrap();
    let file = writer.finish().unwrap().into_inner();
    assert_eq!(read(npy::Reader::new(&file[..]).unwrap()).0, [[1, 2, 3, 4]]);

    // Without dimensions there is one element, neither none nor two.
    let writer = npy::Writer::new(sink(), ElementType::U8, &[]).unwrap();
    let error = writer.finish().unwrap_err();
    assert!(matches!(error.file_kind(), Some(ErrorKind::MissingElement)), "{error}");
    let mut writer = npy::Writer::new(sink(), ElementType::U8, &[]).unwrap();
    writer.push_bytes(&[7]).unwrap();
    let error = writer.push_bytes(&[8]).unwrap_err();
    assert!(matches!(error.file_kind(), Some(ErrorKind::TooManyRecords { max: 1, .. })), "{error}");
    let file = writer.finish().unwrap().into_inner();
    assert_eq!(read(npy::Reader::new(&file[..]).unwrap()).0, [[7]]);

    let error = npy::Writer::new(sink(), ElementType::F64, &[u32::MAX; 4]).unwrap_err();
    assert!(matches!(error.kind(), DataErrorKind::Npy(npy::Error::TooLarge)), "{error}");
}

/// Failed before: NumPy could not read what was written.
#[test]
fn no_more_dimensions_than_numpy_has() {
    let start = |rank| npy::Writer::new(Cursor::new(Vec::new()), ElementType::U8, &vec![1; rank]);
    assert!(start(64).is_ok());
    let error = start(65).unwrap_err();
    assert_eq!(
        error.to_string(),
        "NumPy has at most 64 dimensions, and these are 65; write IDX, or merge some of them"
    );
}

#[test]
fn a_file_appears_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    for finished in [false, true] {
        let mut writer = npy::Writer::create(&path, ElementType::F32, &[0]).unwrap();
        writer.push_bytes(&1.5f32.to_be_bytes()).unwrap();
        assert!(!path.exists());
        if finished {
            writer.finish().unwrap();
        }
    }
    assert_eq!(names(folder.path()), ["file.npy"]);
    assert_eq!(read(npy::Reader::open(&path).unwrap()).0, [1.5f32.to_be_bytes()]);
    let error = npy::Writer::create(folder.path(), ElementType::F32, &[]).unwrap_err();
    assert!(matches!(error.file_kind(), Some(ErrorKind::IsADirectory)), "{error}");
    assert_eq!(error.path(), Some(folder.path()));
}

/// A sink that fails after so many bytes.
struct Full {
    sink: Cursor<Vec<u8>>,
    room: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = match self.room.checked_sub(bytes.len()) {
            Some(room) => room,
            None => return Err(io::ErrorKind::StorageFull.into()),
        };
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Seek for Full {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.sink.seek(position)
    }
}

/// A failed write is reported when it happens, and the file is never finished as if nothing had been.
#[test]
fn a_write_that_fails_is_not_forgotten() {
    let record = [7; 1 << 20];
    let mut failed_while_pushing = 0;
    for room in [0, 100, 1 << 20, 3 << 20, (4 << 20) + 128] {
        let sink = Cursor::new(Vec::new());
        let result = npy::Writer::new(Full { sink, room }, ElementType::U8, &[0, 1 << 20]);
        let Ok(mut writer) = result else {
            continue;
        };
        let pushed = (0..4).try_for_each(|_| writer.push_bytes(&record));
        let error = writer.finish().map(drop).unwrap_err();
        let is_full = |error: &Error| matches!(error.file_kind(), Some(ErrorKind::Io(error)) if error.kind() == io::ErrorKind::StorageFull);
        match pushed {
            Ok(()) => assert!(is_full(&error), "{error}"),
            Err(first) => {
                failed_while_pushing += 1;
                assert!(is_full(&first), "{first}");
                assert!(matches!(error.file_kind(), Some(ErrorKind::FailedEarlier)), "{error}");
            }
        }
    }
    assert!(failed_while_pushing > 0);
}
