//! From the description of a record to its implementation.
//!
//! Nothing here relies on what is in scope where the derive stands: every name goes through the
//! hidden module `__private` of `idx-core`, also `u8` and `Option`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Ident, Path, Type};

use crate::input::{Field, Kind, Layout, Record};

pub(crate) fn record(record: &Record<'_>) -> TokenStream {
    let path = &record.path;
    let implementation = match &record.kind {
        Kind::Struct { fields, layout } => structure(record, fields, layout),
        Kind::Label { integer, variants } => label(record.name, integer, variants),
    };
    quote! {
        #[doc(hidden)]
        const _: () = {
            use #path::__private as _idx;
            #implementation
        };
    }
}

/// An implementation that stands in for a refused one, so that the uses of the type add no errors.
pub(crate) fn stub(input: &DeriveInput, path: &Path) -> TokenStream {
    let name = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let predicates = where_clause.map(|clause| clause.predicates.iter());
    let predicates = predicates.into_iter().flatten();
    quote! {
        #[doc(hidden)]
        const _: () = {
            use #path::__private as _idx;
            #[automatically_derived]
            impl #impl_generics _idx::IdxRecord for #name #ty_generics
            where
                #(#predicates,)*
                // A refused field may have no size; the bound is tried where the type is used.
                for<'idx> Self: _idx::core::marker::Sized,
                // It may have been refused for a lifetime.
                Self: 'static,
            {
                const ELEMENT: _idx::ElementType = _idx::ElementType::U8;
                const SHAPE: &'static [_idx::core::primitive::u32] = &[];
                const SIZE: _idx::core::primitive::usize = 0;
                const RULE: _idx::Rule = _idx::Rule::Any;
                const FILL: Self = _idx::core::panic!("the derive refused this type");
                type Buffer = _idx::NoBuffer<Self>;
                fn decode(
                    _: &[_idx::core::primitive::u8],
                ) -> _idx::core::option::Option<Self> {
                    _idx::core::option::Option::None
                }
                fn encode(
                    &self,
                    _: &mut [_idx::core::primitive::u8],
                ) -> _idx::core::option::Option<()> {
                    _idx::core::option::Option::None
                }
            }
        };
    }
}

fn structure(record: &Record<'_>, fields: &[Field<'_>], layout: &Layout) -> TokenStream {
    let name = record.name;
    let (impl_generics, ty_generics, where_clause) = record.generics.split_for_impl();
    let predicates = where_clause.map(|clause| {
        let predicates = clause.predicates.iter();
        quote!(#(#predicates,)*)
    });
    // Without parameters the compiler sees for itself what the fields are.
    let generic = !record.generics.params.is_empty();
    let bounds = fields.iter().filter(|_| generic).map(|field| {
        let ty = field.ty;
        quote_spanned!(here(ty)=> #ty: _idx::IdxRecord,)
    });
    let constants = constants(fields);
    let buffer = buffer(record, fields);
    let functions = functions(fields);
    // The compiler evaluates a constant where it is used; that of a generic type has no use yet.
    let evaluate = (!generic).then(|| {
        quote! {
            const _: _idx::ElementType = <#name as _idx::IdxRecord>::ELEMENT;
            const _: _idx::Rule = <#name as _idx::IdxRecord>::RULE;
        }
    });
    let types: Vec<&Type> = fields.iter().map(|field| field.ty).collect();
    let zero_copy = match layout {
        // Of several fields with this layout all but one have no memory, and no record is like that.
        Layout::Transparent => types.first().map(|ty| {
            quote! {
                _idx::zero_copy! {
                    transparent [#impl_generics] [#name #ty_generics] [#predicates] [#ty]
                }
            }
        }),
        Layout::C if !generic => Some(quote!(_idx::zero_copy! { fields [#name] [#(#types),*] })),
        Layout::C | Layout::Rust => None,
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics _idx::IdxRecord for #name #ty_generics
        where
            #predicates
            #(#bounds)*
        {
            #constants
            #buffer
            #functions
        }
        #evaluate
        #zero_copy
    }
}

fn constants(fields: &[Field<'_>]) -> TokenStream {
    let types: Vec<&Type> = fields.iter().map(|field| field.ty).collect();
    let members = fields.iter().map(|field| &field.member);
    let rules = fields.iter().map(rule);
    let (shape, rule) = if let [ty] = types.as_slice() {
        let rule = quote!(#(#rules)*);
        (quote!(<#ty as _idx::IdxRecord>::SHAPE), rule)
    } else {
        let rule = quote!(_idx::Rule::fields(
            &[#((<#types as _idx::IdxRecord>::SIZE, #rules)),*]
        ));
        (
            quote!(&[_idx::size(Self::SIZE / Self::ELEMENT.size())]),
            rule,
        )
    };
    let same_element = types.iter().skip(1).map(|ty| {
        let first = types.first();
        quote_spanned! {here(ty)=>
            _idx::assert_same_element(
                <#first as _idx::IdxRecord>::ELEMENT,
                <#ty as _idx::IdxRecord>::ELEMENT,
            );
        }
    });
    let first = types.first();
    quote! {
        const ELEMENT: _idx::ElementType = {
            #(#same_element)*
            <#first as _idx::IdxRecord>::ELEMENT
        };
        const SHAPE: &'static [_idx::core::primitive::u32] = #shape;
        const SIZE: _idx::core::primitive::usize = 0 #(+ <#types as _idx::IdxRecord>::SIZE)*;
        const RULE: _idx::Rule = #rule;
        const FILL: Self = Self {
            #(#members: <#types as _idx::IdxRecord>::FILL,)*
        };
    }
}

/// The type of the memory for the bytes of a record.
fn buffer(record: &Record<'_>, fields: &[Field<'_>]) -> TokenStream {
    let buffer = if let [field] = fields {
        let ty = field.ty;
        quote!(<#ty as _idx::IdxRecord>::Buffer)
    } else if record.generics.params.is_empty() {
        let name = record.name;
        quote!([_idx::core::primitive::u8; <#name as _idx::IdxRecord>::SIZE])
    } else {
        quote!(_idx::NoBuffer<Self>) // a sum of generic sizes is no length of an array
    };
    quote!(type Buffer = #buffer;)
}

fn rule(field: &Field<'_>) -> TokenStream {
    let ty = field.ty;
    match &field.range {
        None => quote!(<#ty as _idx::IdxRecord>::RULE),
        Some((first, last)) => quote_spanned! {here(first)=>
            _idx::Rule::range(
                <#ty as _idx::IdxRecord>::RULE,
                <#ty as _idx::IdxRecord>::ELEMENT,
                (#first) as _idx::core::primitive::i64,
                (#last) as _idx::core::primitive::i64,
            )
        },
    }
}

fn functions(fields: &[Field<'_>]) -> TokenStream {
    let types: Vec<&Type> = fields.iter().map(|field| field.ty).collect();
    let members: Vec<_> = fields.iter().map(|field| &field.member).collect();
    let values: Vec<_> = (0..fields.len())
        .map(|index| local(&format!("value_{index}")))
        .collect();
    let [bytes, rest, field] = ["bytes", "rest", "field"].map(local);
    // The rules of the fields' own types are checked where the fields are decoded and encoded.
    let check = fields.iter().any(|field| field.range.is_some()).then(|| {
        quote! {
            if !Self::RULE.allows(Self::ELEMENT, #bytes) {
                return _idx::core::option::Option::None;
            }
        }
    });
    let check_length = quote! {
        if !#rest.is_empty() {
            return _idx::core::option::Option::None;
        }
    };
    quote! {
        fn decode(
            #bytes: &[_idx::core::primitive::u8],
        ) -> _idx::core::option::Option<Self> {
            #check
            let #rest = #bytes;
            #(
                let (#field, #rest) = #rest.split_at_checked(<#types as _idx::IdxRecord>::SIZE)?;
                let #values = <#types as _idx::IdxRecord>::decode(#field)?;
            )*
            #check_length
            _idx::core::option::Option::Some(Self { #(#members: #values,)* })
        }

        fn encode(
            &self,
            #bytes: &mut [_idx::core::primitive::u8],
        ) -> _idx::core::option::Option<()> {
            let #rest = &mut *#bytes;
            #(
                let (#field, #rest) = #rest.split_at_mut_checked(<#types as _idx::IdxRecord>::SIZE)?;
                <#types as _idx::IdxRecord>::encode(&self.#members, #field)?;
            )*
            #check_length
            #check
            _idx::core::option::Option::Some(())
        }
    }
}

fn label(name: &Ident, integer: &Ident, variants: &[&Ident]) -> TokenStream {
    let element_type = format_ident!("{}", integer.to_string().to_uppercase());
    let integer = quote!(_idx::core::primitive::#integer);
    let [bytes, value] = ["bytes", "value"].map(local);
    let first = variants.first();
    quote! {
        #[automatically_derived]
        impl _idx::IdxRecord for #name {
            const ELEMENT: _idx::ElementType = _idx::ElementType::#element_type;
            const SHAPE: &'static [_idx::core::primitive::u32] = &[];
            const SIZE: _idx::core::primitive::usize = <#integer as _idx::IdxRecord>::SIZE;
            const RULE: _idx::Rule = _idx::Rule::one_of(
                &[#(Self::#variants as _idx::core::primitive::i64),*]
            );
            const FILL: Self = Self::#first;
            type Buffer = <#integer as _idx::IdxRecord>::Buffer;

            fn decode(
                #bytes: &[_idx::core::primitive::u8],
            ) -> _idx::core::option::Option<Self> {
                let #value = <#integer as _idx::IdxRecord>::decode(#bytes)?;
                #(
                    if #value == Self::#variants as #integer {
                        return _idx::core::option::Option::Some(Self::#variants);
                    }
                )*
                _idx::core::option::Option::None
            }

            fn encode(
                &self,
                #bytes: &mut [_idx::core::primitive::u8],
            ) -> _idx::core::option::Option<()> {
                let #value = match self {
                    #(Self::#variants => Self::#variants as #integer,)*
                };
                <#integer as _idx::IdxRecord>::encode(&#value, #bytes)
            }
        }
    }
}

/// The place of what the user wrote, with names that mean what they mean here.
fn here(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// The name of a local variable. Hygiene keeps the user's variables apart from it; the prefix is for
/// constants, which no pattern can shadow.
fn local(name: &str) -> Ident {
    Ident::new(&format!("__idx_{name}"), Span::mixed_site())
}
