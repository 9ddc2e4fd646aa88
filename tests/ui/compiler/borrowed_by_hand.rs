//! Nobody else makes a type one that can be borrowed without the word `unsafe`, the hidden macro of the
//! derive included.

#![forbid(unsafe_code)]

use idx_core::{IdxRecord, ZeroCopy};

#[derive(IdxRecord, Clone, Copy)]
#[repr(u8)]
enum Animal {
    Cat = 3,
    Dog = 5,
}

impl ZeroCopy for Animal {}

#[derive(IdxRecord, Clone, Copy)]
#[repr(u8)]
enum Plant {
    Tree,
}

idx_core::__private::if_zero_copy! {
    unsafe impl ZeroCopy for Plant {}
}

fn main() {}
