//! Lines of digits and separators alone, as most are; many of them are read ahead on several threads.

use std::collections::VecDeque;
use std::io;

use idx_std::ElementType;

use crate::formats::csv::lines::{Lines, take_digits};
use crate::formats::threads::{count, in_order};
use crate::reading::roles::Role;
use crate::record::Record;
use crate::record::value::Value;

/// Fewer bytes take less time than starting a thread.
const MIN_SIZE: usize = 128 << 10;

/// The columns and types by which the numbers of a line become a record.
pub(super) struct Digits {
    pub(super) columns: Vec<Role>,
    pub(super) element_type: ElementType,
    /// True if labels are numbers, and not words.
    pub(super) has_number_labels: bool,
    pub(super) separator: u8,
}

impl Digits {
    /// Appends the numbers of the first line; returns its label and its number of bytes, or `None` if it has anything else.
    /// `on_key` decides about numbers of lines.
    pub(super) fn take(
        &self,
        text: &[u8],
        bytes: &mut Vec<u8>,
        mut on_key: impl FnMut(u64) -> Option<()>,
    ) -> Option<(Option<u64>, usize)> {
        let mut columns = self.columns.iter();
        let mut label = None;
        let size = take_digits(text, self.separator, |number| {
            match (columns.next()?, self.element_type) {
                // Through a `Value`, reading takes half as long again.
                (Role::Element, ElementType::U8) => bytes.push(u8::try_from(number).ok()?),
                (Role::Element, element_type) => {
                    Value::Integer(number.into()).append_to(bytes, element_type)?;
                }
                (Role::Label, _) if self.has_number_labels => label = Some(number),
                (Role::SameLabel, _) if label == Some(number) => {}
                (Role::Label | Role::SameLabel, _) => return None,
                (Role::Key, _) => on_key(number)?,
                (Role::ClassName | Role::LeftOut, _) => {}
            }
            Some(())
        })?;
        columns.next().is_none().then_some((label, size))
    }

    /// Returns the records of the first of these lines, as far as none has anything else or more bytes than `max`.
    fn take_all(&self, text: &[u8], max: usize) -> Lot {
        let mut lot = Lot::default();
        while let Some(rest @ [_, ..]) = text.get(lot.size..) {
            let before = lot.bytes.len();
            match self.take(rest, &mut lot.bytes, |_| None) {
                Some((label, size)) if size <= max => {
                    lot.labels.extend(label);
                    lot.records += 1;
                    lot.size += size;
                }
                _ => {
                    lot.bytes.truncate(before);
                    break;
                }
            }
        }
        lot
    }
}

/// Records that follow each other, and their labels.
#[derive(Default)]
struct Lot {
    bytes: Vec<u8>,
    labels: Vec<u64>,
    records: usize,
    /// The bytes of their lines.
    size: usize,
}

/// Records that were read ahead.
pub(super) struct Ahead {
    threads: usize,
    lots: VecDeque<Lot>,
    /// The number of records of the first lot that were taken.
    taken: usize,
    /// The number of lines of digits since the last other line, and the number from which more are expected.
    plain: usize,
    expected: usize,
}

impl Ahead {
    /// Uses at most `threads` threads; 0 is one for each core.
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, lots: VecDeque::new(), taken: 0, plain: 0, expected: 4 }
    }

    /// Returns whether the next lines may be digits, as those before.
    pub(super) fn is_due(&self) -> bool {
        self.threads != 1 && self.lots.is_empty() && self.plain >= self.expected
    }

    /// Notes whether a line was one of digits.
    pub(super) fn note(&mut self, is_plain: bool) {
        self.plain = if is_plain { self.plain + 1 } else { 0 };
    }

    /// Reads the lines that are at hand.
    pub(super) fn read(&mut self, lines: &mut Lines, digits: &Digits) -> io::Result<()> {
        let max = lines.most_bytes(digits.columns.len());
        let mut text = lines.at_hand()?;
        if text.len() < MIN_SIZE {
            return Ok(());
        }
        // Counted here, because counting the cores takes as long as reading a small text.
        self.threads = count(self.threads);
        if self.threads == 1 {
            return Ok(());
        }
        let mut parts = Vec::new();
        for threads in (1..=self.threads).rev() {
            let middle = text.len() / threads;
            let end = text.iter().skip(middle).position(|byte| *byte == b'\n');
            let (part, rest) = text.split_at(end.map_or(text.len(), |end| middle + end + 1));
            parts.push(part);
            text = rest;
        }
        let lots =
            in_order(self.threads, &parts, |part| (*part, 0), |part| digits.take_all(part, max));
        let (mut size, mut records) = (0, 0);
        for (lot, part) in lots.into_iter().zip(&parts) {
            let is_whole = lot.size == part.len();
            (size, records) = (size + lot.size, records + lot.records as u64);
            if lot.records > 0 {
                self.lots.push_back(lot);
            }
            if !is_whole {
                // A text with more such lines is not read twice.
                (self.plain, self.expected) = (0, self.expected.saturating_mul(2));
                break;
            }
        }
        lines.consume(size, records);
        Ok(())
    }

    /// Takes the next record, if one was read.
    pub(super) fn next(&mut self, record: &mut Record) -> bool {
        let Some(lot) = self.lots.front() else {
            return false;
        };
        let size = lot.bytes.len() / lot.records;
        let start = self.taken * size;
        record.set_bytes(lot.bytes.get(start..start + size).unwrap_or_default());
        record.label = lot.labels.get(self.taken).map(|label| (*label).into());
        self.taken += 1;
        if self.taken == lot.records {
            self.lots.pop_front();
            self.taken = 0;
        }
        true
    }
}
