//! Reads files as bytes, numbers and records: whole, or one record after the other.

mod buffer;
mod load;
mod matrix;
mod options;
mod reader;
mod elements;
mod records;
mod stream;
mod records_buf;

pub use buffer::IdxBuf;
pub use load::{Array, load, load_into};
pub use matrix::Matrix;
pub use options::{ReadOptions, open};
pub use reader::Reader;
pub use records::RecordReader;
pub use records_buf::RecordsBuf;
pub(crate) use stream::RecordStream;
