//! A fast path for lines of nothing but digits and separators, as most are: many are read at a time, on several
//! threads.

use std::collections::VecDeque;
use std::io;
use std::mem::take;

use idx_std::ElementType;

use crate::formats::threads::{count, in_order};
use crate::reading::lines::{Lines, SPACE};
use crate::reading::roles::Role;
use crate::record::Record;
use crate::record::value::Value;

/// The minimum number of bytes to read on threads: fewer take less time than starting one.
const MIN_SIZE: usize = 128 << 10;

/// The way in which the numbers of a line become a record.
pub(super) struct Digits {
    pub(super) columns: Vec<Role>,
    pub(super) element_type: ElementType,
    /// True if labels are numbers, and not words.
    pub(super) has_number_labels: bool,
    pub(super) separator: u8,
}

impl Digits {
    /// Appends the numbers of the first line. Returns `None` if it has anything else.
    fn take(&self, text: &[u8], bytes: &mut Vec<u8>) -> Option<Line> {
        let mut columns = self.columns.iter();
        let (mut label, mut row_number) = (None, None);
        let size = take_digits(text, self.separator, |number| {
            match (columns.next()?, self.element_type) {
                // Reading through a `Value` takes half as long again.
                (Role::Element, ElementType::U8) => bytes.push(u8::try_from(number).ok()?),
                (Role::Element, element_type) => {
                    Value::Integer(number.into()).append_to(bytes, element_type)?;
                }
                (Role::Label, _) if self.has_number_labels => label = Some(number),
                (Role::SameLabel, _) if label == Some(number) => {}
                (Role::RowNumber, _) => row_number = Some(number),
                (Role::Label | Role::SameLabel | Role::Key | Role::Empty, _) => return None,
                (Role::ClassName | Role::LeftOut, _) => {}
            }
            Some(())
        })?;
        columns.next().is_none().then_some(Line { label, row_number, size })
    }

    /// Returns the records of the first lines, up to one that has anything else, more bytes than `max`, or a row number
    /// that is not above the one before. `bytes` is empty memory for their numbers.
    fn take_all(&self, text: &[u8], max: usize, bytes: Vec<u8>) -> Batch {
        let mut batch = Batch { bytes, ..Batch::default() };
        while let Some(rest @ [_, ..]) = text.get(batch.size..) {
            let before = batch.bytes.len();
            match self.take(rest, &mut batch.bytes) {
                Some(line) if line.size <= max && batch.is_followed_by(line.row_number) => {
                    batch.count(&line);
                }
                _ => {
                    batch.bytes.truncate(before);
                    break;
                }
            }
        }
        batch
    }
}

/// What is in a line of digits besides the numbers of its record.
struct Line {
    label: Option<u64>,
    row_number: Option<u64>,
    /// The number of bytes.
    size: usize,
}

/// Consecutive records, and their labels.
#[derive(Default)]
struct Batch {
    bytes: Vec<u8>,
    labels: Vec<u64>,
    /// The first and the last row number, if lines have one.
    row_numbers: Option<[u64; 2]>,
    records: usize,
    /// The size of their lines in bytes.
    size: usize,
}

impl Batch {
    /// Returns whether the row number of a line, if it has one, is above that of the last line.
    fn is_followed_by(&self, row_number: Option<u64>) -> bool {
        let numbers = self.row_numbers.zip(row_number);
        numbers.is_none_or(|([_, last], number)| last < number)
    }

    /// Counts a line whose numbers were appended.
    fn count(&mut self, line: &Line) {
        self.labels.extend(line.label);
        if let Some(number) = line.row_number {
            let [first, _] = self.row_numbers.unwrap_or([number; 2]);
            self.row_numbers = Some([first, number]);
        }
        self.records += 1;
        self.size += line.size;
    }
}

/// Records that were read ahead.
#[derive(Default)]
pub(super) struct RecordsAhead {
    threads: usize,
    batches: VecDeque<Batch>,
    /// The number of records taken from the first batch.
    taken: usize,
    /// True if the last lines had nothing but digits. Otherwise the work of other threads would be wasted.
    are_digits: bool,
    /// Memory for the next batch.
    spare: Vec<u8>,
    /// The number of lines not to try after one that has anything else, because the next ones often do, too.
    wait: u32,
    /// The number of these lines that are left.
    left: u32,
}

impl RecordsAhead {
    /// Uses at most `threads` threads; 0 is one for each core.
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, ..Self::default() }
    }

    /// Reads the buffered lines, up to one that has anything else. `row_number` is that of the line before.
    fn read(
        &mut self,
        lines: &mut Lines<'_>,
        digits: &Digits,
        row_number: &mut Option<i128>,
    ) -> io::Result<()> {
        let max = lines.most_bytes(digits.columns.len());
        let text = lines.at_hand()?;
        let (mut size, mut records) = (0, 0);
        let spare = take(&mut self.spare);
        let mut keep = |batch: Batch, part: &[u8]| {
            if let Some([first, last]) = batch.row_numbers {
                if row_number.is_some_and(|before| before >= first.into()) {
                    return false;
                }
                *row_number = Some(last.into());
            }
            let is_whole = batch.size == part.len();
            (size, records) = (size + batch.size, records + batch.records as u64);
            match batch.records {
                0 => self.spare = batch.bytes,
                _ => self.batches.push_back(batch),
            }
            is_whole
        };
        self.are_digits = if self.are_digits && text.len() >= MIN_SIZE {
            // Only now, because counting the cores takes as long as reading a small text.
            self.threads = count(self.threads);
            let parts = parts(text, self.threads);
            let batches = in_order(
                self.threads,
                &parts,
                |part| (*part, 0),
                |part| digits.take_all(part, max, Vec::new()),
            );
            batches.into_iter().zip(parts).all(|(batch, part)| keep(batch, part))
        } else {
            keep(digits.take_all(text, max, spare), text)
        };
        lines.consume(size, records);
        Ok(())
    }

    /// Takes the next record, if its line has nothing but digits.
    pub(super) fn next(
        &mut self,
        lines: &mut Lines<'_>,
        digits: &Digits,
        row_number: &mut Option<i128>,
        record: &mut Record,
    ) -> io::Result<bool> {
        if self.batches.is_empty() {
            if self.left > 0 {
                self.left -= 1;
                return Ok(false);
            }
            self.read(lines, digits, row_number)?;
            self.wait = if self.batches.is_empty() { (2 * self.wait + 1).min(15) } else { 0 };
            self.left = self.wait;
        }
        let Some(batch) = self.batches.front() else {
            return Ok(false);
        };
        let size = batch.bytes.len() / batch.records;
        let start = self.taken * size;
        record.set_bytes(batch.bytes.get(start..start + size).unwrap_or_default());
        record.label = batch.labels.get(self.taken).map(|label| (*label).into());
        self.taken += 1;
        if self.taken == batch.records {
            self.spare = self.batches.pop_front().map(|batch| batch.bytes).unwrap_or_default();
            self.spare.clear();
            self.taken = 0;
        }
        Ok(true)
    }
}

/// Divides lines among threads.
fn parts(mut text: &[u8], threads: usize) -> Vec<&[u8]> {
    let part = |left: usize| {
        let middle = text.len() / left;
        let end = text.iter().skip(middle).position(|byte| *byte == b'\n');
        let (part, rest) = text.split_at(end.map_or(text.len(), |end| middle + end + 1));
        text = rest;
        part
    };
    (1..=threads).rev().map(part).collect()
}

/// Gives the numbers of the first line to `take`, and returns the size of the line in bytes. Returns `None` if it has
/// anything but digits and separators, if it has no end, or if `take` returns `None`.
fn take_digits(
    text: &[u8],
    separator: u8,
    mut take: impl FnMut(u64) -> Option<()>,
) -> Option<usize> {
    const MAX_DIGITS: usize = 18; // any number of so many digits fits in a `u64`
    let (mut number, mut digits) = (0_u64, 0_usize);
    for (at, byte) in text.iter().enumerate() {
        if byte.is_ascii_digit() {
            number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            digits += 1;
            continue;
        }
        match digits {
            1..=MAX_DIGITS => take(number)?,
            // Several spaces count as one.
            0 if separator == SPACE => {}
            _ => return None,
        }
        (number, digits) = (0, 0);
        match byte {
            _ if *byte == separator => {}
            b'\t' if separator == SPACE => {}
            b'\n' => return Some(at + 1),
            b'\r' if text.get(at + 1) == Some(&b'\n') => return Some(at + 2),
            _ => return None,
        }
    }
    None
}
