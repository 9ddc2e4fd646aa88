//! Records from bytes that come in pieces: over a UART, in blocks of an SD card, out of an inflater.
//!
//! [`RecordDecoder`] keeps one record at most. It takes the bytes as they come
//! ([`push`](RecordDecoder::push)), or reads them itself from an `embedded_io::Read` (feature
//! `embedded-io-v0.7`) or from its async twin (feature `embedded-io-async-v0.7`).
//!
//! Where all bytes lie in memory, [`Records`](crate::Records) is smaller and faster.

#[cfg(any(feature = "embedded-io-v0.7", feature = "embedded-io-async-v0.7"))]
mod reading;

#[cfg(any(feature = "embedded-io-v0.7", feature = "embedded-io-async-v0.7"))]
pub use reading::ReadError;

use core::fmt;
use core::marker::PhantomData;

use crate::header_check::HeaderCheck;
use crate::{Error, IdxRecord};

/// Decodes a file from pieces of any length, one record at a time.
///
/// `N` is the size of the buffer in bytes, at least that of a record: write
/// `RecordDecoder::<Digit, { Digit::SIZE }>`. Where the pieces are cut makes no difference.
///
/// ```
/// use idx_core::Error;
/// use idx_core::stream::RecordDecoder;
///
/// let mut decoder = RecordDecoder::<[i16; 2], 4>::new();
/// let mut rows = Vec::new();
/// // i16, 2 records of 2 elements
/// for piece in [&[0, 0, 0x0B, 2, 0, 0, 0][..], &[2, 0, 0, 0, 2, 0, 1, 0, 2, 0xFF], &[0xFF, 0]] {
///     let mut rest = piece;
///     while let Some(row) = decoder.push(&mut rest)? {
///         rows.push(row);
///     }
/// }
/// assert_eq!(rows, [[1, 2]]);
/// assert_eq!(decoder.finish(), Err(Error::Truncated { needed: 8, found: 7 }));
///
/// assert_eq!(decoder.push(&mut &[4][..])?, Some([-1, 4]));
/// assert_eq!(decoder.finish(), Ok(()));
/// # Ok::<(), idx_core::Error>(())
/// ```
///
/// A wrong header is told when its last byte is there, a wrong value with its record. The errors are
/// those of [`Records::parse`](crate::Records::parse), in its order, but for what a stream cannot
/// know in advance: whether the payload is cut or bytes follow it. So [`Error::Truncated`] and
/// [`Error::TrailingBytes`] come last, from [`finish`](Self::finish).
/// An error in the bytes is final: from then on every function gives it again.
///
/// A buffer that is too small does not compile:
///
/// ```compile_fail
/// # use idx_core::stream::RecordDecoder;
/// // evaluation panicked: the buffer of a `RecordDecoder<T, N>` has to hold one record: ...
/// static SMALL: RecordDecoder<[i16; 2], 3> = RecordDecoder::new();
/// ```
pub struct RecordDecoder<T, const N: usize> {
    state: State,
    /// The record that comes next; also how many were given.
    next: u32,
    /// The bytes of that record that are there. Those of the record before lie in the buffer until
    /// the first of them comes.
    filled: usize,
    buffer: heapless::Vec<u8, N>,
    is_prefix: bool,
    /// The bytes after the payload that were taken.
    trailing: u64,
    record: PhantomData<fn() -> T>,
}

enum State {
    Header(HeaderCheck),
    Records {
        header_size: u16,
        payload_size: u64,
        count: u32,
    },
    Failed(Error),
}

/// What a decoder does next.
enum Next<'a> {
    /// It wants bytes, here.
    Bytes(&'a mut [u8]),
    /// This record is in the buffer.
    Record(u32),
    /// All records were given.
    End,
}

impl<T: IdxRecord, const N: usize> RecordDecoder<T, N> {
    /// A decoder for a file after which no byte may follow.
    ///
    /// It takes all bytes that are pushed, and [`finish`](Self::finish) counts those too many.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(
                N >= T::SIZE,
                "the buffer of a `RecordDecoder<T, N>` has to hold one record, so `N` is at least `T::SIZE`"
            );
        }
        Self {
            state: State::Header(HeaderCheck::new::<T>()),
            next: 0,
            filled: 0,
            buffer: heapless::Vec::new(),
            is_prefix: false,
            trailing: 0,
            record: PhantomData,
        }
    }

    /// A decoder for a file after which something else may follow.
    ///
    /// It takes no byte beyond the last record; what it leaves is for whoever comes next.
    ///
    /// ```
    /// # use idx_core::stream::RecordDecoder;
    /// let mut decoder = RecordDecoder::<u8, 1>::new_prefix();
    /// let mut rest = &b"\0\0\x08\x01\0\0\0\x02\x07\x08and more"[..];
    /// let mut sum = 0;
    /// while let Some(byte) = decoder.push(&mut rest)? {
    ///     sum += byte;
    /// }
    /// assert!(decoder.is_complete());
    /// assert_eq!((sum, rest), (15, &b"and more"[..]));
    /// # Ok::<(), idx_core::Error>(())
    /// ```
    #[must_use]
    pub const fn new_prefix() -> Self {
        let mut decoder = Self::new();
        decoder.is_prefix = true;
        decoder
    }

    /// Takes bytes until a record is there, and gives it; `None` once it wants the next piece.
    ///
    /// What was not taken stays in `bytes`: call it again with the same variable until it gives
    /// `None`, then with the next piece. After the last record it gives `None` at once.
    ///
    /// # Errors
    ///
    /// The first of: those of [`Header::parse`](crate::Header::parse), [`Error::ElementMismatch`],
    /// [`Error::RankMismatch`], [`Error::ShapeMismatch`], [`Error::ValueNotAllowed`].
    pub fn push(&mut self, bytes: &mut &[u8]) -> Result<Option<T>, Error> {
        match self.push_record(bytes)? {
            Some(index) => self.decode(index).map(Some),
            None => Ok(None),
        }
    }

    /// As [`push`](Self::push), but gives the record's bytes, big-endian, where they lie in the buffer.
    ///
    /// Their values were checked. It saves the copy of a large record to the stack.
    ///
    /// # Errors
    ///
    /// Those of [`push`](Self::push).
    pub fn push_bytes(&mut self, bytes: &mut &[u8]) -> Result<Option<&[u8]>, Error> {
        match self.push_record(bytes)? {
            Some(index) => self.check(index).map(Some),
            None => Ok(None),
        }
    }

    /// Whether all records were given.
    ///
    /// False before the end of the header, so true for a file without records only after it.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.state, State::Records { count, .. } if self.next == count)
    }

    /// The number of records, as the header gives it; `None` until the header is there and right.
    #[must_use]
    pub const fn record_count(&self) -> Option<u32> {
        match self.state {
            State::Records { count, .. } => Some(count),
            State::Header(_) | State::Failed(_) => None,
        }
    }

    /// The number of records that were given.
    #[must_use]
    pub const fn delivered(&self) -> u32 {
        self.next
    }

    /// Checks that the file ends here; to be called where the bytes do.
    ///
    /// More bytes can be pushed after it, if there are some after all.
    ///
    /// # Errors
    ///
    /// The error that a push gave, or the first of: [`Error::Empty`], [`Error::Gzip`],
    /// [`Error::NotIdx`], [`Error::UnknownElementType`], [`Error::HeaderTruncated`],
    /// [`Error::Truncated`], [`Error::TrailingBytes`].
    pub fn finish(&self) -> Result<(), Error> {
        let (header_size, needed) = match &self.state {
            State::Header(check) => return Err(check.cut()),
            State::Failed(error) => return Err(*error),
            State::Records {
                header_size,
                payload_size,
                ..
            } => (*header_size, *payload_size),
        };
        let found = u64::from(self.next) * T::SIZE as u64 + self.filled as u64;
        if found < needed {
            Err(Error::Truncated { needed, found })
        } else if self.trailing > 0 {
            Err(Error::TrailingBytes {
                offset: u64::from(header_size) + needed,
                count: self.trailing,
            })
        } else {
            Ok(())
        }
    }

    /// Takes bytes until the buffer holds a record, and gives its index.
    fn push_record(&mut self, bytes: &mut &[u8]) -> Result<Option<u32>, Error> {
        loop {
            let space = match self.next()? {
                Next::Bytes(space) => space,
                Next::Record(index) => return Ok(Some(index)),
                Next::End => {
                    if !self.is_prefix {
                        self.trailing += bytes.len() as u64;
                        *bytes = &[];
                    }
                    return Ok(None);
                }
            };
            let count = space.len().min(bytes.len());
            if let (Some(space), Some((taken, rest))) =
                (space.get_mut(..count), bytes.split_at_checked(count))
            {
                // Not `copy_from_slice`: optimised for size, the compiler loses sight of the lengths
                // being equal, and keeps a panic.
                for (byte, taken) in space.iter_mut().zip(taken) {
                    *byte = *taken;
                }
                *bytes = rest;
            }
            if count == 0 {
                return Ok(None);
            }
            self.advance(count)?;
        }
    }

    /// What to do next. Whoever reads fills the space that it gives and calls
    /// [`advance`](Self::advance), blocking or not.
    fn next(&mut self) -> Result<Next<'_>, Error> {
        let count = match &mut self.state {
            State::Header(check) => return Ok(Next::Bytes(check.space())),
            State::Failed(error) => return Err(*error),
            State::Records { count, .. } => *count,
        };
        if self.next == count {
            return Ok(Next::End);
        }
        // Records of no bytes are whole from the start.
        if self.filled == T::SIZE {
            let index = self.next;
            self.next += 1;
            self.filled = 0;
            return Ok(Next::Record(index));
        }
        let space = self.buffer.get_mut(self.filled..).unwrap_or_default();
        Ok(Next::Bytes(space))
    }

    /// Takes the first `count` bytes of the space.
    fn advance(&mut self, count: usize) -> Result<(), Error> {
        let State::Header(check) = &mut self.state else {
            // No reader fills more than it was given; one that says so must not do harm.
            self.filled += count.min(T::SIZE - self.filled);
            return Ok(());
        };
        let error = match check.advance(count) {
            Ok(false) => return Ok(()),
            Ok(true) => check.mismatch(),
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            return Err(self.fail(error));
        }
        self.state = State::Records {
            header_size: check.taken(),
            payload_size: check.payload_size(),
            count: check.record_count(),
        };
        // It is large enough: `new` does not compile otherwise.
        let _ = self.buffer.resize(T::SIZE, 0);
        Ok(())
    }

    /// The record in the buffer by value.
    fn decode(&mut self, index: u32) -> Result<T, Error> {
        match T::decode(&self.buffer) {
            Some(record) => Ok(record),
            None => Err(self.fail(Error::refused::<T>(index, &self.buffer))),
        }
    }

    /// The bytes of the record in the buffer, if its values are allowed.
    fn check(&mut self, index: u32) -> Result<&[u8], Error> {
        match Error::not_allowed::<T>(index, &self.buffer) {
            None => Ok(&self.buffer),
            Some(error) => Err(self.fail(error)),
        }
    }

    fn fail(&mut self, error: Error) -> Error {
        self.state = State::Failed(error);
        error
    }
}

impl<T: IdxRecord, const N: usize> Default for RecordDecoder<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const N: usize> fmt::Debug for RecordDecoder<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("RecordDecoder");
        match &self.state {
            State::Header(check) => f.field("header_bytes", &check.taken()),
            State::Records { count, .. } => f.field("record_count", count),
            State::Failed(error) => f.field("error", error),
        };
        f.field("delivered", &self.next).finish_non_exhaustive()
    }
}
