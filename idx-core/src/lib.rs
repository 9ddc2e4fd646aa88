//! Decode the IDX file format, the format of MNIST, from byte slices.
//!
//! `no_std`, no allocation: for tables and images in a microcontroller's flash. Desktop programs that
//! read files, gzip included, should use the crate `idx-std`, which re-exports this one.
//!
//! ```
//! use idx_core::{IdxRecord, Records};
//!
//! /// Records of 3 x 3 bytes. `Copy` and `repr(transparent)` let them be borrowed from flash.
//! #[derive(IdxRecord, Clone, Copy)]
//! #[repr(transparent)]
//! struct Glyph([[u8; 3]; 3]);
//!
//! // Checked at compile time; in a real program `include_bytes!("glyphs.idx")`.
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
//! See [`IdxRecord`] for records with several fields and for label enums. The project's command generates the record
//! type and the `static` for an existing file: `idx rust FILE`.
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
//! Dimension 0 counts the records; the other dimensions are the shape of a record. A file of rank 0 is one record of
//! one element. A size of 0 is valid and makes the payload empty. A missing byte is always an error; a byte after the
//! payload is an error unless you parse a prefix.
//!
//! # Overview
//!
//! bytes → [`Header`] → [`Idx`] (untyped) → [`Records<T>`](Records) → `T`
//!
//! All checks happen once, when a view is created; after that, reading records returns no `Result`. No function panics
//! except [`Records::from_static`] and [`Records::to_array`], and in a `static` their panic is a compile error.
//!
//! # In firmware
//!
//! Borrow records where you can. The compiler parses the file of a `static`, and [`Records::as_slice`],
//! [`Records::get_ref`] and [`Records::record_bytes`] return records in place, in flash. [`get`](Records::get) and
//! [`iter`](Records::iter) return records by value, on the stack: use them for small records.
//!
//! Numbers of more than one byte are big-endian in the file. With [`Records::to_array`], the compiler decodes those of
//! a `static` to the machine's byte order and alignment, or a greater alignment. The example `aligned_for_dma` aligns
//! the bytes of a file without decoding them.
//!
//! `default-features = false` leaves out the derive, borrowed records, `to_array` and every dependency. Records of
//! scalars, of the [`be`] types and of arrays of these remain, and so does the rest of the above. A default feature
//! adds no code to a program that does not use it.
//!
//! For each record type parsed at run time, the compiler generates code that compares the header with the constants of
//! the type. An error stores only what this comparison saw. [`Error::kind`] works out what that means; all record types
//! share this code, and only programs that call it contain it. For streams and storage, all record types share the
//! comparison, too. The project's page on firmware (`docs/firmware.md`) lists sizes.
//!
//! # Quantized tensors
//!
//! The weights of a network are often stored as `i8`, with a scale and a zero point: a byte stands for
//! `scale * (byte - zero_point)`. An IDX file has no place for these two numbers, so by convention they are in a second
//! file, `NAME.scale` next to `NAME`. It has one record for each record of the tensor, or a single record for all of
//! them:
//!
//! ```
//! use idx_core::{IdxRecord, Records};
//!
//! /// A zero point is a whole number, and exact in an `f32`.
//! #[derive(IdxRecord)]
//! struct Quantization { scale: f32, zero_point: f32 }
//!
//! // In firmware: `include_bytes!("weights")` and `include_bytes!("weights.scale")`.
//! static WEIGHTS: [[i8; 2]; 1] =
//!     Records::from_static(&[0, 0, 9, 2, 0, 0, 0, 1, 0, 0, 0, 2, 127, 0xC0]).to_array();
//! static SCALE: Records<Quantization> = Records::from_static(
//!     b"\0\0\x0D\x02\0\0\0\x01\0\0\0\x02\x3F\0\0\0\xC2\x80\0\0", // 0.5, -64
//! );
//! const _: () = assert!(SCALE.len() == WEIGHTS.len());
//!
//! for (weights, of) in WEIGHTS.iter().zip(&SCALE) {
//!     let numbers = weights.map(|byte| of.scale * (f32::from(byte) - of.zero_point));
//!     assert_eq!(numbers, [95.5, 0.0]);
//! }
//! ```
//!
//! A processor without a floating-point unit never needs the scales as floats: the example `quantized_network` of
//! `idx-data` trains a two-layer network on MNIST, and in `tests/firmware/src/bin/classify.rs` the compiler converts
//! its scales to integers.
//!
//! # Safety
//!
//! Only one file of this crate, `zero_copy.rs`, contains `unsafe` code: it casts bytes to borrowed records, and decodes
//! numbers at compile time. Its preconditions are checked at compile time, so a crate with `#![forbid(unsafe_code)]`
//! can use it. Without the feature `zero-copy`, this crate forbids `unsafe`.
//!
//! # Features
//!
//! - `derive` (default): `#[derive(IdxRecord)]`.
//! - `zero-copy` (default): borrowed records, with [`Records::as_slice`] and [`Records::get_ref`], and arrays decoded
//!   at compile time, with [`Records::to_array`].
//! - `bytemuck-v1`: bytemuck's `Pod` and `Zeroable` for the [`be`] types.
//! - `heapless-v0.9`: batches from external flash into a `heapless::Vec`.
//! - `embedded-io-v0.7`, `embedded-io-async-v0.7`: [`stream`] from a reader, blocking and async.
//! - `embedded-storage-v0.3`, `embedded-storage-async-v0.4`: the modules `storage`, to read records from external
//!   flash, and `log`, to append them to flash; blocking and async.
//! - `defmt`: `defmt::Format` for [`Error`], [`Header`] and the other values.
//!
//! The version in a feature's name is that of the other crate; its next version will get a feature of its own. The
//! default features depend only on `idx-derive`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(not(feature = "zero-copy"), forbid(unsafe_code))]

mod element_type;
mod const_text;
mod error_kind;
mod error;
mod header;
mod constraint;
mod record;
mod element;
pub mod be;
mod expected;
mod mismatch;
#[cfg(feature = "zero-copy")]
#[expect(unsafe_code, reason = "the cast of bytes to borrowed records, and arrays of numbers")]
mod zero_copy;
mod records;
mod idx;
mod incremental_header;
pub mod stream;
#[cfg(any(feature = "embedded-storage-v0.3", feature = "embedded-storage-async-v0.4"))]
pub mod storage;
mod log_format;
#[cfg(any(feature = "embedded-storage-v0.3", feature = "embedded-storage-async-v0.4"))]
pub mod log;

pub use element::Element;
pub use element_type::{ElementType, ParseElementTypeError};
pub use error::Error;
pub use error_kind::ErrorKind;
pub use expected::header;
pub use header::{Dims, DimsIter, Header};
pub use idx::Idx;
pub use record::IdxRecord;
pub use records::{RecordIter, Records};
#[cfg(feature = "zero-copy")]
pub use zero_copy::{Native, ZeroCopy};

/// Implements the trait `IdxRecord` for a struct or a label enum.
///
/// ```
/// use idx_core::{IdxRecord, Records, be};
///
/// /// i16, three columns, borrowed from flash.
/// #[derive(IdxRecord, Clone, Copy)]
/// #[repr(C)]
/// struct Acceleration { x: be::I16, y: be::I16, z: be::I16 }
///
/// /// One byte; `Records::parse` rejects a file with any other value.
/// #[derive(IdxRecord, Debug, PartialEq)]
/// #[repr(u8)]
/// enum Gesture { Rest = 0, Wave = 1, Knock = 4 }
///
/// // With a file: `include_bytes!("gestures.idx")`.
/// static GESTURES: Records<Gesture> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 2, 4, 0]);
/// assert_eq!(GESTURES.get(0), Some(Gesture::Knock));
/// ```
///
/// Several fields are always the columns of one row: `struct Pair { a: [i16; 3], b: [i16; 3] }` has the shape 6, and a
/// struct of a 28 x 28 picture and its label has the shape 785. For records of 2 x 3, write
/// `struct Pair([[i16; 3]; 2])`.
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecord;

#[doc(hidden)]
pub mod __private;
