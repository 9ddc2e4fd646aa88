//! Records as pictures, in the terminal and on a sheet, and as tables of numbers.

pub(crate) mod drawing;
pub(crate) mod picture;
pub(crate) mod sheet;
pub(crate) mod table;
