//! Turns the description of a record into its implementation.
//!
//! The generated code does not depend on the names in scope at the derive: every name, even `u8` and `Option`, goes
//! through the hidden module `__private` of `idx-core`. Nor does it depend on the inherent constants and functions of
//! the user's type, which `Self::SIZE` would prefer to those of the trait: it says `<Self as _idx::IdxRecord>::SIZE`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Expr, Ident, Lit, Path, Type};

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

/// Generates a stub for a refused type, so that its uses add no errors.
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
                // A refused field may be unsized; the bound is checked where the type is used.
                for<'idx> Self: _idx::core::marker::Sized,
                // The lifetime may be the reason for the refusal.
                Self: 'static,
            {
                const ELEMENT: _idx::ElementType = _idx::ElementType::U8;
                const SHAPE: &'static [_idx::core::primitive::u32] = &[];
                const SIZE: _idx::core::primitive::usize = 0;
                const CONSTRAINT: _idx::Constraint = _idx::Constraint::Any;
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
    // Without parameters, the field types are concrete and need no bounds.
    let generic = !record.generics.params.is_empty();
    let bounds = fields.iter().filter(|_| generic).map(|field| {
        let ty = field.ty;
        quote_spanned!(here(ty)=> #ty: _idx::IdxRecord,)
    });
    let constants = constants(fields);
    let buffer = buffer(record, fields);
    let functions = functions(fields);
    // The compiler evaluates a constant only where it is used; a generic type has no values for these yet.
    let evaluate = (!generic).then(|| {
        quote! {
            const _: _idx::ElementType = <#name as _idx::IdxRecord>::ELEMENT;
            const _: _idx::Constraint = <#name as _idx::IdxRecord>::CONSTRAINT;
        }
    });
    let types: Vec<&Type> = fields.iter().map(|field| field.ty).collect();
    let element = (types.len() == 1).then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics _idx::Element for #name #ty_generics
            where
                #predicates
                // With a lifetime, an unmet bound is no error here: the record then has several elements.
                #(for<'idx> #types: _idx::Element,)*
            {}
        }
    });
    let in_memory = ["ZeroCopy", "Native"].map(|marker| {
        let marker = format_ident!("{marker}");
        (*layout != Layout::Rust).then(|| {
            quote! {
                // SAFETY: Each field implements the trait, and there are no other fields, as the functions above
                // construct the struct from these. `SIZE` is the sum of theirs. Padding is checked where it matters.
                unsafe impl #impl_generics _idx::#marker for #name #ty_generics
                where
                    #predicates
                    // With a lifetime, a bound is checked only where it is needed, so a struct that does not meet it is
                    // still a record.
                    for<'idx> Self: _idx::core::marker::Copy,
                    #(for<'idx> #types: _idx::#marker,)*
                {}
            }
        })
    });
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
        #element
        _idx::if_zero_copy! { #(#in_memory)* }
    }
}

fn constants(fields: &[Field<'_>]) -> TokenStream {
    let types: Vec<&Type> = fields.iter().map(|field| field.ty).collect();
    let members = fields.iter().map(|field| &field.member);
    let constraints = fields.iter().map(constraint);
    let (shape, constraint) = if let [ty] = types.as_slice() {
        let constraint = quote!(#(#constraints)*);
        (quote!(<#ty as _idx::IdxRecord>::SHAPE), constraint)
    } else {
        let constraint = quote!(_idx::Constraint::fields(
            &[#((<#types as _idx::IdxRecord>::SIZE, #constraints)),*]
        ));
        let elements =
            quote!(<Self as _idx::IdxRecord>::SIZE / <Self as _idx::IdxRecord>::ELEMENT.size());
        (quote!(&[_idx::size(#elements)]), constraint)
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
        const CONSTRAINT: _idx::Constraint = #constraint;
        const FILL: Self = Self {
            #(#members: <#types as _idx::IdxRecord>::FILL,)*
        };
    }
}

/// Generates the type of the buffer for the bytes of a record.
fn buffer(record: &Record<'_>, fields: &[Field<'_>]) -> TokenStream {
    let buffer = if let [field] = fields {
        let ty = field.ty;
        quote!(<#ty as _idx::IdxRecord>::Buffer)
    } else if record.generics.params.is_empty() {
        let name = record.name;
        quote!([_idx::core::primitive::u8; <#name as _idx::IdxRecord>::SIZE])
    } else {
        quote!(_idx::NoBuffer<Self>) // a sum of generic sizes cannot be the length of an array
    };
    quote!(type Buffer = #buffer;)
}

fn constraint(field: &Field<'_>) -> TokenStream {
    let ty = field.ty;
    match &field.range {
        None => quote!(<#ty as _idx::IdxRecord>::CONSTRAINT),
        Some((first, last)) => {
            let bounds = [first, last].map(bound);
            quote_spanned! {here(first)=>
            _idx::Constraint::range(
                <#ty as _idx::IdxRecord>::CONSTRAINT,
                <#ty as _idx::IdxRecord>::ELEMENT,
                #(#bounds),*
            )
            }
        }
    }
}

/// Generates a bound of a range. Only the compiler knows its type, and whether that is an integer.
fn bound(bound: &Expr) -> TokenStream {
    if is_literal(bound) {
        // As an `i128` literal, so that one beyond the element type is refused with that message.
        quote_spanned!(here(bound)=> (#bound) as _idx::core::primitive::i128)
    } else {
        quote_spanned!(here(bound)=> _idx::integer(#bound) as _idx::core::primitive::i128)
    }
}

fn is_literal(bound: &Expr) -> bool {
    match bound {
        Expr::Group(group) => is_literal(&group.expr),
        Expr::Paren(group) => is_literal(&group.expr),
        Expr::Unary(negative) => is_literal(&negative.expr),
        Expr::Lit(literal) => matches!(literal.lit, Lit::Int(_)),
        _ => false,
    }
}

fn functions(fields: &[Field<'_>]) -> TokenStream {
    let types: Vec<&Type> = fields.iter().map(|field| field.ty).collect();
    let members: Vec<_> = fields.iter().map(|field| &field.member).collect();
    let values: Vec<_> = (0..fields.len()).map(|index| local(&format!("value_{index}"))).collect();
    let [bytes, rest, field] = ["bytes", "rest", "field"].map(local);
    // Decoding and encoding the fields already checks the constraints of their own types.
    let check = fields.iter().any(|field| field.range.is_some()).then(|| {
        quote! {
            if !<Self as _idx::IdxRecord>::CONSTRAINT
                .allows(<Self as _idx::IdxRecord>::ELEMENT, #bytes)
            {
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
        // Inlined, or the record is copied at each step when optimizing for size.
        #[inline(always)]
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
        impl _idx::Element for #name {}

        _idx::if_zero_copy! {
            // SAFETY: The `repr` makes it one number of this type, and the constraint allows only its discriminants.
            unsafe impl _idx::Native for #name where for<'idx> Self: _idx::core::marker::Copy {}
        }

        #[automatically_derived]
        impl _idx::IdxRecord for #name {
            const ELEMENT: _idx::ElementType = _idx::ElementType::#element_type;
            const SHAPE: &'static [_idx::core::primitive::u32] = &[];
            const SIZE: _idx::core::primitive::usize = <#integer as _idx::IdxRecord>::SIZE;
            const CONSTRAINT: _idx::Constraint = _idx::Constraint::one_of(
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

/// Returns the span of the user's code, but with names resolved here.
fn here(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// Returns the name of a local variable. Hygiene separates it from the user's variables; the prefix separates it from
/// constants, which no pattern can shadow.
fn local(name: &str) -> Ident {
    Ident::new(&format!("__idx_{name}"), Span::mixed_site())
}
