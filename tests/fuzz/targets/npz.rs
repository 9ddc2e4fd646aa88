//! Fuzzes archives of arrays.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::npz(bytes));
