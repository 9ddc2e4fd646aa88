//! Fuzzes gzip data as it comes.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::gzip(bytes));
