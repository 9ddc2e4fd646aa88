//! Arrays of NumPy in npy files, record by record.

mod header;
mod source;
mod sink;

pub(crate) use header::MAGIC;
#[cfg(feature = "npz")]
pub(crate) use header::printable;
#[cfg(test)]
pub(crate) use header::tests::file;
pub(crate) use sink::NpySink;
pub(crate) use source::NpySource;
