//! The cells of the lines of a text, by the rules of csv.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::reading::rows::Rows;

/// Splits the lines of a text into cells by the rules of csv, as reading does.
pub(super) struct Cells<'a> {
    text: &'a str,
    at: usize,
    separator: u8,
    parser: Reader,
    cells: Vec<u8>,
    ends: Vec<usize>,
    /// True if the text ended within quotes.
    pub(super) is_open: bool,
}

impl<'a> Cells<'a> {
    pub(super) fn new(text: &'a str, separator: u8) -> Self {
        let mut parser = ReaderBuilder::new().delimiter(separator).build();
        // The mark of UTF-8 was left out; another one is text.
        parser.read_record(b"\n", &mut [], &mut []);
        Self {
            text,
            at: 0,
            separator,
            parser,
            cells: Vec::new(),
            ends: vec![0; 64],
            is_open: false,
        }
    }

    /// Gives the cells of the next line, without white space around them, to `take`; `false` at the end, and for quotes
    /// that are not closed.
    pub(super) fn next(&mut self, take: impl FnOnce(TrimmedCells<'_>)) -> bool {
        if let Some(line) = self.plain_line() {
            let count = |count, byte| count + usize::from(byte == self.separator);
            let separators = line.bytes().fold(0, count);
            let ends = Ends::Before(self.separator);
            take(TrimmedCells { text: line, start: 0, ends, count: separators + 1 });
            return true;
        }
        let (mut size, mut count) = (0, 0);
        loop {
            // A line feed ends the last line, but not within quotes.
            let (is_end, input) = match self.text.as_bytes().get(self.at..) {
                Some(rest) if !rest.is_empty() => (false, rest),
                _ => (true, &b"\n"[..]),
            };
            let output = self.cells.get_mut(size..).unwrap_or_default();
            let ends = self.ends.get_mut(count..).unwrap_or_default();
            let (result, consumed, written, ended) = self.parser.read_record(input, output, ends);
            self.at += if is_end { 0 } else { consumed };
            size += written;
            count += ended;
            match result {
                ReadRecordResult::Record => break,
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::OutputFull => self.cells.resize(2 * self.cells.len() + 64, 0),
                ReadRecordResult::InputEmpty if is_end => {
                    self.is_open = size > 0 || count > 0;
                    return false;
                }
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::End => return false,
            }
        }
        let cells = str::from_utf8(self.cells.get(..size).unwrap_or_default());
        let ends = self.ends.get(..count).unwrap_or_default();
        let (text, ends) = (cells.unwrap_or_default(), Ends::At(ends));
        take(TrimmedCells { text, start: 0, ends, count });
        true
    }

    /// Goes past the next line if it is not empty and has no quotes: parsing it would take three times as long.
    fn plain_line(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.at..)?;
        let (line, end) =
            rest.split_once('\n').map_or((rest, rest.len()), |(line, _)| (line, line.len() + 1));
        let line = line.strip_suffix('\r').unwrap_or(line);
        let has = |any, byte| any | matches!(byte, b'"' | b'\r');
        (!line.is_empty() && !line.bytes().fold(false, has)).then(|| self.at += end)?;
        Some(line)
    }

    /// Returns the number of the line, counted from 1, on which a record starts.
    pub(super) fn line_of(mut self, record: usize) -> usize {
        for _ in 0..record {
            self.next(|_| ());
        }
        let text = self.text.as_bytes();
        let rest = text.get(self.at..).unwrap_or_default();
        let empty = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let before = text.get(..self.at + empty).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }
}

/// The cells of a line.
#[derive(Clone)]
pub(super) struct TrimmedCells<'a> {
    text: &'a str,
    start: usize,
    ends: Ends<'a>,
    count: usize,
}

/// The ends of cells.
#[derive(Clone)]
enum Ends<'a> {
    At(&'a [usize]),
    /// Each cell except the last ends before this byte, which no cell has.
    Before(u8),
}

impl<'a> TrimmedCells<'a> {
    /// Appends them as a row; where there is no white space, all at once.
    pub(super) fn append_to(self, rows: &mut Rows) {
        if let Ends::Before(separator) = self.ends {
            let is_space = |byte: u8| byte != separator && byte.is_ascii_whitespace();
            if !self.text.bytes().fold(false, |any, byte| any | is_space(byte)) {
                return rows.push_line(self.text, separator);
            }
        }
        rows.push(self);
    }

    /// Returns whether the last cell of a whole line is empty.
    pub(super) fn is_last_empty(&self) -> bool {
        let before = match self.ends {
            Ends::At(ends) => ends.iter().rev().nth(1).copied(),
            Ends::Before(separator) => {
                let last = self.text.bytes().rposition(|byte| byte == separator);
                last.map(|last| last + 1)
            }
        };
        let last = self.text.get(before.unwrap_or_default()..).unwrap_or_default();
        last.trim_ascii().is_empty()
    }
}

impl<'a> Iterator for TrimmedCells<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.count = self.count.checked_sub(1)?;
        let (end, next) = match &mut self.ends {
            Ends::At(ends) => {
                let (end, others) = ends.split_first()?;
                *ends = others;
                (*end, *end)
            }
            Ends::Before(separator) => {
                let mut rest = self.text.bytes().skip(self.start);
                let end = rest.position(|byte| byte == *separator);
                let end = end.map_or(self.text.len(), |end| self.start + end);
                (end, end + 1)
            }
        };
        let cell = self.text.get(self.start..end).unwrap_or_default();
        self.start = next;
        Some(cell.trim_ascii())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count, Some(self.count))
    }
}

impl ExactSizeIterator for TrimmedCells<'_> {}
