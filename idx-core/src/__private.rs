pub use core;

#[cfg(feature = "zero-copy")]
pub use bytemuck;

pub use crate::record::{Buffer, NoBuffer, size};
pub use crate::rule::Rule;
#[cfg(feature = "zero-copy")]
pub use crate::zero_copy::{NoPadding, Solid, ZeroCopy};
pub use crate::{__zero_copy as zero_copy, ElementType, IdxRecord};
use crate::{Error, Header};

/// Refuses, when the compiler runs it, a field whose elements are not of the first field's type.
#[track_caller]
pub const fn assert_same_element(first: ElementType, field: ElementType) {
    assert!(
        first.code() == field.code(),
        "all fields of a record have the same element type; give this one the type of the first"
    );
}

/// Why a file with this header does not hold records of type `T`, if it does not.
#[must_use]
pub const fn mismatch<T: IdxRecord>(header: &Header<'_>) -> Option<Error> {
    Error::mismatch::<T>(header)
}

/// Marks a record as [`ZeroCopy`], if its fields and its memory allow it; the derive calls it.
///
/// The bounds with `for<'idx>` are tried only where the record is borrowed, so that a record that
/// does not qualify is still a record.
#[cfg(feature = "zero-copy")]
#[doc(hidden)]
#[macro_export]
macro_rules! __zero_copy {
    (transparent [$($generics:tt)*] [$record:ty] [$($bounds:tt)*] [$field:ty]) => {
        $crate::__zero_copy! {
            impl [$($generics)*] [$record] [
                $($bounds)*
                $record: 'static,
                for<'idx> $record: $crate::__private::core::marker::Copy,
                for<'idx> $field: $crate::__private::ZeroCopy,
            ]
            [<$field as $crate::__private::ZeroCopy>::Bytes]
        }
    };
    (fields [$record:ty] [$($field:ty),+]) => {
        $crate::__zero_copy! {
            impl [] [$record] [
                for<'idx> $record: $crate::__private::core::marker::Copy,
                $(for<'idx> $field: $crate::__private::ZeroCopy,)+
                for<'idx> $crate::__private::Solid<{
                    $crate::__private::core::mem::size_of::<$record>()
                        == 0 $(+ $crate::__private::core::mem::size_of::<$field>())+
                }>: $crate::__private::NoPadding,
            ]
            [[[[[[$crate::__private::core::primitive::u8;
                <$record as $crate::__private::IdxRecord>::SIZE]; 1]; 1]; 1]; 1]]
        }
    };
    (impl [$($generics:tt)*] [$record:ty] [$($bounds:tt)*] [$bytes:ty]) => {
        // SAFETY: every field is `Pod` by its bound. The memory of a `repr(transparent)` struct is
        // that of its field; of a `repr(C)` struct it is that of its fields in turn, without padding
        // by the bound on `Solid`.
        unsafe impl $($generics)* $crate::__private::bytemuck::Zeroable for $record
        where $($bounds)* {}
        // SAFETY: as above; every value of every byte is valid, and the record is `Copy`.
        unsafe impl $($generics)* $crate::__private::bytemuck::Pod for $record
        where $($bounds)* {}
        impl $($generics)* $crate::__private::ZeroCopy for $record
        where $($bounds)* {
            type Bytes = $bytes;
        }
    };
}

/// Without the feature `zero-copy` no record is marked.
#[cfg(not(feature = "zero-copy"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __zero_copy {
    ($($tokens:tt)*) => {};
}
