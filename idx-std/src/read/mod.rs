//! Reads files as bytes, numbers and records: whole, or one record after the other.

mod buffer;
mod load;
mod matrix;
mod reader;
mod elements;
mod records;
mod records_buf;

pub use buffer::{IdxBuf, ReadOptions, open};
pub use load::{Array, load, load_into};
pub use matrix::Matrix;
pub use reader::Reader;
pub(crate) use reader::RecordStream;
pub use records::RecordReader;
pub use records_buf::RecordsBuf;
