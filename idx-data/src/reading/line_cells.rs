//! The cells of the lines of a text, by the rules of csv.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use crate::reading::rows::Rows;

/// Splits the lines of a text into cells by the rules of csv, as reading does.
pub(super) struct Lines<'a> {
    text: &'a str,
    at: usize,
    separator: u8,
    parser: Reader,
    cells: Vec<u8>,
    ends: Vec<usize>,
    /// True if the text ended within quotes.
    pub(super) is_open: bool,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str, separator: u8) -> Self {
        let mut parser = ReaderBuilder::new().delimiter(separator).build();
        // The mark of UTF-8 was left out; another one is text.
        parser.read_record(b"\n", &mut [], &mut []);
        let (cells, ends) = (Vec::new(), vec![0; 64]);
        Self { text, at: 0, separator, parser, cells, ends, is_open: false }
    }

    /// Appends the cells of the next line, without white space around them; `false` at the end, and for quotes that are
    /// not closed.
    pub(super) fn next(&mut self, rows: &mut Rows) -> bool {
        if let Some(line) = self.plain_line() {
            rows.push_line(line, self.separator);
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
        let cells = str::from_utf8(self.cells.get(..size).unwrap_or_default()).unwrap_or_default();
        let mut start = 0;
        rows.push(self.ends.iter().take(count).map(|end| {
            let cell = cells.get(start..*end).unwrap_or_default();
            start = *end;
            cell.trim_ascii()
        }));
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
            self.next(&mut Rows::default());
        }
        let text = self.text.as_bytes();
        let rest = text.get(self.at..).unwrap_or_default();
        let empty = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let before = text.get(..self.at + empty).unwrap_or_default();
        1 + before.iter().filter(|byte| **byte == b'\n').count()
    }
}
