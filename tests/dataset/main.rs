//! `idx-std`: images with their labels, and the data sets that everyone knows.

#[cfg(feature = "fetch")]
mod fetch;
mod file_name;
mod identify;
mod labeled;
mod mnist;
mod strange_folders;
