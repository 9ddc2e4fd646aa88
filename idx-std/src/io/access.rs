//! Opens files, and reads bytes at a position.

#![allow(clippy::missing_errors_doc, reason = "public only to idx-data")]

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::ErrorKind;

/// Returns the metadata of the file or folder at this path; `None` if there is none. Any other error is returned,
/// because the file may exist nevertheless.
pub fn found(path: &Path) -> io::Result<Option<Metadata>> {
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound};
    match path.metadata() {
        Ok(found) => Ok(Some(found)),
        // No file can have a name that is too long for the system.
        Err(error) if matches!(error.kind(), NotFound | NotADirectory | InvalidFilename) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Opens the file, pipe or device that the user named.
pub fn open(path: &Path) -> Result<File, ErrorKind> {
    // Checked first, because some systems report only that a folder cannot be opened.
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    Ok(File::open(path)?)
}

/// Opens a regular file found in a folder that may be untrusted: a pipe would wait for a writer forever, and a device
/// may never end.
pub fn open_regular(path: &Path) -> Result<File, ErrorKind> {
    open_regular_with(path, OpenOptions::new().read(true))
}

/// Opens a regular file with other options.
pub(crate) fn open_regular_with(path: &Path, options: &mut OpenOptions) -> Result<File, ErrorKind> {
    // Checked before opening, because opening some devices has side effects, and again after, because another file may
    // have this name by then.
    found(path)?.as_ref().map_or(Ok(()), check_regular)?;
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

fn check_regular(metadata: &Metadata) -> Result<(), ErrorKind> {
    match metadata {
        _ if metadata.is_file() => Ok(()),
        _ if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory).into()),
        _ => Err(ErrorKind::NotARegularFile),
    }
}

/// Reads bytes at an offset of a file; any number of threads may do so at the same time.
#[cfg(unix)]
pub(crate) fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

/// Reads bytes at an offset of a file.
#[cfg(windows)]
pub(crate) fn read_file_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Returns an error, as other systems cannot read at an offset.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_file_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads at any position of a reader that can seek.
#[derive(Debug)]
pub(crate) struct Access<R> {
    /// The offset at which the bytes start.
    start: u64,
    seek: fn(&mut R, SeekFrom) -> io::Result<u64>,
    /// Reads at an offset in one call, independent of the current position, if the reader can.
    read_at: Option<ReadAt<R>>,
    /// The current position of the reader, if it is known.
    cursor: Option<u64>,
}

type ReadAt<R> = fn(&R, &mut [u8], u64) -> io::Result<usize>;

impl<R: Read + Seek> Access<R> {
    /// Starts at the current position of the reader; `None` for a pipe.
    pub(crate) fn new(reader: &mut R) -> Option<Self> {
        let start = reader.stream_position().ok()?;
        reader.seek(SeekFrom::End(0)).ok()?;
        reader.seek(SeekFrom::Start(start)).ok()?;
        Some(Self { start, seek: R::seek, read_at: None, cursor: None })
    }
}

impl Access<File> {
    /// Reads each piece with one system call, where the system has one for this.
    pub(crate) fn in_one_call(self) -> Self {
        let read_at: ReadAt<File> = read_file_at;
        Self { read_at: cfg!(any(unix, windows)).then_some(read_at), ..self }
    }
}

impl<R: Read> Access<R> {
    /// Returns the offset of a position.
    pub(crate) fn offset(&self, position: u64) -> u64 {
        self.start.saturating_add(position)
    }

    /// Returns the current number of bytes.
    pub(crate) fn size(&mut self, reader: &mut R) -> io::Result<u64> {
        self.cursor = None;
        Ok((self.seek)(reader, SeekFrom::End(0))?.saturating_sub(self.start))
    }

    /// Returns the little-endian number in the last 4 of `size` bytes; `None` if it cannot be read.
    pub(crate) fn last_number(&mut self, reader: &mut R, size: u64) -> Option<u32> {
        let position = size.checked_sub(4)?;
        let mut number = [0; 4];
        let (filled, _) =
            fill(&mut number, |rest, filled| self.read(reader, rest, position + filled as u64));
        (filled == number.len()).then_some(u32::from_le_bytes(number))
    }

    /// Moves the reader to a position.
    pub(crate) fn seek(&mut self, reader: &mut R, position: u64) -> io::Result<()> {
        self.cursor = None;
        (self.seek)(reader, SeekFrom::Start(self.offset(position))).map(drop)
    }

    /// Reads some bytes at a position.
    pub(crate) fn read(
        &mut self,
        reader: &mut R,
        buffer: &mut [u8],
        position: u64,
    ) -> io::Result<usize> {
        let offset = self.offset(position);
        if let Some(read_at) = self.read_at {
            return read_at(reader, buffer, offset);
        }
        if self.cursor.take() != Some(offset) {
            (self.seek)(reader, SeekFrom::Start(offset))?;
        }
        let count = reader.read(buffer)?;
        self.cursor = Some(offset + count as u64);
        Ok(count)
    }
}

/// Fills the buffer with `read`, which gets the number of bytes so far. Returns the number of bytes, and the error that
/// came after them.
pub(crate) fn fill(
    buffer: &mut [u8],
    mut read: impl FnMut(&mut [u8], usize) -> io::Result<usize>,
) -> (usize, Result<(), ErrorKind>) {
    let mut filled = 0;
    while let Some(rest @ [_, ..]) = buffer.get_mut(filled..) {
        let room = rest.len();
        match read(rest, filled) {
            Ok(0) => break,
            Ok(count) if count <= room => filled += count,
            Ok(_) => {
                let error =
                    io::Error::other("the reader returned more bytes than it was asked for");
                return (filled, Err(error.into()));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (filled, Err(error.into())),
        }
    }
    (filled, Ok(()))
}
