//! The known data sets: their names, hashes and mirrors, and the check that images and labels are of the same one.

pub(crate) mod data_set;
pub(crate) mod table;
pub(crate) mod file;
pub(crate) mod pair;
