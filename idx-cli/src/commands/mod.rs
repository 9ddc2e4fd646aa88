//! The commands: each is a function from arguments to output.

pub(crate) mod info;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod check;
pub(crate) mod repair;
pub(crate) mod rust;
pub(crate) mod fetch;
#[cfg(feature = "man")]
pub(crate) mod man;
