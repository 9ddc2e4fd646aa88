use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

use crate::idx::{record_bytes, split};
use crate::rule::Rule;
use crate::text::Text;
use crate::{Error, IdxRecord};

/// The records of a file as values of type `T`, checked once and then infallible.
///
/// A view: it borrows the file's bytes, copies nothing until a record is asked for by value, and is
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
        match Self::split(bytes) {
            Some((payload, len, [])) => Self::checked(payload, len),
            _ => Err(Self::refusal(bytes, true)),
        }
    }

    /// Parses the file at the start of `bytes` and gives the bytes after it.
    ///
    /// # Errors
    ///
    /// The first of those of [`Idx::parse_prefix`](crate::Idx::parse_prefix), then of
    /// [`Idx::records`](crate::Idx::records).
    pub const fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        match Self::split(bytes) {
            Some((payload, len, rest)) => match Self::checked(payload, len) {
                Ok(records) => Ok((records, rest)),
                Err(error) => Err(error),
            },
            None => Err(Self::refusal(bytes, false)),
        }
    }

    /// Why `split` did not find the records, or nothing but the records.
    ///
    /// It has no answer but an error: a program that looks at no error then holds nothing of this. That
    /// takes that it is inlined with all that it calls, always: a function with loops that stands by
    /// itself is called even where nobody wants its answer (tests/firmware/size, two record types).
    #[inline(always)]
    const fn refusal(bytes: &[u8], exact: bool) -> Error {
        let (header, _, rest) = match split(bytes) {
            Ok(parts) => parts,
            Err(error) => return error,
        };
        if exact && !rest.is_empty() {
            return Error::trailing_bytes(bytes, rest);
        }
        match Error::mismatch::<T>(&header) {
            Some(error) => error,
            None => Error::Empty, // not reached: `Records::split` finds what is there
        }
    }

    /// The payload, the number of records and the rest, if the header is just that of `T` records
    /// and the payload is whole; otherwise the general parser finds the reason.
    ///
    /// Firmware that opens a good file needs no more code than these comparisons with constants.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared just before; at most 9"
    )]
    const fn split(bytes: &'a [u8]) -> Option<(&'a [u8], usize, &'a [u8])> {
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
        let most = match usize::MAX.checked_div(T::SIZE) {
            Some(most) => most,
            None => usize::MAX,
        };
        if count as u64 > most as u64 {
            return None;
        }
        let len = count as usize;
        match rest.split_at_checked(len * T::SIZE) {
            Some((payload, rest)) => Some((payload, len, rest)),
            None => None,
        }
    }

    /// A view of `len` records whose element type, shape and length are right, once the values are.
    pub(crate) const fn checked(payload: &'a [u8], len: usize) -> Result<Self, Error> {
        // The comparison is not needed, but spares all other records the call.
        if !matches!(T::RULE, Rule::Any)
            && let Some((offset, value)) = T::RULE.first_refused(T::ELEMENT, payload)
        {
            let record = match offset.checked_div(T::SIZE) {
                Some(record) => record,
                None => 0, // not reached: a record without elements holds no value
            };
            return Err(Error::ValueNotAllowed {
                record: record as u64,
                value,
            });
        }
        Ok(Self {
            payload,
            len,
            record: PhantomData,
        })
    }

    /// The number of records.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no record.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Record `index` by value, or `None` beyond the last one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        T::decode(self.record_bytes(index)?)
    }

    /// The bytes of record `index`, big-endian, or `None` beyond the last one.
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
    /// The records of a file that is part of the program, checked by the compiler.
    ///
    /// For the initial value of a `static` or a `const`, where a file that does not hold records of
    /// type `T` is a compile error with the numbers in it:
    ///
    /// ```compile_fail
    /// # use idx_core::Records;
    /// // evaluation panicked: IDX: the payload is cut: 4 bytes are needed, 3 are there, 1 missing; ...
    /// static CUT: Records<u8> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// At run time, where the compiler cannot object to the file. Use [`Records::parse`] there.
    #[must_use]
    #[track_caller]
    #[expect(
        clippy::panic,
        reason = "in a `static` this is how a compile error is made"
    )]
    pub const fn from_static(bytes: &'static [u8]) -> Self {
        match Self::parse(bytes) {
            Ok(records) => records,
            Err(error) => {
                let mut text = Text::new();
                text.string("IDX: ");
                error.describe(&mut text);
                panic!("{}", text.as_str())
            }
        }
    }
}

#[cfg(feature = "zero-copy")]
impl<'a, T> Records<'a, T> {
    /// The records where they lie in the file's bytes, without a copy.
    ///
    /// For records whose memory is laid out as the file is; see [`ZeroCopy`](crate::ZeroCopy). The
    /// constants are inferred, write `records.as_slice()`.
    #[must_use]
    pub const fn as_slice<
        const A: usize,
        const B: usize,
        const C: usize,
        const D: usize,
        const E: usize,
    >(
        &self,
    ) -> &'a [T]
    where
        T: crate::ZeroCopy<Bytes = [[[[[u8; A]; B]; C]; D]; E]>,
    {
        const {
            assert!(
                size_of::<T>() > 0,
                "records without elements cannot be borrowed; use `len`"
            );
        }
        // A record is a constant number of bytes only if seen as arrays of arrays.
        let (elements, _) = self.payload.as_chunks::<A>();
        let (rows, _) = elements.as_chunks::<B>();
        let (planes, _) = rows.as_chunks::<C>();
        let (blocks, _) = planes.as_chunks::<D>();
        let (records, _) = blocks.as_chunks::<E>();
        bytemuck::must_cast_slice(records)
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
    /// Cuts `count` records off the front, all of them if there are fewer.
    fn split_front(&mut self, count: usize) -> &'a [u8] {
        let count = count.min(self.rest.len);
        self.rest.len -= count;
        let (front, back) = self
            .rest
            .payload
            .split_at_checked(count * T::SIZE)
            .unwrap_or_default();
        self.rest.payload = back;
        front
    }

    /// Cuts `count` records off the back, all of them if there are fewer.
    fn split_back(&mut self, count: usize) -> &'a [u8] {
        self.rest.len -= count.min(self.rest.len);
        let (front, back) = self
            .rest
            .payload
            .split_at_checked(self.rest.len * T::SIZE)
            .unwrap_or_default();
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
