//! The log itself: opening, appending and reading, also after a power failure.

use core::marker::PhantomData;
use core::ops::Range;
use core::{fmt, slice};

use crate::incremental_header::Word;
use crate::log::layout::{Layout, MAX_HEADER, MAX_WORD, header};
use crate::log_format::MARK;
use crate::mismatch;
use crate::record::{Buffer, IdxRecord};
use crate::storage::{Aligned, StorageError};

/// A log of records in a range of NOR flash.
///
/// ```
/// # #[cfg(feature = "embedded-storage-v0.3")] {
/// use embedded_storage::nor_flash::{
///     ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
/// };
/// use idx_core::IdxRecord;
/// use idx_core::log::Log;
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
/// let mut log = Log::<Measurement, _>::open(&mut flash, 2048..4096)?;
/// log.push(&Measurement { milliseconds: 0, millivolts: 3300 })?;
///
/// // After a power failure.
/// let mut log = Log::<Measurement, _>::open(&mut flash, 2048..4096)?;
/// log.push(&Measurement { milliseconds: 10, millivolts: 3290 })?;
/// assert_eq!(log.len(), 2);
/// assert_eq!(log.read(0)?, Measurement { milliseconds: 0, millivolts: 3300 });
/// # }
/// # #[cfg(feature = "embedded-storage-v0.3")]
/// # Ok::<(), idx_core::storage::StorageError<embedded_storage::nor_flash::NorFlashErrorKind>>(())
/// ```
pub struct Log<T, F> {
    flash: F,
    /// The offset of the first record, and of the end of the range.
    first: u32,
    end: u32,
    /// The offset of the next record: all flash from here on is erased.
    next: u32,
    /// Whether a push began there and did not end, as of a driver that failed or a future that was dropped.
    is_pending: bool,
    len: u32,
    /// The index and the offset of the record that was read last.
    cursor: (u32, u32),
    record: PhantomData<fn() -> T>,
}

/// How many bytes of a record are read at once to see whether it is erased.
#[expect(clippy::cast_possible_truncation, reason = "it is 32")]
const CHUNK: u32 = MAX_WORD as u32;

/// What is in the place of a record.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Record,
    Torn,
    Erased,
}

impl<T, F> Log<T, F> {
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
    pub fn into_inner(self) -> F {
        self.flash
    }

    /// Whether `size` bytes are in the range from there on.
    fn fits(&self, offset: u32, size: u32) -> bool {
        self.end.saturating_sub(offset) >= size
    }

    /// The offset of a record, if no place before it was torn.
    fn direct(&self, index: u32, slot: u32) -> Option<u32> {
        // Neither wraps: the records of the log are in its range.
        let is_whole = self.first.wrapping_add(self.len.wrapping_mul(slot)) == self.next;
        is_whole.then(|| self.first.wrapping_add(index.wrapping_mul(slot)))
    }
}

/// The functions over one kind of flash. The two kinds differ only in `.await`.
macro_rules! log {
    (
        $feature:literal, $storage:ident, [$($async:tt)?], [$($await:tt)*], $kind:literal,
        $open:ident, $push:ident, $read:ident, $start:ident, $look:ident, $place:ident, $find:ident, $write:ident, $get:ident
    ) => {
        #[cfg(feature = $feature)]
        impl<T: IdxRecord, F: $storage::nor_flash::NorFlash> Log<T, F> {
            /// Opens the log in a range of the flash, or starts one where the flash is erased
            #[doc = concat!("(", $kind, ").")]
            ///
            /// Reads the whole range once. If the power failed while a log was started, the range is erased and the
            /// log started again; so the range begins and ends at a multiple of the `ERASE_SIZE`.
            ///
            /// The flash is a driver or a `&mut` of one. Its `WRITE_SIZE` is 1 to 32, and its `READ_SIZE` divides
            /// 32, which is checked at compile time.
            ///
            /// # Errors
            ///
            /// [`StorageError::NotALog`] if the range holds anything else, such as a log of other records, and
            /// [`StorageError::Full`] if it is too small for a header; the error of the driver.
            pub $($async)? fn $open(flash: F, range: Range<u32>) -> Result<Self, StorageError<F::Error>> {
                let layout = const { Layout::of::<T>(F::WRITE_SIZE) };
                let first = range.start.saturating_add(layout.header);
                let mut log = Self {
                    flash,
                    first,
                    end: range.end,
                    next: first,
                    is_pending: false,
                    len: 0,
                    cursor: (0, first),
                    record: PhantomData,
                };
                if !log.fits(range.start, layout.header) {
                    return Err(StorageError::Full { len: 0 });
                }
                let expected = const { &header::<T>(F::WRITE_SIZE) };
                let mut found = Word([0; MAX_HEADER]);
                let expected = front(expected, layout.header);
                let found = front_mut(&mut found.0, layout.header);
                log.$get(range.start, found)$($await)*?;
                let is_new = found != expected;
                log.$look()$($await)*?;
                if is_new {
                    if log.next != log.first {
                        return Err(StorageError::NotALog { offset: range.start });
                    }
                    log.$start(range, expected, is_erased(found))$($await)*?;
                }
                Ok(log)
            }

            /// Writes the header to flash that holds at most a torn one.
            $($async)? fn $start(
                &mut self,
                range: Range<u32>,
                header: &[u8],
                is_erased: bool,
            ) -> Result<(), StorageError<F::Error>> {
                // A torn header may look erased, and then refuse a write.
                if is_erased && self.$write(range.start, header)$($await)*.is_ok() {
                    return Ok(());
                }
                self.flash.erase(range.start, range.end)$($await)*.map_err(StorageError::Storage)?;
                self.$write(range.start, header)$($await)*
            }

            /// Looks for records in the whole range, and for the end of what is not erased.
            $($async)? fn $look(&mut self) -> Result<(), StorageError<F::Error>> {
                let Layout { slot, .. } = const { Layout::of::<T>(F::WRITE_SIZE) };
                let mut offset = self.first;
                while self.fits(offset, slot) {
                    let place = self.$place(offset)$($await)*?;
                    // Does not wrap: it fits.
                    offset = offset.wrapping_add(slot);
                    self.len = self.len.wrapping_add((place == Place::Record).into());
                    if place != Place::Erased {
                        self.next = offset;
                    }
                }
                Ok(())
            }

            /// What is at an offset.
            $($async)? fn $place(&mut self, offset: u32) -> Result<Place, StorageError<F::Error>> {
                let Layout { record, slot, .. } = const { Layout::of::<T>(F::WRITE_SIZE) };
                let mut buffer = Word([0; MAX_WORD]);
                let mark = front_mut(&mut buffer.0, slot.wrapping_sub(record));
                self.$get(offset.wrapping_add(record), mark)$($await)*?;
                if mark.iter().all(|byte| *byte == MARK) {
                    return Ok(Place::Record);
                }
                let mut is_blank = is_erased(mark);
                let mut rest = record;
                while is_blank && rest > 0 {
                    let bytes = front_mut(&mut buffer.0, rest);
                    rest = rest.saturating_sub(CHUNK);
                    self.$get(offset.wrapping_add(rest), bytes)$($await)*?;
                    is_blank = is_erased(bytes);
                }
                Ok(if is_blank { Place::Erased } else { Place::Torn })
            }

            /// Appends a record, which is safe when this returns
            #[doc = concat!("(", $kind, ").")]
            ///
            /// Takes the size of the record on the stack. After an error of the driver, or if the future of the async
            /// twin was dropped, the record may be there or not, and the next one has a place of its own.
            ///
            /// # Errors
            ///
            /// The error of the driver, [`StorageError::Full`], or
            /// [`ErrorKind::ValueNotAllowed`](crate::ErrorKind::ValueNotAllowed) as [`StorageError::Format`].
            pub $($async)? fn $push(&mut self, record: &T) -> Result<(), StorageError<F::Error>> {
                let layout = const { Layout::of::<T>(F::WRITE_SIZE) };
                let mut buffer = Word(T::Buffer::ZERO);
                let bytes = T::Buffer::as_bytes(slice::from_mut(&mut buffer.0));
                if record.encode(bytes).is_none() {
                    return Err(mismatch::refused::<T>(self.len, bytes).into());
                }
                if self.is_pending {
                    let place = self.$place(self.next)$($await)*?;
                    self.end_push(layout.slot, place == Place::Record);
                }
                let offset = self.next;
                if !self.fits(offset, layout.slot) {
                    return Err(StorageError::Full { len: self.len });
                }
                self.is_pending = true;
                self.$write(offset, bytes)$($await)*?;
                let mark = [MARK; MAX_WORD];
                let mark = front(&mark, layout.slot.wrapping_sub(layout.record));
                self.$write(offset.wrapping_add(layout.record), mark)$($await)*?;
                self.end_push(layout.slot, true);
                Ok(())
            }

            /// Reads record `index` and returns it by value
            #[doc = concat!("(", $kind, ").")]
            ///
            /// The next record is found at once, and so is any if none was torn; else those before it are counted.
            ///
            /// # Errors
            ///
            /// The error of the driver, or [`StorageError::IndexOutOfRange`].
            pub $($async)? fn $read(&mut self, index: u32) -> Result<T, StorageError<F::Error>> {
                let offset = self.$find(index)$($await)*?;
                let mut buffer = Word(T::Buffer::ZERO);
                let bytes = T::Buffer::as_bytes(slice::from_mut(&mut buffer.0));
                self.$get(offset, bytes)$($await)*?;
                match T::decode(bytes) {
                    Some(record) => Ok(record),
                    None => Err(mismatch::refused::<T>(index, bytes).into()),
                }
            }

            /// The offset of a record.
            $($async)? fn $find(&mut self, index: u32) -> Result<u32, StorageError<F::Error>> {
                let Layout { slot, .. } = const { Layout::of::<T>(F::WRITE_SIZE) };
                let out_of_range = StorageError::IndexOutOfRange { index, len: self.len };
                if index >= self.len {
                    return Err(out_of_range);
                }
                if let Some(offset) = self.direct(index, slot) {
                    return Ok(offset);
                }
                if self.cursor.0 > index {
                    self.cursor = (0, self.first);
                }
                let (mut at, mut offset) = self.cursor;
                while offset < self.next {
                    if self.$place(offset)$($await)*? == Place::Record {
                        if at == index {
                            self.cursor = (index, offset);
                            return Ok(offset);
                        }
                        at = at.wrapping_add(1);
                    }
                    offset = offset.wrapping_add(slot);
                }
                Err(out_of_range)
            }

            /// Writes bytes, and zeros up to the end of the last word.
            #[expect(clippy::cast_possible_truncation, reason = "a header or a record of at most 32 bits")]
            $($async)? fn $write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), StorageError<F::Error>> {
                let over = bytes.len() % const { F::WRITE_SIZE };
                let (words, rest) = bytes.split_at_checked(bytes.len().wrapping_sub(over)).unwrap_or_default();
                let mut offset = offset;
                if !words.is_empty() {
                    self.flash.write(offset, words)$($await)*.map_err(StorageError::Storage)?;
                    // Does not wrap: the bytes are in the range.
                    offset = offset.wrapping_add(words.len() as u32);
                }
                if !rest.is_empty() {
                    let mut last = Word([0; MAX_WORD]);
                    for (byte, rest) in last.0.iter_mut().zip(rest) {
                        *byte = *rest;
                    }
                    let last = last.0.get(..F::WRITE_SIZE).unwrap_or_default();
                    self.flash.write(offset, last)$($await)*.map_err(StorageError::Storage)?;
                }
                Ok(())
            }

            /// Reads bytes, also those that the driver reads only together with others.
            $($async)? fn $get(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), StorageError<F::Error>> {
                let mut flash = Aligned::new(&mut self.flash);
                $storage::ReadStorage::read(&mut flash, offset, bytes)$($await)*
                    .map_err(StorageError::Storage)
            }
        }
    };
}

log! {
    "embedded-storage-v0.3", embedded_storage, [], [], "blocking",
    open, push, read, start, look, place, find, write, get
}

log! {
    "embedded-storage-async-v0.4", embedded_storage_async, [async], [.await], "async",
    open_async, push_async, read_async, start_async, look_async, place_async, find_async, write_async, get_async
}

impl<T, F> Log<T, F> {
    /// Continues behind the place of a push.
    fn end_push(&mut self, slot: u32, is_record: bool) {
        self.is_pending = false;
        // Does not wrap: the place is in the range.
        self.next = self.next.wrapping_add(slot);
        self.len = self.len.wrapping_add(is_record.into());
    }
}

impl<T, F> fmt::Debug for Log<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log")
            .field("first", &self.first)
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

/// The number of records.
#[cfg(feature = "defmt")]
impl<T, F> defmt::Format for Log<T, F> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "a log of {=u32} records", self.len);
    }
}

fn is_erased(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0xFF)
}

/// The first bytes, at most `len` of them.
fn front(bytes: &[u8], len: u32) -> &[u8] {
    usize::try_from(len).ok().and_then(|len| bytes.get(..len)).unwrap_or(bytes)
}

/// The first bytes, at most `len` of them.
fn front_mut(bytes: &mut [u8], len: u32) -> &mut [u8] {
    let len = usize::try_from(len).map_or(bytes.len(), |len| len.min(bytes.len()));
    bytes.get_mut(..len).unwrap_or_default()
}
