//! The errors of this crate, as values that carry the numbers.

mod kind;
mod codes;
mod position;
mod located;

pub(crate) use kind::file_name;
pub use kind::{ErrorKind, Hint};
pub(crate) use located::At;
pub use located::Error;
pub use position::Position;
