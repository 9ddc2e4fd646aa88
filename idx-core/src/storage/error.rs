use core::fmt;

use crate::Error;

/// Why a record could not be read from a storage.
///
/// ```
/// use idx_core::storage::StorageError;
///
/// let error = StorageError::<()>::IndexOutOfRange { index: 7, len: 7 };
/// assert_eq!(error.message(), "there is no such record");
/// assert_eq!(error.to_string(), "there is no such record: index 7, but there are 7 records");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum StorageError<E> {
    /// The driver could not read.
    Storage(E),
    /// The bytes are not such a file, or a record holds a value that its type does not allow.
    Format(Error),
    /// There are not that many records.
    IndexOutOfRange {
        /// The record that was asked for, counted from 0.
        index: u32,
        /// The number of records.
        len: u32,
    },
    /// The buffer does not hold a record.
    BufferTooSmall {
        /// The size of a record in bytes.
        needed: usize,
        /// The size of the buffer in bytes.
        found: usize,
    },
}

impl<E> StorageError<E> {
    /// What is wrong, without the numbers, for firmware that must not link `core::fmt`.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        match self {
            Self::Storage(_) => "the storage cannot be read",
            Self::Format(error) => error.message(),
            Self::IndexOutOfRange { .. } => "there is no such record",
            Self::BufferTooSmall { .. } => "the buffer is too small for a record",
        }
    }
}

impl<E> From<Error> for StorageError<E> {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

impl<E: fmt::Debug> fmt::Display for StorageError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message();
        match self {
            Self::Format(error) => error.fmt(f),
            // The traits ask no `Display` of a driver's error.
            Self::Storage(error) => write!(f, "{message}: {error:?}"),
            Self::IndexOutOfRange { index, len } => {
                write!(f, "{message}: index {index}, but there are {len} records")
            }
            Self::BufferTooSmall { needed, found } => {
                write!(f, "{message}: {needed} bytes are needed, it has {found}")
            }
        }
    }
}

impl<E: fmt::Debug> core::error::Error for StorageError<E> {}
