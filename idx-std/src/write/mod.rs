//! Writes records to files that appear whole.

mod file;
mod writer;
mod records;
mod append;
mod repair;

pub(crate) use file::{FileLayout, RecordFile};
pub use records::RecordWriter;
pub use repair::{Repair, repair};
pub use writer::{WriteOptions, Writer};
