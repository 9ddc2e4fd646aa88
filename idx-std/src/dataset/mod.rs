//! Data sets of images with labels: the well-known ones, their files in a folder, and tools to train with
//! any of them.
//!
//! | to | use |
//! | --- | --- |
//! | identify a well-known file | [`identify`] |
//! | find the files of a data set in a folder, and check them | [`DataSetFiles`], [`find_labels`] |
//! | download MNIST, Fashion-MNIST, KMNIST, EMNIST or QMNIST | `fetch` (feature `fetch`), [`DataSet::mirrors`] |
//! | train with MNIST, Fashion-MNIST, KMNIST, EMNIST or QMNIST | [`Mnist`] |
//! | split, shuffle and batch any images with labels | [`Labeled`], or [`LabeledReader`] beyond memory |

mod mirrors;
mod table;
mod error;
mod file_name;
mod known;
mod labeled;
mod files;
pub mod mnist;
#[cfg(feature = "fetch")]
mod partial;
#[cfg(feature = "fetch")]
mod archive;
#[cfg(feature = "fetch")]
mod fetch;

pub use error::{Error, ErrorKind};
#[cfg(feature = "fetch")]
pub use fetch::{FetchEvent, FetchOptions, fetch};
pub use file_name::FileName;
pub use files::{CheckedFile, DataSetFiles, Progress, expect_count, find_labels};
pub use known::{KnownFile, identify, identify_reader};
pub use labeled::{Labeled, LabeledReader, Normalize, PreparedBatches, SplitSize};
#[cfg(feature = "fetch")]
pub use mirrors::MirrorFailure;
pub use mirrors::{Mirrors, RemoteFile};
pub use mnist::{Mnist, MnistOptions};
pub use table::{DataSet, FileKind, Split};
