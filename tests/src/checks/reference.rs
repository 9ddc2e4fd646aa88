//! A second decoder, by which the others are judged: as simple as the description of the format, and
//! without a line in common with `idx-core` but the names of what it answers with.

use idx_core::{ElementType, Error};

use super::sample::Kind;

/// The most records of no bytes that are gone through: twelve bytes can hold 2^32 of them.
pub(super) const MOST_EMPTY_RECORDS: u64 = 1000;

/// What a file says in its header, and the bytes after that.
#[derive(Clone, Debug)]
pub struct File<'a> {
    /// The type of the elements.
    pub element_type: ElementType,
    /// The sizes of all dimensions.
    pub sizes: Vec<u32>,
    /// All bytes after the header, whatever the header says.
    pub rest: &'a [u8],
}

impl<'a> File<'a> {
    /// The header, or the first thing that is wrong with it.
    ///
    /// # Errors
    ///
    /// In this order: nothing there, gzip, the first two bytes, the element type, a header that is
    /// cut, sizes that multiply to more than 64 bits.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let found = bytes.len();
        if bytes.is_empty() {
            return Err(Error::Empty);
        }
        if bytes.starts_with(&[0x1F, 0x8B]) {
            return Err(Error::Gzip);
        }
        if bytes.iter().take(2).any(|byte| *byte != 0) {
            let at = |offset| bytes.get(offset).copied().unwrap_or(0);
            let start = [at(0), at(1), at(2), at(3)];
            return Err(Error::NotIdx { start });
        }
        let element_type = match bytes.get(2) {
            Some(0x08) => ElementType::U8,
            Some(0x09) => ElementType::I8,
            Some(0x0B) => ElementType::I16,
            Some(0x0C) => ElementType::I32,
            Some(0x0D) => ElementType::F32,
            Some(0x0E) => ElementType::F64,
            Some(code) => return Err(Error::UnknownElementType { code: *code }),
            None => return Err(Error::HeaderTruncated { needed: 4, found }),
        };
        let Some(rank) = bytes.get(3) else {
            return Err(Error::HeaderTruncated { needed: 4, found });
        };
        let needed = 4 + 4 * usize::from(*rank);
        if found < needed {
            return Err(Error::HeaderTruncated { needed, found });
        }
        let sizes = bytes[4..needed]
            .chunks(4)
            .map(|size| u32::from_be_bytes([size[0], size[1], size[2], size[3]]))
            .collect();
        let file = Self {
            element_type,
            sizes,
            rest: &bytes[needed..],
        };
        match file.too_large() {
            Some(error) => Err(error),
            None => Ok(file),
        }
    }

    /// The first dimension with which the elements take 2^64 bytes or more.
    fn too_large(&self) -> Option<Error> {
        (1..=self.sizes.len())
            .find(|rank| {
                !self.sizes.contains(&0)
                    && product(self.element_type, &self.sizes[..*rank]) > u128::from(u64::MAX)
            })
            .map(|rank| Error::TooLarge {
                dimension: rank - 1,
                size: self.sizes[rank - 1],
            })
    }

    /// The size of the header in bytes.
    #[must_use]
    pub fn header_size(&self) -> u64 {
        4 + 4 * self.sizes.len() as u64
    }

    /// The size of all elements in bytes.
    ///
    /// # Panics
    ///
    /// Never, as [`File::parse`] refuses what does not fit.
    #[must_use]
    pub fn payload_size(&self) -> u64 {
        u64::try_from(product(self.element_type, &self.sizes)).expect("it is not too large")
    }

    /// The sizes of a record.
    #[must_use]
    pub fn record_sizes(&self) -> &[u32] {
        self.sizes.get(1..).unwrap_or_default()
    }

    /// The size of a record in bytes, unless that takes more than 64 bits.
    #[must_use]
    pub fn record_size(&self) -> Option<u64> {
        u64::try_from(product(self.element_type, self.record_sizes())).ok()
    }

    /// The number of records that the header promises.
    #[must_use]
    pub fn record_count(&self) -> u64 {
        self.sizes.first().map_or(1, |count| u64::from(*count))
    }

    /// The payload, or what is there of it.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        let size = usize::try_from(self.payload_size()).unwrap_or(usize::MAX);
        &self.rest[..size.min(self.rest.len())]
    }

    /// The whole records that are there.
    pub fn records(&self) -> impl Iterator<Item = &'a [u8]> {
        let payload = self.payload();
        let size = usize::try_from(self.record_size().unwrap_or(0)).unwrap_or(usize::MAX);
        (0..self.whole_records()).map(move |index| {
            let index = usize::try_from(index).expect("there are bytes for them, or none needed");
            &payload[index * size..][..size]
        })
    }

    /// The number of whole records that are there.
    #[must_use]
    pub fn whole_records(&self) -> u64 {
        let size = self.record_size().unwrap_or(0);
        (self.payload().len() as u64)
            .checked_div(size)
            .unwrap_or(self.record_count())
    }

    /// Whether there are more records of no bytes than can be gone through.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.record_size() == Some(0) && self.record_count() > MOST_EMPTY_RECORDS
    }

    /// The error for a payload that this machine cannot address; only one of 32 bits has it.
    #[must_use]
    pub fn unaddressable(&self) -> Option<Error> {
        unaddressable(self.payload_size())
    }

    /// The error for records of which this machine cannot address even one.
    pub(super) fn unaddressable_record(&self) -> Option<Error> {
        (self.record_count() > 0)
            .then(|| unaddressable(self.record_size().unwrap_or(0)))
            .flatten()
    }

    /// The error for a payload that is cut.
    #[must_use]
    pub fn cut(&self) -> Option<Error> {
        let (needed, found) = (self.payload_size(), self.rest.len() as u64);
        (found < needed).then_some(Error::Truncated { needed, found })
    }

    /// The error for bytes after the payload.
    #[must_use]
    pub fn left_over(&self) -> Option<Error> {
        let (needed, found) = (self.payload_size(), self.rest.len() as u64);
        (found > needed).then(|| Error::TrailingBytes {
            offset: self.header_size() + needed,
            count: found - needed,
        })
    }

    /// Whether the bytes end where the payload does.
    pub(super) fn check_end(&self) -> Result<(), Error> {
        first([self.cut(), self.left_over()])
    }

    /// The error for records of another kind.
    pub(super) fn mismatch(&self, kind: &Kind) -> Option<Error> {
        if self.element_type != kind.element_type {
            return Some(Error::ElementMismatch {
                expected: kind.element_type,
                found: self.element_type,
            });
        }
        if self.record_sizes().len() != kind.shape.len() {
            return Some(Error::RankMismatch {
                expected: kind.shape.len() + 1,
                found: self.sizes.len(),
            });
        }
        let sizes = self.record_sizes().iter().zip(kind.shape);
        sizes
            .zip(1..)
            .find(|((found, expected), _)| found != expected)
            .map(|((found, expected), dimension)| Error::ShapeMismatch {
                dimension,
                expected: *expected,
                found: *found,
            })
    }

    /// Whether the records are of this kind, in element type, rank and shape and then in their values.
    pub(super) fn check_records(&self, kind: &Kind) -> Result<(), Error> {
        first([self.mismatch(kind)])?;
        first([self.refused(kind)])
    }

    /// The error for the first value of the whole records that is not allowed.
    pub(super) fn refused(&self, kind: &Kind) -> Option<Error> {
        if self.record_size() == Some(0) {
            return None; // however many there are
        }
        (0..)
            .zip(self.records())
            .find_map(|(index, record)| refused(kind, index, record))
    }
}

fn unaddressable(size: u64) -> Option<Error> {
    usize::try_from(size)
        .is_err()
        .then_some(Error::Unaddressable { size })
}

/// The error for the first value of a record that is not allowed.
pub(super) fn refused(kind: &Kind, record: u64, bytes: &[u8]) -> Option<Error> {
    bytes
        .chunks(kind.element_type.size())
        .filter_map(|bytes| integer(kind.element_type, bytes))
        .enumerate()
        .find(|(position, value)| !(kind.allows)(*position, *value))
        .map(|(_, value)| Error::ValueNotAllowed { record, value })
}

fn integer(element_type: ElementType, bytes: &[u8]) -> Option<i64> {
    match (element_type, bytes) {
        (ElementType::U8, [a]) => Some(i64::from(*a)),
        (ElementType::I8, [a]) => Some(i64::from(a.cast_signed())),
        (ElementType::I16, [a, b]) => Some(i64::from(i16::from_be_bytes([*a, *b]))),
        (ElementType::I32, [a, b, c, d]) => Some(i64::from(i32::from_be_bytes([*a, *b, *c, *d]))),
        _ => None,
    }
}

/// The bytes of an array, up to as many as 128 bits hold.
fn product(element_type: ElementType, sizes: &[u32]) -> u128 {
    let element_size = match element_type {
        ElementType::U8 | ElementType::I8 => 1,
        ElementType::I16 => 2,
        ElementType::I32 | ElementType::F32 => 4,
        ElementType::F64 => 8,
    };
    if sizes.contains(&0) {
        return 0;
    }
    sizes.iter().fold(element_size, |bytes: u128, size| {
        bytes.saturating_mul(u128::from(*size))
    })
}

/// Whether these bytes are a file with more records of no bytes than can be gone through.
pub(super) fn is_endless(bytes: &[u8]) -> bool {
    File::parse(bytes).is_ok_and(|file| file.is_endless())
}

/// What is made of a file whose bytes are all there.
///
/// # Errors
///
/// Those of [`File::parse`], then a payload that is too large for this machine or cut, then bytes
/// left over.
pub fn whole(bytes: &[u8]) -> Result<File<'_>, Error> {
    let file = File::parse(bytes)?;
    first([file.unaddressable(), file.cut(), file.left_over()])?;
    Ok(file)
}

/// As [`whole`], of records of this kind.
pub(super) fn whole_of<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<File<'a>, Error> {
    let file = whole(bytes)?;
    file.check_records(kind)?;
    Ok(file)
}

/// As [`whole`], of a file after which something else may follow.
pub(super) fn prefix(bytes: &[u8]) -> Result<File<'_>, Error> {
    let file = File::parse(bytes)?;
    first([file.unaddressable(), file.cut()])?;
    Ok(file)
}

/// The records of a stream, and what is wrong after them.
pub(super) type Outcome = (Vec<Vec<u8>>, Result<(), Error>);

/// What is made of a stream of records of this kind.
///
/// Element type, rank and shape are reported with the header, and a value with its record: both before
/// it is known whether the payload is truncated or bytes are left over.
pub(super) fn streamed_of(kind: &Kind, bytes: &[u8]) -> Outcome {
    let file = match File::parse(bytes) {
        Err(error) => return (vec![], Err(error)),
        Ok(file) => file,
    };
    if let Some(error) = file.mismatch(kind) {
        return (vec![], Err(error));
    }
    let records = (0..)
        .zip(file.records())
        .take_while(|(index, record)| refused(kind, *index, record).is_none())
        .map(|(_, record)| record.to_vec())
        .collect();
    let end = first([file.refused(kind)]).and_then(|()| file.check_end());
    (records, end)
}

/// The first error there is.
pub(super) fn first(errors: impl IntoIterator<Item = Option<Error>>) -> Result<(), Error> {
    errors.into_iter().flatten().next().map_or(Ok(()), Err)
}
