//! Writes records to files that appear whole.

mod writer;
mod records;

pub use records::RecordWriter;
pub(crate) use writer::{FileLayout, RecordFile};
pub use writer::{WriteOptions, Writer};
