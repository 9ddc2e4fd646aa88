use std::any::Any;
use std::ops::Deref;
use std::path::Path;
use std::{slice, vec};

use idx_core::Element;

use crate::error::{Error, ErrorKind};
use crate::io::source::Source;
use crate::io::whole::check_limit;
use crate::io::{alloc, to_usize};
use crate::wide;

/// Reads a whole file, plain or gzip, as numbers in the byte order of this machine.
///
/// `E` is one of the six scalars, or a label. This is the fastest way to numbers,
/// because it decodes the bytes while they are in the processor's cache.
///
/// # Errors
///
/// See [`ErrorKind`]; the path is in the sentence.
///
/// ```no_run
/// let images = idx_std::load::<u8>("train-images-idx3-ubyte.gz")?;
/// assert_eq!(images.shape(), [60000, 28, 28]);
/// let sum: u64 = images.iter().map(|pixel| u64::from(*pixel)).sum();
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn load<E: Element>(path: impl AsRef<Path>) -> Result<Array<E>, Error> {
    load_path(path.as_ref(), None)
}

/// The elements of a file, at most `limit` bytes.
pub(super) fn load_path<E: Element>(path: &Path, limit: Option<u64>) -> Result<Array<E>, Error> {
    let load = || {
        let mut source = Source::open(path)?;
        let header = source.read_header()?;
        header.check_element::<E>()?;
        check_limit(&header, limit)?;
        let mut source = source.assured(&header)?;
        let mut elements = Vec::<E>::new();
        if let Some(elements) = (&mut elements as &mut dyn Any).downcast_mut::<Vec<u8>>() {
            // Bytes need no decoding, so they are read into their final place.
            *elements = source.read_opened_payload(&header, &[])?;
        } else {
            // Memory for the actual bytes only, whatever the header claims.
            let expected = source.expected(header.payload_size()) / E::SIZE as u64;
            let count = header.payload_size() / E::SIZE as u64;
            alloc::reserve(&mut elements, to_usize(expected).map_err(ErrorKind::from)?)?;
            source.payload_by_chunks(&header, |bytes| {
                alloc::grow(&mut elements, bytes.len() / E::SIZE, count)?;
                let elements_before = elements.len();
                append(&mut elements, bytes).map_err(|error| at_element(error, elements_before))
            })?;
        }
        Ok(Array {
            shape: header.shape()?,
            elements,
        })
    };
    load().map_err(|error: Error| error.with_path(path))
}

/// Reads a whole file, plain or gzip, into a slice, and returns the shape of the file.
///
/// # Errors
///
/// See [`ErrorKind`]; [`ErrorKind::LengthMismatch`] if the slice and the file differ in
/// length. After another error the slice may hold a part of the file.
///
/// ```no_run
/// let mut labels = vec![0u8; 10_000];
/// let shape = idx_std::load_into("t10k-labels-idx1-ubyte.gz", &mut labels)?;
/// assert_eq!(shape, [10_000]);
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn load_into<E: Element>(
    path: impl AsRef<Path>,
    elements: &mut [E],
) -> Result<Vec<usize>, Error> {
    let path = path.as_ref();
    let mut load = || {
        let mut source = Source::open(path)?;
        let header = source.read_header()?;
        header.check_element::<E>()?;
        let found = header.payload_size() / E::SIZE as u64;
        if found != elements.len() as u64 {
            return Err(ErrorKind::LengthMismatch {
                expected: elements.len(),
                found,
            }
            .into());
        }
        let mut elements_before = 0;
        source.payload_by_chunks(&header, |bytes| {
            let end = elements_before + bytes.len() / E::SIZE;
            let chunk = elements.get_mut(elements_before..end).unwrap_or_default();
            decode(bytes, chunk).map_err(|error| at_element(error, elements_before))?;
            elements_before = end;
            Ok(())
        })?;
        Ok(header.shape()?)
    };
    load().map_err(|error: Error| error.with_path(path))
}

/// The elements of a file in the byte order of this machine, and the sizes of its dimensions.
///
/// It dereferences to a slice of elements, the last dimension fastest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Array<E> {
    shape: Vec<usize>,
    elements: Vec<E>,
}

impl<E> Array<E> {
    /// The sizes of the dimensions, as in the file; `[]` for rank 0.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements without their shape.
    #[must_use]
    pub fn into_vec(self) -> Vec<E> {
        self.elements
    }
}

impl<E> Deref for Array<E> {
    type Target = [E];

    fn deref(&self) -> &[E] {
        &self.elements
    }
}

impl<E> IntoIterator for Array<E> {
    type Item = E;
    type IntoIter = vec::IntoIter<E>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.into_iter()
    }
}

impl<'a, E> IntoIterator for &'a Array<E> {
    type Item = &'a E;
    type IntoIter = slice::Iter<'a, E>;

    fn into_iter(self) -> Self::IntoIter {
        self.elements.iter()
    }
}

/// The error for a value, whose record is counted from the start of the chunk.
fn at_element(error: idx_core::ErrorKind, elements_before: usize) -> ErrorKind {
    match error {
        idx_core::ErrorKind::ValueNotAllowed { record, value } => {
            idx_core::ErrorKind::ValueNotAllowed {
                record: elements_before as u64 + record,
                value,
            }
        }
        other => other,
    }
    .into()
}

/// Appends the elements in these bytes.
pub(super) fn append<E: Element>(
    elements: &mut Vec<E>,
    bytes: &[u8],
) -> Result<(), idx_core::ErrorKind> {
    check_values::<E>(bytes)?;
    wide::append::<E, E>(elements, bytes);
    Ok(())
}

/// Decodes one element for each `E::SIZE` bytes.
pub(super) fn decode<E: Element>(
    bytes: &[u8],
    elements: &mut [E],
) -> Result<(), idx_core::ErrorKind> {
    match wide::decode(bytes, elements) {
        Some(()) => Ok(()),
        None => check_values::<E>(bytes),
    }
}

fn check_values<E: Element>(bytes: &[u8]) -> Result<(), idx_core::ErrorKind> {
    match E::CONSTRAINT.first_violation(E::ELEMENT, bytes) {
        None => Ok(()),
        Some((offset, value)) => Err(idx_core::ErrorKind::ValueNotAllowed {
            record: (offset / E::SIZE) as u64,
            value,
        }),
    }
}
