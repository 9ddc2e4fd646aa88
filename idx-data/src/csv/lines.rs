//! The lines of a text, split into fields by the rules of csv.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::error::{ErrorKind, Setting};
use idx_std::__private::CHUNK_SIZE;

/// Reads lines from a text, each into the same memory.
///
/// This is `csv::Reader`, but that a line has a limit and its number, and that quotes left open are an error.
pub(crate) struct Lines {
    text: Box<dyn BufRead + Send>,
    parser: Reader,
    /// The fields of the line, one after the other, and their ends.
    fields: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    /// Where the line starts, counted from 1; 0 before the first.
    line: u64,
    /// The maximum size of the fields and their ends in bytes.
    limit: u64,
}

impl Lines {
    pub(crate) fn new(read: Box<dyn Read + Send>, limit: u64) -> Result<Self, ErrorKind> {
        let mut read = BufReader::with_capacity(CHUNK_SIZE, read);
        let mut start = Vec::new();
        read.by_ref().take(CHUNK_SIZE as u64).read_until(b'\n', &mut start)?;
        check_text(&start)?;
        let parser = ReaderBuilder::new().delimiter(separator(&start)).build();
        Ok(Self {
            // A line feed follows the last line: it ends any record but one within quotes.
            text: Box::new(Cursor::new(start).chain(read).chain(&b"\n"[..])),
            parser,
            fields: vec![0; 1024],
            ends: vec![0; 64],
            count: 0,
            line: 0,
            limit,
        })
    }

    /// Splits the next line into fields; `false` at the end. A quoted field may have line feeds.
    pub(crate) fn next(&mut self) -> Result<bool, ErrorKind> {
        if self.line > 0 {
            self.pass_line_ends()?;
        } // a byte order mark counts only as the first bytes that the parser gets
        self.line = self.parser.line();
        let mut size = 0;
        self.count = 0;
        loop {
            let input = fill(&mut self.text)?;
            let is_end = input.is_empty();
            let output = self.fields.get_mut(size..).unwrap_or_default();
            let ends = self.ends.get_mut(self.count..).unwrap_or_default();
            let (result, consumed, written, ended) = self.parser.read_record(input, output, ends);
            self.text.consume(consumed);
            size += written;
            self.count += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => {
                    self.check_limit(self.fields.len())?;
                    self.fields.resize(2 * self.fields.len(), 0);
                }
                ReadRecordResult::OutputEndsFull => {
                    self.check_limit(size_of_val(self.ends.as_slice()))?;
                    self.ends.resize(2 * self.ends.len(), 0);
                }
                ReadRecordResult::Record if is_end => return Err(self.open_quotes()),
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// The fields of the line, without the white space around them.
    pub(crate) fn fields(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let ends = self.ends.get(..self.count).unwrap_or_default();
        let mut start = 0;
        ends.iter().map(move |end| {
            let field = self.fields.get(start..*end).unwrap_or_default();
            start = *end;
            field.trim_ascii()
        })
    }

    /// The number of the line, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Skips empty lines, and the line feed after a carriage return.
    fn pass_line_ends(&mut self) -> io::Result<()> {
        while let [end @ (b'\n' | b'\r'), ..] = *fill(&mut self.text)? {
            self.text.consume(1);
            self.parser.set_line(self.parser.line() + u64::from(end == b'\n'));
        }
        Ok(())
    }

    /// Checks that this many more bytes may be used.
    fn check_limit(&self, more: usize) -> Result<(), ErrorKind> {
        let used = self.fields.len() + size_of_val(self.ends.as_slice());
        if (used + more) as u64 <= self.limit {
            return Ok(());
        }
        let (line, limit) = (self.line, self.limit);
        Err(ErrorKind::malformed(format!(
            "line {line} takes more memory than the limit of {limit} bytes, of which each column counts 8"
        ))
        .advise(Setting::RecordLimit))
    }

    fn open_quotes(&self) -> ErrorKind {
        let line = self.line;
        ErrorKind::malformed(format!(
            "the quotes that line {line} opens are not closed; download or copy the file again if it is truncated, \
             or correct the line"
        ))
    }
}

/// Some of the next bytes; none at the end.
fn fill(text: &mut dyn BufRead) -> io::Result<&[u8]> {
    while let Err(error) = text.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    text.fill_buf() // that was read
}

/// The separator of the columns in the first line: a comma, or else a tab or a semicolon.
fn separator(line: &[u8]) -> u8 {
    let line = line.trim_ascii_end();
    let mut separators = b",\t;".iter().filter(|separator| line.contains(separator));
    separators.next().copied().unwrap_or(b',')
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
