//! A log of records in NOR flash that loses no record when the power fails, through the traits of embedded-storage
//! (feature `embedded-storage-v0.3`) and their async counterparts (feature `embedded-storage-async-v0.4`).
//!
//! [`Log::open`] finds the end of a log, [`Log::push`] returns when its record is safe, and [`Log::clear`] starts a new
//! one. To make a file of a log, copy its range of flash to a desktop: `idx repair COPY -o FILE` (`idx_std::repair`)
//! keeps exactly the records that are whole, as a file of `T`. Readers of files reject the copy itself.
//!
//! # After a power failure
//!
//! Bytes that were being written or erased when the power failed may hold anything, read as erased, or fail to read. So
//!
//! - `open` neither writes nor erases, and takes a place that cannot be read as torn;
//! - `push` reads each record back, and tries the next place if it is not there;
//! - the first `push` after a start writes the last record again, in a place that a power failure may have left
//!   half-written, and the new one after it. So no new record goes to words that were written before, and each start
//!   that appends takes one extra place;
//! - before the first record is written, a log without records is erased as far as anything was written.
//!
//! `docs/firmware.md` in the repository lists the failures that were tested, and what is not promised.
//!
//! # In flash
//!
//! Each part starts at a multiple of the flash's `WRITE_SIZE` and is padded with zeros.
//!
//! | part | bytes |
//! | --- | --- |
//! | start | `89 49 44 58 4C 4F 47` ("IDXLOG"), and the `WRITE_SIZE`, 1 to 32 |
//! | header | that of a file of `T`, with FFFF and a checksum of the rest in place of the number of records |
//! | a word | erased; 00 once `clear` has begun |
//! | each place | a mark of 2 + 2 bytes, big-endian, written last: the number of places so far that added no record, and a checksum |
//! | | the bytes of a record |
//!
//! The checksum is CRC-16/CCITT over the number of the place (4 bytes, counted from 0), the first two bytes of the
//! mark, and the record. A place whose mark is wrong is torn or damaged. The index of a record is the number of its
//! place minus the count in its mark; of several places with the same index, the last one holds the record.
//!
//! So a single flipped bit is detected: [`Log::read`] returns [`Damaged`](crate::storage::StorageError::Damaged). In
//! the last record it cannot be told from a power failure, and the log has one record fewer. Damage to many bits is
//! missed in one case in 65,536; if that is too many, give the record a checksum of its own in its last column.

mod layout;
mod words;
mod place;
mod records;

pub use records::Log;
