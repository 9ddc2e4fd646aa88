//! The errors of files, as values that carry the numbers.

mod kind;
mod located;
mod npy;

pub use kind::ErrorKind;
pub(crate) use kind::{MAX_MULTIPLE, count};
pub use located::{Error, ErrorOf};
pub use npy::NpyError;
