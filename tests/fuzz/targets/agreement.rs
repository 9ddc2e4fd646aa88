//! Fuzzes all readers of IDX against each other.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::agreement(bytes));
