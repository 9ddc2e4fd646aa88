//! Items for the code that the derive generates and for `idx-std`; no other crate may use them.

pub use core;

pub use crate::__if_zero_copy as if_zero_copy;
pub use crate::constraint::{Constraint, integer};
pub use crate::element::Element;
pub use crate::element_type::ElementType;
use crate::error::Error;
use crate::header::Header;
use crate::mismatch::of_header;
pub use crate::record::{Buffer, IdxRecord, NoBuffer, size};
use crate::records::Records;
#[cfg(feature = "zero-copy")]
pub use crate::zero_copy::{Native, ZeroCopy, ref_from_bytes};

/// Fails to compile if a field has a different element type than the first field.
#[track_caller]
pub const fn assert_same_element(first: ElementType, field: ElementType) {
    assert!(
        first.code() == field.code(),
        "all fields of a record have the same element type; give this one the type of the first"
    );
}

/// Returns the first mismatch between the header of a file and records of type `T`, if there is one.
#[must_use]
pub const fn mismatch<T: IdxRecord>(header: &Header<'_>) -> Option<Error> {
    of_header::<T>(header)
}

/// Returns a view of `len` records; the caller has checked the payload's length, element type, shape and values.
#[must_use]
pub const fn records<T: IdxRecord>(payload: &[u8], len: usize) -> Records<'_, T> {
    Records::unchecked(payload, len)
}

/// The format of a log.
pub mod log {
    pub use crate::log_format::*;
}

/// Keeps the code that the derive generates for borrowing: the feature `zero-copy` is on.
#[cfg(feature = "zero-copy")]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_zero_copy {
    ($($tokens:tt)*) => { $($tokens)* };
}

/// Drops the code that the derive generates for borrowing: the feature `zero-copy` is off.
#[cfg(not(feature = "zero-copy"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __if_zero_copy {
    ($($tokens:tt)*) => {};
}
