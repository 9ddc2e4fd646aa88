//! Fuzzes pictures of all formats.

#![no_main]

#[path = "../panics.rs"]
mod panics;

libfuzzer_sys::fuzz_target!(
    init: panics::allow_those_of_libraries(),
    |bytes: &[u8]| idx_tests::checks::pictures(bytes)
);
