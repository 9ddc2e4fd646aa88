//! Checks that every reader reads what every writer wrote.

use std::fs;
use std::io::{Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use idx_core::{Element, ElementType};
use idx_std::{IdxBuf, Reader, WriteOptions, Writer, load, open};

use super::input::Input;
use super::readers::{drain, drain_of};
use super::records::elements;
use super::reference::{refused, whole};
use super::sample::Sample;
use crate::file;

/// An array of any element type and shape.
#[derive(Clone, Debug)]
pub struct Array {
    /// The type of the elements.
    pub element_type: ElementType,
    /// The sizes of all dimensions.
    pub sizes: Vec<u32>,
    /// The elements, big-endian, as many bytes as type and sizes make.
    pub payload: Vec<u8>,
}

impl Array {
    /// The file that holds it.
    #[must_use]
    pub fn file(&self) -> Vec<u8> {
        file(self.element_type.code(), &self.sizes, &self.payload)
    }
}

/// The maximum number of bytes of a random array.
const MOST_BYTES: usize = 1 << 12;

/// Every reader reads the same that was written.
///
/// Draws element type, level of compression, rank and sizes; the rest are the elements.
///
/// # Panics
///
/// If it is not.
pub fn round_trip(input: &[u8]) {
    let mut input = Input::new(input);
    let element_type = ElementType::ALL[usize::from(input.byte() % 6)];
    let level = u32::from(input.byte() % 10);
    let mut len = element_type.size();
    let sizes = (0..input.byte() % 9).map(|_| {
        // Sizes that would make it too long are 1.
        let size = usize::from(input.byte() % 16);
        let size = if len * size > MOST_BYTES { 1 } else { size };
        len *= size;
        size as u32
    });
    let sizes = sizes.collect();
    let elements = input.rest();
    let payload = elements.iter().copied().cycle().take(len);
    let mut payload: Vec<u8> = payload.collect();
    payload.resize(len, 0);
    round_trip_of(&Array { element_type, sizes, payload }, level);
    for_each_sample!(typed(elements, level));
}

/// Like [`round_trip`], for a given array.
///
/// # Panics
///
/// If it is not read as it was written.
pub fn round_trip_of(array: &Array, level: u32) {
    let expected = array.file();
    let folder = tempfile::tempdir().expect("a folder");
    for gzip in [false, true] {
        let options = WriteOptions::new().gzip(gzip).level(level);
        let path = folder.path().join(if gzip { "array.gz" } else { "array" });
        let written = written(array, &path, options);
        let content = if gzip { gunzip(&written) } else { written };
        assert_eq!(content, expected);
        match array.element_type {
            ElementType::U8 => read_of::<u8>(&path, array),
            ElementType::I8 => read_of::<i8>(&path, array),
            ElementType::I16 => read_of::<i16>(&path, array),
            ElementType::I32 => read_of::<i32>(&path, array),
            ElementType::F32 => read_of::<f32>(&path, array),
            ElementType::F64 => read_of::<f64>(&path, array),
        }
    }
}

/// Writes the array to this path, and the same bytes to memory; returns them.
fn written(array: &Array, path: &Path, options: WriteOptions) -> Vec<u8> {
    let element_type = array.element_type;
    let file = array.file();
    let file = whole(&file).expect("a good file");
    let sizes = &array.sizes;
    let mut on_disk = options.create(path, element_type, sizes).expect("a file");
    let memory = Cursor::new(vec![]);
    let mut in_memory = options.write_to(memory, element_type, sizes).expect("memory");
    for record in file.records() {
        on_disk.push_bytes(record).expect("a record");
        in_memory.push_bytes(record).expect("a record");
    }
    on_disk.finish().expect("a finished file");
    let in_memory = in_memory.finish().expect("a finished file").into_inner();
    assert_eq!(fs::read(path).expect("the file"), in_memory);
    in_memory
}

/// Reads the file whole and as a stream, as bytes and as numbers.
fn read_of<E: Sample + Element + Clone + Into<f64>>(path: &Path, array: &Array) {
    let expected = array.file();
    let file = whole(&expected).expect("a good file");
    let stored = fs::read(path).expect("the file");

    for buffer in [open(path), IdxBuf::from_bytes(&stored[..]), IdxBuf::from_reader(&stored[..])] {
        let buffer = buffer.expect("a good file");
        assert_eq!(buffer.bytes(), expected);
        let numbers = buffer.to_vec::<E>().expect("its elements");
        let values: Vec<f64> = numbers.iter().cloned().map(E::into).collect();
        assert_eq!(elements(numbers), array.payload);
        let matrix = buffer.to_matrix().expect("small sizes");
        assert_eq!(bits(&matrix), bits(&values));
        let (rows, columns) = match &array.sizes[..] {
            [] => (1, 1),
            [columns] => (1, u64::from(*columns)),
            [rows, sizes @ ..] => (*rows, sizes.iter().copied().map(u64::from).product()),
        };
        assert_eq!(matrix.shape(), [rows as usize, columns as usize]);
    }

    let loaded = load::<E>(path).expect("a good file");
    let sizes: Vec<usize> = array.sizes.iter().map(|size| *size as usize).collect();
    assert_eq!(loaded.shape(), sizes);
    assert_eq!(elements(loaded.into_vec()), array.payload);

    let records: Vec<Vec<u8>> = file.records().map(<[u8]>::to_vec).collect();
    for outcome in [Reader::open(path).map(drain), Reader::new(&stored[..]).map(drain)] {
        let (read, error) = outcome.expect("a good header");
        assert!(error.is_none(), "{error:?}");
        assert_eq!(read, records);
    }
}

/// Writes the records of type `T` that these bytes hold, and reads them again.
fn typed<T: Sample, const SIZE: usize>(bytes: &[u8], level: u32) {
    let chunks: Vec<&[u8]> = match SIZE {
        0 => vec![&[]; bytes.len().min(5)],
        _ => bytes.chunks_exact(SIZE).take(20).collect(),
    };
    let mut good = vec![];
    for chunk in chunks {
        match T::decode(chunk) {
            Some(_) => good.push(chunk),
            None => assert!(refused(&T::KIND, 0, chunk).is_some(), "an allowed value is refused"),
        }
    }
    let count = u32::try_from(good.len()).expect("few records");
    let expected = file(T::ELEMENT.code(), &[&[count], T::SHAPE].concat(), &good.concat());

    // Compression knows nothing of types and takes its time, so it is for one of the levels.
    let options = WriteOptions::new().gzip(level == 9).level(level);
    let mut writer = options
        .write_to(Cursor::new(vec![]), T::ELEMENT, &[&[0], T::SHAPE].concat())
        .and_then(Writer::records::<T>)
        .expect("memory");
    for record in &good {
        let record = T::decode(record).expect("it was decoded before");
        writer.push(&record).expect("an allowed value");
    }
    let written = writer.finish().expect("a finished file").into_inner();
    if level == 9 {
        assert_eq!(gunzip(&written), expected);
    } else {
        assert_eq!(written, expected);
    }
    let reader =
        Reader::new(&written[..]).expect("a good header").records::<T>().expect("a good header");
    let (records, error) = drain_of(reader);
    assert!(error.is_none(), "{error:?}");
    assert_eq!(elements(records), good.concat());
}

fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut content = vec![];
    let read = MultiGzDecoder::new(bytes).read_to_end(&mut content);
    read.expect("what we write is gzip to others");
    content
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}
