//! Fuzzes typed records in memory.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::records(bytes));
