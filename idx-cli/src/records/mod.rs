//! The inputs of the commands, and the selection of records.

pub(crate) mod input;
pub(crate) mod selection;
