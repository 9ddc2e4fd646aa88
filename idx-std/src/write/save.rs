//! `save`: a whole file from numbers in memory.

use std::path::Path;

use idx_core::Element;

use crate::error::{Error, ErrorKind};
use crate::header::HeaderBuf;
use crate::io::to_usize;
use crate::write::writer::Writer;

/// Writes a whole file of numbers in the byte order of this machine: the twin of [`load`](crate::load).
///
/// `shape` has the sizes of all dimensions, the number of records first; `[]` is a file of one element. The file is
/// gzip if its name ends in `.gz`, and appears under its name when it is complete.
///
/// # Errors
///
/// A shape with another number of elements ([`wrong_length`](ErrorKind::code)); sizes that are too large
/// ([`shape_too_large`](ErrorKind::code)); a value that is not allowed, if `E` is a label ([`ErrorKind::Format`] with
/// `ValueNotAllowed`); the errors of [`Writer::create`].
///
/// ```no_run
/// // Two rows of three numbers, one row after the other.
/// idx_std::save("weights.idx.gz", &[2, 3], &[0.5f32, 1.0, 1.5, 2.0, 2.5, 3.0])?;
/// let weights = idx_std::load::<f32>("weights.idx.gz")?;
/// assert_eq!((weights.shape(), weights[5]), (&[2, 3][..], 3.0));
/// # Ok::<(), idx_std::Error>(())
/// ```
pub fn save<E: Element>(
    path: impl AsRef<Path>,
    shape: &[usize],
    elements: &[E],
) -> Result<(), Error> {
    let path = path.as_ref();
    let check = || {
        let header = HeaderBuf::of_shape(E::ELEMENT, shape)?;
        let (expected, found) = (header.payload_size() / E::SIZE as u64, elements.len() as u64);
        if expected != found {
            return Err(ErrorKind::WrongLength {
                of: "the shape",
                unit: "element",
                expected,
                found,
            }
            .into());
        }
        Ok(header)
    };
    let header = check().map_err(|error: Error| error.with_path(path))?;
    let mut writer = Writer::create(path, E::ELEMENT, header.dims())?;
    if elements.is_empty() {
        // Records without elements still count.
        let records = to_usize(header.record_count().into())?;
        writer.file.push_with(records, |_| Some(()))?;
    }
    writer.push_elements(elements)?;
    writer.finish()?;
    Ok(())
}
