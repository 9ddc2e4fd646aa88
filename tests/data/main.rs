//! `idx-data`: records with their labels, from and to any format; sets; known data sets; pairs in memory.

// Only tests for Unix use some items.
#![cfg_attr(not(unix), allow(unused))]

#[path = "../cases.rs"]
mod cases;
mod common;

// Formats, one at a time.
mod formats;
mod csv;
mod npy;
mod image_layout;
mod limits;

mod source;

// Sets and files.
mod sets;
mod outputs;
mod older;
mod refused;
mod told_apart;
mod options;
mod errors;
mod first_guesses;
mod forms;

// Results that are computed from records.
mod stats;
mod labeled;

// Known data sets.
mod identify;
mod mnist;
mod own_digits;
mod paper;
mod strange_folders;
#[cfg(feature = "fetch")]
mod fetch;
#[cfg(feature = "fetch")]
mod fetch_limits;
