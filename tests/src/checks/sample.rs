//! The record types that the checks use, each with a second description.

use idx_core::{ElementType, IdxRecord, Records, be};

/// A description of a record type for the checks, so that only calls of the libraries are generic.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    pub(super) element_type: ElementType,
    pub(super) shape: &'static [u32],
    /// True if an integer is allowed as the element of this position in a record.
    pub(super) allows: fn(usize, i64) -> bool,
}

/// A record type with a second description of its content.
pub(super) trait Sample: IdxRecord {
    /// The record type as a value.
    const KIND: Kind =
        Kind { element_type: Self::ELEMENT, shape: Self::SHAPE, allows: Self::allows };

    /// Appends the big-endian bytes of the record's elements, from their values.
    fn append_elements(&self, bytes: &mut Vec<u8>);

    /// The big-endian bytes of the record's elements, from their values.
    fn elements(&self) -> Vec<u8> {
        let mut bytes = vec![];
        self.append_elements(&mut bytes);
        bytes
    }

    /// Returns whether an integer is allowed as the element of this position in a record.
    fn allows(_position: usize, _value: i64) -> bool {
        true
    }

    /// The records where they are, if this type can be borrowed.
    fn borrowed<'a>(_records: &Records<'a, Self>) -> Option<&'a [Self]> {
        None
    }
}

/// Calls `check::<T, N>(arguments)` for each sample, where `N` is the size of the record.
macro_rules! for_each_sample {
    ($check:ident $arguments:tt) => {
        for_each_sample! { $check $arguments
            u8, i8, i16, i32, f32, f64, idx_core::be::I16, idx_core::be::F64,
            [[u8; 3]; 2], [[u8; 0]; 3], [[[[[[[[i8; 2]; 1]; 1]; 3]; 1]; 1]; 1]; 1],
            $crate::checks::sample::Label, [$crate::checks::sample::Label; 2],
            $crate::checks::sample::Switch, $crate::checks::sample::Point,
            $crate::checks::sample::Tile, $crate::checks::sample::Borrowed
        }
    };
    ($check:ident $arguments:tt $($sample:ty),+) => {
        $($check::<$sample, { <$sample as idx_core::IdxRecord>::SIZE }> $arguments;)+
    };
}

macro_rules! scalars {
    ($($scalar:ident $(as $borrowed:ident)?),+) => {$(
        impl Sample for $scalar {
            fn append_elements(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_be_bytes());
            }
            $(
                fn $borrowed<'a>(records: &Records<'a, Self>) -> Option<&'a [Self]> {
                    Some(records.as_slice())
                }
            )?
        }
    )+};
}

scalars!(u8 as borrowed, i8 as borrowed, i16, i32, f32, f64);

macro_rules! big_endian {
    ($($name:ident),+) => {$(
        impl Sample for be::$name {
            fn append_elements(&self, bytes: &mut Vec<u8>) {
                self.get().append_elements(bytes);
            }

            fn borrowed<'a>(records: &Records<'a, Self>) -> Option<&'a [Self]> {
                Some(records.as_slice())
            }
        }
    )+};
}

big_endian!(I16, I32, F64);

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn append_elements(&self, bytes: &mut Vec<u8>) {
        for element in self {
            element.append_elements(bytes);
        }
    }

    fn allows(position: usize, value: i64) -> bool {
        T::allows(position % (T::SIZE / T::ELEMENT.size()), value)
    }
}

/// A range.
#[derive(IdxRecord)]
pub(super) struct Label(#[idx(range = 0..=9)] u8);

impl Sample for Label {
    fn append_elements(&self, bytes: &mut Vec<u8>) {
        bytes.push(self.0);
    }

    fn allows(_position: usize, value: i64) -> bool {
        (0..=9).contains(&value)
    }
}

/// A label of four bytes, with gaps between its values.
#[derive(IdxRecord, Clone, Copy)]
#[repr(i32)]
pub(super) enum Switch {
    Off = 0,
    On = 258,
    Broken = -1,
}

impl Sample for Switch {
    fn append_elements(&self, bytes: &mut Vec<u8>) {
        (*self as i32).append_elements(bytes);
    }

    fn allows(_position: usize, value: i64) -> bool {
        matches!(value, 0 | 258 | -1)
    }
}

/// Several fields, one of them with a range.
#[derive(IdxRecord)]
pub(super) struct Point {
    x: i16,
    yz: [i16; 2],
    #[idx(range = -3..=3)]
    t: i16,
}

impl Sample for Point {
    fn append_elements(&self, bytes: &mut Vec<u8>) {
        [self.x, self.yz[0], self.yz[1], self.t].append_elements(bytes);
    }

    fn allows(position: usize, value: i64) -> bool {
        position != 3 || (-3..=3).contains(&value)
    }
}

/// One field that is borrowed.
#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
pub(super) struct Tile([[u8; 2]; 3]);

impl Sample for Tile {
    fn append_elements(&self, bytes: &mut Vec<u8>) {
        self.0.append_elements(bytes);
    }

    fn borrowed<'a>(records: &Records<'a, Self>) -> Option<&'a [Self]> {
        Some(records.as_slice())
    }
}

/// Several fields that are borrowed.
#[derive(IdxRecord, Clone, Copy)]
#[repr(C)]
pub(super) struct Borrowed {
    time: be::I32,
    xy: [be::I32; 2],
}

impl Sample for Borrowed {
    fn append_elements(&self, bytes: &mut Vec<u8>) {
        [self.time, self.xy[0], self.xy[1]].append_elements(bytes);
    }

    fn borrowed<'a>(records: &Records<'a, Self>) -> Option<&'a [Self]> {
        Some(records.as_slice())
    }
}
