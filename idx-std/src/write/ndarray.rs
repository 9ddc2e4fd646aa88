//! Writes arrays of ndarray.

use std::path::Path;

use idx_core::Element;
use ndarray::{ArrayRef, Dimension};

use crate::error::Error;
use crate::header::HeaderBuf;
use crate::io::alloc;
use crate::write::save::save;
use crate::write::writer::Writer;

/// Writes an array of ndarray to a file of the same shape, gzip if its name ends in `.gz`.
///
/// The order of the elements in memory does not matter: transposed, reversed and sliced arrays are
/// written in the order of their indices. The file appears under its name when it is complete.
///
/// ```
/// use ndarray::array;
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("matrix-idx2-short");
/// let matrix = array![[1i16, 2, 3], [4, 5, 6]];
/// idx_std::write_ndarray(&path, &matrix.t())?;
/// assert_eq!(idx_std::open(&path)?.to_ndarray::<i16>()?, matrix.t().into_dyn());
/// # Ok::<(), idx_std::Error>(())
/// ```
///
/// # Errors
///
/// The errors of [`Writer::create`]; sizes that are too large ([`shape_too_large`](crate::ErrorKind::code)); a value
/// that is not allowed, if `E` is a label ([`ErrorKind::Format`](crate::ErrorKind::Format) with `ValueNotAllowed`).
pub fn write_ndarray<E: Element, D: Dimension>(
    path: impl AsRef<Path>,
    array: &ArrayRef<E, D>,
) -> Result<(), Error> {
    let path = path.as_ref();
    // An array without elements is also a slice, whatever the number of its records.
    if let Some(elements) = array.as_slice() {
        return save(path, array.shape(), elements);
    }
    let header = HeaderBuf::of_shape(E::ELEMENT, array.shape());
    let header = header.map_err(|error| error.with_path(path))?;
    let mut writer = Writer::create(path, E::ELEMENT, header.dims())?;
    let mut elements = array.iter();
    let mut record = alloc::zeroed(writer.file.record_size())?;
    for _ in 0..header.record_count() {
        for bytes in record.chunks_exact_mut(E::SIZE) {
            if elements.next().and_then(|element| element.encode(bytes)).is_none() {
                let violation = E::CONSTRAINT.first_violation(E::ELEMENT, bytes);
                return Err(writer.file.value_not_allowed(violation));
            }
        }
        writer.push_bytes(&record)?;
    }
    writer.finish()?;
    Ok(())
}
