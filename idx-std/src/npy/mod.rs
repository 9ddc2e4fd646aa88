//! Arrays of NumPy in npy files, record by record.

mod value;
mod header;
mod reader;
mod writer;

pub use crate::error::NpyError as Error;
pub use header::Header;
pub(crate) use header::MAGIC;
pub use reader::Reader;
pub use value::{DType, OutOfRange, Value};
pub use writer::Writer;
