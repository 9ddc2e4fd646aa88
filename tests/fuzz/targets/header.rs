//! Fuzzes headers of IDX.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::header(bytes));
