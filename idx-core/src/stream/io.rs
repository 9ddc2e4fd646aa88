//! Reads records from the blocking and the async `Read` of embedded-io.

use core::fmt;

use crate::error::Error;
#[cfg(doc)]
use crate::error_kind::ErrorKind;
use crate::record::IdxRecord;
use crate::stream::decoder::{Next, RecordDecoder};

/// The number of bytes that are read at a time after the payload, only to count them.
const TRAILING_SIZE: usize = 16;

/// Generates the functions for one kind of reader. The two kinds differ only in `.await`; the code between the reads is
/// shared.
macro_rules! reader {
    (
        $feature:literal, $reader:ident::$read:ident, [$($async:tt)?], [$($await:tt)*],
        $record:ident, $(#[$doc:meta])* $by_value:ident, $bytes:ident, $to_end:ident
    ) => {
        #[cfg(feature = $feature)]
        impl<T: IdxRecord, const N: usize> RecordDecoder<T, N> {
            $(#[$doc])*
            ///
            /// Reads no byte beyond the last record. Returns `None` only after the last record.
            ///
            /// # Errors
            ///
            /// The errors of [`push`](Self::push) and, at the end of the reader, of [`finish`](Self::finish). If the
            /// reader itself failed, call it again to continue.
            pub $($async)? fn $by_value<R: $reader::$read + ?Sized>(
                &mut self,
                reader: &mut R,
            ) -> Result<Option<T>, ReadError<R::Error>> {
                match self.$record(reader)$($await)*? {
                    Some(index) => Ok(self.decode(index)?),
                    None => Ok(None),
                }
            }

            /// Reads the next record and returns its bytes, big-endian, borrowed from the buffer.
            ///
            /// Their values have been checked. This saves a copy of a large record on the stack.
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`", stringify!($by_value), "`](Self::", stringify!($by_value), ").")]
            pub $($async)? fn $bytes<R: $reader::$read + ?Sized>(
                &mut self,
                reader: &mut R,
            ) -> Result<Option<&[u8]>, ReadError<R::Error>> {
                match self.$record(reader)$($await)*? {
                    Some(index) => Ok(Some(self.check(index)?)),
                    None => Ok(None),
                }
            }

            /// Reads to the end of the reader and checks that the file ends there, too.
            ///
            /// The remaining records are checked and dropped. A line that stays open, such as a UART, never ends: do
            /// not call it there.
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`", stringify!($by_value), "`](Self::", stringify!($by_value), "), then [`ErrorKind::TrailingBytes`].")]
            pub $($async)? fn $to_end<R: $reader::$read + ?Sized>(
                &mut self,
                reader: &mut R,
            ) -> Result<(), ReadError<R::Error>> {
                while self.$bytes(reader)$($await)*?.is_some() {}
                let mut trailing = [0; TRAILING_SIZE];
                loop {
                    let count = reader.read(&mut trailing)$($await)*.map_err(ReadError::Read)?;
                    match count {
                        0 => return Ok(self.finish()?),
                        1..=TRAILING_SIZE => self.trailing = self.trailing.wrapping_add(count as u64),
                        _ => return Err(ReadError::Overrun),
                    }
                }
            }

            /// Reads until the buffer holds a record, and returns its index.
            $($async)? fn $record<R: $reader::$read + ?Sized>(
                &mut self,
                reader: &mut R,
            ) -> Result<Option<u32>, ReadError<R::Error>> {
                loop {
                    let space = match self.next()? {
                        Next::Bytes(space) => space,
                        Next::Record(index) => return Ok(Some(index)),
                        Next::End => return Ok(None),
                    };
                    let size = space.len();
                    let count = reader.read(space)$($await)*.map_err(ReadError::Read)?;
                    if count > size {
                        return Err(ReadError::Overrun);
                    }
                    if count == 0 {
                        self.finish()?;
                        debug_assert!(false, "the file is not complete, as bytes are needed");
                        return Ok(None);
                    }
                    self.advance(count)?;
                }
            }
        }
    };
}

reader! {
    "embedded-io-v0.7", embedded_io::Read, [], [],
    read_record,
    /// Reads the next record, straight into the buffer.
    ///
    /// ```
    /// use idx_core::stream::RecordDecoder;
    ///
    /// let mut uart = &[0, 0, 0x08, 1, 0, 0, 0, 3, 1, 2, 4][..]; // any `embedded_io::Read`
    /// let mut decoder = RecordDecoder::<u8, 1>::new();
    /// let mut sum = 0;
    /// while let Some(byte) = decoder.read(&mut uart)? {
    ///     sum += byte;
    /// }
    /// assert_eq!(sum, 7);
    /// # Ok::<(), idx_core::stream::ReadError<core::convert::Infallible>>(())
    /// ```
    read, read_bytes, read_to_end
}

reader! {
    "embedded-io-async-v0.7", embedded_io_async::Read, [async], [.await],
    read_record_async,
    /// Reads the next record, straight into the buffer (async).
    ///
    /// This is cancel-safe: if the future is dropped, the decoder loses no byte that the reader gave it; call it again
    /// to continue. The reader's own `read` must be cancel-safe, too. One that takes bytes and then waits for more, as
    /// that of an interrupt-driven line may, loses them when it is dropped; there, wait for the whole record, or start
    /// over at the next file with [`reset`](Self::reset). [`read_to_end_async`](Self::read_to_end_async) is cancel-safe
    /// as well.
    ///
    /// The async functions have names of their own because a reader may implement both traits.
    ///
    /// ```
    /// use idx_core::stream::{ReadError, RecordDecoder};
    ///
    /// async fn sum<R: embedded_io_async::Read>(mut uart: R) -> Result<u8, ReadError<R::Error>> {
    ///     let mut decoder = RecordDecoder::<u8, 1>::new();
    ///     let mut sum = 0;
    ///     while let Some(byte) = decoder.read_async(&mut uart).await? {
    ///         sum += byte;
    ///     }
    ///     Ok(sum)
    /// }
    /// ```
    read_async, read_bytes_async, read_to_end_async
}

/// The reason why a record could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReadError<E> {
    /// The reader failed. The bytes read so far are kept.
    Read(E),
    /// The bytes are not a file of these records.
    Format(Error),
    /// The reader claims to have read more bytes than it was given room for, which `Read` forbids.
    ///
    /// The decoder takes none of them. It is unknown which bytes were lost, so start again with a new decoder.
    Overrun,
}

impl<E> From<Error> for ReadError<E> {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Format(error) => error.fmt(f),
            Self::Overrun => f.write_str(
                "the reader claims more bytes than it was given room for; correct its `read`",
            ),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for ReadError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read(error) => error.source(),
            Self::Format(error) => error.source(),
            Self::Overrun => None,
        }
    }
}
