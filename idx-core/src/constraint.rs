//! The rules for values of records: a range, or the discriminants of an enum.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::panic,
    reason = "hidden, and the numbers are small; the panics are compile errors for the derive's user"
)]

use crate::ElementType;

/// The values that a record's elements may have; written by the derive.
///
/// A constraint is data, so that one interpreter serves the compiler (for a file in a `static`), the
/// typed view, decoding and encoding. It describes the bytes of any number of records in a row, which
/// is why the constraint of an array is that of its elements.
#[derive(Clone, Copy, Debug)]
pub enum Constraint {
    /// Every value is allowed.
    Any,
    /// Every element is an integer of `min..=max`.
    Between {
        /// The smallest allowed value.
        min: i64,
        /// The largest allowed value.
        max: i64,
    },
    /// Every element is one of these integers.
    OneOf(&'static [i64]),
    /// The fields of each record, one after the other: the size of each in bytes, and its constraint.
    Fields(&'static [(usize, Constraint)]),
}

impl Constraint {
    /// Returns the constraint of `#[idx(range = min..=max)]` on a field whose type has the constraint `inner`.
    #[track_caller]
    pub const fn range(inner: Self, element_type: ElementType, min: i128, max: i128) -> Self {
        let (lowest, highest) = match element_type {
            ElementType::U8 => (0, u8::MAX as i128),
            ElementType::I8 => (i8::MIN as i128, i8::MAX as i128),
            ElementType::I16 => (i16::MIN as i128, i16::MAX as i128),
            ElementType::I32 => (i32::MIN as i128, i32::MAX as i128),
            ElementType::F32 | ElementType::F64 => {
                panic!("`range` is for integers; check floating-point values after decoding")
            }
        };
        assert!(min <= max, "`range` is empty; write the lower bound first");
        assert!(
            lowest <= min && max <= highest,
            "`range` exceeds the range of the element type; use bounds within it"
        );
        match inner {
            Self::Any => Self::Between { min: min as i64, max: max as i64 },
            _ => panic!("this field's type already restricts its values; put the `range` there"),
        }
    }

    /// Returns the constraint of a label enum with these discriminants, which are all different.
    pub const fn one_of(values: &'static [i64]) -> Self {
        let [first, rest @ ..] = values else {
            return Self::OneOf(values);
        };
        let (mut min, mut max) = (*first, *first);
        let mut rest = rest;
        while let [value, tail @ ..] = rest {
            if *value < min {
                min = *value;
            }
            if *value > max {
                max = *value;
            }
            rest = tail;
        }
        // Without gaps, two comparisons suffice.
        if max - min == values.len() as i64 - 1 {
            Self::Between { min, max }
        } else {
            Self::OneOf(values)
        }
    }

    /// Returns the constraint of a record with these fields.
    pub const fn fields(fields: &'static [(usize, Self)]) -> Self {
        let mut rest = fields;
        while let [(_, constraint), tail @ ..] = rest {
            if !matches!(constraint, Self::Any) {
                return Self::Fields(fields);
            }
            rest = tail;
        }
        Self::Any
    }

    /// Returns whether all elements in `bytes` are allowed.
    #[inline(always)]
    pub const fn allows(&self, element_type: ElementType, bytes: &[u8]) -> bool {
        self.first_violation(element_type, bytes).is_none()
    }

    /// Returns the first element that is not allowed: its offset in `bytes`, and its value.
    ///
    /// Inlined: the constraint and the type are constants of a record type, so that one comparison is left of four
    /// types and three kinds, even without link-time optimization.
    #[inline(always)]
    pub const fn first_violation(
        &self,
        element_type: ElementType,
        bytes: &[u8],
    ) -> Option<(usize, i64)> {
        // Slice patterns instead of calls: the compiler counts calls and loop turns when it runs
        // this for a `static`, and stops at two million by default.
        macro_rules! search {
            ([$($byte:ident),+] => $value:expr) => {{
                let mut rest = bytes;
                while let [$($byte),+, tail @ ..] = rest {
                    let value = $value as i64;
                    let allowed = match self {
                        Self::Between { min, max } => *min <= value && value <= *max,
                        Self::OneOf(values) => contains(values, value),
                        Self::Any | Self::Fields(_) => true,
                    };
                    if !allowed {
                        return Some((bytes.len().wrapping_sub(rest.len()), value));
                    }
                    rest = tail;
                }
                None
            }};
        }
        match self {
            Self::Any => None,
            Self::Fields(fields) => first_violation_in_fields(fields, element_type, bytes),
            Self::Between { .. } | Self::OneOf(_) => match element_type {
                ElementType::U8 => search!([a] => *a),
                ElementType::I8 => search!([a] => i8::from_be_bytes([*a])),
                ElementType::I16 => search!([a, b] => i16::from_be_bytes([*a, *b])),
                ElementType::I32 => {
                    search!([a, b, c, d] => i32::from_be_bytes([*a, *b, *c, *d]))
                }
                ElementType::F32 | ElementType::F64 => None, // the derive writes no such constraint
            },
        }
    }
}

const fn first_violation_in_fields(
    fields: &'static [(usize, Constraint)],
    element_type: ElementType,
    bytes: &[u8],
) -> Option<(usize, i64)> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let record = rest;
        let mut fields = fields;
        while let [(size, constraint), tail @ ..] = fields {
            let Some((field, after)) = rest.split_at_checked(*size) else {
                debug_assert!(false, "the bytes are those of whole records");
                return None;
            };
            if let Some((offset, value)) = constraint.first_violation(element_type, field) {
                return Some((bytes.len().wrapping_sub(rest.len()).wrapping_add(offset), value));
            }
            rest = after;
            fields = tail;
        }
        if rest.len() == record.len() {
            debug_assert!(false, "fields without elements describe no bytes");
            return None;
        }
    }
    None
}

const fn contains(values: &[i64], value: i64) -> bool {
    let mut values = values;
    while let [first, rest @ ..] = values {
        if *first == value {
            return true;
        }
        values = rest;
    }
    false
}

/// The type of a bound of `#[idx(range = ..)]`: an integer, as a conversion would silently change others.
#[diagnostic::on_unimplemented(
    message = "a bound of `range` is an integer; write one, such as `0`",
    label = "not an integer of at most 64 bits"
)]
pub trait Integer: Copy {}

macro_rules! integers {
    ($($integer:ident)+) => {$(impl Integer for $integer {})+};
}

integers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

/// Returns a bound as it is.
pub const fn integer<T: Integer>(bound: T) -> T {
    bound
}
