//! Records borrowed in place: the only file of this crate with `unsafe` in it.

use core::slice;

use crate::be;
use crate::record::IdxRecord;

/// A record whose memory is laid out as the file is, so that
/// [`Records::as_slice`](crate::Records::as_slice) and [`get_ref`](crate::Records::get_ref) can borrow
/// it.
///
/// These are `u8`, `i8`, the [`be`] types and arrays of them; and, with `#[derive(IdxRecord)]`, structs
/// of such fields that are `Copy` and `#[repr(transparent)]` (one field) or `#[repr(C)]` (any number).
/// Their alignment is 1 and they have no padding: a struct with `align(..)` remains a record, but a
/// program that borrows it does not compile.
///
/// Native `i16`, `i32`, `f32` and `f64` have another byte order than the file on most machines, and an
/// alignment that the file does not keep: for them write `be::I16` and so on.
///
/// # Safety
///
/// Do not implement it; the derive does. Any bytes are a valid value of the type, its memory is that
/// of its fields, all of which are `ZeroCopy`, and padding, and [`IdxRecord::SIZE`] is the sum of the
/// fields' `SIZE`. For a type without fields, `SIZE` is the size of its memory.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not laid out in memory as in the file, so it cannot be borrowed from it",
    note = "a struct needs `#[derive(Clone, Copy, IdxRecord)]` and `#[repr(transparent)]` (one field) or `#[repr(C)]` (several); an enum cannot be borrowed",
    note = "for native `i16`, `i32`, `f32`, `f64` write `be::I16`, `be::I32`, `be::F32`, `be::F64`, or decode with `get` and `iter`"
)]
pub unsafe trait ZeroCopy: IdxRecord + Copy {}

/// The records that `bytes` consist of; bytes after the last whole one are ignored.
///
/// Every reference to a record in a file's bytes is made here.
pub(crate) const fn cast<T: ZeroCopy>(bytes: &[u8]) -> &[T] {
    const {
        assert!(
            T::SIZE > 0,
            "records without elements cannot be borrowed; use `len`"
        );
        assert!(
            size_of::<T>() == T::SIZE && align_of::<T>() == 1,
            "a record with padding or an alignment cannot be borrowed; remove `align(..)`, or decode with `get` and `iter`"
        );
    }
    // SAFETY: The pointer is that of `bytes`, for the same lifetime, and as many records are taken as
    // there are bytes for; the quotient of the sizes is rounded down. It is aligned, as the alignment
    // of `T` is 1. Any bytes are a `T`: by the contract of `ZeroCopy` only padding could say otherwise,
    // and there is none. The memory of a field is never less than its `SIZE`, so that the memory of a
    // record is as large as its `SIZE` only if the same holds for each of its fields, and nothing lies
    // between them. `T` is `Copy` and made of integers and floats, so it has no interior mutability.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) }
}

/// The record in `bytes`; `None` for another number of bytes, or if a value is not allowed.
#[must_use]
pub fn ref_from_bytes<T: ZeroCopy>(bytes: &[u8]) -> Option<&T> {
    match cast(bytes) {
        [record] if bytes.len() == T::SIZE && T::CONSTRAINT.allows(T::ELEMENT, bytes) => {
            Some(record)
        }
        _ => None,
    }
}

macro_rules! elements {
    ($($element:ty),+) => {$(
        // SAFETY: a number, or a transparent wrapper of its bytes; `SIZE` is its size.
        unsafe impl ZeroCopy for $element {}
    )+};
}

elements!(u8, i8, be::I16, be::I32, be::F32, be::F64);

// SAFETY: the memory of an array is that of its elements, and so is its `SIZE`.
unsafe impl<T: ZeroCopy, const N: usize> ZeroCopy for [T; N] {}

#[cfg(feature = "bytemuck-v1")]
macro_rules! plain_old_data {
    ($($element:ty),+) => {$(
        // SAFETY: a transparent wrapper of an array of bytes, all of which may be zero.
        unsafe impl bytemuck::Zeroable for $element {}
        // SAFETY: a transparent wrapper of an array of bytes, which may have any value.
        unsafe impl bytemuck::Pod for $element {}
    )+};
}

#[cfg(feature = "bytemuck-v1")]
plain_old_data!(be::I16, be::I32, be::F32, be::F64);
