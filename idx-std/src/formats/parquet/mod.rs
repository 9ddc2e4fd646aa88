//! Parquet, which cluster engines read: a column `record`, and optionally a column `label`.

mod schema;
mod arrays;
mod file;
mod columns;
mod read;
#[cfg(feature = "pictures")]
mod pictures;
mod write;

pub(super) use read::open;
pub(super) use write::{ParquetSink, is_own};
