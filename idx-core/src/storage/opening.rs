//! Checks the header of a file in external flash, for the blocking and the async functions.

use crate::error::Error;
use crate::incremental_header::HeaderDecoder;
use crate::record::IdxRecord;

/// The state of opening a file, between the reads.
pub(super) struct Opening {
    header: HeaderDecoder,
    offset: u32,
    /// The number of bytes from `offset` to the last possible end of the file: the end of the storage, or of a range of
    /// it, or of 32-bit offsets.
    available: u64,
    /// The number of bytes of the last read.
    requested: usize,
}

impl Opening {
    /// Starts to open a file that ends at the offset `end` at the latest.
    pub(super) fn new<T: IdxRecord>(offset: u32, end: u64) -> Self {
        let end = end.min(1 << 32);
        Self {
            header: HeaderDecoder::new::<T>(),
            offset,
            available: end.saturating_sub(u64::from(offset)),
            requested: 0,
        }
    }

    /// Returns the offset of the next read, and the space for its bytes.
    pub(super) fn next(&mut self) -> Result<(u32, &mut [u8]), Error> {
        let taken = self.header.taken();
        // Does not wrap: no more was taken than was available.
        let remaining = self.available.wrapping_sub(u64::from(taken));
        if remaining == 0 {
            return Err(self.header.truncated());
        }
        let mut space = self.header.space();
        if let Ok(remaining) = usize::try_from(remaining)
            && remaining < space.len()
        {
            space = space.get_mut(..remaining).unwrap_or_default();
        }
        debug_assert!(!space.is_empty(), "bytes remain, and the header is not complete");
        self.requested = space.len();
        // Does not wrap: at least one byte is available there.
        Ok((self.offset.wrapping_add(u32::from(taken)), space))
    }

    /// Continues after that read; returns the offset of record 0 and the number of records, once the header
    /// is complete.
    pub(super) fn advance(&mut self) -> Result<Option<(u32, u32)>, Error> {
        if !self.header.advance(self.requested, self.available)? {
            return Ok(None);
        }
        let header_size = self.header.taken();
        let found = self.available.wrapping_sub(u64::from(header_size));
        if self.header.payload_size() > found {
            return Err(self.header.other_length(found));
        }
        // Wraps if the header ends at the last 32-bit offset; then there is nothing to read.
        Ok(Some((self.offset.wrapping_add(u32::from(header_size)), self.header.record_count())))
    }
}
