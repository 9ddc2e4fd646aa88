//! Writes records to files that appear whole.

mod in_place;
mod gzip;
mod sink;
mod file;
mod writer;
mod records;
mod save;
mod append;
mod log;
mod repair;
#[cfg(feature = "ndarray-v0.17")]
mod ndarray;

pub use file::{FileLayout, RecordFile};
#[cfg(feature = "ndarray-v0.17")]
pub use ndarray::write_ndarray;
pub use records::RecordWriter;
pub use repair::{Repair, repair};
pub use save::save;
pub use writer::{WriteOptions, Writer};
