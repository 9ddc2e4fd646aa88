//! `idx-core`: files in memory, in pieces and in external flash. Miri runs these tests.

// Miri and an emulator would take hours.
#[cfg(all(not(miri), target_endian = "little"))]
mod exhaustive;
mod errors;
mod log;
mod stream_and_storage;
mod views;
