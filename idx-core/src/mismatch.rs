//! Why a file does not hold the records of a type, if it does not.

use crate::element_type::ElementType;
use crate::error::Error;
use crate::header::Header;
use crate::record::IdxRecord;

/// Compares the element type of a record with that of a file.
#[inline(always)]
pub(crate) const fn of_element(expected: ElementType, found: ElementType) -> Option<Error> {
    if expected.code() == found.code() {
        None
    } else {
        Some(Error::ElementMismatch { expected, found })
    }
}

/// Compares the rank of a record with that of a file.
#[inline(always)]
pub(crate) const fn of_rank(record_rank: usize, rank: u8) -> Option<Error> {
    // A file of rank 0 is one record of one element, as far as the type can tell.
    if (rank as usize).saturating_sub(1) == record_rank {
        None
    } else {
        Some(Error::RankMismatch {
            expected: record_rank + 1,
            found: rank as usize,
        })
    }
}

/// Compares records of type `T` with the header of a file.
#[inline(always)]
pub(crate) const fn of_header<T: IdxRecord>(header: &Header<'_>) -> Option<Error> {
    if let Some(error) = of_element(T::ELEMENT, header.element_type()) {
        return Some(error);
    }
    if let Some(error) = of_rank(T::SHAPE.len(), header.rank()) {
        return Some(error);
    }
    let record_dims = header.record_dims();
    let mut shape = T::SHAPE;
    while let [expected, rest @ ..] = shape {
        let dimension = T::SHAPE.len() - shape.len();
        if let Some(found) = record_dims.get(dimension)
            && found != *expected
        {
            return Some(Error::ShapeMismatch {
                dimension: dimension + 1,
                expected: *expected,
                found,
            });
        }
        shape = rest;
    }
    None
}

/// Looks in the bytes of a single record for a value that its type does not allow.
#[cfg(any(
    feature = "heapless-v0.9",
    feature = "embedded-storage-v0.3",
    feature = "embedded-storage-async-v0.4"
))]
pub(crate) fn of_value<T: IdxRecord>(record: u32, bytes: &[u8]) -> Option<Error> {
    let (_, value) = T::CONSTRAINT.first_violation(T::ELEMENT, bytes)?;
    Some(Error::ValueNotAllowed {
        record: u64::from(record),
        value,
    })
}

/// Decodes the bytes of a single record.
#[cfg(any(
    feature = "heapless-v0.9",
    feature = "embedded-storage-v0.3",
    feature = "embedded-storage-async-v0.4"
))]
pub(crate) fn decode<T: IdxRecord>(record: u32, bytes: &[u8]) -> Result<T, Error> {
    T::decode(bytes).ok_or_else(|| {
        of_value::<T>(record, bytes).unwrap_or_else(|| {
            debug_assert!(
                false,
                "decoding fails only where the constraint is violated"
            );
            Error::ValueNotAllowed {
                record: u64::from(record),
                value: 0,
            }
        })
    })
}
