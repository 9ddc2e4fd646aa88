//! The errors of files, as values that carry the numbers.

mod kind;
mod codes;
mod located;

pub use kind::ErrorKind;
pub(crate) use kind::MAX_MULTIPLE;
pub use located::Error;
