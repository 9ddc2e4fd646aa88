//! Fuzzes Parquet files, written and damaged.

#![no_main]

#[path = "../panics.rs"]
mod panics;

libfuzzer_sys::fuzz_target!(
    init: panics::allow_those_of_libraries(),
    |bytes: &[u8]| idx_tests::checks::parquet(bytes)
);
