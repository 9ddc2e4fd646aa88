//! The limits of the machine, and of the best libraries.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use flate2::bufread::GzDecoder;
use libdeflater::Decompressor;
use memmap2::MmapMut;
use zlib_rs::{InflateConfig, ReturnCode};

/// The number of bytes read at a time: more makes read(2) no faster.
pub(crate) const PIECE: usize = 256 * 1024;

/// Fresh memory in huge pages, where the system has them.
pub(crate) fn huge_pages(size: usize) -> MmapMut {
    let memory = MmapMut::map_anon(size).expect("there is memory");
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage); // a kernel may lack them
    memory
}

/// read(2) in pieces to the same memory.
pub(crate) fn read_pieces(path: &Path, scratch: &mut [u8]) -> usize {
    count(File::open(path).expect("the file is there"), scratch)
}

/// flate2 in pieces to the same memory.
pub(crate) fn inflate_pieces(path: &Path, scratch: &mut [u8]) -> usize {
    let file = File::open(path).expect("the file is there");
    count(GzDecoder::new(BufReader::with_capacity(64 * 1024, file)), scratch)
}

fn count(mut reader: impl Read, scratch: &mut [u8]) -> usize {
    let mut count = 0;
    loop {
        match reader.read(scratch).expect("the file is whole") {
            0 => return count,
            read => count += read,
        }
    }
}

/// read(2) of a whole file into memory of its size.
pub(crate) fn read_whole(path: &Path, memory: &mut [u8]) {
    let mut file = File::open(path).expect("the file is there");
    file.read_exact(memory).expect("the file is whole");
}

/// read(2) in pieces of a file of f32, each swapped to its place in memory of its size.
pub(crate) fn read_swapped(path: &Path, scratch: &mut [u8], memory: &mut [u8]) {
    let mut file = File::open(path).expect("the file is there");
    let (header, payload) = memory.split_at_mut(16);
    file.read_exact(header).expect("the file is whole");
    for chunk in payload.chunks_mut(scratch.len()) {
        let piece = &mut scratch[..chunk.len()];
        file.read_exact(piece).expect("the file is whole");
        swap_copy(piece, chunk);
    }
}

/// Writes elements of four bytes in pieces, each swapped in the same memory first.
pub(crate) fn write_swapped(path: &Path, scratch: &mut [u8], native: &[f32]) -> io::Result<()> {
    let mut file = File::create(path)?;
    for piece in native.chunks(scratch.len() / 4) {
        let (bytes, _) = scratch.as_chunks_mut();
        for (bytes, element) in bytes.iter_mut().zip(piece) {
            *bytes = element.to_be_bytes();
        }
        file.write_all(&scratch[..size_of_val(piece)])?;
    }
    Ok(())
}

fn swap_copy(from: &[u8], to: &mut [u8]) {
    let ((from, _), (to, _)) = (from.as_chunks(), to.as_chunks_mut());
    for (to, from) in to.iter_mut().zip(from) {
        *to = u32::from_be_bytes(*from).to_ne_bytes();
    }
}

/// Inflates a file in one call, from memory that is reused.
pub(crate) struct OneShot {
    compressed: Vec<u8>,
    libdeflate: Decompressor,
}

impl OneShot {
    pub(crate) fn new() -> Self {
        Self { compressed: Vec::new(), libdeflate: Decompressor::new() }
    }

    pub(crate) fn libdeflate(&mut self, path: &Path, memory: &mut [u8]) {
        self.read(path);
        let size = self.libdeflate.gzip_decompress(&self.compressed, memory);
        assert_eq!(size, Ok(memory.len()));
    }

    pub(crate) fn zlib_rs(&mut self, path: &Path, memory: &mut [u8]) {
        self.read(path);
        // A window of 15 bits, and 16 for gzip.
        let config = InflateConfig { window_bits: 31 };
        let size = memory.len();
        let (inflated, code) = zlib_rs::decompress_slice(memory, &self.compressed, config);
        assert_eq!((inflated.len(), code), (size, ReturnCode::Ok));
    }

    fn read(&mut self, path: &Path) {
        self.compressed.clear();
        let mut file = File::open(path).expect("the file is there");
        file.read_to_end(&mut self.compressed).expect("the file is whole");
    }
}

/// Turns elements of four bytes from big-endian to native where they are.
pub(crate) fn swap(payload: &mut [u8]) {
    let (elements, _) = payload.as_chunks_mut();
    for element in elements {
        *element = u32::from_be_bytes(*element).to_ne_bytes();
    }
}

/// Reads all bytes, a word at a time, and does as little with them as possible.
pub(crate) fn sum_words(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks();
    words.iter().fold(0, |sum, word| sum.wrapping_add(u64::from_ne_bytes(*word)))
}
