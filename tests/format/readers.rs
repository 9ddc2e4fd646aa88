//! The results of this project's readers, in the terms of the vectors.

use std::fs::File;
use std::path::Path;

use idx_core::{Element, ElementType, ErrorKind as FormatError, Header, Idx};
use idx_std::{ErrorKind, HeaderBuf, IdxBuf};

use crate::vector::{Array, Fault, Vector, hexadecimal};

/// The ways to read a whole file.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    /// `idx_core::Idx::parse`, which has no gzip.
    Core,
    /// `idx_std::open` and `IdxBuf::to_vec`.
    Open,
    /// `idx_std::load`.
    Load,
    /// `IdxBuf::from_reader`.
    Stream,
    /// `idx_std::Reader`, record by record.
    Records,
}

impl Reader {
    pub const ALL: [Self; 5] = [Self::Core, Self::Open, Self::Load, Self::Stream, Self::Records];
}

/// Returns the result of a reader; `None` if the file is not for this reader or this machine.
pub fn found_by(reader: Reader, path: &Path, vector: &Vector) -> Option<Result<Array, Fault>> {
    // Sizes that a 32-bit machine cannot address are reported as such by each reader.
    let addressable = match vector.expected {
        Err(Fault::PayloadTruncated { needed, .. }) => usize::try_from(needed).is_ok(),
        _ => true,
    };
    if !addressable {
        return None;
    }
    match reader {
        Reader::Core if vector.is_gzip => {
            assert_eq!(
                Idx::parse(&vector.bytes).map_err(FormatError::from),
                Err(FormatError::Gzip),
                "{}",
                vector.name
            );
            None
        }
        Reader::Core => Some(whole(&vector.bytes)),
        Reader::Open => Some(idx_std::open(path).map(|file| array_of(&file)).map_err(fault)),
        Reader::Stream => {
            let file = IdxBuf::from_reader(File::open(path).unwrap());
            Some(file.map(|file| array_of(&file)).map_err(fault))
        }
        Reader::Load => Some(loaded(path, vector)),
        Reader::Records => Some(by_records(path).map_err(fault)),
    }
}

/// The result of a reader that accepts bytes after the payload.
pub fn prefix(bytes: &[u8]) -> Result<Array, Fault> {
    match Idx::parse_prefix(bytes).map_err(FormatError::from) {
        Ok((idx, _)) => Ok(idx_array(&idx)),
        // On a 32-bit machine.
        Err(FormatError::Unaddressable { size }) => Err(Fault::PayloadTruncated {
            needed: size,
            found: (bytes.len() - Header::parse(bytes).unwrap().0.header_size()) as u64,
        }),
        Err(error) => Err(format_fault(error)),
    }
}

fn whole(bytes: &[u8]) -> Result<Array, Fault> {
    let idx = Idx::parse(bytes).map_err(|error| format_fault(error.kind()))?;
    Ok(idx_array(&idx))
}

fn idx_array(idx: &Idx<'_>) -> Array {
    let header = idx.header();
    let elements = match header.element_type() {
        ElementType::U8 => bits(idx.elements::<u8>().unwrap().iter()),
        ElementType::I8 => bits(idx.elements::<i8>().unwrap().iter()),
        ElementType::I16 => bits(idx.elements::<i16>().unwrap().iter()),
        ElementType::I32 => bits(idx.elements::<i32>().unwrap().iter()),
        ElementType::F32 => bits(idx.elements::<f32>().unwrap().iter()),
        ElementType::F64 => bits(idx.elements::<f64>().unwrap().iter()),
    };
    Array { code: header.element_type().code(), sizes: header.dims().iter().collect(), elements }
}

fn array_of(file: &IdxBuf) -> Array {
    let elements = match file.header().element_type() {
        ElementType::U8 => bits(file.to_vec::<u8>().unwrap()),
        ElementType::I8 => bits(file.to_vec::<i8>().unwrap()),
        ElementType::I16 => bits(file.to_vec::<i16>().unwrap()),
        ElementType::I32 => bits(file.to_vec::<i32>().unwrap()),
        ElementType::F32 => bits(file.to_vec::<f32>().unwrap()),
        ElementType::F64 => bits(file.to_vec::<f64>().unwrap()),
    };
    array(file.header(), elements)
}

fn array(header: &HeaderBuf, elements: Vec<u64>) -> Array {
    Array { code: header.element_type().code(), sizes: header.dims().to_vec(), elements }
}

fn by_records(path: &Path) -> Result<Array, idx_std::Error> {
    let mut reader = idx_std::Reader::open(path)?;
    let header = reader.header().clone();
    let mut payload = Vec::new();
    while let Some(records) = reader.next_records().transpose()? {
        payload.extend_from_slice(records);
    }
    let elements = payload.chunks(header.element_type().size());
    let elements = elements.map(|bytes| {
        let bytes = bytes.iter();
        bytes.fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    });
    Ok(array(&header, elements.collect()))
}

/// Loads a vector as the type that its third byte names, and anything else as `u8`.
fn loaded(path: &Path, vector: &Vector) -> Result<Array, Fault> {
    let code = vector
        .expected
        .as_ref()
        .map_or_else(|_| vector.bytes.get(2).copied().unwrap_or_default(), |array| array.code);
    let loaded = match ElementType::from_code(code) {
        Some(ElementType::I8) => loaded_as::<i8>(path),
        Some(ElementType::I16) => loaded_as::<i16>(path),
        Some(ElementType::I32) => loaded_as::<i32>(path),
        Some(ElementType::F32) => loaded_as::<f32>(path),
        Some(ElementType::F64) => loaded_as::<f64>(path),
        _ => loaded_as::<u8>(path),
    };
    loaded.map_err(fault)
}

fn loaded_as<E: Bits>(path: &Path) -> Result<Array, idx_std::Error> {
    let loaded = idx_std::load::<E>(path)?;
    let sizes = loaded.shape().iter();
    Ok(Array {
        code: E::ELEMENT.code(),
        sizes: sizes.map(|size| u32::try_from(*size).unwrap()).collect(),
        elements: bits(loaded.iter().copied()),
    })
}

/// An element whose bits can be compared, even those of a NaN.
trait Bits: Element + Copy {
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($element:ty)*) => {$(
        impl Bits for $element {
            fn bits(self) -> u64 {
                let bytes = self.to_be_bytes();
                bytes.iter().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
            }
        }
    )*};
}

bits!(u8 i8 i16 i32 f32 f64);

fn bits<E: Bits>(elements: impl IntoIterator<Item = E>) -> Vec<u64> {
    elements.into_iter().map(Bits::bits).collect()
}

/// Returns the class and the numbers of an error of idx-std.
fn fault(error: idx_std::Error) -> Fault {
    match error.kind() {
        ErrorKind::Format(error) | ErrorKind::NotIdx { error, .. } => format_fault(*error),
        ErrorKind::TrailingBytes { offset, count, at_least: false, .. } => {
            Fault::TrailingBytes { offset: *offset, count: *count }
        }
        ErrorKind::GzipTruncated { .. }
        | ErrorKind::GzipDamaged { .. }
        | ErrorKind::GzipTrailing { .. } => Fault::DamagedGzip,
        other => panic!("no vector has this fault: {other:?}"),
    }
}

/// Returns the class and the numbers of an error of idx-core.
fn format_fault(error: FormatError) -> Fault {
    match error {
        FormatError::Empty => Fault::Empty,
        FormatError::NotIdx { start } => Fault::NotIdx { start: hexadecimal(&start) },
        FormatError::UnknownElementType { code } => Fault::UnknownElementType { code },
        FormatError::HeaderTruncated { needed, found } => {
            Fault::HeaderTruncated { needed: needed as u64, found: found as u64 }
        }
        FormatError::TooLarge { dimension, size } => {
            Fault::TooLarge { dimension: dimension as u64, size }
        }
        FormatError::Truncated { needed, found } => Fault::PayloadTruncated { needed, found },
        FormatError::TrailingBytes { offset, count } => Fault::TrailingBytes { offset, count },
        other => panic!("no vector has this fault: {other:?}"),
    }
}
