//! Splits the lines of a text into fields by the rules of csv, for its reading and for its records.

use std::io::{self, BufRead, Read};
use std::iter;
use std::ops::Range;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::memchr_iter;

use crate::error::ErrorKind;
use crate::reading::rows::Rows;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// A separator that stands for any number of spaces and tabs.
pub(crate) const SPACE: u8 = b' ';

/// The number of bytes of a long line to read at a time, so that memory holds its fields but not all of its text.
const PART_SIZE: u64 = 16 << 20;

/// The maximum number of bytes of text in a field that spans parts of a long line: names and labels are shorter.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// Reads lines from a text, each into the same memory.
///
/// It works like `csv::Reader`, except that it limits and numbers the lines, reports quotes left open as an error, and
/// accepts any number of spaces between numbers.
pub(crate) struct Lines<'a> {
    text: Box<dyn BufRead + Send + 'a>,
    /// The line that was read last, with its end, or the last part of it; and the number of its bytes that are already
    /// split.
    read: Vec<u8>,
    split: usize,
    /// The last byte before the bytes read.
    before: u8,
    /// True if the line has text after quotes.
    has_text_after_quotes: bool,
    parser: Reader,
    /// The fields, one after the other, and their ends.
    fields: Vec<u8>,
    ends: Vec<usize>,
    count: usize,
    /// The number of bytes between two fields.
    gap: usize,
    /// The line on which the fields start, and the number of lines that were read.
    line: u64,
    lines: u64,
    /// The byte between two fields; a space stands for any number of spaces and tabs.
    separator: u8,
    /// The maximum size of the fields and their ends in bytes.
    limit: u64,
}

impl<'a> Lines<'a> {
    /// Starts below the first `above` lines of a text.
    pub(crate) fn new(
        mut text: Box<dyn BufRead + Send + 'a>,
        separator: u8,
        above: u64,
        limit: u64,
    ) -> io::Result<Self> {
        if text.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
            text.consume(BYTE_ORDER_MARK.len());
        }
        for _ in 0..above {
            text.skip_until(b'\n')?;
        }
        let mut parser = ReaderBuilder::new().delimiter(separator).build();
        // Without this empty record, the parser would skip a byte order mark at the start of the next line, too.
        parser.read_record(b"\n", &mut [], &mut []);
        Ok(Self {
            // A line feed follows the last line: it ends any record except one within quotes.
            text: Box::new(text.chain(&b"\n"[..])),
            read: Vec::new(),
            split: 0,
            before: b'\n',
            has_text_after_quotes: false,
            parser,
            fields: Vec::new(),
            ends: vec![0; 64],
            count: 0,
            gap: 0,
            line: 0,
            lines: above,
            separator,
            limit,
        })
    }

    /// Splits the next line into fields; `false` at the end. A quoted field may have line feeds.
    pub(crate) fn next(&mut self) -> Result<bool, ErrorKind> {
        self.has_text_after_quotes = false;
        self.skip_ends();
        while self.rest().is_empty() {
            if !self.read_line(false)? {
                return Ok(false);
            }
            self.skip_ends();
        }
        self.line = self.lines;
        self.split()?;
        Ok(true)
    }

    /// Skips the end of the line before, and empty lines.
    fn skip_ends(&mut self) {
        let ends = self.rest().iter().take_while(|byte| is_end(**byte)).count();
        self.split += ends;
    }

    /// Returns the next whole lines that are in memory, or else the next line; nothing if only a part of it was read.
    pub(crate) fn at_hand(&mut self) -> io::Result<&[u8]> {
        self.skip_ends();
        if self.rest().is_empty() {
            let end = match self.text.fill_buf() {
                // Reading a line tries again.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => None,
                text => text?.iter().rposition(|byte| *byte == b'\n'),
            };
            if let Some(end) = end {
                return Ok(self.text.fill_buf()?.get(..=end).unwrap_or_default());
            }
            self.read_line(false)?;
        }
        Ok(if self.rest().ends_with(b"\n") { self.rest() } else { &[] })
    }

    /// Skips this many of the bytes and lines at hand.
    pub(crate) fn consume(&mut self, size: usize, lines: u64) {
        if self.rest().is_empty() {
            self.text.consume(size);
            self.lines += lines;
        } else {
            self.split += size;
        }
    }

    /// Returns the maximum number of bytes of a line with this many columns.
    pub(crate) fn most_bytes(&self, columns: usize) -> usize {
        let ends = (size_of::<usize>() * columns) as u64;
        usize::try_from(self.limit.saturating_sub(ends)).unwrap_or(usize::MAX)
    }

    /// Splits the line into fields.
    fn split(&mut self) -> Result<(), ErrorKind> {
        self.count = 0;
        if self.split_plain() {
            return self.check_limit(self.fields.len());
        }
        self.gap = 0;
        // The bytes of all fields so far, and how many of those of a field that goes on are text.
        let (mut size, mut text) = (0, 0);
        loop {
            let rest = self.read.get(self.split..).unwrap_or_default();
            self.check_limit(size + rest.len())?;
            self.fields.resize(size + rest.len(), 0);
            let output = self.fields.get_mut(size..).unwrap_or_default();
            let ends = self.ends.get_mut(self.count..).unwrap_or_default();
            let (result, consumed, written, ended) = self.parser.read_record(rest, output, ends);
            let found = self.fields.get(size..size + written).unwrap_or_default();
            text = if ended == 0 { text + text_in(found) } else { 0 };
            self.split += consumed;
            size += written;
            self.count += ended;
            self.check_limit(self.fields.len())?;
            match result {
                ReadRecordResult::Record => return Ok(()),
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                _ if text > MAX_TEXT => return Err(long_text(self.line, self.count)),
                // The line goes on, within quotes or after a part.
                _ if self.read_line(true)? => {}
                _ => return Err(self.open_quotes()),
            }
        }
    }

    /// Splits the line if all of it is in memory and has no quotes: the parser would take three times as long.
    fn split_plain(&mut self) -> bool {
        let rest = self.read.get(self.split..).unwrap_or_default();
        let Some(line) = rest.strip_suffix(b"\n") else {
            return false;
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let has = |any, byte: &u8| any | matches!(byte, b'"' | b'\r');
        if line.iter().fold(false, has) {
            return false;
        }
        self.fields.clear();
        self.fields.extend_from_slice(rest);
        let ends = line.iter().enumerate().filter(|(_, byte)| **byte == self.separator);
        self.ends.clear();
        // There may be millions of fields.
        self.ends.reserve_exact(ends.clone().count() + 1);
        self.ends.extend(ends.map(|(end, _)| end).chain([line.len()]));
        (self.count, self.gap, self.split) = (self.ends.len(), 1, self.read.len());
        true
    }

    fn rest(&self) -> &[u8] {
        self.read.get(self.split..).unwrap_or_default()
    }

    /// Reads a line, or a part of a long one; `false` at the end. `is_within` is true if it begins within quotes.
    fn read_line(&mut self, is_within: bool) -> io::Result<bool> {
        let is_start = self.before == b'\n';
        self.lines += u64::from(is_start);
        self.read.clear();
        self.split = 0;
        let part = PART_SIZE.min(self.limit.saturating_add(1));
        let size = self.text.as_mut().take(part).read_until(b'\n', &mut self.read)?;
        match self.separator {
            SPACE => self.join(),
            _ => {
                self.before = self.read.last().copied().unwrap_or_default();
                // In later parts of a long line, it is not known what is within quotes.
                if is_start {
                    self.join_quotes(is_within);
                }
            }
        }
        Ok(size > 0)
    }

    /// Reduces the spaces between two fields to one, and removes those at the start and the end of the line.
    fn join(&mut self) {
        let mut joined = Vec::with_capacity(self.read.len());
        for byte in &self.read {
            match byte {
                b' ' | b'\t' if is_end(self.before) => {}
                b' ' | b'\t' => self.before = SPACE,
                _ => {
                    if self.before == SPACE && !is_end(*byte) {
                        joined.push(SPACE);
                    }
                    joined.push(*byte);
                    self.before = *byte;
                }
            }
        }
        self.read = joined;
    }

    /// Removes the spaces between a separator and a quote, as in `1, "a"`, and looks for text after quotes.
    fn join_quotes(&mut self, is_within: bool) {
        let text = &self.read;
        self.has_text_after_quotes |= text_after_quotes(text, self.separator, is_within).is_some();
        let mut joined = Vec::new();
        let mut start = 0;
        for cell in quoted_cells(text, self.separator, is_within) {
            let before = text.get(start..cell.start).unwrap_or_default();
            let kept = without_spaces(before);
            if kept.len() < before.len() {
                joined.extend_from_slice(kept);
                start = cell.start;
            }
        }
        if start > 0 {
            joined.extend_from_slice(text.get(start..).unwrap_or_default());
            self.read = joined;
        }
    }

    /// Appends the fields of a line in UTF-8 as a row, all at once if no white space is around them.
    pub(crate) fn append_to(&self, rows: &mut Rows) {
        let ends = self.ends.get(..self.count).unwrap_or_default();
        let text = self.fields.get(..ends.last().copied().unwrap_or_default());
        let text = str::from_utf8(text.unwrap_or_default()).unwrap_or_default();
        let is_space = |byte: u8| byte != self.separator && byte.is_ascii_whitespace();
        match self.gap == 1 && !text.bytes().fold(false, |any, byte| any | is_space(byte)) {
            true => rows.push_text(text, ends),
            false => {
                rows.push(self.fields().map(|field| str::from_utf8(field).unwrap_or_default()));
            }
        }
    }

    /// Returns the fields of the line, without the white space around them.
    pub(crate) fn fields(&self) -> impl ExactSizeIterator<Item = &[u8]> + Clone {
        let ends = self.ends.get(..self.count).unwrap_or_default();
        let mut start = 0;
        ends.iter().map(move |end| {
            let field = self.fields.get(start..*end).unwrap_or_default();
            start = *end + self.gap;
            field.trim_ascii()
        })
    }

    /// Checks that the line has no text after quotes.
    pub(crate) fn expect_whole_quotes(&self) -> Result<(), ErrorKind> {
        match self.has_text_after_quotes {
            true => Err(ErrorKind::malformed(after_quotes(self.line))),
            false => Ok(()),
        }
    }

    /// Returns the number of the line, counted from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Checks that the fields may take `size` bytes, not counting their ends.
    fn check_limit(&self, size: usize) -> Result<(), ErrorKind> {
        let used = size + size_of::<usize>() * self.count;
        if used as u64 <= self.limit {
            return Ok(());
        }
        Err(long_line(self.line, self.limit))
    }

    fn open_quotes(&self) -> ErrorKind {
        let line = self.line;
        ErrorKind::malformed(format!(
            "the quotes that line {line} opens are not closed; download or copy the file again if it is truncated, \
             or correct the line"
        ))
    }
}

/// Returns the position of text after the closing quote of a field, as in `"a" b`. It is a mistake, or the quote is
/// escaped by a backslash, as `MySQL` and Spark write it. `is_within` is true if the bytes begin within quotes.
pub(crate) fn text_after_quotes(text: &[u8], separator: u8, is_within: bool) -> Option<usize> {
    quoted_cells(text, separator, is_within).find_map(|cell| {
        let ends_cell = |byte: &u8| *byte == separator || is_end(*byte);
        let mut after = text.iter().enumerate().skip(cell.end);
        let (at, next) = after.find(|(_, byte)| ends_cell(byte) || !byte.is_ascii_whitespace())?;
        (!ends_cell(next)).then_some(at)
    })
}

/// Returns the ranges of the quoted cells, from quote to quote.
fn quoted_cells(text: &[u8], separator: u8, is_within: bool) -> impl Iterator<Item = Range<usize>> {
    let next = move |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let mut quotes = memchr_iter(b'"', rest).map(|at| from + at);
        // A quote within other text is part of it.
        let start = quotes.find(|at| is_start(text.get(..*at).unwrap_or_default(), separator))?;
        Some(start..end_of_quotes(text, start + 1))
    };
    let first = if is_within { Some(0..end_of_quotes(text, 0)) } else { next(0) };
    iter::successors(first, move |cell| next(cell.end))
}

/// Returns whether a cell starts after this text, apart from spaces.
fn is_start(text: &[u8], separator: u8) -> bool {
    without_spaces(text).last().is_none_or(|byte| *byte == separator || is_end(*byte))
}

/// Returns the position after the quote that closes a cell; two in a row are text.
fn end_of_quotes(text: &[u8], start: usize) -> usize {
    let mut quotes = memchr_iter(b'"', text.get(start..).unwrap_or_default()).peekable();
    while let Some(at) = quotes.next() {
        if quotes.next_if_eq(&(at + 1)).is_none() {
            return start + at + 1;
        }
    }
    text.len()
}

fn without_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().rev().take_while(|byte| **byte == b' ').count();
    text.get(..text.len() - spaces).unwrap_or_default()
}

/// Returns the sentence about text after quotes.
pub(crate) fn after_quotes(line: u64) -> String {
    format!(
        "line {line} has text after quotes; put quotes around the whole cell, and write a quote within them twice, as \"\""
    )
}

/// Returns the error for a line that is larger than the limit.
pub(crate) fn long_line(line: u64, limit: u64) -> ErrorKind {
    ErrorKind::over_limit(format!(
        "line {line} takes more memory than the limit of {limit} bytes (each column counts as {})",
        size_of::<usize>()
    ))
}

/// Returns the error for a text that is too long for a name or a label.
pub(crate) fn long_text(line: u64, column: usize) -> ErrorKind {
    ErrorKind::malformed(format!(
        "line {line} has more than {MAX_TEXT} bytes of text in column {column}, counted from 0; remove the text, or \
         close the quotes before it"
    ))
}

/// Returns whether a byte may be in numbers with white space between them.
pub(crate) const fn is_of_number(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// Returns the number of bytes that cannot be in numbers with white space between them.
fn text_in(field: &[u8]) -> usize {
    field.iter().filter(|byte| !is_of_number(byte)).count()
}

pub(crate) const fn is_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}
