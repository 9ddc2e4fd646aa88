//! Parquet, which the engines of clusters read: a column `record`, and a column `label` beside it.

mod schema;
mod arrays;
mod read;
mod write;

pub(super) use read::ParquetSource;
pub(super) use write::ParquetSink;
