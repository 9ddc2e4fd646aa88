//! Writes records to files that appear whole.

mod file;
mod writer;
mod records;
mod save;
mod append;
mod log;
mod repair;

pub use file::{FileLayout, RecordFile};
pub use records::RecordWriter;
pub use repair::{Repair, repair};
pub use save::save;
pub use writer::{WriteOptions, Writer};
