//! Read and write IDX files, the format of MNIST: plain or gzip, whole or streamed, typed or not.
//!
//! This is the crate for desktop programs. It brings all of `idx-core` with it, so that one `use` is
//! enough; firmware takes `idx-core` alone.
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
//!     // Whole, gzip or not: the content decides, not the name.
//!     let images = idx_std::open("t10k-images-idx3-ubyte.gz")?;
//!     let images = images.records::<Digit>()?;
//!     println!("{} digits, the first pixel row is {:?}", images.len(), images.get(0).map(|d| d.0[0]));
//!
//!     // One by one, in constant memory.
//!     for label in Reader::<Label>::open("t10k-labels-idx1-ubyte.gz")?.take(3) {
//!         println!("{:?}", label?);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! | to | use |
//! | --- | --- |
//! | look at a file's bytes as records, whole | [`open`], [`IdxBuf`] |
//! | get numbers of a known type | [`load`], [`load_into`] |
//! | get a matrix of `f64`, whatever the file holds | [`IdxBuf::to_matrix`] |
//! | read records one by one | [`Reader`], or [`DynReader`] where the type is known at run time |
//! | write records one by one | [`Writer`], or [`DynWriter`] |
//! | know the mean, the deviation and the distribution of elements | [`Stats`] |
//! | write any other file that appears whole or not at all | [`NewFile`], and [`AtomicFolder`] for folders |
//! | know how pixels and channels lie in a record | [`ImageLayout`] |
//! | know which well-known file this is | [`identify`] |
//! | find the files of a data set in a folder, and check them | [`DataSetFiles`] |
//! | train with MNIST, Fashion-MNIST, EMNIST or QMNIST | [`mnist::Mnist`] |
//! | have images with their labels: split, shuffled, in batches | [`Labeled`], or [`LabeledReader`] beyond memory |
//! | read npy, csv, Parquet or folders of pictures as records with labels, and write them | [`formats`] |
//! | read and write arrays of NumPy | [`NpyReader`], [`NpyWriter`] |
//! | change the element type, each value kept | [`NumberType::convert`] |
//!
//! # What is promised for files of strangers
//!
//! Nothing that a file holds makes these functions panic, hang, or take more memory than the bytes
//! that are really there and 1 MiB; [`Options::limit`] bounds what gzip may unpack. Nothing ends
//! silently: a byte that is missing or left over, a checksum that is wrong, all are errors.
//!
//! # Features
//!
//! - `derive` (default): `#[derive(IdxRecord)]`.
//! - `zero-copy` (default): `Records::as_slice`, records borrowed from the file's bytes.
//! - `mmap`: `IdxBuf::map`, a plain file without reading it.
//! - `ndarray-v0.17`: arrays of ndarray, of any rank: borrowed ([`IdxBuf`], [`Array`]), owned, and
//!   written by `write_ndarray`.
//! - `csv`, `png`, `parquet`: more of the [`formats`].
//! - `fetch`: `fetch`, which downloads MNIST and Fashion-MNIST.

#![deny(unsafe_code)]

mod foreign;
mod image_layout;
mod gzip;
mod memory;
mod source;
mod buffer;
mod array;
mod matrix;
mod dyn_reader;
mod reader;
mod target;
mod sink;
mod dyn_writer;
mod writer;
#[cfg(feature = "ndarray-v0.17")]
mod ndarrays;
mod stats;
mod identify;
mod file_name;
mod data_set;
mod labeled;
mod labeled_reader;
pub mod mnist;
mod published;
#[cfg(feature = "fetch")]
mod fetch;
mod number;
mod npy;
mod npy_reader;
mod npy_writer;
pub mod formats;
mod error;

// By glob, and the derive after it: an item named here wins over the glob, so that this works
// whether or not another crate of the build turns on the `derive` of idx-core.
pub use idx_core::*;
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecordStd as IdxRecord;

pub use array::{Array, load, load_into};
pub use buffer::{IdxBuf, open, open_with};
pub use data_set::{CheckProgress, CheckedFile, DataSetFiles, labels_beside};
pub use dyn_reader::DynReader;
pub use dyn_writer::{DynWriter, WriteOptions};
pub use error::{Error, ErrorKind};
#[cfg(feature = "fetch")]
pub use fetch::{FetchEvent, FetchOptions, MirrorFailure, fetch};
pub use foreign::Foreign;
pub use identify::{Content, DataSet, KnownFile, Split, identify};
pub use image_layout::ImageLayout;
pub use labeled::{Labeled, Scale, Share};
pub use labeled_reader::LabeledReader;
pub use matrix::Matrix;
#[cfg(feature = "ndarray-v0.17")]
pub use ndarrays::write_ndarray;
pub use npy::{NpyError, NpyHeader};
pub use npy_reader::NpyReader;
pub use npy_writer::NpyWriter;
pub use number::{DoesNotFit, Number, NumberType};
pub use published::{Published, PublishedFile};
pub use reader::Reader;
pub use source::{Compression, Options};
pub use stats::{Histogram, Stats, Summary};
pub use target::{AtomicFolder, NewFile};
pub use writer::Writer;
