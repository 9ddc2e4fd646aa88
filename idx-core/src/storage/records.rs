//! The records of one file, with the driver that reads them.

use core::fmt;
use core::ops::Range;

use crate::record::IdxRecord;
use crate::storage::error::StorageError;
use crate::storage::located::Located;

/// The records of a file in external flash, each checked when it is read.
///
/// It holds the driver and a [`Located`], which is two numbers. The header is checked once, by [`open`](Self::open);
/// the values of a record are checked by each [`read`](Self::read). Bytes after the file are ignored, since partitions
/// are padded, usually with FF.
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
pub struct Storage<S, T: IdxRecord> {
    storage: S,
    records: Located<T>,
}

impl<S, T: IdxRecord> Storage<S, T> {
    /// Combines a driver with a file that was opened with it before.
    ///
    /// Use it if the driver must not be lost when there is no file: [`Located::open`] only borrows it.
    pub const fn new(storage: S, records: Located<T>) -> Self {
        Self { storage, records }
    }

    /// Returns the number of records.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.records.len()
    }

    /// Returns whether there are no records.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the driver.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.storage
    }
}

/// Generates the functions of [`Located`] for one kind of storage.
macro_rules! storage {
    (
        $feature:literal, $storage:ident::$read_storage:ident, [$($async:tt)?], [$($await:tt)*], $kind:literal,
        $(#[$doc:meta])* $open:ident, $open_within:ident, $read:ident, $read_bytes:ident, $read_part:ident, $read_many:ident
    ) => {
        #[cfg(feature = $feature)]
        impl<S: $storage::$read_storage, T: IdxRecord> Storage<S, T> {
            /// Opens the file that starts `offset` bytes into the storage, and checks that it holds
            #[doc = concat!("records of type `T`", $kind, ".")]
            ///
            /// Reads only the header, four bytes at a time.
            $(#[$doc])*
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`Located::", stringify!($open), "`]. The driver is then dropped.")]
            pub $($async)? fn $open(mut storage: S, offset: u32) -> Result<Self, StorageError<S::Error>> {
                match Located::$open(&mut storage, offset)$($await)* {
                    Ok(records) => Ok(Self { storage, records }),
                    Err(error) => Err(error),
                }
            }

            /// Opens the file at the start of a range of the storage, such as a partition, and checks that it also
            #[doc = concat!("ends in that range", $kind, ".")]
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`Located::", stringify!($open_within), "`]. The driver is then dropped.")]
            pub $($async)? fn $open_within(
                mut storage: S,
                range: Range<u32>,
            ) -> Result<Self, StorageError<S::Error>> {
                match Located::$open_within(&mut storage, range)$($await)* {
                    Ok(records) => Ok(Self { storage, records }),
                    Err(error) => Err(error),
                }
            }

            #[doc = concat!("Reads record `index` by value; see [`Located::", stringify!($read), "`].")]
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`Located::", stringify!($read), "`].")]
            pub $($async)? fn $read(&mut self, index: u32) -> Result<T, StorageError<S::Error>> {
                self.records.$read(&mut self.storage, index)$($await)*
            }

            #[doc = concat!("Reads the bytes of record `index` into `buffer`; see [`Located::", stringify!($read_bytes), "`].")]
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`Located::", stringify!($read_bytes), "`].")]
            pub $($async)? fn $read_bytes<'a>(
                &mut self,
                index: u32,
                buffer: &'a mut [u8],
            ) -> Result<&'a [u8], StorageError<S::Error>> {
                self.records.$read_bytes(&mut self.storage, index, buffer)$($await)*
            }

            #[doc = concat!("Reads a part of record `index` into `buffer`; see [`Located::", stringify!($read_part), "`].")]
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`Located::", stringify!($read_part), "`].")]
            pub $($async)? fn $read_part<'a>(
                &mut self,
                index: u32,
                range: Range<usize>,
                buffer: &'a mut [u8],
            ) -> Result<&'a [u8], StorageError<S::Error>> {
                self.records.$read_part(&mut self.storage, index, range, buffer)$($await)*
            }

            #[doc = concat!("Appends the records from `first` on; see [`Located::", stringify!($read_many), "`].")]
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`Located::", stringify!($read_many), "`].")]
            #[cfg(feature = "heapless-v0.9")]
            pub $($async)? fn $read_many(
                &mut self,
                first: u32,
                records: &mut heapless::VecView<T>,
            ) -> Result<(), StorageError<S::Error>> {
                self.records.$read_many(&mut self.storage, first, records)$($await)*
            }
        }
    };
}

storage! {
    "embedded-storage-v0.3", embedded_storage::ReadStorage, [], [], "",
    open, open_within, read, read_bytes, read_part, read_many
}

storage! {
    "embedded-storage-async-v0.4", embedded_storage_async::ReadStorage, [async], [.await], " (async)",
    ///
    /// ```
    /// use embedded_storage_async::nor_flash::ReadNorFlash;
    /// use idx_core::storage::{Aligned, Storage, StorageError};
    ///
    /// async fn first<F: ReadNorFlash>(flash: &mut F) -> Result<[u8; 3], StorageError<F::Error>> {
    ///     let mut colors = Storage::open_async(Aligned::new(flash), 0x1_0000).await?;
    ///     colors.read_async(0).await
    /// }
    /// ```
    open_async, open_within_async, read_async, read_bytes_async, read_part_async, read_many_async
}

impl<S, T: IdxRecord> fmt::Debug for Storage<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Storage").field("records", &self.records).finish_non_exhaustive()
    }
}
