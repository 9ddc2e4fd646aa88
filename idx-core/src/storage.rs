//! Records from external flash, one at a time: over the traits of embedded-storage (feature
//! `embedded-storage-v0.3`) and their async twins (feature `embedded-storage-async-v0.4`).
//!
//! [`Storage`] reads from a `ReadStorage`, which takes any offset and length. Most flash drivers are a
//! `ReadNorFlash`, which may take multiples of its `READ_SIZE` only: put it into [`Aligned`].
//!
//! Blocking and async functions are on the same types, so that they are told once; the async ones
//! have `_async` in their names because a driver may well be both.

mod aligned;
mod error;

pub use aligned::Aligned;
pub use error::StorageError;

use core::fmt;
use core::marker::PhantomData;
use core::slice;

use crate::header_check::HeaderCheck;
use crate::record::Buffer;
use crate::{Error, IdxRecord};

/// The records of a file in external flash, each checked when it is read.
///
/// It keeps the driver and two numbers. What the header says is checked once, by
/// [`open`](Self::open); the values of a record with each [`read`](Self::read).
/// Bytes after the file are not looked at: a partition is padded, mostly with FF.
///
/// ```
/// # #[cfg(feature = "embedded-storage-v0.3")] {
/// use core::convert::Infallible;
/// use embedded_storage::ReadStorage;
/// use idx_core::storage::{Storage, StorageError};
///
/// /// Stands for the driver of a flash chip.
/// struct Flash([u8; 32]);
///
/// impl ReadStorage for Flash {
///     type Error = Infallible;
///
///     fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
///         bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
///         Ok(())
///     }
///
///     fn capacity(&self) -> usize {
///         self.0.len()
///     }
/// }
///
/// let mut flash = Flash([0xFF; 32]);
/// flash.0[8..26].copy_from_slice(&[
///     0, 0, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 3, // i16, 1 record of 3 elements
///     0, 1, 0xFF, 0xFF, 1, 0,
/// ]);
/// let mut steps = Storage::<_, [i16; 3]>::open(flash, 8)?;
/// assert_eq!(steps.len(), 1);
/// assert_eq!(steps.read(0)?, [1, -1, 256]);
/// assert_eq!(steps.read(1), Err(StorageError::IndexOutOfRange { index: 1, len: 1 }));
/// # }
/// # Ok::<(), idx_core::storage::StorageError<core::convert::Infallible>>(())
/// ```
pub struct Storage<S, T> {
    storage: S,
    /// The offset of record 0 in the storage.
    start: u32,
    len: u32,
    record: PhantomData<fn() -> T>,
}

impl<S, T> Storage<S, T> {
    /// The number of records.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether there is no record.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Gives the driver back.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.storage
    }
}

/// The functions over one kind of storage. They differ in `.await` alone, and what they do between
/// the reads is one implementation.
macro_rules! storage {
    (
        $feature:literal, $storage:ident::$read_storage:ident, [$($async:tt)?], [$($await:tt)*],
        $(#[$doc:meta])* $open:ident, $read:ident, $read_bytes:ident, $read_many:ident
    ) => {
        #[cfg(feature = $feature)]
        impl<S: $storage::$read_storage, T: IdxRecord> Storage<S, T> {
            $(#[$doc])*
            ///
            /// # Errors
            ///
            /// The error of the driver, or as [`StorageError::Format`] the first of: those of
            /// [`Header::parse`](crate::Header::parse), [`Error::Truncated`] if the storage ends
            /// before the file, [`Error::ElementMismatch`], [`Error::RankMismatch`],
            /// [`Error::ShapeMismatch`].
            /// The driver is dropped with an error; `Aligned` takes a `&mut` of one.
            pub $($async)? fn $open(mut storage: S, offset: u32) -> Result<Self, StorageError<S::Error>> {
                let mut opening = Opening::new::<T>(offset, storage.capacity());
                loop {
                    let (offset, space) = opening.next()?;
                    storage
                        .read(offset, space)$($await)*
                        .map_err(StorageError::Storage)?;
                    if let Some((start, len)) = opening.advance()? {
                        return Ok(Self {
                            storage,
                            start,
                            len,
                            record: PhantomData,
                        });
                    }
                }
            }

            /// Reads record `index` and gives it by value.
            ///
            /// Takes about twice the size of the record on the stack, its bytes and itself; for
            /// large ones there is
            #[doc = concat!("[`", stringify!($read_bytes), "`](Self::", stringify!($read_bytes), ").")]
            ///
            /// # Errors
            ///
            /// The error of the driver, [`StorageError::IndexOutOfRange`], or
            /// [`Error::ValueNotAllowed`] as [`StorageError::Format`].
            pub $($async)? fn $read(&mut self, index: u32) -> Result<T, StorageError<S::Error>> {
                let mut buffer = T::Buffer::ZERO;
                let bytes = T::Buffer::as_bytes(slice::from_mut(&mut buffer));
                let (offset, bytes) = self.locate(index, bytes)?;
                if !bytes.is_empty() {
                    self.storage
                        .read(offset, bytes)$($await)*
                        .map_err(StorageError::Storage)?;
                }
                Ok(decode(index, bytes)?)
            }

            /// Reads record `index` into `buffer` and gives its bytes there, big-endian.
            ///
            /// Their values were checked. The buffer has `T::SIZE` bytes or more; what lies behind
            /// them is left alone. A driver that uses DMA may ask for an aligned buffer.
            ///
            /// # Errors
            ///
            #[doc = concat!("Those of [`", stringify!($read), "`](Self::", stringify!($read), "), and")]
            /// [`StorageError::BufferTooSmall`].
            pub $($async)? fn $read_bytes<'a>(
                &mut self,
                index: u32,
                buffer: &'a mut [u8],
            ) -> Result<&'a [u8], StorageError<S::Error>> {
                let (offset, bytes) = self.locate(index, buffer)?;
                if !bytes.is_empty() {
                    self.storage
                        .read(offset, bytes)$($await)*
                        .map_err(StorageError::Storage)?;
                }
                match Error::not_allowed::<T>(index, bytes) {
                    None => Ok(bytes),
                    Some(error) => Err(error.into()),
                }
            }

            /// Reads records from `first` on and appends them, until `records` is full or the last
            /// one was read.
            ///
            /// Small records are read several at once. A `&mut heapless::Vec<T, N>` is taken for any
            /// `N`; the view keeps the code from being copied for each.
            ///
            /// # Errors
            ///
            #[doc = concat!("Those of [`", stringify!($read), "`](Self::", stringify!($read), ");")]
            /// the records before the error are there then. `first` may be the number of records.
            #[cfg(feature = "heapless-v0.9")]
            pub $($async)? fn $read_many(
                &mut self,
                first: u32,
                records: &mut heapless::VecView<T>,
            ) -> Result<(), StorageError<S::Error>> {
                let mut memory = [0; batch::SIZE];
                let mut next = first;
                let end = self.batch_end(first, records.capacity() - records.len())?;
                while next < end {
                    if let Some((offset, bytes)) = self.batch(next, end, &mut memory) {
                        self.storage
                            .read(offset, bytes)$($await)*
                            .map_err(StorageError::Storage)?;
                        next = batch::append(next, bytes, records)?;
                    } else {
                        // There is room for it, until `end`.
                        let _ = records.push(self.$read(next)$($await)*?);
                        next += 1;
                    }
                }
                Ok(())
            }
        }
    };
}

storage! {
    "embedded-storage-v0.3", embedded_storage::ReadStorage, [], [],
    /// Opens the file at `offset` bytes from the start of the storage and checks that it holds
    /// records of type `T`.
    ///
    /// Reads the header alone, four bytes at a time.
    open, read, read_bytes, read_many
}

storage! {
    "embedded-storage-async-v0.4", embedded_storage_async::ReadStorage, [async], [.await],
    /// Opens the file at `offset` bytes from the start of the storage and checks that it holds
    /// records of type `T`, async.
    ///
    /// Reads the header alone, four bytes at a time.
    ///
    /// ```
    /// use embedded_storage_async::nor_flash::ReadNorFlash;
    /// use idx_core::storage::{Aligned, Storage, StorageError};
    ///
    /// async fn first<F: ReadNorFlash>(flash: &mut F) -> Result<[u8; 3], StorageError<F::Error>> {
    ///     let mut colours = Storage::open_async(Aligned::new(flash), 0x1_0000).await?;
    ///     colours.read_async(0).await
    /// }
    /// ```
    open_async, read_async, read_bytes_async, read_many_async
}

impl<S, T: IdxRecord> Storage<S, T> {
    /// Where record `index` lies, and the part of `buffer` that it takes.
    fn locate<'a, E>(
        &self,
        index: u32,
        buffer: &'a mut [u8],
    ) -> Result<(u32, &'a mut [u8]), StorageError<E>> {
        if index >= self.len {
            return Err(StorageError::IndexOutOfRange {
                index,
                len: self.len,
            });
        }
        let found = buffer.len();
        match buffer.get_mut(..T::SIZE) {
            Some(bytes) => Ok((self.offset(index), bytes)),
            None => Err(StorageError::BufferTooSmall {
                needed: T::SIZE,
                found,
            }),
        }
    }

    /// Where record `index` lies. `open` found that the last record ends within 32 bits, so neither
    /// of the operations wraps for records that are there.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no record of more than 32 bits is there"
    )]
    fn offset(&self, index: u32) -> u32 {
        self.start.wrapping_add(index.wrapping_mul(T::SIZE as u32))
    }
}

fn decode<T: IdxRecord>(index: u32, bytes: &[u8]) -> Result<T, Error> {
    T::decode(bytes).ok_or_else(|| Error::refused::<T>(index, bytes))
}

/// What `open` does between the reads.
struct Opening {
    check: HeaderCheck,
    offset: u32,
    /// The bytes from there to the end of the storage, or to the last that 32 bits can name.
    available: u64,
    /// The bytes that the last read was for.
    asked: usize,
}

impl Opening {
    fn new<T: IdxRecord>(offset: u32, capacity: usize) -> Self {
        let end = (capacity as u64).min(1 << 32);
        Self {
            check: HeaderCheck::new::<T>(),
            offset,
            available: end.saturating_sub(u64::from(offset)),
            asked: 0,
        }
    }

    /// What to read next, and where to.
    fn next(&mut self) -> Result<(u32, &mut [u8]), Error> {
        let taken = self.check.taken();
        let left = self.available - u64::from(taken);
        if left == 0 {
            return Err(self.check.cut());
        }
        let mut space = self.check.space();
        if let Ok(left) = usize::try_from(left)
            && left < space.len()
        {
            space = space.get_mut(..left).unwrap_or_default();
        }
        self.asked = space.len();
        // Does not wrap: one byte at least is available there.
        Ok((self.offset.wrapping_add(u32::from(taken)), space))
    }

    /// After that read: the offset of record 0 and the number of records, once the header is whole.
    fn advance(&mut self) -> Result<Option<(u32, u32)>, Error> {
        if !self.check.advance(self.asked)? {
            return Ok(None);
        }
        let header_size = self.check.taken();
        let needed = self.check.payload_size();
        let found = self.available - u64::from(header_size);
        if needed > found {
            return Err(Error::Truncated { needed, found });
        }
        match self.check.mismatch() {
            Some(error) => Err(error),
            // Wraps if the header ends with the last byte of 32 bits; then there is nothing to read.
            None => Ok(Some((
                self.offset.wrapping_add(u32::from(header_size)),
                self.check.record_count(),
            ))),
        }
    }
}

/// Reading several records at once.
#[cfg(feature = "heapless-v0.9")]
mod batch {
    use super::{Error, IdxRecord, Storage, StorageError, decode};

    /// The bytes that are read at once, on the stack. Larger records are read one by one.
    pub(super) const SIZE: usize = 64;

    impl<S, T: IdxRecord> Storage<S, T> {
        /// The record after the last one that a batch from `first` on has.
        pub(super) fn batch_end<E>(&self, first: u32, room: usize) -> Result<u32, StorageError<E>> {
            let Some(left) = self.len.checked_sub(first) else {
                return Err(StorageError::IndexOutOfRange {
                    index: first,
                    len: self.len,
                });
            };
            Ok(first + u32::try_from(room).map_or(left, |room| left.min(room)))
        }

        /// Where the records from `next` on lie, and the memory for as many as fit; `None` if not
        /// even one does, or if they have no bytes.
        pub(super) fn batch<'a>(
            &self,
            next: u32,
            end: u32,
            memory: &'a mut [u8; SIZE],
        ) -> Option<(u32, &'a mut [u8])> {
            let most = SIZE.checked_div(T::SIZE)?;
            let count = usize::try_from(end - next).map_or(most, |left| left.min(most));
            let bytes = memory.get_mut(..count * T::SIZE)?;
            (!bytes.is_empty()).then(|| (self.offset(next), bytes))
        }
    }

    /// Appends the records in `bytes`, the first of which is record `next`; gives the one after them.
    pub(super) fn append<T: IdxRecord>(
        mut next: u32,
        bytes: &[u8],
        records: &mut heapless::VecView<T>,
    ) -> Result<u32, Error> {
        let mut rest = bytes;
        while let Some((bytes, after)) = rest.split_at_checked(T::SIZE)
            && !bytes.is_empty()
        {
            // There is room for it: no more was read.
            let _ = records.push(decode(next, bytes)?);
            next += 1;
            rest = after;
        }
        Ok(next)
    }
}

impl<S, T> fmt::Debug for Storage<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Storage")
            .field("start", &self.start)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}
