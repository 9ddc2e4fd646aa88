//! The formats of files and folders, read and written.

pub(crate) mod bytes;
pub(crate) mod idx;
pub(crate) mod npy;
pub(crate) mod npz;
pub(crate) mod raw;
#[cfg(any(feature = "csv", feature = "parquet"))]
pub(crate) mod threads;
#[cfg(feature = "csv")]
pub(crate) mod csv;
#[cfg(feature = "pictures")]
pub(crate) mod pictures;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;

use crate::error::Error;
use crate::record::Record;
use idx_std::__private::Staged;

/// A destination of records of one format. [`Sink`](crate::Sink) adds the path to an error.
pub(crate) trait RecordSink: Send {
    /// Appends `count` records of the size of the layout, which follow each other; one with a label comes alone.
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error>;

    /// Completes the file or folder, which appears under its name when it is committed. A stream gets all of it here,
    /// which leaves `None`.
    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error>;
}
