//! Elements as they are in the file: big-endian, with alignment 1.
//!
//! A record made of them can be borrowed from the file's bytes at any address, which matters for
//! tables in flash. `u8` and `i8` need no such type.
//!
//! ```
//! use idx_core::{Records, be};
//!
//! // i16, 2 records of 3: borrowed, at an odd address as well.
//! static STEPS: Records<[be::I16; 3]> = Records::from_static(&[
//!     0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 3, // header
//!     0, 1, 0, 2, 0, 3, 0xFF, 0xFF, 0xFF, 0xFE, 0xFF, 0xFD,
//! ]);
//! # #[cfg(feature = "zero-copy")]
//! assert_eq!(STEPS.as_slice()[1].map(be::I16::get), [-1, -2, -3]);
//! ```
//!
//! To calculate, convert them with [`get`](I16::get) or `i16::from`: `as` works only on native numbers.

use core::{cmp, fmt, hash};

use crate::constraint::Constraint;
use crate::element::Element;
use crate::element_type::ElementType;
use crate::record::IdxRecord;

macro_rules! big_endian {
    ($($(#[$doc:meta])* $name:ident($scalar:ident);)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name([u8; size_of::<$scalar>()]);

        impl $name {
            /// Creates an element with this value.
            #[must_use]
            pub const fn new(value: $scalar) -> Self {
                Self(value.to_be_bytes())
            }

            /// Returns the value in the byte order of this machine.
            #[must_use]
            pub const fn get(self) -> $scalar {
                $scalar::from_be_bytes(self.0)
            }
        }

        impl From<$scalar> for $name {
            fn from(value: $scalar) -> Self {
                Self::new(value)
            }
        }

        impl From<$name> for $scalar {
            fn from(element: $name) -> Self {
                element.get()
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.get() == other.get()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.get(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.get(), f)
            }
        }

        #[cfg(feature = "defmt")]
        impl defmt::Format for $name {
            fn format(&self, f: defmt::Formatter<'_>) {
                self.get().format(f);
            }
        }

        impl Element for $name {}

        impl IdxRecord for $name {
            const ELEMENT: ElementType = <$scalar>::ELEMENT;
            const SHAPE: &'static [u32] = &[];
            const SIZE: usize = <$scalar>::SIZE;
            const CONSTRAINT: Constraint = Constraint::Any;
            const FILL: Self = Self::new(<$scalar>::FILL);
            type Buffer = <$scalar as IdxRecord>::Buffer;

            fn decode(bytes: &[u8]) -> Option<Self> {
                Some(Self(bytes.try_into().ok()?))
            }

            fn encode(&self, bytes: &mut [u8]) -> Option<()> {
                let bytes: &mut [u8; Self::SIZE] = bytes.try_into().ok()?;
                *bytes = self.0;
                Some(())
            }
        }
    )+};
}

big_endian! {
    /// A 16-bit integer, two bytes in the file.
    I16(i16);
    /// A 32-bit integer, four bytes in the file.
    I32(i32);
    /// An IEEE 754 single, four bytes in the file; compares like `f32`, so NaN is not equal to itself.
    F32(f32);
    /// An IEEE 754 double, eight bytes in the file; compares like `f64`, so NaN is not equal to itself.
    F64(f64);
}

macro_rules! integers {
    ($($name:ident)+) => {$(
        impl Eq for $name {}

        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl Ord for $name {
            fn cmp(&self, other: &Self) -> cmp::Ordering {
                self.get().cmp(&other.get())
            }
        }

        impl hash::Hash for $name {
            fn hash<H: hash::Hasher>(&self, state: &mut H) {
                self.get().hash(state);
            }
        }
    )+};
}

macro_rules! floats {
    ($($name:ident)+) => {$(
        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &Self) -> Option<cmp::Ordering> {
                self.get().partial_cmp(&other.get())
            }
        }
    )+};
}

integers!(I16 I32);
floats!(F32 F64);
