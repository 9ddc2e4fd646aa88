//! npy, the format of NumPy's arrays: reading and writing.

use std::fs;
use std::io::{self, BufWriter, Cursor, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use idx_data::{
    CreateOptions, DType, Error, ErrorKind as DataErrorKind, Facts, Format, OpenOptions, Outputs,
    Record, RecordLayout, Sink, Source, open,
};
use idx_std::{ElementType, ErrorKind};
use idx_tests::{file_kind, gzip, names, npy};

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

/// Returns a file, and the bytes of its elements in C order and big-endian: 0, 1, 2, ..
fn array(descr: &str, fortran_order: bool, shape: &[u64]) -> (Vec<u8>, Vec<u8>) {
    let size: usize = descr[2..].parse().unwrap();
    let count = shape.iter().product::<u64>() as usize;
    let bytes: Vec<u8> = (0..count * size).map(|index| (index % 251) as u8).collect();
    let mut elements = Vec::new();
    for place in 0..count {
        let element = if fortran_order { last_fastest(place, shape) } else { place };
        let mut element = bytes[element * size..(element + 1) * size].to_vec();
        if !descr.starts_with('>') {
            element.reverse();
        }
        elements.extend(element);
    }
    (npy(descr, fortran_order, shape, &elements), bytes)
}

/// Returns the position in C order of the element at this position in Fortran order.
fn last_fastest(place: usize, shape: &[u64]) -> usize {
    let (mut place, mut index) = (place as u64, Vec::new());
    for size in shape {
        index.push(place % size);
        place /= size;
    }
    let place = index.iter().zip(shape).fold(0, |place, (index, size)| place * size + index);
    place as usize
}

fn source(stream: impl Read + Send + 'static) -> Result<Source, Error> {
    OpenOptions::new().open_stream("a.npy", Box::new(stream))
}

/// The records until the end or the first error, one after the other, and that error.
fn records(mut source: Source) -> (Vec<Vec<u8>>, Option<Error>) {
    let (mut record, mut records) = (Record::default(), Vec::new());
    loop {
        match source.read(&mut record) {
            Ok(true) => records.push(record.bytes.clone()),
            Ok(false) => return (records, None),
            Err(error) => {
                let after = source.read(&mut record).unwrap_err();
                assert_eq!(after.kind().code(), "failed_earlier");
                return (records, Some(error));
            }
        }
    }
}

fn read(file: &[u8]) -> (Vec<Vec<u8>>, Option<Error>) {
    records(source(Cursor::new(file.to_vec())).unwrap())
}

/// A pipe that gives a few bytes at a time.
struct Drops(Cursor<Vec<u8>>);

impl Read for Drops {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(7);
        self.0.read(&mut buffer[..count])
    }
}

const SHAPES: [&[u64]; 9] =
    [&[], &[1], &[5], &[3, 4], &[2, 3, 5], &[4, 1, 2, 3], &[0, 3], &[3, 0], &[300, 2, 70]];

#[test]
fn arrays_of_all_types_and_orders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    for (name, dtype) in TYPES {
        for shape in SHAPES {
            for (order, fortran_order) in [("<", false), (">", false), ("<", true), (">", true)] {
                let order = if dtype.size() == 1 { "|" } else { order };
                let descr = format!("{order}{name}");
                let (file, bytes) = array(&descr, fortran_order, shape);
                let stream = source(Cursor::new(file.clone())).unwrap();
                let dims: Vec<u32> = shape.iter().map(|size| *size as u32).collect();
                assert_eq!(stream.facts().layout, RecordLayout::new(dtype, &dims));
                let count = shape.first().copied().unwrap_or(1);
                assert_eq!(stream.facts().count, Some(count));
                let (all, error) = records(stream);
                assert!(error.is_none(), "{error:?}");
                assert_eq!(all.len() as u64, count);
                assert!(all.concat() == bytes, "{descr} {fortran_order} {shape:?}");
                fs::write(&path, &file).unwrap();
                for again in [
                    open(&path),
                    source(Drops(Cursor::new(file.clone()))),
                    source(Cursor::new(gzip(&file))),
                ] {
                    let again = records(again.unwrap());
                    assert!(again.0 == all && again.1.is_none(), "{descr} {shape:?}");
                }
            }
        }
    }
}

#[test]
fn arrays_that_are_cut_anywhere() {
    for (fortran_order, shape) in
        [(false, &[3, 2][..]), (true, &[3, 2]), (true, &[3]), (false, &[])]
    {
        let (file, bytes) = array("<u2", fortran_order, shape);
        let start = file.len() - bytes.len();
        let record_size = bytes.len() / shape.first().map_or(1, |count| *count as usize);
        for length in 0..file.len() {
            let cut = &file[..length];
            let Some(found) = length.checked_sub(start) else {
                let error = source(Cursor::new(cut.to_vec())).map(drop).unwrap_err();
                // A file that its first bytes do not identify is read as IDX.
                if length >= 6 {
                    assert_eq!(error.kind().code(), "malformed");
                    let message =
                        "the header of the npy file is truncated; download or copy the file again";
                    assert_eq!(error.kind().to_string(), message);
                }
                continue;
            };
            let (records, error) = read(cut);
            // In Fortran order no record is whole before the last.
            let whole = if fortran_order && shape.len() > 1 { 0 } else { found / record_size };
            assert_eq!(records.concat(), bytes[..whole * record_size]);
            let error = error.unwrap();
            let Some(&ErrorKind::Format(idx_core::ErrorKind::Truncated { needed, found: counted })) =
                file_kind(&error)
            else {
                panic!("{error}");
            };
            assert_eq!((needed, counted), (bytes.len() as u64, found as u64));
            assert_eq!(error.records(), Some(whole as u64));
        }
    }
}

/// A disk that fails once, and then goes on.
struct FailsOnce(bool);

impl Read for FailsOnce {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match std::mem::replace(&mut self.0, true) {
            true => Ok(0),
            false => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// The reader returns the records before the failure, then the error of the system, then nothing.
#[test]
fn a_disk_that_fails_once_is_not_read_on() {
    // Enough that the failure is not among the first bytes, which decide the format.
    for (fortran_order, count) in [(false, 120), (true, 120), (false, 300_000)] {
        let (file, bytes) = array("<u2", fortran_order, &[count, 2]);
        for missing in [1, 4, 6, 20] {
            let (before, after) = file.split_at(file.len() - missing);
            let [before, after] = [before, after].map(|part| Cursor::new(part.to_vec()));
            let disk = before.chain(FailsOnce(false)).chain(after);
            let (records, error) = records(source(disk).unwrap());
            let whole = if fortran_order { 0 } else { (bytes.len() - missing) / 4 };
            assert_eq!(records.len(), whole);
            assert!(bytes.starts_with(&records.concat()));
            let error = error.unwrap();
            assert!(
                matches!(file_kind(&error), Some(ErrorKind::Io(error)) if error.kind() == io::ErrorKind::TimedOut),
                "{error}"
            );
        }
    }
}

#[test]
fn damaged_gzip_is_an_error_wherever_it_is_cut() {
    let (file, bytes) = array("<i8", false, &[40, 3]);
    let zipped = gzip(&file);
    for length in 0..zipped.len() {
        let result = source(Cursor::new(zipped[..length].to_vec())).map(records);
        if let Ok((records, error)) = result {
            assert!(error.is_some(), "{length} of {} bytes", zipped.len());
            assert!(bytes.starts_with(&records.concat()));
        }
    }
    let mut wrong = zipped.clone();
    let checksum = wrong.len() - 8;
    wrong[checksum] ^= 1;
    let (records, error) = read(&wrong);
    assert!(error.is_some() && bytes.starts_with(&records.concat()));
}

#[test]
fn trailing_bytes_are_an_error_after_the_last_record() {
    for fortran_order in [false, true] {
        for shape in [&[][..], &[3], &[3, 2], &[0, 2], &[2, 0]] {
            let (mut file, bytes) = array("<u4", fortran_order, shape);
            file.push(0);
            for file in [gzip(&file), file] {
                let (records, error) = read(&file);
                assert_eq!(records.concat(), bytes);
                let error = error.unwrap();
                assert!(
                    matches!(
                        file_kind(&error),
                        Some(ErrorKind::TrailingBytes { count: 1, records: None, .. })
                    ),
                    "{error:?}"
                );
            }
        }
    }
}

/// Sizes that claim too much allocate no memory, and those beyond 64 bits, or 32 for one of IDX, are refused.
#[test]
fn sizes_that_are_never_there() {
    let claims = |shape: &[u64]| npy("<u8", false, shape, &[]);
    let (records, error) = read(&claims(&[1 << 40, 1 << 20]));
    assert!(records.is_empty() && error.is_some());
    for (shape, code, message) in [
        (
            [1 << 40, 1 << 40],
            "malformed",
            "the payload size in the header of the npy file overflows 64 bits; write the file again with \
             `numpy.save`",
        ),
        (
            [0, 1 << 32],
            "unsupported",
            "a size of the records exceeds the 32 bits of IDX; split the array",
        ),
    ] {
        let error = source(Cursor::new(claims(&shape))).map(drop).unwrap_err();
        assert_eq!((error.kind().code(), &*error.kind().to_string()), (code, message));
    }
    // No record is there, so it does not matter how large it would be.
    let (records, error) = read(&claims(&[0, 1 << 31, 1 << 31, 1 << 31]));
    assert!(records.is_empty() && error.is_none());
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let error = open(&path).unwrap_err();
    assert_eq!(error.path(), Some(&*path));
    let (file, bytes) = array("<u2", false, &[3]);
    fs::write(&path, &file[..100]).unwrap();
    assert_eq!(open(&path).unwrap_err().path(), Some(&*path));
    fs::write(&path, &file[..file.len() - 1]).unwrap();
    let (records, error) = records(open(&path).unwrap());
    assert_eq!(records.concat(), bytes[..4]);
    assert_eq!(error.unwrap().path(), Some(&*path));
}

// Writing

/// A stream that keeps its bytes, and has room for this many.
#[derive(Clone)]
struct Stream {
    bytes: Arc<Mutex<Vec<u8>>>,
    room: usize,
}

impl Stream {
    fn with_room(room: usize) -> Self {
        Self { bytes: Arc::default(), room }
    }

    fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.bytes.lock().unwrap();
        if written.len() + bytes.len() > self.room {
            return Err(io::ErrorKind::StorageFull.into());
        }
        written.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn start(path: &Path, element_type: ElementType, dims: &[u32]) -> Result<Sink, Error> {
    let facts = Facts::new(RecordLayout::new(element_type, dims), None);
    Sink::create(path, &facts, &CreateOptions::new().format(Format::Npy))
}

fn record(bytes: &[u8]) -> Record {
    Record::new(bytes.to_vec(), None)
}

#[test]
fn what_is_written_is_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("file.npy");
    for (name, dtype) in TYPES.iter().take(6) {
        let element_type = dtype.element_type().unwrap();
        for shape in SHAPES {
            let descr = format!("{}{name}", if dtype.size() == 1 { "|" } else { "<" });
            let (file, bytes) = array(&descr, false, shape);
            // The number of records is filled in, whatever number was given.
            for first in [0, 7, u32::MAX] {
                let mut dims: Vec<u32> = shape.iter().map(|size| *size as u32).collect();
                dims.iter_mut().take(1).for_each(|count| *count = first);
                let mut sink = start(path, element_type, &dims).unwrap();
                let count = shape.first().map_or(1, |count| *count as usize);
                let record_size = bytes.len().checked_div(count).unwrap_or(0);
                for index in 0..count {
                    sink.push(&record(&bytes[index * record_size..][..record_size])).unwrap();
                }
                sink.finish().unwrap();
                assert!(fs::read(path).unwrap() == file, "{descr} {shape:?}");
            }
        }
    }
}

#[test]
fn records_that_do_not_belong_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = &folder.path().join("file.npy");
    let mut sink = start(path, ElementType::I16, &[0, 2]).unwrap();
    for wrong in [&[][..], &[1, 2, 3], &[1, 2, 3, 4, 5]] {
        let error = sink.push(&record(wrong)).unwrap_err();
        let text = format!("a record has 4 bytes, but {} were given", wrong.len());
        assert!(error.to_string().contains(&text), "{error}");
    }
    sink.push(&record(&[1, 2, 3, 4])).unwrap();
    sink.finish().unwrap();
    assert_eq!(read(&fs::read(path).unwrap()).0, [[1, 2, 3, 4]]);

    // Without dimensions there is one element, neither none nor two.
    let error = start(path, ElementType::U8, &[]).unwrap().finish().unwrap_err();
    let text = "the file has 1 element, but 0 were given";
    assert!(error.to_string().contains(text), "{error}");
    let mut sink = start(path, ElementType::U8, &[]).unwrap();
    sink.push(&record(&[7])).unwrap();
    let error = sink.push(&record(&[8])).unwrap_err();
    assert!(error.to_string().contains("the file can hold at most 1;"), "{error}");
    sink.finish().unwrap();
    assert_eq!(read(&fs::read(path).unwrap()).0, [[7]]);
}

#[test]
fn no_more_dimensions_than_numpy_has_and_no_record_beyond_64_bits() {
    let folder = tempfile::tempdir().unwrap();
    let start = |element_type, dims: &[u32]| {
        start(&folder.path().join("file.npy"), element_type, dims).map(drop)
    };
    start(ElementType::U8, &[1; 64]).unwrap();
    for (dims, message) in [
        (
            &[1; 65][..],
            "NumPy has at most 64 dimensions, and this array has 65; write IDX, or merge some of them",
        ),
        (&[u32::MAX; 4], "a record has more bytes than 64 bits can count; give smaller sizes"),
    ] {
        let error = start(ElementType::F64, dims).unwrap_err();
        assert_eq!((error.kind().code(), &*error.kind().to_string()), ("unsupported", message));
    }
}

#[test]
fn a_file_appears_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    let layout = RecordLayout::new(ElementType::F32, &[0]);
    let start = |path: &Path, create_new| {
        let options = CreateOptions::new().create_new(create_new).format(Format::Npy);
        Sink::create(path, &Facts::new(layout.clone(), None), &options)
    };
    for finished in [false, true] {
        let mut sink = start(&path, true).unwrap();
        sink.push(&record(&1.5f32.to_be_bytes())).unwrap();
        assert!(!path.exists());
        if finished {
            sink.finish().unwrap();
        }
    }
    assert_eq!(names(folder.path()), ["file.npy"]);
    assert_eq!(records(open(&path).unwrap()).0, [1.5f32.to_be_bytes()]);
    start(&path, false).unwrap();
    let error = start(&path, true).map(drop).unwrap_err();
    assert_eq!(io::Error::from(error).kind(), io::ErrorKind::AlreadyExists);
    let error = start(folder.path(), false).map(drop).unwrap_err();
    assert!(
        matches!(file_kind(&error), Some(ErrorKind::Io(error)) if error.kind() == io::ErrorKind::IsADirectory),
        "{error}"
    );
    assert_eq!(error.path(), Some(folder.path()));
}

/// A failed write is reported wherever it fails, even if it is the last one of a buffer.
#[test]
fn a_stream_that_is_full_is_an_error() {
    let elements = [7; 300_000];
    let file = npy("|u1", false, &[3, 100_000], &elements);
    let rooms = [0, 100, 128, 200_000, file.len() - 1, file.len()];
    for (room, size) in rooms.into_iter().flat_map(|room| [(room, 0), (room, 1 << 20)]) {
        let stream = Stream::with_room(room);
        let buffered = Box::new(BufWriter::with_capacity(size, stream.clone()));
        let mut outputs = Outputs::new(&CreateOptions::new().format(Format::Npy));
        let written = source(Cursor::new(file.clone()))
            .and_then(|source| outputs.add_stream(source, "-", buffered)?.write());
        match written {
            Ok(_) => assert!(room == file.len() && stream.bytes() == file),
            Err(error) => {
                let is_full = matches!(error.kind(), DataErrorKind::Output(error) if error.io_kind() == io::ErrorKind::StorageFull);
                assert!(is_full && room < file.len(), "{error}");
            }
        }
    }
}

#[test]
fn no_more_records_are_skipped_than_there_are() {
    for fortran_order in [false, true] {
        let (file, _) = array("|u1", fortran_order, &[2, 3]);
        let mut source = source(Cursor::new(file)).unwrap();
        assert_eq!(source.skip(10).unwrap(), 2);
        assert!(!source.read(&mut Record::default()).unwrap());
    }
}
