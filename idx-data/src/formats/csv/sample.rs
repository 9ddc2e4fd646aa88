//! The lines by which a table is understood: the first ones and, in a plain file, some in the middle and at the end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

use crate::error::ErrorKind;
use crate::known::file::CHUNK_SIZE;
use crate::reading::lines::{MAX_TEXT, is_end, is_of_number, long_line, long_text};

/// The maximum number of lines in a sample, and of bytes once it has two lines.
const MAX_LINES: usize = 1000;
const MAX_SIZE: usize = 1 << 20;

/// The maximum number of bytes of a line in a sample: positions in it are kept in 32 bits.
const MAX_LINE: u64 = 1 << 31;

/// The number of bytes to read at a time: enough for two threads.
pub(super) const TEXT_SIZE: usize = 2 * CHUNK_SIZE;

/// The number of bytes to read in the middle, and at the end, of a file.
const PIECE_SIZE: u64 = 64 * 1024;

/// The first lines of a text.
pub(crate) struct Sample {
    pub(crate) text: String,
    /// Their size in bytes.
    size: u64,
    /// True if there are no more lines.
    pub(crate) is_whole: bool,
}

/// A reader that returns an error once, and then ends.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl Sample {
    /// Returns the first lines of a text, and a reader of the whole text. An error after these lines is returned when
    /// the reader gets there.
    pub(crate) fn read(
        read: Box<dyn Read + Send>,
        limit: u64,
    ) -> Result<(Self, Box<dyn BufRead + Send>), ErrorKind> {
        let limit = limit.min(MAX_LINE);
        let mut read = BufReader::with_capacity(TEXT_SIZE, read);
        let mut start = Vec::new();
        let (is_whole, error) = read_lines(&mut read, &mut start, limit)?;
        let mut lines = start.split_inclusive(|byte| is_end(*byte));
        let first = lines.find(|line| !line.trim_ascii().is_empty()).unwrap_or_default();
        check_text(first)?;
        if first.len() as u64 > limit {
            return Err(long_line(1, limit));
        }
        // Without a line, nothing can be understood. And a disk that failed may succeed the next time, which would hide
        // the error.
        let has_line = first.last().is_some_and(|last| is_end(*last));
        match error {
            Some(error) if !has_line || error.raw_os_error().is_some() => Err(error.into()),
            error => {
                // `from_utf8_lossy` looks at bytes one by one, so it is not tried first.
                let lossy = |_| String::from_utf8_lossy(&start).into_owned();
                let text = str::from_utf8(&start).map_or_else(lossy, str::to_string);
                let size = start.len() as u64;
                let whole = Cursor::new(start).chain(BufReader::new(Failed(error))).chain(read);
                Ok((Self { text, size, is_whole }, Box::new(whole)))
            }
        }
    }

    /// Reads whole lines in the middle and at the end of a plain file, after the first ones: tables are often sorted by
    /// label. The position of the file stays the same.
    pub(crate) fn elsewhere(&self, file: &mut File) -> io::Result<String> {
        let size = file.metadata()?.len();
        if self.is_whole || size <= self.size {
            return Ok(String::new());
        }
        let before = file.stream_position()?;
        let is_short = size - self.size <= 2 * PIECE_SIZE;
        let middle = if is_short { self.size } else { self.size.max(size / 2) };
        let last = size.saturating_sub(PIECE_SIZE).max(middle + PIECE_SIZE);
        let mut lines = Vec::new();
        for start in [middle, last] {
            // From one byte before, which may end the previous line.
            file.seek(SeekFrom::Start(start.saturating_sub(1)))?;
            let mut piece = Vec::new();
            let count = file.by_ref().take(PIECE_SIZE + 1).read_to_end(&mut piece)?;
            if count as u64 <= PIECE_SIZE || start + PIECE_SIZE == size {
                piece.push(b'\n'); // the last line may have no end
            }
            let ends = piece.iter().position(|byte| is_end(*byte));
            let ends = ends.zip(piece.iter().rposition(|byte| is_end(*byte)));
            lines.extend(ends.and_then(|(first, last)| piece.get(first + 1..=last)).unwrap_or(&[]));
        }
        file.seek(SeekFrom::Start(before))?;
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }
}

/// Reads the first lines. Returns whether there are no more, and the error that came after them, if any. A line over
/// the limit is the last one, and is cut.
fn read_lines(
    read: &mut impl BufRead,
    start: &mut Vec<u8>,
    limit: u64,
) -> Result<(bool, Option<io::Error>), ErrorKind> {
    let (mut lines, mut line_size) = (0, 0);
    // The last cell of a long line, and where its uncounted bytes start. A short line is not counted.
    let (mut column, mut text, mut uncounted) = (0, 0, 0);
    loop {
        let bytes = match read.fill_buf() {
            Ok([]) => return Ok((true, None)),
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Ok((false, Some(error))),
        };
        if line_size as u64 > limit || lines >= MAX_LINES || lines >= 2 && start.len() >= MAX_SIZE {
            return Ok((false, None));
        }
        let end = bytes.iter().position(|byte| is_end(*byte));
        let size = end.map_or(bytes.len(), |end| end + 1);
        start.extend(bytes.get(..size).unwrap_or(bytes));
        read.consume(size);
        line_size += size;
        if line_size > MAX_TEXT {
            let bytes = start.get(uncounted..).unwrap_or_default();
            (column, text) = last_cell(bytes, (column, text));
            uncounted = start.len();
        }
        if text > MAX_TEXT {
            return Err(long_text(lines as u64 + 1, column));
        }
        if end.is_some() {
            // Not an empty line, which has only its end of up to two bytes.
            lines += usize::from(line_size > 1);
            line_size = 0;
            uncounted = start.len();
        }
    }
}

/// Continues a line. Returns the column of its last cell, and the number of bytes of text in this cell.
fn last_cell(bytes: &[u8], before: (usize, usize)) -> (usize, usize) {
    bytes.iter().fold(before, |(column, text), byte| match byte {
        b',' | b';' | b'\t' | b'|' => (column + 1, 0),
        b'\r' | b'\n' => (0, 0),
        _ => (column, text + usize::from(!is_of_number(byte))),
    })
}

/// Checks that the first line is text.
pub(crate) fn check_text(line: &[u8]) -> Result<(), ErrorKind> {
    let is_half_zero = |start| line.iter().skip(start).step_by(2).all(|byte| *byte == 0);
    let is_wide = line.len() > 1 && is_half_zero(0) != is_half_zero(1);
    if is_wide || line.starts_with(b"\xFF\xFE") || line.starts_with(b"\xFE\xFF") {
        return Err(ErrorKind::unsupported("this is text in UTF-16; save it as UTF-8"));
    }
    let is_control = |byte: &&u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    line.iter().find(is_control).map_or(Ok(()), |byte| {
        let message = format!(
            "the first line has the byte {byte:02X}, so this is not text; check the source of the file"
        );
        Err(ErrorKind::malformed(message))
    })
}
