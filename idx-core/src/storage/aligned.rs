//! An adapter for drivers that read only aligned addresses.

use core::marker::PhantomData;
use core::{fmt, mem};

/// An adapter that reads any bytes of a NOR flash into any memory, even if its driver requires both to be aligned.
///
/// Each read of the driver has an offset and a length that are multiples of `READ_SIZE`, and goes to memory with the
/// alignment of `A`: by default 4, as drivers with DMA require. Only the last read of a flash whose capacity is not a
/// multiple of `READ_SIZE` is shorter. Aligned parts of the caller's memory are filled directly, the rest through a
/// buffer of `N` bytes on the stack. `N` must be a multiple of `READ_SIZE`, which is checked at compile time.
///
/// A request takes one read if it fits the buffer together with the bytes before it, from a multiple of `READ_SIZE` on.
/// A longer one takes one read, and at most one more at either end, if its address in memory minus its offset is a
/// multiple of the smaller of the alignment and `READ_SIZE`; otherwise it takes a read for each `N` bytes.
///
/// If the offset of a file is a multiple of 4, so is that of its payload. With a `READ_SIZE` of 4, records of 784 bytes
/// then take one read each into aligned memory, and so they do with [`Storage::read`](crate::storage::Storage::read).
/// Each label of one byte takes a read of 4 bytes or more, so read many at once.
///
/// ```
/// # #[cfg(feature = "embedded-storage-v0.3")] {
/// use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash, check_read};
/// use idx_core::storage::{Aligned, Storage};
///
/// /// Stands for the driver of a flash chip.
/// struct Flash([u8; 16]);
///
/// impl ErrorType for Flash {
///     type Error = NorFlashErrorKind;
/// }
///
/// impl ReadNorFlash for Flash {
///     const READ_SIZE: usize = 4;
///
///     fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
///         check_read(self, offset, bytes.len())?;
///         bytes.copy_from_slice(&self.0[offset as usize..][..bytes.len()]);
///         Ok(())
///     }
///
///     fn capacity(&self) -> usize {
///         self.0.len()
///     }
/// }
///
/// let mut flash = Flash([0, 0, 0x08, 1, 0, 0, 0, 3, 7, 2, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
/// let mut labels = Storage::<_, u8>::open(Aligned::new(&mut flash), 0)?;
/// assert_eq!(labels.read(1)?, 2);
/// # }
/// # #[cfg(feature = "embedded-storage-v0.3")]
/// # Ok::<(), idx_core::storage::StorageError<embedded_storage::nor_flash::NorFlashErrorKind>>(())
/// ```
///
/// A flash whose `READ_SIZE` does not fit the buffer does not compile:
///
#[cfg_attr(feature = "embedded-storage-v0.3", doc = "```compile_fail")]
#[cfg_attr(not(feature = "embedded-storage-v0.3"), doc = "```ignore")]
/// use embedded_storage::ReadStorage;
/// use embedded_storage::nor_flash::{ErrorType, NorFlashErrorKind, ReadNorFlash};
/// use idx_core::storage::Aligned;
///
/// struct Pages;
///
/// # impl ErrorType for Pages {
/// #     type Error = NorFlashErrorKind;
/// # }
/// #
/// impl ReadNorFlash for Pages {
///     const READ_SIZE: usize = 64;
/// #     fn read(&mut self, _: u32, _: &mut [u8]) -> Result<(), NorFlashErrorKind> {
/// #         Ok(())
/// #     }
/// #     fn capacity(&self) -> usize {
/// #         0
/// #     }
/// }
///
/// // evaluation panicked: the buffer of `Aligned` must be a multiple of the flash's READ_SIZE: ...
/// Aligned::<_, 32>::with_buffer(Pages).read(0, &mut [0; 4])?;
/// # Ok::<(), NorFlashErrorKind>(())
/// ```
///
/// A controller that transfers whole cache lines needs a greater alignment:
///
/// ```
/// # use idx_core::storage::Aligned;
/// #[repr(align(32))]
/// struct CacheLine;
///
/// # struct Flash;
/// let flash = Aligned::<_, 256, CacheLine>::with_buffer(Flash);
/// # flash.into_inner();
/// ```
pub struct Aligned<S, const N: usize = 32, A = u32> {
    flash: S,
    alignment: PhantomData<fn() -> A>,
}

impl<S> Aligned<S> {
    /// Wraps a flash whose `READ_SIZE` divides 32, or a `&mut` to one.
    pub const fn new(flash: S) -> Self {
        Self::with_buffer(flash)
    }
}

impl<S, const N: usize, A> Aligned<S, N, A> {
    /// Wraps a flash with a buffer of `N` bytes: `Aligned::<_, 512>::with_buffer(flash)`.
    pub const fn with_buffer(flash: S) -> Self {
        Self { flash, alignment: PhantomData }
    }

    /// Returns the driver.
    #[must_use]
    pub fn into_inner(self) -> S {
        self.flash
    }
}

impl<S: Clone, const N: usize, A> Clone for Aligned<S, N, A> {
    fn clone(&self) -> Self {
        Self::with_buffer(self.flash.clone())
    }
}

impl<S: fmt::Debug, const N: usize, A> fmt::Debug for Aligned<S, N, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Aligned").field("flash", &self.flash).finish_non_exhaustive()
    }
}

/// Implements the trait for one kind of flash. The two kinds differ only in `.await`.
macro_rules! aligned {
    ($feature:literal, $storage:ident, [$($async:tt)?], [$($await:tt)*]) => {
        #[cfg(feature = $feature)]
        impl<S: $storage::nor_flash::ReadNorFlash, const N: usize, A> $storage::ReadStorage for Aligned<S, N, A> {
            type Error = S::Error;

            $($async)? fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), S::Error> {
                const { assert_read_size(S::READ_SIZE, N) };
                if !is_addressable(offset, bytes.len()) {
                    // The flash does not have these bytes; its driver returns the error.
                    return self.flash.read(offset, bytes)$($await)*;
                }
                let mut transfer = Transfer::<A, N>::new(offset, bytes, self.flash.capacity());
                while let Some((offset, bytes)) = transfer.next(S::READ_SIZE) {
                    self.flash.read(offset, bytes)$($await)*?;
                    transfer.advance();
                }
                Ok(())
            }

            fn capacity(&self) -> usize {
                self.flash.capacity()
            }
        }
    };
}

aligned!("embedded-storage-v0.3", embedded_storage, [], []);
aligned!("embedded-storage-async-v0.4", embedded_storage_async, [async], [.await]);

const fn assert_read_size(read_size: usize, buffer_size: usize) {
    assert!(
        read_size > 0 && buffer_size >= read_size && buffer_size.is_multiple_of(read_size),
        "the buffer of `Aligned` must be a multiple of the flash's READ_SIZE: write `Aligned::<_, N>::with_buffer(..)` with such an N"
    );
}

/// Returns whether the offset of each byte fits 32 bits.
const fn is_addressable(offset: u32, len: usize) -> bool {
    offset as u64 + len as u64 <= 1 << 32
}

/// The state of a read of any bytes, between the aligned reads that it is made of.
struct Transfer<'a, A, const N: usize> {
    offset: u32,
    /// The space for the bytes that are not read yet.
    rest: &'a mut [u8],
    capacity: usize,
    buffer: Buffer<A, N>,
    step: Step,
}

/// Bytes with the alignment of `A`.
#[repr(C)]
struct Buffer<A, const N: usize> {
    alignment: [A; 0],
    bytes: [u8; N],
}

#[derive(Clone, Copy)]
enum Step {
    /// A read of this many bytes, straight into `rest`.
    Direct(usize),
    /// A read of `len` bytes into the buffer; the first `skip` of them were not requested.
    Buffered { len: usize, skip: usize },
}

impl<'a, A, const N: usize> Transfer<'a, A, N> {
    fn new(offset: u32, bytes: &'a mut [u8], capacity: usize) -> Self {
        let buffer = Buffer { alignment: [], bytes: [0; N] };
        Self { offset, rest: bytes, capacity, buffer, step: Step::Direct(0) }
    }

    /// Returns the offset of the next read, and the space for its bytes; `None` at the end.
    fn next(&mut self, read_size: usize) -> Option<(u32, &mut [u8])> {
        let requested = self.rest.len();
        if requested == 0 {
            return None;
        }
        let (start, skip) = align(self.offset, read_size);
        let over = remainder(requested, read_size);
        if skip == 0 && self.misaligned(0) == 0 && (over == 0 || requested > N) {
            let len = requested.saturating_sub(over);
            self.step = Step::Direct(len);
            return Some((start, self.rest.get_mut(..len)?));
        }
        let len = match skip.checked_add(requested) {
            Some(end) if end <= N => self.rounded_up(start, end, read_size),
            _ => self.head(skip, read_size),
        };
        self.step = Step::Buffered { len, skip };
        Some((start, self.buffer.bytes.get_mut(..len)?))
    }

    /// Returns the length of a read that ends at or after `end`, but not beyond the flash.
    fn rounded_up(&self, start: u32, end: usize, read_size: usize) -> usize {
        let len = match remainder(end, read_size) {
            0 => end,
            over => end.wrapping_add(read_size).wrapping_sub(over),
        };
        // Beyond the flash only if the request is, and then the driver reports it.
        match usize::try_from((self.capacity as u64).saturating_sub(u64::from(start))) {
            Ok(room) if room >= end => len.min(room),
            _ => len,
        }
    }

    /// Returns the length of a read that is not the last: the whole buffer, or less if that aligns the memory after it
    /// for a direct read.
    fn head(&self, skip: usize, read_size: usize) -> usize {
        let over = self.misaligned(N.saturating_sub(skip));
        let shorter = N.saturating_sub(over);
        if remainder(over, read_size) == 0 && shorter > skip { shorter } else { N }
    }

    /// Returns the distance to the address `count` bytes into `rest` from the aligned address before it.
    fn misaligned(&self, count: usize) -> usize {
        self.rest.as_ptr().addr().wrapping_add(count) % const { align_of::<A>() }
    }

    /// Continues after that read.
    fn advance(&mut self) {
        let count = match self.step {
            Step::Direct(len) => len,
            Step::Buffered { len, skip } => {
                let read = self.buffer.bytes.get(skip..len).unwrap_or_default();
                debug_assert!(!read.is_empty(), "the step before reads at least one byte");
                let mut count = 0_usize;
                for (byte, read) in self.rest.iter_mut().zip(read) {
                    *byte = *read;
                    count = count.wrapping_add(1);
                }
                count
            }
        };
        let rest = mem::take(&mut self.rest).get_mut(count..);
        debug_assert!(rest.is_some(), "no more is read than requested");
        self.rest = rest.unwrap_or_default();
        self.offset = advanced(self.offset, count);
    }
}

/// Returns the multiple of `read_size` at or before an offset, and the number of bytes between the two.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the rest of a division is less than the divisor"
)]
const fn align(offset: u32, read_size: usize) -> (u32, usize) {
    match (offset as u64).checked_rem(read_size as u64) {
        Some(skip) => (offset.wrapping_sub(skip as u32), skip as usize),
        None => {
            debug_assert!(false, "a READ_SIZE of 0 does not compile");
            (offset, 0)
        }
    }
}

/// Returns the remainder of a division, without the panic of a division by 0.
const fn remainder(len: usize, read_size: usize) -> usize {
    match len.checked_rem(read_size) {
        Some(remainder) => remainder,
        None => {
            debug_assert!(false, "a READ_SIZE of 0 does not compile");
            0
        }
    }
}

/// Advances an offset; it wraps only after the last 32-bit offset, where nothing remains to be read.
#[expect(clippy::cast_possible_truncation, reason = "see above")]
const fn advanced(offset: u32, count: usize) -> u32 {
    offset.wrapping_add(count as u32)
}
