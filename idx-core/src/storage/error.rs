//! Errors of external flash: in the file, and from the driver.

use core::fmt;

use crate::error::Error;

/// The reason why a record could not be read from a storage, or logged to it.
///
/// ```
/// use idx_core::storage::StorageError;
///
/// let error = StorageError::<()>::IndexOutOfRange { index: 7, len: 7 };
/// assert_eq!(error.message(), "record index out of range");
/// assert_eq!(
///     error.to_string(),
///     "record index out of range: index 7, number of records 7; use a smaller index"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum StorageError<E> {
    /// The driver could not read, write or erase.
    Storage(E),
    /// The bytes are not a file of these records, or a record contains a value that its type does not allow.
    Format(Error),
    /// The index is not less than the number of records.
    IndexOutOfRange {
        /// The requested record, counted from 0.
        index: u32,
        /// The number of records.
        len: u32,
    },
    /// The requested part of a record ends before it starts, or beyond the record.
    PartOutOfRange {
        /// The end of the part in bytes.
        end: usize,
        /// The size of a record in bytes.
        size: usize,
    },
    /// The buffer is smaller than the record, or than the requested part of it.
    BufferTooSmall {
        /// The size needed in bytes.
        needed: usize,
        /// The size of the buffer in bytes.
        found: usize,
    },
    /// The range of a [`Log`](crate::log::Log) has no room for another record.
    Full {
        /// The number of records that it holds.
        len: u32,
    },
    /// The range holds neither erased flash nor a log written in words of this size.
    ///
    /// For a log of another type, the error is [`Format`](Self::Format) with the first difference.
    NotALog {
        /// The offset of the range.
        offset: u32,
    },
    /// Clearing or starting a log was interrupted, and it holds no records; or only the first sector holds something,
    /// which is not a log.
    Unfinished {
        /// The offset of the range.
        offset: u32,
    },
    /// The bytes of a record in a log have changed since it was written.
    Damaged {
        /// The record, counted from 0.
        index: u32,
    },
}

impl<E> StorageError<E> {
    /// Returns the message, without the numbers, for firmware that must not link `core::fmt`.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        match self {
            Self::Storage(_) => "the driver of the storage failed",
            Self::Format(error) => error.message(),
            Self::IndexOutOfRange { .. } => "record index out of range",
            Self::PartOutOfRange { .. } => "not a part of the record",
            Self::BufferTooSmall { .. } => "the buffer is too small for a record",
            Self::Full { .. } => "the log is full",
            Self::NotALog { .. } => "neither a log nor erased flash",
            Self::Unfinished { .. } => "a log whose clearing or start was cut short",
            Self::Damaged { .. } => "a record of the log is damaged",
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
            // The traits do not require `Display` of a driver's error.
            Self::Storage(error) => write!(f, "{message}: {error:?}"),
            Self::IndexOutOfRange { index, len } => {
                write!(f, "{message}: index {index}, number of records {len}; use a smaller index")
            }
            Self::PartOutOfRange { end, size } => {
                write!(f, "{message}: byte {end}, size of a record {size}; use a range within it")
            }
            Self::BufferTooSmall { needed, found } => {
                write!(f, "{message}: {found} of {needed} bytes; pass a larger one")
            }
            Self::Full { len } => {
                write!(
                    f,
                    "{message}: {len} records; copy them, then start a new one with `Log::clear`"
                )
            }
            Self::NotALog { offset } => write!(
                f,
                "{message}: at offset {offset}; if you need nothing of it, erase it with `Log::clear`"
            ),
            Self::Unfinished { offset } => {
                write!(f, "{message}: at offset {offset}; start a new one with `Log::clear`")
            }
            Self::Damaged { index } => {
                write!(f, "{message}: record {index}; the others can be read")
            }
        }
    }
}

impl<E: fmt::Debug> core::error::Error for StorageError<E> {}
