//! Fuzzes files in external flash.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::storage(bytes));
