//! `idx-std`: reading and writing of files, good and bad, on disks that work and disks that fail.

// Only tests for Unix use some items.
#![cfg_attr(not(unix), allow(unused))]

#[cfg(feature = "data")]
#[path = "../cases.rs"]
mod cases;
mod append;
mod appearing;
mod errors;
mod faults_reading;
mod faults_writing;
mod header;
mod large;
mod limits;
mod logger;
mod ndarray;
mod new_file;
mod parallel;
#[cfg(feature = "data")]
mod properties;
mod random_access;
mod reading;
mod real_data;
#[cfg(feature = "data")]
mod regressions;
mod select;
mod together;
mod typed;
mod unfinished;
mod repaired;
mod writing;
