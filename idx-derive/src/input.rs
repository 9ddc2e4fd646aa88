//! Turns the user's type into a description, and checks it; all errors are found here.

use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Expr, ExprRange, Fields, GenericParam, Generics,
    Ident, LitStr, Member, Path, RangeLimits, Result, Type, parenthesized,
};

/// A type that can be a record.
pub(crate) struct Record<'a> {
    /// `idx_core`, or the crate that re-exports it.
    pub(crate) path: Path,
    pub(crate) name: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) kind: Kind<'a>,
}

pub(crate) enum Kind<'a> {
    Struct {
        /// At least one.
        fields: Vec<Field<'a>>,
        layout: Layout,
    },
    Label {
        /// The integer of the enum's `repr`, such as `u8`.
        integer: Ident,
        /// At least one.
        variants: Vec<&'a Ident>,
    },
}

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    /// The first and the last allowed value.
    pub(crate) range: Option<(Expr, Expr)>,
}

/// The layout of a struct in memory, which decides whether it can be borrowed from a file.
#[derive(PartialEq)]
pub(crate) enum Layout {
    /// `repr(transparent)` or `repr(C)`: the fields in order.
    Declared,
    /// The compiler's choice.
    Rust,
}

/// The reason why a type is refused, and the path where its stub finds the trait.
pub(crate) struct Refusal {
    pub(crate) error: Error,
    pub(crate) path: Path,
}

impl<'a> Record<'a> {
    pub(crate) fn from_syn(
        input: &'a DeriveInput,
        default_path: Path,
    ) -> std::result::Result<Self, Refusal> {
        let path = match crate_path(&input.attrs) {
            Ok(path) => path.unwrap_or(default_path),
            Err(error) => {
                return Err(Refusal { error, path: default_path });
            }
        };
        match Kind::from_syn(input) {
            Ok(kind) => Ok(Self { path, name: &input.ident, generics: &input.generics, kind }),
            Err(error) => Err(Refusal { error, path }),
        }
    }
}

impl<'a> Kind<'a> {
    fn from_syn(input: &'a DeriveInput) -> Result<Self> {
        let mut errors = Errors::default();
        for parameter in &input.generics.params {
            if let GenericParam::Lifetime(lifetime) = parameter {
                errors.add(Error::new_spanned(
                    lifetime,
                    "a record owns its elements; hold an array `[T; N]` instead of a reference",
                ));
            }
        }
        let kind = match &input.data {
            Data::Struct(data) => structure(input, &data.fields, &mut errors),
            Data::Enum(data) => label(input, data, &mut errors),
            Data::Union(union) => {
                errors.add(Error::new(
                    union.union_token.span,
                    "a union cannot be an IDX record; write a struct",
                ));
                None
            }
        };
        errors.finish()?;
        kind.ok_or_else(|| Error::new_spanned(&input.ident, "this cannot be an IDX record"))
    }
}

fn structure<'a>(
    input: &'a DeriveInput,
    fields: &'a Fields,
    errors: &mut Errors,
) -> Option<Kind<'a>> {
    if fields.is_empty() {
        errors.add(Error::new_spanned(
            &input.ident,
            "a record has at least one field; add one, such as `[[u8; 28]; 28]`",
        ));
    }
    let mut first: Option<(Ident, &Type)> = None;
    let mut described = Vec::new();
    for (field, member) in fields.iter().zip(fields.members()) {
        let element = errors.take(element(&field.ty)).flatten();
        if dimensions(&field.ty) > 8 {
            errors.add(Error::new_spanned(
                &field.ty,
                "a record has at most 8 dimensions; join some, such as `[T; 6]` for `[[T; 2]; 3]`",
            ));
        }
        match (&first, element) {
            (Some((first, _)), Some(element)) if *first != element => {
                errors.add(Error::new_spanned(
                    &field.ty,
                    format!(
                        "all fields of a record have the same element type; this one has \
                         `{element}`, the first `{first}`: write `{first}`, or keep two files"
                    ),
                ));
            }
            (None, Some(element)) => first = Some((element, &field.ty)),
            _ => {}
        }
        let range = errors.take(range(&field.attrs)).flatten();
        described.push(Field { member, ty: &field.ty, range });
    }
    for field in &described {
        if let (Some((start, _)), Some(element)) = (&field.range, element(field.ty).ok().flatten())
            && (element == "f32" || element == "f64")
        {
            errors.add(Error::new_spanned(
                start,
                "`range` is for integers; check floating-point values after decoding",
            ));
        }
    }
    let layout = errors.take(layout(&input.attrs))?;
    Some(Kind::Struct { fields: described, layout })
}

fn label<'a>(input: &'a DeriveInput, data: &'a DataEnum, errors: &mut Errors) -> Option<Kind<'a>> {
    if data.variants.is_empty() {
        errors.add(Error::new_spanned(
            &input.ident,
            "a label enum has at least one variant; add one, such as `Zero = 0`",
        ));
    }
    if !input.generics.params.is_empty() {
        errors.add(Error::new_spanned(
            &input.generics,
            "a label enum has no parameters; remove them",
        ));
    }
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            errors.add(Error::new_spanned(
                &variant.fields,
                "a label has no data; write a variant without data, such as `Zero = 0`",
            ));
        }
        errors.take(no_attributes(&variant.attrs, "a variant"));
    }
    let integer = errors.take(label_integer(input))?;
    Some(Kind::Label {
        integer,
        variants: data.variants.iter().map(|variant| &variant.ident).collect(),
    })
}

/// Returns the integer type in the enum's `#[repr(..)]`.
fn label_integer(input: &DeriveInput) -> Result<Ident> {
    for name in repr_names(&input.attrs)? {
        if name == "u8" || name == "i8" || name == "i16" || name == "i32" {
            return Ok(name);
        }
        if name != "C" && name != "align" {
            return Err(Error::new_spanned(
                &name,
                format!("IDX has no `{name}`; write `u8`, `i8`, `i16` or `i32`"),
            ));
        }
    }
    Err(Error::new_spanned(
        &input.ident,
        "a label enum needs its element type: write `#[repr(u8)]` above it, or `i8`, `i16`, `i32`",
    ))
}

fn layout(attributes: &[Attribute]) -> Result<Layout> {
    let names = repr_names(attributes)?;
    let has = |layout| names.iter().find(|name| *name == layout);
    if let Some(packed) = has("packed") {
        return Err(Error::new_spanned(
            packed,
            "the fields of a packed record cannot be borrowed; remove `packed`, fields of `u8`, \
             `i8` and the types of `be` have no padding between them",
        ));
    }
    Ok(if has("transparent").or(has("C")).is_some() { Layout::Declared } else { Layout::Rust })
}

/// Returns the words in `#[repr(..)]`, without the numbers of `align(..)` and `packed(..)`.
fn repr_names(attributes: &[Attribute]) -> Result<Vec<Ident>> {
    let mut names = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("repr") {
            attribute.parse_nested_meta(|meta| {
                if !meta.input.is_empty() && !meta.input.peek(syn::Token![,]) {
                    let number;
                    parenthesized!(number in meta.input);
                    number.parse::<syn::LitInt>()?;
                }
                names.extend(meta.path.get_ident().cloned());
                Ok(())
            })?;
        }
    }
    Ok(names)
}

/// Returns the element type of a field, if its type is written as a primitive or an array of one.
///
/// Any other name may be that of a record, which the compiler checks through the trait.
fn element(ty: &Type) -> Result<Option<Ident>> {
    match ty {
        Type::Array(array) => element(&array.elem),
        Type::Paren(inner) => element(&inner.elem),
        Type::Group(inner) => element(&inner.elem),
        Type::Path(path) => {
            let Some(name) = path.path.get_ident() else {
                return Ok(None);
            };
            let instead = match name.to_string().as_str() {
                "u8" | "i8" | "i16" | "i32" | "f32" | "f64" => return Ok(Some(name.clone())),
                "u16" => "`u8`, `i16` or `i32`",
                "u32" | "i64" | "u64" | "isize" | "usize" | "i128" | "u128" => "`i32` or `f64`",
                "bool" => "`u8` with `#[idx(range = 0..=1)]`, or an enum with `#[repr(u8)]`",
                "char" => "`u8` or `i32`",
                "str" => "`[u8; N]`",
                _ => return Ok(None),
            };
            Err(Error::new_spanned(ty, format!("IDX has no `{name}`; write {instead}")))
        }
        Type::Macro(_) => Ok(None),
        Type::Reference(_) | Type::Ptr(_) => Err(Error::new_spanned(
            ty,
            "a record owns its elements; write an array `[T; N]` instead of a reference",
        )),
        Type::Slice(_) => {
            Err(Error::new_spanned(ty, "a record has a fixed size; write an array `[T; N]`"))
        }
        Type::Tuple(_) => Err(Error::new_spanned(
            ty,
            "a tuple cannot be part of a record; write an array `[T; N]`, or separate fields",
        )),
        _ => Err(Error::new_spanned(
            ty,
            "this cannot be part of a record; write an element type or an array `[T; N]`",
        )),
    }
}

/// Returns the number of dimensions of a field's type, as written.
fn dimensions(ty: &Type) -> usize {
    match ty {
        Type::Array(array) => 1 + dimensions(&array.elem),
        Type::Paren(inner) => dimensions(&inner.elem),
        Type::Group(inner) => dimensions(&inner.elem),
        _ => 0,
    }
}

/// Returns the `#[idx(crate = "..")]` of a type.
fn crate_path(attributes: &[Attribute]) -> Result<Option<Path>> {
    let mut path = None;
    for attribute in attributes.iter().filter(|a| a.path().is_ident("idx")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("crate") {
                return Err(meta
                    .error("on a type, `idx` takes `crate = \"path\"`; write `range` on a field"));
            }
            if path.is_some() {
                return Err(meta.error("a type has one `crate`; remove the others"));
            }
            let name: LitStr = meta.value()?.parse()?;
            path = Some(name.parse_with(Path::parse_mod_style)?);
            Ok(())
        })?;
    }
    Ok(path)
}

/// Returns the `#[idx(range = ..)]` of a field: the first and the last allowed value.
fn range(attributes: &[Attribute]) -> Result<Option<(Expr, Expr)>> {
    let mut range = None;
    for attribute in attributes.iter().filter(|a| a.path().is_ident("idx")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("range") {
                return Err(meta.error(
                    "on a field, `idx` takes `range = FIRST..=LAST`; write `crate` on the type",
                ));
            }
            if range.is_some() {
                return Err(meta.error("a field has one `range`; remove the others"));
            }
            match without_groups(meta.value()?.parse()?) {
                Expr::Range(ExprRange {
                    start: Some(start),
                    limits: RangeLimits::Closed(_),
                    end: Some(end),
                    ..
                }) => {
                    // The compiler would warn of unnecessary parentheses.
                    range = Some((without_groups(*start), without_groups(*end)));
                    Ok(())
                }
                other => Err(Error::new_spanned(
                    &other,
                    "write both bounds and `..=` between them, such as `range = 0..=9`",
                )),
            }
        })?;
    }
    Ok(range)
}

/// Returns the expression inside parentheses, or inside the invisible group around a macro's argument.
fn without_groups(expression: Expr) -> Expr {
    match expression {
        Expr::Group(group) => without_groups(*group.expr),
        Expr::Paren(group) => without_groups(*group.expr),
        other => other,
    }
}

fn no_attributes(attributes: &[Attribute], place: &str) -> Result<()> {
    match attributes.iter().find(|a| a.path().is_ident("idx")) {
        Some(attribute) => Err(Error::new_spanned(
            attribute,
            format!("{place} takes no `idx` attribute; remove it"),
        )),
        None => Ok(()),
    }
}

/// All errors of a type, reported together.
#[derive(Default)]
struct Errors(Option<Error>);

impl Errors {
    fn add(&mut self, error: Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}
