//! A log of records in NOR flash, which loses no record when the power fails: over the traits of
//! embedded-storage (feature `embedded-storage-v0.3`) and their async twins (feature
//! `embedded-storage-async-v0.4`).
//!
//! [`Log::open`] finds the end of a log, [`Log::push`] returns when its record is safe, and [`Log::clear`] starts a new
//! one. A desktop makes a file of it: copy the range of the flash, and `idx repair COPY -o FILE` (`idx_std::repair`)
//! keeps exactly the records that are whole, as a file of `T`. Until then no reader takes it for a file.
//!
//! # After a power failure
//!
//! Bytes that were being written or erased when the power failed may hold anything, read as erased, or fail to read. So
//!
//! - `open` writes and erases nothing, and takes a place that cannot be read as torn;
//! - `push` reads back each record, and goes on to the next place if it is not there;
//! - the first `push` after a start writes the last record once more, to a place that may have been begun, and the new
//!   one behind it. So no record is written to a word that was written before, and a start that appends takes one place
//!   more than its records;
//! - a log without records is erased, as far as it was begun, before the first record is written.
//!
//! `docs/firmware.md` in the repository says which failures were tried, and what is not promised.
//!
//! # In flash
//!
//! Each part begins at a multiple of the `WRITE_SIZE` of the flash, and is filled up with zeros.
//!
//! | part | bytes |
//! | --- | --- |
//! | start | `89 49 44 58 4C 4F 47` ("IDXLOG"), and the `WRITE_SIZE`, 1 to 32 |
//! | header | that of a file of `T`; FFFF and a checksum of the rest stand for the number of records |
//! | a word | erased; 00 once `clear` began |
//! | each place | a mark, written last, of 2 + 2 bytes, big-endian: the number of places up to here without a further record, and a checksum |
//! | | the bytes of a record |
//!
//! The checksum is CRC-16/CCITT over the number of the place (4 bytes, counted from 0), the first two bytes of the
//! mark, and the record. A place whose mark is wrong is torn or damaged. The index of a record is the number of its
//! place less the count of its mark; of several places with one index the last one holds the record.
//!
//! So one flipped bit is found: [`Log::read`] returns [`Damaged`](crate::storage::StorageError::Damaged). In the last
//! record it cannot be told from a power failure, and the log has one record fewer. Of damage to many bits, one case in
//! 65,536 is not found; if that is too many, give the record a checksum of its own in its last column.

mod layout;
mod words;
mod place;
mod records;

pub use records::Log;
