//! Fuzzes files in a row in one blob.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::prefix(bytes));
