//! Records as pictures and as tables of numbers.

pub(crate) mod picture;
pub(crate) mod table;
