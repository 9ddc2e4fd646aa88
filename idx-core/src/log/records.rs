//! The log itself: opening, clearing, appending and reading, also after a power failure.

use core::marker::PhantomData;
use core::ops::Range;
use core::{fmt, slice};

use crate::incremental_header::Word;
use crate::log::layout::{Layout, MAX_HEADER, MAX_WORD, header, other_type};
use crate::log::place::{Found, Place};
use crate::log::words::{BLOCK, Words, front};
use crate::log_format::{self, MARK_SIZE, Mark, parts};
use crate::mismatch;
use crate::record::{Buffer, IdxRecord};
use crate::storage::StorageError;

/// A log of records in a range of NOR flash.
///
/// ```
/// # #[cfg(feature = "embedded-storage-v0.3")] {
/// use embedded_storage::nor_flash::{
///     ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
/// };
/// use idx_core::IdxRecord;
/// use idx_core::log::Log;
/// use idx_core::storage::StorageError;
///
/// #[derive(IdxRecord, Debug, PartialEq)]
/// struct Measurement { milliseconds: i32, millivolts: i32 }
///
/// # /// Stands for the driver of a flash chip.
/// # struct Flash([u8; 4096]);
/// #
/// # impl ErrorType for Flash {
/// #     type Error = NorFlashErrorKind;
/// # }
/// #
/// # impl ReadNorFlash for Flash {
/// #     const READ_SIZE: usize = 1;
/// #
/// #     fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
/// #         check_read(self, offset, bytes.len())?;
/// #         bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
/// #         Ok(())
/// #     }
/// #
/// #     fn capacity(&self) -> usize {
/// #         self.0.len()
/// #     }
/// # }
/// #
/// # impl NorFlash for Flash {
/// #     const WRITE_SIZE: usize = 8;
/// #     const ERASE_SIZE: usize = 2048;
/// #
/// #     fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
/// #         check_erase(self, from, to)?;
/// #         self.0[from as usize..to as usize].fill(0xFF);
/// #         Ok(())
/// #     }
/// #
/// #     fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
/// #         check_write(self, offset, bytes.len())?;
/// #         self.0[offset as usize..][..bytes.len()].copy_from_slice(bytes);
/// #         Ok(())
/// #     }
/// # }
/// #
/// # let mut flash = Flash([0xFF; 4096]);
/// // The driver of the flash, and a partition of it.
/// let mut log = Log::<Measurement, _>::open(&mut flash, 0..4096)?;
/// log.push(&Measurement { milliseconds: 0, millivolts: 3300 })?;
///
/// // The next start, perhaps after a power failure.
/// let mut log = match Log::<Measurement, _>::open(&mut flash, 0..4096) {
///     // The log was being started or cleared, and nothing is in it.
///     Err(StorageError::Unfinished { .. }) => Log::clear(&mut flash, 0..4096)?,
///     log => log?,
/// };
/// log.push(&Measurement { milliseconds: 10, millivolts: 3290 })?;
/// assert_eq!(log.len(), 2);
/// assert_eq!(log.read(0)?, Measurement { milliseconds: 0, millivolts: 3300 });
/// let volts: Vec<f32> = log.iter().flatten().map(|measured| measured.millivolts as f32 / 1000.0).collect();
/// assert_eq!(volts, [3.3, 3.29]);
/// # }
/// # #[cfg(feature = "embedded-storage-v0.3")]
/// # Ok::<(), idx_core::storage::StorageError<embedded_storage::nor_flash::NorFlashErrorKind>>(())
/// ```
pub struct Log<T: IdxRecord, F> {
    words: Words<F>,
    /// The range.
    start: u32,
    end: u32,
    /// The number of places.
    places: u32,
    /// The place of the next record, counted from 0: from there on flash reads as erased.
    next: u32,
    /// The end of the places that may be tried: [`GAP`] after the last one that does not read as erased.
    limit: u32,
    /// True if no write at `next` can have been cut by a power failure; false after a start or an error, when this is
    /// unknown.
    is_settled: bool,
    len: u32,
    /// The place of the last record, if there is one, and its mark, which the next read might not find again.
    last: u32,
    mark: Option<Mark>,
    /// The index and the place of the record read last.
    cursor: (u32, u32),
    record: PhantomData<fn() -> T>,
}

/// The contents of a range.
enum Contents {
    /// At most part of a header.
    Nothing,
    Log,
    /// A log that `clear` has begun to erase.
    Cleared,
}

/// The number of places tried in a row if each one refuses. So nothing lies beyond this many places in a row that read
/// as erased.
const GAP: u32 = 6;

impl<T: IdxRecord, F> Log<T, F> {
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

    /// Returns the number of places, each with room for one record.
    ///
    /// The first [`push`](Self::push) after a start takes one extra place, and so does each record that a power failure
    /// tore.
    #[must_use]
    pub const fn capacity(&self) -> u32 {
        self.places
    }

    /// Returns whether [`push`](Self::push) would return [`StorageError::Full`].
    #[must_use]
    pub const fn is_full(&self) -> bool {
        match self.is_settled {
            true => !self.is_free(self.next),
            false => self.len > 0 && !self.is_free(self.next.saturating_add(1)),
        }
    }

    /// Returns the driver.
    #[must_use]
    pub fn into_inner(self) -> F {
        self.words.0
    }

    fn new(flash: F, range: Range<u32>, layout: Layout) -> Self {
        let size = layout.whole_sectors(range.end.saturating_sub(range.start));
        let before = layout.header.wrapping_add(layout.word);
        let room = if size > layout.first { size.wrapping_sub(before) } else { 0 };
        Self {
            words: Words(flash),
            start: range.start,
            end: range.start.wrapping_add(size),
            places: room.checked_div(layout.place).unwrap_or(0),
            next: 0,
            limit: GAP,
            is_settled: false,
            len: 0,
            last: 0,
            mark: None,
            cursor: (u32::MAX, u32::MAX), // record 0 follows
            record: PhantomData,
        }
    }

    /// Returns whether a record may be written to this place, and its mark can count the torn places.
    const fn is_free(&self, place: u32) -> bool {
        place < self.limit && place < self.places && place.wrapping_sub(self.len) < u16::MAX as u32
    }

    /// Returns the offset of a place. Does not wrap: the place, or the one before, is in the range.
    const fn offset(&self, layout: Layout, place: u32) -> u32 {
        self.behind_header(layout)
            .wrapping_add(layout.word)
            .wrapping_add(place.wrapping_mul(layout.place))
    }

    /// Returns the offset of the word that says that `clear` has begun.
    const fn behind_header(&self, layout: Layout) -> u32 {
        self.start.wrapping_add(layout.header)
    }

    /// Returns the end of the first sectors, which hold the header.
    const fn behind_first(&self, layout: Layout) -> u32 {
        self.start.wrapping_add(layout.first)
    }
}

/// Generates the functions for one kind of flash. The two kinds differ only in `.await`.
macro_rules! log {
    (
        $feature:literal, $storage:ident, [$($async:tt)?], [$($await:tt)*], $kind:literal, $layout:ident,
        $open:ident, $clear:ident, $push:ident, $read:ident, $read_bytes:ident,
        $recognize:ident, $find_end:ident, $start_anew:ident, $append:ident, $find:ident, $answer:ident, $load:ident,
        $get:ident, $written_end:ident, $put:ident
    ) => {
        #[cfg(feature = $feature)]
        impl<T: IdxRecord, F: $storage::nor_flash::NorFlash> Log<T, F> {
            const $layout: Layout = Layout::of::<T>(F::WRITE_SIZE, F::ERASE_SIZE);

            /// Opens the log in a range of the flash
            #[doc = concat!("(", $kind, ").")]
            ///
            /// Changes nothing: erased flash is a log without records, and so is a torn header. The first
            /// [`push`](Self::push) writes the header.
            ///
            /// The range starts at a multiple of `ERASE_SIZE` and spans at least two sectors: in a single one, a log
            /// that `clear` has begun to erase could not be told from other data. A partial sector at its end is not
            /// used.
            ///
            /// The flash is a driver or a `&mut` to one. Its `WRITE_SIZE` must be 1 to 32, and its `READ_SIZE` must
            /// divide 32, which is checked at compile time.
            ///
            /// # Errors
            ///
            /// - [`StorageError::Storage`] if the driver fails;
            /// - [`StorageError::Full`] if the range has no place for a record, or fewer than two sectors;
            /// - [`StorageError::Unfinished`] if the power failed while [`clear`](Self::clear) erased the range, or
            ///   while a log was started: call `clear`;
            /// - [`StorageError::Format`] with the first difference if the range holds a log of another type;
            /// - [`StorageError::NotALog`] if it holds anything else.
            pub $($async)? fn $open(flash: F, range: Range<u32>) -> Result<Self, StorageError<F::Error>> {
                let mut log = Self::new(flash, range, Self::$layout);
                if log.places == 0 {
                    return Err(StorageError::Full { len: 0 });
                }
                match log.$recognize()$($await)*? {
                    Contents::Nothing => {}
                    Contents::Log => log.$find_end()$($await)*?,
                    Contents::Cleared => return Err(StorageError::Unfinished { offset: log.start }),
                }
                Ok(log)
            }

            /// Erases the range, whatever it holds, and starts a log there
            #[doc = concat!("(", $kind, ").")]
            ///
            /// If the power fails meanwhile, [`open`](Self::open) returns [`StorageError::Unfinished`] until this is
            /// called again.
            ///
            /// # Errors
            ///
            /// A failure of the driver ([`StorageError::Storage`]); a range that is too small, as for
            /// [`open`](Self::open) ([`StorageError::Full`]); a flash that does not keep the header
            /// ([`StorageError::Unfinished`]).
            pub $($async)? fn $clear(flash: F, range: Range<u32>) -> Result<Self, StorageError<F::Error>> {
                let mut log = Self::new(flash, range, Self::$layout);
                if log.places == 0 {
                    return Err(StorageError::Full { len: 0 });
                }
                let contents = log.$recognize()$($await)*;
                if matches!(contents, Ok(Contents::Log)) {
                    let offset = log.behind_header(Self::$layout);
                    if !matches!(log.words.$put(offset, &Word([0]).0)$($await)*, Ok(true)) {
                        // Without a header, the rest is not taken for a shorter log.
                        log.words.0.erase(log.start, log.behind_first(Self::$layout))$($await)*.map_err(StorageError::Storage)?;
                    }
                }
                let end = match contents {
                    Ok(Contents::Log | Contents::Cleared) => log.end,
                    // Only up to the last byte that does not read as erased: if the power fails, at most one sector is
                    // left to recognize.
                    _ => log.words.$written_end(log.start, log.end)$($await)*,
                };
                log.$start_anew(end)$($await)*?;
                Ok(log)
            }

            /// Reads the header, and the whole range if it is not the header of a log of `T`.
            $($async)? fn $recognize(&mut self) -> Result<Contents, StorageError<F::Error>> {
                let (offset, size) = (self.start, Self::$layout.header);
                let expected = const { &header::<T>(F::WRITE_SIZE) };
                let mut memory = Word([0; MAX_HEADER]);
                let (found, failure) = match self.words.$get(offset, size, &mut memory)$($await)* {
                    Ok(found) => (found, None),
                    Err(error) => (&[][..], Some(error)),
                };
                let behind = self.behind_header(Self::$layout);
                if found == front(expected, size) {
                    let written = self.words.$written_end(behind, self.offset(Self::$layout, 0))$($await)*;
                    return Ok(if written == behind { Contents::Log } else { Contents::Cleared });
                }
                let written = self.words.$written_end(behind, self.end)$($await)*;
                // A bit that was to be cleared may still be set.
                let is_torn = found.iter().zip(expected).all(|(found, expected)| found & expected == *expected);
                if written == behind && is_torn {
                    return Ok(Contents::Nothing);
                }
                let first = self.behind_first(Self::$layout);
                if let Some(error) = failure && written > first {
                    return Err(StorageError::Storage(error));
                }
                // The header of another type may be longer.
                if let Ok(found) = self.words.$get(offset, self.end.wrapping_sub(offset), &mut memory)$($await)*
                    && let Some(error) = other_type::<T>(found, expected)
                {
                    return Err(error.into());
                }
                Err(if written <= first {
                    StorageError::Unfinished { offset }
                } else {
                    StorageError::NotALog { offset }
                })
            }

            /// Finds the last place that does not read as erased, and the last record.
            $($async)? fn $find_end(&mut self) -> Result<(), StorageError<F::Error>> {
                let (mut low, mut high) = (0_u32, self.places);
                while low < high {
                    let middle = low.midpoint(high);
                    let from = self.offset(Self::$layout, middle);
                    let to = self.offset(Self::$layout, middle.saturating_add(GAP).min(high));
                    let written = self.words.$written_end(from, to)$($await)*;
                    if written == from {
                        high = middle;
                    } else {
                        low = middle;
                        while self.offset(Self::$layout, low) < written {
                            low = low.wrapping_add(1);
                        }
                    }
                }
                (self.next, self.limit) = (low, low.saturating_add(GAP));
                while let Some(place) = low.checked_sub(1) {
                    let Found { index, mark, .. } = self.$load(place, &mut [])$($await)*;
                    if let Some(index) = index {
                        (self.last, self.mark, self.len) = (place, mark, index.wrapping_add(1));
                        return Ok(());
                    }
                    low = place;
                    if low == 0 {
                        self.$answer()$($await)*.map_err(StorageError::Storage)?;
                    }
                }
                Ok(())
            }

            /// Erases the range up to the sector with the byte before `end`, and writes the header.
            $($async)? fn $start_anew(&mut self, end: u32) -> Result<(), StorageError<F::Error>> {
                let first = self.behind_first(Self::$layout);
                // The sector of the byte before `end` is included.
                let size = Self::$layout.whole_sectors(end.wrapping_sub(self.start).wrapping_sub(1));
                let end = self.start.wrapping_add(size).wrapping_add(Self::$layout.sector);
                // The header comes last: it makes this a log.
                if first < end {
                    self.words.0.erase(first, end)$($await)*.map_err(StorageError::Storage)?;
                }
                self.words.0.erase(self.start, first)$($await)*.map_err(StorageError::Storage)?;
                let mut header = front(const { &header::<T>(F::WRITE_SIZE) }, Self::$layout.header);
                let mut offset = self.start;
                // A word at a time, from RAM: for all of it at once, the compiler would link `memcpy`.
                while let Some((word, rest)) = header.split_at_checked(F::WRITE_SIZE) && !word.is_empty() {
                    let mut copy = Word([0; MAX_WORD]);
                    for (byte, found) in copy.0.iter_mut().zip(word) {
                        *byte = *found;
                    }
                    let copy = front(&copy.0, Self::$layout.word);
                    if !self.words.$put(offset, copy)$($await)*.map_err(StorageError::Storage)? {
                        return Err(StorageError::Unfinished { offset: self.start });
                    }
                    offset = offset.wrapping_add(Self::$layout.word);
                    header = rest;
                }
                (self.next, self.limit, self.len, self.is_settled) = (0, GAP, 0, true);
                self.mark = None;
                Ok(())
            }

            /// Appends a record; it is safe when this returns
            #[doc = concat!("(", $kind, ").")]
            ///
            /// Reads the record back, and tries the next place if it is not there. The first `push` after a start
            /// writes the last record again, so that the new one never goes to a place that a power failure left
            /// half-written. In a log without records it first erases the first sector, and everything after it that
            /// was written, and writes the header.
            ///
            /// Takes the size of the record and 256 bytes on the stack, and more at opt-level z. After an error of the
            /// driver, or if the future of the async version is dropped, the record may or may not be in the log; the
            /// next one gets a place of its own.
            ///
            /// # Errors
            ///
            /// A full log ([`StorageError::Full`]); a value that `T` does not allow
            /// ([`ErrorKind::ValueNotAllowed`](crate::ErrorKind::ValueNotAllowed) as [`StorageError::Format`]); a
            /// driver that fails, or refuses six places in a row ([`StorageError::Storage`]); a last record that is no
            /// longer what `open` found ([`StorageError::Damaged`]).
            pub $($async)? fn $push(&mut self, record: &T) -> Result<(), StorageError<F::Error>> {
                let mut buffer = Word(T::Buffer::ZERO);
                let bytes = T::Buffer::as_bytes(slice::from_mut(&mut buffer.0));
                let mut is_new = self.len == 0 && !self.is_settled;
                loop {
                    if record.encode(bytes).is_none() {
                        return Err(mismatch::refused::<T>(self.len, bytes).into());
                    }
                    if is_new {
                        is_new = false;
                        let written = self.words.$written_end(self.offset(Self::$layout, 0), self.end)$($await)*;
                        self.$start_anew(written.max(self.offset(Self::$layout, self.next)))$($await)*?;
                    }
                    let is_again = !self.is_settled && self.len > 0;
                    let index = self.len.wrapping_sub(u32::from(is_again));
                    if is_again {
                        self.$find(index, bytes)$($await)*?;
                    }
                    if !self.is_free(self.next) {
                        return Err(StorageError::Full { len: self.len });
                    }
                    match self.$append(index, bytes)$($await)* {
                        Ok(true) if !is_again => return Ok(()),
                        Err(error) if self.next >= self.limit && self.next < self.places => {
                            return Err(StorageError::Storage(error));
                        }
                        _ => {}
                    }
                }
            }

            /// Writes a record to the next place, and returns whether it is there.
            $($async)? fn $append(&mut self, index: u32, bytes: &[u8]) -> Result<bool, F::Error> {
                let place = self.next;
                let offset = self.offset(Self::$layout, place);
                // Before the first write, where the future of the async version may be dropped.
                (self.next, self.is_settled) = (place.wrapping_add(1), false);
                #[expect(clippy::cast_possible_truncation, reason = "`is_free` has compared it")]
                let torn = place.wrapping_sub(index) as u16;
                let mark = Word(log_format::mark(bytes, place, torn));
                let is_there = self.words.$put(offset.wrapping_add(Self::$layout.mark), bytes)$($await)*?
                    && self.words.$put(offset, &mark.0)$($await)*?;
                if is_there {
                    (self.last, self.mark) = (place, parts(mark.0));
                    (self.len, self.is_settled) = (index.wrapping_add(1), true);
                    self.limit = self.next.saturating_add(GAP);
                }
                Ok(is_there)
            }

            /// Reads record `index` and returns it by value
            #[doc = concat!("(", $kind, ").")]
            ///
            /// # Errors
            ///
            /// A failure of the driver ([`StorageError::Storage`]); an index not below the number of records
            /// ([`StorageError::IndexOutOfRange`]); a damaged record ([`StorageError::Damaged`]).
            pub $($async)? fn $read(&mut self, index: u32) -> Result<T, StorageError<F::Error>> {
                let mut buffer = Word(T::Buffer::ZERO);
                let bytes = T::Buffer::as_bytes(slice::from_mut(&mut buffer.0));
                self.$find(index, bytes)$($await)*?;
                match T::decode(bytes) {
                    Some(record) => Ok(record),
                    None => Err(mismatch::refused::<T>(index, bytes).into()),
                }
            }

            /// Reads record `index` into `buffer` and returns those bytes, big-endian
            #[doc = concat!("(", $kind, ").")]
            ///
            /// The buffer needs at least `T::SIZE` bytes; the rest of it does not change.
            ///
            /// # Errors
            ///
            #[doc = concat!("The errors of [`", stringify!($read), "`](Self::", stringify!($read), "), and [`StorageError::BufferTooSmall`].")]
            pub $($async)? fn $read_bytes<'a>(
                &mut self,
                index: u32,
                buffer: &'a mut [u8],
            ) -> Result<&'a [u8], StorageError<F::Error>> {
                let found = buffer.len();
                let Some(bytes) = buffer.get_mut(..T::SIZE) else {
                    return Err(StorageError::BufferTooSmall { needed: T::SIZE, found });
                };
                self.$find(index, bytes)$($await)*?;
                match mismatch::of_value::<T>(index, bytes) {
                    None => Ok(bytes),
                    Some(error) => Err(error.into()),
                }
            }

            /// Finds a record and reads its bytes. If several places have its index, the last one counts.
            $($async)? fn $find(&mut self, index: u32, bytes: &mut [u8]) -> Result<(), StorageError<F::Error>> {
                // Each torn place before the record shifts it by one.
                let Some(after) = self.len.checked_sub(index).and_then(|count| count.checked_sub(1)) else {
                    return Err(StorageError::IndexOutOfRange { index, len: self.len });
                };
                let mut high = self.last.wrapping_sub(after);
                let mut low = if after == 0 { high } else { index };
                // The next record is usually in the next place.
                let (before, place) = (self.cursor.0.wrapping_add(1), self.cursor.1.wrapping_add(1));
                if low < high && before == index {
                    let found = self.$load(place, bytes)$($await)*;
                    if found.index == Some(index) && found.following == index.checked_add(1) {
                        self.cursor = (index, place);
                        return Ok(());
                    }
                }
                loop {
                    while low < high {
                        let middle = high.wrapping_sub(high.wrapping_sub(low) / 2);
                        let mut place = middle;
                        let mut there = None;
                        while place <= high && there.is_none() {
                            there = self.$load(place, &mut [])$($await)*.index;
                            place = place.wrapping_add(1);
                        }
                        match there {
                            Some(there) if there <= index => low = place.wrapping_sub(1),
                            _ => high = middle.wrapping_sub(1),
                        }
                    }
                    match self.$load(low, bytes)$($await)*.index {
                        Some(found) if found == index => {
                            self.cursor = (index, low);
                            return Ok(());
                        }
                        // A torn place that read as whole a moment ago.
                        None if low > index => (low, high) = (index, low.wrapping_sub(1)),
                        _ => {
                            self.$answer()$($await)*.map_err(StorageError::Storage)?;
                            return Err(StorageError::Damaged { index });
                        }
                    }
                }
            }

            /// Reads the header again: if that fails, the driver is to blame, and no place is torn or damaged.
            $($async)? fn $answer(&mut self) -> Result<(), F::Error> {
                self.words.$get(self.start, Self::$layout.word, &mut Word([0; MAX_WORD]))$($await)*.map(drop)
            }

            /// Reads a place, and the bytes of its record if there is memory for them. A place that cannot be read
            /// counts as torn.
            #[expect(clippy::cast_possible_truncation, reason = "the sizes of a mark and of a block")]
            $($async)? fn $load(&mut self, number: u32, bytes: &mut [u8]) -> Found {
                let (mark, end) = (Self::$layout.mark, Self::$layout.place);
                let offset = self.offset(Self::$layout, number);
                // With the mark of the next place.
                let mut len = end.saturating_add(MARK_SIZE as u32).min(self.end.wrapping_sub(offset));
                let known = self.mark.filter(|_| number == self.last);
                let mut place = Place::new(number, known, bytes);
                let mut memory = Word([0; BLOCK]);
                let mut at = if known.is_some() { mark } else { 0 };
                while at < len {
                    match self.words.$get(offset.wrapping_add(at), len.wrapping_sub(at), &mut memory)$($await)* {
                        Ok(block) => {
                            place.take(block, at, mark, T::SIZE, end);
                            at = at.saturating_add(block.len() as u32);
                        }
                        // The next place may be torn.
                        Err(_) if len > end => len = end,
                        Err(_) => return Found { index: None, mark: None, following: None },
                    }
                }
                place.found()
            }
        }
    };
}

log! {
    "embedded-storage-v0.3", embedded_storage, [], [], "blocking", LAYOUT,
    open, clear, push, read, read_bytes,
    recognize, find_end, start_anew, append, find, answer, load, get, written_end, put
}

log! {
    "embedded-storage-async-v0.4", embedded_storage_async, [async], [.await], "async", ASYNC_LAYOUT,
    open_async, clear_async, push_async, read_async, read_bytes_async,
    recognize_async, find_end_async, start_anew_async, append_async, find_async, answer_async, load_async,
    get_async, written_end_async, put_async
}

#[cfg(feature = "embedded-storage-v0.3")]
impl<T: IdxRecord, F: embedded_storage::nor_flash::NorFlash> Log<T, F> {
    /// Iterates over the records in order, by value. For records of more than 64 bytes use
    /// [`read_bytes`](Self::read_bytes).
    ///
    /// Each item is the result of [`read`](Self::read), with one read of the driver if a place has at most 252 bytes.
    pub fn iter(&mut self) -> impl ExactSizeIterator<Item = Result<T, StorageError<F::Error>>> {
        (0..self.len).map(|index| self.read(index))
    }
}

impl<T: IdxRecord, F> fmt::Debug for Log<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log")
            .field("start", &self.start)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

/// The number of records.
#[cfg(feature = "defmt")]
impl<T: IdxRecord, F> defmt::Format for Log<T, F> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "a log of {=u32} records", self.len);
    }
}
