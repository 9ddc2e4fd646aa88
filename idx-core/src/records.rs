//! The typed view of a file in memory, and its iterator.

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use crate::const_text::ConstText;
#[cfg(feature = "zero-copy")]
use crate::const_text::Template;
use crate::constraint::Constraint;
use crate::error::{At, Error};
#[cfg(doc)]
use crate::error_kind::ErrorKind;
use crate::expected::expected;
use crate::mismatch;
use crate::record::IdxRecord;
#[cfg(feature = "zero-copy")]
use crate::zero_copy::{self, Native, ZeroCopy};

/// A view of a file's records as values of type `T`: checked once, infallible afterwards.
///
/// It borrows the file's bytes, takes three words, and copies only the records that are read by value.
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
pub struct Records<'a, T: IdxRecord> {
    payload: &'a [u8],
    len: usize,
    record: PhantomData<fn() -> T>,
}

/// The parts of a file whose header matches the record type.
struct File<'a> {
    payload: &'a [u8],
    /// The number of records, which fits a `usize`.
    count: u32,
    rest: &'a [u8],
    /// The position of the end of the header, as an error stores it.
    end: At,
}

impl<'a, T: IdxRecord> Records<'a, T> {
    /// Parses all of `bytes` as one file and checks that it holds records of type `T`.
    ///
    /// # Errors
    ///
    /// The first of: [`ErrorKind::Empty`], [`ErrorKind::HeaderTruncated`] if there are fewer than four bytes,
    /// [`ErrorKind::Gzip`], [`ErrorKind::NotIdx`], [`ErrorKind::UnknownElementType`], [`ErrorKind::ElementMismatch`],
    /// [`ErrorKind::RankMismatch`], [`ErrorKind::HeaderTruncated`], [`ErrorKind::ShapeMismatch`],
    /// [`ErrorKind::Unaddressable`], [`ErrorKind::Truncated`], [`ErrorKind::TrailingBytes`],
    /// [`ErrorKind::ValueNotAllowed`]. To check the file before the type, use [`Idx::parse`](crate::Idx::parse) and
    /// then [`Idx::records`](crate::Idx::records).
    pub const fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let (at, word, len) = match Self::split_expected(bytes) {
            Ok(File { payload, count, rest: [], .. }) => {
                return Self::checked(payload, count as usize);
            }
            Ok(File { payload, count, rest, end }) => {
                (end, count, payload.len().wrapping_add(rest.len()))
            }
            Err(ended) => ended,
        };
        Err(Self::error(at, word, len))
    }

    /// Parses the file at the start of `bytes` and returns the bytes after it.
    ///
    /// # Errors
    ///
    /// The errors of [`parse`](Self::parse) except [`ErrorKind::TrailingBytes`].
    pub const fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        match Self::split_expected(bytes) {
            Ok(File { payload, count, rest, .. }) => match Self::checked(payload, count as usize) {
                Ok(records) => Ok((records, rest)),
                Err(error) => Err(error),
            },
            Err((at, word, len)) => Err(Self::error(at, word, len)),
        }
    }

    #[inline(always)]
    const fn error(at: At, word: u32, len: usize) -> Error {
        Error::comparison(expected::<T>(), at, word, len as u64)
    }

    /// Compares the bytes, in order, with the constants of `T`. Returns the parts of the file; or the position where
    /// the comparison ended, the word there, and the number of bytes: of the payload if the whole header matched, else
    /// of the file.
    ///
    /// These comparisons are all the code that firmware needs to open a file.
    #[inline(always)]
    const fn split_expected(bytes: &'a [u8]) -> Result<File<'a>, (At, u32, usize)> {
        let Some((start, rest)) = bytes.split_first_chunk() else {
            return Err((At::START, expected::<T>().start(), bytes.len()));
        };
        let start = u32::from_be_bytes(*start);
        let (count, end, rest) = if start == expected::<T>().start() {
            let Some((sizes, rest)) = rest.split_at_checked(4 + 4 * T::SHAPE.len()) else {
                return Err((At::START, start, bytes.len()));
            };
            let [count, sizes @ ..] = sizes.as_chunks().0 else {
                debug_assert!(false, "there is at least the number of records");
                return Err((At::START, start, bytes.len()));
            };
            if let Some((at, size)) = mismatch::of_sizes::<T>(sizes) {
                return Err((at, size, bytes.len()));
            }
            (u32::from_be_bytes(*count), At::END, rest)
        } else if T::SHAPE.is_empty() && start == expected::<T>().start_of_rank_0() {
            (1, At::END_OF_RANK_0, rest) // one record of one element
        } else {
            return Err((At::START, start, bytes.len()));
        };
        let max = match usize::MAX.checked_div(T::SIZE) {
            Some(max) => max,
            None => usize::MAX,
        };
        if count as u64 <= max as u64
            && let Some((payload, rest)) =
                rest.split_at_checked((count as usize).wrapping_mul(T::SIZE))
        {
            return Ok(File { payload, count, rest, end });
        }
        Err((end, count, rest.len()))
    }

    /// Checks the values of `len` records and returns a view of them; element type, shape and length were checked
    /// before.
    pub(crate) const fn checked(payload: &'a [u8], len: usize) -> Result<Self, Error> {
        // Does not change the result, but spares records without a constraint the call.
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
            return Err(Error::value_not_allowed(record as u64, value));
        }
        Ok(Self::unchecked(payload, len))
    }

    /// Returns a view of `len` records that were checked before.
    pub(crate) const fn unchecked(payload: &'a [u8], len: usize) -> Self {
        Self { payload, len, record: PhantomData }
    }

    /// Returns the number of records.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns record `index` by value, or `None` if there is no such record.
    ///
    /// Not available in a `const`, where no trait function can be called: index the array of
    /// [`to_array`](Self::to_array) there.
    #[must_use]
    #[inline(always)]
    pub fn get(&self, index: usize) -> Option<T> {
        T::decode(self.record_bytes(index)?)
    }

    /// Returns the bytes of record `index`, big-endian, or `None` if there is no such record.
    #[must_use]
    pub const fn record_bytes(&self, index: usize) -> Option<&'a [u8]> {
        record_bytes(self.payload, T::SIZE, self.len, index)
    }

    /// Returns the bytes of all records, one after the other, big-endian.
    #[must_use]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// Returns the records of a range, or `None` if it does not lie within `0..len`.
    ///
    /// ```
    /// # use idx_core::Records;
    /// static LABELS: Records<u8> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 4, 7, 2, 1, 0]);
    /// // The compiler can do it, too.
    /// static TEST: Records<u8> = LABELS.slice(2..4).unwrap();
    /// assert!(TEST.iter().eq([1, 0]));
    /// ```
    #[must_use]
    pub const fn slice(&self, range: Range<usize>) -> Option<Self> {
        let Range { start, end } = range;
        if start > end || end > self.len {
            return None;
        }
        // Neither product exceeds the payload.
        let (first, after) = (start.wrapping_mul(T::SIZE), end.wrapping_mul(T::SIZE));
        let Some((payload, _)) = self.payload.split_at_checked(after) else {
            debug_assert!(false, "the payload holds all records");
            return None;
        };
        let Some((_, payload)) = payload.split_at_checked(first) else {
            debug_assert!(false, "the range does not end before it starts");
            return None;
        };
        Some(Self::unchecked(payload, end.wrapping_sub(start)))
    }

    /// Decodes all records into `records`; returns `None` and changes nothing if the lengths differ.
    pub fn copy_to(&self, records: &mut [T]) -> Option<()> {
        if records.len() == self.len { T::decode_slice(self.payload, records) } else { None }
    }

    /// Returns an iterator over the records by value, from either end.
    ///
    /// In a dot product on a Cortex-M3 at opt-level z, a number takes about 10 instructions by value, 7 if borrowed
    /// with [`as_slice`](Self::as_slice), and 6 if decoded with [`to_array`](Self::to_array): use those where a program
    /// spends most of its time. In a crate of its own at opt-level 3, unrolled by four, it takes 4
    /// (`tests/firmware/kernel`).
    #[must_use]
    pub const fn iter(&self) -> RecordIter<'a, T> {
        RecordIter { rest: *self }
    }
}

impl<T: IdxRecord> Records<'static, T> {
    /// Returns the records of a file that is part of the program, checked at compile time.
    ///
    /// Use it to initialize a `static` or a `const`, where a file that does not hold records of type `T` is a compile
    /// error with the numbers in it:
    ///
    /// ```compile_fail
    /// # use idx_core::Records;
    /// // evaluation panicked: IDX: the payload is truncated: expected 4 bytes, found 3 (1 missing); ...
    /// static TRUNCATED: Records<u8> = Records::from_static(&[0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// If called at run time with such a file. Use [`Records::parse`] there.
    #[must_use]
    #[track_caller]
    #[expect(clippy::panic, reason = "in a `static` a panic is a compile error")]
    pub const fn from_static(bytes: &'static [u8]) -> Self {
        match Self::parse(bytes) {
            Ok(records) => records,
            Err(error) => {
                let mut text = ConstText::new();
                text.string("IDX: ");
                error.kind().describe(&mut text);
                panic!("{}", text.as_str())
            }
        }
    }
}

// The bounds are on the functions: on the `impl` the compiler would not print the notes of `ZeroCopy`.
#[cfg(feature = "zero-copy")]
impl<T: IdxRecord> Records<'static, T> {
    /// Decodes the records at compile time, to the machine's byte order and alignment, as if they had been written in
    /// the source.
    ///
    /// Use it for weights and tables that the processor reads often: a number then takes one load, where a borrowed
    /// [`be`](crate::be) element takes loads and a byte swap. The type of the `static` gives the record type and the
    /// number of records:
    ///
    /// ```
    /// use idx_core::Records;
    ///
    /// // In firmware: `include_bytes!("weights.idx")`.
    /// static WEIGHTS: [[i16; 3]; 2] = Records::from_static(&[
    ///     0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 3, // i16, 2 x 3
    ///     0, 1, 0xFF, 0xFE, 0, 3, 0, 4, 0, 5, 0x7F, 0xFF,
    /// ])
    /// .to_array();
    ///
    /// assert_eq!(WEIGHTS, [[1, -2, 3], [4, 5, i16::MAX]]);
    /// ```
    ///
    /// Structs of numbers with `#[repr(C)]` and label enums are decoded as well; see [`Native`]. To use the value of
    /// one record in a `const`, index the array:
    ///
    /// ```
    /// use idx_core::{IdxRecord, Records};
    ///
    /// #[derive(IdxRecord, Clone, Copy)]
    /// #[repr(C)]
    /// struct Calibration { offset: i16, gain: [i16; 2] }
    ///
    /// const CHANNELS: [Calibration; 1] = Records::from_static(&[
    ///     0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0xFF, 0xFF, 1, 0, 0, 2,
    /// ])
    /// .to_array();
    /// const OFFSET: i16 = CHANNELS[0].offset;
    ///
    /// assert_eq!((OFFSET, CHANNELS[0].gain), (-1, [256, 2]));
    /// ```
    ///
    /// A different number of records is a compile error:
    ///
    /// ```compile_fail,E0080
    /// # use idx_core::Records;
    /// // evaluation panicked: IDX: the file has 3 records but the array needs 2; ...
    /// static BIAS: [i8; 2] = Records::from_static(&[0, 0, 9, 1, 0, 0, 0, 3, 1, 2, 3]).to_array();
    /// ```
    ///
    /// For a greater alignment, as DMA and SIMD require, wrap the array in a type:
    ///
    /// ```
    /// # use idx_core::Records;
    /// #[repr(align(16))]
    /// struct Aligned<T>(T);
    ///
    /// static BIAS: Aligned<[i8; 3]> =
    ///     Aligned(Records::from_static(&[0, 0, 9, 1, 0, 0, 0, 3, 1, 2, 3]).to_array());
    ///
    /// assert_eq!((&raw const BIAS.0).addr() % 16, 0);
    /// ```
    ///
    /// For far more than 100,000 numbers, the compiler complains about a long evaluation: put
    /// `#[allow(long_running_const_eval)]` on the `static`. Bytes have no limit.
    ///
    /// # Panics
    ///
    /// If called at run time and the number of records is not `N`.
    #[must_use]
    #[track_caller]
    #[expect(clippy::panic, reason = "in a `static` a panic is a compile error")]
    pub const fn to_array<const N: usize>(&self) -> [T; N]
    where
        T: Native,
    {
        if self.len == N
            && let Some(array) = zero_copy::decode(self.payload)
        {
            return array;
        }
        let mut text = ConstText::<240>::new();
        text.fill(Template::new(
            "IDX: the file has # record% but the array needs #; change the length of the array",
            [self.len as u64, N as u64, 0],
        ));
        panic!("{}", text.as_str())
    }
}

#[cfg(feature = "zero-copy")]
impl<'a, T: IdxRecord> Records<'a, T> {
    /// Borrows all records in place from the file's bytes, without a copy.
    ///
    /// The records need the memory layout of the file; see [`ZeroCopy`].
    #[must_use]
    pub const fn as_slice(&self) -> &'a [T]
    where
        T: ZeroCopy,
    {
        zero_copy::cast(self.payload)
    }

    /// Borrows record `index` in place from the file's bytes, or returns `None` if there is no such record.
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

/// Returns record `index` of `len` records of `size` bytes.
pub(crate) const fn record_bytes(
    payload: &[u8],
    size: usize,
    len: usize,
    index: usize,
) -> Option<&[u8]> {
    if index >= len {
        return None;
    }
    let Some(start) = index.checked_mul(size) else {
        debug_assert!(false, "the payload is in memory, so each offset in it fits");
        return None;
    };
    let Some((_, from_here)) = payload.split_at_checked(start) else {
        debug_assert!(false, "the payload holds all records");
        return None;
    };
    match from_here.split_at_checked(size) {
        Some((record, _)) => Some(record),
        None => {
            debug_assert!(false, "the payload holds all records");
            None
        }
    }
}

impl<T: IdxRecord> Clone for Records<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: IdxRecord> Copy for Records<'_, T> {}

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

/// An iterator over the records of a [`Records`] view, by value.
pub struct RecordIter<'a, T: IdxRecord> {
    rest: Records<'a, T>,
}

impl<T: IdxRecord> RecordIter<'_, T> {
    /// Keeps only the records of a range.
    fn keep(&mut self, range: Range<usize>) {
        let rest = self.rest.slice(range);
        debug_assert!(rest.is_some(), "the range lies within the records");
        self.rest = rest.unwrap_or(self.rest);
    }
}

impl<T: IdxRecord> Iterator for RecordIter<'_, T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        // Not `keep`: when optimizing for size, the compiler would call it for each number.
        self.rest.len = self.rest.len.checked_sub(1)?;
        let (record, rest) = self.rest.payload.split_at_checked(T::SIZE)?;
        self.rest.payload = rest;
        T::decode(record)
    }

    fn nth(&mut self, count: usize) -> Option<T> {
        self.keep(count.min(self.rest.len)..self.rest.len);
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
        let last = self.rest.len.checked_sub(1)?;
        let record = self.rest.get(last);
        self.keep(0..last);
        record
    }

    fn nth_back(&mut self, count: usize) -> Option<T> {
        self.keep(0..self.rest.len.saturating_sub(count));
        self.next_back()
    }
}

impl<T: IdxRecord> ExactSizeIterator for RecordIter<'_, T> {
    fn len(&self) -> usize {
        self.rest.len
    }
}

impl<T: IdxRecord> FusedIterator for RecordIter<'_, T> {}

impl<T: IdxRecord> Clone for RecordIter<'_, T> {
    fn clone(&self) -> Self {
        Self { rest: self.rest }
    }
}

impl<T: IdxRecord + fmt::Debug> fmt::Debug for RecordIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RecordIter").field(&self.rest).finish()
    }
}

/// The number of records.
#[cfg(feature = "defmt")]
impl<T: IdxRecord> defmt::Format for Records<'_, T> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=usize} records", self.len);
    }
}
