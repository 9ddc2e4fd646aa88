//! The trait `IdxRecord`, and its implementations for scalars and arrays.

use core::marker::PhantomData;
use core::slice;

use crate::constraint::Constraint;
use crate::element_type::ElementType;

/// A type whose values are records of an IDX file; implement it with `#[derive(IdxRecord)]`.
///
/// The six scalars, the [`be`](crate::be) types and arrays `[T; N]` of records are records; the derive makes structs
/// and label enums records. Do not implement the trait by hand: a `decode` that returns `None` for a record of a
/// checked view would silently end an iteration. That is why the trait has hidden items.
///
/// ```
/// use idx_core::{ElementType, IdxRecord};
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Digit([[u8; 28]; 28]);
///
/// assert_eq!(Digit::ELEMENT, ElementType::U8);
/// assert_eq!(Digit::SHAPE, [28, 28]);
/// assert_eq!(Digit::SIZE, 784);
///
/// /// A measurement with named columns: its shape is 3.
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Acceleration { x: i16, y: i16, z: i16 }
///
/// let record = Acceleration { x: 1, y: -1, z: 256 };
/// let mut bytes = [0; Acceleration::SIZE];
/// assert_eq!(record.encode(&mut bytes), Some(()));
/// assert_eq!(bytes, [0, 1, 0xFF, 0xFF, 1, 0]);
/// assert_eq!(Acceleration::decode(&bytes), Some(record));
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Label(#[idx(range = 0..=9)] u8);
///
/// assert_eq!(Label::decode(&[7]), Some(Label(7)));
/// assert_eq!(Label::decode(&[10]), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an IDX record",
    label = "neither an element type nor a record",
    note = "a record is made of `u8`, `i8`, `i16`, `i32`, `f32`, `f64`, arrays `[T; N]` of them, and types with `#[derive(IdxRecord)]`; text and vectors have no fixed size, write `[u8; N]`"
)]
pub trait IdxRecord: Sized + 'static {
    /// The type of the record's elements.
    const ELEMENT: ElementType;

    /// The sizes of the record's dimensions, at most 8; `[]` for a single element.
    const SHAPE: &'static [u32];

    /// The size of the record in the file, in bytes.
    const SIZE: usize;

    /// The size in bytes of the header of a file of these records; see [`header`](crate::header).
    const HEADER_SIZE: usize = 8 + 4 * Self::SHAPE.len();

    /// Decodes a record from its [`SIZE`](Self::SIZE) big-endian bytes.
    ///
    /// Returns `None` if there are more or fewer bytes, or if they contain a value that the type does not allow;
    /// neither happens to the records of a [`Records`](crate::Records) view.
    fn decode(bytes: &[u8]) -> Option<Self>;

    /// Encodes the record as [`SIZE`](Self::SIZE) big-endian bytes.
    ///
    /// Returns `None` if there are more or fewer bytes, or if the record contains a value that its type does not allow;
    /// the contents of `bytes` are then unspecified.
    fn encode(&self, bytes: &mut [u8]) -> Option<()>;

    /// The allowed values.
    #[doc(hidden)]
    const CONSTRAINT: Constraint;

    /// An initial value, so that an array can be decoded in place, with a single copy.
    #[doc(hidden)]
    const FILL: Self;

    /// A buffer for the bytes of a record, for code that reads one record at a time.
    #[doc(hidden)]
    type Buffer: Buffer;

    /// Decodes records until `records` is full. Like [`Hash::hash_slice`](core::hash::Hash::hash_slice), it exists so
    /// that bytes can be copied all at once.
    #[doc(hidden)]
    fn decode_slice(bytes: &[u8], records: &mut [Self]) -> Option<()> {
        let mut rest = bytes;
        for record in records {
            let (bytes, after) = rest.split_at_checked(Self::SIZE)?;
            *record = Self::decode(bytes)?;
            rest = after;
        }
        rest.is_empty().then_some(())
    }

    /// Encodes all of `records`.
    #[doc(hidden)]
    fn encode_slice(records: &[Self], bytes: &mut [u8]) -> Option<()> {
        let mut rest = bytes;
        for record in records {
            let (bytes, after) = rest.split_at_mut_checked(Self::SIZE)?;
            record.encode(bytes)?;
            rest = after;
        }
        rest.is_empty().then_some(())
    }
}

/// The six scalars: records of one element, of shape `()`.
macro_rules! scalars {
    ($($scalar:ident $element_type:ident),+) => {$(
        impl IdxRecord for $scalar {
            const ELEMENT: ElementType = ElementType::$element_type;
            const SHAPE: &'static [u32] = &[];
            const SIZE: usize = size_of::<Self>();
            const CONSTRAINT: Constraint = Constraint::Any;
            const FILL: Self = 0 as Self;
            type Buffer = [u8; Self::SIZE];

            fn decode(bytes: &[u8]) -> Option<Self> {
                Some(Self::from_be_bytes(bytes.try_into().ok()?))
            }

            fn encode(&self, bytes: &mut [u8]) -> Option<()> {
                let bytes: &mut [u8; Self::SIZE] = bytes.try_into().ok()?;
                *bytes = self.to_be_bytes();
                Some(())
            }

            // A plain loop over equal lengths: one copy for bytes, vector code for the others. Inlined, so that a
            // caller built for a newer processor gets its instructions.
            #[inline]
            fn decode_slice(bytes: &[u8], records: &mut [Self]) -> Option<()> {
                let (bytes, []) = bytes.as_chunks() else {
                    return None;
                };
                if bytes.len() != records.len() {
                    return None;
                }
                for (record, bytes) in records.iter_mut().zip(bytes) {
                    *record = Self::from_be_bytes(*bytes);
                }
                Some(())
            }

            #[inline]
            fn encode_slice(records: &[Self], bytes: &mut [u8]) -> Option<()> {
                let (bytes, []) = bytes.as_chunks_mut() else {
                    return None;
                };
                if bytes.len() != records.len() {
                    return None;
                }
                for (record, bytes) in records.iter().zip(bytes) {
                    *bytes = record.to_be_bytes();
                }
                Some(())
            }
        }
    )+};
}

scalars!(u8 U8, i8 I8, i16 I16, i32 I32, f32 F32, f64 F64);

impl<T: IdxRecord, const N: usize> IdxRecord for [T; N] {
    const ELEMENT: ElementType = T::ELEMENT;
    const SHAPE: &'static [u32] = Prepend::<T, N>::SHAPE;
    const SIZE: usize = N * T::SIZE;
    const CONSTRAINT: Constraint = T::CONSTRAINT;
    const FILL: Self = [T::FILL; N];
    type Buffer = [T::Buffer; N];

    // Inlined, or the array is copied at each step when optimizing for size.
    #[inline(always)]
    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut array = Self::FILL;
        Self::decode_slice(bytes, slice::from_mut(&mut array))?;
        Some(array)
    }

    fn encode(&self, bytes: &mut [u8]) -> Option<()> {
        Self::encode_slice(slice::from_ref(self), bytes)
    }

    #[inline(always)]
    fn decode_slice(bytes: &[u8], records: &mut [Self]) -> Option<()> {
        if Self::SIZE == 0 {
            // Nothing to decode; and if the records have no elements, flattening too many of them would overflow.
            return bytes.is_empty().then_some(());
        }
        T::decode_slice(bytes, records.as_flattened_mut())
    }

    #[inline]
    fn encode_slice(records: &[Self], bytes: &mut [u8]) -> Option<()> {
        if Self::SIZE == 0 {
            return bytes.is_empty().then_some(());
        }
        T::encode_slice(records.as_flattened(), bytes)
    }
}

/// A byte array of the size of one record, or an array of such arrays: stable Rust does not allow `[u8; T::SIZE]` in
/// generic code.
pub trait Buffer: Sized {
    /// All bytes zero.
    const ZERO: Self;

    /// Returns the bytes of all these buffers as one slice.
    fn as_bytes(buffers: &mut [Self]) -> &mut [u8];
}

impl Buffer for u8 {
    const ZERO: Self = 0;

    fn as_bytes(buffers: &mut [Self]) -> &mut [u8] {
        buffers
    }
}

impl<B: Buffer, const N: usize> Buffer for [B; N] {
    const ZERO: Self = [B::ZERO; N];

    fn as_bytes(buffers: &mut [Self]) -> &mut [u8] {
        if size_of::<Self>() == 0 {
            return &mut []; // however many there are
        }
        B::as_bytes(buffers.as_flattened_mut())
    }
}

/// The buffer of a generic record `T` with several fields, whose size cannot be expressed in stable Rust.
#[derive(Debug)]
pub struct NoBuffer<T>(PhantomData<fn() -> T>);

impl<T: IdxRecord> Buffer for NoBuffer<T> {
    const ZERO: Self = Self(PhantomData);

    fn as_bytes(_: &mut [Self]) -> &mut [u8] {
        const {
            // Always false: no record is that large. The condition mentions `T`, so it is evaluated only where the
            // buffer is used.
            assert!(
                T::SIZE == usize::MAX,
                "a generic record of several fields brings no memory of its own; use `read_bytes` and `T::decode`"
            );
        }
        &mut []
    }
}

/// Prepends `N` to the shape of `T`. On stable Rust a constant cannot have a generic length, so there is one constant
/// for each length.
struct Prepend<T, const N: usize>(T);

impl<T: IdxRecord, const N: usize> Prepend<T, N> {
    const SHAPE: &'static [u32] = match T::SHAPE.len() {
        0 => &Self::D1,
        1 => &Self::D2,
        2 => &Self::D3,
        3 => &Self::D4,
        4 => &Self::D5,
        5 => &Self::D6,
        6 => &Self::D7,
        7 => &Self::D8,
        _ => panic!("a record has at most 8 dimensions; read files of more with `Idx`"),
    };
    const D1: [u32; 1] = Self::prepend();
    const D2: [u32; 2] = Self::prepend();
    const D3: [u32; 3] = Self::prepend();
    const D4: [u32; 4] = Self::prepend();
    const D5: [u32; 5] = Self::prepend();
    const D6: [u32; 6] = Self::prepend();
    const D7: [u32; 7] = Self::prepend();
    const D8: [u32; 8] = Self::prepend();

    const fn prepend<const RANK: usize>() -> [u32; RANK] {
        let mut shape = [size(N); RANK];
        // The constants that are not chosen, of other lengths, are evaluated as well.
        if let Some((_, inner)) = shape.split_first_mut()
            && inner.len() == T::SHAPE.len()
        {
            inner.copy_from_slice(T::SHAPE);
        }
        shape
    }
}

/// Converts the size of a dimension to the 32 bits that IDX has for it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    reason = "compared just before; hidden, and the panic is a compile error"
)]
pub const fn size(elements: usize) -> u32 {
    assert!(
        elements as u64 <= u32::MAX as u64,
        "a dimension of a record has at most 4294967295 elements"
    );
    elements as u32
}
