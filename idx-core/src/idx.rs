//! The untyped view of a file in memory, whose element type and shape are known only at run time.

use crate::element::Element;
use crate::error::Error;
#[cfg(doc)]
use crate::error_kind::ErrorKind;
use crate::header::Header;
use crate::mismatch;
use crate::record::IdxRecord;
use crate::records::{Records, record_bytes};

/// A file of any type and shape: its header and its payload.
///
/// Use it when element type and shape are known only at run time. If they are known in advance, [`Records::parse`] does
/// the same in one step.
///
/// ```
/// use idx_core::Idx;
///
/// let file = [0, 0, 0x0B, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0, 2, 0xFF, 0xFF, 0, 4];
/// let idx = Idx::parse(&file)?;
/// assert_eq!(idx.len(), 2);
/// assert_eq!(idx.record_bytes(1), Some(&[0xFF, 0xFF, 0, 4][..]));
///
/// let rows = idx.records::<[i16; 2]>()?;
/// assert_eq!(rows.get(1), Some([-1, 4]));
/// assert!(idx.elements::<i16>()?.iter().eq([1, 2, -1, 4]));
/// # Ok::<(), idx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Idx<'a> {
    header: Header<'a>,
    payload: &'a [u8],
    len: usize,
    record_size: usize,
}

impl<'a> Idx<'a> {
    /// Parses all of `bytes` as one file.
    ///
    /// # Errors
    ///
    /// The errors of [`Idx::parse_prefix`], then bytes after the payload ([`ErrorKind::TrailingBytes`]).
    pub const fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        match Self::parse_prefix(bytes) {
            Ok((idx, [])) => Ok(idx),
            Ok((_, rest)) => Err(Error::trailing_bytes(bytes, rest)),
            Err(error) => Err(error),
        }
    }

    /// Parses the file at the start of `bytes` and returns the bytes after it.
    ///
    /// For a file in a padded flash partition, or several arrays in one blob.
    ///
    /// # Errors
    ///
    /// The first of: the errors of [`Header::parse`], a file too large for this machine's `usize`
    /// ([`ErrorKind::Unaddressable`]), a truncated payload ([`ErrorKind::Truncated`]).
    pub const fn parse_prefix(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        let (header, rest) = match Header::parse(bytes) {
            Ok(parsed) => parsed,
            Err(error) => return Err(error),
        };
        let size = match to_usize(header.payload_size()) {
            Ok(size) => size,
            Err(error) => return Err(error),
        };
        // A record without bytes takes no payload, but still counts as a record.
        let len = match to_usize(header.record_count() as u64) {
            Ok(len) => len,
            Err(error) => return Err(error),
        };
        let Some((payload, rest)) = rest.split_at_checked(size) else {
            return Err(Error::truncated(size as u64, rest.len()));
        };
        let record_size = match payload.len().checked_div(len) {
            Some(size) => size,
            None => 0, // no records, so none has a size
        };
        Ok((Self { header, payload, len, record_size }, rest))
    }

    /// Returns the element type and the sizes.
    #[must_use]
    pub const fn header(&self) -> Header<'a> {
        self.header
    }

    /// Returns the bytes of all elements, big-endian, the last dimension fastest.
    #[must_use]
    pub const fn payload(&self) -> &'a [u8] {
        self.payload
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

    /// Returns the bytes of record `index`, big-endian, or `None` if there is no such record.
    #[must_use]
    pub const fn record_bytes(&self, index: usize) -> Option<&'a [u8]> {
        record_bytes(self.payload, self.record_size, self.len, index)
    }

    /// Returns the records as values of type `T`.
    ///
    /// # Errors
    ///
    /// The first of: a different element type ([`ErrorKind::ElementMismatch`]), a different rank
    /// ([`ErrorKind::RankMismatch`]), a different size ([`ErrorKind::ShapeMismatch`]), a value that `T` does not allow
    /// ([`ErrorKind::ValueNotAllowed`]).
    pub const fn records<T: IdxRecord>(&self) -> Result<Records<'a, T>, Error> {
        match mismatch::of_header::<T>(&self.header) {
            Some(error) => Err(error),
            None => Records::checked(self.payload, self.len),
        }
    }

    /// Returns all elements as records of one element, whatever the shape of the file.
    ///
    /// # Errors
    ///
    /// The first of: a different element type ([`ErrorKind::ElementMismatch`]), a value that `E` does not allow
    /// ([`ErrorKind::ValueNotAllowed`], with the index of the element as `record`).
    pub const fn elements<E: Element>(&self) -> Result<Records<'a, E>, Error> {
        match mismatch::of_element::<E>(&self.header) {
            Some(error) => Err(error),
            None => Records::checked(self.payload, self.payload.len() / E::ELEMENT.size()),
        }
    }
}

/// Converts a size to a `usize` of 16, 32 or 64 bits; one that does not fit is an error, never truncated.
#[expect(clippy::cast_possible_truncation, reason = "compared just after")]
#[inline(always)]
const fn to_usize(size: u64) -> Result<usize, Error> {
    let converted = size as usize;
    if converted as u64 == size { Ok(converted) } else { Err(Error::unaddressable(size)) }
}

/// An empty array of `u8`: one dimension of size 0, no records.
///
/// ```
/// use idx_core::Idx;
///
/// assert_eq!(Ok(Idx::default()), Idx::parse(&[0, 0, 0x08, 1, 0, 0, 0, 0]));
/// ```
impl Default for Idx<'_> {
    fn default() -> Self {
        Self { header: Header::EMPTY, payload: &[], len: 0, record_size: 0 }
    }
}

/// The number of records.
#[cfg(feature = "defmt")]
impl defmt::Format for Idx<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=usize} records", self.len());
    }
}
