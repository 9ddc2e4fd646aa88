//! A gzip file whose first bytes can still change at the end, compressed in blocks on several threads.

use std::io::{self, Seek, Write};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use flate2::{Compress, CompressError, Compression, Crc, FlushCompress};

use crate::io::CHUNK_SIZE;
use crate::threads;

/// The number of payload bytes in a block: enough that starting and ending a block costs less than 1 % of the size.
const BLOCK: usize = CHUNK_SIZE / 2;

/// The number of bytes before a block that its compressor refers to: as many as deflate allows.
const WINDOW: usize = 32 * 1024;

/// The number of blocks that wait for each thread: enough that starting the threads takes little time in comparison.
const BLOCKS_PER_THREAD: usize = 8;

/// The maximum number of threads: the blocks that wait for them take at most 8 MiB.
const MAX_THREADS: usize = 8;

/// The effort of the compressor, and the maximum number of threads; the default is one for each core.
#[derive(Clone, Copy, Debug)]
pub struct GzipOptions {
    pub(super) level: u32,
    pub(super) threads: Option<NonZeroUsize>,
}

/// One gzip member (RFC 1952) whose first bytes can still change after all others were written.
///
/// The IDX header has a stored deflate block of its own (RFC 1951, 3.2.4), so the file contains it byte for byte. The
/// blocks of the payload come from compressors that do not see the header. The checksum of the whole is combined from
/// theirs.
///
/// Each block of the payload has a compressor of its own, which knows the bytes before it, and ends at a whole byte. So
/// several threads can compress, and the file does not depend on their number.
#[derive(Debug)]
pub(crate) struct Gzip<W> {
    sink: W,
    options: GzipOptions,
    /// The last bytes that were compressed, and after them the bytes to compress.
    waiting: Vec<u8>,
    /// The number of bytes in `waiting` that were compressed: the next compressor may refer to them.
    known: usize,
    /// The number of threads; `None` up to the second block, because counting the cores takes as long as writing a
    /// small file.
    threads: Option<usize>,
    /// The compressed blocks.
    blocks: Vec<Vec<u8>>,
    checksum: Crc,
    payload_size: u64,
    /// The position of the IDX header in the sink.
    header_position: u64,
}

impl<W: Write + Seek> Gzip<W> {
    pub(super) fn new(mut sink: W, header: &[u8], options: GzipOptions) -> io::Result<Self> {
        // Deflate, no flags, no time stamp; the effort of the compressor; an unknown system. So the
        // file does not depend on where or when it was written.
        let extra_flags = match options.level {
            9 => 2,
            1 => 4,
            _ => 0,
        };
        sink.write_all(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, extra_flags, 255])?;
        // Not the last block, stored; its length, and the complement of the length.
        let length = u16::try_from(header.len()).map_err(io::Error::other)?;
        let [low, high] = length.to_le_bytes();
        sink.write_all(&[0, low, high, !low, !high])?;
        let header_position = sink.stream_position()?;
        sink.write_all(header)?;
        Ok(Self {
            sink,
            options,
            waiting: Vec::new(),
            known: 0,
            threads: None,
            blocks: vec![Vec::new()],
            checksum: Crc::new(),
            payload_size: 0,
            header_position,
        })
    }

    pub(super) fn write(&mut self, payload: &[u8]) -> io::Result<()> {
        self.checksum.update(payload);
        self.payload_size += payload.len() as u64;
        for piece in payload.chunks(BLOCK) {
            let waiting = self.waiting.len() - self.known + piece.len();
            if waiting > self.blocks.len() * BLOCK {
                match self.threads {
                    None => self.use_threads(),
                    Some(_) => self.compress(false)?,
                }
            }
            self.waiting.extend_from_slice(piece);
        }
        Ok(())
    }

    fn use_threads(&mut self) {
        let threads = threads::count(self.options.threads).get().min(MAX_THREADS);
        self.threads = Some(threads);
        self.blocks.resize_with(threads * BLOCKS_PER_THREAD, Vec::new);
        self.waiting.reserve_exact(WINDOW + self.blocks.len() * BLOCK - self.waiting.len());
    }

    /// Compresses and writes the whole blocks that wait. At the end, it writes all waiting bytes, and marks the last
    /// block.
    fn compress(&mut self, is_end: bool) -> io::Result<()> {
        let (waiting, known) = (self.waiting.as_slice(), self.known);
        let count = match is_end {
            true => (waiting.len() - known).div_ceil(BLOCK).max(1),
            false => (waiting.len() - known) / BLOCK,
        };
        let start_of = |index: usize| waiting.len().min(known + index * BLOCK);
        debug_assert!(count <= self.blocks.len(), "no more blocks wait");
        let blocks = self.blocks.get_mut(..count).unwrap_or_default();
        let threads = self.threads.unwrap_or(1).min(count);
        let level = Compression::new(self.options.level);
        let result = Mutex::new(Ok(()));
        threads::for_each(threads, blocks.iter_mut().enumerate(), |(index, block)| {
            let (start, end) = (start_of(index), start_of(index + 1));
            let before = waiting.get(start.saturating_sub(WINDOW)..start).unwrap_or_default();
            let bytes = waiting.get(start..end).unwrap_or_default();
            let flush = match is_end && index + 1 == count {
                true => FlushCompress::Finish,
                false => FlushCompress::Sync,
            };
            if let Err(error) = deflate(level, before, bytes, flush, block) {
                *result.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
            }
        });
        let end = start_of(count);
        result.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        for block in blocks {
            self.sink.write_all(block)?;
        }
        self.known = end.min(WINDOW);
        self.waiting.drain(..end - self.known);
        Ok(())
    }

    /// Completes the file for this header, and returns the position of the header.
    pub(super) fn finish(mut self, header: &[u8]) -> io::Result<(W, u64)> {
        self.compress(true)?;
        let mut checksum = Crc::new();
        checksum.update(header);
        checksum.combine(&self.checksum);
        self.sink.write_all(&checksum.sum().to_le_bytes())?;
        // The size modulo 2^32.
        #[expect(clippy::cast_possible_truncation, reason = "gzip has 32 bits for it")]
        let size = (header.len() as u64).wrapping_add(self.payload_size) as u32;
        self.sink.write_all(&size.to_le_bytes())?;
        Ok((self.sink, self.header_position))
    }
}

/// Compresses bytes; the compressor may refer to those `before` them.
fn deflate(
    level: Compression,
    before: &[u8],
    bytes: &[u8],
    flush: FlushCompress,
    block: &mut Vec<u8>,
) -> Result<(), CompressError> {
    // A new one, because after a reset the output still depends on earlier input.
    let mut compress = Compress::new(level, false);
    if !before.is_empty() {
        compress.set_dictionary(before)?;
    }
    block.clear();
    let mut rest = bytes;
    loop {
        // Room for all of it, because the compressor chooses the sizes of stored blocks by it.
        block.reserve(bytes.len() + bytes.len() / 8 + 64);
        let taken = compress.total_in();
        compress.compress_vec(rest, block, flush)?;
        let taken = usize::try_from(compress.total_in() - taken).unwrap_or(usize::MAX);
        rest = rest.get(taken..).unwrap_or_default();
        // The block is complete only if room is left.
        if block.len() < block.capacity() {
            return Ok(());
        }
    }
}
