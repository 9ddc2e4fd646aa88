//! The inputs of the commands, the selection of records, and their hashes.

pub(crate) mod input;
pub(crate) mod selection;
pub(crate) mod hash;
