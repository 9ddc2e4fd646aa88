//! The terminal: messages, reports of files, the progress bar, standard input and output.

pub(crate) mod text;
pub(crate) mod reading;
pub(crate) mod failure;
pub(crate) mod console;
pub(crate) mod progress;
pub(crate) mod signals;
pub(crate) mod report;
