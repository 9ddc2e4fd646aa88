//! Access to flash: words are read back after a write, and reads may fail.

use core::hint::black_box;

use crate::incremental_header::Word;
use crate::log::layout::MAX_WORD;

/// The number of bytes read at a time.
pub(super) const BLOCK: usize = 256;

/// The smallest number of bytes read at a time after a failed read, to find out which of them cannot be read.
const SMALL_BLOCK: usize = MAX_WORD;

/// Returns the `READ_SIZE` of a flash.
#[expect(clippy::cast_possible_truncation, reason = "compared just before")]
const fn read_size(size: usize) -> u32 {
    assert!(
        size > 0 && MAX_WORD.is_multiple_of(size),
        "a log needs a flash whose READ_SIZE divides 32"
    );
    size as u32
}

/// The driver of a flash.
pub(super) struct Words<F>(pub(super) F);

/// Generates the functions for one kind of flash. The two kinds differ only in `.await`.
macro_rules! words {
    (
        $feature:literal, $storage:ident, [$($async:tt)?], [$($await:tt)*],
        $get:ident, $written_end:ident, $put:ident, $write:ident, $holds:ident
    ) => {
        #[cfg(feature = $feature)]
        #[expect(clippy::cast_possible_truncation, reason = "lengths in a range of 32-bit offsets")]
        impl<F: $storage::nor_flash::NorFlash> Words<F> {
            /// Reads `len` bytes, or as many as fit the memory with those that the driver has to read around them.
            /// Tries again once if that fails.
            pub(super) $($async)? fn $get<'a>(
                &mut self,
                offset: u32,
                len: u32,
                memory: &'a mut Word<[u8]>,
            ) -> Result<&'a [u8], F::Error> {
                // The size is a power of two, as it divides 32.
                let mask = const { read_size(F::READ_SIZE).wrapping_sub(1) };
                let skipped = offset & mask;
                let end = skipped.saturating_add(len).min(memory.0.len() as u32);
                let bytes = front_mut(&mut memory.0, end.wrapping_add(mask) & !mask);
                let offset = offset.wrapping_sub(skipped);
                if self.0.read(offset, bytes)$($await)*.is_err() {
                    self.0.read(offset, bytes)$($await)*?;
                }
                Ok(bytes.get(skipped as usize..end as usize).unwrap_or_default())
            }

            /// Returns the end of the last byte in a range that does not read as erased; the start of the range if all
            /// bytes do.
            ///
            /// Bytes that cannot be read count as not erased.
            pub(super) $($async)? fn $written_end(&mut self, from: u32, to: u32) -> u32 {
                let mut block = Word([0; BLOCK]);
                let (mut end, mut size) = (to, BLOCK);
                while end > from {
                    // From a multiple of the size on: drivers read the most at once there.
                    let start = (end.wrapping_sub(1) & !(size as u32).wrapping_sub(1)).max(from);
                    if let Ok(bytes) = self.$get(start, end.wrapping_sub(start), &mut block)$($await)* {
                        match bytes.iter().rposition(|byte| *byte != 0xFF) {
                            Some(last) => return start.wrapping_add(last as u32).wrapping_add(1),
                            None => end = start,
                        }
                    } else if size > SMALL_BLOCK {
                        size /= 2;
                    } else {
                        break;
                    }
                }
                end
            }

            /// Writes bytes, and zeros up to the end of the last word; returns whether they read back.
            pub(super) $($async)? fn $put(&mut self, offset: u32, bytes: &[u8]) -> Result<bool, F::Error> {
                // Drivers with DMA read only RAM; without this, the compiler passes them constants in flash.
                let bytes = black_box(bytes);
                let written = self.$write(offset, bytes)$($await)*;
                let is_there = self.$holds(offset, bytes)$($await)*?;
                written.map(|()| is_there)
            }

            $($async)? fn $write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), F::Error> {
                let over = bytes.len() % const { F::WRITE_SIZE };
                let (words, rest) = bytes.split_at_checked(bytes.len().wrapping_sub(over)).unwrap_or_default();
                let mut offset = offset;
                if !words.is_empty() {
                    self.0.write(offset, words)$($await)*?;
                    // Does not wrap: the bytes are in the range of the log.
                    offset = offset.wrapping_add(words.len() as u32);
                }
                if !rest.is_empty() {
                    let mut last = Word([0; MAX_WORD]);
                    for (byte, rest) in last.0.iter_mut().zip(rest) {
                        *byte = *rest;
                    }
                    let last = last.0.get(..F::WRITE_SIZE).unwrap_or_default();
                    self.0.write(offset, last)$($await)*?;
                }
                Ok(())
            }

            /// Returns whether the flash holds these bytes.
            $($async)? fn $holds(&mut self, offset: u32, bytes: &[u8]) -> Result<bool, F::Error> {
                let mut block = Word([0; BLOCK]);
                let (mut offset, mut rest) = (offset, bytes);
                while !rest.is_empty() {
                    let found = self.$get(offset, rest.len() as u32, &mut block)$($await)*?;
                    let (expected, after) = rest.split_at_checked(found.len()).unwrap_or_default();
                    if found != expected {
                        return Ok(false);
                    }
                    offset = offset.wrapping_add(found.len() as u32);
                    rest = after;
                }
                Ok(true)
            }
        }
    };
}

words! {
    "embedded-storage-v0.3", embedded_storage, [], [],
    get, written_end, put, write, holds
}

words! {
    "embedded-storage-async-v0.4", embedded_storage_async, [async], [.await],
    get_async, written_end_async, put_async, write_async, holds_async
}

/// Returns the first bytes, at most `len` of them.
pub(super) fn front(bytes: &[u8], len: u32) -> &[u8] {
    usize::try_from(len).ok().and_then(|len| bytes.get(..len)).unwrap_or(bytes)
}

/// Returns the first bytes, at most `len` of them.
pub(super) fn front_mut(bytes: &mut [u8], len: u32) -> &mut [u8] {
    let len = usize::try_from(len).map_or(bytes.len(), |len| len.min(bytes.len()));
    bytes.get_mut(..len).unwrap_or_default()
}
