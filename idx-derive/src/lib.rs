//! The derive macro behind `idx_core::IdxRecord`, `idx_std::IdxRecord` and `idx_data::IdxRecord`.
//!
//! Use it through one of those crates: the code it writes names hidden parts of them, so the versions
//! must match. Its manual is the documentation of `idx_core::IdxRecord`.

#![forbid(unsafe_code)]

mod input;
mod expand;

use proc_macro::TokenStream;
use syn::{DeriveInput, Path, parse_macro_input, parse_quote};

/// Makes a struct, or an enum of labels, a record of an IDX file.
///
/// | on | attribute | meaning |
/// | --- | --- | --- |
/// | type | `#[idx(crate = "path")]` | the path of `idx_core`, `idx_std` or `idx_data`, if it has another name |
/// | field | `#[idx(range = 0..=9)]` | the allowed integers; in an array, for each element |
///
/// - A struct with one field has the element type and the shape of the field.
/// - A struct with several fields, all of one element type, has one dimension: its elements in order.
/// - An enum of plain variants with `#[repr(u8)]`, `i8`, `i16` or `i32` is a label: one element,
///   whose allowed values are the discriminants.
#[proc_macro_derive(IdxRecord, attributes(idx))]
pub fn idx_record(tokens: TokenStream) -> TokenStream {
    derive(tokens, parse_quote!(::idx_core))
}

/// The derive as `idx-std` re-exports it under the name `IdxRecord`.
#[doc(hidden)]
#[proc_macro_derive(IdxRecordStd, attributes(idx))]
pub fn idx_record_std(tokens: TokenStream) -> TokenStream {
    derive(tokens, parse_quote!(::idx_std))
}

/// The derive as `idx-data` re-exports it under the name `IdxRecord`.
#[doc(hidden)]
#[proc_macro_derive(IdxRecordData, attributes(idx))]
pub fn idx_record_data(tokens: TokenStream) -> TokenStream {
    derive(tokens, parse_quote!(::idx_data))
}

fn derive(tokens: TokenStream, default_path: Path) -> TokenStream {
    let input = parse_macro_input!(tokens as DeriveInput);
    match input::Record::from_syn(&input, default_path) {
        Ok(record) => expand::record(&record).into(),
        Err(refusal) => {
            let errors = refusal.error.into_compile_error();
            let stub = expand::stub(&input, &refusal.path);
            quote::quote!(#errors #stub).into()
        }
    }
}
