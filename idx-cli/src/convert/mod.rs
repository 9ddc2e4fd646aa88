//! The formats that `convert` reads and writes.

pub(crate) mod format;
pub(crate) mod layout;
pub(crate) mod inputs;
pub(crate) mod source;
pub(crate) mod sink;
mod idx;
mod npy;
mod csv;
pub(crate) mod folder;
mod png;
pub(crate) mod parquet;
