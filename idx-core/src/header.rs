//! Parses and writes the header: element type and dimensions.

use core::iter::{Copied, Map};
use core::{fmt, slice};

use crate::element_type::ElementType;
use crate::error::Error;
#[cfg(doc)]
use crate::error_kind::ErrorKind;

/// The header of a file: element type and sizes.
///
/// It borrows the sizes from the bytes it was parsed from, so a rank of 255 costs no memory.
///
/// ```
/// use idx_core::{ElementType, Header};
///
/// // u8, two dimensions: 3 records of 2 elements. The rest is the payload.
/// let file = [0, 0, 0x08, 2, 0, 0, 0, 3, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6];
/// let (header, rest) = Header::parse(&file)?;
/// assert_eq!(header.element_type(), ElementType::U8);
/// assert!(header.dims().iter().eq([3, 2]));
/// assert_eq!(header.payload_size(), 6);
/// assert_eq!(rest, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), idx_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Header<'a> {
    element_type: ElementType,
    dims: Dims<'a>,
    payload_size: u64,
}

impl<'a> Header<'a> {
    /// The header of an empty array of `u8`.
    pub(crate) const EMPTY: Self =
        Self { element_type: ElementType::U8, dims: Dims { sizes: &[[0; 4]] }, payload_size: 0 };

    /// Parses the header at the start of `bytes` and returns it with the bytes after it, which are not checked.
    ///
    /// # Errors
    ///
    /// The first of: [`ErrorKind::Empty`], [`ErrorKind::Gzip`], [`ErrorKind::NotIdx`],
    /// [`ErrorKind::UnknownElementType`], [`ErrorKind::HeaderTruncated`], [`ErrorKind::TooLarge`].
    #[inline(always)]
    pub const fn parse(bytes: &'a [u8]) -> Result<(Self, &'a [u8]), Error> {
        let Some((start, rest)) = bytes.split_first_chunk() else {
            return Err(Error::header(bytes));
        };
        let [0, 0, code, rank] = *start else {
            return Err(Error::header(bytes));
        };
        let Some(element_type) = ElementType::from_code(code) else {
            return Err(Error::header(bytes));
        };
        let sizes_size = 4 * rank as usize;
        let Some((sizes, rest)) = rest.split_at_checked(sizes_size) else {
            return Err(Error::header(bytes));
        };
        let dims = Dims { sizes: sizes.as_chunks().0 };
        match dims.byte_size(element_type) {
            Ok(payload_size) => Ok((Self { element_type, dims, payload_size }, rest)),
            Err(error) => Err(error),
        }
    }

    /// Creates a header with these sizes, each in big-endian bytes as in the file: `3_u32.to_be_bytes()`.
    ///
    /// Returns `None` for more than 255 dimensions, or a payload of 2^64 bytes or more. If the record type is known,
    /// [`header`](crate::header()) needs no sizes.
    #[must_use]
    pub const fn new(element_type: ElementType, sizes: &'a [[u8; 4]]) -> Option<Self> {
        let dims = Dims { sizes };
        match dims.byte_size(element_type) {
            Ok(payload_size) if sizes.len() <= 255 => {
                Some(Self { element_type, dims, payload_size })
            }
            _ => None,
        }
    }

    /// Writes the header to the start of `bytes` and returns the bytes after it; `None` if there are fewer than
    /// [`header_size`](Self::header_size) bytes.
    ///
    /// ```
    /// use idx_core::{ElementType, Header};
    ///
    /// let sizes = [7_u32, 3].map(u32::to_be_bytes);
    /// let header = Header::new(ElementType::I16, &sizes).unwrap();
    /// let mut file = [0; 100];
    /// let rest = header.write(&mut file).unwrap();
    /// assert_eq!(rest.len(), 88);
    /// assert_eq!(file[..12], [0, 0, 0x0B, 2, 0, 0, 0, 7, 0, 0, 0, 3]);
    /// ```
    pub const fn write<'b>(&self, bytes: &'b mut [u8]) -> Option<&'b mut [u8]> {
        let Some((header, rest)) = bytes.split_at_mut_checked(self.header_size()) else {
            return None;
        };
        let (mut words, _) = header.as_chunks_mut();
        let mut next = [0, 0, self.element_type.code(), self.rank()];
        let mut sizes = self.dims.sizes;
        while let [word, after @ ..] = words {
            *word = next;
            if let [size, others @ ..] = sizes {
                (next, sizes) = (*size, others);
            }
            words = after;
        }
        Some(rest)
    }

    /// Returns the type of the elements.
    #[must_use]
    #[inline]
    pub const fn element_type(&self) -> ElementType {
        self.element_type
    }

    /// Returns the number of dimensions.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "it was read from one byte")]
    #[inline]
    pub const fn rank(&self) -> u8 {
        self.dims.len() as u8
    }

    /// Returns the sizes of all dimensions, the number of records first.
    #[must_use]
    #[inline]
    pub const fn dims(&self) -> Dims<'a> {
        self.dims
    }

    /// Returns the sizes of a record's dimensions: all but the first.
    #[must_use]
    #[inline(always)]
    pub const fn record_dims(&self) -> Dims<'a> {
        match self.dims.sizes {
            [_, sizes @ ..] => Dims { sizes },
            [] => self.dims,
        }
    }

    /// Returns the size of the header itself in bytes: 4, plus 4 for each dimension.
    #[must_use]
    #[inline]
    pub const fn header_size(&self) -> usize {
        4 + 4 * self.rank() as usize
    }

    /// Returns the size of all elements in bytes; 0 if one of the sizes is 0.
    #[must_use]
    #[inline]
    pub const fn payload_size(&self) -> u64 {
        self.payload_size
    }

    /// Returns the number of records: the size of dimension 0, or 1 for a file of rank 0.
    #[must_use]
    #[inline]
    pub const fn record_count(&self) -> u32 {
        match self.dims.get(0) {
            Some(count) => count,
            None => 1,
        }
    }

    /// Returns the size of one record in bytes, or `None` if a `u64` cannot hold it.
    ///
    /// A file of 0 x 2^31 x 2^31 x 2^31 is valid and empty, even though no record of that size can exist.
    #[must_use]
    pub const fn record_size(&self) -> Option<u64> {
        match self.record_dims().byte_size(self.element_type) {
            Ok(size) => Some(size),
            Err(_) => None,
        }
    }
}

/// The sizes of a header's dimensions, or of some of them, borrowed from its bytes.
///
/// ```
/// # use idx_core::Header;
/// let (header, _) = Header::parse(&[0, 0, 0x0D, 2, 0, 0, 0, 7, 0, 0, 0, 3])?;
/// let dims = header.dims();
/// assert_eq!((dims.len(), dims.get(1), dims.get(2)), (2, Some(3), None));
/// assert_eq!(dims.iter().collect::<Vec<u32>>(), [7, 3]);
/// assert_eq!(dims.to_string(), "7 x 3");
/// # Ok::<(), idx_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dims<'a> {
    sizes: &'a [[u8; 4]],
}

impl<'a> Dims<'a> {
    /// Returns the number of dimensions.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Returns whether there are no dimensions.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns the size of dimension `index`, or `None` if there is no such dimension.
    #[must_use]
    #[inline(always)]
    pub const fn get(&self, index: usize) -> Option<u32> {
        match self.sizes.split_at_checked(index) {
            Some((_, [size, ..])) => Some(u32::from_be_bytes(*size)),
            _ => None,
        }
    }

    /// Returns the sizes in the order of the file.
    pub fn iter(&self) -> DimsIter<'a> {
        self.sizes.iter().copied().map(u32::from_be_bytes)
    }

    /// Returns the sizes as they are in the file.
    #[inline(always)]
    pub(crate) const fn sizes(&self) -> &'a [[u8; 4]] {
        self.sizes
    }

    /// Returns the size in bytes of an array with these dimensions.
    #[expect(clippy::cast_possible_truncation, reason = "the halves of a `u64`")]
    #[inline(always)]
    const fn byte_size(&self, element_type: ElementType) -> Result<u64, Error> {
        // One size of 0 makes the array empty, even if the product of the others overflows.
        let mut sizes = self.sizes;
        while let [size, rest @ ..] = sizes {
            if u32::from_be_bytes(*size) == 0 {
                return Ok(0);
            }
            sizes = rest;
        }
        // In halves: `checked_mul` would also multiply by the upper half of each size, which is 0.
        let (mut low, mut high) = (element_type.size() as u32, 0);
        let mut sizes = self.sizes;
        while let [size, rest @ ..] = sizes {
            let size = u32::from_be_bytes(*size);
            let product = low as u64 * size as u64;
            let above = (high as u64 * size as u64).wrapping_add(product >> 32);
            if above > u32::MAX as u64 {
                let dimension = self.len().wrapping_sub(sizes.len());
                return Err(Error::too_large(dimension, size));
            }
            (low, high) = (product as u32, above as u32);
            sizes = rest;
        }
        Ok((high as u64) << 32 | low as u64)
    }
}

impl<'a> IntoIterator for Dims<'a> {
    type Item = u32;
    type IntoIter = DimsIter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &Dims<'a> {
    type Item = u32;
    type IntoIter = DimsIter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Writes the sizes with " x " between them, as in "60000 x 28 x 28"; nothing for rank 0.
impl fmt::Display for Dims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for size in self {
            write!(f, "{separator}{size}")?;
            separator = " x ";
        }
        Ok(())
    }
}

/// Writes the [`Display`](fmt::Display) form: the sizes with " x " between them.
#[cfg(feature = "defmt")]
impl defmt::Format for Dims<'_> {
    fn format(&self, f: defmt::Formatter<'_>) {
        let mut separator = "";
        for size in self {
            defmt::write!(f, "{=str}{}", separator, size);
            separator = " x ";
        }
    }
}

/// An iterator over the sizes in [`Dims`].
pub type DimsIter<'a> = Map<Copied<slice::Iter<'a, [u8; 4]>>, fn([u8; 4]) -> u32>;
