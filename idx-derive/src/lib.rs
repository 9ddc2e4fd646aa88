//! The derive macro behind `idx_core::IdxRecord`, `idx_std::IdxRecord` and `idx_data::IdxRecord`.
//!
//! Use it through one of those crates: the code it generates refers to hidden parts of them, so the versions must
//! match. Their pages on `IdxRecord` have examples.

#![forbid(unsafe_code)]

mod input;
mod expand;

use proc_macro::TokenStream;
use syn::{DeriveInput, Path, parse_macro_input, parse_quote};

// The libraries introduce it with an example; this text follows on their pages.
#[doc = include_str!("manual.md")]
#[proc_macro_derive(IdxRecord, attributes(idx))]
pub fn idx_record(tokens: TokenStream) -> TokenStream {
    derive(tokens, parse_quote!(::idx_core))
}

// `idx-std` re-exports this one under the name `IdxRecord`.
#[doc = include_str!("manual.md")]
#[proc_macro_derive(IdxRecordStd, attributes(idx))]
pub fn idx_record_std(tokens: TokenStream) -> TokenStream {
    derive(tokens, parse_quote!(::idx_std))
}

// `idx-data` re-exports this one under the name `IdxRecord`.
#[doc = include_str!("manual.md")]
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
