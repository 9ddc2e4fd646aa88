//! The errors of this crate, as values with their numbers.

mod hint;
mod kind;
mod codes;
mod position;
mod located;

pub use hint::Hint;
pub use kind::ErrorKind;
pub(crate) use kind::file_name;
pub(crate) use located::At;
pub use located::Error;
pub use position::Position;
