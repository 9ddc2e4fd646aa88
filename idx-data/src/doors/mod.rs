//! Opens files and sets, and writes outputs that appear together.

mod detect;
pub(crate) mod open;
pub(crate) mod set;
pub(crate) mod open_set;
#[cfg(feature = "npz")]
mod npz_stream;
mod folder;
#[cfg(feature = "pictures")]
mod picture_tables;
#[cfg(feature = "pictures")]
mod pictures;
pub(crate) mod create;
mod place;
pub(crate) mod beside;
pub(crate) mod older;
pub(crate) mod sink;
mod new_folders;
pub(crate) mod outputs;
mod write;
