//! The errors of files, as values that carry the numbers.

mod kind;
mod description;
mod located;
mod npy;

pub use description::{Description, Detail};
pub use kind::ErrorKind;
pub(crate) use kind::MAX_MULTIPLE;
pub use located::{Error, ErrorOf};
pub use npy::NpyError;
