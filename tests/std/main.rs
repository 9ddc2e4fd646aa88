//! `idx-std`: reading and writing of files, good and bad, on disks that work and disks that fail.

mod append;
mod appearing;
mod errors;
mod faults_reading;
mod faults_writing;
mod formats;
mod header;
mod image_layout;
mod large;
mod limits;
mod logger;
mod ndarray;
mod new_file;
mod npy;
mod number;
mod properties;
mod random_access;
mod reading;
mod real_data;
mod regressions;
mod select;
mod stats;
mod typed;
mod unfinished;
mod writing;
