//! Decompresses whole gzip files with one call to libdeflate (feature `libdeflate`).

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use libdeflater::Decompressor;
use memchr::memmem;

use crate::header::HeaderBuf;
use crate::io::alloc;
use crate::io::source::Source;

/// The flag for a checksum of the gzip header, which libdeflate does not check.
const HEADER_CHECKSUM: u8 = 2;

impl Source<File> {
    /// Decompresses a whole file, whose header was just read; `None` if one call cannot do it, for whatever reason. The
    /// caller then reads the file in pieces, which reports the reason.
    ///
    /// The last four bytes of the file must state the same length as the header, and must not occur elsewhere in the
    /// file. libdeflate compares the decompressed length with the last four bytes of the first member, so these must be
    /// the last of the file: there is no second member, and nothing after the first.
    pub(crate) fn inflated_in_one_call(&self, header: &HeaderBuf) -> Option<Vec<u8>> {
        if !self.is_gzip() {
            return None;
        }
        let whole = header.file_size();
        let file_size = self.file_size()?;
        // Deflate data is much larger than its content only if it has many empty blocks. Such a file is read in
        // constant memory instead.
        let is_small = file_size <= whole.saturating_add(whole / 64).saturating_add(1 << 16);
        if self.fault.is_some() || self.expected(header.payload_size()) == 0 || !is_small {
            return None;
        }
        let compressed = read_whole(self.get_ref(), file_size)?;
        let flags = compressed.get(3)?;
        let stated = compressed.last_chunk::<4>()?;
        let is_stated = u64::from(u32::from_le_bytes(*stated)) == whole % (1 << 32);
        let first = memmem::find(&compressed, stated)?;
        if flags & HEADER_CHECKSUM != 0 || !is_stated || first + stated.len() != compressed.len() {
            return None;
        }
        let mut bytes = alloc::zeroed(usize::try_from(whole).ok()?).ok()?;
        let inflated = Decompressor::new().gzip_decompress(&compressed, &mut bytes);
        let is_whole = inflated == Ok(bytes.len()) && bytes.starts_with(&header.to_bytes());
        is_whole.then_some(bytes)
    }
}

/// Reads all bytes of a file, if there are exactly `size`, and restores the position.
fn read_whole(mut file: &File, size: u64) -> Option<Vec<u8>> {
    let here = file.stream_position().ok()?;
    let mut bytes = Vec::new();
    alloc::reserve(&mut bytes, usize::try_from(size.checked_add(1)?).ok()?).ok()?;
    let read =
        file.seek(SeekFrom::Start(0)).and_then(|_| file.take(size + 1).read_to_end(&mut bytes));
    file.seek(SeekFrom::Start(here)).ok()?;
    (read.ok()? as u64 == size).then_some(bytes)
}
