//! Reads files as bytes, numbers and records: whole, or one record after the other.

mod load;
mod matrix;
mod buffer;
mod records_buf;
mod stream;
mod reader;
mod beside;
mod elements;
mod records;

pub use buffer::{IdxBuf, ReadOptions, open};
pub use load::{Array, load, load_into};
pub use matrix::Matrix;
pub use reader::Reader;
pub use records::RecordReader;
pub use records_buf::RecordsBuf;
pub use stream::RecordStream;
