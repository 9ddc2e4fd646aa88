//! Reads files as bytes, numbers and records: whole, or one record after the other.

mod array;
mod load;
mod buffer;
mod matrix;
mod options;
mod records_buf;
mod stream;
mod reader;
mod beside;
mod records;

pub use array::Array;
pub use buffer::IdxBuf;
pub use options::{ReadOptions, load, open};
pub use reader::Reader;
pub use records::RecordReader;
pub use records_buf::RecordsBuf;
pub use stream::RecordStream;
