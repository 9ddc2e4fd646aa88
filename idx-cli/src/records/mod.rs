//! Records as the commands read them.

pub(crate) mod input;
pub(crate) mod selection;
