//! The errors of files, as values that carry the numbers.

mod refused;
mod kind;
mod located;

pub use kind::ErrorKind;
pub(crate) use kind::MAX_MULTIPLE;
pub use located::Error;
pub use refused::Refused;
