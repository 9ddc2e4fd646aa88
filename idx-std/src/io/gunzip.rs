//! Inflates gzip in bounded memory, with exact errors for damage.

use std::io::{self, BufRead, BufReader, Read};

use flate2::{Decompress, FlushDecompress, Status};

use crate::error::ErrorKind;

/// The first two bytes of gzip data.
pub(super) const START: [u8; 2] = [0x1F, 0x8B];

/// The number of compressed bytes read at a time; below 32 KiB inflating slows down.
const INPUT_SIZE: usize = 64 * 1024;

/// The size of the window of deflate as zlib counts it: 2^15 bytes.
const WINDOW_BITS: u8 = 15;

/// Returns whether data that starts with these bytes is gzip.
#[must_use]
pub fn is_gzip(start: &[u8]) -> bool {
    start.starts_with(&START)
}

/// Decompresses gzip data: its members one after the other.
#[derive(Debug)]
pub(crate) struct Gunzip<R> {
    input: BufReader<R>,
    /// The current member; `None` after the last one.
    member: Option<Decompress>,
    decompressed: u64,
}

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            input: BufReader::with_capacity(INPUT_SIZE, reader),
            member: Some(Decompress::new_gzip(WINDOW_BITS)),
            decompressed: 0,
        }
    }

    pub(crate) fn get_ref(&self) -> &R {
        self.input.get_ref()
    }

    /// Returns the reader; bytes that were read in advance are lost.
    pub(crate) fn into_inner(self) -> R {
        self.input.into_inner()
    }

    /// Fills the buffer up to the end of the data or an error.
    ///
    /// Returns the number of bytes, and the error that came after them. If there is no error and the buffer is not
    /// full, the data has ended, and all checksums were right.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> (usize, Result<(), ErrorKind>) {
        let mut filled = 0;
        while let Some(rest @ [_, ..]) = buffer.get_mut(filled..)
            && self.member.is_some()
        {
            match self.inflate(rest) {
                (count, Ok(())) => filled += count,
                (count, error) => return (filled + count, error),
            }
        }
        (filled, Ok(()))
    }

    /// Decompresses the buffered input, as far as the output has room.
    fn inflate(&mut self, buffer: &mut [u8]) -> (usize, Result<(), ErrorKind>) {
        let Some(member) = &mut self.member else {
            return (0, Ok(()));
        };
        let input = match fill_input(&mut self.input) {
            Ok(input) => input,
            Err(error) => return (0, Err(error.into())),
        };
        let before = (member.total_in(), member.total_out());
        let status = member.decompress(input, buffer, FlushDecompress::None);
        // Both are at most the lengths of the slices, so they fit.
        let consumed = usize::try_from(member.total_in() - before.0);
        let count = usize::try_from(member.total_out() - before.1);
        debug_assert!(consumed.is_ok() && count.is_ok(), "at most the lengths");
        let (consumed, count) = (consumed.unwrap_or(0), count.unwrap_or(0));
        self.input.consume(consumed);
        self.decompressed += count as u64;
        let result = match status {
            Ok(Status::StreamEnd) => self.next_member(),
            // No progress means that the input has ended; without this error, the loop would not end.
            Ok(_) if (consumed, count) == (0, 0) => {
                Err(ErrorKind::GzipTruncated { decompressed: self.decompressed, missing: None })
            }
            Ok(_) => Ok(()),
            Err(error) => Err(ErrorKind::GzipDamaged {
                decompressed: self.decompressed,
                error: io::Error::new(
                    io::ErrorKind::InvalidData,
                    error.message().unwrap_or("invalid data").to_owned(),
                ),
            }),
        };
        (count, result)
    }

    /// Moves from the end of a member to the next one or, skipping zeros, to the end of the data.
    fn next_member(&mut self) -> Result<(), ErrorKind> {
        self.member = None;
        let mut padded = false;
        loop {
            let bytes = fill_input(&mut self.input)?;
            match *bytes {
                [] => return Ok(()),
                // gzip(1) ignores zeros after the last member, such as the padding of a tape.
                [0, ..] => {
                    padded = true;
                    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                    self.input.consume(zeros);
                }
                [first @ 0x1F, ..] if !padded => {
                    // The second byte may not be in the buffer yet: the decompressor keeps the first.
                    let mut member = Decompress::new_gzip(WINDOW_BITS);
                    let _ = member.decompress(&[first], &mut [], FlushDecompress::None);
                    self.input.consume(1);
                    return match *fill_input(&mut self.input)? {
                        [] | [0x8B, ..] => {
                            self.member = Some(member);
                            Ok(())
                        }
                        _ => Err(self.trailing(first)),
                    };
                }
                [first, ..] => return Err(self.trailing(first)),
            }
        }
    }

    /// Returns the error for a byte after the last member.
    fn trailing(&self, found: u8) -> ErrorKind {
        ErrorKind::GzipTrailing { found, decompressed: self.decompressed }
    }
}

/// Returns the buffered bytes, after a read if there are none; empty at the end.
fn fill_input<R: Read>(input: &mut BufReader<R>) -> io::Result<&[u8]> {
    while input.buffer().is_empty() {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            Ok([]) => break,
            Ok(_) => {}
        }
    }
    Ok(input.buffer())
}
