//! Records with labels: MNIST and the data sets like it, csv, npy, Parquet and folders of pictures, to train with and
//! to convert.
//!
//! This crate re-exports all of `idx-std`, so a training program needs only this dependency.
//!
//! ```no_run
//! use idx_data::{Error, Labeled, Normalize};
//!
//! fn main() -> Result<(), Error> {
//!     // Images and labels, plain or gzip. All four files of MNIST: `dataset::Mnist::open("mnist")`.
//!     let digits = Labeled::<[[u8; 28]; 28], u8>::open(
//!         "mnist/train-images-idx3-ubyte.gz",
//!         "mnist/train-labels-idx1-ubyte.gz",
//!     )?;
//!     for (image, label) in digits.iter().take(3) {
//!         println!("a {label}, whose row 14 is {:?}", image[14]);
//!     }
//!
//!     let [training, validation] = digits.shuffled(1).stratified().split([0.9, 0.1])?;
//!     for batch in training.batches(64) {
//!         let pixels: Vec<f32> = batch.pixels(Normalize::UNIT)?; // from 0 to 1, 784 for each image
//!         let targets: Vec<f32> = batch.one_hot(0..=9)?; // 10 for each image
//!     }
//!     println!("{} images for validation", validation.len());
//!     Ok(())
//! }
//! ```
//!
//! | I want to | use |
//! | --- | --- |
//! | read images with their labels into memory, shuffle, split and batch them | [`Labeled`] |
//! | open MNIST, Fashion-MNIST, KMNIST, EMNIST or QMNIST | [`dataset::Mnist`] |
//! | read any other format into memory | [`open`], then [`Source::collect`] |
//! | make a set of records in memory | [`IdxBuf::from_records`], then [`Labeled::new`] |
//! | stream records with their labels, in constant memory | [`open`], then [`Source::next_batch`] |
//! | convert between formats | [`open`], then [`Source::write`]; several files at once: [`Outputs`] |
//! | convert a set of training and test data | [`open_set`], then [`Set::write`] |
//! | choose, reshape or change records on the way | the methods of [`Source`]: by options or by functions |
//! | read from bytes, and write to any writer | [`OpenOptions::open_bytes`], [`Source::write_to`] |
//! | compute mean, deviation and histogram | [`stats`] |
//! | find the rows, columns and channels of a picture in a record | [`ImageLayout`] |
//! | identify, check or download a known data set | [`dataset`] |
//! | read a format of my own | [`RecordSource`], [`Source::new`] |
//!
//! # Other formats
//!
//! [`open`] detects the format of a file or folder by its content. The name of an output chooses its format. A folder
//! of pictures becomes two IDX files:
//!
//! ```no_run
//! use idx_data::{Color, OpenOptions, PictureOptions};
//!
//! let pictures = PictureOptions::new().color(Color::Gray).size([28, 28]);
//! let photos = OpenOptions::new().pictures(pictures).open("photos/")?;
//! photos.write("own-images-idx3-ubyte")?;
//! # Ok::<(), idx_data::Error>(())
//! ```
//!
//! A record holds its elements in big-endian order, as in IDX, and may have an integer label.
//!
//! | format | feature | labels |
//! | --- | --- | --- |
//! | IDX, plain or gzip | | in a file next to it, found by its name: `X-labels-idx1-ubyte` for `X-images-idx3-ubyte` |
//! | npy, NumPy's arrays | | in a file next to it, found by its name |
//! | npz, an archive of such arrays; `mnist.npz:x_train` is one of them | `npz` | the array `y`, or `y_train` for `x_train` |
//! | csv, one record per line | `csv` | the column named `label`, `class`, `target` or `y` in the first line, or given by [`label_column`](OpenOptions::label_column) |
//! | folders of pictures | `pictures` | a folder for each class, or a file `labels.csv` |
//! | Parquet, a file or a folder of them | `parquet` | a column with one of these names |
//! | pictures in Parquet, as Hugging Face publishes them | `parquet`, `pictures` | a column with one of these names |
//!
//! [`Source::with_labels`] takes labels from a file of any other name. Without its feature, reading or writing a format
//! fails with [`ErrorKind::Disabled`].
//!
//! # Features
//!
//! - `npz` (default), `csv`, `pictures`, `tiff`, `parquet`: the formats above; `tiff` reads pictures in TIFF.
//! - `fetch`: `dataset::fetch` downloads the known data sets and verifies their hashes.
//! - `derive`, `zero-copy` (default): those of `idx-std`. For other features of `idx-std`, add it as a dependency, too.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(all(feature = "csv", feature = "npz", feature = "parquet", feature = "pictures")),
    allow(dead_code, reason = "some shared code is used by a single format")
)]

mod gather;
mod answer;
mod error;
pub mod stats;
mod names;
mod known;
mod reading;
#[macro_use]
mod record;
mod formats;
mod chain;
mod doors;
mod source_code;
mod labeled;
pub mod dataset;

pub use answer::{Answer, Column, ReadingOption};
pub use chain::{Chance, Class, ClassSelection, RecordSelection, Relabeling, Source, shuffle};
pub use doors::create::rank_in_name;
pub use doors::open::{open, open_pair};
pub use doors::open_set::open_set;
pub use doors::outputs::Outputs;
pub use doors::set::Set;
pub use doors::sink::{Sink, Written};
pub use error::{Error, ErrorKind, Hint, Position};
pub use labeled::{Labeled, Normalize, SplitSize};
pub use names::class_names::ClassNames;
pub use names::format::Format;
pub use reading::{Evidence, InputReading, Reading, Statement, Subject};
pub use record::axes::Axes;
pub use record::image_layout::ImageLayout;
pub use record::options::{ColumnLayout, CreateOptions, OpenOptions, TransformOptions};
pub use record::picture_options::{Color, Fit, PictureOptions};
pub use record::value::DType;
pub use record::{Facts, Record, RecordLayout, RecordSource, Skipped};
pub use source_code::{RustSource, rust_source};

// All of `idx_std` by glob, and the derive by name, which wins over the glob.
/// Implements the trait `IdxRecord` for a struct, or for an enum of labels: a value is then a record of an IDX file.
///
/// ```no_run
/// use idx_data::{IdxRecord, Labeled};
///
/// #[derive(IdxRecord)]
/// struct Image([[u8; 28]; 28]);
///
/// /// A file with any other label is an error.
/// #[derive(IdxRecord, Debug)]
/// struct Letter(#[idx(range = 1..=26)] u8);
///
/// let letters = Labeled::<Image, Letter>::open(
///     "emnist/emnist-letters-train-images-idx3-ubyte.gz",
///     "emnist/emnist-letters-train-labels-idx1-ubyte.gz",
/// )?;
/// println!("{} letters, the first is {:?}", letters.len(), letters.get(0).map(|(_, label)| label));
/// # Ok::<(), idx_data::Error>(())
/// ```
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecordData as IdxRecord;
pub use idx_std::*;
