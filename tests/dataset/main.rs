//! `idx-data`: images with their labels, and well-known data sets.

#[cfg(feature = "fetch")]
mod fetch;
#[cfg(feature = "fetch")]
mod fetch_limits;
mod identify;
mod labeled;
mod labeled_files;
mod mnist;
mod orders;
mod own_digits;
mod strange_folders;
