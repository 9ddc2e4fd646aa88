//! Fuzzes good gzip data that is damaged.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::gzip_damage(bytes));
