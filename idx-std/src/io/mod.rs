//! Input and output of bytes: files and streams, plain or gzip, and files that appear whole or not at all.

pub(crate) mod alloc;
pub(crate) mod access;
pub(crate) mod gunzip;
pub(crate) mod source;
#[cfg(any(unix, windows))]
pub(crate) mod parallel;
#[cfg(feature = "libdeflate")]
mod one_call;
pub(crate) mod whole;
pub(crate) mod in_place;
pub(crate) mod sink;
pub(crate) mod disk;
mod early_sync;
mod unnamed;
mod temporary;
mod target;
mod journal;
mod staged;
mod atomic;

#[cfg(feature = "mmap")]
pub use alloc::MappedFile;
pub use atomic::{AtomicFile, AtomicFolder};
pub use staged::{Interrupted, Staged, commit, find_interrupted};
pub(crate) use target::{Target, is_within};
pub use temporary::remove_temporaries;

/// The number of bytes to read or write at a time: enough for a fast read(2), and few enough to stay in the
/// processor's cache until they are decoded.
pub(crate) const CHUNK_SIZE: usize = 256 * 1024;

/// A number of bytes or records as a `usize`, if it fits.
pub(crate) fn to_usize(size: u64) -> Result<usize, idx_core::ErrorKind> {
    usize::try_from(size).map_err(|_| idx_core::ErrorKind::Unaddressable { size })
}
