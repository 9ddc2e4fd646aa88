//! Rust source that contains the records of a file, for programs without a file system.

use std::path::Path;

use crate::error::{At, Error, ErrorKind};
use idx_std::{Reader, Shape};

mod names;
mod rust;

pub use rust::RustSource;

/// The maximum number of dimensions of a record type.
const RECORD_DIMENSIONS: usize = 8;

/// The size of the largest type on a 32-bit machine.
const MAX_RECORD_SIZE: u64 = i32::MAX as u64;

/// Returns Rust source that contains the records of a plain IDX file: the record type, and a `static` that includes the
/// file by its path. A build script can thus do the same as `idx rust`.
///
/// `folder` is where the new module will be; for a build script, it is `.`. If it is in the same package as the file,
/// the included path is relative to the package.
///
/// ```
/// use idx_data::rust_source;
/// # let folder = tempfile::tempdir()?;
/// # let path = &folder.path().join("tiles-idx2-ubyte");
/// idx_std::save(path, &[2, 3], &[1_u8, 2, 3, 4, 5, 255])?;
///
/// let source = rust_source(path, ".")?;
/// assert_eq!((&*source.record_name, &*source.records_name), ("Tile", "TILES"));
/// assert!(source.to_string().contains("pub struct Tile(pub [u8; 3]);"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// A file that cannot be read ([`ErrorKind::File`]); gzip, or records that are too large for a type
/// ([`unsupported`](ErrorKind::code)).
pub fn rust_source(path: impl AsRef<Path>, folder: impl AsRef<Path>) -> Result<RustSource, Error> {
    let path = path.as_ref();
    let reader = Reader::open(path)?;
    check(&reader).at(path)?;
    reader.check_length()?;
    rust::source(path, folder.as_ref(), reader)
}

/// Checks that a program can contain the records of this file.
fn check(reader: &Reader) -> Result<(), ErrorKind> {
    let header = reader.header();
    if reader.is_gzip() {
        return Err(ErrorKind::unsupported("firmware cannot read gzip; decompress the file first"));
    }
    let shape = Shape(header.record_shape());
    let dimensions = header.record_shape().len();
    if dimensions > RECORD_DIMENSIONS {
        return Err(ErrorKind::unsupported(format!(
            "the records have {dimensions} dimensions, and a record type has at most {RECORD_DIMENSIONS}; merge \
             some first"
        )));
    }
    let is_small = |size| size <= MAX_RECORD_SIZE;
    if !header.record_size().is_some_and(is_small) {
        return Err(ErrorKind::unsupported(format!(
            "a record of {shape} {} exceeds {MAX_RECORD_SIZE} bytes, the limit for firmware types; use smaller \
             records",
            header.element_type()
        )));
    }
    Ok(())
}
