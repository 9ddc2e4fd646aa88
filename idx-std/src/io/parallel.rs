//! Reads and decodes large payloads of plain files on several threads.

use std::fs::File;
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};

use idx_core::Element;

use crate::io::access;
use crate::io::source::Source;
use crate::threads;

/// The size of a part in bytes: that of a huge page.
const PART_SIZE: usize = 2 << 20;

/// The smallest payload for several threads: reading a smaller one takes less time than starting them.
const MIN_SIZE: usize = 4 * PART_SIZE;

/// The maximum number of threads: more would only wait for memory.
const MAX_THREADS: usize = 8;

impl Source<File> {
    /// Fills the elements from the next bytes of a large plain file, part by part on several threads.
    ///
    /// `read` reads a part at an offset and decodes it. The result is `false` if the payload is small, the file is not
    /// plain, or anything goes wrong: the caller then reads the same bytes in order, which finds the error and its
    /// place.
    pub(crate) fn fill_in_parts<E: Element>(
        &mut self,
        elements: &mut [E],
        read: impl Fn(&File, u64, &mut [E]) -> Option<()> + Sync,
    ) -> bool {
        // An element can have another size in memory than in the file.
        let Some(size) = elements.len().checked_mul(E::SIZE) else {
            return false;
        };
        let threads = self.threads_for(size);
        let is_there = self.fault.is_none() && self.expected(size as u64) == size as u64;
        let Some((file, start)) = self.file().filter(|_| is_there && threads > 1) else {
            return false;
        };
        // Each huge page belongs to one part: two threads that touch a new page at the same time would both clear it.
        let before = PART_SIZE - elements.as_ptr().addr() % PART_SIZE;
        let (first, others) = elements.split_at_mut((before / E::SIZE).min(elements.len()));
        let start = start + self.position;
        let offsets = (start + (first.len() * E::SIZE) as u64..).step_by(PART_SIZE);
        let others = offsets.zip(others.chunks_mut(PART_SIZE / E::SIZE));
        let parts = iter::once((start, first)).chain(others);
        let has_failed = AtomicBool::new(false);
        threads::for_each(threads, parts, |(offset, part)| {
            if has_failed.load(Ordering::Relaxed) || read(file, offset, part).is_none() {
                has_failed.store(true, Ordering::Relaxed);
            }
        });
        let is_whole = !has_failed.into_inner();
        if is_whole {
            self.position += size as u64;
        }
        is_whole
    }

    /// Returns the number of threads for a payload of this size in bytes.
    pub(crate) fn threads_for(&self, size: usize) -> usize {
        match size {
            ..MIN_SIZE => 1,
            _ => threads::count(self.threads).get().min(MAX_THREADS),
        }
    }
}

/// Fills the buffer with the bytes at an offset; `None` if that fails.
pub(crate) fn read_exact(file: &File, offset: u64, buffer: &mut [u8]) -> Option<()> {
    let size = buffer.len();
    let (filled, result) = access::fill(buffer, |rest, filled| {
        access::read_file_at(file, rest, offset + filled as u64)
    });
    (result.is_ok() && filled == size).then_some(())
}
