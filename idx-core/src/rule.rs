#![expect(
    clippy::cast_possible_wrap,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::panic,
    reason = "hidden and small numbers; the panics are compile errors of the derive's user"
)]

use crate::ElementType;

/// Which values a record's elements may have; written by the derive.
///
/// A rule is data, so that one interpreter serves the compiler (for a file in a `static`), the typed
/// view, decoding and encoding. It describes bytes of any number of records in a row, which is why
/// the rule of an array is that of its elements.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Every value is allowed.
    Any,
    /// Every element is an integer of `min..=max`.
    Between {
        /// The least value allowed.
        min: i64,
        /// The greatest value allowed.
        max: i64,
    },
    /// Every element is one of these integers.
    OneOf(&'static [i64]),
    /// The fields of a record in turn, again and again: the size of each in bytes, and its rule.
    Fields(&'static [(usize, Rule)]),
}

impl Rule {
    /// The rule of `#[idx(range = min..=max)]` on a field of type `T` with the rule `inner`.
    #[track_caller]
    pub const fn range(inner: Self, element_type: ElementType, min: i64, max: i64) -> Self {
        let (least, greatest) = match element_type {
            ElementType::U8 => (0, u8::MAX as i64),
            ElementType::I8 => (i8::MIN as i64, i8::MAX as i64),
            ElementType::I16 => (i16::MIN as i64, i16::MAX as i64),
            ElementType::I32 => (i32::MIN as i64, i32::MAX as i64),
            ElementType::F32 | ElementType::F64 => {
                panic!("`range` is for integers; check floating-point values after decoding")
            }
        };
        assert!(min <= max, "`range` is empty; write the lower bound first");
        assert!(
            least <= min && max <= greatest,
            "`range` goes beyond the values of the element type; write bounds within them"
        );
        match inner {
            Self::Any => Self::Between { min, max },
            _ => panic!("this field's type has a rule of its own; put the `range` there"),
        }
    }

    /// The rule of a label enum with these discriminants, which are all different.
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
        // Without gaps two comparisons do.
        if max - min == values.len() as i64 - 1 {
            Self::Between { min, max }
        } else {
            Self::OneOf(values)
        }
    }

    /// The rule of a record with these fields.
    pub const fn fields(fields: &'static [(usize, Self)]) -> Self {
        let mut rest = fields;
        while let [(_, rule), tail @ ..] = rest {
            if !matches!(rule, Self::Any) {
                return Self::Fields(fields);
            }
            rest = tail;
        }
        Self::Any
    }

    /// Whether the rule allows these bytes of elements.
    pub const fn allows(&self, element_type: ElementType, bytes: &[u8]) -> bool {
        self.first_refused(element_type, bytes).is_none()
    }

    /// The first element that the rule does not allow: its offset in `bytes`, and its value.
    pub const fn first_refused(
        &self,
        element_type: ElementType,
        bytes: &[u8],
    ) -> Option<(usize, i64)> {
        // Slice patterns instead of calls: the compiler counts calls and loop turns when it runs
        // this for a `static`, and stops at two million unless told otherwise.
        macro_rules! first_refused {
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
                        return Some((bytes.len() - rest.len(), value));
                    }
                    rest = tail;
                }
                None
            }};
        }
        match self {
            Self::Any => None,
            Self::Fields(fields) => first_refused_field(fields, element_type, bytes),
            Self::Between { .. } | Self::OneOf(_) => match element_type {
                ElementType::U8 => first_refused!([a] => *a),
                ElementType::I8 => first_refused!([a] => i8::from_be_bytes([*a])),
                ElementType::I16 => first_refused!([a, b] => i16::from_be_bytes([*a, *b])),
                ElementType::I32 => {
                    first_refused!([a, b, c, d] => i32::from_be_bytes([*a, *b, *c, *d]))
                }
                ElementType::F32 | ElementType::F64 => None, // the derive makes no such rule
            },
        }
    }
}

const fn first_refused_field(
    fields: &'static [(usize, Rule)],
    element_type: ElementType,
    bytes: &[u8],
) -> Option<(usize, i64)> {
    let mut rest = bytes;
    while !rest.is_empty() {
        let record = rest;
        let mut fields = fields;
        while let [(size, rule), tail @ ..] = fields {
            let Some((field, after)) = rest.split_at_checked(*size) else {
                return None;
            };
            if let Some((offset, value)) = rule.first_refused(element_type, field) {
                return Some((bytes.len() - rest.len() + offset, value));
            }
            rest = after;
            fields = tail;
        }
        if rest.len() == record.len() {
            return None; // fields without elements describe no bytes
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
