use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::const_text::ConstText;
use crate::constraint::Constraint;
use crate::error::Error;
use crate::mismatch;
use crate::record::IdxRecord;
use crate::view::{record_bytes, split_file};
#[cfg(feature = "zero-copy")]
use crate::zero_copy::{self, ZeroCopy};

/// The records of a file as values of type `T`, checked once and then infallible.
///
/// A view: it borrows the file's bytes, copies nothing but the records that are read by value, and is
/// as small as a slice.
///
/// ```
/// use idx_core::{IdxRecord, Records};
///
/// #[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
/// #[repr(transparent)]
/// struct Tile([[u8; 2]; 2]);
///
/// // In firmware: `include_bytes!("tiles.idx")`. A file that does not fit is a compile error.
/// static TILES: Records<Tile> = Records::from_static(&[
///     0, 0, 0x08, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, // u8, 2 x 2 x 2
///     1, 2, 3, 4, 5, 6, 7, 8,
/// ]);
///
/// assert_eq!(TILES.len(), 2);
/// assert_eq!(TILES.get(1), Some(Tile([[5, 6], [7, 8]]))); // a copy
/// assert_eq!(TILES.iter().rev().map(|tile| tile.0[0][0]).collect::<Vec<_>>(), [5, 1]);
/// # #[cfg(feature = "zero-copy")]
/// assert_eq!(TILES.as_slice()[0].0[1], [3, 4]); // borrowed, thanks to Copy and repr(transparent)
/// ```
pub struct Records<'a, T> {
    payload: &'a [u8],
    len: usize,
    record: PhantomData<fn() -> T>,
}

impl<'a, T: IdxRecord> Records<'a, T> {
    /// Parses a file of exactly these bytes and checks that it holds records of type `T`.
    ///
    /// # Errors
    ///
    /// The first of those of [`Idx::parse`](crate::Idx::parse), then of
    /// [`Idx::records`](crate::Idx::records).
    pub const fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        match Self::split_expected(bytes) {
            Some((payload, len, [])) => Self::checked(payload, len),
            _ => Err(Self::reason(bytes, true)),
        }
    }

    /// Parses the file at the start of `bytes` and gives the bytes after it.
    ///
    /// # Errors
    ///
    /// The first of those of [`Idx::parse_prefix`](crate::Idx::parse_prefix), then of
    /// [`Idx::records`](crate::Idx::records).
    pub const fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        match Self::split_expected(bytes) {
            Some((payload, len, rest)) => match Self::checked(payload, len) {
                Ok(records) => Ok((records, rest)),
                Err(error) => Err(error),
            },
            None => Err(Self::reason(bytes, false)),
        }
    }

    /// Why `split_expected` did not find the records, and nothing but the records.
    ///
    /// It always returns an error: a program that looks at no error then contains nothing of this. For
    /// that it must be inlined, with all that it calls: a function with loops that stands by itself is
    /// called even where nobody uses its result (tests/firmware/size, two record types).
    #[inline(always)]
    const fn reason(bytes: &[u8], exact: bool) -> Error {
        let (header, _, rest) = match split_file(bytes) {
            Ok(parts) => parts,
            Err(error) => return error,
        };
        if exact && !rest.is_empty() {
            return Error::trailing_bytes(bytes, rest);
        }
        match mismatch::of_header::<T>(&header) {
            Some(error) => error,
            None => {
                debug_assert!(false, "`split_expected` finds all files of `T` records");
                Error::Empty
            }
        }
    }

    /// The payload, the number of records and the rest, if the header is exactly that of `T` records
    /// and the payload is complete; otherwise the general parser finds the reason.
    ///
    /// Firmware that opens a valid file needs no more code than these comparisons with constants.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared just before; at most 9"
    )]
    const fn split_expected(bytes: &'a [u8]) -> Option<(&'a [u8], usize, &'a [u8])> {
        let [a, b, c, d, rest @ ..] = bytes else {
            return None;
        };
        let start = u32::from_be_bytes([*a, *b, *c, *d]);
        let scalar = (T::ELEMENT.code() as u32) << 8;
        let (count, mut rest) = if start == scalar | (T::SHAPE.len() as u32 + 1) {
            match rest.split_first_chunk() {
                Some((count, rest)) => (u32::from_be_bytes(*count), rest),
                None => return None,
            }
        } else if start == scalar && T::SHAPE.is_empty() {
            (1, rest) // a file of rank 0 is one record of one element
        } else {
            return None;
        };
        let mut shape = T::SHAPE;
        while let [size, sizes @ ..] = shape {
            let Some((word, after)) = rest.split_first_chunk() else {
                return None;
            };
            if u32::from_be_bytes(*word) != *size {
                return None;
            }
            rest = after;
            shape = sizes;
        }
        let max = match usize::MAX.checked_div(T::SIZE) {
            Some(max) => max,
            None => usize::MAX,
        };
        if count as u64 > max as u64 {
            return None;
        }
        let len = count as usize;
        match rest.split_at_checked(len * T::SIZE) {
            Some((payload, rest)) => Some((payload, len, rest)),
            None => None,
        }
    }

    /// A view of `len` records whose element type, shape and length are correct, if the values are too.
    pub(crate) const fn checked(payload: &'a [u8], len: usize) -> Result<Self, Error> {
        // The comparison is not needed, but saves all other records the call.
        if !matches!(T::CONSTRAINT, Constraint::Any)
            && let Some((offset, value)) = T::CONSTRAINT.first_violation(T::ELEMENT, payload)
        {
            let record = match offset.checked_div(T::SIZE) {
                Some(record) => record,
                None => {
                    debug_assert!(false, "a record without elements contains no value");
                    0
                }
            };
            return Err(Error::ValueNotAllowed {
                record: record as u64,
                value,
            });
        }
        Ok(Self::unchecked(payload, len))
    }

    /// A view of `len` records that were checked before.
    pub(crate) const fn unchecked(payload: &'a [u8], len: usize) -> Self {
        Self {
            payload,
            len,
            record: PhantomData,
        }
    }

    /// The number of records.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Record `index` by value, or `None` if there is no such record.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        T::decode(self.record_bytes(index)?)
    }

    /// The bytes of record `index`, big-endian, or `None` if there is no such record.
    #[must_use]
    pub const fn record_bytes(&self, index: usize) -> Option<&'a [u8]> {
        record_bytes(self.payload, T::SIZE, self.len, index)
    }

    /// The records by value, from the first to the last or from both ends.
    #[must_use]
    pub const fn iter(&self) -> RecordIter<'a, T> {
        RecordIter { rest: *self }
    }
}

impl<T: IdxRecord> Records<'static, T> {
    /// The records of a file that is part of the program, checked at compile time.
    ///
    /// For the initial value of a `static` or a `const`, where a file that does not hold records of
    /// type `T` is a compile error with the numbers in it:
    ///
    /// ```compile_fail
    /// # use idx_core::Records;
    /// // evaluation panicked: IDX: the payload is truncated: expected 4 bytes, found 3 (1 missing); ...
    /// static TRUNCATED: Records<u8> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// If it is called at run time with such a file. Use [`Records::parse`] there.
    #[must_use]
    #[track_caller]
    #[expect(clippy::panic, reason = "in a `static` a panic is a compile error")]
    pub const fn from_static(bytes: &'static [u8]) -> Self {
        match Self::parse(bytes) {
            Ok(records) => records,
            Err(error) => {
                let mut text = ConstText::new();
                text.string("IDX: ");
                error.describe(&mut text);
                panic!("{}", text.as_str())
            }
        }
    }
}

// The bounds are on the functions: on the `impl` the compiler would not print the notes of `ZeroCopy`.
#[cfg(feature = "zero-copy")]
impl<'a, T> Records<'a, T> {
    /// The records in place, in the file's bytes, without a copy.
    ///
    /// For records whose memory is laid out as the file is; see [`ZeroCopy`].
    #[must_use]
    pub const fn as_slice(&self) -> &'a [T]
    where
        T: ZeroCopy,
    {
        zero_copy::cast(self.payload)
    }

    /// Record `index` in place, in the file's bytes, or `None` if there is no such record.
    #[must_use]
    pub const fn get_ref(&self, index: usize) -> Option<&'a T>
    where
        T: ZeroCopy,
    {
        match self.record_bytes(index) {
            Some(bytes) => zero_copy::cast(bytes).first(),
            None => None,
        }
    }
}

impl<T> Clone for Records<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Records<'_, T> {}

impl<T: IdxRecord + fmt::Debug> fmt::Debug for Records<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: IdxRecord + PartialEq> PartialEq for Records<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T: IdxRecord> IntoIterator for Records<'a, T> {
    type Item = T;
    type IntoIter = RecordIter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: IdxRecord> IntoIterator for &Records<'a, T> {
    type Item = T;
    type IntoIter = RecordIter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The records of a [`Records`] view by value.
pub struct RecordIter<'a, T> {
    rest: Records<'a, T>,
}

impl<'a, T: IdxRecord> RecordIter<'a, T> {
    /// Removes `count` records from the front, all of them if there are fewer.
    fn split_front(&mut self, count: usize) -> &'a [u8] {
        let count = count.min(self.rest.len);
        self.rest.len -= count;
        let split = self.rest.payload.split_at_checked(count * T::SIZE);
        debug_assert!(split.is_some(), "the payload holds all records");
        let (front, back) = split.unwrap_or_default();
        self.rest.payload = back;
        front
    }

    /// Removes `count` records from the back, all of them if there are fewer.
    fn split_back(&mut self, count: usize) -> &'a [u8] {
        self.rest.len -= count.min(self.rest.len);
        let split = self.rest.payload.split_at_checked(self.rest.len * T::SIZE);
        debug_assert!(split.is_some(), "the payload holds all records");
        let (front, back) = split.unwrap_or_default();
        self.rest.payload = front;
        back
    }
}

impl<T: IdxRecord> Iterator for RecordIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.rest.is_empty() {
            return None;
        }
        T::decode(self.split_front(1))
    }

    fn nth(&mut self, count: usize) -> Option<T> {
        self.split_front(count);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len, Some(self.rest.len))
    }

    fn count(self) -> usize {
        self.rest.len
    }

    fn last(mut self) -> Option<T> {
        self.next_back()
    }
}

impl<T: IdxRecord> DoubleEndedIterator for RecordIter<'_, T> {
    fn next_back(&mut self) -> Option<T> {
        if self.rest.is_empty() {
            return None;
        }
        T::decode(self.split_back(1))
    }

    fn nth_back(&mut self, count: usize) -> Option<T> {
        self.split_back(count);
        self.next_back()
    }
}

impl<T: IdxRecord> ExactSizeIterator for RecordIter<'_, T> {}
impl<T: IdxRecord> FusedIterator for RecordIter<'_, T> {}

impl<T> Clone for RecordIter<'_, T> {
    fn clone(&self) -> Self {
        Self { rest: self.rest }
    }
}

impl<T: IdxRecord + fmt::Debug> fmt::Debug for RecordIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RecordIter").field(&self.rest).finish()
    }
}
