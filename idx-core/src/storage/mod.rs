//! Records from external flash, one at a time, through the traits of embedded-storage (feature `embedded-storage-v0.3`)
//! and their async counterparts (feature `embedded-storage-async-v0.4`).
//!
//! [`Located`] borrows the driver in each call; [`Storage`] owns it. Both read from a `ReadStorage`, which accepts any
//! offset and length. Most flash drivers implement `ReadNorFlash`, which may accept only multiples of its `READ_SIZE`:
//! wrap them in [`Aligned`]. A file on an SD card is `Read + Seek`: wrap it in `Seekable` (with the feature
//! `embedded-io-v0.7`).
//!
//! # Files that were not written completely
//!
//! Opening a file reads only its header. Erased flash holds FF, which is a valid value of every element type: if the
//! power failed after the header was written but before the records were, the file opens, and the missing records read
//! as -1, 255 or NaN. So
//!
//! - write it as a [`log`](crate::log), which returns only records that were written completely; or
//! - write the header last: until then the file does not open; or
//! - give the record a rule for its last bytes that excludes FF, a `range` or a label enum: a record that was not
//!   written is then an error, and so is a torn one, provided that words are written in order; or
//! - store a checksum next to the file and compare it before you use the records, as the example `checked_flash` does.
//!   A checksum also detects bits that flip later, and an interrupted over-the-air update.
//!
//! Blocking and async functions are on the same types; the async ones have `_async` in their names,
//! because a driver may implement both traits.

mod aligned;
#[cfg(feature = "heapless-v0.9")]
mod batch;
mod error;
mod opening;
mod located;
mod records;
#[cfg(all(feature = "embedded-io-v0.7", feature = "embedded-storage-v0.3"))]
mod seekable;

pub use aligned::Aligned;
pub use error::StorageError;
pub use located::Located;
pub use records::Storage;
#[cfg(all(feature = "embedded-io-v0.7", feature = "embedded-storage-v0.3"))]
pub use seekable::Seekable;
