//! Fuzzes gzip files that are inflated in one call.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::one_call(bytes));
