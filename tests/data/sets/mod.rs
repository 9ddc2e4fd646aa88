//! Data sets: opened, made of sources, and written.

pub(crate) mod opened;
mod made;
mod written;
