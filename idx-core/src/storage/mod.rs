//! Records from external flash, one at a time: over the traits of embedded-storage (feature
//! `embedded-storage-v0.3`) and their async twins (feature `embedded-storage-async-v0.4`).
//!
//! [`Storage`] reads from a `ReadStorage`, which accepts any offset and length. Most flash drivers are
//! a `ReadNorFlash`, which may accept only multiples of its `READ_SIZE`: wrap it in [`Aligned`].
//!
//! Blocking and async functions are on the same types; the async ones have `_async` in their names,
//! because a driver may implement both traits.

mod aligned;
#[cfg(feature = "heapless-v0.9")]
mod batch;
mod error;
mod opening;
mod records;

pub use aligned::Aligned;
pub use error::StorageError;
pub use records::Storage;
