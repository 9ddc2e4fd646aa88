use core::fmt;
use core::marker::PhantomData;
use core::slice;

#[cfg(feature = "heapless-v0.9")]
use super::batch;
use super::error::StorageError;
use super::opening::Opening;
#[cfg(doc)]
use crate::error_kind::ErrorKind;
use crate::mismatch;
use crate::record::{Buffer, IdxRecord};

/// The records of a file in external flash, each checked when it is read.
///
/// It keeps the driver and two numbers. The header is checked once, by [`open`](Self::open); the values
/// of a record are checked with each [`read`](Self::read). Bytes after the file are ignored: a
/// partition is padded, mostly with FF.
///
/// ```
/// # #[cfg(feature = "embedded-storage-v0.3")] {
/// use core::convert::Infallible;
/// use embedded_storage::ReadStorage;
/// use idx_core::storage::{Storage, StorageError};
///
/// /// In place of the driver of a flash chip.
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
    pub(super) len: u32,
    record: PhantomData<fn() -> T>,
}

impl<S, T> Storage<S, T> {
    /// The number of records.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are no records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the driver.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.storage
    }
}

/// The functions over one kind of storage. The two kinds differ only in `.await`; the code between the
/// reads is shared.
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
            /// The error of the driver, or as [`StorageError::Format`] the first of those of
            /// [`Records::parse_prefix`](crate::Records::parse_prefix), except
            /// [`ErrorKind::ValueNotAllowed`].
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

            /// Reads record `index` and returns it by value.
            ///
            /// Takes about twice the size of the record on the stack, for its bytes and its value; for
            /// large records use
            #[doc = concat!("[`", stringify!($read_bytes), "`](Self::", stringify!($read_bytes), ").")]
            ///
            /// # Errors
            ///
            /// The error of the driver, [`StorageError::IndexOutOfRange`], or
            /// [`ErrorKind::ValueNotAllowed`] as [`StorageError::Format`].
            pub $($async)? fn $read(&mut self, index: u32) -> Result<T, StorageError<S::Error>> {
                let mut buffer = T::Buffer::ZERO;
                let bytes = T::Buffer::as_bytes(slice::from_mut(&mut buffer));
                let (offset, bytes) = self.locate(index, bytes)?;
                if !bytes.is_empty() {
                    self.storage
                        .read(offset, bytes)$($await)*
                        .map_err(StorageError::Storage)?;
                }
                Ok(mismatch::decode(index, bytes)?)
            }

            /// Reads record `index` into `buffer` and returns its bytes there, big-endian.
            ///
            /// Their values were checked. The buffer has at least `T::SIZE` bytes; the rest of it
            /// does not change. A driver that uses DMA may need an aligned buffer.
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
                match mismatch::of_value::<T>(index, bytes) {
                    None => Ok(bytes),
                    Some(error) => Err(error.into()),
                }
            }

            /// Reads records from `first` on and appends them, until `records` is full or the last
            /// one was read.
            ///
            /// Small records are read several at once. A `&mut heapless::Vec<T, N>` of any `N` coerces
            /// to the view, which avoids a copy of the code for each `N`.
            ///
            /// # Errors
            ///
            #[doc = concat!("Those of [`", stringify!($read), "`](Self::", stringify!($read), ");")]
            /// the records before the error are appended. `first` may be the number of records.
            #[cfg(feature = "heapless-v0.9")]
            pub $($async)? fn $read_many(
                &mut self,
                first: u32,
                records: &mut heapless::VecView<T>,
            ) -> Result<(), StorageError<S::Error>> {
                let mut memory = [0; batch::SIZE];
                let mut next = first;
                let end = self.batch_end(first, records.capacity().saturating_sub(records.len()))?;
                while next < end {
                    if let Some((offset, bytes)) = self.batch(next, end, &mut memory) {
                        self.storage
                            .read(offset, bytes)$($await)*
                            .map_err(StorageError::Storage)?;
                        next = batch::append(next, bytes, records)?;
                    } else {
                        let pushed = records.push(self.$read(next)$($await)*?);
                        debug_assert!(pushed.is_ok(), "the end of the batch is where it is full");
                        next = next.wrapping_add(1);
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
    /// The offset of record `index`, and the part of `buffer` for its bytes.
    fn locate<'a, E>(
        &self,
        index: u32,
        buffer: &'a mut [u8],
    ) -> Result<(u32, &'a mut [u8]), StorageError<E>> {
        if index >= self.len {
            return Err(StorageError::IndexOutOfRange { index, len: self.len });
        }
        let found = buffer.len();
        match buffer.get_mut(..T::SIZE) {
            Some(bytes) => Ok((self.offset(index), bytes)),
            None => Err(StorageError::BufferTooSmall { needed: T::SIZE, found }),
        }
    }

    /// The offset of record `index`. `open` checked that the last record ends within 32 bits, so
    /// neither operation wraps for existing records.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a record that exists has a size of at most 32 bits"
    )]
    pub(super) fn offset(&self, index: u32) -> u32 {
        self.start.wrapping_add(index.wrapping_mul(T::SIZE as u32))
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
