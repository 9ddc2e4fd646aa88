//! The command as a process.

// Helpers of tests for Unix are unused on other systems.
#![cfg_attr(not(unix), allow(unused))]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at a broken assumption"
)]

// Helpers of all tests.
mod common;
mod every_command;

// All commands.
mod usage;
mod advice;
mod messages;
mod json;
mod help;
mod readme;
mod options;
mod streams;
mod paths;
mod limits;
mod escapes;
mod colors;
#[cfg(target_os = "linux")]
mod many_files;
#[cfg(unix)]
mod progress;
#[cfg(unix)]
mod terminal;

// A file for each command.
mod sample;
mod info;
mod show;
mod drawing;
mod sheet;
mod stats;
mod check;
mod duplicates;
mod diff;
mod rust;
mod fetch;

// `idx convert`: choosing and changing records, from and to all formats.
mod convert;
mod choosing;
mod orders;
mod changing;
mod labels;
mod sets;
mod csv;
mod npz;
mod pictures;
mod picture_labels;
mod picture_sizes;
#[cfg(feature = "parquet")]
mod parquet;

// Output files.
mod outputs;
mod replacing;
