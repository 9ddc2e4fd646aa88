//! Loads whole files as native numbers, large ones on several threads.

use std::any::Any;
use std::fs::File;
use std::io::Read;

use idx_core::Element;

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::parallel::read_exact;
use crate::io::source::Source;
use crate::io::{alloc, to_usize};
use crate::read::array::Array;
use crate::wide;

/// The number of bytes that a thread reads and decodes at a time, in the first caches of its core.
const PIECE_SIZE: usize = 64 * 1024;

/// Reads the elements of a file of at most `limit` bytes.
pub(super) fn load_source<E: Element>(
    mut source: Source<File>,
    limit: Option<u64>,
) -> Result<Array<E>, Error> {
    let header = source.read_header()?;
    header.check_element::<E>()?;
    let mut source = source.checked_ahead(&header, limit)?;
    let mut elements = Vec::<E>::new();
    if let Some(bytes) = (&mut elements as &mut dyn Any).downcast_mut::<Vec<u8>>() {
        // Bytes need no decoding, so they are read into their final place.
        *bytes = source.read_file_payload(&header, &[])?;
    } else if let Some(loaded) = load_in_parts(&mut source, &header)? {
        elements = loaded;
    } else {
        let expected = source.expected(header.payload_size()) / E::SIZE as u64;
        alloc::reserve(&mut elements, to_usize(expected)?)?;
        append_payload(&mut source, &header, &mut elements)?;
    }
    Ok(Array::new(header.shape()?, elements))
}

/// Reads the header of a file of at most `limit` bytes, and its elements as bytes in the order of this machine.
pub(super) fn load_bytes(
    mut source: Source<File>,
    limit: Option<u64>,
) -> Result<(HeaderBuf, Vec<u8>), Error> {
    let header = source.read_header()?;
    let size = header.element_type().size();
    let mut source = source.checked_ahead(&header, limit)?;
    let mut swapped = 0;
    let mut bytes = source.read_payload(&header, &[], |source, payload| {
        let read = |file: &File, offset, part: &mut [u8]| read_bytes(file, offset, part, size);
        if source.fill_in_parts(payload, read) {
            swapped = payload.len();
            return (swapped, Ok(()));
        }
        source.fill(payload)
    })?;
    swap(bytes.get_mut(swapped..).unwrap_or_default(), size);
    Ok((header, bytes))
}

/// Reads the header of a stream and its elements, as [`load_bytes`] does.
pub(super) fn load_bytes_of_stream(
    mut source: Source<impl Read>,
    limit: Option<u64>,
) -> Result<(HeaderBuf, Vec<u8>), Error> {
    let header = source.read_header()?;
    let mut source = source.checked_ahead(&header, limit)?;
    let mut bytes = source.read_payload(&header, &[], Source::fill)?;
    swap(&mut bytes, header.element_type().size());
    Ok((header, bytes))
}

/// Reads elements of `size` bytes at an offset, and swaps their bytes; `None` if that fails, or the last element is not
/// whole.
fn read_bytes(file: &File, offset: u64, bytes: &mut [u8], size: usize) -> Option<()> {
    if !bytes.len().is_multiple_of(size) {
        return None;
    }
    for (offset, piece) in (offset..).step_by(PIECE_SIZE).zip(bytes.chunks_mut(PIECE_SIZE)) {
        read_exact(file, offset, piece)?;
        swap(piece, size);
    }
    Some(())
}

/// Converts big-endian elements of `size` bytes to the byte order of this machine.
fn swap(bytes: &mut [u8], size: usize) {
    if cfg!(target_endian = "little") {
        wide::reverse_each(bytes, size);
    }
}

/// Appends the elements of a payload. It allocates memory only for actual bytes, whatever the header claims.
fn append_payload<E: Element>(
    source: &mut Source<impl Read>,
    header: &HeaderBuf,
    elements: &mut Vec<E>,
) -> Result<(), Error> {
    let count = header.payload_size() / E::SIZE as u64;
    source.payload_by_chunks(header, |bytes| {
        alloc::grow(elements, bytes.len() / E::SIZE, count)?;
        append(elements, bytes)
    })
}

/// Returns zeros in new memory, to be overwritten in any order; `None` if `E` is not a scalar.
fn zeros<E: Element>(count: usize) -> Result<Option<Vec<E>>, ErrorKind> {
    let mut zeros = None::<Vec<E>>;
    macro_rules! zeros_of {
        ($($scalar:ty),*) => {$(
            let any = &mut zeros as &mut dyn Any;
            if let Some(zeros) = any.downcast_mut::<Option<Vec<$scalar>>>() {
                *zeros = Some(alloc::zeroed(count)?);
            }
        )*};
    }
    zeros_of!(i8, i16, i32, f32, f64);
    Ok(zeros)
}

/// Reads the elements of a large plain file on several threads; `None` if they have to be read in order.
fn load_in_parts<E: Element>(
    source: &mut Source<File>,
    header: &HeaderBuf,
) -> Result<Option<Vec<E>>, Error> {
    let size = header.payload_size();
    let is_there = !source.is_gzip() && source.expected(size) == size;
    let size = to_usize(size).unwrap_or(0);
    if !is_there || source.threads_for(size) < 2 {
        return Ok(None);
    }
    let zeros = zeros(size / E::SIZE)?;
    let loaded = zeros
        .and_then(|mut zeros| source.fill_in_parts(&mut zeros, read_elements).then_some(zeros));
    if loaded.is_some() {
        source.expect_end_after(header)?;
    }
    Ok(loaded)
}

/// Reads the elements at an offset; `None` if that fails, or a value is not allowed.
fn read_elements<E: Element>(file: &File, offset: u64, elements: &mut [E]) -> Option<()> {
    let mut bytes = vec![0; PIECE_SIZE];
    let offsets = (offset..).step_by(PIECE_SIZE);
    for (offset, elements) in offsets.zip(elements.chunks_mut(PIECE_SIZE / E::SIZE)) {
        let bytes = bytes.get_mut(..elements.len() * E::SIZE)?;
        read_exact(file, offset, bytes)?;
        wide::decode(bytes, elements)?;
    }
    Some(())
}

/// Decodes these bytes, and appends the elements to those before them in the file.
pub(super) fn append<E: Element>(elements: &mut Vec<E>, bytes: &[u8]) -> Result<(), ErrorKind> {
    check_values::<E>(bytes, elements.len())?;
    wide::append::<E, E>(elements, bytes);
    Ok(())
}

/// Decodes the payload of a file.
pub(super) fn decode<E: Element>(bytes: &[u8], elements: &mut [E]) -> Result<(), ErrorKind> {
    match wide::decode(bytes, elements) {
        Some(()) => Ok(()),
        None => check_values::<E>(bytes, 0),
    }
}

/// Checks that all values in these bytes are allowed; the file has `before` elements before them.
fn check_values<E: Element>(bytes: &[u8], before: usize) -> Result<(), ErrorKind> {
    match E::CONSTRAINT.first_violation(E::ELEMENT, bytes) {
        None => Ok(()),
        Some((offset, value)) => {
            let record = before as u64 + (offset / E::SIZE) as u64;
            Err(idx_core::ErrorKind::ValueNotAllowed { record, value }.into())
        }
    }
}
