//! The common parts of the untyped view and the typed one.

use crate::error::Error;
use crate::header::Header;

/// Splits `bytes` into the header and the payload of the file at their start, and the rest.
///
/// The number of records is checked, but not returned: if it were, the compiler would keep the search for the
/// reason of an error in firmware that only calls `is_ok` (tests/firmware/size).
#[inline(always)]
pub(crate) const fn split_file(bytes: &[u8]) -> Result<(Header<'_>, &[u8], &[u8]), Error> {
    let (header, rest) = match Header::parse(bytes) {
        Ok(parsed) => parsed,
        Err(error) => return Err(error),
    };
    let size = match to_usize(header.payload_size()) {
        Ok(size) => size,
        Err(error) => return Err(error),
    };
    // A record without bytes takes no payload, but it is counted all the same.
    if let Err(error) = to_usize(header.record_count() as u64) {
        return Err(error);
    }
    match rest.split_at_checked(size) {
        Some((payload, rest)) => Ok((header, payload, rest)),
        None => Err(Error::truncated(size as u64, rest.len())),
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

/// Converts a size; one that does not fit a `usize`, of 16, 32 or 64 bits, is an error and never truncated.
#[expect(clippy::cast_possible_truncation, reason = "compared just before")]
#[inline(always)]
pub(crate) const fn to_usize(size: u64) -> Result<usize, Error> {
    if size > usize::MAX as u64 { Err(Error::unaddressable(size)) } else { Ok(size as usize) }
}
