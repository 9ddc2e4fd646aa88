//! The text by which a table is understood: its first lines, and of a plain file some lines of its middle and its end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read, Seek, SeekFrom};

use crate::error::ErrorKind;
use idx_std::__private::CHUNK_SIZE;

/// The maximum number of lines at the start of a text, and of bytes if it has two lines then.
const MAX_LINES: usize = 1000;
const MAX_SIZE: usize = 1 << 20;

/// The bytes to read at the middle and at the end of a file.
const PIECE_SIZE: u64 = 64 * 1024;

/// The first lines of a text.
pub(crate) struct Sample {
    pub(crate) text: String,
    /// Whether there are no more lines.
    pub(crate) is_whole: bool,
}

/// A text from its start on, whose first lines were read.
pub(crate) type Text = Chain<Cursor<Vec<u8>>, BufReader<Box<dyn Read + Send>>>;

impl Sample {
    /// The first lines of a text, and the whole text. A line that is longer than the limit is cut.
    pub(crate) fn read(
        read: Box<dyn Read + Send>,
        limit: u64,
    ) -> Result<(Self, Text), ErrorKind> {
        let mut read = BufReader::with_capacity(CHUNK_SIZE, read);
        let (mut start, mut lines) = (Vec::new(), 0);
        while lines < MAX_LINES && (lines < 2 || start.len() < MAX_SIZE) {
            let room = limit.saturating_add(1).saturating_sub(start.len() as u64);
            if read.by_ref().take(room).read_until(b'\n', &mut start)? == 0 {
                break;
            }
            if lines == 0 {
                check_text(&start)?;
            }
            lines += 1;
        }
        let is_whole = read.fill_buf()?.is_empty();
        let text = String::from_utf8_lossy(&start).into_owned();
        Ok((Self { text, is_whole }, Cursor::new(start).chain(read)))
    }

    /// Whole lines from the middle and the end of a plain file, which is then at its start; tables are often sorted by
    /// their labels.
    pub(crate) fn elsewhere(file: &mut File) -> io::Result<String> {
        let size = file.metadata()?.len();
        let mut lines = Vec::new();
        for start in [size / 2, size.saturating_sub(PIECE_SIZE)] {
            if size < 4 * PIECE_SIZE {
                break; // most of it is at the start
            }
            file.seek(SeekFrom::Start(start))?;
            let mut piece = Vec::new();
            file.by_ref().take(PIECE_SIZE).read_to_end(&mut piece)?;
            let ends = piece.iter().position(|byte| *byte == b'\n');
            let ends = ends.zip(piece.iter().rposition(|byte| *byte == b'\n'));
            lines.extend(ends.and_then(|(first, last)| piece.get(first + 1..=last)).unwrap_or(&[]));
        }
        file.rewind()?;
        Ok(String::from_utf8_lossy(&lines).into_owned())
    }
}

/// Checks that the first line is text.
fn check_text(line: &[u8]) -> Result<(), ErrorKind> {
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
