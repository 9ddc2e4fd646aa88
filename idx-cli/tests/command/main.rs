//! The command as a process.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at a broken assumption"
)]

mod advice;
mod basics;
mod check;
mod choice;
mod common;
mod conventions;
mod convert;
mod formats;
mod limits;
mod looking;
mod losses;
mod messages;
mod npz;
mod options;
mod orders;
mod outputs;
mod failure;
mod fetch;
mod first_steps;
mod help;
mod labels;
#[cfg(feature = "parquet")]
mod parquet;
mod picture;
mod pictures;
mod readme;
mod rust;
mod rust_names;
mod sheet;
mod stats;
#[cfg(unix)]
mod terminal;
