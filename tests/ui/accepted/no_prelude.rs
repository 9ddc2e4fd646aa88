//! The derive relies on nothing that is in scope.

#![no_implicit_prelude]
#![deny(warnings)]
#![allow(dead_code)]

#[derive(::idx_core::IdxRecord)]
struct Digit([[u8; 28]; 28]);

#[derive(::idx_core::IdxRecord, ::std::clone::Clone, ::std::marker::Copy)]
#[repr(C)]
struct Columns {
    a: u8,
    #[idx(range = 0..=9)]
    b: [u8; 2],
}

#[derive(::idx_core::IdxRecord)]
#[repr(i32)]
enum Label {
    No = -5,
    Yes = 7,
}
