//! Borrowed records and decoding at compile time: the only file of this crate with `unsafe` code.

use core::mem::MaybeUninit;
use core::{ptr, slice};

use crate::be;
use crate::record::IdxRecord;

/// A record with the memory layout of the file, so that [`Records::as_slice`](crate::Records::as_slice) and
/// [`get_ref`](crate::Records::get_ref) can borrow it.
///
/// Implemented for `u8`, `i8`, the [`be`] types and arrays of these; and, with `#[derive(IdxRecord)]`, for `Copy`
/// structs of such fields with `#[repr(transparent)]` (one field) or `#[repr(C)]` (any number). Native `i16`, `i32`,
/// `f32` and `f64` do not have the byte order of the file on most machines, and need an alignment that the file does
/// not guarantee: use `be::I16` and so on.
///
/// ```
/// use idx_core::{IdxRecord, Records, ZeroCopy, be};
///
/// #[derive(IdxRecord, Clone, Copy)]
/// #[repr(C)]
/// struct Point { x: be::I16, y: be::I16 }
///
/// fn last<'a, T: ZeroCopy>(records: Records<'a, T>) -> Option<&'a T> {
///     records.as_slice().last()
/// }
///
/// let file = [0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0xFF, 0xFF];
/// let point = last(Records::<Point>::parse(&file)?).unwrap();
/// assert_eq!((point.x.get(), point.y.get()), (1, -1));
/// # Ok::<(), idx_core::Error>(())
/// ```
///
/// A struct with `align(..)` or padding is still a record, but borrowing it does not compile:
///
/// ```compile_fail
/// # use idx_core::{IdxRecord, Records};
/// #[derive(IdxRecord, Clone, Copy)]
/// #[repr(C, align(4))]
/// struct Color([u8; 3]);
///
/// # let file = [0, 0, 0x08, 2, 0, 0, 0, 1, 0, 0, 0, 3, 1, 2, 3];
/// let colors = Records::<Color>::parse(&file)?;
/// assert_eq!(colors.get(0).map(|color| color.0), Some([1, 2, 3]));
/// colors.as_slice(); // evaluation panicked: a record with padding or `align(..)` ...
/// # Ok::<(), idx_core::Error>(())
/// ```
///
/// Neither does borrowing a struct without a `repr`, whose fields may be in any order:
///
/// ```compile_fail,E0277
/// # use idx_core::{IdxRecord, Records};
/// #[derive(IdxRecord, Clone, Copy)]
/// struct Range { low: u8, high: u8 }
///
/// # let file = [0, 0, 0x08, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2];
/// let ranges = Records::<Range>::parse(&file)?;
/// ranges.as_slice(); // `Range` is not laid out in memory as in the file, ...
/// # Ok::<(), idx_core::Error>(())
/// ```
///
/// Neither does borrowing numbers in the byte order of the machine:
///
/// ```compile_fail,E0277
/// # use idx_core::Records;
/// # let file = [0, 0, 0x0B, 1, 0, 0, 0, 1, 0, 7];
/// let numbers = Records::<i16>::parse(&file)?;
/// numbers.as_slice(); // `i16` is not laid out in memory as in the file, ...
/// # Ok::<(), idx_core::Error>(())
/// ```
///
/// # Safety
///
/// Only this crate and the derive implement it. An implementing type is either a single number, for which every bit
/// pattern is valid and whose size is its [`SIZE`](IdxRecord::SIZE); or an array or struct of fields that are all
/// `ZeroCopy`, whose `SIZE` is the sum of theirs. Alignment and padding are not part of the contract; they are checked
/// where a record is borrowed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not laid out in memory as in the file, so it cannot be borrowed from it",
    note = "a struct needs `#[derive(Clone, Copy, IdxRecord)]` and `#[repr(transparent)]` (one field) or `#[repr(C)]` (several); an enum cannot be borrowed",
    note = "for native `i16`, `i32`, `f32`, `f64` write `be::I16`, `be::I32`, `be::F32`, `be::F64`, or decode with `get` and `iter`"
)]
pub unsafe trait ZeroCopy: IdxRecord + Copy {}

/// Asserts without quoting lines of `core` in the compile error, as rustc does for `assert!` if the sources of `core`
/// are installed.
#[track_caller]
const fn require(condition: bool, message: &str) {
    assert!(condition, "{}", message);
}

/// Casts `bytes` to records; bytes after the last whole record are ignored.
///
/// Every reference to a record in a file's bytes is created here.
pub(crate) const fn cast<T: ZeroCopy>(bytes: &[u8]) -> &[T] {
    const {
        require(T::SIZE > 0, "records without elements cannot be borrowed; use `len`");
        require(
            size_of::<T>() == T::SIZE && align_of::<T>() == 1,
            "a record with padding or `align(..)` cannot be borrowed; remove `align(..)`, or decode with `get` and `iter`",
        );
    }
    // SAFETY: The pointer and the lifetime are those of `bytes`, and the length, rounded down, is the number of records
    // that fit in them. `T` has alignment 1. By the contract of `ZeroCopy` it consists of numbers, so it has no
    // interior mutability, and outside of padding any bytes are valid. It has no padding: the memory of a field is at
    // least its `SIZE`, and that of all of `T` is exactly the sum of these.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) }
}

/// Borrows the record in `bytes`; `None` for any other number of bytes, or if a value is not allowed.
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

/// A record whose memory consists of its elements in the machine's byte order, so that
/// [`Records::to_array`](crate::Records::to_array) can decode it at compile time.
///
/// Implemented for `u8`, `i8`, `i16`, `i32`, `f32`, `f64` and arrays of these; and, with `#[derive(IdxRecord)]`, for
/// `Copy` label enums, and for `Copy` structs of such fields with `#[repr(transparent)]` (one field) or `#[repr(C)]`
/// (any number).
///
/// # Safety
///
/// Only this crate and the derive implement it. An implementing type is either a single number of the type
/// [`ELEMENT`](IdxRecord::ELEMENT), for which every value that the record's constraint allows is valid; or an array or
/// struct of fields that are all `Native`, in order, whose [`SIZE`](IdxRecord::SIZE) is the sum of theirs. Padding is
/// not part of the contract; it is checked where records are decoded.
#[diagnostic::on_unimplemented(
    message = "the compiler cannot decode `{Self}`, as it is not numbers in the byte order of this machine",
    note = "write native numbers, such as `Records<i16>` for `Records<be::I16>`; a struct needs `#[derive(Clone, Copy, IdxRecord)]` and `#[repr(transparent)]` (one field) or `#[repr(C)]` (several); an enum of labels needs `#[derive(Clone, Copy, IdxRecord)]`"
)]
pub unsafe trait Native: IdxRecord + Copy {}

macro_rules! native {
    ($($number:ty),+) => {$(
        // SAFETY: a number of this type.
        unsafe impl Native for $number {}
    )+};
}

native!(u8, i8, i16, i32, f32, f64);

// SAFETY: an array of such types.
unsafe impl<T: Native, const N: usize> Native for [T; N] {}

/// Decodes a payload of exactly `N` records; `None` if its length differs, or if a value is not allowed.
pub(crate) const fn decode<T: Native, const N: usize>(payload: &[u8]) -> Option<[T; N]> {
    const {
        require(
            size_of::<T>() == T::SIZE,
            "the compiler cannot decode a record with padding; remove `align(..)`",
        );
    }
    if payload.len() != size_of::<[T; N]>() || !T::CONSTRAINT.allows(T::ELEMENT, payload) {
        return None;
    }
    let mut array = MaybeUninit::<[T; N]>::uninit();
    macro_rules! decode_as {
        ($bits:ty, [$($byte:ident),+]) => {{
            let mut next = array.as_mut_ptr().cast::<$bits>();
            let mut rest = payload;
            while let [$($byte),+, after @ ..] = rest {
                // SAFETY: By the contract of `Native` the array consists of numbers of this size. It is as large as the
                // payload, so it has room for each number read from there.
                unsafe {
                    next.write(<$bits>::from_be_bytes([$(*$byte),+]));
                    next = next.add(1);
                }
                rest = after;
            }
        }};
    }
    match T::ELEMENT.size() {
        // SAFETY: The array is as large as the payload, and new, so the two do not overlap.
        1 => unsafe {
            ptr::copy_nonoverlapping(payload.as_ptr(), array.as_mut_ptr().cast(), payload.len());
        },
        2 => decode_as!(u16, [a, b]),
        4 => decode_as!(u32, [a, b, c, d]),
        _ => decode_as!(u64, [a, b, c, d, e, f, g, h]),
    }
    // SAFETY: each number was written, and the constraint allows it.
    Some(unsafe { array.assume_init() })
}

#[cfg(feature = "bytemuck-v1")]
macro_rules! plain_old_data {
    ($($element:ty),+) => {$(
        // SAFETY: a transparent wrapper of an array of bytes, which may all be zero.
        unsafe impl bytemuck::Zeroable for $element {}
        // SAFETY: a transparent wrapper of an array of bytes, which may have any value.
        unsafe impl bytemuck::Pod for $element {}
    )+};
}

#[cfg(feature = "bytemuck-v1")]
plain_old_data!(be::I16, be::I32, be::F32, be::F64);
