//! Memory for whole files, and files mapped into memory: the only `unsafe` code of this crate.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::io;
#[cfg(feature = "mmap")]
use std::path::{Path, PathBuf};

#[cfg(feature = "mmap")]
use crate::error::Error;
use crate::error::ErrorKind;
#[cfg(feature = "mmap")]
use crate::io::access;

/// A number that is zero if all its bytes are.
///
/// # Safety
///
/// All bytes zero must be a valid value, and the size must not be 0.
pub(crate) unsafe trait Zero {}

// SAFETY: this holds for integers and for IEEE 754 floats; their sizes are 1 to 8.
unsafe impl Zero for u8 {}
unsafe impl Zero for i8 {}
unsafe impl Zero for i16 {}
unsafe impl Zero for i32 {}
unsafe impl Zero for f32 {}
unsafe impl Zero for f64 {}

/// Allocates zeros without writing them, in memory that the system provides cleared.
///
/// Large allocations get huge pages: touching each small page for the first time would take longer than the work on its
/// bytes.
pub(crate) fn zeroed<T: Zero>(count: usize) -> Result<Vec<T>, ErrorKind> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let out_of_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
    let layout = Layout::array::<T>(count).map_err(|_| out_of_memory())?;
    // By hand, because `vec![0; size]` aborts the process if there is too little memory, and after `try_reserve` the
    // zeros would have to be written. SAFETY: the size of the layout is not 0, because neither `count` nor the size of
    // a number is.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        return Err(out_of_memory().into());
    }
    // SAFETY: the global allocator returned this memory for an array of `count` numbers, and all of them are zero.
    let mut zeros = unsafe { Vec::from_raw_parts(memory.cast(), count, count) };
    advise_huge_pages(&mut zeros);
    Ok(zeros)
}

/// Reserves memory for `count` more elements, and no more than that.
///
/// # Errors
///
/// Too little memory ([`ErrorKind::Io`]).
pub fn reserve<T>(vector: &mut Vec<T>, count: usize) -> Result<(), ErrorKind> {
    if vector.capacity() - vector.len() < count {
        vector.try_reserve_exact(count).map_err(io::Error::from)?;
        advise_huge_pages(vector.spare_capacity_mut());
    }
    Ok(())
}

/// Makes room for `count` more elements of a vector that may grow to `most`.
///
/// It grows by at least a quarter: with less, an allocator that copies on growth would copy quadratically
/// many bytes; with more, most of the memory could be for elements that never come.
///
/// # Errors
///
/// Too little memory ([`ErrorKind::Io`]).
pub fn grow<T>(vector: &mut Vec<T>, count: usize, most: u64) -> Result<(), ErrorKind> {
    let len = vector.len();
    if vector.capacity() - len < count {
        let rest = usize::try_from(most.saturating_sub(len as u64)).unwrap_or(usize::MAX);
        let more = (len / 4).min(rest).max(count);
        vector.try_reserve_exact(more).map_err(io::Error::from)?;
    }
    Ok(())
}

/// The size of a huge page on most processors; where pages are larger, the system rounds.
#[cfg(all(target_os = "linux", not(miri)))]
const HUGE_PAGE: usize = 2 << 20;

/// Requests huge pages for the part of this memory that whole huge pages fill, so that none reaches beyond it.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise_huge_pages<T>(memory: &mut [T]) {
    let memory = memory.as_mut_ptr_range();
    let (start, size) = huge_pages(memory.start.addr(), memory.end.addr());
    if size > 0 {
        // SAFETY: the range lies in memory that is borrowed for this call. The advice changes how the
        // system backs it, but neither its content nor its validity; a system that does not know the
        // advice rejects it without effect.
        unsafe { libc::madvise(memory.start.with_addr(start).cast(), size, libc::MADV_HUGEPAGE) };
    }
}

/// Returns the start and the total size of the huge pages between two addresses. On 32-bit systems, no huge page starts
/// after the last addresses.
#[cfg(all(target_os = "linux", not(miri)))]
fn huge_pages(start: usize, end: usize) -> (usize, usize) {
    let start = start.checked_next_multiple_of(HUGE_PAGE).unwrap_or(end);
    (start, end.saturating_sub(start) / HUGE_PAGE * HUGE_PAGE)
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_huge_pages<T>(_: &mut [T]) {}

/// A plain file that is mapped into memory instead of being read, in constant time for any size.
///
/// ```no_run
/// use idx_std::{IdxBuf, MappedFile};
///
/// // SAFETY: nobody changes the file while this program runs.
/// let file = unsafe { MappedFile::open("train-images-idx3-ubyte") }?;
/// let images = IdxBuf::from_mapped(file)?;
/// # Ok::<(), idx_std::Error>(())
/// ```
#[cfg(feature = "mmap")]
#[derive(Debug)]
pub struct MappedFile {
    pub(crate) bytes: memmap2::Mmap,
    pub(crate) path: PathBuf,
}

#[cfg(feature = "mmap")]
impl MappedFile {
    /// Maps a file, for [`IdxBuf::from_mapped`](crate::IdxBuf::from_mapped).
    ///
    /// # Errors
    ///
    /// An error of the system ([`ErrorKind::Io`]).
    ///
    /// # Safety
    ///
    /// Nobody may change or shorten the file while it is mapped: the bytes behind a shared slice would change, and
    /// reading past a new end kills the process (`SIGBUS` on Unix).
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let map = || {
            let file = access::open(path)?;
            // SAFETY: the caller promises that the file does not change, as `Mmap::map` requires.
            Ok(unsafe { memmap2::Mmap::map(&file) }?)
        };
        match map() {
            Ok(bytes) => Ok(Self { bytes, path: path.to_path_buf() }),
            Err(error) => Err(Error::with_path(error, path)),
        }
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn huge_pages_lie_within_the_memory() {
        assert_eq!(huge_pages(1, 3 * HUGE_PAGE - 1), (HUGE_PAGE, HUGE_PAGE));
        assert_eq!(huge_pages(HUGE_PAGE, 3 * HUGE_PAGE), (HUGE_PAGE, 2 * HUGE_PAGE));
        assert_eq!(huge_pages(1, HUGE_PAGE - 1).1, 0);
        assert_eq!(huge_pages(usize::MAX - 4096, usize::MAX).1, 0);
    }
}
