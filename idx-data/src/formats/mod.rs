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
    /// Appends `count` records, each of the size of the layout. Records with labels come one at a time.
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error>;

    /// Completes the file or folder, which appears under its name when it is committed. Returns `None` for a stream,
    /// which gets all its content here.
    fn stage(self: Box<Self>) -> Result<Option<Staged>, Error>;
}
