//! A log of records in NOR flash, which loses no record when the power fails: over the traits of
//! embedded-storage (feature `embedded-storage-v0.3`) and their async twins (feature
//! `embedded-storage-async-v0.4`).
//!
//! [`Log::open`] starts a log or finds the end of one, and [`Log::push`] returns when its record is safe. A desktop
//! makes a file of it: copy the range of the flash, and `idx repair COPY` (`idx_std::repair`) keeps exactly
//! the records that are whole, as a file of `T`. Until then no reader takes it for a file.
//!
//! # What it asks of the flash, and what not
//!
//! It keeps to the words of `NorFlash`: no word is written twice, and what was written when the power failed may
//! hold anything. So nothing is corrected later, not even the number of records, which is found by looking:
//!
//! | part | bytes |
//! | --- | --- |
//! | start | `89 49 44 58 4C 4F 47` ("IDXLOG"), and the `WRITE_SIZE` of the flash, 1 to 32 |
//! | header | that of a file of `T`, with FFFFFFFF for the number of records |
//! | each record | its bytes, and zeros up to a multiple of `WRITE_SIZE` |
//! | behind it | a mark: one word of `WRITE_SIZE` bytes 5A, written when the record is |
//!
//! Start and header together are filled up to a multiple of `WRITE_SIZE`, too. A record without its mark was torn: it
//! is not counted, and its place is not used again. The mark is what a record type's own rule could not be: flash
//! whose power failed may hold any value, also one that a rule allows.
//!
//! There is nothing to finish. A log that is full ([`StorageError::Full`](crate::storage::StorageError::Full)) is
//! copied, then its range is erased, and opening it starts a new one.

mod layout;
mod records;

pub use records::Log;
