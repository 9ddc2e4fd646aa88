//! Read and write IDX files, the format of MNIST: plain or gzip, whole or streamed, typed or not.
//!
//! This crate is for programs that open files. It re-exports all of `idx-core`, so you need only this dependency;
//! firmware uses `idx-core` alone. Images with their labels, other formats and MNIST itself are in `idx-data`, which
//! re-exports this crate.
//!
//! ```no_run
//! use idx_std::{IdxRecord, Reader};
//!
//! #[derive(IdxRecord)]
//! struct Digit([[u8; 28]; 28]);
//!
//! #[derive(IdxRecord, Debug)]
//! struct Label(#[idx(range = 0..=9)] u8);
//!
//! fn main() -> Result<(), idx_std::Error> {
//!     // A file in memory. The content decides whether it is gzip, not the name.
//!     let images = idx_std::open("t10k-images-idx3-ubyte.gz")?;
//!     let images = images.records::<Digit>()?;
//!     println!("{} digits, the first row of the first is {:?}", images.len(), images.get(0).map(|d| d.0[0]));
//!
//!     // Records one by one, in constant memory.
//!     for label in Reader::open("t10k-labels-idx1-ubyte.gz")?.records::<Label>()?.take(3) {
//!         println!("{:?}", label?);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! | I want to | use |
//! | --- | --- |
//! | read a file as records | [`open`], then [`IdxBuf::records`]; [`RecordsBuf`] owns them |
//! | read a file as numbers of a known type | [`load`]; [`IdxBuf::copy_into`] my own memory |
//! | read a file of any type as rows and columns of `f64` | [`IdxBuf::to_matrix`] |
//! | read records one by one | [`Reader`], then [`Reader::records`] if the type is known |
//! | write numbers | [`save`] |
//! | write records one by one | [`RecordWriter`], or [`Writer`] if the type is known only at run time |
//! | append to a file, with durable commits | [`RecordWriter::append`], [`RecordWriter::commit`] |
//! | recover a file whose writer was stopped | [`repair`] |
//! | identify the format of a file that is not IDX | [`FileSignature`] |
//! | write a file of any format that appears complete or not at all | [`AtomicFile`] |
//! | report an error to a program or a person | [`Error`], [`ErrorKind::code`] |
//!
//! Arrays are in C order: the last dimension changes fastest. Picture `i` of `load::<u8>("t10k-images-idx3-ubyte.gz")`
//! is `pixels.chunks_exact(28 * 28).nth(i)`, its rows one after the other.
//!
//! # Untrusted files
//!
//! No input makes these functions panic, hang, or take more memory than the actual bytes and 1 MiB, or a quarter more
//! if the number of bytes is not known in advance, as in a stream or in gzip data with several members. For gzip, the
//! actual bytes are the decompressed ones; [`ReadOptions::limit`] bounds them. (An allocator that grows memory by
//! copying holds both copies meanwhile.) A missing byte, an extra byte and a wrong checksum are errors. All `unsafe`
//! code is in one short file, `io/alloc.rs`.
//!
//! The feature `libdeflate` changes two things for gzip files read by [`open`] and `load::<u8>`. The compressed file is
//! in memory as well. And libdeflate, a C library, accepts codes that RFC 1951 forbids, such as an unused 31st distance
//! code, if the decompressed data has the right length and checksum. All other errors, and all results, are the same.
//!
//! The exception is a machine that runs out of memory. If there is no memory for a payload or a record, that is an
//! [`ErrorKind::Io`]; if there is none for a small buffer of fixed size, the standard library aborts, and the
//! decompressor zlib-rs panics.
//!
//! # Parsing an upload in a server
//!
//! 600 KB of gzip can unpack to 620 MB, so set a limit for every untrusted file. The header is compared with
//! the limit before any memory is allocated; a file over the limit costs the server nothing else.
//!
//! ```
//! use idx_std::{Error, ErrorKind, IdxBuf, ReadOptions};
//!
//! /// The file, or the status code and the message for the client.
//! fn parse_upload(body: Vec<u8>) -> Result<IdxBuf, (u16, String)> {
//!     let options = ReadOptions::new().limit(16 << 20);
//!     options.from_bytes(body).map_err(|error: Error| match error.kind() {
//!         ErrorKind::LimitExceeded { .. } => (413, error.to_string()),
//!         ErrorKind::Io(_) => (500, error.to_string()), // no memory, for example
//!         _ => (400, error.to_string()),
//!     })
//! }
//! # assert_eq!(parse_upload(b"\0\0\x08\x01\0\0\0\x02\x01\x02".to_vec()).unwrap().as_idx().len(), 2);
//! # assert_eq!(parse_upload(b"\0\0\x0E\x01\xFF\xFF\xFF\xFF".to_vec()).unwrap_err().0, 413);
//! # assert_eq!(parse_upload(b"<!DOCTYPE html>".to_vec()).unwrap_err().0, 400);
//! ```
//!
//! | I want to | limit it by |
//! | --- | --- |
//! | parse a body, a stream or a file into memory | [`ReadOptions::limit`], then `from_bytes`, `from_reader`, `open`, `load` |
//! | read any number of records in constant memory | [`Reader::record_limit`], because one record is in memory |
//!
//! In an untrusted folder, a name may belong to a pipe, a device, or a link to one. `open` opens whatever a path names,
//! so open such files with [`ReadOptions::open_regular`] or [`Reader::open_regular`].
//!
//! # Features
//!
//! - `derive` (default): `#[derive(IdxRecord)]`.
//! - `zero-copy` (default): `Records::as_slice`, which borrows records from the bytes of a file.
//! - `write` (default): writing, appending and repair. Without it, a program that only reads builds 14 crates, not 23.
//! - `mmap`: `MappedFile`, a plain file mapped into memory instead of being read.
//! - `ndarray-v0.17`: ndarray arrays of any rank: borrowed from [`IdxBuf`], owned ([`IdxBuf`], [`Array`]), and written
//!   by `write_ndarray`.
//! - `libdeflate`: decompresses gzip files in one call of libdeflate. This is faster, and needs a C compiler
//!   and [more memory](#untrusted-files).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
// Headers and errors have parts that only writing needs.
#![cfg_attr(not(feature = "write"), allow(dead_code))]

mod signature;
mod words;
mod threads;
mod error;
mod header;
mod wide;
mod io;
mod read;
#[cfg(feature = "write")]
mod atomic;
#[cfg(feature = "write")]
mod write;
#[cfg(feature = "ndarray-v0.17")]
mod ndarray;
#[doc(hidden)]
pub mod __private;

// A glob, and then the derive by name: a named item wins over the glob, so this works whether or not another crate in
// the build enables the feature `derive` of idx-core.
pub use idx_core::*;
/// Makes a struct, or an enum of labels, a record of an IDX file.
///
/// ```no_run
/// use idx_std::{IdxRecord, Reader};
///
/// /// i32, 8 columns with names.
/// #[derive(IdxRecord)]
/// struct QmnistLabel {
///     class: i32, series: i32, writer: i32, digit: i32,
///     nist_class: i32, nist_index: i32, duplicate: i32, unused: i32,
/// }
///
/// for label in Reader::open("qmnist-test-labels-idx2-int.gz")?.records::<QmnistLabel>()? {
///     let label = label?;
///     println!("a {} by writer {}", label.class, label.writer);
/// }
/// # Ok::<(), idx_std::Error>(())
/// ```
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecordStd as IdxRecord;

#[cfg(feature = "write")]
pub use atomic::{AtomicFile, AtomicFolder, remove_temporaries};
pub use error::{Error, ErrorKind};
pub use header::{HeaderBuf, Shape};
/// The error kinds of idx-core, which [`ErrorKind::Format`] contains. Renamed, because this crate has an `ErrorKind` of
/// its own.
pub use idx_core::ErrorKind as FormatError;
#[cfg(feature = "mmap")]
pub use io::MappedFile;
pub use io::is_gzip;
pub use read::{Array, IdxBuf, ReadOptions, Reader, RecordReader, RecordsBuf, load, open};
pub use signature::FileSignature;
#[cfg(all(feature = "write", feature = "ndarray-v0.17"))]
pub use write::write_ndarray;
#[cfg(feature = "write")]
pub use write::{RecordWriter, Repair, WriteOptions, Writer, repair, save};
