//! Fuzzes tables with the labels of pictures.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| idx_tests::checks::labels_csv(bytes));
