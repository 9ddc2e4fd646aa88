//! Parquet: a column `record` and optionally a column `label`, as this library writes them; or lists, pictures, or a
//! column for each number, as other programs write them.

mod arrays;
mod file;
mod schema;
mod labels;
mod read;
#[cfg(feature = "pictures")]
mod pictures;
mod write;

pub(crate) use read::open;
pub(crate) use write::ParquetSink;
