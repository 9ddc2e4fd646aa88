//! Writes records to files that appear whole.

mod writer;
mod slice;
mod records;
mod save;

pub use records::RecordWriter;
pub use save::save;
pub(crate) use writer::{FileLayout, RecordFile};
pub use writer::{WriteOptions, Writer};
