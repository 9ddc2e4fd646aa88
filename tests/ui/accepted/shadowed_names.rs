//! Names that the derive could stumble over mean something else here.

#![deny(warnings)]
#![allow(dead_code, non_camel_case_types, non_upper_case_globals, unused_macros)]

mod core {}
mod std {}
mod bytemuck {}
mod idx_core {}
mod __private {}

struct Option;
struct Some;
struct None;
struct Result;
struct Constraint;
struct ElementType;
struct Self_;
struct u16;
struct usize;
struct u32;
trait IdxRecord {}
trait Copy {}
const fn size() {}
const bytes: () = ();
static value: () = ();
macro_rules! assert {
    () => {};
}
macro_rules! panic {
    () => {};
}

#[derive(::idx_core::IdxRecord)]
struct Digit([[u8; 28]; 28]);

#[derive(::idx_core::IdxRecord, Clone, ::std::marker::Copy)]
#[repr(C)]
struct Columns {
    rest: i8,
    bytes: i8,
    field: i8,
    #[idx(range = 0..=9)]
    value_0: [i8; 2],
}

#[derive(::idx_core::IdxRecord, Clone, ::std::marker::Copy)]
#[repr(transparent)]
struct Generic<const rest: ::std::primitive::usize>([::idx_core::be::F32; rest]);

#[derive(::idx_core::IdxRecord)]
#[repr(i16)]
enum Label {
    None = -5,
    Some = 7,
    Option,
}
