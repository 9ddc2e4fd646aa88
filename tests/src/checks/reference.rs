//! A second decoder to compare the others with: as simple as the description of the format. It
//! shares no code with `idx-core` except the types of its results.

use idx_core::{ElementType, ErrorKind};

use super::sample::Kind;

/// The maximum number of records of no bytes to iterate over: twelve bytes can hold 2^32 of them.
pub(super) const MOST_EMPTY_RECORDS: u64 = 1000;

/// The content of a header, and the bytes after it.
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
    /// The header, or its first error.
    ///
    /// # Errors
    ///
    /// The errors in this order: no bytes, gzip, the first two bytes, the element type, a truncated header,
    /// sizes whose product exceeds 64 bits.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ErrorKind> {
        let (element_type, rank) = start(bytes)?;
        let (needed, found) = (4 + 4 * rank, bytes.len());
        if found < needed {
            return Err(ErrorKind::HeaderTruncated { needed, found });
        }
        let file = Self { element_type, sizes: words(&bytes[4..needed]), rest: &bytes[needed..] };
        match file.too_large() {
            Some(error) => Err(error),
            None => Ok(file),
        }
    }

    /// The first dimension with which the elements take 2^64 bytes or more.
    fn too_large(&self) -> Option<ErrorKind> {
        (1..=self.sizes.len())
            .find(|rank| {
                !self.sizes.contains(&0)
                    && product(self.element_type, &self.sizes[..*rank]) > u128::from(u64::MAX)
            })
            .map(|rank| ErrorKind::TooLarge { dimension: rank - 1, size: self.sizes[rank - 1] })
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
    /// Never, because [`File::parse`] rejects larger files.
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

    /// The number of records according to the header.
    #[must_use]
    pub fn record_count(&self) -> u64 {
        self.sizes.first().map_or(1, |count| u64::from(*count))
    }

    /// The payload, or the existing part of it.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        let size = usize::try_from(self.payload_size()).unwrap_or(usize::MAX);
        &self.rest[..size.min(self.rest.len())]
    }

    /// The existing whole records.
    pub fn records(&self) -> impl Iterator<Item = &'a [u8]> {
        let payload = self.payload();
        let size = usize::try_from(self.record_size().unwrap_or(0)).unwrap_or(usize::MAX);
        (0..self.whole_records()).map(move |index| {
            let index = usize::try_from(index).expect("there are bytes for them, or none needed");
            &payload[index * size..][..size]
        })
    }

    /// The number of existing whole records.
    #[must_use]
    pub fn whole_records(&self) -> u64 {
        let size = self.record_size().unwrap_or(0);
        (self.payload().len() as u64).checked_div(size).unwrap_or(self.record_count())
    }

    /// Returns whether there are too many records of no bytes to iterate over.
    #[must_use]
    pub fn is_endless(&self) -> bool {
        self.record_size() == Some(0) && self.record_count() > MOST_EMPTY_RECORDS
    }

    /// The error for a payload that this machine cannot address; only one of 32 bits has it.
    #[must_use]
    pub fn unaddressable(&self) -> Option<ErrorKind> {
        unaddressable(self.payload_size())
    }

    /// The error for records so large that this machine cannot address one of them.
    pub(super) fn unaddressable_record(&self) -> Option<ErrorKind> {
        (self.record_count() > 0).then(|| unaddressable(self.record_size().unwrap_or(0))).flatten()
    }

    /// The error for a truncated payload.
    #[must_use]
    pub fn cut(&self) -> Option<ErrorKind> {
        let (needed, found) = (self.payload_size(), self.rest.len() as u64);
        (found < needed).then_some(ErrorKind::Truncated { needed, found })
    }

    /// The error for bytes after the payload.
    #[must_use]
    pub fn left_over(&self) -> Option<ErrorKind> {
        let (needed, found) = (self.payload_size(), self.rest.len() as u64);
        (found > needed).then(|| ErrorKind::TrailingBytes {
            offset: self.header_size() + needed,
            count: found - needed,
        })
    }

    /// Checks that the bytes end where the payload does.
    pub(super) fn check_end(&self) -> Result<(), ErrorKind> {
        first([self.cut(), self.left_over()])
    }

    /// The error for records of another kind.
    pub(super) fn mismatch(&self, kind: &Kind) -> Option<ErrorKind> {
        let rank = self.sizes.len();
        other_kind(kind, self.element_type, rank).or_else(|| other_shape(kind, self.record_sizes()))
    }

    /// Checks that the records are of this kind, in element type, rank and shape and then in their values.
    pub(super) fn check_records(&self, kind: &Kind) -> Result<(), ErrorKind> {
        first([self.mismatch(kind)])?;
        first([self.refused(kind)])
    }

    /// The error for the first value of the whole records that is not allowed.
    pub(super) fn refused(&self, kind: &Kind) -> Option<ErrorKind> {
        if self.record_size() == Some(0) {
            return None; // however many there are
        }
        (0..).zip(self.records()).find_map(|(index, record)| refused(kind, index, record))
    }
}

fn unaddressable(size: u64) -> Option<ErrorKind> {
    usize::try_from(size).is_err().then_some(ErrorKind::Unaddressable { size })
}

/// The error for the first value of a record that is not allowed.
pub(super) fn refused(kind: &Kind, record: u64, bytes: &[u8]) -> Option<ErrorKind> {
    bytes
        .chunks(kind.element_type.size())
        .filter_map(|bytes| integer(kind.element_type, bytes))
        .enumerate()
        .find(|(position, value)| !(kind.allows)(*position, *value))
        .map(|(_, value)| ErrorKind::ValueNotAllowed { record, value })
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
    sizes.iter().fold(element_size, |bytes: u128, size| bytes.saturating_mul(u128::from(*size)))
}

/// Returns whether these bytes are a file with more records of no bytes than can be gone through.
pub(super) fn is_endless(bytes: &[u8]) -> bool {
    File::parse(bytes).is_ok_and(|file| file.is_endless())
}

/// The file without records that these bytes start like, if idx-std has not finished it.
pub(super) fn finished(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut finished = bytes.to_vec();
    let [first, second, code, _] = finished.first_chunk_mut()?;
    if [*first, *second] != [0xFF; 2] {
        return None;
    }
    ElementType::from_code(*code ^ 0x80)?;
    (*first, *second) = (0, 0);
    *code ^= 0x80;
    if let Some(count) = finished.get_mut(4..8) {
        count.fill(0);
    }
    Some(finished)
}

/// Returns the result for a file whose bytes are all there.
///
/// # Errors
///
/// The errors of [`File::parse`], then a payload that is too large for this machine or cut, then bytes
/// left over.
pub fn whole(bytes: &[u8]) -> Result<File<'_>, ErrorKind> {
    let file = File::parse(bytes)?;
    first([file.unaddressable(), file.cut(), file.left_over()])?;
    Ok(file)
}

/// Like [`whole`], for records of this kind.
pub(super) fn whole_of<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<File<'a>, ErrorKind> {
    let file = whole(bytes)?;
    file.check_records(kind)?;
    Ok(file)
}

/// Like [`whole`], for a file that something else may follow.
pub(super) fn prefix(bytes: &[u8]) -> Result<File<'_>, ErrorKind> {
    let file = File::parse(bytes)?;
    first([file.unaddressable(), file.cut()])?;
    Ok(file)
}

/// Like [`whole_of`], with the first error in the order of the bytes.
pub(super) fn compared<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<File<'a>, ErrorKind> {
    let file = compared_prefix(kind, bytes)?;
    first([file.left_over(), file.refused(kind)]).map(|()| file)
}

/// Like [`compared`], for a file that something else may follow.
pub(super) fn compared_prefix<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<File<'a>, ErrorKind> {
    let file = compared_header(kind, bytes)?;
    first([file.unaddressable(), file.cut()]).map(|()| file)
}

/// The header of records of this kind, or the first error in the order of its bytes.
pub(super) fn compared_header<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<File<'a>, ErrorKind> {
    compared_start(kind, bytes)?;
    match File::parse(bytes) {
        Err(error @ ErrorKind::HeaderTruncated { .. }) => Err(error),
        // With the sizes of the kind no payload is too large.
        file => {
            first([other_shape(kind, words(&bytes[4..]).get(1..).unwrap_or_default())]).and(file)
        }
    }
}

/// Like [`compared_header`], for a stream: a wrong size is reported before the end of the header is known.
pub(super) fn streamed_header<'a>(kind: &Kind, bytes: &'a [u8]) -> Result<File<'a>, ErrorKind> {
    compared_start(kind, bytes)?;
    let sizes = words(&bytes[4..]);
    first([other_shape(kind, sizes.get(1..).unwrap_or_default())])?;
    File::parse(bytes)
}

fn compared_start(kind: &Kind, bytes: &[u8]) -> Result<(), ErrorKind> {
    match bytes.len() {
        0 => return Err(ErrorKind::Empty),
        found @ 1..4 => return Err(ErrorKind::HeaderTruncated { needed: 4, found }),
        _ => {}
    }
    let (element_type, rank) = start(bytes)?;
    first([other_kind(kind, element_type, rank)])
}

/// The element type and the rank, or what is wrong with the first four bytes of any file.
fn start(bytes: &[u8]) -> Result<(ElementType, usize), ErrorKind> {
    let found = bytes.len();
    if bytes.is_empty() {
        return Err(ErrorKind::Empty);
    }
    if bytes.starts_with(&[0x1F, 0x8B]) {
        return Err(ErrorKind::Gzip);
    }
    if bytes.iter().take(2).any(|byte| *byte != 0) {
        let at = |offset| bytes.get(offset).copied().unwrap_or(0);
        let start = [at(0), at(1), at(2), at(3)];
        return Err(ErrorKind::NotIdx { start });
    }
    let element_type = match bytes.get(2) {
        Some(0x08) => ElementType::U8,
        Some(0x09) => ElementType::I8,
        Some(0x0B) => ElementType::I16,
        Some(0x0C) => ElementType::I32,
        Some(0x0D) => ElementType::F32,
        Some(0x0E) => ElementType::F64,
        Some(code) => return Err(ErrorKind::UnknownElementType { code: *code }),
        None => return Err(ErrorKind::HeaderTruncated { needed: 4, found }),
    };
    match bytes.get(3) {
        Some(rank) => Ok((element_type, usize::from(*rank))),
        None => Err(ErrorKind::HeaderTruncated { needed: 4, found }),
    }
}

/// The numbers in these bytes, as far as they are there.
fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words.map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// The error for records with another element type or rank.
fn other_kind(kind: &Kind, element_type: ElementType, rank: usize) -> Option<ErrorKind> {
    if element_type != kind.element_type {
        return Some(ErrorKind::ElementMismatch {
            expected: kind.element_type,
            found: element_type,
        });
    }
    (rank.saturating_sub(1) != kind.shape.len())
        .then_some(ErrorKind::RankMismatch { expected: kind.shape.len() + 1, found: rank })
}

/// The error for the first of these sizes of a record that is not that of the kind.
fn other_shape(kind: &Kind, sizes: &[u32]) -> Option<ErrorKind> {
    let sizes = sizes.iter().zip(kind.shape);
    sizes.zip(1..).find(|((found, expected), _)| found != expected).map(
        |((found, expected), dimension)| ErrorKind::ShapeMismatch {
            dimension,
            expected: *expected,
            found: *found,
        },
    )
}

/// The records of a stream, and the error after them.
pub(super) type Outcome = (Vec<Vec<u8>>, Result<(), ErrorKind>);

/// Returns the result for a stream of records of this kind, after its header.
///
/// A value is reported with its record, before it is known whether the payload is truncated or bytes are
/// left over.
pub(super) fn streamed_of(kind: &Kind, header: Result<File<'_>, ErrorKind>) -> Outcome {
    let file = match header {
        Err(error) => return (vec![], Err(error)),
        Ok(file) => file,
    };
    let records = (0..)
        .zip(file.records())
        .take_while(|(index, record)| refused(kind, *index, record).is_none())
        .map(|(_, record)| record.to_vec())
        .collect();
    let end = first([file.refused(kind)]).and_then(|()| file.check_end());
    (records, end)
}

/// The first error there is.
pub(super) fn first(errors: impl IntoIterator<Item = Option<ErrorKind>>) -> Result<(), ErrorKind> {
    errors.into_iter().flatten().next().map_or(Ok(()), Err)
}
