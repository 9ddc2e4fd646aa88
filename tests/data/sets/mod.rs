//! Data sets: opened, made from sources, and written.

pub(crate) mod opened;
mod made;
mod written;
