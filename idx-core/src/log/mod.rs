//! A log.

mod layout;
mod words;
mod place;
mod records;

pub use records::Log;
