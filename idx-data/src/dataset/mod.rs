//! Well-known data sets of labeled images, and the files of any data set in a folder.
//!
//! | to | use |
//! | --- | --- |
//! | train with MNIST, Fashion-MNIST, KMNIST, EMNIST or QMNIST | [`Mnist`] |
//! | download one of them | `fetch` (feature `fetch`), [`DataSet::remote_files`] |
//! | identify a well-known file | [`identify`] |
//! | find the files of a data set in a folder, and check them | [`DataSetFiles`], [`CheckedFile`] |

mod alone;
mod checked;
mod files;
pub mod mnist;
#[cfg(feature = "fetch")]
mod fetch;

pub use crate::known::data_set::{DataSet, RemoteFile};
pub use crate::known::file::{KnownFile, identify};
pub use checked::{CheckedFile, is_named_like_labels, label_paths};
#[cfg(feature = "fetch")]
pub use fetch::{FetchEvent, FetchOptions, fetch};
pub use files::DataSetFiles;
pub use mnist::Mnist;
