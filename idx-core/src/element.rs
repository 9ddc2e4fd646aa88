//! The trait `Element`: records of a single number or label.

use crate::record::IdxRecord;

/// A record of a single element, of shape `()`: a number or a label.
///
/// Implemented for the six scalars, the [`be`](crate::be) types, and types with `#[derive(IdxRecord)]`: label enums,
/// and structs around one of these. Only this crate and the derive implement it.
///
/// ```
/// use idx_core::{Element, Idx, IdxRecord};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Label(#[idx(range = 0..=9)] u8);
///
/// fn first<E: Element>(idx: &Idx<'_>) -> Option<E> {
///     idx.elements::<E>().ok()?.get(0)
/// }
///
/// let idx = Idx::parse(&[0, 0, 8, 2, 0, 0, 0, 1, 0, 0, 0, 2, 7, 1])?;
/// assert_eq!(first(&idx), Some(Label(7)));
/// # Ok::<(), idx_core::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one element of an IDX file",
    label = "neither a number nor a label",
    note = "an element is `u8`, `i8`, `i16`, `i32`, `f32`, `f64`, or a type with `#[derive(IdxRecord)]` around one of them; for records of several elements use `records::<T>()` of a file or a reader"
)]
pub trait Element: IdxRecord + Send + Sync {}

impl Element for u8 {}
impl Element for i8 {}
impl Element for i16 {}
impl Element for i32 {}
impl Element for f32 {}
impl Element for f64 {}
