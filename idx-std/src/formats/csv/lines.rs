//! The lines of a text: unchanged, or split into fields by the rules of csv.

use std::io::{self, Cursor, Read};
use std::mem::replace;
use std::ops::Range;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::formats::error::{ErrorKind, Setting};
use crate::io::CHUNK_SIZE;

/// Reads lines from a text.
pub(super) struct Lines {
    read: Box<dyn Read>,
    buffer: Vec<u8>,
    /// The part of the buffer that was read from the source and is used next.
    unread: Range<usize>,
    is_at_end: bool,
    /// The error at its end.
    error: Option<io::Error>,
    /// Knows the rules of csv, and counts the lines.
    parser: Reader,
    /// The last line that was split: its fields one after the other, and their ends.
    fields: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    /// Where it starts, counted from 1; 0 before the first.
    line: u64,
    /// The maximum size of its fields and their ends in bytes.
    limit: u64,
}

impl Lines {
    pub(super) fn new(read: Box<dyn Read>, limit: u64) -> Self {
        Self {
            read,
            buffer: Vec::new(),
            unread: 0..0,
            is_at_end: false,
            error: None,
            parser: Reader::new(),
            fields: vec![0; 1024],
            ends: vec![0; 64],
            count: 0,
            line: 0,
            limit,
        }
    }

    /// Detects the separator of the columns in the first line: a comma, or else a tab or a semicolon.
    pub(super) fn find_separator(&mut self) -> io::Result<u8> {
        let text = self.text()?;
        let line = text.split(|byte| *byte == b'\n').next();
        let line = line.unwrap_or_default().trim_ascii_end();
        let mut others = b"\t;".iter().filter(|other| line.contains(other));
        let separator = match line.contains(&b',') {
            true => b',',
            false => others.next().copied().unwrap_or(b','),
        };
        self.parser = ReaderBuilder::new().delimiter(separator).build();
        Ok(separator)
    }

    /// Text that was read, from the start of the next line on: some whole lines, unless the next line is
    /// longer than the buffer, or the last one.
    pub(super) fn text(&mut self) -> io::Result<&[u8]> {
        while !self.is_at_end && self.unread.len() < CHUNK_SIZE && !self.unread().contains(&b'\n') {
            self.fill()?;
        }
        Ok(self.unread())
    }

    /// Replaces a text by the next whole lines; `false` if the next one is longer than the buffer, or the last one,
    /// or cannot be read, which is an error when it is its turn.
    pub(super) fn take_lines(&mut self, lines: &mut Vec<u8>) -> bool {
        if let Err(error) = self.text() {
            self.read = Box::new(io::empty());
            (self.error, self.is_at_end) = (Some(error), false);
        }
        let text = self.unread();
        let last = text.iter().rposition(|byte| *byte == b'\n');
        let whole = last.and_then(|last| text.get(..=last)).unwrap_or_default();
        lines.clear();
        lines.extend_from_slice(whole);
        self.unread.start += lines.len();
        !lines.is_empty()
    }

    /// Puts back what was taken last.
    pub(super) fn put_back(&mut self, mut lines: Vec<u8>) {
        lines.extend_from_slice(self.unread());
        self.unread = 0..0;
        self.is_at_end = false;
        let rest = replace(&mut self.read, Box::new(io::empty()));
        self.read = Box::new(Cursor::new(lines).chain(rest));
    }

    /// Skips lines of `text` that have this many bytes.
    pub(super) fn pass(&mut self, lines: u64, size: usize) {
        self.unread.start += size;
        self.parser.set_line(self.parser.line() + lines);
    }

    /// Splits the next line into fields; `false` at the end. A quoted field may have line feeds.
    pub(super) fn divide(&mut self) -> Result<bool, ErrorKind> {
        if self.line > 0 {
            self.pass_line_ends()?;
        } // a byte order mark counts only as the first bytes that the parser gets
        self.line = self.parser.line();
        let mut size = 0;
        self.count = 0;
        loop {
            if self.unread.is_empty() && !self.is_at_end {
                self.fill()?;
                continue;
            }
            let input = self.buffer.get(self.unread.clone()).unwrap_or_default();
            let is_end = input.is_empty();
            let output = self.fields.get_mut(size..).unwrap_or_default();
            let ends = self.ends.get_mut(self.count..).unwrap_or_default();
            let (result, consumed, written, ended) = self.parser.read_record(input, output, ends);
            self.unread.start += consumed;
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
                // The last line feed ends any record but one within quotes.
                ReadRecordResult::Record if is_end => return Err(self.open_quotes()),
                ReadRecordResult::Record => return Ok(true),
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// The fields of the line, without the white space around them.
    pub(super) fn fields(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let ends = self.ends.get(..self.count).unwrap_or_default();
        let mut start = 0;
        ends.iter().map(move |end| {
            let field = self.fields.get(start..*end).unwrap_or_default();
            start = *end;
            field.trim_ascii()
        })
    }

    /// The number of the line that was split, counted from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
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

    fn unread(&self) -> &[u8] {
        self.buffer.get(self.unread.clone()).unwrap_or_default()
    }

    /// Skips empty lines, and the line feed after a carriage return.
    fn pass_line_ends(&mut self) -> io::Result<()> {
        loop {
            match self.unread() {
                [] if self.is_at_end => return Ok(()),
                [] => self.fill()?,
                [b'\n', ..] => self.pass(1, 1),
                [b'\r', ..] => self.pass(0, 1),
                _ => return Ok(()),
            }
        }
    }

    /// Reads once, after the unread bytes. A line feed follows the last line.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.copy_within(self.unread.clone(), 0);
        self.unread = 0..self.unread.len();
        self.buffer.resize(CHUNK_SIZE, 0);
        let room = self.buffer.get_mut(self.unread.end..).unwrap_or_default();
        match self.read.read(room) {
            Ok(0) => {
                self.is_at_end = true;
                self.error.take().map_or(Ok(()), Err)?;
                if let Some(end) = room.first_mut() {
                    *end = b'\n';
                    self.unread.end += 1;
                }
                Ok(())
            }
            Ok(count) => {
                self.unread.end += count;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(error) => {
                self.is_at_end = true;
                Err(error)
            }
        }
    }
}
