//! `idx-core` and its derive: files in memory, in pieces and in external flash. Miri runs these tests.

// Starts the compiler, which Miri cannot.
#[cfg(not(miri))]
mod derive;
mod stream_and_storage;
mod views;
