//! Decode the IDX file format, the format of MNIST, from byte slices.
//!
//! `no_std`, no allocation, no `unsafe`: for tables and images in a microcontroller's flash. Desktop
//! programs that read files, gzip included, want the crate `idx-std`, which re-exports this one.
//!
//! ```
//! use idx_core::{IdxRecord, Records};
//!
//! /// Records of 3 x 3 bytes. `Copy` and `repr(transparent)` let them be borrowed from flash.
//! #[derive(IdxRecord, Clone, Copy)]
//! #[repr(transparent)]
//! struct Glyph([[u8; 3]; 3]);
//!
//! // Checked by the compiler; in a real program `include_bytes!("glyphs.idx")`.
//! static GLYPHS: Records<Glyph> = Records::from_static(
//!     b"\0\0\x08\x03\0\0\0\x02\0\0\0\x03\0\0\0\x03 #  #  # # # # # #",
//! );
//!
//! assert_eq!(GLYPHS.len(), 2);
//! # #[cfg(feature = "zero-copy")]
//! for row in &GLYPHS.as_slice()[1].0 {
//!     println!("{}", row.escape_ascii());
//! }
//! ```
//!
//! # The format
//!
//! | offset | bytes | value |
//! | --- | --- | --- |
//! | 0 | 2 | 00 00 |
//! | 2 | 1 | element type: 08 `u8`, 09 `i8`, 0B `i16`, 0C `i32`, 0D `f32`, 0E `f64` |
//! | 3 | 1 | number of dimensions (rank), 0 to 255 |
//! | 4 | 4 x rank | sizes, big-endian `u32` |
//! | 4 + 4 x rank | | elements, big-endian, the last dimension fastest |
//!
//! Dimension 0 counts the records, the other dimensions are the shape of a record. A file of rank 0
//! is one record of one element. A size of 0 is valid and makes the payload empty. A missing byte is
//! always an error, a byte after the payload is one unless a prefix is parsed.
//!
//! # The way through this crate
//!
//! bytes → [`Header`] → [`Idx`] (untyped) → [`Records<T>`](Records) → `T`
//!
//! What can be wrong is found once, when a view is made; from then on records come without `Result`.
//! No function panics but [`Records::from_static`], whose panic is a compile error where it belongs.
//!
//! # In firmware
//!
//! Borrowing is the rule. The compiler parses the file of a `static`; [`Records::as_slice`] and
//! [`Records::record_bytes`] give records where they lie in flash. A record by value, of
//! [`get`](Records::get) or [`iter`](Records::iter), takes its size on the stack: that is for small
//! ones.
//!
//! `default-features = false` leaves out the derive, `as_slice`, and every dependency. Records of
//! scalars, of the [`be`] types and of arrays of these stay, and so does all else above. Neither
//! default feature adds code to a program that does not call it.
//!
//! Every record type that is parsed at run time has its own comparison of the header with its
//! constants, and where the error is looked at also its own search for the reason. A second record
//! type costs these once more; a caller that looks at `is_ok()` alone has no search at all. Where
//! several types are parsed and their errors looked at, [`Idx::parse`] and then [`Idx::records`] share
//! the search. Streams and storage check the header of all record types with the same code. The README
//! of this crate has the figures, for three machines.
//!
//! # Features
//!
//! - `derive` (default): `#[derive(IdxRecord)]`.
//! - `zero-copy` (default): [`Records::as_slice`], through the crate bytemuck. For records that
//!   qualify the derive then writes `unsafe impl`s of bytemuck's traits; their conditions are
//!   checked by the compiler. A crate with `#![forbid(unsafe_code)]` can use it.
//! - `heapless-v0.9`: the module `stream`, records from bytes that come in pieces; and batches from
//!   external flash into a `heapless::Vec`.
//! - `embedded-io-v0.7`, `embedded-io-async-v0.7`: `stream` over a reader, blocking and async.
//! - `embedded-storage-v0.3`, `embedded-storage-async-v0.4`: the module `storage`, records from
//!   external flash, blocking and async.
//! - `defmt`: `defmt::Format` for [`Error`], [`Header`] and the other values.
//!
//! The version in a name is that of the other crate: its next one will be a feature beside it.
//! Without default features there is no dependency at all.

#![no_std]
#![forbid(unsafe_code)]

mod element;
mod header;
mod idx;
mod rule;
mod record;
pub mod be;
mod records;
#[cfg(feature = "zero-copy")]
mod zero_copy;
#[cfg(any(
    feature = "heapless-v0.9",
    feature = "embedded-storage-v0.3",
    feature = "embedded-storage-async-v0.4"
))]
mod header_check;
#[cfg(feature = "heapless-v0.9")]
pub mod stream;
#[cfg(any(
    feature = "embedded-storage-v0.3",
    feature = "embedded-storage-async-v0.4"
))]
pub mod storage;
mod error;
mod text;

pub use element::ElementType;
pub use error::Error;
pub use header::{Dims, Header};
pub use idx::Idx;
pub use record::IdxRecord;
pub use records::{RecordIter, Records};
#[cfg(feature = "zero-copy")]
pub use zero_copy::ZeroCopy;

#[cfg(feature = "derive")]
pub use idx_derive::IdxRecord;

/// For the code that the derive writes, and for `idx-std`; not for anyone else.
#[doc(hidden)]
pub mod __private;
