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
//! [`IdxRecord`] shows records of several fields and enums of labels. The project's command writes the record type
//! and the `static` of a file that you have: `idx rust FILE`.
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
//! always an error; a byte after the payload is an error unless a prefix is parsed.
//!
//! # The way through this crate
//!
//! bytes → [`Header`] → [`Idx`] (untyped) → [`Records<T>`](Records) → `T`
//!
//! Errors are found once, when a view is made; after that, reading records returns no `Result`. No
//! function panics except [`Records::from_static`] and [`Records::to_array`], whose panic in a `static` is a
//! compile error.
//!
//! # In firmware
//!
//! Borrow records where you can. The compiler parses the file of a `static`; [`Records::as_slice`],
//! [`Records::get_ref`] and [`Records::record_bytes`] give records in place, in flash. A record by
//! value, from [`get`](Records::get) or [`iter`](Records::iter), takes its size on the stack: use them
//! for small records.
//!
//! Numbers of several bytes are big-endian in the file. [`Records::to_array`] lets the compiler decode those
//! of a `static` into the byte order and the alignment of the machine, or a greater alignment. The example
//! `aligned_for_dma` aligns a file as it is.
//!
//! `default-features = false` leaves out the derive, borrowed records, and every dependency. Records of
//! scalars, of the [`be`] types and of arrays of these remain, and so does everything else above.
//! Neither default feature adds code to a program that does not call it.
//!
//! For each record type that is parsed at run time, the compiler generates a comparison of the header with
//! the constants of that type. An error stores only what the comparison saw. [`Error::kind`] works out what
//! that means; all record types share this code, and a program that does not call it does not contain it.
//! Streams and storage share the comparison as well. The project's page on firmware (`docs/firmware.md`) lists sizes.
//!
//! # Quantized tensors
//!
//! Weights of a network are often stored as `i8`, with a scale and a zero point: a byte stands for
//! `scale * (byte - zero_point)`. A file has no place for these numbers, so by convention they are in a second
//! file, `NAME.scale` beside `NAME`. It has a record for each record of the tensor, or one record for all of them:
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
//! A processor without floating-point unit never needs the scales as floats: the example `quantized_network`
//! of `idx-data` trains a network of two layers on MNIST, and in `tests/firmware/src/bin/classify.rs` the
//! compiler converts its scales to integers.
//!
//! # Safety
//!
//! One file of this crate, `zero_copy.rs`, contains `unsafe` code: the cast of bytes to borrowed records, and
//! the decoding of numbers by the compiler. Its conditions are checked at compile time, and a crate with
//! `#![forbid(unsafe_code)]` can use it. Without the feature `zero-copy` this crate forbids `unsafe`.
//!
//! # Features
//!
//! - `derive` (default): `#[derive(IdxRecord)]`.
//! - `zero-copy` (default): borrowed records, with [`Records::as_slice`] and [`Records::get_ref`], and
//!   arrays that the compiler decodes, with [`Records::to_array`].
//! - `bytemuck-v1`: bytemuck's `Pod` and `Zeroable` for the [`be`] types.
//! - `heapless-v0.9`: batches from external flash into a `heapless::Vec`.
//! - `embedded-io-v0.7`, `embedded-io-async-v0.7`: `stream` over a reader, blocking and async.
//! - `embedded-storage-v0.3`, `embedded-storage-async-v0.4`: the modules `storage`, records from
//!   external flash, and `log`, records to flash, blocking and async.
//! - `defmt`: `defmt::Format` for [`Error`], [`Header`] and the other values.
//!
//! The version in a name is the other crate's: its next version will be a feature of its own. The default features
//! depend on `idx-derive` alone.

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

/// Makes a struct, or an enum of labels, a record of an IDX file.
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
/// picture of 28 x 28 beside its label the shape 785. A file whose records are 2 x 3 is one of
/// `struct Pair([[i16; 3]; 2])`.
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecord;

#[doc(hidden)]
pub mod __private;
