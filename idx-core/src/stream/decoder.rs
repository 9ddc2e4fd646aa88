//! The decoder for bytes that the caller pushes, in pieces of any length.

use core::fmt;
use core::marker::PhantomData;

use crate::error::Error;
#[cfg(doc)]
use crate::error_kind::ErrorKind;
use crate::incremental_header::HeaderDecoder;
use crate::mismatch;
use crate::record::IdxRecord;

/// Decodes a file from pieces of any length, one record at a time.
///
/// `N` is the size of the buffer in bytes, at least that of a record: write `RecordDecoder::<Digit, { Digit::SIZE }>`.
/// A piece may end anywhere.
///
/// ```
/// use idx_core::ErrorKind;
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
/// let error = decoder.finish().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Truncated { needed: 8, found: 7 });
///
/// assert_eq!(decoder.push(&mut &[4][..])?, Some([-1, 4]));
/// assert_eq!(decoder.finish(), Ok(()));
/// # Ok::<(), idx_core::Error>(())
/// ```
///
/// An error is reported with the byte that reveals it. The errors are those of
/// [`Records::parse`](crate::Records::parse), in the same order, except for those that a stream cannot know in advance:
/// a truncated header or payload, and bytes after the payload. These come last, from [`finish`](Self::finish). An error
/// in the bytes is final: every later call returns it again.
///
/// A buffer that is too small does not compile:
///
/// ```compile_fail
/// # use idx_core::stream::RecordDecoder;
/// // evaluation panicked: the buffer of a `RecordDecoder<T, N>` has to hold one record: ...
/// static SMALL: RecordDecoder<[i16; 2], 3> = RecordDecoder::new();
/// ```
pub struct RecordDecoder<T: IdxRecord, const N: usize> {
    state: State,
    /// The index of the next record; also the number of records read.
    next: u32,
    /// The number of bytes of that record in the buffer. The previous record stays in the buffer until the first of
    /// them arrives.
    filled: usize,
    buffer: [u8; N],
    is_prefix: bool,
    /// The number of bytes taken after the payload.
    pub(super) trailing: u64,
    record: PhantomData<fn() -> T>,
}

enum State {
    Header(HeaderDecoder),
    /// The header is complete.
    Records(HeaderDecoder),
    Failed(Error),
}

/// The next step of a decoder.
pub(super) enum Next<'a> {
    /// Fill this space.
    Bytes(&'a mut [u8]),
    /// The record of this index is in the buffer.
    Record(u32),
    /// All records were read.
    End,
}

impl<T: IdxRecord, const N: usize> RecordDecoder<T, N> {
    /// Creates a decoder for a file that ends with its payload.
    ///
    /// It consumes all bytes that are pushed, and [`finish`](Self::finish) reports the extra ones.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(
                N >= T::SIZE,
                "the buffer of a `RecordDecoder<T, N>` has to hold one record, so `N` is at least `T::SIZE`"
            );
        }
        Self {
            state: State::Header(HeaderDecoder::new::<T>()),
            next: 0,
            filled: 0,
            buffer: [0; N],
            is_prefix: false,
            trailing: 0,
            record: PhantomData,
        }
    }

    /// Creates a decoder for a file that may be followed by other data.
    ///
    /// It consumes no byte beyond the last record.
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

    /// Consumes bytes until a record is complete, and returns it; `None` if it needs the next piece.
    ///
    /// Bytes that it did not consume remain in `bytes`: call it again with the same variable until it returns `None`,
    /// then with the next piece. After the last record it always returns `None`.
    ///
    /// # Errors
    ///
    /// The first of: [`ErrorKind::Gzip`], [`ErrorKind::NotIdx`], [`ErrorKind::UnknownElementType`],
    /// [`ErrorKind::ElementMismatch`], [`ErrorKind::RankMismatch`], [`ErrorKind::ShapeMismatch`],
    /// [`ErrorKind::ValueNotAllowed`].
    pub fn push(&mut self, bytes: &mut &[u8]) -> Result<Option<T>, Error> {
        match self.push_record(bytes)? {
            Some(index) => self.decode(index),
            None => Ok(None),
        }
    }

    /// Consumes bytes as [`push`](Self::push) does, but returns the record's bytes, big-endian, borrowed from the
    /// buffer.
    ///
    /// Their values have been checked. Use it for records of more than 64 bytes, which [`push`](Self::push) copies up
    /// to three times on the stack at opt-level z.
    ///
    /// # Errors
    ///
    /// The errors of [`push`](Self::push).
    pub fn push_bytes(&mut self, bytes: &mut &[u8]) -> Result<Option<&[u8]>, Error> {
        match self.push_record(bytes)? {
            Some(index) => self.check(index).map(Some),
            None => Ok(None),
        }
    }

    /// Returns whether all records have been read; false before the end of the header.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.record_count(), Some(count) if self.next == count)
    }

    /// Returns the number of records according to the header; `None` until the header is complete and valid.
    #[must_use]
    pub const fn record_count(&self) -> Option<u32> {
        match &self.state {
            State::Records(header) => Some(header.record_count()),
            State::Header(_) | State::Failed(_) => None,
        }
    }

    /// Returns the number of records returned so far; a record with a value that is not allowed does not count.
    #[must_use]
    pub const fn records_read(&self) -> u32 {
        self.next
    }

    /// Starts over, for the next file from the same line.
    pub const fn reset(&mut self) {
        self.state = State::Header(HeaderDecoder::new::<T>());
        self.next = 0;
        self.filled = 0;
        self.trailing = 0;
    }

    /// Checks that the file is complete; call it after the last bytes.
    ///
    /// It changes nothing: if more bytes arrive after all, push them.
    ///
    /// # Errors
    ///
    /// The error that a push returned, or the first of: [`ErrorKind::Empty`],
    /// [`ErrorKind::HeaderTruncated`], [`ErrorKind::Truncated`], [`ErrorKind::TrailingBytes`].
    pub fn finish(&self) -> Result<(), Error> {
        let header = match &self.state {
            State::Header(header) => return Err(header.truncated()),
            State::Failed(error) => return Err(*error),
            State::Records(header) => header,
        };
        let needed = header.payload_size();
        let found =
            u64::from(self.next).wrapping_mul(T::SIZE as u64).wrapping_add(self.filled as u64);
        if found < needed || self.trailing > 0 {
            Err(header.other_length(found.wrapping_add(self.trailing)))
        } else {
            Ok(())
        }
    }

    /// Consumes bytes until the buffer holds a record, and returns its index.
    fn push_record(&mut self, bytes: &mut &[u8]) -> Result<Option<u32>, Error> {
        loop {
            let space = match self.next()? {
                Next::Bytes(space) => space,
                Next::Record(index) => return Ok(Some(index)),
                Next::End => {
                    if !self.is_prefix {
                        self.trailing = self.trailing.wrapping_add(bytes.len() as u64);
                        *bytes = &[];
                    }
                    return Ok(None);
                }
            };
            let count = space.len().min(bytes.len());
            if let (Some(space), Some((taken, rest))) =
                (space.get_mut(..count), bytes.split_at_checked(count))
            {
                // Not `copy_from_slice`: when optimizing for size, the compiler does not see that the lengths are
                // equal, and keeps a panic.
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

    /// Returns the next step. The caller, blocking or not, fills the space and calls [`advance`](Self::advance).
    pub(super) fn next(&mut self) -> Result<Next<'_>, Error> {
        let count = match &mut self.state {
            State::Header(header) => return Ok(Next::Bytes(header.space())),
            State::Failed(error) => return Err(*error),
            State::Records(header) => header.record_count(),
        };
        if self.next == count {
            return Ok(Next::End);
        }
        // Records without bytes are complete from the start.
        if self.filled == T::SIZE {
            let index = self.next;
            self.next = self.next.wrapping_add(1);
            self.filled = 0;
            return Ok(Next::Record(index));
        }
        let space = self.buffer.get_mut(self.filled..T::SIZE).unwrap_or_default();
        debug_assert!(!space.is_empty(), "the record is not complete");
        Ok(Next::Bytes(space))
    }

    /// Takes the first `count` bytes of the space.
    pub(super) fn advance(&mut self, count: usize) -> Result<(), Error> {
        let State::Header(header) = &mut self.state else {
            debug_assert!(count <= T::SIZE - self.filled, "a caller fills at most the space");
            self.filled = self.filled.wrapping_add(count);
            return Ok(());
        };
        match header.advance(count, u64::MAX) {
            Ok(false) => return Ok(()),
            Ok(true) => self.state = State::Records(*header),
            Err(error) => {
                self.state = State::Failed(error);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Decodes the record in the buffer. Inlined, since a call would copy it once more.
    #[inline(always)]
    pub(super) fn decode(&mut self, index: u32) -> Result<Option<T>, Error> {
        match T::decode(self.record()) {
            Some(record) => Ok(Some(record)),
            None => Err(self.refuse(index, mismatch::refused::<T>(index, self.record()))),
        }
    }

    /// Returns the bytes of the record in the buffer, if its values are allowed.
    pub(super) fn check(&mut self, index: u32) -> Result<&[u8], Error> {
        match mismatch::of_value::<T>(index, self.record()) {
            None => Ok(self.record()),
            Some(error) => Err(self.refuse(index, error)),
        }
    }

    fn record(&self) -> &[u8] {
        let record = self.buffer.get(..T::SIZE);
        debug_assert!(record.is_some(), "`new` does not compile otherwise");
        record.unwrap_or_default()
    }

    /// Ends with this error; the record was not returned, so it does not count as read.
    fn refuse(&mut self, index: u32, error: Error) -> Error {
        self.next = index;
        self.state = State::Failed(error);
        error
    }
}

impl<T: IdxRecord, const N: usize> Default for RecordDecoder<T, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: IdxRecord, const N: usize> fmt::Debug for RecordDecoder<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("RecordDecoder");
        match &self.state {
            State::Header(header) => f.field("header_bytes", &header.taken()),
            State::Records(header) => f.field("record_count", &header.record_count()),
            State::Failed(error) => f.field("error", error),
        };
        f.field("records_read", &self.next).finish_non_exhaustive()
    }
}
