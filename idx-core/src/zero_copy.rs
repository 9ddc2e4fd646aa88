use crate::IdxRecord;
use crate::be;

/// A record whose memory is laid out as the file is, so that
/// [`Records::as_slice`](crate::Records::as_slice) can borrow it.
///
/// These are `u8`, `i8`, the [`be`] types, and arrays of them; and with `#[derive(IdxRecord)]`
/// structs of such fields that are `Copy` and
/// - `#[repr(transparent)]` with one field, const generics included, or
/// - `#[repr(C)]` with any number of fields, without generics and without padding.
///
/// At most 4 dimensions. Native `i16`, `i32`, `f32` and `f64` have another byte order than the file
/// on most machines and an alignment that the file does not keep: for them write `be::I16` and so on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not lie in memory as in the file, so it cannot be borrowed from it",
    note = "a struct needs `#[derive(Clone, Copy, IdxRecord)]` and `#[repr(transparent)]` (one field) or `#[repr(C)]` (several, no parameters); an enum cannot be borrowed",
    note = "for native `i16`, `i32`, `f32`, `f64` write `be::I16`, `be::I32`, `be::F32`, `be::F64`, or decode with `get` and `iter`"
)]
pub trait ZeroCopy: IdxRecord + bytemuck::Pod {
    /// Arrays of bytes with as many bytes as the record: one element innermost, then up to four
    /// dimensions. Constants of a trait cannot be array lengths on stable Rust; these can be matched.
    #[doc(hidden)]
    type Bytes;
}

macro_rules! elements {
    ($($element:ty, $size:literal;)+) => {$(
        impl ZeroCopy for $element {
            type Bytes = [[[[[u8; $size]; 1]; 1]; 1]; 1];
        }
    )+};
}

elements! {
    u8, 1;
    i8, 1;
    be::I16, 2;
    be::I32, 4;
    be::F32, 4;
    be::F64, 8;
}

impl<T, const A: usize, const B: usize, const C: usize, const D: usize, const N: usize> ZeroCopy
    for [T; N]
where
    T: ZeroCopy<Bytes = [[[[[u8; A]; 1]; B]; C]; D]>,
{
    type Bytes = [[[[[u8; A]; B]; C]; D]; N];
}

/// Whether a `#[repr(C)]` record is as large as its fields together.
#[derive(Debug)]
pub struct Solid<const YES: bool>;

/// Implemented for [`Solid<true>`](Solid).
#[diagnostic::on_unimplemented(
    message = "a record with padding cannot be borrowed from the file",
    note = "remove `align(..)`, or decode with `get` and `iter`"
)]
pub trait NoPadding {}

impl NoPadding for Solid<true> {}
