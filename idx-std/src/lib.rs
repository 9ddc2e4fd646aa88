//! Read and write IDX files, the format of MNIST: plain or gzip, whole or streamed, typed or not.
//!
//! This is the crate for desktop programs. It re-exports all of `idx-core`, so you need only this
//! dependency; firmware uses `idx-core`. Records with labels, other formats and data sets are in `idx-data`.
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
//!     // A whole file, plain or gzip: the content decides, not the name.
//!     let images = idx_std::open("t10k-images-idx3-ubyte.gz")?;
//!     let images = images.records::<Digit>()?;
//!     println!("{} digits, the first pixel row is {:?}", images.len(), images.get(0).map(|d| d.0[0]));
//!
//!     // Records one by one, in constant memory.
//!     for label in Reader::open("t10k-labels-idx1-ubyte.gz")?.records::<Label>()?.take(3) {
//!         println!("{:?}", label?);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | read a whole file as records | [`open`], [`IdxBuf`], and [`RecordsBuf`] to own them |
//! | read a whole file as numbers of a known type | [`load`], [`load_into`] |
//! | read a whole file as a matrix of `f64`, whatever its type | [`IdxBuf::to_matrix`] |
//! | read records one by one | [`Reader`], and [`Reader::records`] where the type is known |
//! | write a whole file of numbers of a known type | [`save`] |
//! | write records one by one | [`RecordWriter`], or [`Writer`] where the type is known at run time |
//! | add records to a file that exists, and know that they are safe | [`Writer::append`], [`Writer::commit`] |
//! | keep the records of a file whose writer was stopped | [`repair`] |
//! | write any other file that appears whole or not at all | [`AtomicFile`] |
//!
//! # Untrusted files
//!
//! No input makes these functions panic, hang, or take more memory than the actual bytes and 1 MiB; if their
//! number is not known in advance, as in a stream or in gzip data of several members, a quarter more. For
//! gzip the actual bytes are the decompressed ones, which [`ReadOptions::limit`] bounds. (An allocator that
//! copies memory to grow it holds both copies for that time.) Nothing fails silently: a missing or extra
//! byte, or a wrong checksum, is an error. `unsafe` code is in one file, `io/alloc.rs`.
//!
//! The feature `libdeflate` changes two things for gzip files that [`open`] and `load::<u8>` read. The
//! compressed file is in memory as well. And libdeflate, which is written in C, accepts codes that RFC 1951
//! does not allow, such as an unused 31st distance code, if the decompressed data has the right length and
//! checksum. All other errors, and all results, are the same.
//!
//! The exception is a machine that runs out of memory. Allocations for payloads and records can fail with
//! [`ErrorKind::Io`]; those of small buffers of fixed size cannot: the standard library then aborts, and the
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
//! /// The file, or the status code and the sentence for the client.
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
//! | to | limit it by |
//! | --- | --- |
//! | parse a body, a stream or a file whole | [`ReadOptions::limit`], then `from_bytes`, `from_reader`, `open`, `load` |
//! | read records of any number in constant memory | [`Reader::record_limit`], as one record is in memory |
//!
//! In an untrusted folder, a file name can be that of a pipe, a device, or a link to one. A path that you pass is
//! opened whatever it is, so look for regular files only.
//!
//! # Features
//!
//! - `derive` (default): `#[derive(IdxRecord)]`.
//! - `zero-copy` (default): `Records::as_slice`, records borrowed from the file's bytes.
//! - `mmap`: `MappedFile`, which maps a plain file into memory instead of reading it.
//! - `ndarray-v0.17`: arrays of ndarray, of any rank: borrowed ([`IdxBuf`], [`Array`]), owned, and
//!   written by `write_ndarray`.
//! - `libdeflate`: decompresses gzip files in one call of libdeflate. This is faster, and needs a C compiler
//!   and [more memory](#untrusted-files).

#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]

mod signature;
mod words;
mod threads;
mod error;
mod header;
mod wide;
mod io;
mod read;
mod write;
#[cfg(feature = "ndarray-v0.17")]
mod ndarray;
#[doc(hidden)]
pub mod __private;

// By glob, and the derive after it: an item named here wins over the glob, so that this works
// whether or not another crate of the build turns on the `derive` of idx-core.
pub use idx_core::*;
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecordStd as IdxRecord;

#[cfg(feature = "ndarray-v0.17")]
pub use self::ndarray::write_ndarray;
pub use error::{Error, ErrorKind};
pub use header::{HeaderBuf, Shape};
/// The kinds of error of idx-core, as [`ErrorKind::Format`] has them: this crate has an `ErrorKind` of its own.
pub use idx_core::ErrorKind as FormatError;
pub use io::AtomicFile;
#[cfg(feature = "mmap")]
pub use io::MappedFile;
pub use read::{
    Array, IdxBuf, Matrix, ReadOptions, Reader, RecordReader, RecordsBuf, load, load_into, open,
};
pub use signature::FileSignature;
pub use write::{RecordWriter, Repair, WriteOptions, Writer, repair, save};
