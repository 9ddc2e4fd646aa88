//! Parquet, which cluster engines read: a column `record`, and optionally a column `label`.

mod schema;
mod arrays;
mod read;
mod write;

pub(super) use read::ParquetSource;
pub(super) use write::{ParquetSink, is_own};
