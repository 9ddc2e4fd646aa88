//! The step that selects records by position.

use std::collections::VecDeque;
use std::ops::Range;

use crate::chain::selection::RecordSelection;
use crate::chain::source::Source;
use crate::chain::step::{Adapter, Joined, Step};
use crate::error::{At, Error, ErrorKind};
use crate::record::Record;

/// Selects records by their positions, one after the other.
struct Select {
    /// The current range and the later ones. It is empty after the last.
    ranges: VecDeque<Range<u64>>,
    /// The minimum number of records, checked if their number is not known in advance.
    required: u64,
    /// The number of all records, if it is known.
    all: Option<u64>,
    /// The number of records read or skipped.
    next: u64,
}

impl Select {
    /// Skips the records before the current range.
    fn go_to_range(&mut self, before: &mut Joined) -> Result<(), Error> {
        let start = self.ranges.front().map_or(self.next, |range| range.start);
        self.next += before.skip(start.saturating_sub(self.next))?;
        match self.next < start {
            true => Err(before.error(ErrorKind::BeyondLastRecord { count: self.next })),
            false => Ok(()),
        }
    }

    /// Returns whether the current range is done. A range up to the last record of all never is, so that reading on
    /// checks the end of the file.
    fn is_range_done(&self) -> bool {
        let current = self.ranges.front();
        current.is_none_or(|range| self.next >= range.end && Some(range.end) != self.all)
    }

    /// Returns the number of the selected records, if it is known.
    fn count(&self) -> Option<u64> {
        // If the number of all records is unknown, a range may end early, unless all its records are required.
        let are_there = self.ranges.back().is_none_or(|range| range.end <= self.required);
        let counts = self.ranges.iter().map(|range| range.end - range.start);
        (self.all.is_some() || are_there).then(|| counts.fold(0, u64::saturating_add))
    }
}

impl Adapter for Select {
    fn read(&mut self, before: &mut Joined, record: &mut Record) -> Result<bool, Error> {
        while self.is_range_done() {
            self.ranges.pop_front();
            if self.ranges.is_empty() {
                return Ok(false);
            }
            self.go_to_range(before)?;
        }
        let is_read = before.read(record)?;
        self.next += u64::from(is_read);
        match is_read || self.next >= self.required {
            true => Ok(is_read),
            false => Err(before.error(ErrorKind::BeyondLastRecord { count: self.next })),
        }
    }
}

impl Source {
    /// Selects records by their positions among the remaining ones.
    ///
    /// Positions from the end need the number of records. If it is known only at the end, as for csv, all records are
    /// read now, and the last ones are kept, in a temporary file if there are many.
    ///
    /// # Errors
    ///
    /// A single record or the start of a range beyond the last record ([`beyond_last_record`](ErrorKind::code)); a
    /// range that ends before it starts ([`unsupported`](ErrorKind::code)); a text that is not a selection, or that
    /// names a record twice ([`malformed`](ErrorKind::code)); and the errors of reading records, if they are counted.
    ///
    /// ```
    /// use idx_data::open;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("a.idx");
    /// # idx_std::save(&path, &[150, 1], &[7_u8; 150])?;
    ///
    /// assert_eq!(open(&path)?.select(0..10)?.select(3)?.facts().count, Some(1));
    /// assert_eq!(open(&path)?.select("5, 100..200, -3..")?.facts().count, Some(51)); // 5 and 100 to 149
    /// assert!(open(&path)?.select("150").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(
        self,
        records: impl TryInto<RecordSelection, Error: Into<Error>>,
    ) -> Result<Self, Error> {
        let records = records.try_into().map_err(Into::into).at(self.path())?;
        let (mut source, next) = match records.last() {
            Some(last) => self.counted_last(last)?,
            None => (self, 0),
        };
        let all = source.remaining().map(|count| next + count);
        let ranges = records.ranges(all).at(source.path())?.into();
        let mut select = Select { ranges, required: records.required(), all, next };
        let facts = source.facts().of_count(select.count());
        // A range beyond the end is an error before anything is written.
        source.unless_failed(|source| select.go_to_range(&mut source.steps))?;
        Ok(source.then(facts, Box::new(select)))
    }
}
