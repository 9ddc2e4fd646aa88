//! The owned header of a file; only this file writes headers.

use std::cmp::Ordering;
use std::fmt;

use idx_core::{Element, ElementType, Header, IdxRecord};

use crate::error::{Error, ErrorKind};

/// The first two bytes of a file that is not finished.
const UNFINISHED: [u8; 2] = [0xFF, 0xFF];

/// The bit set in the third byte, the code of the element type, of such a file.
const UNFINISHED_CODE: u8 = 0x80;

/// The element type and the sizes of a file: the owned twin of [`Header`], which borrows its bytes.
///
/// It displays as "u8, 60000 x 28 x 28".
///
/// ```
/// use idx_std::{ElementType, HeaderBuf};
///
/// let header = HeaderBuf::new(ElementType::U8, &[60000, 28, 28])?;
/// assert_eq!(header.to_string(), "u8, 60000 x 28 x 28");
/// assert_eq!((header.record_count(), header.record_shape()), (60000, &[28, 28][..]));
/// assert_eq!(header.to_bytes(), *b"\0\0\x08\x03\0\0\xEA\x60\0\0\0\x1C\0\0\0\x1C");
/// # Ok::<(), idx_std::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeaderBuf {
    element_type: ElementType,
    dims: Vec<u32>,
}

impl HeaderBuf {
    /// Creates a header with the sizes of all dimensions, the number of records first; `[]` is rank 0.
    ///
    /// # Errors
    ///
    /// More than 255 dimensions ([`shape_too_large`](ErrorKind::code)), and a payload of 2^64 bytes or more
    /// ([`ErrorKind::Format`] with `TooLarge`).
    pub fn new(element_type: ElementType, dims: &[u32]) -> Result<Self, Error> {
        if dims.len() > usize::from(u8::MAX) {
            let shape = dims.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX));
            return Err(ErrorKind::ShapeTooLarge { shape: shape.collect() }.into());
        }
        let header = Self { element_type, dims: dims.to_vec() };
        // The parser checks the size of the payload, and says why it is too large.
        Header::parse(&header.to_bytes())?;
        Ok(header)
    }

    /// Returns the header for elements in memory with this shape.
    pub(crate) fn of_shape(element_type: ElementType, shape: &[usize]) -> Result<Self, Error> {
        let dims = shape.iter().map(|size| u32::try_from(*size)).collect::<Result<Vec<_>, _>>();
        let dims = dims.map_err(|_| ErrorKind::ShapeTooLarge { shape: shape.to_vec() })?;
        Self::new(element_type, &dims)
    }

    /// Returns the sizes of all dimensions as `usize`, for arrays in memory.
    pub(crate) fn shape(&self) -> Result<Vec<usize>, ErrorKind> {
        let size = |size: &u32| {
            let too_large = |_| idx_core::ErrorKind::Unaddressable { size: (*size).into() };
            usize::try_from(*size).map_err(too_large)
        };
        Ok(self.dims.iter().map(size).collect::<Result<_, _>>()?)
    }

    /// Returns the type of the elements.
    #[must_use]
    pub fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// Returns the sizes of all dimensions, the number of records first.
    #[must_use]
    pub fn dims(&self) -> &[u32] {
        &self.dims
    }

    /// Returns the sizes of a record's dimensions: all but the first.
    #[must_use]
    pub fn record_shape(&self) -> &[u32] {
        self.dims.get(1..).unwrap_or_default()
    }

    /// Returns the number of records: the size of dimension 0, and 1 for a file of rank 0.
    #[must_use]
    pub fn record_count(&self) -> u32 {
        self.dims.first().copied().unwrap_or(1)
    }

    /// Returns the size of one record in bytes, or `None` if it overflows a `u64`, which is possible only in an empty
    /// file.
    #[must_use]
    pub fn record_size(&self) -> Option<u64> {
        let shape = self.record_shape().iter().copied().map(u64::from);
        byte_size(self.element_type.size(), shape)
    }

    /// Returns the size of all elements in bytes.
    #[must_use]
    pub fn payload_size(&self) -> u64 {
        let sizes = self.dims.iter().copied().map(u64::from);
        // The header of an unfinished file may claim more than fits.
        byte_size(self.element_type.size(), sizes).unwrap_or(u64::MAX)
    }

    /// Returns the size of the header itself in bytes: 4, and 4 for each dimension.
    #[must_use]
    pub(crate) fn header_size(&self) -> usize {
        4 + 4 * self.dims.len()
    }

    /// Checks the size of the file against a limit, before memory is allocated for what the header claims.
    pub(crate) fn check_limit(&self, limit: Option<u64>) -> Result<(), ErrorKind> {
        let needed = self.file_size();
        match limit {
            Some(limit) if needed > limit => Err(ErrorKind::LimitExceeded { limit, needed }),
            _ => Ok(()),
        }
    }

    /// Checks the size of a plain file against the header; the error has no path.
    pub(crate) fn check_file_size(&self, size: u64) -> Result<(), Error> {
        let (offset, needed) = (self.file_size(), self.payload_size());
        let found = size.saturating_sub(self.header_size() as u64);
        let kind = match found.cmp(&needed) {
            Ordering::Equal => return Ok(()),
            Ordering::Less => idx_core::ErrorKind::Truncated { needed, found }.into(),
            Ordering::Greater => {
                ErrorKind::trailing_bytes(offset, found - needed, needed, self.record_size())
            }
        };
        Err(Error::from(kind).with_records(self.whole_records(found.min(needed))))
    }

    /// Returns the size of an uncompressed file in bytes: the header and the payload.
    #[must_use]
    pub fn file_size(&self) -> u64 {
        (self.header_size() as u64).saturating_add(self.payload_size())
    }

    /// Returns the header as it is in a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let rank = u8::try_from(self.dims.len());
        debug_assert!(rank.is_ok(), "a header has at most 255 dimensions");
        let mut bytes = vec![0, 0, self.element_type.code(), rank.unwrap_or(u8::MAX)];
        bytes.extend(self.dims.iter().flat_map(|size| size.to_be_bytes()));
        bytes
    }

    /// Returns the header of an unfinished file, as long as the final one.
    ///
    /// No reader mistakes such a file for a complete one, whatever its records. Readers that check the magic number
    /// reject it: this project, idx2numpy and torchvision because it does not start with two zeros, python-mnist
    /// because it is neither 2049 nor 2051. Readers that skip those two bytes find an unknown element type. Readers
    /// that use only the number of records find too few. A large number of records would not be enough: records of zero
    /// bytes are complete in any number, and rank 0 has no number.
    pub(crate) fn to_unfinished_bytes(&self) -> Vec<u8> {
        let mut bytes = self.with_record_count(u32::MAX).to_bytes();
        if let Some([first, second, code]) = bytes.first_chunk_mut() {
            [*first, *second] = UNFINISHED;
            *code |= UNFINISHED_CODE;
        }
        bytes
    }

    /// Returns the first four bytes of the finished header, if these are the first four of an unfinished one.
    #[must_use]
    pub fn finished_start(bytes: &[u8]) -> Option<[u8; 4]> {
        match *bytes {
            [first, second, code, rank, ..] if [first, second] == UNFINISHED => {
                let finished = code ^ UNFINISHED_CODE;
                ElementType::from_code(finished).map(|_| [0, 0, finished, rank])
            }
            _ => None,
        }
    }

    /// Returns the same header with another number of records; rank 0 keeps its one record.
    #[must_use]
    pub(crate) fn with_record_count(&self, count: u32) -> Self {
        let mut header = self.clone();
        if let Some(size) = header.dims.first_mut() {
            *size = count;
        }
        header
    }

    /// Checks that a file with this header holds records of type `T`.
    ///
    /// # Errors
    ///
    /// The first difference between the file and `T` ([`ErrorKind::Format`]).
    pub fn check<T: IdxRecord>(&self) -> Result<(), ErrorKind> {
        let bytes = self.to_bytes();
        let (header, _) = Header::parse(&bytes)?;
        match idx_core::__private::mismatch::<T>(&header) {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    /// Checks that a file with this header holds elements of type `E`.
    pub(crate) fn check_element<E: Element>(&self) -> Result<(), ErrorKind> {
        let (expected, found) = (E::ELEMENT, self.element_type);
        if expected == found {
            Ok(())
        } else {
            Err(idx_core::ErrorKind::ElementMismatch { expected, found }.into())
        }
    }

    /// Returns the number of whole records in the first `bytes` bytes of the payload: all, if records have no bytes.
    #[must_use]
    pub fn whole_records(&self, bytes: u64) -> u64 {
        let whole = self.record_size().and_then(|size| bytes.checked_div(size));
        whole.unwrap_or(self.record_count().into())
    }
}

/// Returns the size of an array in bytes, given the size of an element, if it fits in 64 bits; 0 if one of the sizes is
/// 0.
#[must_use]
pub fn byte_size(element: usize, mut sizes: impl Iterator<Item = u64> + Clone) -> Option<u64> {
    match sizes.clone().any(|size| size == 0) {
        true => Some(0),
        false => sizes.try_fold(element as u64, u64::checked_mul),
    }
}

impl From<Header<'_>> for HeaderBuf {
    fn from(header: Header<'_>) -> Self {
        Self { element_type: header.element_type(), dims: header.dims().iter().collect() }
    }
}

impl fmt::Display for HeaderBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.element_type, Shape(&self.dims))
    }
}

/// Sizes as text: "28 x 28", or "a single element" for rank 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape<'a, S = u32>(pub &'a [S]);

impl<S: fmt::Display> fmt::Display for Shape<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(S::to_string).collect();
        match sizes.as_slice() {
            [] => f.write_str("a single element"),
            _ => f.write_str(&sizes.join(" x ")),
        }
    }
}
