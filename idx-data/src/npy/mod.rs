//! Arrays of NumPy in npy files, record by record.

mod header;
mod source;
mod sink;

#[cfg(test)]
pub(crate) use header::tests::file;
#[cfg(feature = "npz")]
pub(crate) use header::printable;
pub(crate) use header::MAGIC;
pub(crate) use sink::NpySink;
pub(crate) use source::NpySource;
