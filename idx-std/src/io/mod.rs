//! Input of bytes: files and streams, plain or gzip.

pub(crate) mod access;
pub(crate) mod alloc;
pub(crate) mod gunzip;
pub(crate) mod source;
pub(crate) mod parallel;
#[cfg(feature = "libdeflate")]
mod one_call;
mod payload;

#[cfg(feature = "mmap")]
pub use alloc::MappedFile;
pub use gunzip::is_gzip;

/// The number of bytes to read or write at a time: enough for a fast read(2), and few enough to stay in the
/// processor's cache until they are decoded.
pub(crate) const CHUNK_SIZE: usize = 256 * 1024;

/// Converts a number of bytes or records to a `usize`.
///
/// # Errors
///
/// A number that does not fit ([`Unaddressable`](idx_core::ErrorKind::Unaddressable)).
pub(crate) fn to_usize(size: u64) -> Result<usize, idx_core::ErrorKind> {
    usize::try_from(size).map_err(|_| idx_core::ErrorKind::Unaddressable { size })
}
