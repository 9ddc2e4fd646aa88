//! Fuzzes arrays that are written and read again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::round_trip(bytes));
