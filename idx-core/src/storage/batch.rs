//! Reads several records at once.

use crate::error::Error;
use crate::mismatch::refused;
use crate::record::IdxRecord;
use crate::storage::error::StorageError;
use crate::storage::located::Located;

/// The number of bytes read at a time, on the stack. Larger records are read one by one.
pub(super) const SIZE: usize = 64;

impl<T: IdxRecord> Located<T> {
    /// Returns the end of a batch that starts at record `first`: the index after its last record.
    pub(super) fn batch_end<E>(&self, first: u32, room: usize) -> Result<u32, StorageError<E>> {
        let Some(remaining) = self.len.checked_sub(first) else {
            return Err(StorageError::IndexOutOfRange { index: first, len: self.len });
        };
        let count = u32::try_from(room).map_or(remaining, |room| remaining.min(room));
        Ok(first.wrapping_add(count))
    }

    /// Returns the offset of record `next`, and the part of `memory` for as many records as fit; `None` if not even one
    /// fits, or if records have no bytes.
    pub(super) fn batch<'a>(
        &self,
        next: u32,
        end: u32,
        memory: &'a mut [u8; SIZE],
    ) -> Option<(u32, &'a mut [u8])> {
        let max = SIZE.checked_div(T::SIZE)?;
        let count =
            usize::try_from(end.saturating_sub(next)).map_or(max, |remaining| remaining.min(max));
        let bytes = memory.get_mut(..count.wrapping_mul(T::SIZE))?;
        (!bytes.is_empty()).then(|| (self.offset(next), bytes))
    }
}

/// Appends the records in `bytes`, starting with record `next`, and returns the index after the last.
pub(super) fn append<T: IdxRecord>(
    mut next: u32,
    bytes: &[u8],
    records: &mut heapless::VecView<T>,
) -> Result<u32, Error> {
    let mut rest = bytes;
    while let Some((bytes, after)) = rest.split_at_checked(T::SIZE)
        && !bytes.is_empty()
    {
        let record = T::decode(bytes).ok_or_else(|| refused::<T>(next, bytes))?;
        let pushed = records.push(record);
        debug_assert!(pushed.is_ok(), "no more records were read than fit");
        next = next.wrapping_add(1);
        rest = after;
    }
    Ok(next)
}
