//! Arrays of NumPy in npy files, record by record.

mod error;
mod value;
mod header;
mod reader;
mod writer;
mod source;

pub use error::NpyError as Error;
pub use header::Header;
pub(crate) use header::MAGIC;
pub use reader::Reader;
pub(crate) use source::NpySource;
pub use value::{DType, OutOfRange, Value};
pub use writer::Writer;
