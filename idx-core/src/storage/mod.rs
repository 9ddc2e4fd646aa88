//! Records from external flash, one at a time: over the traits of embedded-storage (feature
//! `embedded-storage-v0.3`) and their async twins (feature `embedded-storage-async-v0.4`).
//!
//! [`Located`] is a file whose driver stays with its owner, [`Storage`] has a driver of its own. Both read from a
//! `ReadStorage`, which accepts any offset and length. Most flash drivers are a `ReadNorFlash`, which may accept
//! only multiples of its `READ_SIZE`: wrap it in [`Aligned`]. A file on an SD card is a `Read + Seek`: wrap it in
//! `Seekable` (with the feature `embedded-io-v0.7`).
//!
//! # What a reader of flash cannot know
//!
//! Opening a file reads its header, and only that. Erased flash holds FF, which are values of every element type: a
//! file whose header was written and whose records were not, as the power failed between the two, opens, and its
//! missing records read as -1, 255 or NaN. So
//!
//! - write it as a [`log`](crate::log), which reads only records that were written to their end. Or
//! - write the header last: until then the file does not open. Or
//! - give the record a rule in its last bytes that FF breaks, a `range` or an enum of labels; a record that was
//!   not written is then an error, and so is one that was torn, if the words before were written in order. Or
//! - keep a checksum beside the file and compare it before you use the records, as the example `checked_flash` does. A
//!   checksum also finds bits that flipped later, and a torn update over the air.
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
