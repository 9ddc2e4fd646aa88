use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;

use crate::ErrorKind;

/// Compressed bytes read at a time; below 32 KiB inflating slows down.
const INPUT_SIZE: usize = 64 * 1024;

/// The decompressed bytes of gzip data: its members one after the other, then nothing.
#[derive(Debug)]
pub(crate) struct Gunzip<R> {
    /// The current member; `None` after the last one.
    member: Option<GzDecoder<BufReader<Marked<R>>>>,
    decompressed: u64,
}

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(reader: R) -> Self {
        let input = BufReader::with_capacity(
            INPUT_SIZE,
            Marked {
                reader,
                error: None,
            },
        );
        Self {
            member: Some(GzDecoder::new(input)),
            decompressed: 0,
        }
    }

    /// As [`Read::read`]; 0 only when all was read and every checksum was right.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        while let Some(member) = &mut self.member {
            match member.read(buffer) {
                Ok(0) if !buffer.is_empty() => self.next_member()?,
                Ok(count) => {
                    self.decompressed += count as u64;
                    return Ok(count);
                }
                Err(error) => {
                    // The decompressor passes on errors of the file, and has some of its own.
                    let of_file = member.get_mut().get_mut().error.take();
                    return Err(match (of_file, error.kind()) {
                        (Some(error), _) => ErrorKind::Io(error),
                        (None, io::ErrorKind::UnexpectedEof) => ErrorKind::GzipTruncated {
                            decompressed: self.decompressed,
                        },
                        (None, _) => ErrorKind::GzipDamaged {
                            decompressed: self.decompressed,
                            error,
                        },
                    });
                }
            }
        }
        Ok(0)
    }

    /// Goes from the end of a member to the next one or, over zeros, to the end of the data.
    fn next_member(&mut self) -> Result<(), ErrorKind> {
        let Some(mut input) = self.member.take().map(GzDecoder::into_inner) else {
            return Ok(());
        };
        let mut padded = false;
        loop {
            // An error here is one of the file, the decompressor is not in between.
            let bytes = input.fill_buf().map_err(ErrorKind::Io)?;
            match *bytes {
                [] => return Ok(()),
                // gzip(1) takes zeros after the last member for padding, of a tape for example.
                [0, ..] => {
                    padded = true;
                    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
                    input.consume(zeros);
                }
                [0x1F] | [0x1F, 0x8B, ..] if !padded => {
                    self.member = Some(GzDecoder::new(input));
                    return Ok(());
                }
                [found, ..] => {
                    return Err(ErrorKind::GzipTrailing {
                        found,
                        decompressed: self.decompressed,
                    });
                }
            }
        }
    }
}

/// A reader that keeps its error, so that it can be told from one of the decompressor, and that
/// tries again when it was interrupted.
#[derive(Debug)]
struct Marked<R> {
    reader: R,
    error: Option<io::Error>,
}

impl<R: Read> Read for Marked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let kind = error.kind();
                    self.error = Some(error);
                    return Err(kind.into());
                }
                Ok(count) => return Ok(count),
            }
        }
    }
}
