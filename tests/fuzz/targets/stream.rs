//! Fuzzes records that arrive in pieces.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::stream(bytes));
