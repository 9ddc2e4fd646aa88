//! Stands for someone else's attribute macro that changes a record.
//!
//! A derive sees the attributes that follow it as they were written, and the compiler compiles what they
//! make of the struct: the two can differ.

#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Makes a transparent struct one with an alignment of 4.
#[proc_macro_attribute]
pub fn aligned(_: TokenStream, item: TokenStream) -> TokenStream {
    item.to_string().replace("transparent", "C, align(4)").parse().unwrap_or_default()
}
