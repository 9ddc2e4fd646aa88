//! Finds out why a file does not hold records of some type.

use crate::constraint::Constraint;
use crate::error::{At, Error};
use crate::expected::expected;
use crate::header::Header;
use crate::record::IdxRecord;

/// Compares the element type of records of type `T` with that of a file.
#[inline(always)]
pub(crate) const fn of_element<T: IdxRecord>(header: &Header<'_>) -> Option<Error> {
    if T::ELEMENT.code() == header.element_type().code() {
        None
    } else {
        Some(of_start::<T>(header))
    }
}

/// Compares records of type `T` with the header of a whole file.
#[inline(always)]
pub(crate) const fn of_header<T: IdxRecord>(header: &Header<'_>) -> Option<Error> {
    // A file of rank 0 is one record of one element; a record type cannot tell it from rank 1.
    if T::ELEMENT.code() != header.element_type().code()
        || (header.rank() as usize).saturating_sub(1) != T::SHAPE.len()
    {
        return Some(of_start::<T>(header));
    }
    match of_sizes::<T>(header.record_dims().sizes()) {
        Some((at, size)) => Some(Error::comparison(expected::<T>(), at, size, u64::MAX)),
        None => None,
    }
}

/// Compares the shape of `T` with the sizes of a record of the same rank; returns the first size that differs, and its
/// position.
#[inline(always)]
pub(crate) const fn of_sizes<T: IdxRecord>(sizes: &[[u8; 4]]) -> Option<(At, u32)> {
    let (mut sizes, mut shape) = (sizes, T::SHAPE);
    while let [expected, next_shape @ ..] = shape {
        let [size, next_sizes @ ..] = sizes else {
            debug_assert!(false, "the ranks were compared before");
            return None;
        };
        let size = u32::from_be_bytes(*size);
        if size != *expected {
            return Some((At::size(T::SHAPE.len() - shape.len()), size));
        }
        (sizes, shape) = (next_sizes, next_shape);
    }
    None
}

/// Returns the error for a mismatch in the first word of a header.
#[inline(always)]
const fn of_start<T: IdxRecord>(header: &Header<'_>) -> Error {
    let word = u32::from_be_bytes([0, 0, header.element_type().code(), header.rank()]);
    Error::comparison(expected::<T>(), At::START, word, u64::MAX)
}

/// Looks for a value that the type does not allow in the bytes of a single record.
pub(crate) fn of_value<T: IdxRecord>(record: u32, bytes: &[u8]) -> Option<Error> {
    // Link-time optimization would remove the rest, too, but not everyone uses it.
    if matches!(T::CONSTRAINT, Constraint::Any) {
        return None;
    }
    let (_, value) = T::CONSTRAINT.first_violation(T::ELEMENT, bytes)?;
    Some(Error::value_not_allowed(u64::from(record), value))
}

/// Returns the error for a record that could not be decoded or encoded.
pub(crate) fn refused<T: IdxRecord>(record: u32, bytes: &[u8]) -> Error {
    of_value::<T>(record, bytes).unwrap_or_else(|| {
        debug_assert!(false, "that fails only where the constraint is violated");
        Error::value_not_allowed(u64::from(record), 0)
    })
}
