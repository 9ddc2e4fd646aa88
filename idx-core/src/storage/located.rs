//! An opened file in external flash, without its driver, which several files can share.

use core::marker::PhantomData;
use core::ops::Range;
use core::{fmt, slice};

#[cfg(doc)]
use crate::error_kind::ErrorKind;
use crate::incremental_header::Word;
use crate::mismatch;
use crate::record::{Buffer, IdxRecord};
#[cfg(feature = "heapless-v0.9")]
use crate::storage::batch;
use crate::storage::error::StorageError;
use crate::storage::opening::Opening;

/// The position of a file's records in external flash: an opened file without its driver.
///
/// Each call borrows the driver, so several files on one chip can be open at once, and the driver is not lost if there
/// is no file yet. [`Storage`](crate::storage::Storage) also owns the driver.
///
/// ```
/// # #[cfg(feature = "embedded-storage-v0.3")] {
/// # use core::convert::Infallible;
/// # use embedded_storage::ReadStorage;
/// use idx_core::storage::{Located, StorageError};
/// # struct Flash([u8; 64]);
/// # impl ReadStorage for Flash {
/// #     type Error = Infallible;
/// #     fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
/// #         bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
/// #         Ok(())
/// #     }
/// #     fn capacity(&self) -> usize {
/// #         self.0.len()
/// #     }
/// # }
///
/// # let mut flash = Flash([0xFF; 64]);
/// # flash.0[..20].copy_from_slice(&[0, 0, 0x08, 2, 0, 0, 0, 2, 0, 0, 0, 4, 1, 2, 3, 4, 5, 6, 7, 8]);
/// # flash.0[32..42].copy_from_slice(&[0, 0, 0x08, 1, 0, 0, 0, 2, 7, 9]);
/// // Each in its partition of the chip.
/// let images = Located::<[u8; 4]>::open_within(&mut flash, 0..32)?;
/// let labels = Located::<u8>::open_within(&mut flash, 32..64)?;
/// assert_eq!(images.read(&mut flash, 1)?, [5, 6, 7, 8]);
/// assert_eq!(labels.read(&mut flash, 1)?, 9);
/// # }
/// # Ok::<(), idx_core::storage::StorageError<core::convert::Infallible>>(())
/// ```
pub struct Located<T: IdxRecord> {
    /// The offset of record 0 in the storage.
    start: u32,
    pub(super) len: u32,
    record: PhantomData<fn() -> T>,
}

impl<T: IdxRecord> Located<T> {
    /// Returns the number of records.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Returns whether there are no records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Generates the functions for one kind of storage. The two kinds differ only in `.await`; the code between the reads
/// is shared.
macro_rules! located {
    (
        $feature:literal, $storage:ident::$read_storage:ident, [$($async:tt)?], [$($await:tt)*], $kind:literal,
        $open:ident, $open_within:ident, $open_until:ident, $read:ident, $read_bytes:ident, $read_part:ident, $read_many:ident
    ) => {
        #[cfg(feature = $feature)]
        impl<T: IdxRecord> Located<T> {
            /// Opens the file that starts `offset` bytes into the storage, and checks that it holds
            #[doc = concat!("records of type `T`", $kind, ".")]
            ///
            /// Reads only the header, four bytes at a time.
            ///
            /// # Errors
            ///
            /// A failure of the driver ([`StorageError::Storage`]), or the first error of
            /// [`Records::parse_prefix`](crate::Records::parse_prefix) except [`ErrorKind::ValueNotAllowed`], as
            /// [`StorageError::Format`].
            pub $($async)? fn $open<S: $storage::$read_storage + ?Sized>(
                storage: &mut S,
                offset: u32,
            ) -> Result<Self, StorageError<S::Error>> {
                Self::$open_until(storage, offset, u64::MAX)$($await)*
            }

            /// Opens the file at the start of a range of the storage, such as a partition, and checks that it also
            #[doc = concat!("ends in that range", $kind, ".")]
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`", stringify!($open), "`](Self::", stringify!($open), "), as if the storage ended where the range does.")]
            pub $($async)? fn $open_within<S: $storage::$read_storage + ?Sized>(
                storage: &mut S,
                range: Range<u32>,
            ) -> Result<Self, StorageError<S::Error>> {
                Self::$open_until(storage, range.start, u64::from(range.end))$($await)*
            }

            $($async)? fn $open_until<S: $storage::$read_storage + ?Sized>(
                storage: &mut S,
                offset: u32,
                end: u64,
            ) -> Result<Self, StorageError<S::Error>> {
                let mut opening = Opening::new::<T>(offset, end.min(storage.capacity() as u64));
                loop {
                    let (offset, space) = opening.next()?;
                    storage
                        .read(offset, space)$($await)*
                        .map_err(StorageError::Storage)?;
                    if let Some((start, len)) = opening.advance()? {
                        return Ok(Self { start, len, record: PhantomData });
                    }
                }
            }

            /// Reads record `index` and returns it by value.
            ///
            /// Takes at least twice the size of the record on the stack, for its bytes and its value, and up to four
            /// times at opt-level z. For records of more than 64 bytes use
            #[doc = concat!("[`", stringify!($read_bytes), "`](Self::", stringify!($read_bytes), ").")]
            ///
            /// # Errors
            ///
            /// A failure of the driver ([`StorageError::Storage`]); an index not below the number of records
            /// ([`StorageError::IndexOutOfRange`]); a value that `T` does not allow ([`ErrorKind::ValueNotAllowed`] as
            /// [`StorageError::Format`]).
            #[inline(always)]
            pub $($async)? fn $read<S: $storage::$read_storage + ?Sized>(
                &self,
                storage: &mut S,
                index: u32,
            ) -> Result<T, StorageError<S::Error>> {
                let mut buffer = Word(T::Buffer::ZERO);
                let bytes = T::Buffer::as_bytes(slice::from_mut(&mut buffer.0));
                let bytes = self.$read_part(storage, index, 0..T::SIZE, bytes)$($await)*?;
                // Not in a function: a call would copy the record once more.
                match T::decode(bytes) {
                    Some(record) => Ok(record),
                    None => Err(mismatch::refused::<T>(index, bytes).into()),
                }
            }

            /// Reads record `index` into `buffer` and returns those bytes, big-endian.
            ///
            /// Their values have been checked. The buffer needs at least `T::SIZE` bytes; the rest of it does not
            /// change. [`Aligned`](crate::storage::Aligned) takes fewer reads if the buffer is aligned.
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`", stringify!($read), "`](Self::", stringify!($read), "), and")]
            /// [`StorageError::BufferTooSmall`].
            pub $($async)? fn $read_bytes<'a, S: $storage::$read_storage + ?Sized>(
                &self,
                storage: &mut S,
                index: u32,
                buffer: &'a mut [u8],
            ) -> Result<&'a [u8], StorageError<S::Error>> {
                let bytes = self.$read_part(storage, index, 0..T::SIZE, buffer)$($await)*?;
                match mismatch::of_value::<T>(index, bytes) {
                    None => Ok(bytes),
                    Some(error) => Err(error.into()),
                }
            }

            /// Reads a part of record `index`, such as a row of a picture, into `buffer` and returns those bytes,
            #[doc = concat!("big-endian", $kind, ".")]
            ///
            /// The range is in bytes from the start of the record. Values are not checked.
            ///
            /// # Errors
            ///
            /// A failure of the driver ([`StorageError::Storage`]); an index not below the number of records
            /// ([`StorageError::IndexOutOfRange`]); a range beyond the record ([`StorageError::PartOutOfRange`]); a
            /// buffer smaller than the part ([`StorageError::BufferTooSmall`]).
            pub $($async)? fn $read_part<'a, S: $storage::$read_storage + ?Sized>(
                &self,
                storage: &mut S,
                index: u32,
                range: Range<usize>,
                buffer: &'a mut [u8],
            ) -> Result<&'a [u8], StorageError<S::Error>> {
                let (offset, bytes) = self.locate(index, range, buffer)?;
                if !bytes.is_empty() {
                    storage
                        .read(offset, bytes)$($await)*
                        .map_err(StorageError::Storage)?;
                }
                Ok(bytes)
            }

            /// Reads records from `first` on and appends them, until `records` is full or the last
            #[doc = concat!("one was read", $kind, ".")]
            ///
            /// Small records are read several at a time. A `&mut heapless::Vec<T, N>` of any `N` coerces to the view,
            /// which avoids a copy of the code for each `N`.
            ///
            /// After an error, or if the future of the async version is dropped, the records read so far have been
            /// appended: continue at `first` plus their number.
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`", stringify!($read), "`](Self::", stringify!($read), ");")]
            /// but `first` may be the number of records.
            #[cfg(feature = "heapless-v0.9")]
            pub $($async)? fn $read_many<S: $storage::$read_storage + ?Sized>(
                &self,
                storage: &mut S,
                first: u32,
                records: &mut heapless::VecView<T>,
            ) -> Result<(), StorageError<S::Error>> {
                let mut memory = Word([0; batch::SIZE]);
                let mut next = first;
                let end = self.batch_end(first, records.capacity().saturating_sub(records.len()))?;
                while next < end {
                    if let Some((offset, bytes)) = self.batch(next, end, &mut memory.0) {
                        storage
                            .read(offset, bytes)$($await)*
                            .map_err(StorageError::Storage)?;
                        next = batch::append(next, bytes, records)?;
                    } else {
                        let pushed = records.push(self.$read(storage, next)$($await)*?);
                        debug_assert!(pushed.is_ok(), "the end of the batch is where it is full");
                        next = next.wrapping_add(1);
                    }
                }
                Ok(())
            }
        }
    };
}

located! {
    "embedded-storage-v0.3", embedded_storage::ReadStorage, [], [], "",
    open, open_within, open_until, read, read_bytes, read_part, read_many
}

located! {
    "embedded-storage-async-v0.4", embedded_storage_async::ReadStorage, [async], [.await], " (async)",
    open_async, open_within_async, open_until_async, read_async, read_bytes_async, read_part_async, read_many_async
}

impl<T: IdxRecord> Located<T> {
    /// Returns the offset of a part of record `index`, and the part of `buffer` for its bytes.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a record has at most 32 bits of bytes if one exists"
    )]
    fn locate<'a, E>(
        &self,
        index: u32,
        range: Range<usize>,
        buffer: &'a mut [u8],
    ) -> Result<(u32, &'a mut [u8]), StorageError<E>> {
        if index >= self.len {
            return Err(StorageError::IndexOutOfRange { index, len: self.len });
        }
        if range.end > T::SIZE || range.start > range.end {
            return Err(StorageError::PartOutOfRange { end: range.end, size: T::SIZE });
        }
        let (needed, found) = (range.len(), buffer.len());
        match buffer.get_mut(..needed) {
            Some(bytes) => Ok((self.offset(index).wrapping_add(range.start as u32), bytes)),
            None => Err(StorageError::BufferTooSmall { needed, found }),
        }
    }

    /// Returns the offset of record `index`. `open` has checked that the last record ends within 32 bits, so neither
    /// operation wraps for existing records.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a record that exists has a size of at most 32 bits"
    )]
    pub(super) fn offset(&self, index: u32) -> u32 {
        self.start.wrapping_add(index.wrapping_mul(T::SIZE as u32))
    }
}

impl<T: IdxRecord> Clone for Located<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: IdxRecord> Copy for Located<T> {}

impl<T: IdxRecord> fmt::Debug for Located<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Located")
            .field("start", &self.start)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}
